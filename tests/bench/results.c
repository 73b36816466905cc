/*
 * The aggregator: storing results of 256 bytes, reading one, and reading 1,024 at once.
 */
#include "pool.h"

#include <stdlib.h>

enum { RESULT_BYTES = 256 };

struct store {
    tvd_result_aggregator *aggregator;
    tvd_completion_receipt *receipts;
    uint64_t revision;
    tvd_error error;
};

static const unsigned char bytes[RESULT_BYTES];

static void make_receipts(tvd_completion_receipt *receipts, size_t count)
{
    struct bench_pool pool;
    tvd_completion_outcome outcome;
    tvd_task_lease lease;

    bench_pool_open(&pool, NULL);
    bench_pool_add_workers(&pool, 1, 4);
    for (size_t i = 0; i < count; i++) {
        bench_pool_enqueue(&pool);
        bench_pool_assign(&pool, BENCH_LEASE_TTL_SECS, &lease);
        bench_pool_start(&pool, &lease);
        bench_must(tvd_worker_pool_complete_task(pool.pool, &pool.at, &lease, &outcome, &pool.error));
        receipts[i] = outcome.receipt;
    }
    bench_pool_close(&pool);
}

static void store_some(struct store *store, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        bench_must(tvd_result_aggregator_store_result(store->aggregator, &store->revision, &store->receipts[i],
                                                      bytes, sizeof bytes, NULL, &store->error));
}

static void open_store(struct store *store, size_t results)
{
    const tvd_result_limits limits = {
        .max_results = TVD_MAX_RESULTS,
        .max_result_bytes = RESULT_BYTES,
        .max_total_bytes = TVD_MAX_TOTAL_BYTES,
        .max_aggregate_items = TVD_MAX_AGGREGATE_ITEMS,
        .max_aggregate_bytes = TVD_MAX_AGGREGATE_BYTES,
    };

    *store = (struct store){ .receipts = bench_allocate(results, sizeof *store->receipts) };
    make_receipts(store->receipts, results);
    bench_must(tvd_result_aggregator_create(&limits, NULL, &store->aggregator, NULL));
}

static void close_store(struct store *store)
{
    tvd_result_aggregator_release(store->aggregator);
    free(store->receipts);
}

/* The last ones, when all the others are stored. */
static void store_result(struct bench_run *run, const struct bench_size *size)
{
    struct store store;

    open_store(&store, size->tasks);
    store_some(&store, 0, size->tasks - size->touched);
    bench_begin(run);
    store_some(&store, size->tasks - size->touched, size->tasks);
    bench_end(run, size->touched);
    close_store(&store);
}

static void get_result(struct bench_run *run, const struct bench_size *size)
{
    size_t *numbers = bench_allocate(size->tasks, sizeof *numbers);
    struct store store;

    bench_shuffle(numbers, size->tasks);
    open_store(&store, size->tasks);
    store_some(&store, 0, size->tasks);
    bench_begin(run);
    for (size_t i = 0; i < size->touched; i++) {
        tvd_result *result;

        bench_must(tvd_result_aggregator_get_result(store.aggregator, bench_spec(numbers[i])->task_id, &result,
                                                    &store.error));
        tvd_result_free(result);
    }
    bench_end(run, size->touched);
    close_store(&store);
    free(numbers);
}

static void aggregate(struct bench_run *run, const struct bench_size *size)
{
    size_t *numbers = bench_allocate(size->tasks, sizeof *numbers);
    const char **task_ids = bench_allocate(size->touched, sizeof *task_ids);
    tvd_aggregate *aggregate;
    struct store store;

    bench_shuffle(numbers, size->tasks);
    for (size_t i = 0; i < size->touched; i++)
        task_ids[i] = bench_spec(numbers[i])->task_id;
    open_store(&store, size->tasks);
    store_some(&store, 0, size->tasks);
    bench_begin(run);
    bench_must(tvd_result_aggregator_aggregate_results(store.aggregator, task_ids, size->touched, &aggregate,
                                                       &store.error));
    bench_end(run, size->touched);
    tvd_aggregate_free(aggregate);
    close_store(&store);
    free(task_ids);
    free(numbers);
}

const struct bench_workload bench_results[] = {
    { "store_result.r1024", "ns", store_result, { .tasks = 1024, .touched = 1024 } },
    { "store_result.r65536", "ns", store_result, { .tasks = 65536, .touched = 1024 } },
    { "get_result.r1024", "ns", get_result, { .tasks = 1024, .touched = 1024 } },
    { "get_result.r65536", "ns", get_result, { .tasks = 65536, .touched = 1024 } },
    { "aggregate_per_item.r1024", "ns", aggregate, { .tasks = 1024, .touched = 1024 } },
    { "aggregate_per_item.r65536", "ns", aggregate, { .tasks = 65536, .touched = 1024 } },
    { .name = NULL },
};
