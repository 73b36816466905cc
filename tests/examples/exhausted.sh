#!/usr/bin/env bash
# exhausted.sh FILE_SCAN: files whose retries run out are listed, missing from the table, and make the status 1.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

mkdir "$scratch/tree"
cd "$scratch/tree"
make_text_files 300
find . -type f | wc -l >"$scratch/files"
files=$(cat "$scratch/files")

expect_status 0 "$scan" .
sed '$d' "$scratch/out" >"$scratch/all-rows"

story "every file is either counted or listed"
expect_status 1 "$scan" --fail-percent 40 --stall-percent 20 --retries 2 --seed 3 .
sed -n 's/^file_scan: \(.*\): not counted: its retries ran out with attempt 3$/\1/p' "$scratch/err" |
    sort >"$scratch/listed"
[ -s "$scratch/listed" ] || fail "nothing is listed"
listed=$(wc -l <"$scratch/listed")
[ "$listed" -lt "$files" ] || fail "nothing is counted"
grep -vF -f <(sed 's/^/ /' "$scratch/listed") "$scratch/all-rows" >"$scratch/expected"
sed '$d' "$scratch/out" >"$scratch/rows"
expect_same "$scratch/expected" "$scratch/rows"
expect_equal "$(summary_number counted "$scratch/err")" $((files - listed)) "counted"
expect_equal "$(summary_number failed "$scratch/err")" "$listed" "failed"

story "the total is that of the rows"
awk '{ lines += $1; words += $2; bytes += $3 } END { print lines, words, bytes }' "$scratch/rows" >"$scratch/expected"
tail -n 1 "$scratch/out" | awk '{ print $1, $2, $3 }' >"$scratch/total"
expect_same "$scratch/expected" "$scratch/total"

story "the seed decides which files, not the threads"
for options in "--workers 1" "--workers 9" "--batch 50"; do
    # shellcheck disable=SC2086 # several words on purpose
    expect_status 1 "$scan" --fail-percent 40 --stall-percent 20 --retries 2 --seed 3 $options .
    sed -n 's/^file_scan: \(.*\): not counted: .*/\1/p' "$scratch/err" | sort >"$scratch/again"
    expect_same "$scratch/listed" "$scratch/again"
done

story "no attempt succeeds"
for options in "--fail-percent 100 --retries 0" "--stall-percent 100 --retries 2"; do
    # shellcheck disable=SC2086
    expect_status 1 "$scan" $options .
    expect_equal "$(wc -l <"$scratch/out")" 1 "lines of the table"
    expect_equal "$(awk '{ print $1, $2, $3, $4 }' "$scratch/out")" "0 0 0 total" "the total"
    expect_equal "$(grep -c 'not counted' "$scratch/err")" "$files" "listed files"
done

story "a list is not silenced"
expect_status 1 "$scan" --quiet --fail-percent 100 --retries 0 edges/letter
echo "file_scan: edges/letter: not counted: its retries ran out with attempt 1" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/err"
