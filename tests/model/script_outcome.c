/* Writes the model's outcomes and state in the trace format. */
#include "script_fields.h"

#include <stdlib.h>

static void put_task(script_writer *w, const tvd_task *t)
{
    bool leased = t->status == TVD_TASK_STATUS_LEASED || t->status == TVD_TASK_STATUS_RUNNING;
    script_put(w, " task");
    script_put_text(w, "id", t->task_id);
    script_put_text(w, "scan", t->scan_id);
    script_put_bytes(w, "target", t->target_ref, t->target_ref_size);
    script_put_list(w, "phases", t->phases, t->phases_count);
    script_put(w, " status=%s", tvd_task_status_name(t->status));
    script_put(w, " priority=%s", tvd_task_priority_name(t->priority));
    script_put_number(w, "created_at", t->created_at_secs);
    script_put_optional(w, "started_at", t->has_started_at, t->started_at_secs);
    script_put_optional(w, "completed_at", t->has_completed_at, t->completed_at_secs);
    script_put_number(w, "retry_count", t->retry_count);
    script_put_number(w, "attempt", t->attempt);
    script_put_number(w, "task_generation", t->task_generation);
    script_put_number(w, "record_version", t->record_version);
    script_put_text(w, "assigned_to", leased ? t->assigned_to : "-");
    script_put_optional(w, "lease_id", leased, t->lease_id);
}

static void put_worker(script_writer *w, const tvd_worker *k)
{
    script_put(w, " worker");
    script_put_text(w, "id", k->worker_id);
    script_put_number(w, "generation", k->generation);
    script_put(w, " status=%s", tvd_worker_status_name(k->status));
    script_put_number(w, "capacity", k->capacity);
    script_put_number(w, "current_tasks", k->current_tasks);
    script_put_number(w, "completed_tasks", k->completed_tasks);
    script_put_number(w, "last_heartbeat", k->last_heartbeat_secs);
    script_put_loads(w, k->cpu_basis_points, k->memory_basis_points, k->network_basis_points);
    script_put_tags(w, k->tags);
    script_put_number(w, "effective_capacity", k->effective_capacity);
    script_put_number(w, "available_slots", k->available_slots);
}

static void put_lease(script_writer *w, const model_lease *l)
{
    script_put(w, " lease");
    script_put_text(w, "task", l->task_id);
    script_put_text(w, "worker", l->worker_id);
    script_put_number(w, "worker_generation", l->worker_generation);
    script_put_number(w, "task_generation", l->task_generation);
    script_put_number(w, "attempt", l->attempt);
    script_put_number(w, "lease_id", l->lease_id);
    script_put_number(w, "acquired_at", l->acquired_at);
    script_put_number(w, "expires_at", l->expires_at);
}

static void put_receipt(script_writer *w, const model_completion *done)
{
    const model_receipt *r = &done->receipt;
    script_put(w, " %s receipt", tvd_completion_kind_name(done->kind));
    script_put_text(w, "task", r->task_id);
    script_put_number(w, "task_generation", r->task_generation);
    script_put_number(w, "attempt", r->attempt);
    script_put_number(w, "lease_id", r->lease_id);
    script_put_text(w, "worker", r->worker_id);
    script_put_number(w, "worker_generation", r->worker_generation);
    script_put_number(w, "record_version", r->record_version);
}

static void put_failure(script_writer *w, const tvd_failure_outcome *f)
{
    script_put(w, " %s", tvd_failure_kind_name(f->kind));
    if (f->kind == TVD_REQUEUED)
        script_put_number(w, "task_generation", f->task_generation);
    script_put_number(w, "retry_count", f->retry_count);
    script_put_number(w, "record_version", f->record_version);
}

