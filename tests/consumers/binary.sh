# shellcheck shell=bash
# What the linker sees of the library.

exported_list=$ROOT/cmake/termivar_dist.symbols

# The functions of the header. After a deliberate change to them: check.sh consumers binary save_list.
list_header() {
    gcc -std=c11 -E -P -DTVD_BUILDING_SHARED "$ROOT/include/termivar/distributed.h" | tr '\n;' ' \n' |
        sed -n 's/.*visibility("default").*[ *]\(tvd_[a-z0-9_]*\) *(.*/\1/p' | sort >header
    [ "$(wc -l <header)" -gt 50 ] || fail 'the functions of the header were found'
}

save_list() {
    list_header
    cp header "$exported_list"
}

list_is_the_header() {
    list_header
    same_lines 'cmake/termivar_dist.symbols' header "$exported_list"
}

shared_exports() {
    nm -D --defined-only --format=just-symbols "$(prefix_of shared)/lib/libtermivar_dist.so" |
        sed -n 's/@@.*//; /^tvd_/p' >got
    same_lines 'the exported symbols' "$exported_list" got
    nm -D --defined-only "$(prefix_of shared)/lib/libtermivar_dist.so" >all
    has_no ' [A-Z] [^tT]' all
}

# Everything that another object could see is ours by name, and hidden from a shared library's users.
archive_symbols() {
    local archive
    archive=$(prefix_of static)/lib/libtermivar_dist.a
    readelf -sW "$archive" | awk '$5 == "GLOBAL" && $7 != "UND" { print $8, $6 }' | sort >globals
    [ "$(wc -l <globals)" -ge "$(wc -l <"$exported_list")" ] || fail 'the archive has the functions'
    same_lines 'every global symbol has the prefix and is hidden' <(grep '^tvd_[a-z0-9_]* HIDDEN$' globals) globals
}

# A copy of the interface's description is kept in the tree. After a deliberate change: check.sh consumers binary save_abi.
describe_abi() {
    need abidw
    build_library build shared -DCMAKE_C_FLAGS="-g -ffile-prefix-map=$ROOT/="
    abidw --headers-dir "$ROOT/include" --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs \
        --type-id-style hash build/libtermivar_dist.so >abi.xml
}

save_abi() {
    describe_abi
    cp abi.xml "$CONSUMERS/termivar_dist.abi"
}

abi() {
    need abidiff
    [ "$(uname -m)" = x86_64 ] || { echo 'skipped: the description kept is of x86_64'; exit 77; }
    describe_abi
    abidiff "$CONSUMERS/termivar_dist.abi" abi.xml
}

# One version, wherever it is written.
versions_agree() {
    local version prefix
    version=$(header_version)
    prefix=$(prefix_of both)
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "the header's version: '$version'"

    cc -std=c11 -I"$prefix/include" -o version "$CONSUMERS/version.c" "$prefix/lib/libtermivar_dist.a" -pthread
    same 'the functions' "$version" "$(./version)"
    same 'pkg-config' "$version" "$(PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --modversion termivar_dist)"
    has_line "$prefix/lib/cmake/termivar_dist/termivar_dist-config-version.cmake" \
        "set(PACKAGE_VERSION \"$version\")"
    same 'the soname' "libtermivar_dist.so.${version%.*}" \
        "$(readelf -d "$prefix/lib/libtermivar_dist.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
    same 'the file name' "libtermivar_dist.so.$version" \
        "$(basename "$(readlink -f "$prefix/lib/libtermivar_dist.so")")"
    same 'the newest in CHANGELOG.md' "$version" \
        "$(grep -Eo '^#+ .*[0-9]+\.[0-9]+\.[0-9]+' "$ROOT/CHANGELOG.md" | head -1 | grep -Eo '[0-9.]+$')"
    grep -Fq "find_package(termivar_dist ${version%.*} " "$ROOT/docs/using.md" || fail 'docs/using.md asks for it'
}
