#!/usr/bin/env bash
# drills.sh FILE_SCAN: whatever goes wrong, the counts are the same.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

make_tree "$scratch/tree" 3000 "$scan"
expected_table "$scratch/tree" >"$scratch/expected"
cd "$scratch/tree"

# drill SEED OPTIONS...
drill() {
    local seed=$1
    shift
    story "seed $seed: $*"
    expect_status 0 "$scan" --seed "$seed" --retries 32 "$@" .
    expect_same "$scratch/expected" "$scratch/out"
}

expect_above() {
    [ "$(summary_number "$1" "$scratch/err")" -gt "$2" ] || fail "no more than $2 $1: $(tail -n 1 "$scratch/err")"
}

for seed in 1 2 3 4 5; do
    drill "$seed" --fail-percent 30 --stall-percent 10 --kill-workers 2
    # 3000 files make over 4000 attempts: far from these bounds, whatever the seed.
    expect_above "attempts failed" 800
    expect_above "leases expired" 200
    expect_above "workers lost" 1
    expect_above "back" 1
done

drill 6 --stall-percent 60 --workers 2
expect_above "leases expired" 2000
drill 7 --fail-percent 70 --workers 16
expect_above "attempts failed" 3000
drill 8 --kill-workers 8 --workers 8
expect_above "workers lost" 7
expect_above "back" 7
drill 9 --kill-workers 1 --workers 1 --fail-percent 10
drill 10 --fail-percent 30 --stall-percent 10 --kill-workers 2 --batch 250
expect_above "workers lost" 20

story "a seed repeats a run: the same attempts fail, whichever threads make them"
expect_status 0 "$scan" --seed 11 --retries 32 --fail-percent 40 --workers 1 .
failed=$(summary_number "attempts failed" "$scratch/err")
for workers in 2 5; do
    expect_status 0 "$scan" --seed 11 --retries 32 --fail-percent 40 --workers "$workers" --batch 333 .
    expect_equal "$(summary_number "attempts failed" "$scratch/err")" "$failed" "attempts that failed"
done
expect_status 0 "$scan" --seed 12 --retries 32 --fail-percent 40 .
[ "$(summary_number "attempts failed" "$scratch/err")" != "$failed" ] || fail "another seed, the same failures"
