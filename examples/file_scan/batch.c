#define _POSIX_C_SOURCE 200809L
#include "batch.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "count.h"
#include "maintenance.h"
#include "memory.h"
#include "names.h"
#include "timing.h"
#include "worker.h"

/* ---- What the threads tell each other ---- */

bool batch_read_news(struct batch *batch, uint64_t *seen)
{
    bool over;

    pthread_mutex_lock(&batch->mutex);
    *seen = batch->news_count;
    over = batch->over;
    pthread_mutex_unlock(&batch->mutex);
    return !over;
}

bool batch_sleep(struct batch *batch, uint64_t seen)
{
    bool over;

    pthread_mutex_lock(&batch->mutex);
    if (batch->news_count == seen && ++batch->asleep == batch->threads)
        pthread_cond_signal(&batch->all_asleep);
    while (!batch->over && batch->news_count == seen)
        pthread_cond_wait(&batch->news, &batch->mutex);
    over = batch->over;
    pthread_mutex_unlock(&batch->mutex);
    return !over;
}

void batch_announce(struct batch *batch)
{
    batch->news_count++;
    batch->asleep = 0;
    pthread_cond_broadcast(&batch->news);
}

void batch_give_up(struct batch *batch, const tvd_error *error)
{
    pthread_mutex_lock(&batch->mutex);
    if (batch->fault.status == TVD_OK)
        batch->fault = *error;
    batch->over = true;
    pthread_cond_broadcast(&batch->news);
    pthread_cond_signal(&batch->all_asleep);
    pthread_mutex_unlock(&batch->mutex);
}

/* ---- Creation and admission: one thread as yet, so one cursor serves all commands in turn ---- */

struct task_id {
    char text[32];
};

static struct task_id task_id_of(size_t file_index)
{
    struct task_id id;

    snprintf(id.text, sizeof id.text, "file-%zu", file_index + 1);
    return id;
}

static size_t file_index_of(const char *task_id)
{
    return (size_t)strtoull(task_id + strlen("file-"), NULL, 10) - 1;
}

size_t batch_file_index(const tvd_task_lease *lease)
{
    return file_index_of(tvd_task_lease_task_id(lease));
}

void batch_record(const struct attempt *attempt, const char *outcome)
{
    struct batch *batch = attempt->worker->batch;
    struct lease_span span = {
        .lease = &attempt->lease,
        .path = batch->scan->list->files[batch_file_index(&attempt->lease)].path,
        .outcome = outcome,
        .batch_number = batch->number,
        .worker_number = attempt->worker->number,
        .taken_at_us = attempt->taken_at_us,
        .ended_at_us = host_clock_microseconds(&batch->scan->clock),
    };

    timeline_add_lease(&batch->scan->timeline, &span);
}

static tvd_status create_coordinator(struct batch *batch, tvd_error *error)
{
    tvd_limits limits = tvd_limits_default();
    tvd_result_limits result_limits = tvd_result_limits_default();

    /* As many queued as active tasks: then a task to be requeued always finds room. */
    limits.max_task_records = batch->count;
    limits.max_active_tasks = batch->count;
    limits.max_queued_tasks = batch->count;
    limits.max_terminal_tasks = batch->count;
    limits.max_workers = batch->scan->options->workers;
    limits.max_retries = batch->scan->options->retries;
    limits.max_lease_ttl_secs = LEASE_TTL_SECS;
    limits.heartbeat_timeout_secs = HEARTBEAT_TIMEOUT_SECS;
    result_limits.max_results = batch->count;
    result_limits.max_aggregate_items = batch->count;
    result_limits.max_result_bytes = sizeof(struct counts);

    if (tvd_worker_pool_create(&limits, NULL, &batch->pool, error) ||
        tvd_result_aggregator_create(&result_limits, NULL, &batch->results, error))
        return error->status;
    batch->queue = tvd_worker_pool_task_queue(batch->pool);
    return TVD_OK;
}

