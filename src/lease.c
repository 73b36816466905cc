/*
 * The holder's commands: start, complete, fail, cancel. Contract: section 6.
 */
#include "coordinator.h"
#include "error.h"
#include "lifecycle.h"

/*
 * The record of a token's task. The hint leads to it at once if the identifier there is the token's; otherwise the
 * identifier decides, as if there were no hint.
 */
static tvd_status find_by_token_locked(const struct tvd_coordinator *coordinator,
                                       const char field[TVD_MAX_IDENTIFIER_BYTES + 1], uint32_t hint,
                                       struct tvd_task_record **task, tvd_error *error)
{
    struct tvd_id task_id;

    if (hint < coordinator->now.task_records) {
        *task = coordinator->tasks_by_hint[hint];
        if (tvd_id_equals(field, tvd_task_id(*task), (*task)->task_id_size))
            return TVD_OK;
    }
    if (tvd_id_read(&task_id, field) != TVD_ID_VALID)
        return tvd_fail_identifier(error, TVD_ERROR_TASK_NOT_FOUND, "");
    *task = tvd_coordinator_find_task_locked(coordinator, &task_id);
    if (*task == NULL)
        return tvd_fail_identifier(error, TVD_ERROR_TASK_NOT_FOUND, task_id.bytes);
    return TVD_OK;
}

static tvd_status stale(const struct tvd_task_record *task, tvd_error *error)
{
    return tvd_fail_identifier(error, TVD_ERROR_STALE_OWNERSHIP, tvd_task_id(task));
}

/* Whether the lease is the task's current one and its time is not over. */
static tvd_status check_current(const struct tvd_task_record *task, const tvd_task_lease *lease,
                                uint64_t now_secs, tvd_error *error)
{
    if (!tvd_task_is_held(task) || !tvd_task_lease_is(task, lease))
        return stale(task, error);
    if (now_secs >= task->lease_expires_at_secs)
        return tvd_fail_identifier(error, TVD_ERROR_LEASE_EXPIRED, tvd_task_id(task));
    return TVD_OK;
}

/* The same, and the task runs. */
static tvd_status check_running(const struct tvd_task_record *task, const tvd_task_lease *lease,
                                uint64_t now_secs, tvd_operation operation, tvd_error *error)
{
    tvd_status status = check_current(task, lease, now_secs, error);

    if (status == TVD_OK && task->status != TVD_TASK_STATUS_RUNNING)
        return tvd_fail_task_status(error, TVD_ERROR_INVALID_TRANSITION, tvd_task_id(task),
                                    (tvd_task_status)task->status, operation);
    return status;
}

static tvd_status find_by_lease_locked(struct tvd_coordinator *coordinator, const tvd_cursor *cursor,
                                       const tvd_task_lease *lease, struct tvd_task_record **task,
                                       tvd_error *error)
{
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status != TVD_OK)
        return status;
    return find_by_token_locked(coordinator, lease->private_task_id, lease->private_hint, task, error);
}

static tvd_status start_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                               const tvd_task_lease *lease, tvd_start_outcome *outcome, tvd_error *error)
{
    tvd_start_kind kind = TVD_ALREADY_RUNNING;
    struct tvd_task_record *task;
    tvd_status status = find_by_lease_locked(coordinator, cursor, lease, &task, error);

    if (status == TVD_OK)
        status = check_current(task, lease, cursor->now_secs, error);
    if (status != TVD_OK)
        return status;

    if (task->status != TVD_TASK_STATUS_RUNNING) {
        kind = TVD_STARTED;
        tvd_lifecycle_start_locked(coordinator, task, cursor->now_secs);
        tvd_coordinator_commit_locked(coordinator, cursor);
    }
    if (outcome != NULL)
        *outcome = (tvd_start_outcome){ .kind = kind, .record_version = task->record_version };
    return TVD_OK;
}

