/*
 * The holder's commands among few and among many records: with the same 16 workers and 64 leases, so that nothing
 * but the number of records differs; and on the full pool with its 16,384 leases and 4,096 workers.
 */
#include "pool.h"

#include <stdlib.h>

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

/* Cancelling tasks that wait in the queue, by the fences that their reports offer. */
static void cancel_queued(struct bench_run *run, const struct bench_size *size)
{
    tvd_task_ownership *fences = bench_allocate(size->touched, sizeof *fences);
    struct bench_pool pool;
    tvd_task task;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    bench_pool_run_tasks(&pool, size->tasks - size->touched);
    for (size_t i = 0; i < size->touched; i++) {
        bench_must(tvd_task_queue_enqueue(pool.queue, &pool.at, bench_spec(pool.tasks++), &task, &pool.error));
        if (!tvd_task_ownership_of(&task, &fences[i]))
            bench_fail(TVD_ERROR_TASK_NOT_QUEUED);
    }
    bench_begin(run);
    for (size_t i = 0; i < size->touched; i++)
        bench_must(tvd_worker_pool_cancel_task(pool.pool, &pool.at, &fences[i], NULL, &pool.error));
    bench_end(run, size->touched);
    bench_pool_close(&pool);
    free(fences);
}

const struct bench_workload bench_tokens[] = {
    { "start.t64", "ns", start_task, BENCH_SMALL },
    { "start.t65536", "ns", start_task, BENCH_LARGE },
    { "start.full", "ns", start_task, BENCH_FULL },
    { "complete.t64", "ns", complete_task, BENCH_SMALL },
    { "complete.t65536", "ns", complete_task, BENCH_LARGE },
    { "complete.full", "ns", complete_task, BENCH_FULL },
    { "fail.t64", "ns", fail_task, BENCH_SMALL },
    { "fail.t65536", "ns", fail_task, BENCH_LARGE },
    { "fail.full", "ns", fail_task, BENCH_FULL },
    { "cancel.t64", "ns", cancel_task, BENCH_SMALL },
    { "cancel.t65536", "ns", cancel_task, BENCH_LARGE },
    { "cancel.full", "ns", cancel_task, BENCH_FULL },
    { "cancel_queued.t64", "ns", cancel_queued, BENCH_SMALL },
    { "cancel_queued.t65536", "ns", cancel_queued, BENCH_LARGE },
    { .name = NULL },
};
