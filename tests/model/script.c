/* Writes commands and the model's outcomes in the trace format. */
#include "script.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *script_op_name(operation op)
{
    static const char *const names[OP_COUNT] = {
        [OP_TRY_LIMITS] = "try_limits",
        [OP_TRY_RESULT_LIMITS] = "try_result_limits",
        [OP_REGISTER_WORKER] = "register_worker",
        [OP_REACTIVATE_WORKER] = "reactivate_worker",
        [OP_UPDATE_WORKER] = "update_worker",
        [OP_GET_AVAILABLE_WORKER] = "get_available_worker",
        [OP_GET_WORKER] = "get_worker",
        [OP_WORKERS] = "workers",
        [OP_ENQUEUE] = "enqueue",
        [OP_ASSIGN_TASK] = "assign_task",
        [OP_ASSIGN_NEXT] = "assign_next",
        [OP_ASSIGN_NEXT_AVAILABLE] = "assign_next_available",
        [OP_START_TASK] = "start_task",
        [OP_COMPLETE_TASK] = "complete_task",
        [OP_FAIL_TASK] = "fail_task",
        [OP_CANCEL_TASK] = "cancel_task",
        [OP_DEREGISTER_WORKER] = "deregister_worker",
        [OP_RECOVER_EXPIRED_LEASES] = "recover_expired_leases",
        [OP_PRUNE_DEAD_WORKERS] = "prune_dead_workers",
        [OP_EXPIRE_OLD_TASKS] = "expire_old_tasks",
        [OP_GET_TASK] = "get_task",
        [OP_PEEK_NEXT] = "peek_next",
        [OP_OWNERSHIP] = "ownership",
        [OP_TASKS] = "tasks",
        [OP_SNAPSHOT] = "snapshot",
        [OP_NEXT_DUE] = "next_due",
        [OP_STORE_RESULT] = "store_result",
        [OP_AGGREGATE_RESULTS] = "aggregate_results",
        [OP_GET_RESULT] = "get_result",
    };
    return names[op];
}

void script_writer_free(script_writer *w)
{
    free(w->owners);
    free(w->receipts);
}

static void put(script_writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(w->file, format, arguments);
    va_end(arguments);
}

static void put_number(script_writer *w, const char *key, uint64_t value)
{
    put(w, " %s=%" PRIu64, key, value);
}

static void put_optional(script_writer *w, const char *key, bool present, uint64_t value)
{
    if (present)
        put_number(w, key, value);
    else
        put(w, " %s=-", key);
}

static void put_bytes(script_writer *w, const char *key, const void *value, size_t size)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:/@";
    const unsigned char *bytes = value;
    put(w, " %s=", key);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\0' && strchr(plain, bytes[i]) != NULL)
            fputc(bytes[i], w->file);
        else
            put(w, "%%%02X", bytes[i]);
    }
}

static void put_text(script_writer *w, const char *key, const char *value)
{
    put_bytes(w, key, value, strlen(value));
}

static void put_hex(script_writer *w, const unsigned char *bytes, size_t size)
{
    put(w, " bytes=");
    for (size_t i = 0; i < size; i++)
        put(w, "%02x", bytes[i]);
}

static void put_list(script_writer *w, const char *key, const uint8_t *values, size_t count)
{
    put(w, " %s=%s", key, count == 0 ? "-" : "");
    for (size_t i = 0; i < count; i++)
        put(w, "%s%u", i > 0 ? "," : "", values[i]);
}

static void put_tags(script_writer *w, uint32_t tags)
{
    static const char *const names[] = { "linux", "windows", "gpu", "internal", "external" };
    put(w, " tags=%s", tags == 0 ? "-" : "");
    bool first = true;
    for (unsigned i = 0; i < 5; i++) {
        if ((tags & (1u << i)) == 0)
            continue;
        put(w, "%s%s", first ? "" : ",", names[i]);
        first = false;
    }
}

static void put_loads(script_writer *w, uint32_t cpu, uint32_t memory, uint32_t network)
{
    put_number(w, "cpu", cpu);
    put_number(w, "memory", memory);
    put_number(w, "network", network);
}

