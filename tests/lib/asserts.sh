# shellcheck shell=bash
# What a check says when something is not as it should be.

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

same() {  # <what> <wanted> <got>
    [ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"
}

same_lines() {  # <what> <wanted file> <got file>
    diff -u "$2" "$3" || fail "$1"
}

has_line() {  # <file> <whole line>
    grep -Fxq -- "$2" "$1" || fail "$1 has no line '$2'"
}

has_no() {  # <extended regular expression> <file>...
    local status=0
    grep -En -- "$@" || status=$?
    # 1 is grep's word for no match; a file that is not there gives another.
    [ $status -eq 1 ] || fail "something matches '$1'"
}
