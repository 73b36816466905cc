/*
 * One coordinator and one aggregator for a test, and the commands as short verbs that must succeed. What a test is
 * about it calls itself.
 */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include "allocator.h"
#include "coordinator.h"
#include "test.h"

struct world {
    struct test_memory memory;
    tvd_limits limits;
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    struct tvd_coordinator *coordinator; /* the inside of both */
    tvd_cursor at;
    tvd_result_aggregator *results;
    uint64_t results_revision;
    tvd_error error;
};

/* Bounds small enough to be reached: 14 records, 8 active, 4 queued, 14 ended, 6 workers, 1 retry, leases of 100
 * seconds, tasks of 1000, heartbeats of 60. */
tvd_limits tiny_limits(void);

void world_open(struct world *world, const tvd_limits *limits);

/* Checks every invariant, then frees. */
void world_close(struct world *world);

/* Gives everything back, and checks that nothing leaked. */
void world_free(struct world *world);

/* As fixtures of a test: *state is the world, of tiny limits. */
int world_setup(void **state);
int world_teardown(void **state);

void world_assert_sound(struct world *world);

void world_register(struct world *world, const char *worker_id, uint32_t capacity);
void world_observe(struct world *world, const char *worker_id, tvd_worker_status status);
void world_deregister(struct world *world, const char *worker_id);
void world_enqueue(struct world *world, const char *task_id);
void world_enqueue_as(struct world *world, const char *task_id, tvd_task_priority priority);

/* A lease of 10 seconds. */
tvd_task_lease world_assign(struct world *world, const char *task_id, const char *worker_id);
tvd_task_lease world_assign_for(struct world *world, const char *task_id, const char *worker_id,
                                uint64_t lease_ttl_secs);
void world_start(struct world *world, const tvd_task_lease *lease);
tvd_completion_receipt world_complete(struct world *world, const tvd_task_lease *lease);
tvd_failure_outcome world_fail(struct world *world, const tvd_task_lease *lease);
void world_cancel(struct world *world, const char *task_id);
tvd_recovery_summary world_recover(struct world *world);

/* The whole way: enqueue, assign, start. */
tvd_task_lease world_run(struct world *world, const char *task_id, const char *worker_id);

void world_store(struct world *world, const tvd_completion_receipt *receipt, const char *text);

/* Reports of what must be known. */
tvd_task world_task(struct world *world, const char *task_id);
tvd_worker world_worker(struct world *world, const char *worker_id);
tvd_state_snapshot world_snapshot(struct world *world);
tvd_task_ownership world_ownership(struct world *world, const char *task_id);

/* The records behind them. */
struct tvd_task_record *world_task_record(struct world *world, const char *task_id);
struct tvd_worker_record *world_worker_record(struct world *world, const char *worker_id);

/* The IDs of the queued tasks, head first, separated by spaces. */
const char *world_queue_order(struct world *world, char *text, size_t size);

#endif
