# shellcheck shell=bash
# Other compilers, generators and build types; other word sizes, libcs and machines.

# A host with the library inside, everything built the same way.
build_type() {  # <compiler> <generator> <build type or LTO> <kind>
    need "$1"
    local type=$3 lto=OFF
    if [ "$type" = LTO ]; then
        type=Release lto=ON
    fi
    host add_subdirectory host.c
    mkdir third_party
    ln -s "$ROOT" third_party/termivar_dist
    # shellcheck disable=SC2046  # the options are several words
    CC=$1 cmake -G "$2" -S . -B build -DCMAKE_BUILD_TYPE="$type" -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=$lto \
        $(kind_options "$4")
    cmake --build build -j 2
    greets build/host
}

# The project's own tests, built for something else than this machine's usual.
tests_pass() {  # <ctest arguments> <cmake argument>...
    cmake -G Ninja -S "$ROOT" -B build -DTERMIVAR_DISTRIBUTED=ON -DTERMIVAR_DIST_WERROR=ON \
        -DCMAKE_BUILD_TYPE=Release -DTERMIVAR_DIST_BUILD_EXAMPLES=OFF "${@:2}"
    cmake --build build -j 2
    # shellcheck disable=SC2086  # several arguments
    ctest --test-dir build --output-on-failure --no-tests=error -j 2 $1
}

# Whether a program with cmocka can be linked, and run if a command to run it is given.
need_cmocka() {  # <compiler and flags> <command to run with>...
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n' >probe.c
    printf '#include <cmocka.h>\nint main(void) { cmocka_set_message_output(CM_OUTPUT_TAP); return 0; }\n' >>probe.c
    # shellcheck disable=SC2086  # a compiler and its flags
    { $1 -o probe probe.c -lcmocka && "${@:2}" ./probe; } 2>probe.log ||
        { echo "skipped: $1 cannot build and run a program with cmocka"; exit 77; }
}

bits_32() {
    need_cmocka 'gcc -m32'
    # Before the others: where CMake looks at the compiler, it drops -Werror and, by mistake, the flag behind it.
    CFLAGS="-m32 $CFLAGS" tests_pass '-L quick -LE docs'
    file_class build/libtermivar_dist.a ELF32
}

# Emulation is slow, and cannot start the programs that a script starts: this is the part that tells most.
aarch64() {
    need aarch64-linux-gnu-gcc qemu-aarch64
    need_cmocka aarch64-linux-gnu-gcc qemu-aarch64
    tests_pass '-R ^unit_|^conformance_(traces|cases)$' -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v qemu-aarch64)"
    file_class build/libtermivar_dist.a AArch64
}

# Debian has no cmocka for musl, so these are the tests that do without.
musl() {
    need musl-gcc
    CC=musl-gcc tests_pass '-L quick -LE docs' -DCMAKE_DISABLE_FIND_PACKAGE_cmocka=ON -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
    host host.c
    musl-gcc -std=c11 -I"$ROOT/include" -o host host.c "$HERE/build/libtermivar_dist.a" -pthread
    greets ./host
    # Not grep -q, here and below: it would stop reading, and readelf would fail for it.
    readelf -l host | grep musl >/dev/null || fail 'the host runs on musl'
}

file_class() {  # <archive> <word>
    readelf -h "$1" | grep "$2" >/dev/null || fail "$1 was built for $2"
}
