/*
 * One line of fields for logs. Target references and results are shown by their size alone. Contract: section 10.
 * What is written comes from the host and may hold anything.
 */
#include "text.h"

#include "termivar/distributed.h"

static void field_name(struct tvd_text *text, const char *name)
{
    tvd_text_string(text, " ");
    tvd_text_string(text, name);
    tvd_text_string(text, "=");
}

static void word(struct tvd_text *text, const char *name, const char *value)
{
    field_name(text, name);
    tvd_text_string(text, value);
}

static void identifier(struct tvd_text *text, const char *name, const char *value)
{
    field_name(text, name);
    tvd_text_identifier(text, value);
}

static void number(struct tvd_text *text, const char *name, uint64_t value)
{
    field_name(text, name);
    tvd_text_number(text, value);
}

static void number_if(struct tvd_text *text, const char *name, bool given, uint64_t value)
{
    if (given)
        number(text, name, value);
    else
        word(text, name, "-");
}

/* Starts a line with its kind; false, and the line is done, if there is nothing to write. */
static bool begin(struct tvd_text *text, char *buffer, size_t size, const char *kind, const void *value)
{
    tvd_text_begin(text, buffer, size);
    tvd_text_string(text, value == NULL ? "none" : kind);
    return value != NULL;
}

size_t tvd_task_format(const tvd_task *task, char *buffer, size_t size)
{
    struct tvd_text text;

    if (!begin(&text, buffer, size, "task", task))
        return text.length;
    identifier(&text, "id", task->task_id);
    identifier(&text, "scan", task->scan_id);
    number(&text, "target_ref_size", task->target_ref_size);
    number(&text, "phases_count", task->phases_count);
    word(&text, "status", tvd_task_status_name(task->status));
    word(&text, "priority", tvd_task_priority_name(task->priority));
    number(&text, "created_at_secs", task->created_at_secs);
    number_if(&text, "started_at_secs", task->has_started_at, task->started_at_secs);
    number_if(&text, "completed_at_secs", task->has_completed_at, task->completed_at_secs);
    number(&text, "retry_count", task->retry_count);
    number(&text, "attempt", task->attempt);
    number(&text, "task_generation", task->task_generation);
    number(&text, "record_version", task->record_version);
    if (task->lease_id != 0) {
        identifier(&text, "assigned_to", task->assigned_to);
        number(&text, "lease_id", task->lease_id);
        number(&text, "lease_expires_at_secs", task->lease_expires_at_secs);
    }
    return text.length;
}

static void tags_word(struct tvd_text *text, uint32_t tags)
{
    static const tvd_worker_tag all[] = { TVD_WORKER_TAG_LINUX, TVD_WORKER_TAG_WINDOWS, TVD_WORKER_TAG_GPU,
                                          TVD_WORKER_TAG_INTERNAL, TVD_WORKER_TAG_EXTERNAL };
    const char *separator = "";

    field_name(text, "tags");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if ((tags & (uint32_t)all[i]) != 0) {
            tvd_text_string(text, separator);
            tvd_text_string(text, tvd_worker_tag_name(all[i]));
            separator = ",";
        }
    }
    if (*separator == '\0')
        tvd_text_string(text, "-");
}

size_t tvd_worker_format(const tvd_worker *worker, char *buffer, size_t size)
{
    struct tvd_text text;

    if (!begin(&text, buffer, size, "worker", worker))
        return text.length;
    identifier(&text, "id", worker->worker_id);
    number(&text, "generation", worker->generation);
    word(&text, "status", tvd_worker_status_name(worker->status));
    number(&text, "capacity", worker->capacity);
    number(&text, "current_tasks", worker->current_tasks);
    number(&text, "effective_capacity", worker->effective_capacity);
    number(&text, "available_slots", worker->available_slots);
    number(&text, "completed_tasks", worker->completed_tasks);
    number(&text, "last_heartbeat_secs", worker->last_heartbeat_secs);
    number(&text, "cpu_basis_points", worker->cpu_basis_points);
    number(&text, "memory_basis_points", worker->memory_basis_points);
    number(&text, "network_basis_points", worker->network_basis_points);
    tags_word(&text, worker->tags);
    return text.length;
}

size_t tvd_task_lease_format(const tvd_task_lease *lease, char *buffer, size_t size)
{
    struct tvd_text text;

    if (!begin(&text, buffer, size, "lease", lease))
        return text.length;
    identifier(&text, "task", tvd_task_lease_task_id(lease));
    identifier(&text, "worker", tvd_task_lease_worker_id(lease));
    number(&text, "worker_generation", tvd_task_lease_worker_generation(lease));
    number(&text, "task_generation", tvd_task_lease_task_generation(lease));
    number(&text, "attempt", tvd_task_lease_attempt(lease));
    number(&text, "lease_id", tvd_task_lease_lease_id(lease));
    number(&text, "acquired_at_secs", tvd_task_lease_acquired_at_secs(lease));
    number(&text, "expires_at_secs", tvd_task_lease_expires_at_secs(lease));
    return text.length;
}

size_t tvd_completion_receipt_format(const tvd_completion_receipt *receipt, char *buffer, size_t size)
{
    struct tvd_text text;

    if (!begin(&text, buffer, size, "receipt", receipt))
        return text.length;
    identifier(&text, "task", tvd_completion_receipt_task_id(receipt));
    identifier(&text, "worker", tvd_completion_receipt_worker_id(receipt));
    number(&text, "worker_generation", tvd_completion_receipt_worker_generation(receipt));
    number(&text, "task_generation", tvd_completion_receipt_task_generation(receipt));
    number(&text, "attempt", tvd_completion_receipt_attempt(receipt));
    number(&text, "lease_id", tvd_completion_receipt_lease_id(receipt));
    number(&text, "record_version", tvd_completion_receipt_record_version(receipt));
    return text.length;
}

size_t tvd_state_snapshot_format(const tvd_state_snapshot *snapshot, char *buffer, size_t size)
{
    struct tvd_text text;

    if (!begin(&text, buffer, size, "snapshot", snapshot))
        return text.length;
    number(&text, "revision", snapshot->revision);
    number(&text, "logical_time_secs", snapshot->logical_time_secs);
    number(&text, "task_records", snapshot->task_records);
    number(&text, "active_tasks", snapshot->active_tasks);
    number(&text, "queued_tasks", snapshot->queued_tasks);
    number(&text, "terminal_tasks", snapshot->terminal_tasks);
    number(&text, "workers", snapshot->workers);
    return text.length;
}
