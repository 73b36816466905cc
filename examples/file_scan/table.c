#include "table.h"

#include <inttypes.h>
#include <stdio.h>

#include "names.h"

static void print_row(const struct table *table, const struct counts *counts, const char *path)
{
    printf("%*" PRIu64 " %*" PRIu64 " %*" PRIu64 " ", table->width, counts->lines, table->width, counts->words,
           table->width, counts->bytes);
    write_path(stdout, path);
    putchar('\n');
}

void table_begin(struct table *table, const struct file_list *list)
{
    uint64_t bytes = 0;

    *table = (struct table){ .width = 1 };
    for (size_t i = 0; i < list->count; i++)
        bytes += list->files[i].size;
    for (; bytes >= 10; bytes /= 10)
        table->width++;
}

void table_row(struct table *table, const struct counts *counts, const char *path)
{
    counts_add(&table->total, counts);
    print_row(table, counts, path);
}

bool table_total(const struct table *table)
{
    print_row(table, &table->total, "total");
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return true;
    fputs("file_scan: the table could not be written\n", stderr);
    return false;
}
