/* What the main thread does while the workers work. */
#ifndef FILE_SCAN_MAINTENANCE_H
#define FILE_SCAN_MAINTENANCE_H

#include "batch.h"

/* With the batch's mutex held: waits until every thread started so far sleeps, or the batch is over. */
void maintenance_await_sleep(struct batch *batch);

/* Keeps the batch going until every task has ended or the batch was given up. */
void maintenance_run(struct batch *batch);

#endif
