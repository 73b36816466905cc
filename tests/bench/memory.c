/*
 * Bytes and calls, by an allocator that counts. Nothing here depends on the machine's speed.
 */
#include "pool.h"

#include <stdlib.h>

struct counts {
    size_t bytes; /* now */
    size_t calls; /* of both functions, ever */
};

static void *allocate(size_t size, void *context)
{
    struct counts *counts = context;

    counts->bytes += size;
    counts->calls += 1;
    return malloc(size);
}

static void release(void *pointer, size_t size, void *context)
{
    struct counts *counts = context;

    counts->bytes -= size;
    counts->calls += 1;
    free(pointer);
}

static tvd_allocator counting(struct counts *counts)
{
    return (tvd_allocator){ .allocate = allocate, .release = release, .context = counts };
}

/* What is still allocated at the end was lost. */
static void close_counted(struct bench_pool *pool, const struct counts *counts)
{
    bench_pool_close(pool);
    if (counts->bytes != 0)
        bench_fail(TVD_ERROR_STATE_INVARIANT);
}

static void bytes_per_task(struct bench_run *run, const struct bench_size *size)
{
    struct counts counts = { 0 };
    const tvd_allocator allocator = counting(&counts);
    struct bench_pool pool;
    size_t before;

    bench_pool_open(&pool, &allocator);
    bench_pool_add_workers(&pool, 1, 4);
    before = counts.bytes;
    bench_pool_run_tasks(&pool, size->tasks);
    bench_number(run, (double)(counts.bytes - before) / (double)size->tasks);
    close_counted(&pool, &counts);
}

/* Everything that a coordinator with as many records as its limit allows has allocated, workers apart. */
static void bytes_per_task_in_all(struct bench_run *run, const struct bench_size *size)
{
    struct counts counts = { 0 };
    const tvd_allocator allocator = counting(&counts);
    struct bench_pool pool;
    size_t before;
    size_t workers;

    bench_pool_open(&pool, &allocator);
    before = counts.bytes;
    bench_pool_add_workers(&pool, 1, 4);
    workers = counts.bytes - before;
    bench_pool_run_tasks(&pool, size->tasks);
    bench_number(run, (double)(counts.bytes - workers) / (double)size->tasks);
    close_counted(&pool, &counts);
}

static void bytes_per_worker(struct bench_run *run, const struct bench_size *size)
{
    struct counts counts = { 0 };
    const tvd_allocator allocator = counting(&counts);
    struct bench_pool pool;
    size_t before;

    bench_pool_open(&pool, &allocator);
    before = counts.bytes;
    bench_pool_add_workers(&pool, size->workers, 4);
    bench_number(run, (double)(counts.bytes - before) / (double)size->workers);
    close_counted(&pool, &counts);
}

static void calls_of_admission(struct bench_run *run, const struct bench_size *size)
{
    struct counts counts = { 0 };
    const tvd_allocator allocator = counting(&counts);
    struct bench_pool pool;
    size_t before;

    bench_pool_open(&pool, &allocator);
    before = counts.calls;
    bench_pool_add_workers(&pool, size->workers, 4);
    for (size_t i = 0; i < size->tasks; i++)
        bench_pool_enqueue(&pool);
    bench_number(run, (double)(counts.calls - before) / (double)(size->workers + size->tasks));
    close_counted(&pool, &counts);
}

static void hold_tasks(struct bench_pool *pool)
{
    tvd_task_lease lease;
    tvd_failure_outcome outcome;
    tvd_task_ownership ownership;
    tvd_task task;
    bool found;

    bench_must(tvd_worker_pool_assign_task(pool->pool, &pool->at, bench_spec(0)->task_id, bench_worker_id(0),
                                           BENCH_LEASE_TTL_SECS, &lease, &pool->error));
    bench_pool_start(pool, &lease);
    bench_pool_start(pool, &lease);
    bench_pool_complete(pool, &lease);
    bench_pool_complete(pool, &lease);
    bench_must(tvd_worker_pool_assign_next(pool->pool, &pool->at, bench_worker_id(1), BENCH_LEASE_TTL_SECS,
                                           &lease, &pool->error));
    bench_pool_start(pool, &lease);
    bench_must(tvd_worker_pool_fail_task(pool->pool, &pool->at, &lease, &outcome, &pool->error));
    bench_pool_assign(pool, BENCH_LEASE_TTL_SECS, &lease);
    ownership = tvd_task_ownership_from_lease(&lease);
    bench_must(tvd_worker_pool_cancel_task(pool->pool, &pool->at, &ownership, NULL, &pool->error));
    bench_must(tvd_task_queue_peek_next(pool->queue, &task, &found, &pool->error));
    if (!found || !tvd_task_ownership_of(&task, &ownership))
        bench_fail(TVD_ERROR_NO_QUEUED_TASK);
    bench_must(tvd_worker_pool_cancel_task(pool->pool, &pool->at, &ownership, NULL, &pool->error));
}

static void read_all(struct bench_pool *pool)
{
    tvd_task tasks[4];
    tvd_worker workers[4];
    tvd_state_snapshot snapshot;
    size_t count;
    bool found;

    bench_must(tvd_task_queue_get_task(pool->queue, bench_spec(0)->task_id, tasks, &found, &pool->error));
    bench_must(tvd_task_queue_tasks(pool->queue, NULL, tasks, 4, &count, NULL, &pool->error));
    bench_must(tvd_task_queue_snapshot(pool->queue, &snapshot, &pool->error));
    bench_must(tvd_worker_pool_snapshot(pool->pool, &snapshot, &pool->error));
    bench_must(tvd_worker_pool_get_worker(pool->pool, bench_worker_id(0), workers, &found, &pool->error));
    bench_must(
        tvd_worker_pool_get_available_worker(pool->pool, pool->at.now_secs, workers, &found, &pool->error));
    bench_must(tvd_worker_pool_workers(pool->pool, NULL, workers, 4, &count, NULL, &pool->error));
    bench_must(tvd_worker_pool_check_invariants(pool->pool, &pool->error));
}

