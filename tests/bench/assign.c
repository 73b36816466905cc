/*
 * The three commands that give a task to a worker.
 */
#include "pool.h"

typedef void assign_command(struct bench_pool *pool, size_t number, size_t workers, tvd_task_lease *lease);

static void assign_task(struct bench_pool *pool, size_t number, size_t workers, tvd_task_lease *lease)
{
    bench_must(tvd_worker_pool_assign_task(pool->pool, &pool->at, bench_spec(number)->task_id,
                                           bench_worker_id(number % workers), BENCH_LEASE_TTL_SECS, lease,
                                           &pool->error));
}

static void assign_next(struct bench_pool *pool, size_t number, size_t workers, tvd_task_lease *lease)
{
    bench_must(tvd_worker_pool_assign_next(pool->pool, &pool->at, bench_worker_id(number % workers),
                                           BENCH_LEASE_TTL_SECS, lease, &pool->error));
}

static void assign_next_available(struct bench_pool *pool, size_t number, size_t workers, tvd_task_lease *lease)
{
    (void)number;
    (void)workers;
    bench_pool_assign(pool, BENCH_LEASE_TTL_SECS, lease);
}

static void assign(struct bench_run *run, const struct bench_size *size, assign_command *command)
{
    struct bench_pool pool;
    tvd_task_lease lease;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    bench_pool_run_tasks(&pool, size->tasks - size->touched);
    for (size_t i = 0; i < size->touched; i++)
        bench_pool_enqueue(&pool);
    bench_begin(run);
    for (size_t i = size->tasks - size->touched; i < size->tasks; i++)
        command(&pool, i, size->workers, &lease);
    bench_end(run, size->touched);
    bench_pool_close(&pool);
}

static void by_task(struct bench_run *run, const struct bench_size *size)
{
    assign(run, size, assign_task);
}

static void to_worker(struct bench_run *run, const struct bench_size *size)
{
    assign(run, size, assign_next);
}

static void to_best_worker(struct bench_run *run, const struct bench_size *size)
{
    assign(run, size, assign_next_available);
}

const struct bench_workload bench_assign[] = {
    { "assign_task.t64", "ns", by_task, BENCH_SMALL },
    { "assign_task.t65536", "ns", by_task, BENCH_LARGE },
    { "assign_task.full", "ns", by_task, BENCH_FULL },
    { "assign_next.t64", "ns", to_worker, BENCH_SMALL },
    { "assign_next.t65536", "ns", to_worker, BENCH_LARGE },
    { "assign_next.full", "ns", to_worker, BENCH_FULL },
    { "assign_next_available.t64", "ns", to_best_worker, BENCH_SMALL },
    { "assign_next_available.t65536", "ns", to_best_worker, BENCH_LARGE },
    { "assign_next_available.full", "ns", to_best_worker, BENCH_FULL },
    { .name = NULL },
};
