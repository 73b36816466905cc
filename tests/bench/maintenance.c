/*
 * What a host calls again and again: the maintenance commands with nothing to do, on an empty and on the full pool;
 * and with much to do.
 */
#include "pool.h"

#include <stdlib.h>

enum { IDLE_CALLS = 4096, TASK_TTL_SECS = 3600 };

static void recover(struct bench_pool *pool)
{
    tvd_recovery_summary summary;

    bench_must(tvd_worker_pool_recover_expired_leases(pool->pool, &pool->at, &summary, &pool->error));
}

static void prune(struct bench_pool *pool)
{
    tvd_recovery_summary summary;

    bench_must(tvd_worker_pool_prune_dead_workers(pool->pool, &pool->at, &summary, &pool->error));
}

static void expire(struct bench_pool *pool)
{
    size_t expired;

    bench_must(tvd_worker_pool_expire_old_tasks(pool->pool, &pool->at, TASK_TTL_SECS, &expired, &pool->error));
}

/* On the full pool if the size has tasks, else on an empty one. */
static void idle(struct bench_run *run, const struct bench_size *size, void (*command)(struct bench_pool *pool))
{
    struct bench_pool pool;

    if (size->tasks > 0)
        bench_pool_open_full(&pool);
    else
        bench_pool_open(&pool, NULL);
    bench_begin(run);
    for (size_t i = 0; i < IDLE_CALLS; i++)
        command(&pool);
    bench_end(run, IDLE_CALLS);
    bench_pool_close(&pool);
}

static void idle_recover(struct bench_run *run, const struct bench_size *size)
{
    idle(run, size, recover);
}

static void idle_prune(struct bench_run *run, const struct bench_size *size)
{
    idle(run, size, prune);
}

static void idle_expire(struct bench_run *run, const struct bench_size *size)
{
    idle(run, size, expire);
}

/*
 * 16,384 leases among 65,536 records; every second one, up to the number to be touched, is over soon. These end at
 * 64 different seconds, so that the order of their ends is not the order of their lease IDs.
 */
static void open_with_ending_leases(struct bench_pool *pool, size_t ending)
{
    uint32_t state = 1;

    bench_pool_open(pool, NULL);
    bench_pool_add_workers(pool, BENCH_FULL_WORKERS, 8);
    bench_pool_run_tasks(pool, BENCH_FULL_TASKS - BENCH_FULL_ACTIVE);
    for (size_t i = 0; i < BENCH_FULL_ACTIVE; i++) {
        bool ends = i % 2 == 0 && i / 2 < ending;
        tvd_task_lease lease;

        bench_pool_enqueue(pool);
        bench_pool_assign(pool, ends ? 1 + bench_scatter(&state) % 64 : BENCH_LEASE_TTL_SECS, &lease);
    }
}

static void recover_leases(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    open_with_ending_leases(&pool, size->touched);
    pool.at.now_secs = 100;
    bench_begin(run);
    recover(&pool);
    bench_end(run, size->touched);
    bench_pool_close(&pool);
}

static void prune_workers(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open_full(&pool);
    pool.at.now_secs += BENCH_HEARTBEAT_TIMEOUT_SECS + 1;
    bench_begin(run);
    prune(&pool);
    bench_end(run, size->workers);
    bench_pool_close(&pool);
}

static void expire_tasks(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open_full(&pool);
    pool.at.now_secs += TASK_TTL_SECS;
    bench_begin(run);
    expire(&pool);
    bench_end(run, size->tasks);
    bench_pool_close(&pool);
}

static void deregister(struct bench_run *run, const struct bench_size *size)
{
    size_t *numbers = bench_allocate(size->workers, sizeof *numbers);
    struct bench_pool pool;

    bench_shuffle(numbers, size->workers);
    bench_pool_open_full(&pool);
    bench_begin(run);
    for (size_t i = 0; i < size->workers; i++)
        bench_must(tvd_worker_pool_deregister_worker(pool.pool, &pool.at, bench_worker_id(numbers[i]), 1, NULL,
                                                     &pool.error));
    bench_end(run, size->workers);
    bench_pool_close(&pool);
    free(numbers);
}

static void check_invariants(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    bench_pool_run_tasks(&pool, size->tasks - size->touched);
    bench_pool_lease_tasks(&pool, size->touched, NULL);
    bench_begin(run);
    bench_must(tvd_worker_pool_check_invariants(pool.pool, &pool.error));
    bench_end(run, size->tasks + size->workers);
    bench_pool_close(&pool);
}

const struct bench_workload bench_maintenance[] = {
    { "recover_idle.empty", "ns", idle_recover, { .tasks = 0 } },
    { "recover_idle.full", "ns", idle_recover, { .tasks = BENCH_FULL_TASKS } },
    { "prune_idle.empty", "ns", idle_prune, { .tasks = 0 } },
    { "prune_idle.full", "ns", idle_prune, { .tasks = BENCH_FULL_TASKS } },
    { "expire_idle.empty", "ns", idle_expire, { .tasks = 0 } },
    { "expire_idle.full", "ns", idle_expire, { .tasks = BENCH_FULL_TASKS } },
    { "recover_per_lease.k1", "ns", recover_leases, { .touched = 1 } },
    { "recover_per_lease.k64", "ns", recover_leases, { .touched = 64 } },
    { "recover_per_lease.k1024", "ns", recover_leases, { .touched = 1024 } },
    { "recover_per_lease.k8192", "ns", recover_leases, { .touched = 8192 } },
    { "prune_per_worker.w4096", "ns", prune_workers, { .workers = BENCH_FULL_WORKERS } },
    { "expire_per_task.k16384", "ns", expire_tasks, { .tasks = BENCH_FULL_ACTIVE } },
    { "deregister.w4096", "ns", deregister, { .workers = BENCH_FULL_WORKERS } },
    { "check_invariants_per_record.t64", "ns", check_invariants, BENCH_SMALL },
    { "check_invariants_per_record.full", "ns", check_invariants, BENCH_FULL },
    { .name = NULL },
};
