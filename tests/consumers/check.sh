#!/bin/bash
# Runs one check: check.sh FILE FUNCTION [ARGUMENT]... calls FUNCTION of FILE.sh in an empty directory.
#
# A check fails when a command in it fails, and is skipped with exit status 77. TVD_WORK_DIR is where the checks
# build; the installed trees that hosts use are there too, made by "check.sh install move".
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CONSUMERS=$ROOT/tests/consumers
WORK=${TVD_WORK_DIR:?names the directory to work in}

# What surrounds a check must not decide it: the hosts' only flags are these.
export CFLAGS='-Wall -Wextra -Wpedantic -Werror' CXXFLAGS='-Wall -Wextra -Wpedantic -Werror'
export LC_ALL=C
unset LDFLAGS PREFIX DESTDIR PKG_CONFIG_PATH CMAKE_PREFIX_PATH CMAKE_GENERATOR MAKEFLAGS MAKELEVEL

# shellcheck source=lib.sh
. "$CONSUMERS/lib.sh"
# shellcheck source=/dev/null
. "$CONSUMERS/$1.sh"

HERE="$WORK/$(tr ' /' '__' <<<"${*}")"
rm -rf "$HERE"
mkdir -p "$HERE"
cd "$HERE"
snippets "$ROOT/docs/using.md" using
"${@:2}"
