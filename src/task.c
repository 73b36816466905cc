#include "task.h"

#include "error.h"
#include "worker.h"

#include <string.h>

static tvd_status read_id(struct tvd_id *id, const char *text, tvd_detail empty, tvd_detail too_long,
                          tvd_detail unsafe, tvd_error *error)
{
    const tvd_detail details[] = {
        [TVD_ID_EMPTY] = empty, [TVD_ID_TOO_LONG] = too_long, [TVD_ID_UNSAFE] = unsafe
    };
    enum tvd_id_fault fault = tvd_id_read(id, text);

    if (fault != TVD_ID_VALID)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_TASK, details[fault]);
    return TVD_OK;
}

static tvd_status refuse_null_members(const tvd_task_spec *spec, tvd_error *error)
{
    if (!tvd_given(spec->task_id, TVD_DETAIL_TASK_ID, error) ||
        !tvd_given(spec->scan_id, TVD_DETAIL_SCAN_ID, error) ||
        (spec->target_ref_size > 0 && !tvd_given(spec->target_ref, TVD_DETAIL_TARGET_REF, error)) ||
        (spec->phases_count > 0 && !tvd_given(spec->phases, TVD_DETAIL_PHASES, error)))
        return TVD_ERROR_INVALID_ARGUMENT;
    return TVD_OK;
}

static bool is_priority(tvd_task_priority priority)
{
    switch (priority) {
    case TVD_TASK_PRIORITY_LOW:
    case TVD_TASK_PRIORITY_NORMAL:
    case TVD_TASK_PRIORITY_HIGH:
    case TVD_TASK_PRIORITY_CRITICAL:
        return true;
    }
    return false;
}

tvd_status tvd_task_check_spec(const tvd_task_spec *spec, struct tvd_id *task_id, struct tvd_task_sizes *sizes,
                               tvd_error *error)
{
    struct tvd_id scan_id;
    tvd_detail fault = TVD_DETAIL_NONE;
    tvd_status status = refuse_null_members(spec, error);

    if (status == TVD_OK)
        status = read_id(task_id, spec->task_id, TVD_DETAIL_TASK_ID_EMPTY, TVD_DETAIL_TASK_ID_TOO_LONG,
                         TVD_DETAIL_TASK_ID_UNSAFE, error);
    if (status == TVD_OK)
        status = read_id(&scan_id, spec->scan_id, TVD_DETAIL_SCAN_ID_EMPTY, TVD_DETAIL_SCAN_ID_TOO_LONG,
                         TVD_DETAIL_SCAN_ID_UNSAFE, error);
    if (status != TVD_OK)
        return status;

    if (spec->target_ref_size == 0)
        fault = TVD_DETAIL_TARGET_REF_EMPTY;
    else if (spec->target_ref_size > TVD_MAX_TARGET_REF_BYTES)
        fault = TVD_DETAIL_TARGET_REF_TOO_LONG;
    else if (spec->phases_count > TVD_MAX_PHASES)
        fault = TVD_DETAIL_PHASES_TOO_MANY;
    else if (spec->priority != 0 && !is_priority(spec->priority))
        fault = TVD_DETAIL_PRIORITY_INVALID;
    if (fault != TVD_DETAIL_NONE)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_TASK, fault);
    sizes->task_id = task_id->size;
    sizes->scan_id = scan_id.size;
    sizes->target_ref = spec->target_ref_size;
    sizes->phases = spec->phases_count;
    return TVD_OK;
}

size_t tvd_task_record_size(const struct tvd_task_sizes *sizes)
{
    return sizeof(struct tvd_task_record) + tvd_id_padded_size(sizes->task_id) + sizes->scan_id + 1 +
           sizes->target_ref + sizes->phases;
}

struct tvd_task_sizes tvd_task_sizes_of(const struct tvd_task_record *task)
{
    return (struct tvd_task_sizes){ task->task_id_size, task->scan_id_size, task->target_ref_size,
                                    task->phases_count };
}

static const char *scan_id_of(const struct tvd_task_record *task)
{
    return task->text + tvd_id_padded_size(task->task_id_size);
}

static const char *target_ref_of(const struct tvd_task_record *task)
{
    return scan_id_of(task) + task->scan_id_size + 1;
}

static const char *phases_of(const struct tvd_task_record *task)
{
    return target_ref_of(task) + task->target_ref_size;
}

