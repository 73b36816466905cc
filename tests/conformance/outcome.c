#include "outcome.h"

#include <string.h>

static void append_key(byte_buffer *out, const char *key)
{
    buffer_append_string(out, " ");
    buffer_append_string(out, key);
    buffer_append_string(out, "=");
}

void outcome_number(byte_buffer *out, const char *key, uint64_t number)
{
    append_key(out, key);
    buffer_append_u64(out, number);
}

static void append_optional_number(byte_buffer *out, const char *key, bool present, uint64_t number)
{
    append_key(out, key);
    if (present)
        buffer_append_u64(out, number);
    else
        buffer_append_string(out, "-");
}

static void append_word(byte_buffer *out, const char *key, const char *word)
{
    append_key(out, key);
    buffer_append_string(out, word);
}

/* An identifier out of a report or token. */
static void append_identifier(byte_buffer *out, const char *key, const char *identifier)
{
    append_key(out, key);
    buffer_append_escaped(out, identifier, strlen(identifier));
}

static void append_phases(byte_buffer *out, const tvd_task *task)
{
    append_word(out, "phases", task->phases_count == 0 ? "-" : "");
    for (size_t i = 0; i < task->phases_count; i++) {
        if (i > 0)
            buffer_append_string(out, ",");
        buffer_append_u64(out, task->phases[i]);
    }
}

void outcome_task(byte_buffer *out, const tvd_task *task)
{
    bool held = task->assigned_to[0] != '\0';

    buffer_append_string(out, "task");
    append_identifier(out, "id", task->task_id);
    append_identifier(out, "scan", task->scan_id);
    append_key(out, "target");
    buffer_append_escaped(out, task->target_ref, task->target_ref_size);
    append_phases(out, task);
    append_word(out, "status", tvd_task_status_name(task->status));
    append_word(out, "priority", tvd_task_priority_name(task->priority));
    outcome_number(out, "created_at", task->created_at_secs);
    append_optional_number(out, "started_at", task->has_started_at, task->started_at_secs);
    append_optional_number(out, "completed_at", task->has_completed_at, task->completed_at_secs);
    outcome_number(out, "retry_count", task->retry_count);
    outcome_number(out, "attempt", task->attempt);
    outcome_number(out, "task_generation", task->task_generation);
    outcome_number(out, "record_version", task->record_version);
    append_identifier(out, "assigned_to", held ? task->assigned_to : "-");
    append_optional_number(out, "lease_id", task->lease_id != 0, task->lease_id);
}

static void append_tags(byte_buffer *out, uint32_t set)
{
    const char *separator = "";

    append_word(out, "tags", set == 0 ? "-" : "");
    for (uint32_t tag = 1; tag != 0; tag <<= 1) {
        if ((set & tag) == 0)
            continue;
        buffer_append_string(out, separator);
        buffer_append_string(out, tvd_worker_tag_name((tvd_worker_tag)tag));
        separator = ",";
    }
}

void outcome_worker(byte_buffer *out, const tvd_worker *worker)
{
    buffer_append_string(out, "worker");
    append_identifier(out, "id", worker->worker_id);
    outcome_number(out, "generation", worker->generation);
    append_word(out, "status", tvd_worker_status_name(worker->status));
    outcome_number(out, "capacity", worker->capacity);
    outcome_number(out, "current_tasks", worker->current_tasks);
    outcome_number(out, "completed_tasks", worker->completed_tasks);
    outcome_number(out, "last_heartbeat", worker->last_heartbeat_secs);
    outcome_number(out, "cpu", worker->cpu_basis_points);
    outcome_number(out, "memory", worker->memory_basis_points);
    outcome_number(out, "network", worker->network_basis_points);
    append_tags(out, worker->tags);
    outcome_number(out, "effective_capacity", worker->effective_capacity);
    outcome_number(out, "available_slots", worker->available_slots);
}

void outcome_lease(byte_buffer *out, const tvd_task_lease *lease)
{
    buffer_append_string(out, "lease");
    append_identifier(out, "task", tvd_task_lease_task_id(lease));
    append_identifier(out, "worker", tvd_task_lease_worker_id(lease));
    outcome_number(out, "worker_generation", tvd_task_lease_worker_generation(lease));
    outcome_number(out, "task_generation", tvd_task_lease_task_generation(lease));
    outcome_number(out, "attempt", tvd_task_lease_attempt(lease));
    outcome_number(out, "lease_id", tvd_task_lease_lease_id(lease));
    outcome_number(out, "acquired_at", tvd_task_lease_acquired_at_secs(lease));
    outcome_number(out, "expires_at", tvd_task_lease_expires_at_secs(lease));
}