void script_write_limits(script_writer *w, const tvd_limits *l)
{
    put_number(w, "max_task_records", l->max_task_records);
    put_number(w, "max_active_tasks", l->max_active_tasks);
    put_number(w, "max_queued_tasks", l->max_queued_tasks);
    put_number(w, "max_terminal_tasks", l->max_terminal_tasks);
    put_number(w, "max_workers", l->max_workers);
    put_number(w, "max_retries", l->max_retries);
    put_number(w, "max_lease_ttl_secs", l->max_lease_ttl_secs);
    put_number(w, "max_task_ttl_secs", l->max_task_ttl_secs);
    put_number(w, "heartbeat_timeout_secs", l->heartbeat_timeout_secs);
}

void script_write_result_limits(script_writer *w, const tvd_result_limits *l)
{
    put_number(w, "max_results", l->max_results);
    put_number(w, "max_result_bytes", l->max_result_bytes);
    put_number(w, "max_total_bytes", l->max_total_bytes);
    put_number(w, "max_aggregate_items", l->max_aggregate_items);
    put_number(w, "max_aggregate_bytes", l->max_aggregate_bytes);
}

void script_write_head(script_writer *w, const char *name, const session_options *options)
{
    put(w, "trace %s\nlimits", name);
    script_write_limits(w, &options->limits);
    put(w, "\nresult_limits");
    script_write_result_limits(w, &options->result_limits);
    put(w, "\npools count=%u\n", options->pool_count);
}

static bool output_is_optional(operation op)
{
    switch (op) {
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
    case OP_UPDATE_WORKER:
    case OP_ENQUEUE:
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
    case OP_DEREGISTER_WORKER:
    case OP_RECOVER_EXPIRED_LEASES:
    case OP_PRUNE_DEAD_WORKERS:
    case OP_EXPIRE_OLD_TASKS:
    case OP_STORE_RESULT:
        return true;
    default:
        return false;
    }
}

void script_simplify(command *c)
{
    c->nulls &= ~(unsigned)NULL_ERROR;
    if (output_is_optional(c->op))
        c->nulls &= ~(unsigned)NULL_OUTPUT;
}

static bool spec_is_expressible(const tvd_task_spec *spec)
{
    return spec->task_id != NULL && spec->scan_id != NULL && spec->target_ref_size <= 4096 &&
           (spec->target_ref != NULL || spec->target_ref_size == 0) && spec->phases_count <= 4096 &&
           (spec->phases != NULL || spec->phases_count == 0) &&
           (unsigned)spec->priority <= TVD_TASK_PRIORITY_CRITICAL;
}

static bool ids_are_expressible(const command *c)
{
    if (c->request_count > 4096 || (c->request_is_null && c->request_count > 0))
        return false;
    for (size_t i = 0; i < c->request_count; i++) {
        if (command_task_ids(c)[i] == NULL)
            return false;
    }
    return true;
}

bool script_can_express(const command *c, const outcome *expected)
{
    bool plain_token = c->token.serial != 0 && c->token.alteration == ALTERATION_NONE;
    if (c->nulls != 0 || expected->error.status == TVD_ERROR_INVALID_ARGUMENT)
        return false;
    switch (c->op) {
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
        return c->worker_spec.worker_id != NULL && c->worker_spec.tags <= 31;
    case OP_UPDATE_WORKER:
        return (unsigned)c->observation.status <= TVD_WORKER_STATUS_OFFLINE;
    case OP_ENQUEUE:
        return spec_is_expressible(&c->task_spec);
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
        return plain_token;
    case OP_STORE_RESULT:
        return plain_token && c->bytes_size <= 65536;
    case OP_AGGREGATE_RESULTS:
        return ids_are_expressible(c);
    case OP_TASKS:
    case OP_WORKERS:
    case OP_SNAPSHOT:
    case OP_NEXT_DUE:
        return false;
    default:
        return true;
    }
}

static void put_name(script_writer *w, const char *key, char kind, uint32_t serial)
{
    const uint32_t *names = kind == 'R' ? w->receipts : w->owners;
    size_t count = kind == 'R' ? w->receipt_count : w->owner_count;
    for (size_t i = 0; i < count; i++) {
        if (names[i] == serial) {
            put(w, " %s=%c%zu", key, kind, i);
            return;
        }
    }
    put(w, " %s=%c?", key, kind);
}

