#include "dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By itself, because a call of fprintf for each byte is most of the time that a dump takes. */
static void write_hex(FILE *out, const char *key, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * TVD_MAX_TARGET_REF_BYTES];
    size_t used = 0;

    fprintf(out, " %s=", key);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = ((const unsigned char *)bytes)[i];

        if (used == sizeof text) {
            fwrite(text, 1, used, out);
            used = 0;
        }
        text[used++] = digits[byte >> 4];
        text[used++] = digits[byte & 15];
    }
    fwrite(text, 1, used, out);
}

static void write_snapshot(FILE *out, const tvd_state_snapshot *snapshot)
{
    fprintf(out, "state revision=%" PRIu64 " time=%" PRIu64 " records=%" PRIu64, snapshot->revision,
            snapshot->logical_time_secs, snapshot->task_records);
    fprintf(out, " active=%" PRIu64 " queued=%" PRIu64 " terminal=%" PRIu64 " workers=%" PRIu64 "\n",
            snapshot->active_tasks, snapshot->queued_tasks, snapshot->terminal_tasks, snapshot->workers);
}

static void write_task(FILE *out, const tvd_task *task)
{
    tvd_task_ownership ownership;

    fprintf(out, "task %s scan=%s status=%s priority=%s", task->task_id, task->scan_id,
            tvd_task_status_name(task->status), tvd_task_priority_name(task->priority));
    fprintf(out, " retries=%" PRIu32 " attempt=%" PRIu32 " generation=%" PRIu64 " version=%" PRIu64,
            task->retry_count, task->attempt, task->task_generation, task->record_version);
    fprintf(out, " created=%" PRIu64 " started=%d,%" PRIu64 " completed=%d,%" PRIu64, task->created_at_secs,
            task->has_started_at, task->started_at_secs, task->has_completed_at, task->completed_at_secs);
    fprintf(out, " to=%s,%" PRIu64 " lease=%" PRIu64 ",%" PRIu64 ",%" PRIu64, task->assigned_to,
            task->lease_worker_generation, task->lease_id, task->lease_acquired_at_secs,
            task->lease_expires_at_secs);
    write_hex(out, "target", task->target_ref, task->target_ref_size);
    write_hex(out, "phases", task->phases, task->phases_count);
    if (tvd_task_ownership_of(task, &ownership))
        write_hex(out, "token", &ownership, sizeof ownership);
    fputc('\n', out);
}

static void write_worker(FILE *out, const tvd_worker *worker)
{
    fprintf(out, "worker %s status=%s generation=%" PRIu64 " completed=%" PRIu64 " heartbeat=%" PRIu64,
            worker->worker_id, tvd_worker_status_name(worker->status), worker->generation,
            worker->completed_tasks, worker->last_heartbeat_secs);
    fprintf(out, " capacity=%" PRIu32 ",%" PRIu32 " tasks=%" PRIu32 " slots=%" PRIu32, worker->capacity,
            worker->effective_capacity, worker->current_tasks, worker->available_slots);
    fprintf(out, " loads=%" PRIu32 ",%" PRIu32 ",%" PRIu32 " tags=%" PRIu32 "\n", worker->cpu_basis_points,
            worker->memory_basis_points, worker->network_basis_points, worker->tags);
}

enum { PAGE = 16 };

static tvd_status write_tasks(FILE *out, tvd_task_queue *queue)
{
    tvd_task page[PAGE];
    char after[TVD_MAX_IDENTIFIER_BYTES + 1];
    size_t count = PAGE;
    bool first = true;

    while (count == PAGE) {
        tvd_status status = tvd_task_queue_tasks(queue, first ? NULL : after, page, PAGE, &count, NULL, NULL);

        if (status != TVD_OK)
            return status;
        for (size_t i = 0; i < count; i++)
            write_task(out, &page[i]);
        if (count > 0)
            memcpy(after, page[count - 1].task_id, sizeof after);
        first = false;
    }
    return TVD_OK;
}

