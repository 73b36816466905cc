#!/usr/bin/env bash
# unreadable.sh FILE_SCAN: what vanishes or cannot be read is named and counted as failed; the rest is counted.
. "$(dirname "$0")/lib.sh"
cp "$1" "$scratch/file_scan"
scan=$scratch/file_scan
chmod 755 "$scratch" "$scan"

# Root can read anything, so it must not be root who runs the scan.
unprivileged=()
[ "$(id -u)" -ne 0 ] || unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)

mkdir -p "$scratch/tree/closed"
cd "$scratch/tree"
echo "one two" >a-readable
echo "hidden" >b-unreadable
echo "hidden" >closed/file
echo "three" >z-readable
chmod 755 .
chmod 644 a-readable z-readable
chmod 000 b-unreadable closed

story "unreadable files and directories"
expect_status 1 "${unprivileged[@]}" "$scan" --retries 2 .
expect_line "$scratch/err" "file_scan: ./closed: Permission denied"
expect_line "$scratch/err" \
    "file_scan: ./b-unreadable: not counted: its retries ran out with attempt 3: Permission denied"
expect_line "$scratch/err" "file_scan: 2 counted, 2 failed, 0 skipped; 3 attempts failed, 0 leases expired, \
0 workers lost, 0 back"
printf '%s\n' " 1  2  8 ./a-readable" " 1  1  6 ./z-readable" " 2  3 14 total" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/out"
chmod 700 closed

story "a path that is not there"
expect_status 1 "$scan" a-readable nowhere
expect_line "$scratch/err" "file_scan: nowhere: No such file or directory"
expect_line "$scratch/out" "1 2 8 total"

story "a file that can be opened but not read"
expect_status 1 "$scan" --retries 0 /proc/self/mem a-readable
expect_line "$scratch/err" \
    "file_scan: /proc/self/mem: not counted: its retries ran out with attempt 1: Input/output error"
expect_line "$scratch/out" "1 2 8 total"

story "control characters of a name do not reach the terminal"
expect_status 1 "$scan" $'no\nfile\033[31m'
expect_line "$scratch/err" "file_scan: 'no'\$'\\n''file'\$'\\033''[31m': No such file or directory"

is_reading() {
    [[ $(readlink "/proc/$background_pid/fd"/* 2>/dev/null) == *"$1"* ]]
}

# scan_with_a_change RETRIES COMMAND...: stopped while it reads the first of two files, a scan has walked already, and
# has not yet opened the second. Then COMMAND changes something.
scan_with_a_change() {
    local retries=$1
    shift
    rm -rf "$scratch/changing"
    mkdir "$scratch/changing"
    cd "$scratch/changing"
    truncate -s 16G a-huge
    echo text >b-changes
    "$scan" --workers 1 --batch 1 --retries "$retries" . >"$scratch/out" 2>"$scratch/err" &
    background_pid=$!
    until is_reading a-huge; do
        kill -0 "$background_pid" 2>/dev/null || fail "the scan ended before it was seen reading"
    done
    kill -STOP "$background_pid"
    is_reading a-huge || fail "the scan was not stopped while reading"
    "$@"
    truncate -s 1M a-huge
    kill -CONT "$background_pid"
    status=0
    wait "$background_pid" || status=$?
    background_pid=
}

become_a_pipe() {
    rm b-changes
    mkfifo b-changes
}

story "a file that vanishes after the walk"
scan_with_a_change 1 rm b-changes
expect_equal "$status" 1 "status"
expect_line "$scratch/err" \
    "file_scan: ./b-changes: not counted: its retries ran out with attempt 2: No such file or directory"
expect_equal "$(wc -l <"$scratch/out")" 2 "lines of the table"

story "a file that is no regular file any more when it is opened"
scan_with_a_change 0 become_a_pipe
expect_equal "$status" 1 "status"
expect_line "$scratch/err" \
    "file_scan: ./b-changes: not counted: its retries ran out with attempt 1: Invalid argument"
expect_equal "$(wc -l <"$scratch/out")" 2 "lines of the table"
