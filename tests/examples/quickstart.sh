#!/usr/bin/env bash
# quickstart.sh QUICKSTART
. "$(dirname "$0")/lib.sh"

story "quickstart prints the result of its one task and nothing else"
expect_status 0 "$1"
echo "task-001, attempt 1 by worker-a: 22 letters" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/out"
: >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/err"
