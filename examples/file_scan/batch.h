/*
 * A batch: as many files as one coordinator can hold, with a coordinator, a result store and worker threads of its
 * own. Its tokens end with it.
 *
 * Threads. The workers pull: each asks for a task for itself and sleeps when there is none. The main thread alone does
 * the maintenance: it sends heartbeats, prunes silent workers, recovers expired leases, and skips logical time when
 * nothing else could happen. Library calls need no lock of ours; `mutex` guards what the threads tell each other,
 * and is taken before the library's own.
 */
#ifndef FILE_SCAN_BATCH_H
#define FILE_SCAN_BATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <termivar/distributed.h>

#include "file_list.h"
#include "host_clock.h"
#include "options.h"
#include "table.h"
#include "timeline.h"

/* A worker works on one task at a time. The other slots let it go on while leases that it dropped run out. */
#define WORKER_CAPACITY 4

/* What a run says at its end. */
struct scan_totals {
    uint64_t counted;
    uint64_t failed;
    uint64_t attempts_failed;
    uint64_t leases_expired;
    uint64_t workers_lost;
    uint64_t workers_back;
};

/* What lives from the first batch to the last. */
struct scan {
    const struct options *options;
    const struct file_list *list;
    struct host_clock clock;
    struct timeline timeline;
    struct table table;
    struct scan_totals totals; /* guarded by the batch's mutex while its threads run */
    bool shows_progress;
};

/* A lease and who has it. */
struct attempt {
    struct worker *worker;
    tvd_task_lease lease;
    uint64_t taken_at_us;
};

struct worker {
    struct batch *batch;
    pthread_t thread;
    size_t number; /* from 1 */
    char id[32];
    /* Guarded by the batch's mutex. */
    uint64_t generation;
    bool silent;
    /* Dropped by a drill: nobody will report on them. One more: its lease can be taken back before it is here. */
    struct attempt dropped[WORKER_CAPACITY + 1];
    size_t dropped_count;
};

struct batch {
    struct scan *scan;
    size_t number; /* from 1 */
    size_t first;  /* index into the list of files */
    size_t count;
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    tvd_result_aggregator *results;
    struct worker *workers;
    int *reasons; /* for each file the errno of its last failed attempt, guarded by the mutex */

    pthread_mutex_t mutex;
    pthread_cond_t news;       /* for workers: `news_count` has changed, or the batch is over */
    pthread_cond_t all_asleep; /* for the main thread: every worker sleeps, or the batch is over */
    /* Guarded by the mutex. */
    uint64_t news_count;
    size_t threads;
    size_t asleep; /* threads that wait for the next news */
    bool over;
    tvd_error fault; /* TVD_OK unless the batch was given up */
};

/* Scans `count` files from `first` on and prints their rows. False: given up, and stderr says why. */
bool batch_run(struct scan *scan, size_t number, size_t first, size_t count);

/* The file of a lease, as an index into the list. */
size_t batch_file_index(const tvd_task_lease *lease);

/* Writes an attempt that has ended now into the timeline. */
void batch_record(const struct attempt *attempt, const char *outcome);

/* For workers: the state of the news before looking for work. False: the batch is over. */
bool batch_read_news(struct batch *batch, uint64_t *seen);

/* For workers: sleeps until there are other news than `seen`. False: the batch is over. */
bool batch_sleep(struct batch *batch, uint64_t seen);

/* With the mutex held: something may have become possible. A task is queued again, a slot free, a worker offline. */
void batch_announce(struct batch *batch);

/* The library answered what a correct host is never answered. Ends the batch; the first fault is reported. */
void batch_give_up(struct batch *batch, const tvd_error *error);

#endif