void tvd_task_init(struct tvd_task_record *task, const tvd_task_spec *spec, const struct tvd_id *task_id,
                   const struct tvd_task_sizes *sizes)
{
    char *text = task->text;

    memset(task, 0, sizeof *task);
    task->task_id_size = (uint16_t)sizes->task_id;
    task->scan_id_size = (uint16_t)sizes->scan_id;
    task->target_ref_size = (uint16_t)sizes->target_ref;
    task->phases_count = (uint16_t)sizes->phases;
    task->priority = (uint8_t)(spec->priority == 0 ? TVD_TASK_PRIORITY_NORMAL : spec->priority);

    memcpy(text, task_id->bytes, tvd_id_padded_size(task_id->size));
    text += tvd_id_padded_size(task_id->size);
    memcpy(text, spec->scan_id, sizes->scan_id + 1);
    text += sizes->scan_id + 1;
    memcpy(text, spec->target_ref, sizes->target_ref);
    text += sizes->target_ref;
    if (sizes->phases > 0)
        memcpy(text, spec->phases, sizes->phases);
}

void tvd_task_report(const struct tvd_task_record *task, tvd_task *report)
{
    memset(report, 0, sizeof *report);
    memcpy(report->task_id, tvd_task_id(task), task->task_id_size);
    memcpy(report->scan_id, scan_id_of(task), task->scan_id_size);
    memcpy(report->target_ref, target_ref_of(task), task->target_ref_size);
    memcpy(report->phases, phases_of(task), task->phases_count);
    report->target_ref_size = task->target_ref_size;
    report->phases_count = task->phases_count;
    report->status = (tvd_task_status)task->status;
    report->priority = (tvd_task_priority)task->priority;
    report->retry_count = task->retry_count;
    report->attempt = task->attempt;
    report->task_generation = task->task_generation;
    report->record_version = task->record_version;
    report->created_at_secs = task->created_at_secs;
    report->has_started_at = task->has_started_at;
    report->started_at_secs = task->started_at_secs;
    report->has_completed_at = !tvd_task_is_active(task);
    report->completed_at_secs = task->completed_at_secs;
    report->private_hint = task->hint;
    if (tvd_task_is_held(task)) {
        memcpy(report->assigned_to, task->lease_worker->worker_id, task->lease_worker->worker_id_size);
        report->lease_id = task->lease_id;
        report->lease_worker_generation = task->lease_worker_generation;
        report->lease_acquired_at_secs = task->lease_acquired_at_secs;
        report->lease_expires_at_secs = task->lease_expires_at_secs;
    }
}

void tvd_task_make_lease(const struct tvd_task_record *task, tvd_task_lease *lease)
{
    lease->private_worker_generation = task->lease_worker_generation;
    lease->private_task_generation = task->task_generation;
    lease->private_lease_id = task->lease_id;
    lease->private_acquired_at_secs = task->lease_acquired_at_secs;
    lease->private_expires_at_secs = task->lease_expires_at_secs;
    lease->private_attempt = task->attempt;
    lease->private_hint = task->hint;
    tvd_id_copy(lease->private_task_id, tvd_task_id(task), task->task_id_size);
    tvd_id_copy(lease->private_worker_id, task->lease_worker->worker_id, task->lease_worker->worker_id_size);
    memset(lease->private_zero, 0, sizeof lease->private_zero);
}

void tvd_task_make_receipt(const struct tvd_task_record *task, tvd_completion_receipt *receipt)
{
    receipt->private_task_generation = task->task_generation;
    receipt->private_lease_id = task->lease_id;
    receipt->private_worker_generation = task->lease_worker_generation;
    receipt->private_record_version = task->record_version;
    receipt->private_attempt = task->attempt;
    tvd_id_copy(receipt->private_task_id, tvd_task_id(task), task->task_id_size);
    tvd_id_copy(receipt->private_worker_id, task->lease_worker->worker_id, task->lease_worker->worker_id_size);
    memset(receipt->private_zero, 0, sizeof receipt->private_zero);
}

bool tvd_task_lease_is(const struct tvd_task_record *task, const tvd_task_lease *lease)
{
    return tvd_task_receipt_matches(task, lease) &&
           task->lease_acquired_at_secs == lease->private_acquired_at_secs &&
           task->lease_expires_at_secs == lease->private_expires_at_secs;
}

/* The task ID is the same already: it led to the record. */
bool tvd_task_receipt_matches(const struct tvd_task_record *task, const tvd_task_lease *lease)
{
    const struct tvd_worker_record *worker = task->lease_worker;

    return task->lease_id == lease->private_lease_id && task->attempt == lease->private_attempt &&
           task->task_generation == lease->private_task_generation &&
           task->lease_worker_generation == lease->private_worker_generation &&
           tvd_id_equals(lease->private_worker_id, worker->worker_id, worker->worker_id_size);
}
