/*
 * Reads: they change nothing, and copy what they report.
 */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

enum { READS = 4096, PAGE = 64 };

static void open_pool(struct bench_pool *pool, const struct bench_size *size)
{
    bench_pool_open(pool, NULL);
    bench_pool_add_workers(pool, size->workers, 8);
    bench_pool_run_tasks(pool, size->tasks - 1);
    bench_pool_enqueue(pool);
}

static void get_task(struct bench_run *run, const struct bench_size *size)
{
    size_t *numbers = bench_allocate(size->tasks, sizeof *numbers);
    struct bench_pool pool;
    tvd_task task;
    bool found = true;

    bench_shuffle(numbers, size->tasks);
    open_pool(&pool, size);
    bench_begin(run);
    for (size_t i = 0; i < READS && found; i++)
        bench_must(tvd_task_queue_get_task(pool.queue, bench_spec(numbers[i % size->tasks])->task_id, &task,
                                           &found, &pool.error));
    bench_end(run, READS);
    if (!found)
        bench_fail(TVD_ERROR_TASK_NOT_FOUND);
    bench_pool_close(&pool);
    free(numbers);
}

static void get_worker(struct bench_run *run, const struct bench_size *size)
{
    size_t *numbers = bench_allocate(size->workers, sizeof *numbers);
    struct bench_pool pool;
    tvd_worker worker;
    bool found = true;

    bench_shuffle(numbers, size->workers);
    open_pool(&pool, size);
    bench_begin(run);
    for (size_t i = 0; i < READS && found; i++)
        bench_must(tvd_worker_pool_get_worker(pool.pool, bench_worker_id(numbers[i % size->workers]), &worker,
                                              &found, &pool.error));
    bench_end(run, READS);
    if (!found)
        bench_fail(TVD_ERROR_WORKER_NOT_FOUND);
    bench_pool_close(&pool);
    free(numbers);
}

static void peek(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;
    tvd_task task;
    bool found = true;

    open_pool(&pool, size);
    bench_begin(run);
    for (size_t i = 0; i < READS && found; i++)
        bench_must(tvd_task_queue_peek_next(pool.queue, &task, &found, &pool.error));
    bench_end(run, READS);
    if (!found)
        bench_fail(TVD_ERROR_NO_QUEUED_TASK);
    bench_pool_close(&pool);
}

static void snapshot(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;
    tvd_state_snapshot snapshot;

    open_pool(&pool, size);
    bench_begin(run);
    for (size_t i = 0; i < READS; i++)
        bench_must(tvd_worker_pool_snapshot(pool.pool, &snapshot, &pool.error));
    bench_end(run, READS);
    bench_pool_close(&pool);
}

static void next_due(struct bench_run *run, const struct bench_size *size)
{
    struct bench_pool pool;
    tvd_next_due due;

    open_pool(&pool, size);
    bench_begin(run);
    for (size_t i = 0; i < READS; i++)
        bench_must(tvd_worker_pool_next_due(pool.pool, 3600, &due, &pool.error));
    bench_end(run, READS);
    bench_pool_close(&pool);
}

static void list_tasks(struct bench_run *run, const struct bench_size *size)
{
    tvd_task *page = bench_allocate(PAGE, sizeof *page);
    char after[TVD_MAX_IDENTIFIER_BYTES + 1];
    size_t count = PAGE;
    size_t total = 0;
    struct bench_pool pool;

    open_pool(&pool, size);
    bench_begin(run);
    while (count == PAGE) {
        bench_must(
            tvd_task_queue_tasks(pool.queue, total == 0 ? NULL : after, page, PAGE, &count, NULL, &pool.error));
        total += count;
        memcpy(after, page[PAGE - 1].task_id, sizeof after);
    }
    bench_end(run, total);
    if (total != size->tasks)
        bench_fail(TVD_ERROR_TASK_NOT_FOUND);
    bench_pool_close(&pool);
    free(page);
}

static void list_workers(struct bench_run *run, const struct bench_size *size)
{
    tvd_worker *page = bench_allocate(PAGE, sizeof *page);
    char after[TVD_MAX_IDENTIFIER_BYTES + 1];
    size_t count = PAGE;
    size_t total = 0;
    struct bench_pool pool;

    open_pool(&pool, size);
    bench_begin(run);
    while (count == PAGE) {
        bench_must(tvd_worker_pool_workers(pool.pool, total == 0 ? NULL : after, page, PAGE, &count, NULL,
                                           &pool.error));
        total += count;
        memcpy(after, page[PAGE - 1].worker_id, sizeof after);
    }
    bench_end(run, total);
    if (total != size->workers)
        bench_fail(TVD_ERROR_WORKER_NOT_FOUND);
    bench_pool_close(&pool);
    free(page);
}

const struct bench_workload bench_reads[] = {
    { "get_task.t64", "ns", get_task, { .tasks = 64, .workers = 1 } },
    { "get_task.t4096", "ns", get_task, { .tasks = 4096, .workers = 1 } },
    { "get_task.t65536", "ns", get_task, { .tasks = 65536, .workers = 1 } },
    { "get_worker.w16", "ns", get_worker, { .tasks = 1, .workers = 16 } },
    { "get_worker.w4096", "ns", get_worker, { .tasks = 1, .workers = 4096 } },
    { "peek_next.t64", "ns", peek, { .tasks = 64, .workers = 1 } },
    { "peek_next.t65536", "ns", peek, { .tasks = 65536, .workers = 1 } },
    { "snapshot.t64", "ns", snapshot, { .tasks = 64, .workers = 1 } },
    { "snapshot.t65536", "ns", snapshot, { .tasks = 65536, .workers = 1 } },
    { "next_due.t64", "ns", next_due, { .tasks = 64, .workers = 1 } },
    { "next_due.t65536", "ns", next_due, { .tasks = 65536, .workers = 4096 } },
    { "list_per_task.t64", "ns", list_tasks, { .tasks = 64, .workers = 1 } },
    { "list_per_task.t65536", "ns", list_tasks, { .tasks = 65536, .workers = 1 } },
    { "list_per_worker.w4096", "ns", list_workers, { .tasks = 1, .workers = 4096 } },
    { .name = NULL },
};
