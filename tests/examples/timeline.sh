#!/usr/bin/env bash
# timeline.sh FILE_SCAN: the timeline is valid JSON and tells of every attempt once.
. "$(dirname "$0")/lib.sh"
scan=$(realpath "$1")

mkdir "$scratch/tree"
cd "$scratch/tree"
make_text_files 400
make_odd_names
files=$(find . -type f -print0 | tr -dc '\0' | wc -c)
timeline=$scratch/timeline.json

expect_true() {
    jq -e "$1" "$timeline" >/dev/null || fail "not true: $1"
}

leases='[.traceEvents[] | select(.ph == "X")]'

story "without drills: one completed lease for each file"
expect_status 0 "$scan" --timeline "$timeline" .
expect_true "$leases | length == $files"
expect_true "$leases | all(.args.outcome == \"completed\" and .args.attempt == 1)"
expect_true "$leases | map(.args.task) | unique | length == $files"

story "names survive, whatever they hold"
expect_true "$leases | any(.name == \"./odd/\\\"quoted\\\" \\\\backslash\")"
expect_true "$leases | any(.name == \"./odd/new\\nline\")"
expect_true "$leases | any(.name == \"./odd/escape\\u001b[31m\")"
expect_true "$leases | any(.name == \"./odd/utf8-\\u00e9\")"
expect_true "$leases | any(.name == \"./odd/\\u20ac\")"
expect_true "$leases | any(.name == \"./odd/\\ud83d\\ude00\")"
expect_true "$leases | any(.name == \"./odd/latin1-\\ufffd\")"
# One replacement for each byte of what is no UTF-8: the names made for this have 1 to 4 of them.
expect_true "$leases | map(.name | select(test(\"^./odd/\\ufffd+\$\")) | length - 6) | sort == [1, 2, 2, 3, 3, 3, 4, 4, 4]"
iconv -f UTF-8 -t UTF-8 "$timeline" >"$scratch/utf8" 2>&1 || fail "the timeline is not UTF-8"
! grep -qP '[\xf5-\xff]' "$timeline" || fail "the timeline goes past the end of Unicode"

story "drills: every attempt of a file is there once, and only the last is completed"
expect_status 0 "$scan" --timeline "$timeline" --fail-percent 30 --stall-percent 10 --kill-workers 2 --retries 32 .
expect_true "$leases | group_by(.args.task) | length == $files"
expect_true "$leases | group_by(.args.task) | all((map(.args.attempt) | sort) == [range(1; length + 1)])"
expect_true "$leases | group_by(.args.task) |
    all(sort_by(.args.attempt) | [.[] | .args.outcome == \"completed\"] | index(true) == length - 1)"
expect_true "$leases | map(.args.lease) | length == (unique | length)"

story "drills: the outcomes are those of the summary"
for pair in "failed:attempts failed" "expired:leases expired"; do
    number=$(summary_number "${pair#*:}" "$scratch/err")
    expect_true "$leases | map(select(.args.outcome == \"${pair%%:*}\")) | length == $number"
done
# Each of the two silent workers hoards all its slots.
expect_true "$leases | map(select(.args.outcome == \"worker_lost\")) | length >= 8"
expect_true "$leases | map(select(.args.outcome == \"worker_lost\") | .tid) | unique | length >= 2"

story "times are whole and run forwards; leases are given for the time they say"
expect_true "$leases | all(.ts == (.ts | floor) and .dur == (.dur | floor) and .ts >= 0 and .dur >= 0)"
expect_true "$leases | all(.args.expires_at_secs > .args.acquired_at_secs)"

story "every thread has a name"
expect_true '[.traceEvents[] | select(.name == "thread_name") | [.pid, .tid]] as $named |
    [.traceEvents[] | select(.ph == "X") | [.pid, .tid]] | unique | . - $named == []'
expect_true '[.traceEvents[] | select(.name == "thread_name") | .args.name] ==
    ["worker-1", "worker-2", "worker-3", "worker-4"]'

story "each batch is a process of its own"
expect_status 0 "$scan" --timeline "$timeline" --batch 100 .
expect_true "$leases | map(.pid) | unique == [range(1; ($files + 99) / 100 | floor + 1)]"
expect_true "$leases | group_by(.pid) | .[:-1] | all(length == 100)"

story "also a scan without files, and one whose files fail, leaves valid JSON"
expect_status 0 "$scan" --timeline "$timeline" "$(mktemp -d "$scratch/empty.XXXXXX")"
expect_true "$leases | length == 0"
expect_status 1 "$scan" --timeline "$timeline" --fail-percent 100 --retries 1 .
expect_true "$leases | map(select(.args.outcome == \"retries_exhausted\")) | length == $files"
