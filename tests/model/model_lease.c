/* Section 6 of the contract: the commands that need a token. */
#include "model.h"

#include <string.h>

/* The nulls, the preflight and the look-up, which start, complete and fail have in common. */
static tvd_error find_holder(model *m, const tvd_cursor *cursor, const model_lease *lease, model_task **task)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (lease == NULL)
        return model_null(TVD_DETAIL_LEASE);
    tvd_error error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    if (!model_id_valid(lease->task_id))
        return model_error_id(TVD_ERROR_TASK_NOT_FOUND, "");
    *task = model_find_task(m, lease->task_id);
    if (*task == NULL)
        return model_error_id(TVD_ERROR_TASK_NOT_FOUND, lease->task_id);
    return model_ok();
}

static tvd_error stale(const model_task *task)
{
    return model_error_id(TVD_ERROR_STALE_OWNERSHIP, task->seen.task_id);
}

static tvd_error invalid_transition(const model_task *task, tvd_operation operation)
{
    tvd_error error = model_error_id(TVD_ERROR_INVALID_TRANSITION, task->seen.task_id);
    error.task_status = task->seen.status;
    error.operation = operation;
    return error;
}

tvd_error model_start_task(model *m, tvd_cursor *cursor, const model_lease *lease, tvd_start_outcome *outcome)
{
    model_task *task = NULL;
    tvd_error error = find_holder(m, cursor, lease, &task);
    if (error.status == TVD_OK)
        error = model_check_current_lease(m, task, lease, cursor->now_secs);
    if (error.status != TVD_OK)
        return error;

    tvd_start_outcome done = { TVD_ALREADY_RUNNING, 0 };
    if (task->seen.status != TVD_TASK_STATUS_RUNNING) {
        task->seen.status = TVD_TASK_STATUS_RUNNING;
        task->seen.has_started_at = true;
        task->seen.started_at_secs = cursor->now_secs;
        task->seen.record_version += 1;
        model_commit(m, cursor);
        done.kind = TVD_STARTED;
    } else if (m->fault == MODEL_FAULT_REPLAY_MOVES_TIME) {
        m->logical_time = cursor->now_secs;
    }
    done.record_version = task->seen.record_version;
    if (outcome != NULL)
        *outcome = done;
    return model_ok();
}

static bool receipt_matches(const model_receipt *receipt, const model_lease *lease)
{
    return strcmp(receipt->task_id, lease->task_id) == 0 &&
           receipt->task_generation == lease->task_generation && receipt->attempt == lease->attempt &&
           receipt->lease_id == lease->lease_id && strcmp(receipt->worker_id, lease->worker_id) == 0 &&
           receipt->worker_generation == lease->worker_generation;
}

static void give_receipt(model_task *task, const model_lease *lease)
{
    memset(&task->receipt, 0, sizeof task->receipt);
    strcpy(task->receipt.task_id, lease->task_id);
    strcpy(task->receipt.worker_id, lease->worker_id);
    task->receipt.task_generation = lease->task_generation;
    task->receipt.attempt = lease->attempt;
    task->receipt.lease_id = lease->lease_id;
    task->receipt.worker_generation = lease->worker_generation;
    task->receipt.record_version = task->seen.record_version;
}

static tvd_error complete(model *m, tvd_cursor *cursor, model_task *task, const model_lease *lease)
{
    tvd_error error = model_check_current_lease(m, task, lease, cursor->now_secs);
    if (error.status != TVD_OK)
        return error;
    if (task->seen.status != TVD_TASK_STATUS_RUNNING)
        return invalid_transition(task, TVD_OPERATION_COMPLETE);
    tvd_worker *worker = model_find_worker(m, lease->worker_id);
    if (worker->completed_tasks == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_COMPLETED_TASKS);

    worker->completed_tasks += 1;
    model_end_task(m, task, TVD_TASK_STATUS_COMPLETED, cursor->now_secs);
    give_receipt(task, lease);
    model_commit(m, cursor);
    return model_ok();
}

tvd_error model_complete_task(model *m, tvd_cursor *cursor, const model_lease *lease, model_completion *outcome)
{
    model_task *task = NULL;
    tvd_error error = find_holder(m, cursor, lease, &task);
    if (error.status != TVD_OK)
        return error;
    bool replay = task->seen.status == TVD_TASK_STATUS_COMPLETED;
    if (replay && !receipt_matches(&task->receipt, lease))
        return stale(task);
    if (!replay)
        error = complete(m, cursor, task, lease);
    if (error.status == TVD_OK && outcome != NULL) {
        outcome->kind = replay ? TVD_ALREADY_COMPLETED : TVD_COMPLETED;
        outcome->receipt = task->receipt;
    }
    return error;
}

static tvd_failure_outcome failure_of(const model_task *task, tvd_failure_kind kind)
{
    tvd_failure_outcome outcome = { kind, task->seen.retry_count, task->seen.task_generation,
                                    task->seen.record_version };
    return outcome;
}

