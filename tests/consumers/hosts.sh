# shellcheck shell=bash
# Hosts of each kind, built and run as docs/using.md says.

find_package_c() {  # <kind>
    host find_package host.c
    PREFIX=$(prefix_of "$1") as_documented cmake.sh
    greets build/host
}

find_package_cpp() {  # <kind>
    host find_package_cpp host.cpp
    PREFIX=$(prefix_of "$1") as_documented cmake.sh
    greets build/host
}

# A host whose parts look for the library each for itself, in two languages.
find_package_twice() {
    host host.c host.cpp
    mkdir part
    mv host.cpp part
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(host LANGUAGES C CXX)
find_package(termivar_dist REQUIRED)
find_package(termivar_dist REQUIRED)
add_executable(host host.c)
target_link_libraries(host PRIVATE termivar_dist::termivar_dist)
add_subdirectory(part)
END
    cat >part/CMakeLists.txt <<'END'
find_package(termivar_dist REQUIRED)
add_executable(part host.cpp)
target_link_libraries(part PRIVATE termivar_dist::termivar_dist)
END
    PREFIX=$(prefix_of static) as_documented cmake.sh
    greets build/host
    greets build/part/part
}

examples_cmake() {
    cmake -S "$ROOT/examples" -B build -DCMAKE_PREFIX_PATH="$(prefix_of static)"
    cmake --build build -j 2
    build/quickstart
}

examples_make() {
    need make pkg-config
    PKG_CONFIG_PATH="$(prefix_of static)/lib/pkgconfig" make -C "$ROOT/examples" BUILD="$PWD/build"
    build/quickstart
}

pkg_config_make() {  # <kind>
    need make pkg-config
    host make host.c
    PREFIX=$(prefix_of "$1") as_documented make.sh
    load_from "$(prefix_of "$1")"
    greets ./host
}

compiler_line() {
    host host.c
    PREFIX=$(prefix_of static) as_documented compile.sh
    greets ./host
}

add_subdirectory() {
    host add_subdirectory host.c
    mkdir third_party
    ln -s "$ROOT" third_party/termivar_dist
    cmake -S . -B build
    cmake --build build -j 2
    greets build/host
}

# C++ alone, in a host that never enables C itself.
add_subdirectory_cpp() {
    host add_subdirectory host.cpp
    sed -i 's/LANGUAGES C/LANGUAGES CXX/; s/host\.c/host.cpp/' CMakeLists.txt
    mkdir third_party
    ln -s "$ROOT" third_party/termivar_dist
    cmake -S . -B build
    cmake --build build -j 2
    greets build/host
}

# From a tarball as a release has it: what is committed, and nothing else.
fetch_content() {
    host fetch_content host.c
    source_tarball termivar_dist.tar.gz
    cmake -S . -B build
    cmake --build build -j 2
    greets build/host
}

# The host's shared library shows its own function and none of ours.
own_shared_library() {
    host plugin
    PREFIX=$(prefix_of both) as_documented cmake.sh
    same 'exports' plugin_run "$(nm -D --defined-only --format=just-symbols build/libplugin.so)"
}

two_plugins() {
    own_shared_library
    cp build/libplugin.so first.so
    cp build/libplugin.so second.so
    cc -std=c11 -o load "$CONSUMERS/load.c" -ldl
    ./load ./first.so ./second.so
}
