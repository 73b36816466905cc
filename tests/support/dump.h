/*
 * All that can be seen of a world, and the counters that cannot: what must not change when a command fails.
 */
#ifndef TEST_DUMP_H
#define TEST_DUMP_H

#include "world.h"

enum { DUMP_MOST_TASKS = 32, DUMP_MOST_WORKERS = 16, DUMP_RESULT_BYTES = 8 };

/* Filled over zeroes, so that two dumps of the same state have the same bytes. */
struct dump {
    tvd_state_snapshot snapshot;
    size_t handles;
    size_t pool_handles;
    size_t queue_handles;
    uint64_t next_enqueue_ordinal;
    uint64_t next_lease_id;
    size_t tasks_count;
    size_t workers_count;
    tvd_task tasks[DUMP_MOST_TASKS];
    uint64_t ordinals[DUMP_MOST_TASKS];
    uint8_t proofs[DUMP_MOST_TASKS];
    tvd_worker workers[DUMP_MOST_WORKERS];
    char queue_order[DUMP_MOST_TASKS * 16];

    uint64_t results_revision;
    uint64_t results_count;
    uint64_t results_bytes;
    size_t result_sizes[DUMP_MOST_TASKS]; /* of each task's result, or SIZE_MAX */
    unsigned char results[DUMP_MOST_TASKS][DUMP_RESULT_BYTES];
};

/* Leaves the counts of the world's memory as they were. */
void dump_take(struct world *world, struct dump *dump);

void dump_assert_same(const struct dump *before, const struct dump *after);

#endif
