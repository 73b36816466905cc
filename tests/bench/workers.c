/*
 * Heartbeats, and choosing the best worker.
 */
#include "pool.h"

#include <stdlib.h>

enum { CHOICES = 4096 };

/* Loads without a pattern, or none at all. */
static tvd_worker_observation *make_observations(size_t count, bool loaded)
{
    tvd_worker_observation *observations = bench_allocate(count, sizeof *observations);
    uint32_t state = 1;

    for (size_t i = 0; loaded && i < count; i++)
        observations[i].cpu_basis_points = bench_scatter(&state) % TVD_MAX_BASIS_POINTS;
    return observations;
}

/* Every worker reports once, in no order, 64 of them each second; its load changes if touched says so. */
static void heartbeat(struct bench_run *run, const struct bench_size *size)
{
    tvd_worker_observation *observations = make_observations(size->workers, size->touched > 0);
    size_t *numbers = bench_allocate(size->workers, sizeof *numbers);
    struct bench_pool pool;

    bench_shuffle(numbers, size->workers);
    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    bench_begin(run);
    for (size_t i = 0; i < size->workers; i++) {
        pool.at.now_secs += i % 64 == 63;
        bench_must(tvd_worker_pool_update_worker(pool.pool, &pool.at, bench_worker_id(numbers[i]), 1,
                                                 &observations[i], NULL, &pool.error));
    }
    bench_end(run, size->workers);
    bench_pool_close(&pool);
    free(observations);
    free(numbers);
}

/* The stale workers, as many as touched says, have more free slots and would be preferred. */
static void best_worker(struct bench_run *run, const struct bench_size *size)
{
    const tvd_worker_observation loaded = { .status = TVD_WORKER_STATUS_HEALTHY, .cpu_basis_points = 5000 };
    struct bench_pool pool;
    tvd_worker worker;
    bool found;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    if (size->touched > 0)
        pool.at.now_secs += BENCH_HEARTBEAT_TIMEOUT_SECS + 1;
    for (size_t i = size->touched; i < size->workers; i++)
        bench_must(tvd_worker_pool_update_worker(pool.pool, &pool.at, bench_worker_id(i), 1, &loaded, NULL,
                                                 &pool.error));
    bench_begin(run);
    for (size_t i = 0; i < CHOICES; i++)
        bench_must(
            tvd_worker_pool_get_available_worker(pool.pool, pool.at.now_secs, &worker, &found, &pool.error));
    bench_end(run, CHOICES);
    if (!found || worker.effective_capacity != 4)
        bench_fail(TVD_ERROR_NO_AVAILABLE_WORKER);
    bench_pool_close(&pool);
}

static void register_workers(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open(&pool, NULL);
    bench_begin(run);
    bench_pool_add_workers(&pool, size->workers, 8);
    bench_end(run, size->workers);
    bench_pool_close(&pool);
}

static void reactivate(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, size->workers, 8);
    pool.at.now_secs += BENCH_HEARTBEAT_TIMEOUT_SECS + 1;
    bench_must(tvd_worker_pool_prune_dead_workers(pool.pool, &pool.at, NULL, &pool.error));
    bench_begin(run);
    for (size_t i = 0; i < size->workers; i++) {
        const tvd_worker_spec spec = { .worker_id = bench_worker_id(i), .capacity = 8 };

        bench_must(tvd_worker_pool_reactivate_worker(pool.pool, &pool.at, 2, &spec, NULL, &pool.error));
    }
    bench_end(run, size->workers);
    bench_pool_close(&pool);
}

const struct bench_workload bench_workers[] = {
    { "register_worker.w16", "ns", register_workers, { .workers = 16 } },
    { "register_worker.w4096", "ns", register_workers, { .workers = 4096 } },
    { "reactivate.w16", "ns", reactivate, { .workers = 16 } },
    { "reactivate.w4096", "ns", reactivate, { .workers = 4096 } },
    { "heartbeat.w1", "ns", heartbeat, { .workers = 1, .touched = 1 } },
    { "heartbeat.w16", "ns", heartbeat, { .workers = 16, .touched = 1 } },
    { "heartbeat.w256", "ns", heartbeat, { .workers = 256, .touched = 1 } },
    { "heartbeat.w4096", "ns", heartbeat, { .workers = 4096, .touched = 1 } },
    { "heartbeat_same_load.w4096", "ns", heartbeat, { .workers = 4096 } },
    { "best_worker.w1", "ns", best_worker, { .workers = 1 } },
    { "best_worker.w256", "ns", best_worker, { .workers = 256 } },
    { "best_worker.w4096", "ns", best_worker, { .workers = 4096 } },
    { "best_worker.w4096.stale4000", "ns", best_worker, { .workers = 4096, .touched = 4000 } },
    { .name = NULL },
};
