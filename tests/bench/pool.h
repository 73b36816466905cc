/*
 * Coordinators to measure, filled as a workload wants them. All text is made before anything is measured: task IDs
 * of 13 bytes, scan IDs of 9, targets of 31, 3 phases, worker IDs of 11.
 */
#ifndef TVD_BENCH_POOL_H
#define TVD_BENCH_POOL_H

#include "bench.h"

enum {
    BENCH_LEASE_TTL_SECS = 600,
    BENCH_HEARTBEAT_TIMEOUT_SECS = 60,
    BENCH_FULL_TASKS = TVD_MAX_TASK_RECORDS,
    BENCH_FULL_ACTIVE = TVD_MAX_ACTIVE_TASKS,
    BENCH_FULL_WORKERS = TVD_MAX_WORKERS
};

/* The sizes at which commands on tasks are measured: few and many records with the same workers and leases, so that
 * nothing but the number of records differs; and the full pool. */
/* clang-format off */
#define BENCH_SMALL { .tasks = 64, .workers = 16, .touched = 64 }
#define BENCH_LARGE { .tasks = BENCH_FULL_TASKS, .workers = 16, .touched = 64 }
#define BENCH_FULL { .tasks = BENCH_FULL_TASKS, .workers = BENCH_FULL_WORKERS, .touched = BENCH_FULL_ACTIVE }
/* clang-format on */

struct bench_pool {
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    tvd_cursor at;
    size_t tasks; /* admitted so far */
    tvd_error error;
};

/* Call once, first. */
void bench_prepare_texts(void);
const tvd_task_spec *bench_spec(size_t number);
const char *bench_worker_id(size_t number);

/* Numbers without a pattern, the same in every run. */
uint32_t bench_scatter(uint32_t *state);
void bench_shuffle(size_t *numbers, size_t count);

/* A coordinator with the largest limits, at second 1, and its end. The allocator may be null. */
void bench_pool_open(struct bench_pool *pool, const tvd_allocator *allocator);
void bench_pool_close(struct bench_pool *pool);

void bench_pool_add_workers(struct bench_pool *pool, size_t count, uint32_t capacity);

void bench_pool_enqueue(struct bench_pool *pool);
void bench_pool_assign(struct bench_pool *pool, uint64_t lease_ttl_secs, tvd_task_lease *lease);
void bench_pool_start(struct bench_pool *pool, const tvd_task_lease *lease);
void bench_pool_complete(struct bench_pool *pool, const tvd_task_lease *lease);

/* Whole lifecycles; and tasks that are leased, with their leases if leases is not null. */
void bench_pool_run_tasks(struct bench_pool *pool, size_t count);
void bench_pool_lease_tasks(struct bench_pool *pool, size_t count, tvd_task_lease *leases);

/* The full pool: 65,536 records, 16,384 of them active (half leased, half running), 4,096 workers with 4 tasks and
 * 4 free slots each. */
void bench_pool_open_full(struct bench_pool *pool);

#endif
