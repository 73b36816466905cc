/* The files to scan: every regular file under the given paths, in the byte order of the paths. */
#ifndef FILE_SCAN_FILE_LIST_H
#define FILE_SCAN_FILE_LIST_H

#include <stddef.h>
#include <stdint.h>

struct scan_file {
    char *path;
    uint64_t size; /* as the walk found it */
};

struct file_list {
    struct scan_file *files;
    size_t count;
    size_t capacity;
    size_t unreadable; /* paths that could not be looked at; each was named on stderr */
    size_t skipped;    /* files that cannot be tasks; each was named on stderr */
};

/* Walks the paths. A path that is reached twice under the same name is listed once. */
void file_list_walk(struct file_list *list, char *const *paths, size_t path_count);

void file_list_free(struct file_list *list);

#endif
