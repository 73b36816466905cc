# shellcheck shell=bash
# What the checks share. $ROOT is the source tree, $HERE the empty directory of the check.

fail() {  # <what>
    echo "FAILED: $1" >&2
    exit 1
}

need() {  # <command>... : skips the check if one is not there
    local command
    for command in "$@"; do
        command -v "$command" >/dev/null || { echo "skipped: there is no $command"; exit 77; }
    done
}

same_lines() {  # <what> <wanted file> <got file>
    diff -u "$2" "$3" || fail "$1"
}

# The documents, and in some checks their diagrams' sources.
documents() {
    (cd "$ROOT" && ls README.md CHANGELOG.md docs/*.md)
}
