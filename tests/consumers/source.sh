# shellcheck shell=bash
# The sources inside a host, and the sources themselves.

# Builds a host with a test, an installed program and settings of its own, and notes what became of it in a
# directory: its cache, compiler line, tests and installed files, and the targets that the library added.
note_host() {  # <directory for the notes> <cmake code that brings the library in>
    rm -rf host build stage
    mkdir "$1" host
    printf 'int main(void) { return 0; }\n' >host/main.c
    cat >host/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(host VERSION 7.8.9 LANGUAGES C)
enable_testing()
add_executable(host main.c)
add_test(NAME host COMMAND host)
install(TARGETS host)
$2
END
    cmake -G Ninja -S host -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$1/log"
    cmake --build build
    DESTDIR=$PWD/stage cmake --install build --prefix /
    # CMake counts the directories, which is no setting.
    grep -E '^[^#/].*=' build/CMakeCache.txt | grep -v '^CMAKE_NUMBER_OF_MAKEFILES:' | sort >"$1/cache"
    grep '"command": .*/main\.c' build/compile_commands.json >"$1/compiler line"
    (cd build && ctest -N | grep Test) >"$1/tests"
    (cd stage && find . ! -type d) >"$1/installed files"
}

# The cmake code that brings the library in and tells which targets it made.
add_library_code() {
    cat <<END
add_subdirectory("$ROOT" library)
get_property(targets DIRECTORY "$ROOT" PROPERTY BUILDSYSTEM_TARGETS)
message(STATUS "targets: \${targets}")
END
}

# A host with the library differs from one without only by what the caller looks for in cache-added and with/log.
compare_hosts() {  # <cmake code that brings the library in>
    need ninja
    note_host without ''
    note_host with "$1"
    local what
    for what in 'compiler line' tests 'installed files'; do
        [ -s "without/$what" ] || fail "the host's $what were noted"
        same_lines "the host's $what" "without/$what" "with/$what"
    done
    comm -23 without/cache with/cache >cache-lost
    comm -13 without/cache with/cache >cache-added
    same_lines 'the settings that are no longer there' /dev/null cache-lost
}

off_changes_nothing() {
    compare_hosts "$(add_library_code)"
    has_line with/log '-- targets: '
    has_no 'termivar_dist|Threads' with/log
    sed -E '/^(TERMIVAR_DISTRIBUTED|termivar_dist_(BINARY_DIR|SOURCE_DIR|IS_TOP_LEVEL)):/d' cache-added >cache-new
    same_lines 'the new settings apart from the switch and the directories' /dev/null cache-new
}

# Switched off, the sources need no compiler.
off_needs_no_compiler() {
    cmake -S "$ROOT" -B build >log
    has_line log '-- termivar_dist is Experimental and off; -DTERMIVAR_DISTRIBUTED=ON builds it'
    has_no '^CMAKE_C_COMPILER:' build/CMakeCache.txt
}

on_adds_the_library_alone() {
    compare_hosts "set(TERMIVAR_DISTRIBUTED ON)
$(add_library_code)"
    has_line with/log '-- targets: termivar_dist_static'
    # What CMake itself notes about the threads it looked for is no setting.
    sed -E '/^(TERMIVAR_DIST|termivar_dist_|CMAKE_HAVE_LIBC_PTHREAD:|FIND_PACKAGE_MESSAGE_DETAILS_Threads:)/d' \
        cache-added >cache-new
    same_lines 'the new settings with other names than ours' /dev/null cache-new
}

# Sources that cannot be written to, in a path with spaces, as a release has them.
read_only_sources() {
    source_tarball sources.tar.gz
    tar xzf sources.tar.gz
    mv termivar_dist 'read only sources'
    chmod -R a-w 'read only sources'
    find 'read only sources' -type f -exec sha256sum {} + | sort >before
    ROOT="$PWD/read only sources" build_library 'build here' both -DCMAKE_INSTALL_PREFIX="$PWD/a prefix"
    cmake --install 'build here'
    find 'read only sources' -type f -exec sha256sum {} + | sort >after
    same_lines 'the sources' before after
    chmod -R u+w 'read only sources'
    PREFIX=$PWD/'a prefix'
    export PREFIX
    host find_package host.c
    as_documented cmake.sh
    greets build/host
}

# The installation as docs/using.md prints it.
documented_installation() {
    source_tarball sources.tar.gz
    tar xzf sources.tar.gz
    (cd termivar_dist && PREFIX=$HERE/prefix as_documented install.sh)
    host host.c
    PREFIX=$HERE/prefix as_documented compile.sh
    greets ./host
}

# The presets build below the sources, so these are a copy.
presets() {
    source_tarball sources.tar.gz
    tar xzf sources.tar.gz
    cd termivar_dist || exit
    local preset
    for preset in debug release shared asan-ubsan tsan coverage; do
        cmake --preset "$preset"
        cmake --build --preset "$preset" --target help >targets
        ctest --preset "$preset" -N
    done
    cmake --workflow --list-presets | grep -c '^  "' >count
    same 'the workflows' 6 "$(cat count)"
}

# Everything in src/ is built, and nothing is built that is not there.
all_sources_listed() {
    (cd "$ROOT" && ls src/*.c) >there
    grep -o 'src/[a-z_]*\.c' "$ROOT/CMakeLists.txt" | sort >listed
    same_lines 'the sources in CMakeLists.txt' there listed
}

# CMake's own manual says since when there is a command, module, property or variable: none that the build uses is
# newer than the version it asks for.
floor() {
    local floor kind word since
    floor=$(sed -n 's/^cmake_minimum_required(VERSION \([0-9.]*\)\.\.\..*/\1/p' "$ROOT/CMakeLists.txt")
    [ -n "$floor" ] || fail 'the floor was found'
    sed 's/#.*//' "$ROOT/CMakeLists.txt" "$ROOT"/cmake/*.cmake "$ROOT/tests/CMakeLists.txt" |
        grep -oE '[A-Za-z_]+' | sort -u >words
    for kind in command module property variable; do
        cmake --help-$kind-list | sort >known
        comm -12 words known | while read -r word; do
            since=$(cmake --help-$kind "$word" | sed -n '1,8s/^.. versionadded:: //p' | head -1)
            echo "$kind $word ${since:-0}"
        done
    done >used
    [ "$(wc -l <used)" -gt 20 ] || fail 'the words of CMake were found'
    awk -v floor="$floor" '{ split($3, v, "."); split(floor, f, ".")
        if (v[1] > f[1] || (v[1] == f[1] && v[2] + 0 > f[2] + 0)) print }' used >newer
    same_lines "what is newer than CMake $floor" /dev/null newer
}
