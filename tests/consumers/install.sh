# shellcheck shell=bash
# The installed trees that the other checks use.

move() {
    local kind build
    for kind in static shared both; do
        build=$WORK/library/$kind
        build_library "$build" "$kind" -DCMAKE_INSTALL_PREFIX=/nowhere/configured -DCMAKE_INSTALL_LIBDIR=lib
        cmake --install "$build" --prefix "$PWD/first/$kind"
    done
    rm -rf "$(prefix_of '')"
    mv first "$(prefix_of '')"
}