void outcome_receipt(byte_buffer *out, const tvd_completion_receipt *receipt)
{
    buffer_append_string(out, "receipt");
    append_identifier(out, "task", tvd_completion_receipt_task_id(receipt));
    outcome_number(out, "task_generation", tvd_completion_receipt_task_generation(receipt));
    outcome_number(out, "attempt", tvd_completion_receipt_attempt(receipt));
    outcome_number(out, "lease_id", tvd_completion_receipt_lease_id(receipt));
    append_identifier(out, "worker", tvd_completion_receipt_worker_id(receipt));
    outcome_number(out, "worker_generation", tvd_completion_receipt_worker_generation(receipt));
    outcome_number(out, "record_version", tvd_completion_receipt_record_version(receipt));
}

void outcome_recovery(byte_buffer *out, const tvd_recovery_summary *summary)
{
    buffer_append_string(out, "recovery");
    outcome_number(out, "workers_affected", summary->workers_affected);
    outcome_number(out, "tasks_requeued", summary->tasks_requeued);
    outcome_number(out, "tasks_failed", summary->tasks_failed);
}

void outcome_snapshot(byte_buffer *out, const tvd_state_snapshot *snapshot)
{
    buffer_append_string(out, "snapshot");
    outcome_number(out, "revision", snapshot->revision);
    outcome_number(out, "logical_time", snapshot->logical_time_secs);
    outcome_number(out, "task_records", snapshot->task_records);
    outcome_number(out, "active_tasks", snapshot->active_tasks);
    outcome_number(out, "queued_tasks", snapshot->queued_tasks);
    outcome_number(out, "terminal_tasks", snapshot->terminal_tasks);
    outcome_number(out, "workers", snapshot->workers);
}

void outcome_aggregate(byte_buffer *out, const tvd_aggregate *aggregate)
{
    size_t count = tvd_aggregate_count(aggregate);

    outcome_number(out, "count", count);
    for (size_t i = 0; i < count; i++) {
        append_identifier(out, "task", tvd_aggregate_task_id(aggregate, i));
        append_key(out, "bytes");
        buffer_append_hex(out, tvd_aggregate_bytes(aggregate, i), tvd_aggregate_size(aggregate, i));
    }
}

/* The members of tvd_error that an error can have. */
typedef enum member {
    MEMBER_DETAIL,
    MEMBER_EXPECTED,
    MEMBER_ACTUAL,
    MEMBER_LIMIT,
    MEMBER_TASK_STATUS,
    MEMBER_OPERATION,
    MEMBER_IDENTIFIER
} member;

typedef struct error_field {
    const char *key;
    member member;
} error_field;

/* Which fields each kind has, in the order of the traces. A key of null ends a shorter list. */
typedef struct error_form {
    tvd_status status;
    error_field fields[3];
} error_form;

