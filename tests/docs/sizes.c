/*
 * Prints what the documents say about sizes, "DOCUMENT:WORDS" each, as it is on this machine. Exit status 3 where
 * pointers do not have 64 bits, of which the documents do not speak.
 */
#include <inttypes.h>
#include <stdio.h>

#include <termivar/distributed.h>

static const tvd_limits largest = {
    .max_task_records = TVD_MAX_TASK_RECORDS,
    .max_active_tasks = TVD_MAX_ACTIVE_TASKS,
    .max_queued_tasks = TVD_MAX_QUEUED_TASKS,
    .max_terminal_tasks = TVD_MAX_TERMINAL_TASKS,
    .max_workers = TVD_MAX_WORKERS,
    .max_lease_ttl_secs = TVD_MAX_LEASE_TTL_SECS,
    .max_task_ttl_secs = TVD_MAX_TASK_TTL_SECS,
    .heartbeat_timeout_secs = TVD_MAX_HEARTBEAT_TIMEOUT_SECS,
    .max_retries = TVD_MAX_RETRIES,
};

static const tvd_result_limits largest_results = {
    .max_results = TVD_MAX_RESULTS,
    .max_result_bytes = TVD_MAX_RESULT_BYTES,
    .max_total_bytes = TVD_MAX_TOTAL_BYTES,
    .max_aggregate_items = TVD_MAX_AGGREGATE_ITEMS,
    .max_aggregate_bytes = TVD_MAX_AGGREGATE_BYTES,
};

static uint64_t mebibytes(uint64_t bytes)
{
    return (bytes + 512 * 1024) / (1024 * 1024);
}

/* What one task with 8-byte identifiers and a target of 32 bytes takes, to the nearest hundred; 0: it failed. */
static uint64_t task_bytes(void)
{
    const tvd_task_spec spec = { .task_id = "task-001",
                                 .scan_id = "scan-001",
                                 .target_ref = "0123456789abcdef0123456789abcdef",
                                 .target_ref_size = 32 };
    tvd_cursor at = { .now_secs = 1 };
    tvd_worker_pool *pool = NULL;
    uint64_t bytes = 0;

    if (tvd_worker_pool_create(NULL, NULL, &pool, NULL) == TVD_OK) {
        tvd_task_queue *queue = tvd_worker_pool_task_queue(pool);
        uint64_t before = tvd_worker_pool_retained_bytes(pool);

        if (tvd_task_queue_enqueue(queue, &at, &spec, NULL, NULL) == TVD_OK)
            bytes = tvd_worker_pool_retained_bytes(pool) - before;
        tvd_task_queue_release(queue);
        tvd_worker_pool_release(pool);
    }
    return (bytes + 50) / 100 * 100;
}

int main(void)
{
    if (sizeof(void *) != 8)
        return 3;
    printf("hosting.md:worst case is %" PRIu64 " MiB with the default limits\n",
           mebibytes(tvd_limits_max_retained_bytes(NULL)));
    printf("hosting.md:and %" PRIu64 " MiB with every limit at its maximum\n",
           mebibytes(tvd_limits_max_retained_bytes(&largest)));
    printf("hosting.md:for a result store %" PRIu64 " MiB and %" PRIu64 " MiB\n",
           mebibytes(tvd_result_limits_max_retained_bytes(NULL)),
           mebibytes(tvd_result_limits_max_retained_bytes(&largest_results)));
    printf("hosting.md:takes about %" PRIu64 " bytes\n", task_bytes());
    printf("hosting.md:A `tvd_task` has about %s kilobytes\n",
           (sizeof(tvd_task) + 512) / 1024 == 2 ? "two" : "other than two");
    printf("architecture.md:a lease has %zu bytes\n", sizeof(tvd_task_lease));
    return 0;
}
