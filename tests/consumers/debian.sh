# shellcheck shell=bash
# The Debian packages.

# Builds them in packages/ as docs/using.md prints it.
build_packages() {
    need dpkg-deb dpkg-shlibdeps cpack
    source_tarball sources.tar.gz
    tar xzf sources.tar.gz
    (cd termivar_dist && as_documented package.sh)
    mv termivar_dist/packages .
}

# Below a directory of its own, so that the machine stays as it is.
dpkg_below() {  # <directory> <dpkg argument>...
    mkdir -p "$1"/var/lib/dpkg/{info,updates,triggers}
    touch "$1"/var/lib/dpkg/{status,available}
    # The packages' scripts call ldconfig, which shall not touch the machine's own cache.
    mkdir -p "$HERE/bin"
    ln -sf /bin/true "$HERE/bin/ldconfig"
    PATH=$HERE/bin:$PATH:/usr/sbin:/sbin dpkg --root="$1" --log=/dev/null --force-depends --force-not-root --force-script-chrootless "${@:2}"
}

# Installed, they serve each kind of host; removed, they leave nothing.
installed_and_removed() {
    build_packages
    local system=$HERE/system library
    dpkg_below "$system" --install packages/*.deb
    library=$(dirname "$(find "$system" -name libtermivar_dist.a)")
    host find_package make host.c
    PREFIX=$system/usr as_documented cmake.sh
    greets build/host
    PKG_CONFIG_PATH=$library/pkgconfig make
    LD_LIBRARY_PATH=$library greets ./host
    cc -std=c11 -I"$system/usr/include" -o from-archive host.c "$library/libtermivar_dist.a" -pthread
    greets ./from-archive
    dpkg_below "$system" --purge libtermivar-dist-dev "libtermivar-dist$(header_version | cut -d . -f 1,2)"
    same 'what is left' '' "$(find "$system" -path '*/var' -prune -o ! -type d -print)"
}

# What they depend on is what Debian has.
dependencies() {
    need apt-get
    build_packages
    apt-get install --simulate ./packages/*.deb
}

lintian_finds_no_error() {
    need lintian
    build_packages
    lintian --fail-on error --allow-root packages/*.deb
}
