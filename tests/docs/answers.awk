# Reads the public header; prints for every function that returns a tvd_status one line: its name, a tab, and the
# statuses of its "Errors" list in their order, spelled as tvd_status_name spells them, each with its details.
# Shortened as docs/concepts.md does it: the null arguments, which come first everywhere, are just invalid_argument;
# the three checks that every command of a coordinator starts with are "preflight"; creation's checks of the limits
# are "limits".

# The errors of a list item such as "TVD_ERROR_INVALID_TASK (task_id_invalid): text".
function head_of(item) {
    if (!match(item, /^TVD_ERROR_[A-Z_]+(, TVD_ERROR_[A-Z_]+)*( \([^)]*\))?/)) {
        print "no error in: " item > "/dev/stderr"
        exit 1
    }
    return substr(item, RSTART, RLENGTH)
}

function answers_of(block,    items, n, i, head, answers) {
    if (!match(block, /Errors, in the order in which they are checked:/))
        return ""
    block = substr(block, RSTART + RLENGTH)
    sub(/ (After a failure|Threads):.*/, "", block)
    n = split(block, items, / - /)
    answers = ""
    for (i = 2; i <= n; i++) {
        head = head_of(items[i])
        gsub(/TVD_ERROR_/, "", head)
        head = tolower(head)
        if (i == 2)
            sub(/^invalid_argument .*/, "invalid_argument", head)
        answers = answers (answers == "" ? "" : ", ") head
    }
    return answers
}

# Replaces a text in another, literally.
function shorten(text, long, short,    at) {
    at = index(text, long)
    return at == 0 ? text : substr(text, 1, at - 1) short substr(text, at + length(long))
}

/^\/\*\*/ { block = ""; collecting = 1 }
collecting {
    line = $0
    sub(/^ \*\/?/, "", line)
    sub(/^ +/, "", line)
    block = block " " line
}
/\*\// { collecting = 0 }
/^TVD_API .*tvd_status tvd_[a-z_]+\(/ {
    match($0, /tvd_[a-z_]+\(/)
    name = substr($0, RSTART, RLENGTH - 1)
    answers = answers_of(block)
    if (name ~ /_validate$/) {
        validation = answers
        sub(/^invalid_argument, /, "", validation)
        limits[name ~ /result/] = validation
    }
    answers = shorten(answers, "revision_conflict, logical_time_regression, counter_exhausted (revision)", "preflight")
    if (name ~ /_create$/)
        answers = shorten(answers, limits[name ~ /result/], "limits")
    print name "\t" answers
}
