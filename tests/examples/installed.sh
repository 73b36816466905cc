#!/usr/bin/env bash
# installed.sh SOURCES: the examples as projects of their own, against an installed copy.
. "$(dirname "$0")/lib.sh"
sources=$1
prefix="$scratch/prefix"
cd "$scratch"
mkdir tree
echo "one two" >tree/file

check_programs() {
    expect_status 0 "$1/quickstart"
    expect_line "$scratch/out" "task-001, attempt 1 by worker-a: 22 letters"
    expect_status 0 "$1/file_scan" --fail-percent 30 --retries 32 tree
    expect_line "$scratch/out" "1 2 8 total"
}

story "the library installs"
expect_status 0 cmake -S "$sources" -B library -DTERMIVAR_DISTRIBUTED=ON -DTERMIVAR_DIST_BUILD_TESTS=OFF \
    -DTERMIVAR_DIST_BUILD_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib
expect_status 0 cmake --build library --target install
cp -r "$sources/examples" copy # alone, without the rest of the sources

story "by find_package"
expect_status 0 cmake -S copy -B by-cmake -DCMAKE_PREFIX_PATH="$prefix"
expect_status 0 cmake --build by-cmake
check_programs "$scratch/by-cmake"

story "by a Makefile and pkg-config"
expect_status 0 env PKG_CONFIG_PATH="$prefix/lib/pkgconfig" make -C copy BUILD="$scratch/by-make"
check_programs "$scratch/by-make"

story "without the library the Makefile says so"
expect_status 2 env PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR= make -C copy BUILD="$scratch/by-make-2"
expect_text "$scratch/err" "pkg-config does not find termivar_dist >= 0.1"
