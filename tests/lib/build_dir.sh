# shellcheck shell=bash
# Where to build: in $TVD_BUILD_DIR, else in build/ at the root of the sources, else (sources that cannot be written
# to) in a temporary directory, which is gone at the end.

choose_build_dir() {  # <root of the sources> : sets build_dir
    build_dir=${TVD_BUILD_DIR:-$1/build}
    if ! mkdir -p "$build_dir" 2>/dev/null || [ ! -w "$build_dir" ]; then
        [ -z "${TVD_BUILD_DIR:-}" ] || { echo "cannot write to TVD_BUILD_DIR, $build_dir" >&2; exit 2; }
        build_dir=$(mktemp -d) || exit 2
        # shellcheck disable=SC2064  # this directory, whatever build_dir is by then
        trap "rm -rf '$build_dir'" EXIT
    fi
    build_dir=$(cd "$build_dir" && pwd) || exit 2
}
