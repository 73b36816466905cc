/*
 * Everything that can be seen of a coordinator and of a result store, as text with one record a line, so that two
 * can be compared and the first difference shown.
 */
#ifndef THREADS_DUMP_H
#define THREADS_DUMP_H

#include <termivar/distributed.h>

/* The caller frees the text. Null if memory ran out or the library broke a promise, with the reason on stderr. */
char *dump_coordinator(tvd_worker_pool *pool, tvd_task_queue *queue);
char *dump_results(tvd_result_aggregator *results, const char *const *task_ids, size_t count);

/* Prints the first line that differs. */
void dump_print_difference(const char *one, const char *other);

#endif
