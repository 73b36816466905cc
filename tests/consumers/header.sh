# shellcheck shell=bash
# The public header under the strictest flags, found through -I, alone and twice.

strict='-Wall -Wextra -pedantic-errors -Wundef -Wconversion -Wsign-conversion -Werror'

compile() {  # <compiler> <file> <flag>...
    # shellcheck disable=SC2086  # several flags
    "$1" "${@:3}" $strict -I"$ROOT/include" -fsyntax-only "$2" || fail "$*"
}

matrix() {  # <C compiler> <C++ compiler>
    need "$1" "$2"
    local standard include='#include <termivar/distributed.h>'
    printf '%s\nextern int host;\n' "$include" >once.c
    printf '%s\n%s\nextern int host;\n' "$include" "$include" >twice.c
    cp once.c once.cpp
    cp twice.c twice.cpp
    for standard in c11 c17 c2x; do
        compile "$1" once.c -std=$standard -Wstrict-prototypes
        compile "$1" twice.c -std=$standard -Wstrict-prototypes
    done
    for standard in c++11 c++14 c++17 c++20; do
        compile "$2" once.cpp -std=$standard -Wold-style-cast -Wzero-as-null-pointer-constant
        compile "$2" twice.cpp -std=$standard -Wold-style-cast -Wzero-as-null-pointer-constant
    done
}

# What C++ or an older compiler chokes on stays out, also where no compiler here complains.
plain_language() {
    gcc -fpreprocessed -dD -E -P "$ROOT/include/termivar/distributed.h" 2>/dev/null >code
    has_no '_Atomic|\brestrict\b|\[\]|\(\);|\b(class|new|delete|this|private|public|template|operator)\b' code
}
