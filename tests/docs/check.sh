#!/bin/bash
# Runs one check: check.sh FILE FUNCTION [ARGUMENT]... calls FUNCTION of FILE.sh in an empty directory.
#
# A check fails when a command in it fails, and is skipped with exit status 77. TVD_WORK_DIR is where the checks
# build. Those that run programs need the library and how it was built: TVD_CC, TVD_CFLAGS, TVD_ARCHIVE, and TVD_RUN,
# which runs a program if this machine does not by itself.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export LC_ALL=C

# shellcheck source=lib.sh
. "$ROOT/tests/docs/lib.sh"
# shellcheck source=/dev/null
. "$ROOT/tests/docs/$1.sh"

HERE="${TVD_WORK_DIR:?names the directory to work in}/$(tr ' /' '__' <<<"${*}")"
rm -rf "$HERE"
mkdir -p "$HERE"
cd "$HERE"
"${@:2}"
