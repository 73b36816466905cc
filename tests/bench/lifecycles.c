/*
 * Whole lives of tasks: enqueue, assign_next_available, start, complete. One after the other, or many at a time
 * (first all are enqueued, then all assigned, ...); IDs in order, or without any.
 */
#include "pool.h"

#include <stdlib.h>

static void lifecycle(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 4);
    bench_begin(run);
    bench_pool_run_tasks(&pool, size->tasks);
    bench_end(run, size->tasks);
    bench_pool_close(&pool);
}

static void scattered(struct bench_run *run, const struct bench_size *size)
{
    size_t *numbers = bench_allocate(size->tasks, sizeof *numbers);
    struct bench_pool pool;
    tvd_task_lease lease;

    bench_shuffle(numbers, size->tasks);
    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 4);
    bench_begin(run);
    for (size_t i = 0; i < size->tasks; i++) {
        pool.tasks = numbers[i];
        bench_pool_enqueue(&pool);
        bench_pool_assign(&pool, BENCH_LEASE_TTL_SECS, &lease);
        bench_pool_start(&pool, &lease);
        bench_pool_complete(&pool, &lease);
    }
    bench_end(run, size->tasks);
    bench_pool_close(&pool);
    free(numbers);
}

static void together(struct bench_run *run, const struct bench_size *size)
{
    tvd_task_lease *leases = bench_allocate(size->tasks, sizeof *leases);
    struct bench_pool pool;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 4);
    bench_begin(run);
    for (size_t i = 0; i < size->tasks; i++)
        bench_pool_enqueue(&pool);
    for (size_t i = 0; i < size->tasks; i++)
        bench_pool_assign(&pool, BENCH_LEASE_TTL_SECS, &leases[i]);
    for (size_t i = 0; i < size->tasks; i++)
        bench_pool_start(&pool, &leases[i]);
    for (size_t i = 0; i < size->tasks; i++)
        bench_pool_complete(&pool, &leases[i]);
    bench_end(run, size->tasks);
    bench_pool_close(&pool);
    free(leases);
}

static void enqueue(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, 1, 4);
    bench_pool_run_tasks(&pool, size->tasks - size->touched);
    bench_begin(run);
    for (size_t i = 0; i < size->touched; i++)
        bench_pool_enqueue(&pool);
    bench_end(run, size->touched);
    bench_pool_close(&pool);
}

const struct bench_workload bench_lifecycles[] = {
    { "lifecycle.w1.t4096", "ns", lifecycle, { .tasks = 4096, .workers = 1 } },
    { "lifecycle.w16.t4096", "ns", lifecycle, { .tasks = 4096, .workers = 16 } },
    { "lifecycle.w256.t4096", "ns", lifecycle, { .tasks = 4096, .workers = 256 } },
    { "lifecycle.w4096.t4096", "ns", lifecycle, { .tasks = 4096, .workers = 4096 } },
    { "lifecycle.w1.t65536", "ns", lifecycle, { .tasks = 65536, .workers = 1 } },
    { "lifecycle.w16.t65536", "ns", lifecycle, { .tasks = 65536, .workers = 16 } },
    { "lifecycle.w256.t65536", "ns", lifecycle, { .tasks = 65536, .workers = 256 } },
    { "lifecycle.w4096.t65536", "ns", lifecycle, { .tasks = 65536, .workers = 4096 } },
    { "lifecycle_scattered.w1.t4096", "ns", scattered, { .tasks = 4096, .workers = 1 } },
    { "lifecycle_scattered.w1.t65536", "ns", scattered, { .tasks = 65536, .workers = 1 } },
    { "lifecycle_together.w1024.t4096", "ns", together, { .tasks = 4096, .workers = 1024 } },
    { "lifecycle_together.w4096.t4096", "ns", together, { .tasks = 4096, .workers = 4096 } },
    { "lifecycle_together.w4096.t16384", "ns", together, { .tasks = 16384, .workers = 4096 } },
    { "enqueue.t64", "ns", enqueue, { .tasks = 64, .touched = 64 } },
    { "enqueue.t4096", "ns", enqueue, { .tasks = 4096, .touched = 1024 } },
    { "enqueue.t65536", "ns", enqueue, { .tasks = 65536, .touched = 1024 } },
    { .name = NULL },
};
