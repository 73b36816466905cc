# shellcheck shell=bash
# What the checks share. $ROOT is the source tree, $WORK the directory of all checks, $HERE that of this one.
#
# The installed trees that hosts use are made by "install move".
export CONSUMERS=$ROOT/tests/consumers

# What surrounds a check must not decide it: the hosts' only flags are these.
export CFLAGS='-Wall -Wextra -Wpedantic -Werror' CXXFLAGS='-Wall -Wextra -Wpedantic -Werror'
unset LDFLAGS PREFIX DESTDIR PKG_CONFIG_PATH CMAKE_PREFIX_PATH CMAKE_GENERATOR MAKEFLAGS MAKELEVEL

# --- the library ----------------------------------------------------------------------------------------------

# The options that build one kind, or both.
kind_options() {  # <static|shared|both>
    case $1 in
    static) echo -DTERMIVAR_DIST_BUILD_SHARED=OFF ;;
    shared) echo -DTERMIVAR_DIST_BUILD_SHARED=ON -DTERMIVAR_DIST_BUILD_STATIC=OFF ;;
    both) echo -DTERMIVAR_DIST_BUILD_SHARED=ON ;;
    esac
}

# Configures and builds the library alone.
build_library() {  # <build directory> <kind> <cmake argument>...
    local dir=$1 kind=$2
    # shellcheck disable=SC2046  # the options are several words
    cmake -S "$ROOT" -B "$dir" -DTERMIVAR_DISTRIBUTED=ON -DTERMIVAR_DIST_BUILD_TESTS=OFF \
        -DTERMIVAR_DIST_BUILD_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Release $(kind_options "$kind") "${@:3}"
    cmake --build "$dir" -j 2
}

# An installed tree that was configured for one prefix, installed to another and then moved.
prefix_of() {  # <kind>
    echo "$WORK/moved to here/$1"
}

# --- the hosts ------------------------------------------------------------------------------------------------

# Writes the files that a document prints, each after a line <!-- file: NAME -->.
snippets() {  # <document> <directory>
    awk -v out="$2" '
        /^<!-- file: .* -->$/ { name = out "/" $3; next }
        name == "" || ! /^```/ { if (open) print > name; next }
        open { close(name); name = ""; open = 0; next }
        {
            open = 1
            directory = name
            sub("/[^/]*$", "", directory)
            system("mkdir -p \"" directory "\"")
        }' "$1"
}

# Makes a host in host/ from the files and directories of docs/using.md that are named, and goes there.
host() {  # <file or directory in docs/using.md>...
    local item
    snippets "$ROOT/docs/using.md" "$HERE/using"
    mkdir "$HERE/host"
    for item in "$@"; do
        [ ! -d "$HERE/using/$item" ] || item=$item/.
        cp -R "$HERE/using/$item" "$HERE/host"
    done
    cd "$HERE/host" || exit
}

# Runs the commands that docs/using.md prints.
as_documented() {  # <script in docs/using.md>
    snippets "$ROOT/docs/using.md" "$HERE/using"
    bash -euo pipefail "$HERE/using/$1"
}

greets() {  # <program>
    same "$1 prints" 'task-001 goes to worker-a' "$("$@")"
}

# Where the loader finds the shared library of a prefix, for hosts that were not given its path.
load_from() {  # <prefix>
    export LD_LIBRARY_PATH=$1/lib
}

# --- the sources ----------------------------------------------------------------------------------------------

# What is committed, as a release has it.
source_tarball() {  # <file.tar.gz>
    need git
    local revision
    revision=$(git -c safe.directory='*' -C "$ROOT" rev-parse HEAD 2>/dev/null) ||
        { echo "skipped: the sources are no git clone"; exit 77; }
    git -c safe.directory='*' -C "$ROOT" archive --format=tar.gz --prefix=termivar_dist/ -o "$PWD/$1" "$revision"
}

# The version as the header's three lines have it.
header_version() {
    sed -n 's/^#define TVD_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\)$/\2/p' \
        "$ROOT/include/termivar/distributed.h" | paste -sd .
}
