#!/usr/bin/env bash
# options.sh FILE_SCAN: the command line, and where the output cannot go.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")
cd "$scratch"
mkdir tree
echo "some text" >tree/file

story "--help"
expect_status 0 "$scan" --help
expect_text "$scratch/out" "Usage: file_scan [OPTIONS] [PATH...]"
expect_same /dev/null "$scratch/err"
"$scan" --help >"$scratch/help"
for option in workers seed fail-percent stall-percent kill-workers retries batch quiet timeline help; do
    expect_text "$scratch/help" "  --$option "
done

# The reason is not buried under the whole help.
refuse() {
    story "refused: $*"
    expect_status 2 "$scan" "$@" tree
    expect_equal "$(wc -l <"$scratch/err")" 2 "lines on stderr"
    expect_equal "$(tail -n 1 "$scratch/err")" "Usage: file_scan [OPTIONS] [PATH...]; see --help" "the last line"
    expect_same /dev/null "$scratch/out"
}

refuse --unknown
refuse -x
refuse --quiet=yes
refuse --workers 0
refuse --workers 257
refuse --workers -1
refuse --workers +1
refuse --workers ' 1'
refuse --workers 1x
refuse --workers ''
refuse --workers=
refuse --workers 18446744073709551617
refuse --retries 33
refuse --batch 0
refuse --batch 16385
refuse --fail-percent 101
refuse --stall-percent 101
refuse --seed 18446744073709551616
refuse --seed one
refuse --kill-workers 5
refuse --workers 2 --kill-workers 3
expect_text "$scratch/err" "file_scan: --kill-workers 3: there are only 2 workers"

story "refused: an option without its value"
expect_status 2 "$scan" tree --workers
expect_text "$scratch/err" "Usage: file_scan"

story "the ends of each range are taken"
expect_status 0 "$scan" --workers 256 --retries 0 --batch 16384 --fail-percent 0 --stall-percent 0 --seed 0 tree
expect_line "$scratch/out" " 1  2 10 total"
expect_status 0 "$scan" --workers=1 --retries=32 --batch=1 --kill-workers=1 --seed=18446744073709551615 tree
expect_line "$scratch/out" " 1  2 10 total"

story "options after paths, and paths that look like options"
expect_status 0 "$scan" tree --quiet
expect_same /dev/null "$scratch/err"
echo x >./--quiet
expect_status 0 "$scan" -- --quiet
expect_line "$scratch/out" "1 1 2 --quiet"

story "a timeline that cannot be opened"
expect_status 1 "$scan" --timeline no/such/folder/t.json tree
expect_line "$scratch/err" "file_scan: no/such/folder/t.json: No such file or directory"

story "a timeline that cannot be written"
expect_status 1 "$scan" --timeline /dev/full tree
expect_line "$scratch/err" "file_scan: /dev/full: the timeline could not be written"

story "a table that cannot be written"
status=0
"$scan" tree >/dev/full 2>"$scratch/err" || status=$?
expect_equal "$status" 1 "status"
expect_line "$scratch/err" "file_scan: the table could not be written"

story "progress is shown on a terminal, and only there"
script -qec "'$scan' tree" "$scratch/typescript" >/dev/null </dev/null
expect_text "$scratch/typescript" "1 of 1 files"
script -qec "'$scan' --quiet tree" "$scratch/typescript" >/dev/null </dev/null
! grep -q "of 1 files" "$scratch/typescript" || fail "--quiet shows progress"
expect_status 0 "$scan" tree
! grep -q "of 1 files" "$scratch/err" || fail "progress goes to a file"

story "skipped time is not shown second by second: at most one line for each lease that was waited for"
mkdir many
seq -f 'many/file-%g' 200 | xargs touch
script -qec "'$scan' --workers 2 --stall-percent 60 --retries 32 many" "$scratch/typescript" >/dev/null </dev/null
lines=$(tr '\r' '\n' <"$scratch/typescript" | grep -c 'of 200 files' || true)
tr '\r' '\n' <"$scratch/typescript" | sed 's/\x1b\[K//g' >"$scratch/shown"
expired=$(summary_number "leases expired" "$scratch/shown")
[ "$lines" -gt 0 ] || fail "no progress"
[ "$lines" -le "$expired" ] || fail "$lines lines of progress for $expired leases"
