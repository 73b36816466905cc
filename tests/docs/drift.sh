# shellcheck shell=bash
# What the documents say about the code, compared with the code.

header() {
    cat "$ROOT/include/termivar/distributed.h"
}

# What matches, each once; there may be nothing.
words() {  # <extended regular expression> <file>...
    { grep -ohEs -- "$1" "${@:2}" || true; } | sort -u
}

# Names that start like ours are in the public header. architecture.md may name internal ones too. What ends in "_" or
# is followed by a star is the beginning of names. TVD_ is also how the scripts' environment variables start.
names() {
    local document name
    words '\b(tvd|TVD)_\w+' "$ROOT/include/termivar/distributed.h" >public
    words '\b(tvd|TVD)_\w+' "$ROOT"/src/*.[ch] >internal
    words '\bTVD_\w+' "$ROOT"/*/run "$ROOT"/tests/*/* >environment
    documents | while read -r document; do
        cp public known
        case $document in
        docs/architecture.md) cat internal >>known ;;
        README.md | docs/testing.md) cat environment >>known ;;
        esac
        words '\b(tvd|TVD)_\w*' "$ROOT/$document" | while read -r name; do
            case $name in
            *_) grep -q "^$name" known ;;
            *) grep -qx "$name" known ;;
            esac || echo "$document: $name"
        done
        paths "$document"
    done >unknown
    same_lines 'the names that are not there' /dev/null unknown
}

# The files that a document names, unless it says where they will be after a build or in a host.
paths() {  # <document>
    local path
    words '`(src|include|tests|examples|docs|cmake)/[A-Za-z0-9_./-]+' "$ROOT/$1" | tr -d '`' | while read -r path; do
        [ -e "$ROOT/$path" ] || echo "$1: $path"
    done
}

# The heading of a Markdown document as the end of a link to it.
anchors() {  # <file>
    awk '/^```/ { inside = !inside } !inside && /^#+ / { sub(/^#+ /, ""); print }' "$1" | tr '[:upper:]' '[:lower:]' |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

links() {
    local document link file anchor
    documents | while read -r document; do
        awk '/^```/ { inside = !inside } !inside' "$ROOT/$document" >prose
        words '\]\([^)]+\)' prose | sed 's/^](//; s/)$//' |
            while read -r link; do
                case $link in http://* | https://*) continue ;; esac
                file=${link%%#*}
                file=$(dirname "$ROOT/$document")/${file:-$(basename "$document")}
                [ -e "$file" ] || { echo "$document: $link"; continue; }
                anchor=${link#*#}
                [ "$anchor" = "$link" ] || [ "$(anchors "$file" | grep -cxF -- "$anchor")" -gt 0 ] ||
                    echo "$document: $link"
            done
    done >broken
    same_lines 'the links that lead nowhere' /dev/null broken
    documents | grep '^docs/' | while read -r document; do
        [ "$document" = docs/README.md ] || grep -qF "](${document#docs/})" "$ROOT/docs/README.md" || echo "$document"
    done >unlisted
    same_lines 'the documents that docs/README.md does not list' /dev/null unlisted
}

# A row of the table for each function that can fail, with exactly the errors of its contract block; and every error
# that there is in one of them.
answers() {
    header | awk -f "$ROOT/tests/docs/answers.awk" | sort >wanted
    awk -F ' [|] ' '/^\| `tvd_/ { gsub(/[`|* ]/, "", $1); sub(/ \|$/, "", $3); gsub(/\*/, "", $3); print $1 "\t" $3 }' \
        "$ROOT/docs/concepts.md" | sort >got
    same_lines 'the table of answers in docs/concepts.md' wanted got
    header | grep -c 'tvd_status tvd_.*(' >functions
    wc -l <wanted | tr -d ' ' >rows
    same_lines 'the number of functions that can fail' functions rows
    sed -n '/^## Every command and every answer/,$p' "$ROOT/docs/concepts.md" >section
    statuses | while read -r status; do
        grep -qw "$status" section || echo "$status"
    done >missing
    same_lines 'the answers that no command gives' /dev/null missing
}

