/*
 * Taking back what was lost: expired leases, gone workers, tasks past their time. Contract: section 7. Each command
 * first gathers what it would change, then checks, then changes all of it.
 */
#include "coordinator.h"
#include "error.h"
#include "lifecycle.h"

/* Leased and running tasks to be recovered, linked by batch_next. */
struct batch {
    struct tvd_task_record *first;
    size_t count;
    uint64_t to_requeue;
};

static void batch_add(const struct tvd_coordinator *coordinator, struct batch *batch,
                      struct tvd_task_record *task)
{
    task->batch_next = batch->first;
    batch->first = task;
    batch->count += 1;
    batch->to_requeue += tvd_lifecycle_may_retry(coordinator, task);
}

static void batch_add_worker(const struct tvd_coordinator *coordinator, struct batch *batch,
                             const struct tvd_worker_record *worker)
{
    struct tvd_link *link = tvd_list_first(&worker->leases);

    for (; link != NULL; link = tvd_list_next(&worker->leases, link))
        batch_add(coordinator, batch, tvd_task_from_worker_link(link));
}

static struct tvd_task_record *merge(struct tvd_task_record *one, struct tvd_task_record *other)
{
    struct tvd_task_record *merged = NULL;
    struct tvd_task_record **tail = &merged;

    while (one != NULL && other != NULL) {
        struct tvd_task_record **smaller = one->lease_id < other->lease_id ? &one : &other;

        *tail = *smaller;
        tail = &(*smaller)->batch_next;
        *smaller = *tail;
    }
    *tail = one != NULL ? one : other;
    return merged;
}

/* Takes the first count tasks off a chain and returns them in the order of their lease IDs. */
static struct tvd_task_record *take_sorted(struct tvd_task_record **chain, size_t count)
{
    struct tvd_task_record *first;

    if (count == 1) {
        first = *chain;
        *chain = first->batch_next;
        first->batch_next = NULL;
        return first;
    }
    first = take_sorted(chain, count / 2);
    return merge(first, take_sorted(chain, count - count / 2));
}

/* Counts each worker of the batch once. The revision that this command will commit marks those already counted. */
static void count_worker(const struct tvd_coordinator *coordinator, struct tvd_worker_record *worker,
                         tvd_recovery_summary *summary)
{
    uint64_t mark = coordinator->now.revision + 1;

    if (worker->affected_at_revision != mark) {
        worker->affected_at_revision = mark;
        summary->workers_affected += 1;
    }
}

static void recover_locked(struct tvd_coordinator *coordinator, struct batch *batch, uint64_t now_secs,
                           tvd_recovery_summary *summary)
{
    struct tvd_task_record *task = batch->count == 0 ? NULL : take_sorted(&batch->first, batch->count);

    for (; task != NULL; task = task->batch_next) {
        count_worker(coordinator, task->lease_worker, summary);
        if (tvd_lifecycle_may_retry(coordinator, task)) {
            tvd_lifecycle_requeue_locked(coordinator, task);
            summary->tasks_requeued += 1;
        } else {
            tvd_lifecycle_end_locked(coordinator, task, TVD_TASK_STATUS_FAILED, TVD_PROOF_NONE, now_secs);
            summary->tasks_failed += 1;
        }
    }
}

/* What the three commands that recover leases do last. */
static void finish_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                          const tvd_recovery_summary *done, tvd_recovery_summary *summary)
{
    tvd_coordinator_commit_locked(coordinator, cursor);
    if (summary != NULL)
        *summary = *done;
}

static tvd_status recover_expired_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                         tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_recovery_summary done = { 0 };
    struct batch batch = { 0 };
    struct tvd_map_node *node = tvd_map_first(&coordinator->leases_by_expiry);
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status != TVD_OK)
        return status;
    for (; node != NULL; node = tvd_map_next(node)) {
        struct tvd_task_record *task = tvd_task_from_expiry_node(node);

        if (cursor->now_secs < task->lease_expires_at_secs)
            break;
        batch_add(coordinator, &batch, task);
    }
    status = tvd_coordinator_check_requeue_locked(coordinator, batch.to_requeue, error);
    if (status != TVD_OK)
        return status;

    recover_locked(coordinator, &batch, cursor->now_secs, &done);
    finish_locked(coordinator, cursor, &done, summary);
    return TVD_OK;
}

tvd_status tvd_worker_pool_recover_expired_leases(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                  tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    status = recover_expired_locked(pool->coordinator, cursor, summary, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

static tvd_status check_generation(const struct tvd_worker_record *worker, tvd_error *error)
{
    if (worker->generation == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);
    return TVD_OK;
}

/* Comes before the recovery of its leases, so that their slots are returned to a worker without a rank. */
static void take_offline_locked(struct tvd_coordinator *coordinator, struct tvd_worker_record *worker)
{
    tvd_coordinator_unrank_locked(coordinator, worker);
    tvd_list_remove(&worker->heartbeat_link);
    tvd_worker_take_offline(worker);
}

static tvd_status deregister_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                    const struct tvd_id *worker_id, uint64_t worker_generation,
                                    tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_recovery_summary done = { 0 };
    struct batch batch = { 0 };
    struct tvd_worker_record *worker = NULL;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status == TVD_OK)
        status = tvd_coordinator_need_online_locked(coordinator, worker_id, worker_generation, &worker, error);
    if (status == TVD_OK)
        status = check_generation(worker, error);
    if (status != TVD_OK)
        return status;
    batch_add_worker(coordinator, &batch, worker);
    status = tvd_coordinator_check_requeue_locked(coordinator, batch.to_requeue, error);
    if (status != TVD_OK)
        return status;

    count_worker(coordinator, worker, &done);
    take_offline_locked(coordinator, worker);
    recover_locked(coordinator, &batch, cursor->now_secs, &done);
    finish_locked(coordinator, cursor, &done, summary);
    return TVD_OK;
}

