#!/usr/bin/env bash
# counts.sh FILE_SCAN: without drills, against wc.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

make_tree "$scratch/tree" 3000 "$scan"
expected_table "$scratch/tree" >"$scratch/expected"
cd "$scratch/tree"

story "the table is that of wc, byte for byte"
expect_status 0 "$scan" .
expect_same "$scratch/expected" "$scratch/out"
files=$(($(wc -l <"$scratch/expected") - 1))
expect_line "$scratch/err" "file_scan: $files counted, 0 failed, 0 skipped; 0 attempts failed, 0 leases expired, \
0 workers lost, 0 back"

story "without a path the current directory is scanned"
expect_status 0 "$scan"
expect_same "$scratch/expected" "$scratch/out"

story "the number of workers changes nothing"
for workers in 1 2 17; do
    expect_status 0 "$scan" --workers "$workers" .
    expect_same "$scratch/expected" "$scratch/out"
done

story "--quiet says nothing"
expect_status 0 "$scan" --quiet .
expect_same "$scratch/expected" "$scratch/out"
expect_same /dev/null "$scratch/err"

story "a path given twice, or inside another, is counted once"
expect_status 0 "$scan" "dir 3" ./"dir 3" "dir 3/deeper" "dir 3"
expect_equal "$(grep -c '^ *[0-9]* *[0-9]* *[0-9]* dir 3/' "$scratch/out")" "$(find "dir 3" -type f | wc -l)" "rows"

story "a slash at the end of a path is not doubled"
expect_status 0 "$scan" edges/
expect_equal "$(grep -c 'edges//' "$scratch/out" || true)" 0 "doubled slashes"
expect_text "$scratch/out" " edges/letter"

story "links are followed where the user names them"
expect_status 0 "$scan" link-to-file
expect_line "$scratch/out" "0 1 1 link-to-file"

story "what is neither file nor directory is named when the user names it"
expect_status 0 "$scan" pipe edges/letter
expect_line "$scratch/err" "file_scan: pipe: skipped: neither a regular file nor a directory"
expect_line "$scratch/out" "0 1 1 total"

story "an empty directory has a total of nothing"
expect_status 0 "$scan" empty-folder
echo "0 0 0 total" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/out"
