# Writes the code blocks of a Markdown file into a directory, which variable out names.
#
#   <!-- file: NAME -->          the next block is a part of that file; parts are appended in their order
#   <!-- output of: NAME -->     the next block is what the program NAME prints, written to NAME.expected
#   (nothing)                    a block of C is a file of its own
#
# In a C or C++ file each part starts with a #line, so that the compiler names the place in the document.
function path_of(name,    directory) {
    name = out "/" name
    directory = name
    sub(/\/[^\/]*$/, "", directory)
    system("mkdir -p '" directory "'")
    return name
}

/^<!-- file: .* -->$/ { target = path_of($3); next }
/^<!-- output of: .* -->$/ { target = path_of($4 ".expected"); next }
/^```/ && !open {
    language = substr($0, 4)
    open = 1
    if (target == "" && language == "c")
        target = path_of("block" ++blocks ".c")
    if (target ~ /\.(c|cpp)$/)
        print "#line " FNR + 1 " \"" FILENAME "\"" >> target
    next
}
/^```/ { open = 0; target = ""; next }
open && target != "" { print >> target }
!open && NF > 0 { target = "" }
END {
    if (open) {
        print FILENAME ": a block has no end" > "/dev/stderr"
        exit 1
    }
}
