#!/usr/bin/env bash
# batches.sh FILE_SCAN: more files than one coordinator can hold.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

story "batches of any size give the same table"
mkdir "$scratch/tree"
cd "$scratch/tree"
make_text_files 200
expect_status 0 "$scan" .
cp "$scratch/out" "$scratch/expected"
files=$(find . -type f | wc -l)
for batch in 1 7 100 $((files - 1)) "$files" $((files + 1)); do
    expect_status 0 "$scan" --batch "$batch" .
    expect_same "$scratch/expected" "$scratch/out"
done

story "the most that a coordinator can hold, and one more"
mkdir "$scratch/many"
cd "$scratch/many"
seq -f 'file-%g' 16385 | xargs touch
echo "the last" >z
expect_status 0 "$scan" --timeline "$scratch/timeline.json" --fail-percent 5 --stall-percent 5 --retries 32 .
expect_equal "$(wc -l <"$scratch/out")" 16387 "lines of the table"
expect_line "$scratch/out" "1 2 9 total"
expect_equal "$(grep -o '"name":"coordinator [0-9]*"' "$scratch/timeline.json" | wc -l)" 2 "coordinators"
