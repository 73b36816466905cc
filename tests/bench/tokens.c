/*
 * The holder's commands among few and among many records: with the same 16 workers and 64 leases, so that nothing
 * but the number of records differs; and on the full pool with its 16,384 leases and 4,096 workers.
 */
#include "pool.h"

#include <stdlib.h>

enum { WORKERS = 16, LEASES = 64 };

typedef void token_command(struct bench_pool *pool, const tvd_task_lease *lease);

static void fail(struct bench_pool *pool, const tvd_task_lease *lease)
{
    tvd_failure_outcome outcome;

    bench_must(tvd_worker_pool_fail_task(pool->pool, &pool->at, lease, &outcome, &pool->error));
}

static void cancel(struct bench_pool *pool, const tvd_task_lease *lease)
{
    const tvd_task_ownership ownership = tvd_task_ownership_from_lease(lease);

    bench_must(tvd_worker_pool_cancel_task(pool->pool, &pool->at, &ownership, NULL, &pool->error));
}

/* Opens a pool with this many records, some leased, and says how many. */
static size_t open_with_leases(struct bench_pool *pool, const struct bench_size *size, tvd_task_lease *leases)
{
    bench_pool_open(pool, NULL);
    bench_pool_add_workers(pool, size->workers, 8);
    bench_pool_run_tasks(pool, size->tasks - size->touched);
    bench_pool_lease_tasks(pool, size->touched, leases);
    return size->touched;
}

static void hold(struct bench_run *run, const struct bench_size *size, bool start_first, token_command *command)
{
    tvd_task_lease *leases = bench_allocate(size->touched, sizeof *leases);
    size_t *numbers = bench_allocate(size->touched, sizeof *numbers);
    struct bench_pool pool;
    size_t count = open_with_leases(&pool, size, leases);

    bench_shuffle(numbers, count);
    for (size_t i = 0; start_first && i < count; i++)
        bench_pool_start(&pool, &leases[i]);
    bench_begin(run);
    for (size_t i = 0; i < count; i++)
        command(&pool, &leases[numbers[i]]);
    bench_end(run, count);
    bench_pool_close(&pool);
    free(numbers);
    free(leases);
}

static void start_task(struct bench_run *run, const struct bench_size *size)
{
    hold(run, size, false, bench_pool_start);
}

static void complete_task(struct bench_run *run, const struct bench_size *size)
{
    hold(run, size, true, bench_pool_complete);
}

static void fail_task(struct bench_run *run, const struct bench_size *size)
{
    hold(run, size, true, fail);
}

static void cancel_task(struct bench_run *run, const struct bench_size *size)
{
    hold(run, size, false, cancel);
}

static void assign(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;
    tvd_task_lease lease;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    bench_pool_run_tasks(&pool, size->tasks - size->touched);
    for (size_t i = 0; i < size->touched; i++)
        bench_pool_enqueue(&pool);
    bench_begin(run);
    for (size_t i = 0; i < size->touched; i++)
        bench_pool_assign(&pool, BENCH_LEASE_TTL_SECS, &lease);
    bench_end(run, size->touched);
    bench_pool_close(&pool);
}

#define SMALL                                                                                                  \
    {                                                                                                          \
        .tasks = LEASES, .workers = WORKERS, .touched = LEASES                                                 \
    }
#define LARGE                                                                                                  \
    {                                                                                                          \
        .tasks = BENCH_FULL_TASKS, .workers = WORKERS, .touched = LEASES                                       \
    }
#define FULL                                                                                                   \
    {                                                                                                          \
        .tasks = BENCH_FULL_TASKS, .workers = BENCH_FULL_WORKERS, .touched = BENCH_FULL_ACTIVE                 \
    }

const struct bench_workload bench_tokens[] = {
    { "assign_next_available.t64", "ns", assign, SMALL },
    { "assign_next_available.t65536", "ns", assign, LARGE },
    { "assign_next_available.full", "ns", assign, FULL },
    { "start.t64", "ns", start_task, SMALL },
    { "start.t65536", "ns", start_task, LARGE },
    { "start.full", "ns", start_task, FULL },
    { "complete.t64", "ns", complete_task, SMALL },
    { "complete.t65536", "ns", complete_task, LARGE },
    { "complete.full", "ns", complete_task, FULL },
    { "fail.t64", "ns", fail_task, SMALL },
    { "fail.t65536", "ns", fail_task, LARGE },
    { "fail.full", "ns", fail_task, FULL },
    { "cancel.t64", "ns", cancel_task, SMALL },
    { "cancel.t65536", "ns", cancel_task, LARGE },
    { "cancel.full", "ns", cancel_task, FULL },
    { .name = NULL },
};
