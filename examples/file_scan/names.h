/* Paths on the way to a person: file names may hold anything but a slash and a NUL. */
#ifndef FILE_SCAN_NAMES_H
#define FILE_SCAN_NAMES_H

#include <stdio.h>

/* Writes a path as wc does: as it is, but quoted for a shell if it would break the line. */
void write_path(FILE *out, const char *path);

/* Says on stderr what is wrong with a path. Nothing in the path can steer the terminal. */
void complain(const char *path, const char *what);

#endif
