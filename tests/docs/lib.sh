# shellcheck shell=bash
# What the checks share. Those that run programs need to know the library and how it was built: TVD_CC, TVD_CFLAGS,
# TVD_ARCHIVE, and TVD_RUN, which runs a program if this machine does not by itself.

# The documents, as paths in the source tree.
documents() {
    (cd "$ROOT" && ls README.md CHANGELOG.md docs/*.md)
}