static void new_name(script_writer *w, const char *key, char kind, uint32_t serial)
{
    uint32_t **names = kind == 'R' ? &w->receipts : &w->owners;
    size_t *count = kind == 'R' ? &w->receipt_count : &w->owner_count;
    *names = realloc(*names, (*count + 1) * sizeof **names);
    if (*names == NULL)
        abort();
    (*names)[(*count)++] = serial;
    put(w, " %s=%c%zu", key, kind, *count - 1);
}

static void put_task_spec(script_writer *w, const tvd_task_spec *spec)
{
    put_text(w, "task", spec->task_id);
    put_text(w, "scan", spec->scan_id);
    put_bytes(w, "target", spec->target_ref, spec->target_ref_size);
    put_list(w, "phases", spec->phases, spec->phases_count);
    tvd_task_priority priority = spec->priority == 0 ? TVD_TASK_PRIORITY_NORMAL : spec->priority;
    put(w, " priority=%s", tvd_task_priority_name(priority));
}

static void put_worker_spec(script_writer *w, const command *c)
{
    const tvd_worker_spec *spec = &c->worker_spec;
    put_text(w, "worker", spec->worker_id);
    if (c->op == OP_REACTIVATE_WORKER)
        put_number(w, "generation", c->generation);
    put_number(w, "capacity", spec->capacity);
    put_loads(w, spec->cpu_basis_points, spec->memory_basis_points, spec->network_basis_points);
    put_tags(w, spec->tags);
}

static void put_observation(script_writer *w, const command *c)
{
    put_text(w, "worker", c->worker_id);
    put_number(w, "generation", c->generation);
    put(w, " status=%s", tvd_worker_status_name(c->observation.status));
    put_loads(w, c->observation.cpu_basis_points, c->observation.memory_basis_points,
              c->observation.network_basis_points);
}

static void put_ids(script_writer *w, const command *c)
{
    put_number(w, "count", c->request_count);
    for (size_t i = 0; i < c->request_count; i++)
        put_text(w, "task", command_task_ids(c)[i]);
}

static void put_assignment(script_writer *w, const command *c)
{
    if (c->op == OP_ASSIGN_TASK)
        put_text(w, "task", c->task_id);
    if (c->op != OP_ASSIGN_NEXT_AVAILABLE)
        put_text(w, "worker", c->worker_id);
    put_number(w, "ttl", c->ttl);
}

static bool changes_state(operation op)
{
    switch (op) {
    case OP_TRY_LIMITS:
    case OP_TRY_RESULT_LIMITS:
    case OP_GET_AVAILABLE_WORKER:
    case OP_GET_WORKER:
    case OP_WORKERS:
    case OP_GET_TASK:
    case OP_PEEK_NEXT:
    case OP_OWNERSHIP:
    case OP_TASKS:
    case OP_SNAPSHOT:
    case OP_NEXT_DUE:
    case OP_AGGREGATE_RESULTS:
    case OP_GET_RESULT:
        return false;
    default:
        return true;
    }
}

void script_write_command(script_writer *w, const command *c, const outcome *expected)
{
    bool no_offer = c->op == OP_OWNERSHIP && !expected->has_ownership;
    put(w, "%s", script_op_name(no_offer ? OP_GET_TASK : c->op));
    if (changes_state(c->op))
        put_number(w, "rev", c->revision);
    if ((changes_state(c->op) && c->op != OP_STORE_RESULT) || c->op == OP_GET_AVAILABLE_WORKER)
        put_number(w, "now", c->now);
    switch (c->op) {
    case OP_TRY_LIMITS:
        script_write_limits(w, &c->limits);
        break;
    case OP_TRY_RESULT_LIMITS:
        script_write_result_limits(w, &c->result_limits);
        break;
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
        put_worker_spec(w, c);
        break;
    case OP_UPDATE_WORKER:
        put_observation(w, c);
        break;
    case OP_ENQUEUE:
        put_task_spec(w, &c->task_spec);
        break;
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        put_assignment(w, c);
        break;
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
        put_name(w, "lease", 'O', c->token.serial);
        break;
    case OP_CANCEL_TASK:
        put_name(w, "ownership", 'O', c->token.serial);
        break;
    case OP_DEREGISTER_WORKER:
        put_text(w, "worker", c->worker_id);
        put_number(w, "generation", c->generation);
        break;
    case OP_EXPIRE_OLD_TASKS:
        put_number(w, "ttl", c->ttl);
        break;
    case OP_GET_TASK:
    case OP_OWNERSHIP:
    case OP_GET_RESULT:
        put_text(w, "task", c->task_id);
        break;
    case OP_GET_WORKER:
        put_text(w, "worker", c->worker_id);
        break;
    case OP_STORE_RESULT:
        put_name(w, "receipt", 'R', c->token.serial);
        put_hex(w, c->bytes, c->bytes_size);
        break;
    case OP_AGGREGATE_RESULTS:
        put_ids(w, c);
        break;
    default:
        break;
    }
    put(w, "\n");
}

