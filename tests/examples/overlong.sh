#!/usr/bin/env bash
# overlong.sh FILE_SCAN: a path that is no target reference is named and skipped.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

# Four folders of 250 bytes each: "./" + 4 * 251 = 1006 bytes before the name of a file.
mkdir "$scratch/tree"
cd "$scratch/tree"
for letter in a b c d; do
    name=$(repeat_byte "$letter" 250)
    mkdir "$name"
    cd "$name"
done
longest=$(repeat_byte e 18)
too_long=$(repeat_byte f 19)
echo "fits" >"$longest"
echo "does not fit" >"$too_long"
cd "$scratch/tree"

story "1024 bytes fit, 1025 are skipped and named"
expect_status 0 "$scan" .
expect_equal "$(awk 'NR == 1 { print length($4) }' "$scratch/out")" 1024 "bytes of the longest path"
expect_equal "$(awk '{ print $1, $2, $3 }' "$scratch/out" | tail -n 1)" "1 1 5" "the total"
expect_text "$scratch/err" "$too_long: skipped: the path is longer than a target reference can be"
expect_line "$scratch/err" "file_scan: 1 counted, 0 failed, 1 skipped; 0 attempts failed, 0 leases expired, \
0 workers lost, 0 back"

story "under a shorter name of its folder the file can be scanned"
cd a*/b*
expect_status 0 "$scan" .
expect_equal "$(awk '{ print $1, $2, $3 }' "$scratch/out" | tail -n 1)" "2 4 18" "the total"
