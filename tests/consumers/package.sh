# shellcheck shell=bash
# What an installed tree consists of, and what find_package makes of it.

# The directories that a .pc file names, seen from where it is now.
pc_directory() {  # <prefix> <variable>
    # pkg-config puts a backslash before each space.
    PKG_CONFIG_PATH="$1/lib/pkgconfig" pkg-config --variable="$2" termivar_dist | tr -d \\\\
}

# Text, since a link test cannot notice a missing -pthread where libc itself has the threads.
pc_text() {  # <kind>
    need pkg-config
    local prefix pc libs='-L${libdir} -ltermivar_dist' private='-pthread'
    prefix=$(prefix_of "$1")
    pc=$prefix/lib/pkgconfig/termivar_dist.pc
    if [ "$1" = static ]; then
        libs="$libs -pthread" private=''
    fi
    has_line "$pc" "Libs: $libs"
    has_line "$pc" "Libs.private: $private"
    has_line "$pc" 'Cflags: -I${includedir} -DTERMIVAR_DISTRIBUTED=1'
    [ -d "$(pc_directory "$prefix" libdir)" ] || fail 'libdir is a directory'
    [ -f "$(pc_directory "$prefix" includedir)/termivar/distributed.h" ] || fail 'includedir has the header'
}

# No text file of an installed tree remembers where it was built or configured, or what only its build wanted.
no_traces() {  # <kind>
    local files
    mapfile -t files < <(find "$(prefix_of "$1")" -name '*.cmake' -o -name '*.pc')
    [ ${#files[@]} -ge 5 ] || fail 'the package files are there'
    has_no "$ROOT|$WORK|/nowhere|-fsanitize|-W[a-z]|BUILD_INTERFACE|INSTALL_INTERFACE" "${files[@]}"
}

installed_files() {  # <prefix>
    (cd "$1" && find . ! -type d | sort)
}

manifest() {  # <kind>
    local -a lists=("$CONSUMERS/manifest-$1")
    [ "$1" != both ] || lists=("$CONSUMERS"/manifest-*)
    installed_files "$(prefix_of "$1")" >got
    sed "s/VERSION/$(header_version)/; s/ABI/$(header_version | cut -d . -f 1,2)/" "${lists[@]}" | sort -u >wanted
    same_lines 'the installed files' wanted got
}

destdir() {
    DESTDIR=$PWD/stage cmake --install "$WORK/library/both" --prefix /opt/termivar
    same_lines 'the staged files' <(installed_files "$(prefix_of both)") <(installed_files stage/opt/termivar)
}

# Configures a CMake project made of one find_package and what follows; its messages go to log.
configure_probe() {  # <prefix> <cmake code>
    rm -rf probe
    mkdir probe
    printf 'cmake_minimum_required(VERSION 3.21)\nproject(probe LANGUAGES C)\n%s\n' "$2" >probe/CMakeLists.txt
    cmake -S probe -B probe/build -DCMAKE_PREFIX_PATH="$1" >log 2>&1
}

probe() {  # <prefix> <cmake code>
    configure_probe "$@" || { cat log; fail "the host configures"; }
}

# Nothing but what belongs to a found package is new in the host's scope; cmake_fd_ is CMake's own find_dependency.
no_leaks() {
    probe "$(prefix_of both)" '
find_package(Threads REQUIRED)
get_cmake_property(before VARIABLES)
find_package(termivar_dist REQUIRED)
get_cmake_property(after VARIABLES)
list(REMOVE_ITEM after ${before} before)
list(FILTER after EXCLUDE REGEX "^(termivar_dist_|Threads_|THREADS_|FIND_PACKAGE_MESSAGE_DETAILS_|CMAKE_|cmake_fd_)")
if(after)
    message(FATAL_ERROR "leaked: ${after}")
endif()'
}

# A missing kind is a package not found: silent if asked quietly, with its reason if required; and it does not
# spoil a later search.
missing_kind() {  # <kind that is there> <kind that is not>
    local prefix
    prefix=$(prefix_of "$1")
    probe "$prefix" "
find_package(termivar_dist QUIET COMPONENTS $2)
if(termivar_dist_FOUND OR TARGET termivar_dist::termivar_dist)
    message(FATAL_ERROR \"found what is not there\")
endif()
find_package(termivar_dist REQUIRED COMPONENTS $1 OPTIONAL_COMPONENTS $2)
if(NOT TARGET termivar_dist::termivar_dist_$1 OR termivar_dist_$2_FOUND)
    message(FATAL_ERROR \"did not find what is there\")
endif()"
    has_no 'Error|Warning|termivar_dist' log
    ! configure_probe "$prefix" "find_package(termivar_dist REQUIRED COMPONENTS $2)" ||
        fail 'a missing component stops the host'
    grep -Fq "its component '$2' is not installed here" log || fail 'the reason is told'
}

# Which kind termivar_dist::termivar_dist is where both are installed.
choice_of_kind() {
    local wanted
    for wanted in 'STATIC_LIBRARY static: find_package(termivar_dist)' \
        'STATIC_LIBRARY static: find_package(termivar_dist COMPONENTS static)' \
        'SHARED_LIBRARY shared: find_package(termivar_dist COMPONENTS shared)' \
        'SHARED_LIBRARY both: set(BUILD_SHARED_LIBS ON) 
find_package(termivar_dist)' \
        'STATIC_LIBRARY both: set(BUILD_SHARED_LIBS ON) 
find_package(termivar_dist COMPONENTS static)'; do
        probe "$(prefix_of both)" "${wanted#*: }"'
get_target_property(type termivar_dist::termivar_dist TYPE)
message(STATUS "type: ${type}")'
        has_line log "-- type: ${wanted%% *}"
    done
}

# A request is met by the same minor version and the same or a later patch.
version_requests() {
    local row request answer
    while read -r request answer; do
        probe "$(prefix_of static)" "find_package(termivar_dist ${request//_/ } QUIET)"'
message(STATUS "found: ${termivar_dist_FOUND}")'
        row=$(sed -n 's/^-- found: //p' log)
        same "find_package(termivar_dist ${request//_/ })" "$answer" "$row"
    done < <(sed "s/MINOR/$(header_version | cut -d . -f 2)/g; s/PATCH/$(header_version | cut -d . -f 3)/g" \
        "$CONSUMERS/version-requests")
}

# A prefix that lost one kind, as packagers make them, serves the other.
one_kind_deleted() {  # <kind that stays> <pattern of what is deleted>
    cp -R "$(prefix_of both)" prefix
    # shellcheck disable=SC2086  # a pattern
    rm -f prefix/lib/$2
    PREFIX=$PWD/prefix
    host find_package host.c
    export PREFIX
    as_documented cmake.sh
    load_from "$PREFIX"
    greets build/host
    same 'needs the shared library' "$([ "$1" = shared ] && echo yes || echo no)" \
        "$(readelf -d build/host | grep 'NEEDED.*libtermivar_dist' >/dev/null && echo yes || echo no)"
    rm -rf build
    cp ../using/make/Makefile .
    as_documented make.sh
    greets ./host
}

# Another library directory than lib, relative or absolute: both kinds of package file say where the library is.
library_directory() {  # <directory>
    need pkg-config
    local libdir=$1
    case $libdir in
    /*) libdir=$PWD$libdir ;;
    esac
    build_library build static -DCMAKE_INSTALL_PREFIX="$PWD/prefix" -DCMAKE_INSTALL_LIBDIR="$libdir"
    cmake --install build
    case $libdir in
    /*) ;;
    *) mv prefix moved && libdir=$PWD/moved/$libdir ;;
    esac
    [ -f "$libdir/libtermivar_dist.a" ] || fail "the archive is in $libdir"
    host find_package make host.c
    cmake -S . -B build -Dtermivar_dist_DIR="$libdir/cmake/termivar_dist"
    cmake --build build
    greets build/host
    PKG_CONFIG_PATH="$libdir/pkgconfig" make
    greets ./host
}