static void put_task(script_writer *w, const tvd_task *t)
{
    bool leased = t->status == TVD_TASK_STATUS_LEASED || t->status == TVD_TASK_STATUS_RUNNING;
    put(w, " task");
    put_text(w, "id", t->task_id);
    put_text(w, "scan", t->scan_id);
    put_bytes(w, "target", t->target_ref, t->target_ref_size);
    put_list(w, "phases", t->phases, t->phases_count);
    put(w, " status=%s", tvd_task_status_name(t->status));
    put(w, " priority=%s", tvd_task_priority_name(t->priority));
    put_number(w, "created_at", t->created_at_secs);
    put_optional(w, "started_at", t->has_started_at, t->started_at_secs);
    put_optional(w, "completed_at", t->has_completed_at, t->completed_at_secs);
    put_number(w, "retry_count", t->retry_count);
    put_number(w, "attempt", t->attempt);
    put_number(w, "task_generation", t->task_generation);
    put_number(w, "record_version", t->record_version);
    put_text(w, "assigned_to", leased ? t->assigned_to : "-");
    put_optional(w, "lease_id", leased, t->lease_id);
}

static void put_worker(script_writer *w, const tvd_worker *k)
{
    put(w, " worker");
    put_text(w, "id", k->worker_id);
    put_number(w, "generation", k->generation);
    put(w, " status=%s", tvd_worker_status_name(k->status));
    put_number(w, "capacity", k->capacity);
    put_number(w, "current_tasks", k->current_tasks);
    put_number(w, "completed_tasks", k->completed_tasks);
    put_number(w, "last_heartbeat", k->last_heartbeat_secs);
    put_loads(w, k->cpu_basis_points, k->memory_basis_points, k->network_basis_points);
    put_tags(w, k->tags);
    put_number(w, "effective_capacity", k->effective_capacity);
    put_number(w, "available_slots", k->available_slots);
}

static void put_lease(script_writer *w, const model_lease *l)
{
    put(w, " lease");
    put_text(w, "task", l->task_id);
    put_text(w, "worker", l->worker_id);
    put_number(w, "worker_generation", l->worker_generation);
    put_number(w, "task_generation", l->task_generation);
    put_number(w, "attempt", l->attempt);
    put_number(w, "lease_id", l->lease_id);
    put_number(w, "acquired_at", l->acquired_at);
    put_number(w, "expires_at", l->expires_at);
}

static void put_receipt(script_writer *w, const model_completion *done)
{
    const model_receipt *r = &done->receipt;
    put(w, " %s receipt", tvd_completion_kind_name(done->kind));
    put_text(w, "task", r->task_id);
    put_number(w, "task_generation", r->task_generation);
    put_number(w, "attempt", r->attempt);
    put_number(w, "lease_id", r->lease_id);
    put_text(w, "worker", r->worker_id);
    put_number(w, "worker_generation", r->worker_generation);
    put_number(w, "record_version", r->record_version);
}

static void put_failure(script_writer *w, const tvd_failure_outcome *f)
{
    put(w, " %s", tvd_failure_kind_name(f->kind));
    if (f->kind == TVD_REQUEUED)
        put_number(w, "task_generation", f->task_generation);
    put_number(w, "retry_count", f->retry_count);
    put_number(w, "record_version", f->record_version);
}