/* The fields of an error line, in the order of FORMAT.md. */
static const struct {
    tvd_status status;
    const char *fields; /* A letter each, in order. */
} error_fields[] = {
    { TVD_ERROR_INVALID_LIMIT, "d" },
    { TVD_ERROR_INVALID_LIMIT_RELATIONSHIP, "d" },
    { TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM, "dam" },
    { TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM, "dam" },
    { TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM, "am" },
    { TVD_ERROR_INVALID_TASK, "d" },
    { TVD_ERROR_INVALID_WORKER, "d" },
    { TVD_ERROR_REVISION_CONFLICT, "ea" },
    { TVD_ERROR_LOGICAL_TIME_REGRESSION, "cp" },
    { TVD_ERROR_COUNTER_EXHAUSTED, "d" },
    { TVD_ERROR_TASK_ALREADY_EXISTS, "t" },
    { TVD_ERROR_TASK_NOT_FOUND, "t" },
    { TVD_ERROR_TASK_NOT_QUEUED, "ts" },
    { TVD_ERROR_INVALID_TRANSITION, "tso" },
    { TVD_ERROR_STALE_OWNERSHIP, "t" },
    { TVD_ERROR_LEASE_EXPIRED, "t" },
    { TVD_ERROR_NO_QUEUED_TASK, "" },
    { TVD_ERROR_TASK_RECORD_CAPACITY_REACHED, "l" },
    { TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED, "l" },
    { TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, "l" },
    { TVD_ERROR_TERMINAL_CAPACITY_RESERVED, "l" },
    { TVD_ERROR_WORKER_ALREADY_EXISTS, "w" },
    { TVD_ERROR_WORKER_NOT_FOUND, "w" },
    { TVD_ERROR_WORKER_GENERATION_CONFLICT, "ea" },
    { TVD_ERROR_WORKER_UNAVAILABLE, "w" },
    { TVD_ERROR_WORKER_AT_CAPACITY, "w" },
    { TVD_ERROR_WORKER_CAPACITY_REACHED, "l" },
    { TVD_ERROR_NO_AVAILABLE_WORKER, "" },
    { TVD_ERROR_CONFLICTING_RESULT, "t" },
    { TVD_ERROR_MISMATCHED_RESULT_RECEIPT, "t" },
    { TVD_ERROR_RESULT_CAPACITY_REACHED, "l" },
    { TVD_ERROR_RESULT_TOO_LARGE, "al" },
    { TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED, "al" },
    { TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, "al" },
    { TVD_ERROR_AGGREGATE_BYTES_EXCEEDED, "al" },
    { TVD_ERROR_DUPLICATE_AGGREGATE_TASK, "t" },
    { TVD_ERROR_MISSING_RESULT, "t" },
};

static void put_error(script_writer *w, const tvd_error *e)
{
    script_put(w, " error %s", tvd_status_name(e->status));
    const char *fields = "d";
    for (size_t i = 0; i < sizeof error_fields / sizeof error_fields[0]; i++) {
        if (error_fields[i].status == e->status)
            fields = error_fields[i].fields;
    }
    for (; *fields != '\0'; fields++) {
        switch (*fields) {
        case 'd':
            script_put(w, " detail=%s", tvd_detail_name(e->detail));
            break;
        case 'a':
            script_put_number(w, "actual", e->actual);
            break;
        case 'm':
            script_put_number(w, "maximum", e->limit);
            break;
        case 'e':
            script_put_number(w, "expected", e->expected);
            break;
        case 'c':
            script_put_number(w, "current", e->actual);
            break;
        case 'p':
            script_put_number(w, "proposed", e->expected);
            break;
        case 't':
            script_put_text(w, "task", e->identifier);
            break;
        case 'w':
            script_put_text(w, "worker", e->identifier);
            break;
        case 's':
            script_put(w, " status=%s", tvd_task_status_name(e->task_status));
            break;
        case 'o':
            script_put(w, " operation=%s", tvd_operation_name(e->operation));
            break;
        default:
            script_put_number(w, "limit", e->limit);
            break;
        }
    }
}

static void put_items(script_writer *w, const command *c, const outcome *o)
{
    if (c->op == OP_AGGREGATE_RESULTS)
        script_put_number(w, "count", o->count);
    for (size_t i = 0; i < o->count; i++) {
        if (c->op == OP_AGGREGATE_RESULTS)
            script_put_text(w, "task", o->items[i].task_id);
        script_put_hex(w, o->items[i].bytes, o->items[i].size);
    }
}