tvd_status tvd_worker_pool_deregister_worker(tvd_worker_pool *pool, tvd_cursor *cursor, const char *worker_id,
                                             uint64_t worker_generation, tvd_recovery_summary *summary,
                                             tvd_error *error)
{
    struct tvd_id id;
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(worker_id, TVD_DETAIL_WORKER_ID, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_id_read_worker(&id, worker_id, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    status = deregister_locked(pool->coordinator, cursor, &id, worker_generation, summary, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

/* The dead worker behind this link of workers_by_heartbeat, or null: the rest was heard of later. */
static struct tvd_worker_record *dead_worker_at(const struct tvd_coordinator *coordinator,
                                                const struct tvd_link *link, uint64_t now_secs)
{
    uint64_t timeout_secs = coordinator->limits.heartbeat_timeout_secs;
    struct tvd_worker_record *worker;

    if (link == NULL)
        return NULL;
    worker = tvd_worker_from_heartbeat_link(link);
    return tvd_heartbeat_is_stale(worker->last_heartbeat_secs, now_secs, timeout_secs) ? worker : NULL;
}

/* Gathers the leases of every dead worker, and checks all generations before any task is looked at. */
static tvd_status gather_dead_locked(const struct tvd_coordinator *coordinator, uint64_t now_secs,
                                     struct batch *batch, tvd_error *error)
{
    const struct tvd_list *workers = &coordinator->workers_by_heartbeat;
    const struct tvd_link *link = tvd_list_first(workers);
    struct tvd_worker_record *worker;

    for (; (worker = dead_worker_at(coordinator, link, now_secs)) != NULL;
         link = tvd_list_next(workers, link)) {
        tvd_status status = check_generation(worker, error);

        if (status != TVD_OK)
            return status;
        batch_add_worker(coordinator, batch, worker);
    }
    return tvd_coordinator_check_requeue_locked(coordinator, batch->to_requeue, error);
}

static tvd_status prune_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                               tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_recovery_summary done = { 0 };
    struct batch batch = { 0 };
    struct tvd_worker_record *worker = NULL;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status == TVD_OK)
        status = gather_dead_locked(coordinator, cursor->now_secs, &batch, error);
    if (status != TVD_OK)
        return status;

    while ((worker = dead_worker_at(coordinator, tvd_list_first(&coordinator->workers_by_heartbeat),
                                    cursor->now_secs)) != NULL) {
        count_worker(coordinator, worker, &done);
        take_offline_locked(coordinator, worker);
    }
    recover_locked(coordinator, &batch, cursor->now_secs, &done);
    finish_locked(coordinator, cursor, &done, summary);
    return TVD_OK;
}

tvd_status tvd_worker_pool_prune_dead_workers(tvd_worker_pool *pool, tvd_cursor *cursor,
                                              tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    status = prune_locked(pool->coordinator, cursor, summary, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

/* The oldest active task, if it is old enough. */
static struct tvd_task_record *first_old_locked(const struct tvd_coordinator *coordinator, uint64_t now_secs,
                                                uint64_t task_ttl_secs)
{
    struct tvd_link *link = tvd_list_first(&coordinator->active_tasks);
    struct tvd_task_record *task;

    if (link == NULL)
        return NULL;
    task = tvd_task_from_active_link(link);
    return now_secs - task->created_at_secs >= task_ttl_secs ? task : NULL;
}

static tvd_status expire_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor, uint64_t task_ttl_secs,
                                size_t *expired, tvd_error *error)
{
    struct tvd_task_record *task;
    size_t count = 0;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status != TVD_OK)
        return status;
    if (task_ttl_secs > coordinator->limits.max_task_ttl_secs)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                               TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);

    while ((task = first_old_locked(coordinator, cursor->now_secs, task_ttl_secs)) != NULL) {
        tvd_lifecycle_end_locked(coordinator, task, TVD_TASK_STATUS_EXPIRED, TVD_PROOF_NONE, cursor->now_secs);
        count += 1;
    }
    tvd_coordinator_commit_locked(coordinator, cursor);
    if (expired != NULL)
        *expired = count;
    return TVD_OK;
}

tvd_status tvd_worker_pool_expire_old_tasks(tvd_worker_pool *pool, tvd_cursor *cursor, uint64_t task_ttl_secs,
                                            size_t *expired, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    if (task_ttl_secs == 0)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_TASK_TTL_SECS);

    tvd_guard_lock(&pool->coordinator->guard);
    status = expire_locked(pool->coordinator, cursor, task_ttl_secs, expired, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}
