#!/bin/bash
# Runs one check of a directory of tests: check.sh DIRECTORY FILE FUNCTION [ARGUMENT]... calls FUNCTION of
# tests/DIRECTORY/FILE.sh, after tests/DIRECTORY/lib.sh, in an empty directory below TVD_WORK_DIR.
#
# A check fails when a command in it fails, and is skipped with exit status 77.
set -euo pipefail
export LC_ALL=C
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
WORK=${TVD_WORK_DIR:?names the directory to work in}
HERE="$WORK/$(tr ' /' '__' <<<"${*:2}")"

# shellcheck source=asserts.sh
. "$ROOT/tests/lib/asserts.sh"
# shellcheck source=/dev/null
. "$ROOT/tests/$1/lib.sh"
# shellcheck source=/dev/null
. "$ROOT/tests/$1/$2.sh"

rm -rf "$HERE"
mkdir -p "$HERE"
cd "$HERE"
"${@:3}"
