#!/usr/bin/env bash
# late.sh FILE_SCAN_WITH_SHORT_TIMING: attempts that are too late change nothing. Which ones are depends on the machine,
# and so does which files are counted in the end; but what is counted is right, and what is not is listed.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

# The columns of a table are as wide as its total, which is not the same here.
normal_rows() {
    sed '$d' "$1" | sed 's/^ *\([0-9]*\)  *\([0-9]*\)  *\([0-9]*\) /\1 \2 \3 /' | sort
}

make_tree "$scratch/tree" 1000 "$scan"
cd "$scratch/tree"
repeat_byte x 4194304 >slow # no machine reads it within a lease
expected_table . >"$scratch/table"
normal_rows "$scratch/table" >"$scratch/expected"
files=$(wc -l <"$scratch/expected")

for seed in 1 2 3; do
    story "seed $seed"
    expect_status 1 "$scan" --workers 8 --kill-workers "$seed" --fail-percent 10 --stall-percent 5 --retries 32 \
        --seed "$seed" --timeline "$scratch/timeline.json" .
    expect_line "$scratch/err" "file_scan: ./slow: not counted: its retries ran out with attempt 33"

    # Every row is one of wc's, and none is there twice.
    normal_rows "$scratch/out" >"$scratch/rows"
    comm -13 "$scratch/expected" "$scratch/rows" >"$scratch/wrong"
    expect_same /dev/null "$scratch/wrong"

    counted=$(wc -l <"$scratch/rows")
    listed=$(grep -c ': not counted: its retries ran out with attempt 33' "$scratch/err")
    expect_equal $((counted + listed)) "$files" "counted and listed"
    expect_equal "$(summary_number counted "$scratch/err")" "$counted" "counted"
    jq -e --argjson counted "$counted" '[.traceEvents[].args.outcome] |
        (map(select(. == "completed")) | length) == $counted and any(. == "lost")' \
        "$scratch/timeline.json" >/dev/null || fail "the timeline disagrees"
done
