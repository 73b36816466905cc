/* The leases of each worker as Chrome trace events (about:tracing, Perfetto): one JSON object. */
#ifndef FILE_SCAN_TIMELINE_H
#define FILE_SCAN_TIMELINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <termivar/distributed.h>

struct timeline {
    FILE *file; /* null: nobody asked for a timeline, and every call below does nothing */
    const char *path;
    bool has_events;
    pthread_mutex_t mutex; /* guards the two above */
};

/* What became of a lease. */
struct lease_span {
    const tvd_task_lease *lease;
    const char *path;
    const char *outcome;
    size_t batch_number;
    size_t worker_number;
    uint64_t taken_at_us;
    uint64_t ended_at_us;
};

/* Without a path the timeline is off. False: the file cannot be written, and stderr says why. */
bool timeline_open(struct timeline *timeline, const char *path);

/* A coordinator is a process of the trace, and a worker is a thread of it. */
void timeline_add_batch(struct timeline *timeline, size_t batch_number, size_t workers);

/* Any thread, any time. Spans are written as they end: a timeline takes no memory. */
void timeline_add_lease(struct timeline *timeline, const struct lease_span *span);

/* False: not everything could be written, and stderr says why. */
bool timeline_close(struct timeline *timeline);

#endif
