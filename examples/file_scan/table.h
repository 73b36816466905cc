/* The table on stdout, column by column as wc prints it. */
#ifndef FILE_SCAN_TABLE_H
#define FILE_SCAN_TABLE_H

#include <stdbool.h>

#include "count.h"
#include "file_list.h"

struct table {
    int width; /* of each number */
    struct counts total;
};

/* The width follows from the sizes that the walk found, so that rows can be printed before all is counted. */
void table_begin(struct table *table, const struct file_list *list);

void table_row(struct table *table, const struct counts *counts, const char *path);

/* The last line. False: stdout did not take everything, and stderr says so. */
bool table_total(const struct table *table);

#endif
