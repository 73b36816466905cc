# shellcheck shell=bash
# The API reference and the manual page, made by Doxygen.

reference() {
    need doxygen
    cmake -S "$ROOT" -B build -DTERMIVAR_DISTRIBUTED=ON -DTERMIVAR_DIST_BUILD_DOCS=ON -DTERMIVAR_DIST_BUILD_TESTS=OFF \
        -DTERMIVAR_DIST_BUILD_EXAMPLES=OFF -DTERMIVAR_DIST_INSTALL=OFF >log
    cmake --build build --target termivar_dist_docs >log 2>&1 || { cat log; fail 'the reference is made'; }
    [ -s build/docs/reference/html/index.html ] || fail 'the reference has a first page'
    contents tvd_ 'the functions'
    contents TVD_ 'the constants'
}

# What the header declares with this beginning is in the manual page and in the pages of HTML.
contents() {  # <beginning> <what>
    local header=$ROOT/include/termivar/distributed.h
    case $1 in
    tvd_) tr '\n' ' ' <"$header" | grep -oE 'TVD_API [^;(]*\(' | grep -oE 'tvd_\w+\($' | tr -d '(' ;;
    TVD_) grep -oE '^(    |#define )TVD_[A-Z_]+( = [0-9]+)?,? +[/0-9]' "$header" | grep -oE 'TVD_[A-Z_]+' ;;
    esac | sort -u >declared
    [ "$(wc -l <declared)" -gt 30 ] || fail "$2 were found"
    sed 's/\\f[A-Z]/ /g' build/docs/reference/man/man3/distributed.h.3 | tr -cs 'A-Za-z0-9_' '\n' | sort -u >in_man
    cat build/docs/reference/html/*.html | tr -cs 'A-Za-z0-9_' '\n' | sort -u >in_html
    comm -23 declared in_man >missing
    same_lines "$2 that the manual page leaves out" /dev/null missing
    comm -23 declared in_html >missing
    same_lines "$2 that the reference leaves out" /dev/null missing
}

# An undocumented declaration does not pass.
undocumented() {
    need doxygen
    mkdir tree
    (cd "$ROOT" && cp -R CMakeLists.txt cmake docs include src "$HERE/tree")
    echo "void tvd_undocumented(int argument);" >>tree/include/termivar/distributed.h
    cmake -S tree -B build -DTERMIVAR_DISTRIBUTED=ON -DTERMIVAR_DIST_BUILD_DOCS=ON -DTERMIVAR_DIST_BUILD_TESTS=OFF \
        -DTERMIVAR_DIST_BUILD_EXAMPLES=OFF -DTERMIVAR_DIST_INSTALL=OFF >log
    ! cmake --build build --target termivar_dist_docs >log 2>&1 || fail 'an undocumented function is refused'
    grep -q tvd_undocumented log || { cat log; fail 'the undocumented function is named'; }
}
