# shellcheck shell=bash
# Counts what passed, failed and was skipped, over steps and whole runs of ctest.
passed=0 failed=0 skipped=0

# Runs one command as one test; its output is shown only if it fails.
step() {  # <what> <command>...
    local what=$1 output
    shift
    if output=$("$@" 2>&1 </dev/null); then
        passed=$((passed + 1))
        echo "passed: $what"
    else
        failed=$((failed + 1))
        printf '%s\nFAILED: %s\n' "$output" "$what"
        return 1
    fi
}

# Runs ctest in a build directory and adds each of its tests.
count_ctest() {  # <build directory> <ctest argument>...
    local report=$1/report.xml run fail notrun status=0
    rm -f "$report"
    ctest --test-dir "$1" --output-on-failure --no-tests=error --output-junit "$report" "${@:2}" || status=$?
    run=$(grep -c '<testcase .* status="run"' "$report")
    fail=$(grep -c '<testcase .* status="fail"' "$report")
    notrun=$(grep -c '<testcase .* status="notrun"' "$report")
    # A program that was not built is "notrun" too, as is one that asked to be skipped; only ctest's own verdict
    # tells them apart.
    if [ "$status" -ne 0 ] && [ "${fail:-0}" -eq 0 ]; then
        fail=1
    fi
    passed=$((passed + ${run:-0})) failed=$((failed + ${fail:-0})) skipped=$((skipped + ${notrun:-0}))
    return "$status"
}

# Runs a program that counts for itself, in its last line.
count_program() {  # <command>...
    local output last
    output=$("$@" 2>&1 </dev/null)
    last=${output##*$'\n'}
    # Without its closing line: there shall be one.
    echo "${output%"$last"}"
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
        skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
    else
        failed=$((failed + 1))
        printf '%s\nFAILED: %s\n' "$last" "$*"
    fi
}

closing_line() {
    echo "$passed passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
    [ "$failed" -eq 0 ]
}