static tvd_error fail(model *m, tvd_cursor *cursor, model_task *task, const model_lease *lease,
                      tvd_failure_outcome *done)
{
    tvd_error error = model_check_current_lease(m, task, lease, cursor->now_secs);
    if (error.status != TVD_OK)
        return error;
    if (task->seen.status != TVD_TASK_STATUS_RUNNING)
        return invalid_transition(task, TVD_OPERATION_FAIL);
    if (model_has_retries(m, task)) {
        if (model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_QUEUED) >= m->limits.max_queued_tasks)
            return model_error_limit(TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, m->limits.max_queued_tasks);
        if (m->next_ordinal == UINT64_MAX)
            return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_ENQUEUE_ORDINAL);
        model_requeue(m, task);
        *done = failure_of(task, TVD_REQUEUED);
    } else {
        model_end_task(m, task, TVD_TASK_STATUS_FAILED, cursor->now_secs);
        *done = failure_of(task, TVD_RETRY_EXHAUSTED);
        task->has_failure = true;
        task->failure_lease = *lease;
        task->failure = *done;
    }
    model_commit(m, cursor);
    return model_ok();
}

tvd_error model_fail_task(model *m, tvd_cursor *cursor, const model_lease *lease, tvd_failure_outcome *outcome)
{
    model_task *task = NULL;
    tvd_error error = find_holder(m, cursor, lease, &task);
    if (error.status != TVD_OK)
        return error;
    tvd_failure_outcome done;
    if (task->seen.status == TVD_TASK_STATUS_FAILED) {
        if (!task->has_failure || !model_lease_equal(&task->failure_lease, lease))
            return stale(task);
        done = task->failure;
    } else {
        error = fail(m, cursor, task, lease, &done);
    }
    if (error.status == TVD_OK && outcome != NULL)
        *outcome = done;
    return error;
}

static bool fence_equal(const model_fence *a, const model_fence *b)
{
    return strcmp(a->task_id, b->task_id) == 0 && a->task_generation == b->task_generation &&
           a->record_version == b->record_version;
}

static bool ownership_equal(const model_ownership *a, const model_ownership *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == TVD_OWNERSHIP_LEASE ? model_lease_equal(&a->lease, &b->lease)
                                          : fence_equal(&a->fence, &b->fence);
}

static tvd_error check_ownership(model *m, const model_task *task, const model_ownership *ownership,
                                 uint64_t now)
{
    if (ownership->kind == TVD_OWNERSHIP_LEASE)
        return model_check_current_lease(m, task, &ownership->lease, now);
    if (task->seen.status != TVD_TASK_STATUS_QUEUED)
        return stale(task);
    bool any_version = m->fault == MODEL_FAULT_FENCE_IGNORES_VERSION;
    if (ownership->fence.task_generation != task->seen.task_generation ||
        (ownership->fence.record_version != task->seen.record_version && !any_version))
        return stale(task);
    return model_ok();
}

static tvd_error check_cancel_arguments(const model *m, const tvd_cursor *cursor,
                                        const model_ownership *ownership)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (ownership == NULL)
        return model_null(TVD_DETAIL_OWNERSHIP);
    if (ownership->kind != TVD_OWNERSHIP_LEASE && ownership->kind != TVD_OWNERSHIP_QUEUED_FENCE)
        return model_error_detail(TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_OWNERSHIP);
    return model_preflight(m, cursor);
}

tvd_error model_cancel_task(model *m, tvd_cursor *cursor, const model_ownership *ownership,
                            tvd_cancellation_outcome *outcome)
{
    tvd_error error = check_cancel_arguments(m, cursor, ownership);
    if (error.status != TVD_OK)
        return error;
    bool by_lease = ownership->kind == TVD_OWNERSHIP_LEASE;
    const char *task_id = by_lease ? ownership->lease.task_id : ownership->fence.task_id;
    if (!model_id_valid(task_id))
        return model_error_id(TVD_ERROR_TASK_NOT_FOUND, "");
    model_task *task = model_find_task(m, task_id);
    if (task == NULL)
        return model_error_id(TVD_ERROR_TASK_NOT_FOUND, task_id);

    bool replay = task->seen.status == TVD_TASK_STATUS_CANCELLED;
    if (replay && !ownership_equal(&task->cancelled_by, ownership))
        return stale(task);
    if (!replay) {
        error = check_ownership(m, task, ownership, cursor->now_secs);
        if (error.status != TVD_OK)
            return error;
        model_end_task(m, task, TVD_TASK_STATUS_CANCELLED, cursor->now_secs);
        task->cancelled_by = *ownership;
        model_commit(m, cursor);
    }
    if (outcome != NULL) {
        outcome->kind = replay ? TVD_ALREADY_CANCELLED : TVD_CANCELLED;
        outcome->record_version = task->seen.record_version;
    }
    return model_ok();
}