/* Large files first, so that the end of a run is not one thread with the largest. */
static tvd_task_priority priority_of(uint64_t size)
{
    if (size >= UINT64_C(64) * 1024 * 1024)
        return TVD_TASK_PRIORITY_CRITICAL;
    if (size >= UINT64_C(1024) * 1024)
        return TVD_TASK_PRIORITY_HIGH;
    return size >= 4096 ? TVD_TASK_PRIORITY_NORMAL : TVD_TASK_PRIORITY_LOW;
}

static tvd_status admit_files(struct batch *batch, tvd_cursor *at, tvd_error *error)
{
    static const uint8_t phases[] = { PHASE_BYTES, PHASE_LINES, PHASE_WORDS };

    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const struct scan_file *file = &batch->scan->list->files[i];
        const struct task_id id = task_id_of(i);
        const tvd_task_spec spec = { .task_id = id.text,
                                     .scan_id = "file-scan",
                                     .target_ref = file->path,
                                     .target_ref_size = strlen(file->path),
                                     .phases = phases,
                                     .phases_count = sizeof phases,
                                     .priority = priority_of(file->size) };

        if (tvd_task_queue_enqueue(batch->queue, at, &spec, NULL, error) != TVD_OK)
            return error->status;
    }
    return TVD_OK;
}

static tvd_status register_workers(struct batch *batch, tvd_cursor *at, tvd_error *error)
{
    for (size_t i = 0; i < batch->scan->options->workers; i++) {
        struct worker *worker = &batch->workers[i];
        tvd_worker_spec spec = { .worker_id = worker->id, .capacity = WORKER_CAPACITY };
        tvd_worker registered;

        *worker = (struct worker){ .batch = batch, .number = i + 1 };
        snprintf(worker->id, sizeof worker->id, "worker-%zu", worker->number);
        if (tvd_worker_pool_register_worker(batch->pool, at, &spec, &registered, error) != TVD_OK)
            return error->status;
        worker->generation = registered.generation;
    }
    return TVD_OK;
}

static tvd_status set_up(struct batch *batch, tvd_error *error)
{
    tvd_cursor at = { .now_secs = host_clock_now_secs(&batch->scan->clock) };

    if (create_coordinator(batch, error) || register_workers(batch, &at, error) ||
        admit_files(batch, &at, error))
        return error->status;
    return TVD_OK;
}

/* ---- Threads ---- */

/* With the mutex held: waits until every thread started so far sleeps, or the batch is over. */
static void await_sleep(struct batch *batch)
{
    while (!batch->over && batch->asleep < batch->threads)
        pthread_cond_wait(&batch->all_asleep, &batch->mutex);
}

/*
 * Starts the workers. Those that are to fall silent start first and alone, so that each of them gets leases to fall
 * silent with. False: the system gave no thread.
 */
static bool start_threads(struct batch *batch)
{
    const struct options *options = batch->scan->options;
    int reason = 0;

    pthread_mutex_lock(&batch->mutex);
    for (size_t i = 0; i < options->workers && reason == 0; i++) {
        reason = pthread_create(&batch->workers[i].thread, NULL, worker_main, &batch->workers[i]);
        batch->threads += reason == 0;
        if (batch->threads == options->kill_workers)
            await_sleep(batch);
    }
    if (reason != 0) {
        fprintf(stderr, "file_scan: cannot start a thread: %s\n", strerror(reason));
        batch->over = true;
        pthread_cond_broadcast(&batch->news);
    }
    pthread_mutex_unlock(&batch->mutex);
    return reason == 0;
}

static void join_threads(struct batch *batch)
{
    for (size_t i = 0; i < batch->threads; i++)
        pthread_join(batch->workers[i].thread, NULL);
}

/* ---- Results, once every task has ended ---- */

static void name_failed(const struct batch *batch, size_t file_index, const tvd_task *task)
{
    int reason = batch->reasons[file_index - batch->first];
    char what[256];

    snprintf(what, sizeof what, "not counted: its retries ran out with attempt %" PRIu32 "%s%s", task->attempt,
             reason != 0 ? ": " : "", reason != 0 ? strerror(reason) : "");
    complain(batch->scan->list->files[file_index].path, what);
}