# Every error, as tvd_status_name spells it.
statuses() {
    header | grep -oE '^    TVD_ERROR_[A-Z_]+' | sed 's/^ *TVD_ERROR_//' | tr '[:upper:]' '[:lower:]'
}

advice() {
    sed -n '/^## What to do about each answer/,/^## Choosing lease/p' "$ROOT/docs/hosting.md" >section
    statuses | while read -r status; do
        grep -qF "\`$status\`" section || echo "$status"
    done >missing
    same_lines 'the answers without advice' /dev/null missing
}

# The transitions in src/lifecycle.c, in the diagram's source and in the diagram.
lifecycle() {
    awk '/^static const unsigned followers/ { inside = 1 }
        inside && /\] =/ { match($0, /\[.*\]/); from = substr($0, RSTART + 1, RLENGTH - 2) }
        inside {
            line = $0
            while (match(line, /BIT\(TVD_TASK_STATUS_[A-Z]+\)/)) {
                print (from == "0" ? "admission" : from) " " substr(line, RSTART + 4, RLENGTH - 5)
                line = substr(line, RSTART + RLENGTH)
            }
        }
        /^};/ { inside = 0 }' "$ROOT/src/lifecycle.c" |
        sed 's/TVD_TASK_STATUS_//g' | tr '[:upper:]' '[:lower:]' | sort >library
    sed -nE 's/^ *([a-z]+) -> ([a-z]+)\b.*/\1 \2/p' "$ROOT/docs/lifecycle.dot" | sort >source
    sed -nE 's/.*<title>([a-z]+)&#45;&gt;([a-z]+)<\/title>.*/\1 \2/p' "$ROOT/docs/lifecycle.svg" | sort >picture
    [ -s library ] || fail 'the transitions were found'
    same_lines 'the transitions in docs/lifecycle.dot' library source
    same_lines 'the transitions in docs/lifecycle.svg' library picture
}

# Every function of the header is in a row of the map, by its name or by one with stars.
runtime_map() {
    header | tr '\n' ' ' | grep -oE 'TVD_API [^;(]*\(' | grep -oE 'tvd_\w+\($' | tr -d '(' | sort >functions
    sed -n '/^## The runtime map/,/^## /p' "$ROOT/docs/architecture.md" | grep '^| ' | cut -d '|' -f 2 |
        grep -oE 'tvd_[a-z_*]+' | sed 's/\*/[a-z_]*/g; s/^/^/; s/$/$/' >patterns
    [ -s functions ] || fail 'the functions were found'
    grep -vf patterns functions >missing || true
    same_lines 'the functions that the runtime map leaves out' /dev/null missing
    while read -r pattern; do
        grep -q "$pattern" functions || echo "$pattern"
    done <patterns >superfluous
    same_lines 'the rows of the runtime map without a function' /dev/null superfluous
}

# The indexes in architecture.md are those of the structures, each of its kind.
indexes() {
    {
        sed -n '/^struct tvd_coordinator {/,/^};/p' "$ROOT/src/coordinator.h"
        sed -n '/^struct tvd_worker_record {/,/^};/p' "$ROOT/src/worker.h"
        sed -n '/^struct tvd_result_aggregator {/,/^};/p' "$ROOT/src/aggregator.c"
    } | sed -nE 's/^ *struct tvd_map (\w+);.*/\1 tree/p
        s/^ *struct tvd_list (\w+)(\[\w+\])?;.*/\1 list/p
        s/^ *struct \w+ \*(\w+)\[\];.*/\1 array/p' | sort >structures
    [ "$(wc -l <structures)" -gt 5 ] || fail 'the indexes were found'
    sed -n '/^| index |/,/^$/p' "$ROOT/docs/architecture.md" |
        sed -nE 's/^\| `(\w+)`[^|]* \| (\w+) \|.*/\1 \2/p' | sort >table
    same_lines 'the table of indexes in docs/architecture.md' structures table
}
