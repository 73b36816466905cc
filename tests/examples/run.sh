#!/usr/bin/env bash
# run.sh SOURCES: examples/run, on a copy of the sources in a path with spaces.
. "$(dirname "$0")/lib.sh"
sources=$1
root="$scratch/a copy/of the sources"
unset TVD_BUILD_DIR

copy_sources() {
    mkdir -p "$1"
    tar -C "$sources" -c CMakeLists.txt cmake docs examples include LICENSE src | tar -C "$1" -x
}

copy_sources "$root"
mkdir "$scratch/tree"
(cd "$scratch/tree" && make_text_files 200)
expected_table "$scratch/tree" >"$scratch/expected"
cd "$scratch/tree"

story "only the table goes to stdout, and only the summary to stderr"
expect_status 0 "$root/examples/run" .
expect_same "$scratch/expected" "$scratch/out"
expect_equal "$(wc -l <"$scratch/err")" 1 "lines on stderr"
[ -d "$root/build" ] || fail "the build is not in build/ beside the sources"

story "options reach file_scan, also without a value or with = before it"
expect_status 0 "$root/examples/run" --quiet --workers 2 --seed=5 --fail-percent 20 --retries=32 .
expect_same "$scratch/expected" "$scratch/out"
expect_same /dev/null "$scratch/err"
expect_status 2 "$root/examples/run" --workers 0 .
expect_text "$scratch/err" "Usage: file_scan"
expect_status 0 "$root/examples/run" --help
expect_text "$scratch/out" "Usage: file_scan"
expect_status 1 "$root/examples/run" --quiet nowhere
expect_line "$scratch/err" "file_scan: nowhere: No such file or directory"

story "without a path the repository itself is scanned"
for options in "--workers 2" "--quiet --seed=1" "--quiet --"; do
    # shellcheck disable=SC2086 # several words on purpose
    expect_status 0 "$root/examples/run" $options
    find "$root" -type f -print0 | sort -z >"$scratch/names"
    wc -lc --files0-from="$scratch/names" | awk 'END { print $1, $2, $3 }' >"$scratch/total"
    tail -n 1 "$scratch/out" | awk '{ print $1, $3, $4 }' >"$scratch/scanned"
    expect_same "$scratch/total" "$scratch/scanned"
done

story "sources that cannot be written to are built elsewhere"
unprivileged=()
[ "$(id -u)" -ne 0 ] || unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
copy_sources "$scratch/read-only"
chmod 755 "$scratch"
chmod -R a-w,a+rX "$scratch/read-only"
chmod -R a+rX "$scratch/tree"
expect_status 0 "${unprivileged[@]}" "$scratch/read-only/examples/run" --quiet .
expect_same "$scratch/expected" "$scratch/out"
[ ! -e "$scratch/read-only/build" ] || fail "built among the sources"

story "TVD_BUILD_DIR says where to build"
expect_status 0 env TVD_BUILD_DIR="$scratch/chosen" "$root/examples/run" --quiet .
expect_same "$scratch/expected" "$scratch/out"
[ -n "$(find "$scratch/chosen" -name file_scan -type f)" ] || fail "nothing was built there"
expect_status 1 env TVD_BUILD_DIR=/proc/nowhere "$root/examples/run" --quiet .
expect_line "$scratch/err" "examples/run: cannot write to /proc/nowhere"

story "a build that fails says why, and not on stdout"
echo "#error broken on purpose" >>"$root/src/version.c"
expect_status 1 "$root/examples/run" .
expect_text "$scratch/err" "broken on purpose"
expect_same /dev/null "$scratch/out"

# Without apt-get to be found, root is told what is missing as anybody else is.
story "what is missing is named"
mkdir "$scratch/bin"
for program in bash cat dirname env id mktemp rm; do
    ln -s "$(command -v "$program")" "$scratch/bin/$program"
done
expect_status 1 env -u CC PATH="$scratch/bin" "$root/examples/run" .
echo "examples/run: missing packages: gcc libc6-dev cmake make" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/err"
expect_same /dev/null "$scratch/out"

story "root has it installed, without questions"
rm "$scratch/bin/id"
cat >"$scratch/bin/id" <<'END'
#!/bin/sh
echo 0
END
cat >"$scratch/bin/apt-get" <<END
#!/bin/sh
echo "\$DEBIAN_FRONTEND \$*" >>"$scratch/asked"
[ "\$1" = update ] || { echo "no such package"; exit 100; }
END
chmod +x "$scratch/bin/id" "$scratch/bin/apt-get"
ln -s "$(command -v sh)" "$scratch/bin/sh"
expect_status 1 env -u CC PATH="$scratch/bin" "$root/examples/run" .
printf '%s\n' "noninteractive update" \
    "noninteractive install -y --no-install-recommends gcc libc6-dev cmake make" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/asked"
printf '%s\n' "no such package" "examples/run: cannot install gcc libc6-dev cmake make" >"$scratch/expected"
expect_same "$scratch/expected" "$scratch/err"
expect_same /dev/null "$scratch/out"
