# Shared by the tests of the examples. A test names what it checks with `story`, and ends at the first thing that is
# not so. $scratch is its own folder, gone when it ends.
# shellcheck shell=bash
set -euo pipefail
export LC_ALL=C

scratch=$(mktemp -d)
background_pid= # of a program that the test has started and not waited for

clean_up() {
    [ -z "$background_pid" ] || kill -KILL "$background_pid" 2>/dev/null || true
    chmod -R u+rwx "$scratch"
    rm -rf "$scratch"
}
trap clean_up EXIT

current_story=start

story() {
    current_story=$1
}

fail() {
    echo "FAILED: $current_story: $*" >&2
    exit 1
}

# expect_status WANTED COMMAND...: runs it with its output in $scratch/out and $scratch/err.
expect_status() {
    local wanted=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted from: $* ($(tail -n 5 "$scratch/err"))"
}

expect_same() {
    diff -a "$1" "$2" >"$scratch/diff" || fail "$1 and $2 differ: $(head -n 20 "$scratch/diff")"
}

expect_line() {
    grep -aqxF -- "$2" "$1" || fail "no line '$2' in $1: $(tail -n 20 "$1")"
}

expect_text() {
    grep -aqF -- "$2" "$1" || fail "no '$2' in $1: $(tail -n 20 "$1")"
}

expect_equal() {
    [ "$1" = "$2" ] || fail "$3: '$1' instead of '$2'"
}

# summary_number WHAT FILE: the number before WHAT in file_scan's last line on stderr.
summary_number() {
    sed -n "s/^file_scan: .*[^0-9]\{0,1\}\b\([0-9][0-9]*\) $1.*/\1/p" "$2" | tail -n 1
}

repeat_byte() {
    head -c "$2" /dev/zero | tr '\0' "$1"
}

# Text of all kinds, in COUNT files below the current folder: sentences, empty files, no last newline, blanks only.
make_text_files() {
    local directory
    for directory in {0..19}; do
        mkdir -p "dir $directory/deeper/and deeper"
    done
    awk -v count="$1" 'BEGIN {
        srand(20240229)
        split("a an of the worker lease fence receipt revision generation", word, " ")
        split(" |  |\t|\n|\n\n|\v|\f|\r\n", gap, "|")
        split("|/deeper|/deeper/and deeper", place, "|")
        for (i = 0; i < count; i++) {
            file = "dir " i % 20 place[i % 3 + 1] "/file-" i ".txt"
            printf "" > file
            for (words = int(rand() * rand() * 300); words > 0; words--)
                printf "%s%s", word[int(rand() * 10) + 1], gap[int(rand() * 8) + 1] > file
            if (i % 3)
                printf "no last newline" > file
            close(file)
        }
    }'
    mkdir edges
    : >edges/empty
    printf '\n' >edges/newline
    printf ' \t\n\v\f\r' >edges/blanks
    printf 'x' >edges/letter
    { repeat_byte a 65535; printf ' b'; } >edges/gap-ends-block
    { repeat_byte a 65536; printf ' b'; } >edges/gap-starts-block
    repeat_byte a 65537 >edges/word-across-blocks
    repeat_byte '\n' 200000 >edges/newlines
    for directory in {1..60}; do cat "dir 1"/*.txt "dir 2"/*.txt; done >edges/over-a-mebibyte
}

make_odd_names() {
    mkdir odd
    echo one >'odd/two words'
    echo two >$'odd/new\nline'
    echo three >"odd/it's"
    echo four >'odd/"quoted" \backslash'
    echo five >$'odd/escape\033[31m'
    echo six >$'odd/latin1-\351'
    echo seven >$'odd/utf8-\303\251'
    echo eight >'odd/-n'
    echo nine >'odd-sorts-before-slash'
    local bytes
    # Characters of three and four bytes; then what only looks like UTF-8: cut short, too long a form, a surrogate,
    # past the end of Unicode.
    for bytes in '\342\202\254' '\360\237\230\200' '\342\202' '\342\202\300' '\300\257' '\340\200\200' '\355\240\200' \
        '\360\200\200\200' '\364\220\200\200' '\365\200\200\200' '\200'; do
        echo ten >"odd/$(printf '%b' "$bytes")"
    done
}

# Data that is no text, from the bytes of a program.
make_binary_files() {
    local i
    mkdir binary
    for i in {1..20}; do
        head -c $((i * i * 331)) "$1" | tail -c $((i * 1000)) >"binary/$i"
    done
    printf 'a\0b \200\377 \n\0' >binary/small
}

# None of these is to be counted.
make_other_things() {
    mkfifo pipe
    ln -s edges/letter link-to-file
    ln -s . link-to-folder
    ln -s nowhere link-to-nothing
    mkdir empty-folder
}

# make_tree FOLDER COUNT PROGRAM
make_tree() {
    local program
    program=$(realpath "$3")
    mkdir -p "$1"
    (
        cd "$1"
        make_text_files "$2"
        make_odd_names
        make_binary_files "$program"
        make_other_things
    )
}

# expected_table FOLDER: what wc says of the files below, in the order of their paths. Versions of wc disagree on what a
# word is in data that is no text, so that they get a copy with every byte that is no space replaced by a letter.
expected_table() {
    rm -rf "$scratch/masked"
    mkdir "$scratch/masked"
    (
        cd "$1"
        find . -type f -print0 | sort -z >"$scratch/names"
        tar -c --null -T "$scratch/names" | tar -x -C "$scratch/masked"
        cd "$scratch/masked"
        find . -type f -path '*/binary/*' | while IFS= read -r file; do
            tr -c '\t-\r ' x <"$file" >"$scratch/mask"
            cat "$scratch/mask" >"$file"
        done
        wc -lwc --files0-from="$scratch/names"
    )
}