tvd_status tvd_worker_pool_start_task(tvd_worker_pool *pool, tvd_cursor *cursor, const tvd_task_lease *lease,
                                      tvd_start_outcome *outcome, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(lease, TVD_DETAIL_LEASE, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    status = start_locked(pool->coordinator, cursor, lease, outcome, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

static tvd_status check_completion(const struct tvd_task_record *task, const tvd_task_lease *lease,
                                   uint64_t now_secs, tvd_error *error)
{
    tvd_status status = check_running(task, lease, now_secs, TVD_OPERATION_COMPLETE, error);

    if (status == TVD_OK && task->lease_worker->completed_tasks == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_COMPLETED_TASKS);
    return status;
}

static tvd_status complete_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                  const tvd_task_lease *lease, tvd_completion_outcome *outcome,
                                  tvd_error *error)
{
    tvd_completion_kind kind = TVD_ALREADY_COMPLETED;
    struct tvd_task_record *task;
    tvd_status status = find_by_lease_locked(coordinator, cursor, lease, &task, error);

    if (status != TVD_OK)
        return status;
    if (task->status == TVD_TASK_STATUS_COMPLETED) {
        if (!tvd_task_receipt_matches(task, lease))
            return stale(task, error);
    } else {
        status = check_completion(task, lease, cursor->now_secs, error);
        if (status != TVD_OK)
            return status;

        kind = TVD_COMPLETED;
        task->lease_worker->completed_tasks += 1;
        tvd_lifecycle_end_locked(coordinator, task, TVD_TASK_STATUS_COMPLETED, TVD_PROOF_LEASE,
                                 cursor->now_secs);
        tvd_coordinator_commit_locked(coordinator, cursor);
    }
    if (outcome != NULL) {
        outcome->kind = kind;
        tvd_task_make_receipt(task, &outcome->receipt);
    }
    return TVD_OK;
}

tvd_status tvd_worker_pool_complete_task(tvd_worker_pool *pool, tvd_cursor *cursor, const tvd_task_lease *lease,
                                         tvd_completion_outcome *outcome, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(lease, TVD_DETAIL_LEASE, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    status = complete_locked(pool->coordinator, cursor, lease, outcome, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

static tvd_status fail_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                              const tvd_task_lease *lease, tvd_failure_outcome *outcome, tvd_error *error)
{
    struct tvd_task_record *task;
    tvd_status status = find_by_lease_locked(coordinator, cursor, lease, &task, error);

    if (status != TVD_OK)
        return status;
    if (task->status == TVD_TASK_STATUS_FAILED) {
        if (task->proof != TVD_PROOF_LEASE || !tvd_task_lease_is(task, lease))
            return stale(task, error);
    } else {
        status = check_running(task, lease, cursor->now_secs, TVD_OPERATION_FAIL, error);
        if (status == TVD_OK && tvd_lifecycle_may_retry(coordinator, task))
            status = tvd_coordinator_check_requeue_locked(coordinator, 1, error);
        if (status != TVD_OK)
            return status;

        if (tvd_lifecycle_may_retry(coordinator, task))
            tvd_lifecycle_requeue_locked(coordinator, task);
        else
            tvd_lifecycle_end_locked(coordinator, task, TVD_TASK_STATUS_FAILED, TVD_PROOF_LEASE,
                                     cursor->now_secs);
        tvd_coordinator_commit_locked(coordinator, cursor);
    }
    if (outcome != NULL)
        *outcome = (tvd_failure_outcome){
            .kind = task->status == TVD_TASK_STATUS_FAILED ? TVD_RETRY_EXHAUSTED : TVD_REQUEUED,
            .retry_count = task->retry_count,
            .task_generation = task->task_generation,
            .record_version = task->record_version,
        };
    return TVD_OK;
}

tvd_status tvd_worker_pool_fail_task(tvd_worker_pool *pool, tvd_cursor *cursor, const tvd_task_lease *lease,
                                     tvd_failure_outcome *outcome, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(lease, TVD_DETAIL_LEASE, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    status = fail_locked(pool->coordinator, cursor, lease, outcome, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

/* What cancel_task is given: one of the two tokens, the other is null. */
struct owner {
    const tvd_queued_task_fence *fence;
    const tvd_task_lease *lease;
};

static bool is_queued_under(const struct tvd_task_record *task, const tvd_queued_task_fence *fence)
{
    return task->status == TVD_TASK_STATUS_QUEUED && task->task_generation == fence->private_task_generation &&
           task->record_version == fence->private_record_version;
}

/* Cancelling was the last change of the record, so that the fence has the version before the last. */
static bool was_cancelled_by(const struct tvd_task_record *task, const struct owner *owner)
{
    if (owner->fence != NULL)
        return task->proof == TVD_PROOF_FENCE &&
               task->task_generation == owner->fence->private_task_generation &&
               task->record_version - 1 == owner->fence->private_record_version;
    return task->proof == TVD_PROOF_LEASE && tvd_task_lease_is(task, owner->lease);
}

static tvd_status check_owner(const struct tvd_task_record *task, const struct owner *owner, uint64_t now_secs,
                              tvd_error *error)
{
    if (owner->lease != NULL)
        return check_current(task, owner->lease, now_secs, error);
    return is_queued_under(task, owner->fence) ? TVD_OK : stale(task, error);
}

static tvd_status find_by_owner_locked(struct tvd_coordinator *coordinator, const tvd_cursor *cursor,
                                       const struct owner *owner, struct tvd_task_record **task,
                                       tvd_error *error)
{
    const tvd_queued_task_fence *fence = owner->fence;
    tvd_status status;

    if (owner->lease != NULL)
        return find_by_lease_locked(coordinator, cursor, owner->lease, task, error);
    status = tvd_coordinator_preflight_locked(coordinator, cursor, error);
    if (status != TVD_OK)
        return status;
    return find_by_token_locked(coordinator, fence->private_task_id, fence->private_hint, task, error);
}

static tvd_status cancel_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                const struct owner *owner, tvd_cancellation_outcome *outcome, tvd_error *error)
{
    tvd_cancellation_kind kind = TVD_ALREADY_CANCELLED;
    struct tvd_task_record *task;
    tvd_status status = find_by_owner_locked(coordinator, cursor, owner, &task, error);

    if (status != TVD_OK)
        return status;
    if (task->status == TVD_TASK_STATUS_CANCELLED) {
        if (!was_cancelled_by(task, owner))
            return stale(task, error);
    } else {
        status = check_owner(task, owner, cursor->now_secs, error);
        if (status != TVD_OK)
            return status;

        kind = TVD_CANCELLED;
        tvd_lifecycle_end_locked(coordinator, task, TVD_TASK_STATUS_CANCELLED,
                                 owner->lease != NULL ? TVD_PROOF_LEASE : TVD_PROOF_FENCE, cursor->now_secs);
        tvd_coordinator_commit_locked(coordinator, cursor);
    }
    if (outcome != NULL)
        *outcome = (tvd_cancellation_outcome){ .kind = kind, .record_version = task->record_version };
    return TVD_OK;
}

tvd_status tvd_worker_pool_cancel_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                       const tvd_task_ownership *ownership, tvd_cancellation_outcome *outcome,
                                       tvd_error *error)
{
    const struct owner owner = { tvd_task_ownership_fence(ownership), tvd_task_ownership_lease(ownership) };
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    if (owner.fence == NULL && owner.lease == NULL) /* also when the ownership is null */
        return tvd_fail_argument(error, TVD_DETAIL_OWNERSHIP);

    tvd_guard_lock(&pool->coordinator->guard);
    status = cancel_locked(pool->coordinator, cursor, &owner, outcome, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}
