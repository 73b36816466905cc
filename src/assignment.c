/*
 * Giving queued tasks to workers. Contract: section 6, assign_task, assign_next, assign_next_available.
 */
#include "coordinator.h"
#include "error.h"
#include "lifecycle.h"

static tvd_status check_lease_ttl(const tvd_limits *limits, uint64_t lease_ttl_secs, tvd_error *error)
{
    if (lease_ttl_secs == 0)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_LEASE_TTL_SECS);
    if (lease_ttl_secs > limits->max_lease_ttl_secs)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                               TVD_DETAIL_LEASE_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);
    return TVD_OK;
}

static tvd_status check_worker(const struct tvd_coordinator *coordinator,
                               const struct tvd_worker_record *worker, uint64_t now_secs, tvd_error *error)
{
    if (worker->status != TVD_WORKER_STATUS_HEALTHY ||
        tvd_heartbeat_is_stale(worker->last_heartbeat_secs, now_secs,
                               coordinator->limits.heartbeat_timeout_secs))
        return tvd_fail_identifier(error, TVD_ERROR_WORKER_UNAVAILABLE, worker->worker_id);
    if (tvd_worker_available_slots(worker) == 0)
        return tvd_fail_identifier(error, TVD_ERROR_WORKER_AT_CAPACITY, worker->worker_id);
    return TVD_OK;
}

static tvd_status check_counters(const struct tvd_coordinator *coordinator, uint64_t now_secs,
                                 uint64_t lease_ttl_secs, tvd_error *error)
{
    if (now_secs > UINT64_MAX - lease_ttl_secs)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_LEASE_DEADLINE);
    if (coordinator->next_lease_id == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_LEASE_ID);
    return TVD_OK;
}

/* A task is named, or it is the head of the queue; a worker is named, or it is the best. */
struct choice {
    const struct tvd_id *task_id;   /* null: the head of the queue */
    const struct tvd_id *worker_id; /* null: the best worker */
    uint64_t lease_ttl_secs;
};

static tvd_status choose_task_locked(const struct tvd_coordinator *coordinator, const struct tvd_id *task_id,
                                     struct tvd_task_record **task, tvd_error *error)
{
    *task = tvd_coordinator_find_task_locked(coordinator, task_id);
    if (*task == NULL)
        return tvd_fail_identifier(error, TVD_ERROR_TASK_NOT_FOUND, task_id->bytes);
    if ((*task)->status != TVD_TASK_STATUS_QUEUED)
        return tvd_fail_task_status(error, TVD_ERROR_TASK_NOT_QUEUED, task_id->bytes,
                                    (tvd_task_status)(*task)->status, TVD_OPERATION_NONE);
    return TVD_OK;
}

/* What the coordinator itself chooses comes before every check of what the caller chose. */
static tvd_status choose_locked(const struct tvd_coordinator *coordinator, const struct choice *choice,
                                uint64_t now_secs, struct tvd_task_record **task,
                                struct tvd_worker_record **worker, tvd_error *error)
{
    tvd_status status = TVD_OK;

    if (choice->task_id == NULL && (*task = tvd_coordinator_head_locked(coordinator)) == NULL)
        return tvd_fail(error, TVD_ERROR_NO_QUEUED_TASK);
    if (choice->worker_id == NULL &&
        (*worker = tvd_coordinator_best_worker_locked(coordinator, now_secs)) == NULL)
        return tvd_fail(error, TVD_ERROR_NO_AVAILABLE_WORKER);
    status = check_lease_ttl(&coordinator->limits, choice->lease_ttl_secs, error);
    if (status == TVD_OK && choice->task_id != NULL)
        status = choose_task_locked(coordinator, choice->task_id, task, error);
    if (status == TVD_OK && choice->worker_id != NULL)
        status = tvd_coordinator_need_worker_locked(coordinator, choice->worker_id, worker, error);
    return status;
}

static tvd_status assign_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                const struct choice *choice, tvd_task_lease *lease, tvd_error *error)
{
    struct tvd_task_record *task = NULL;
    struct tvd_worker_record *worker = NULL;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status == TVD_OK)
        status = choose_locked(coordinator, choice, cursor->now_secs, &task, &worker, error);
    if (status == TVD_OK)
        status = check_worker(coordinator, worker, cursor->now_secs, error);
    if (status == TVD_OK)
        status = check_counters(coordinator, cursor->now_secs, choice->lease_ttl_secs, error);
    if (status != TVD_OK)
        return status;

    tvd_lifecycle_lease_locked(coordinator, task, worker, cursor->now_secs, choice->lease_ttl_secs);
    tvd_coordinator_commit_locked(coordinator, cursor);
    tvd_task_make_lease(task, lease);
    return TVD_OK;
}

/* An identifier that is null is the coordinator's to choose. */
static tvd_status assign(tvd_worker_pool *pool, tvd_cursor *cursor, const char *task_id, const char *worker_id,
                         uint64_t lease_ttl_secs, tvd_task_lease *lease, tvd_error *error)
{
    struct tvd_id task;
    struct tvd_id worker;
    struct choice choice = { .lease_ttl_secs = lease_ttl_secs };
    tvd_status status = TVD_OK;

    if (task_id != NULL) {
        choice.task_id = &task;
        status = tvd_id_read_task(&task, task_id, error);
    }
    if (status == TVD_OK && worker_id != NULL) {
        choice.worker_id = &worker;
        status = tvd_id_read_worker(&worker, worker_id, error);
    }
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    status = assign_locked(pool->coordinator, cursor, &choice, lease, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

tvd_status tvd_worker_pool_assign_task(tvd_worker_pool *pool, tvd_cursor *cursor, const char *task_id,
                                       const char *worker_id, uint64_t lease_ttl_secs, tvd_task_lease *lease,
                                       tvd_error *error)
{
    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(task_id, TVD_DETAIL_TASK_ID, error) || !tvd_given(worker_id, TVD_DETAIL_WORKER_ID, error) ||
        !tvd_given(lease, TVD_DETAIL_LEASE, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    return assign(pool, cursor, task_id, worker_id, lease_ttl_secs, lease, error);
}

tvd_status tvd_worker_pool_assign_next(tvd_worker_pool *pool, tvd_cursor *cursor, const char *worker_id,
                                       uint64_t lease_ttl_secs, tvd_task_lease *lease, tvd_error *error)
{
    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(worker_id, TVD_DETAIL_WORKER_ID, error) || !tvd_given(lease, TVD_DETAIL_LEASE, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    return assign(pool, cursor, NULL, worker_id, lease_ttl_secs, lease, error);
}

tvd_status tvd_worker_pool_assign_next_available(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                 uint64_t lease_ttl_secs, tvd_task_lease *lease,
                                                 tvd_error *error)
{
    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(lease, TVD_DETAIL_LEASE, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    return assign(pool, cursor, NULL, NULL, lease_ttl_secs, lease, error);
}