/* The fields of an error line, in the order of FORMAT.md. */
static void put_error(script_writer *w, const tvd_error *e)
{
    static const struct {
        tvd_status status;
        const char *fields; /* A letter each, in order. */
    } kinds[] = {
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
    put(w, " error %s", tvd_status_name(e->status));
    const char *fields = "d";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].status == e->status)
            fields = kinds[i].fields;
    }
    for (; *fields != '\0'; fields++) {
        switch (*fields) {
        case 'd':
            put(w, " detail=%s", tvd_detail_name(e->detail));
            break;
        case 'a':
            put_number(w, "actual", e->actual);
            break;
        case 'm':
            put_number(w, "maximum", e->limit);
            break;
        case 'e':
            put_number(w, "expected", e->expected);
            break;
        case 'c':
            put_number(w, "current", e->expected);
            break;
        case 'p':
            put_number(w, "proposed", e->actual);
            break;
        case 't':
            put_text(w, "task", e->identifier);
            break;
        case 'w':
            put_text(w, "worker", e->identifier);
            break;
        case 's':
            put(w, " status=%s", tvd_task_status_name(e->task_status));
            break;
        case 'o':
            put(w, " operation=%s", tvd_operation_name(e->operation));
            break;
        default:
            put_number(w, "limit", e->limit);
            break;
        }
    }
}

static void put_items(script_writer *w, const command *c, const outcome *o)
{
    if (c->op == OP_AGGREGATE_RESULTS)
        put_number(w, "count", o->count);
    for (size_t i = 0; i < o->count; i++) {
        if (c->op == OP_AGGREGATE_RESULTS)
            put_text(w, "task", o->items[i].task_id);
        put_hex(w, o->items[i].bytes, o->items[i].size);
    }
}

static void put_success(script_writer *w, const command *c, const outcome *o)
{
    put(w, " ok");
    if (changes_state(c->op))
        put_number(w, "rev", o->revision);
    switch (o->shape) {
    case SHAPE_TASK:
        put_task(w, &o->task);
        if (o->has_ownership)
            new_name(w, "ownership", 'O', c->serial);
        break;
    case SHAPE_WORKER:
        put_worker(w, &o->worker);
        break;
    case SHAPE_LEASE:
        put_lease(w, &o->lease);
        new_name(w, "as", 'O', c->serial);
        break;
    case SHAPE_START:
        put(w, " %s", tvd_start_kind_name(o->start.kind));
        put_number(w, "record_version", o->start.record_version);
        break;
    case SHAPE_COMPLETION:
        put_receipt(w, &o->completion);
        new_name(w, "as", 'R', c->serial);
        break;
    case SHAPE_FAILURE:
        put_failure(w, &o->failure);
        break;
    case SHAPE_CANCELLATION:
        put(w, " %s", tvd_cancellation_kind_name(o->cancellation.kind));
        put_number(w, "record_version", o->cancellation.record_version);
        break;
    case SHAPE_RECOVERY:
        put(w, " recovery");
        put_number(w, "workers_affected", o->recovery.workers_affected);
        put_number(w, "tasks_requeued", o->recovery.tasks_requeued);
        put_number(w, "tasks_failed", o->recovery.tasks_failed);
        break;
    case SHAPE_EXPIRED:
        put_number(w, "expired", o->expired);
        break;
    case SHAPE_STORE:
        put(w, " %s", tvd_store_outcome_name(o->store));
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
    put(w, "=");
    if (expected->error.status != TVD_OK)
        put_error(w, &expected->error);
    else if (!expected->found)
        put(w, " none");
    else
        put_success(w, c, expected);
    put(w, "\n");
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
    put(w, "= ok snapshot");
    put_number(w, "revision", s.revision);
    put_number(w, "logical_time", s.logical_time_secs);
    put_number(w, "task_records", s.task_records);
    put_number(w, "active_tasks", s.active_tasks);
    put_number(w, "queued_tasks", s.queued_tasks);
    put_number(w, "terminal_tasks", s.terminal_tasks);
    put_number(w, "workers", s.workers);
    put(w, "\n");
    for (size_t i = 0; i < task_count; i++) {
        put(w, "|");
        put_task(w, &tasks[i]);
        put(w, "\n");
    }
    for (size_t i = 0; i < worker_count; i++) {
        put(w, "|");
        put_worker(w, &workers[i]);
        put(w, "\n");
    }
    free(tasks);
    free(workers);
}

void script_write_totals(script_writer *w, const model_aggregator *a)
{
    put(w, "= ok");
    put_number(w, "revision", a->revision);
    put_number(w, "results", a->result_count);
    put_number(w, "total_bytes", model_total_bytes(a));
    put(w, "\n");
}