static tvd_status write_workers(FILE *out, tvd_worker_pool *pool)
{
    tvd_worker page[PAGE];
    char after[TVD_MAX_IDENTIFIER_BYTES + 1];
    size_t count = PAGE;
    bool first = true;

    while (count == PAGE) {
        tvd_status status = tvd_worker_pool_workers(pool, first ? NULL : after, page, PAGE, &count, NULL, NULL);

        if (status != TVD_OK)
            return status;
        for (size_t i = 0; i < count; i++)
            write_worker(out, &page[i]);
        if (count > 0)
            memcpy(after, page[count - 1].worker_id, sizeof after);
        first = false;
    }
    return TVD_OK;
}

static void write_due(FILE *out, const char *key, tvd_due due)
{
    fprintf(out, " %s=%d,%" PRIu64, key, due.ever, due.at_secs);
}

/* What shows an order that no record does: who is next, who gets it, and what is due when. */
static tvd_status write_heads(FILE *out, tvd_worker_pool *pool, tvd_task_queue *queue, uint64_t now_secs)
{
    tvd_next_due next;
    tvd_worker worker;
    tvd_task task;
    bool found;
    tvd_status status = tvd_task_queue_peek_next(queue, &task, &found, NULL);

    if (status != TVD_OK)
        return status;
    fprintf(out, "next %s\n", found ? task.task_id : "-");
    status = tvd_worker_pool_get_available_worker(pool, now_secs, &worker, &found, NULL);
    if (status != TVD_OK)
        return status;
    fprintf(out, "best %s\n", found ? worker.worker_id : "-");
    status = tvd_worker_pool_next_due(pool, 1, &next, NULL);
    fputs("due", out);
    write_due(out, "leases", next.lease_recovery);
    write_due(out, "workers", next.worker_pruning);
    write_due(out, "tasks", next.task_expiry);
    fprintf(out, "\nretained %" PRIu64 "\n", tvd_worker_pool_retained_bytes(pool));
    return status;
}

static char *finish(FILE *out, char **text, tvd_status status)
{
    bool written = fclose(out) == 0;

    if (written && status == TVD_OK)
        return *text;
    fprintf(stderr, "no dump: %s\n", written ? tvd_status_name(status) : "out of memory");
    free(*text);
    return NULL;
}

char *dump_coordinator(tvd_worker_pool *pool, tvd_task_queue *queue)
{
    tvd_state_snapshot snapshot;
    tvd_status status = tvd_worker_pool_snapshot(pool, &snapshot, NULL);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    if (status == TVD_OK) {
        write_snapshot(out, &snapshot);
        status = write_tasks(out, queue);
    }
    if (status == TVD_OK)
        status = write_workers(out, pool);
    if (status == TVD_OK)
        status = write_heads(out, pool, queue, snapshot.logical_time_secs);
    return finish(out, &text, status);
}

char *dump_results(tvd_result_aggregator *results, const char *const *task_ids, size_t count)
{
    tvd_status status = TVD_OK;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fprintf(out, "results revision=%" PRIu64 " count=%" PRIu64 " bytes=%" PRIu64 " retained=%" PRIu64 "\n",
            tvd_result_aggregator_revision(results), tvd_result_aggregator_result_count(results),
            tvd_result_aggregator_total_bytes(results), tvd_result_aggregator_retained_bytes(results));
    for (size_t i = 0; i < count && status == TVD_OK; i++) {
        tvd_result *result = NULL;

        status = tvd_result_aggregator_get_result(results, task_ids[i], &result, NULL);
        if (result != NULL) {
            fprintf(out, "result %s", task_ids[i]);
            write_hex(out, "bytes", tvd_result_bytes(result), tvd_result_size(result));
            fputc('\n', out);
        }
        tvd_result_free(result);
    }
    return finish(out, &text, status);
}

void dump_print_difference(const char *one, const char *other)
{
    size_t line = 0;

    for (size_t i = 0; one[i] == other[i] && one[i] != '\0'; i++) {
        if (one[i] == '\n')
            line = i + 1;
    }
    fprintf(stderr, "one:   %.*s\nother: %.*s\n", (int)strcspn(one + line, "\n"), one + line,
            (int)strcspn(other + line, "\n"), other + line);
}