static void maintain(struct bench_pool *pool)
{
    const tvd_worker_observation observation = { .status = TVD_WORKER_STATUS_HEALTHY };
    const tvd_worker_spec spec = { .worker_id = bench_worker_id(0), .capacity = 4 };
    tvd_task_lease lease;
    size_t expired;

    for (size_t i = 0; i < 8; i++)
        bench_pool_assign(pool, 1 + i, &lease);
    pool->at.now_secs += 4;
    bench_must(tvd_worker_pool_recover_expired_leases(pool->pool, &pool->at, NULL, &pool->error));
    bench_must(tvd_worker_pool_update_worker(pool->pool, &pool->at, bench_worker_id(1), 1, &observation, NULL,
                                             &pool->error));
    bench_must(
        tvd_worker_pool_deregister_worker(pool->pool, &pool->at, bench_worker_id(0), 1, NULL, &pool->error));
    bench_must(tvd_worker_pool_reactivate_worker(pool->pool, &pool->at, 2, &spec, NULL, &pool->error));
    bench_pool_assign(pool, BENCH_LEASE_TTL_SECS, &lease);
    pool->at.now_secs += BENCH_HEARTBEAT_TIMEOUT_SECS + 1;
    bench_must(tvd_worker_pool_prune_dead_workers(pool->pool, &pool->at, NULL, &pool->error));
    bench_must(tvd_worker_pool_expire_old_tasks(pool->pool, &pool->at, 1, &expired, &pool->error));
    if (expired == 0)
        bench_fail(TVD_ERROR_NO_QUEUED_TASK);
}

/* Every other command and read of a coordinator at least once, replays and a refusal too. */
static void calls_of_all_others(struct bench_run *run, const struct bench_size *size)
{
    struct counts counts = { 0 };
    const tvd_allocator allocator = counting(&counts);
    struct bench_pool pool;
    tvd_cursor behind = { 0 };
    size_t before;

    bench_pool_open(&pool, &allocator);
    bench_pool_add_workers(&pool, size->workers, 4);
    for (size_t i = 0; i < size->tasks; i++)
        bench_pool_enqueue(&pool);
    before = counts.calls;
    hold_tasks(&pool);
    read_all(&pool);
    maintain(&pool);
    if (tvd_worker_pool_prune_dead_workers(pool.pool, &behind, NULL, &pool.error) !=
        TVD_ERROR_REVISION_CONFLICT)
        bench_fail(TVD_OK);
    bench_number(run, (double)(counts.calls - before));
    close_counted(&pool, &counts);
}

static void make_receipt(tvd_completion_outcome *outcome)
{
    struct bench_pool pool;
    tvd_task_lease lease;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, 1, 4);
    bench_pool_lease_tasks(&pool, 1, &lease);
    bench_pool_start(&pool, &lease);
    bench_must(tvd_worker_pool_complete_task(pool.pool, &pool.at, &lease, outcome, &pool.error));
    bench_pool_close(&pool);
}

/* What storing a result, storing it again, getting it and aggregating it allocate, one call of each. */
static void calls_of_results(struct bench_run *run, const struct bench_size *size)
{
    struct counts counts = { 0 };
    const tvd_allocator allocator = counting(&counts);
    const char *task_id = bench_spec(0)->task_id;
    tvd_result_aggregator *aggregator;
    tvd_completion_outcome outcome;
    tvd_aggregate *aggregate;
    tvd_result *result;
    uint64_t revision = 0;
    size_t before;

    (void)size;
    make_receipt(&outcome);
    bench_must(tvd_result_aggregator_create(NULL, &allocator, &aggregator, NULL));
    before = counts.calls;
    for (int i = 0; i < 2; i++)
        bench_must(tvd_result_aggregator_store_result(aggregator, &revision, &outcome.receipt, "result", 6,
                                                      NULL, NULL));
    bench_must(tvd_result_aggregator_get_result(aggregator, task_id, &result, NULL));
    bench_must(tvd_result_aggregator_aggregate_results(aggregator, &task_id, 1, &aggregate, NULL));
    bench_must(tvd_result_aggregator_check_invariants(aggregator, NULL));
    bench_number(run, (double)(counts.calls - before));
    tvd_result_free(result);
    tvd_aggregate_free(aggregate);
    tvd_result_aggregator_release(aggregator);
    if (counts.bytes != 0)
        bench_fail(TVD_ERROR_STATE_INVARIANT);
}

const struct bench_workload bench_memory[] = {
    { "bytes_per_task", "bytes", bytes_per_task, { .tasks = 4096 } },
    { "bytes_per_task_in_all", "bytes", bytes_per_task_in_all, { .tasks = TVD_MAX_TASK_RECORDS } },
    { "bytes_per_worker", "bytes", bytes_per_worker, { .workers = 4096 } },
    { "allocations_per_admission", "calls", calls_of_admission, { .tasks = 64, .workers = 16 } },
    { "allocations_of_all_others", "calls", calls_of_all_others, { .tasks = 64, .workers = 16 } },
    { "allocations_of_three_results", "calls", calls_of_results, { 0 } },
    { .name = NULL },
};
