/* What the main thread does while the workers work. */
#ifndef FILE_SCAN_MAINTENANCE_H
#define FILE_SCAN_MAINTENANCE_H

#include "batch.h"

/* Keeps the batch going until every task has ended or the batch was given up. */
void maintenance_run(struct batch *batch);

#endif
