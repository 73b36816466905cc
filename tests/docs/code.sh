# shellcheck shell=bash
# The code that documents print.

warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wstrict-prototypes -Wcast-qual -Wwrite-strings)

# Compiles one file with every compiler that is there, warnings as errors. For C++, only what both languages know.
compiles() {  # <file>
    local compiler
    case $1 in
    *.c)
        for compiler in gcc clang; do
            ! command -v $compiler >/dev/null ||
                $compiler -std=c11 "${warnings[@]}" -Werror -I"$ROOT/include" -fsyntax-only "$1" ||
                fail "$1 compiles with $compiler"
        done
        ;;
    *.cpp)
        for compiler in g++ clang++; do
            ! command -v $compiler >/dev/null ||
                $compiler -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$ROOT/include" -fsyntax-only "$1" ||
                fail "$1 compiles with $compiler"
        done
        ;;
    esac
}

# Builds a program as the library was built, runs it, and compares what it prints if the document says what.
does_what_it_says() {  # <file.c>
    local program=${1%.c}
    # shellcheck disable=SC2086  # several words each
    $TVD_CC $TVD_CFLAGS -std=c11 "${warnings[@]}" -Werror -I"$ROOT/include" -o "$program" "$1" "$TVD_ARCHIVE" -pthread
    # shellcheck disable=SC2086
    $TVD_RUN "$program" >"$program.printed" || fail "$1 ends well"
    if [ -e "$1.expected" ]; then
        same_lines "what $1 prints" "$1.expected" "$program.printed"
    fi
}

# All of one document's code.
code() {  # <document>
    local file
    (cd "$ROOT" && awk -v out="$HERE/blocks" -f "$ROOT/tests/docs/blocks.awk" "$1")
    find blocks -name '*.c' -o -name '*.cpp' | sort >files
    [ -s files ] || fail "there is code in $1"
    while read -r file; do
        compiles "$file"
        case $file in
        *.c) ! grep -q '\bmain(' "$file" || does_what_it_says "$file" ;;
        esac
    done <files
    find blocks -name '*.expected' | while read -r file; do
        [ -e "${file%.expected}" ] || fail "there is a program for ${file##*/}"
    done
}

# The README's first code is the example, to the letter.
quickstart() {
    awk '/^```c$/ { inside = 1; next } /^```/ && inside { exit } inside' "$ROOT/README.md" >printed
    same_lines 'the first code in README.md' "$ROOT/examples/quickstart.c" printed
}

# Nothing in docs that has code goes unchecked: CMakeLists.txt lists them all.
all_listed() {  # <document>...
    printf '%s\n' "$@" | sort >listed
    (cd "$ROOT" && grep -lE '^```(c|cpp)$' README.md docs/*.md | sort) >there
    same_lines 'the documents with code' there listed
}

# The sizes in the documents, on machines with 64 bits. The program prints the words to be found.
sizes() {
    # shellcheck disable=SC2086  # several words each
    $TVD_CC $TVD_CFLAGS -std=c11 -I"$ROOT/include" -o sizes "$ROOT/tests/docs/sizes.c" "$TVD_ARCHIVE" -pthread
    local status=0
    # shellcheck disable=SC2086
    $TVD_RUN ./sizes >wanted || status=$?
    [ $status -ne 3 ] || { echo 'skipped: the sizes are those of 64 bits'; exit 77; }
    [ $status -eq 0 ] || fail 'the sizes were printed'
    local document words
    while IFS=: read -r document words; do
        [ "$(tr -s '\n ' ' ' <"$ROOT/docs/$document" | grep -cF "$words")" -gt 0 ] || echo "$document: $words"
    done <wanted >missing
    same_lines 'the sizes that the documents do not give' /dev/null missing
}
