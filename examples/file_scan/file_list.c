#define _POSIX_C_SOURCE 200809L
#include "file_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <termivar/distributed.h>

#include "memory.h"
#include "names.h"

/* Directories still to be read. A list instead of recursion: a deep tree costs neither stack nor descriptors. */
struct directories {
    char **paths;
    size_t count;
    size_t capacity;
};

/* Says what errno says of a path, and counts it. */
static void note_trouble(struct file_list *list, const char *path)
{
    if (errno == ENAMETOOLONG) {
        complain(path, "skipped: the path is longer than the system takes");
        list->skipped++;
    } else {
        complain(path, strerror(errno));
        list->unreadable++;
    }
}

static char *copy_path(const char *path)
{
    size_t size = strlen(path) + 1;

    return memcpy(allocate(size), path, size);
}

static char *join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    size_t size = length + strlen(slash) + strlen(name) + 1;
    char *path = allocate(size);

    snprintf(path, size, "%s%s%s", directory, slash, name);
    return path;
}

/* The list takes the path over. */
static void add_file(struct file_list *list, char *path, uint64_t size)
{
    if (strlen(path) > TVD_MAX_TARGET_REF_BYTES) {
        complain(path, "skipped: the path is longer than a target reference can be");
        list->skipped++;
        free(path);
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = grown(list->capacity);
        list->files = reallocate(list->files, list->capacity, sizeof *list->files);
    }
    list->files[list->count++] = (struct scan_file){ .path = path, .size = size };
}

/* The list takes the path over. */
static void add_directory(struct directories *directories, char *path)
{
    if (directories->count == directories->capacity) {
        directories->capacity = grown(directories->capacity);
        directories->paths = reallocate(directories->paths, directories->capacity, sizeof *directories->paths);
    }
    directories->paths[directories->count++] = path;
}

/* Below a directory only what is there counts: no links, no devices, no pipes. Takes the path over. */
static void add_entry(struct file_list *list, struct directories *directories, char *path)
{
    struct stat about;

    if (lstat(path, &about) != 0) {
        note_trouble(list, path);
    } else if (S_ISDIR(about.st_mode)) {
        add_directory(directories, path);
        return;
    } else if (S_ISREG(about.st_mode)) {
        add_file(list, path, (uint64_t)about.st_size);
        return;
    }
    free(path);
}

static void read_directory(struct file_list *list, struct directories *directories, const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;

    if (directory == NULL) {
        note_trouble(list, path);
        return;
    }
    while (errno = 0, (entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            add_entry(list, directories, join(path, entry->d_name));
    }
    if (errno != 0)
        note_trouble(list, path);
    closedir(directory);
}

/* A path of the command line. A link that the user names is meant, as with grep -r. */
static void add_named(struct file_list *list, struct directories *directories, const char *path)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        note_trouble(list, path);
    } else if (S_ISDIR(about.st_mode)) {
        add_directory(directories, copy_path(path));
    } else if (S_ISREG(about.st_mode)) {
        add_file(list, copy_path(path), (uint64_t)about.st_size);
    } else {
        complain(path, "skipped: neither a regular file nor a directory");
        list->skipped++;
    }
}

static int compare_paths(const void *left, const void *right)
{
    const struct scan_file *left_file = left;
    const struct scan_file *right_file = right;

    return strcmp(left_file->path, right_file->path);
}

static void drop_repeated(struct file_list *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && compare_paths(&list->files[kept - 1], &list->files[i]) == 0)
            free(list->files[i].path);
        else
            list->files[kept++] = list->files[i];
    }
    list->count = kept;
}

void file_list_walk(struct file_list *list, char *const *paths, size_t path_count)
{
    struct directories directories = { 0 };

    *list = (struct file_list){ 0 };
    for (size_t i = 0; i < path_count; i++)
        add_named(list, &directories, paths[i]);
    while (directories.count > 0) {
        char *path = directories.paths[--directories.count];

        read_directory(list, &directories, path);
        free(path);
    }
    free(directories.paths);
    if (list->count > 0)
        qsort(list->files, list->count, sizeof *list->files, compare_paths);
    drop_repeated(list);
}

void file_list_free(struct file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->files[i].path);
    free(list->files);
    *list = (struct file_list){ 0 };
}