static void put_success(script_writer *w, const command *c, const outcome *o)
{
    script_put(w, " ok");
    if (script_changes_state(c->op))
        script_put_number(w, "rev", o->revision);
    switch (o->shape) {
    case SHAPE_TASK:
        put_task(w, &o->task);
        if (o->has_ownership)
            script_new_name(w, "ownership", 'O', c->serial);
        break;
    case SHAPE_WORKER:
        put_worker(w, &o->worker);
        break;
    case SHAPE_LEASE:
        put_lease(w, &o->lease);
        script_new_name(w, "as", 'O', c->serial);
        break;
    case SHAPE_START:
        script_put(w, " %s", tvd_start_kind_name(o->start.kind));
        script_put_number(w, "record_version", o->start.record_version);
        break;
    case SHAPE_COMPLETION:
        put_receipt(w, &o->completion);
        script_new_name(w, "as", 'R', c->serial);
        break;
    case SHAPE_FAILURE:
        put_failure(w, &o->failure);
        break;
    case SHAPE_CANCELLATION:
        script_put(w, " %s", tvd_cancellation_kind_name(o->cancellation.kind));
        script_put_number(w, "record_version", o->cancellation.record_version);
        break;
    case SHAPE_RECOVERY:
        script_put(w, " recovery");
        script_put_number(w, "workers_affected", o->recovery.workers_affected);
        script_put_number(w, "tasks_requeued", o->recovery.tasks_requeued);
        script_put_number(w, "tasks_failed", o->recovery.tasks_failed);
        break;
    case SHAPE_EXPIRED:
        script_put_number(w, "expired", o->expired);
        break;
    case SHAPE_STORE:
        script_put(w, " %s", tvd_store_outcome_name(o->store));
        break;
    case SHAPE_ITEMS:
        put_items(w, c, o);
        break;
    default:
        break;
    }
}

void script_write_outcome(script_writer *w, const command *c, const outcome *expected)
{
    script_put(w, "=");
    if (expected->error.status != TVD_OK)
        put_error(w, &expected->error);
    else if (!expected->found)
        script_put(w, " none");
    else
        put_success(w, c, expected);
    script_put(w, "\n");
}

static void *allocate_list(size_t count, size_t size)
{
    void *list = calloc(count > 0 ? count : 1, size);
    if (list == NULL)
        abort();
    return list;
}

void script_write_dump(script_writer *w, model *m)
{
    tvd_state_snapshot s;
    size_t task_count = 0;
    size_t worker_count = 0;
    tvd_task *tasks = allocate_list(m->task_count, sizeof *tasks);
    tvd_worker *workers = allocate_list(m->worker_count, sizeof *workers);
    (void)model_snapshot(m, TVD_DETAIL_POOL, &s);
    (void)model_tasks(m, NULL, tasks, m->task_count, &task_count, NULL);
    (void)model_workers(m, NULL, workers, m->worker_count, &worker_count, NULL);
    script_put(w, "= ok snapshot");
    script_put_number(w, "revision", s.revision);
    script_put_number(w, "logical_time", s.logical_time_secs);
    script_put_number(w, "task_records", s.task_records);
    script_put_number(w, "active_tasks", s.active_tasks);
    script_put_number(w, "queued_tasks", s.queued_tasks);
    script_put_number(w, "terminal_tasks", s.terminal_tasks);
    script_put_number(w, "workers", s.workers);
    script_put(w, "\n");
    for (size_t i = 0; i < task_count; i++) {
        script_put(w, "|");
        put_task(w, &tasks[i]);
        script_put(w, "\n");
    }
    for (size_t i = 0; i < worker_count; i++) {
        script_put(w, "|");
        put_worker(w, &workers[i]);
        script_put(w, "\n");
    }
    free(tasks);
    free(workers);
}

void script_write_totals(script_writer *w, const model_aggregator *a)
{
    script_put(w, "= ok");
    script_put_number(w, "revision", a->revision);
    script_put_number(w, "results", a->result_count);
    script_put_number(w, "total_bytes", model_total_bytes(a));
    script_put(w, "\n");
}