static const error_form error_forms[] = {
    { TVD_ERROR_INVALID_ARGUMENT, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_OUT_OF_MEMORY, { { NULL, MEMBER_DETAIL } } },
    { TVD_ERROR_STATE_INVARIANT, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_INVALID_LIMIT, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_INVALID_LIMIT_RELATIONSHIP, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM,
      { { "detail", MEMBER_DETAIL }, { "actual", MEMBER_ACTUAL }, { "maximum", MEMBER_LIMIT } } },
    { TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM,
      { { "detail", MEMBER_DETAIL }, { "actual", MEMBER_ACTUAL }, { "maximum", MEMBER_LIMIT } } },
    { TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM, { { "actual", MEMBER_ACTUAL }, { "maximum", MEMBER_LIMIT } } },
    { TVD_ERROR_INVALID_TASK, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_INVALID_WORKER, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_REVISION_CONFLICT, { { "expected", MEMBER_EXPECTED }, { "actual", MEMBER_ACTUAL } } },
    { TVD_ERROR_LOGICAL_TIME_REGRESSION, { { "current", MEMBER_ACTUAL }, { "proposed", MEMBER_EXPECTED } } },
    { TVD_ERROR_COUNTER_EXHAUSTED, { { "detail", MEMBER_DETAIL } } },
    { TVD_ERROR_TASK_ALREADY_EXISTS, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_TASK_NOT_FOUND, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_TASK_NOT_QUEUED, { { "task", MEMBER_IDENTIFIER }, { "status", MEMBER_TASK_STATUS } } },
    { TVD_ERROR_INVALID_TRANSITION,
      { { "task", MEMBER_IDENTIFIER }, { "status", MEMBER_TASK_STATUS }, { "operation", MEMBER_OPERATION } } },
    { TVD_ERROR_STALE_OWNERSHIP, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_LEASE_EXPIRED, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_NO_QUEUED_TASK, { { NULL, MEMBER_DETAIL } } },
    { TVD_ERROR_TASK_RECORD_CAPACITY_REACHED, { { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED, { { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, { { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_TERMINAL_CAPACITY_RESERVED, { { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_WORKER_ALREADY_EXISTS, { { "worker", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_WORKER_NOT_FOUND, { { "worker", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_WORKER_GENERATION_CONFLICT, { { "expected", MEMBER_EXPECTED }, { "actual", MEMBER_ACTUAL } } },
    { TVD_ERROR_WORKER_UNAVAILABLE, { { "worker", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_WORKER_AT_CAPACITY, { { "worker", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_WORKER_CAPACITY_REACHED, { { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_NO_AVAILABLE_WORKER, { { NULL, MEMBER_DETAIL } } },
    { TVD_ERROR_CONFLICTING_RESULT, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_MISMATCHED_RESULT_RECEIPT, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_RESULT_CAPACITY_REACHED, { { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_RESULT_TOO_LARGE, { { "actual", MEMBER_ACTUAL }, { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED, { { "actual", MEMBER_ACTUAL }, { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, { { "actual", MEMBER_ACTUAL }, { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_AGGREGATE_BYTES_EXCEEDED, { { "actual", MEMBER_ACTUAL }, { "limit", MEMBER_LIMIT } } },
    { TVD_ERROR_DUPLICATE_AGGREGATE_TASK, { { "task", MEMBER_IDENTIFIER } } },
    { TVD_ERROR_MISSING_RESULT, { { "task", MEMBER_IDENTIFIER } } },
};

enum { MAX_ERROR_FIELDS = 3 };

/* The form of an error, or null if it is of no known kind. */
static const error_form *form_of(const tvd_error *error)
{
    for (size_t i = 0; i < sizeof error_forms / sizeof error_forms[0]; i++) {
        if (error_forms[i].status == error->status)
            return &error_forms[i];
    }
    return NULL;
}

static void append_error_field(byte_buffer *out, const error_field *field, const tvd_error *error)
{
    switch (field->member) {
    case MEMBER_DETAIL:
        append_word(out, field->key, tvd_detail_name(error->detail));
        break;
    case MEMBER_EXPECTED:
        outcome_number(out, field->key, error->expected);
        break;
    case MEMBER_ACTUAL:
        outcome_number(out, field->key, error->actual);
        break;
    case MEMBER_LIMIT:
        outcome_number(out, field->key, error->limit);
        break;
    case MEMBER_TASK_STATUS:
        append_word(out, field->key, tvd_task_status_name(error->task_status));
        break;
    case MEMBER_OPERATION:
        append_word(out, field->key, tvd_operation_name(error->operation));
        break;
    case MEMBER_IDENTIFIER:
        append_identifier(out, field->key, error->identifier);
        break;
    }
}

void outcome_error(byte_buffer *out, const tvd_error *error)
{
    const error_form *form = form_of(error);

    buffer_append_string(out, "= error ");
    buffer_append_string(out, tvd_status_name(error->status));
    for (int i = 0; form && i < MAX_ERROR_FIELDS && form->fields[i].key; i++)
        append_error_field(out, &form->fields[i], error);
}

static bool member_is_zero(const tvd_error *error, member which)
{
    switch (which) {
    case MEMBER_DETAIL:
        return error->detail == TVD_DETAIL_NONE;
    case MEMBER_EXPECTED:
        return error->expected == 0;
    case MEMBER_ACTUAL:
        return error->actual == 0;
    case MEMBER_LIMIT:
        return error->limit == 0;
    case MEMBER_TASK_STATUS:
        return error->task_status == 0;
    case MEMBER_OPERATION:
        return error->operation == TVD_OPERATION_NONE;
    case MEMBER_IDENTIFIER:
        return error->identifier[0] == '\0';
    }
    return false;
}

bool outcome_error_is_exact(const tvd_error *error)
{
    const error_form *form = form_of(error);

    for (int each = MEMBER_DETAIL; form && each <= MEMBER_IDENTIFIER; each++) {
        bool expected = false;
        for (int i = 0; i < MAX_ERROR_FIELDS && form->fields[i].key; i++)
            expected = expected || form->fields[i].member == (member)each;
        if (!expected && !member_is_zero(error, (member)each))
            return false;
    }
    return form != NULL;
}