/* Gives the task IDs of what was counted, in path order, and names what was not. */
static tvd_status find_counted(struct batch *batch, struct task_id *ids, size_t *count, tvd_error *error)
{
    *count = 0;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        struct task_id id = task_id_of(i);
        tvd_task task;

        if (read_task(batch, id.text, &task, error) != TVD_OK)
            return error->status;
        if (task.status == TVD_TASK_STATUS_COMPLETED) {
            ids[(*count)++] = id;
        } else {
            name_failed(batch, i, &task);
            batch->scan->totals.failed++;
        }
    }
    return TVD_OK;
}

static void print_rows(struct batch *batch, const tvd_aggregate *aggregate)
{
    for (size_t i = 0; i < tvd_aggregate_count(aggregate); i++) {
        size_t file_index = file_index_of(tvd_aggregate_task_id(aggregate, i));
        struct counts counts;

        assert(tvd_aggregate_size(aggregate, i) == sizeof counts);
        memcpy(&counts, tvd_aggregate_bytes(aggregate, i), sizeof counts);
        table_row(&batch->scan->table, &counts, batch->scan->list->files[file_index].path);
    }
    batch->scan->totals.counted += tvd_aggregate_count(aggregate);
}

static tvd_status collect(struct batch *batch, tvd_error *error)
{
    struct task_id *ids = reallocate(NULL, batch->count, sizeof *ids);
    const char **wanted = reallocate(NULL, batch->count, sizeof *wanted);
    tvd_aggregate *aggregate = NULL;
    size_t count;
    tvd_status status = find_counted(batch, ids, &count, error);

    if (status == TVD_OK) {
        for (size_t i = 0; i < count; i++)
            wanted[i] = ids[i].text;
        status = tvd_result_aggregator_aggregate_results(batch->results, wanted, count, &aggregate, error);
    }
    if (status == TVD_OK)
        print_rows(batch, aggregate);
    tvd_aggregate_free(aggregate);
    free(wanted);
    free(ids);
    return status;
}

/* A drill is worth more if the coordinator's own check looks at what it left behind. */
static tvd_status check_invariants(struct batch *batch, tvd_error *error)
{
    if (tvd_worker_pool_check_invariants(batch->pool, error) ||
        tvd_result_aggregator_check_invariants(batch->results, error))
        return error->status;
    return TVD_OK;
}

/* ---- The whole ---- */

static void init_threading(struct batch *batch)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&batch->mutex, NULL);
    pthread_cond_init(&batch->news, NULL);
    pthread_cond_init(&batch->all_asleep, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void tear_down(struct batch *batch)
{
    pthread_cond_destroy(&batch->all_asleep);
    pthread_cond_destroy(&batch->news);
    pthread_mutex_destroy(&batch->mutex);
    tvd_result_aggregator_release(batch->results);
    tvd_task_queue_release(batch->queue);
    tvd_worker_pool_release(batch->pool);
    free(batch->reasons);
    free(batch->workers);
}

static void report_fault(const tvd_error *error)
{
    char sentence[1024];

    tvd_error_format(error, sentence, sizeof sentence);
    fprintf(stderr, "file_scan: %s\n", sentence);
}

static bool run_threads(struct batch *batch)
{
    bool started = start_threads(batch);

    if (started)
        maintenance_run(batch);
    join_threads(batch);
    return started;
}

bool batch_run(struct scan *scan, size_t number, size_t first, size_t count)
{
    struct batch batch = { .scan = scan, .number = number, .first = first, .count = count };
    bool done = false;

    batch.workers = reallocate(NULL, scan->options->workers, sizeof *batch.workers);
    batch.reasons = reallocate(NULL, count, sizeof *batch.reasons);
    memset(batch.reasons, 0, count * sizeof *batch.reasons);
    init_threading(&batch);
    timeline_add_batch(&scan->timeline, number, scan->options->workers);

    if (set_up(&batch, &batch.fault) == TVD_OK && run_threads(&batch) && batch.fault.status == TVD_OK)
        done = check_invariants(&batch, &batch.fault) == TVD_OK && collect(&batch, &batch.fault) == TVD_OK;
    if (batch.fault.status != TVD_OK)
        report_fault(&batch.fault);
    tear_down(&batch);
    return done;
}
