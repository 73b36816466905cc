/*
 * The worker pool handle: admission, heartbeats and reads of workers. Contract: section 5.
 */
#include "coordinator.h"
#include "error.h"
#include "memory.h"

#include <assert.h>

tvd_status tvd_worker_pool_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                  tvd_worker_pool **pool, tvd_error *error)
{
    struct tvd_coordinator *coordinator;
    tvd_allocator chosen;
    tvd_status status = tvd_memory_choose(allocator, &chosen, error);

    if (status != TVD_OK)
        return status;
    if (!tvd_given(pool, TVD_DETAIL_POOL, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_coordinator_create(limits, &chosen, &coordinator, error);
    if (status == TVD_OK)
        *pool = tvd_worker_pool_retain(&coordinator->pool);
    return status;
}

tvd_worker_pool *tvd_worker_pool_retain(tvd_worker_pool *pool)
{
    if (pool != NULL)
        tvd_guard_retain(&pool->coordinator->guard, &pool->handles);
    return pool;
}

void tvd_worker_pool_release(tvd_worker_pool *pool)
{
    if (pool != NULL)
        tvd_coordinator_release(pool->coordinator, &pool->handles);
}

tvd_task_queue *tvd_worker_pool_task_queue(tvd_worker_pool *pool)
{
    return pool == NULL ? NULL : tvd_task_queue_retain(&pool->coordinator->queue);
}

/* What registering, reactivating and a heartbeat have in common: the worker was heard of now. */
static void hear_of_locked(struct tvd_coordinator *coordinator, struct tvd_worker_record *worker,
                           uint64_t now_secs)
{
    if (tvd_link_is_attached(&worker->heartbeat_link))
        tvd_list_remove(&worker->heartbeat_link);
    worker->last_heartbeat_secs = now_secs;
    tvd_list_append(&coordinator->workers_by_heartbeat, &worker->heartbeat_link);
}

static void finish_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                          const struct tvd_worker_record *worker, tvd_worker *report)
{
    tvd_coordinator_commit_locked(coordinator, cursor);
    if (report != NULL)
        tvd_worker_report(worker, report);
}

/* How registering and reactivating end: the worker is healthy under its next generation, without tasks. */
static void come_online_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                               struct tvd_worker_record *worker, const tvd_worker_spec *spec,
                               tvd_worker *report)
{
    assert(worker->current_tasks == 0);
    worker->generation += 1;
    tvd_worker_take_spec(worker, spec);
    hear_of_locked(coordinator, worker, cursor->now_secs);
    tvd_coordinator_rank_locked(coordinator, worker);
    finish_locked(coordinator, cursor, worker, report);
}

/* What registering and reactivating ask of their arguments. */
static tvd_status check_admission(const tvd_worker_pool *pool, const tvd_cursor *cursor,
                                  const tvd_worker_spec *spec, struct tvd_id *worker_id, tvd_error *error)
{
    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(spec, TVD_DETAIL_SPEC, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    return tvd_worker_check_spec(spec, worker_id, error);
}

static tvd_status register_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                  const tvd_worker_spec *spec, const struct tvd_id *worker_id,
                                  tvd_worker *report, tvd_error *error)
{
    uint64_t limit = coordinator->limits.max_workers;
    struct tvd_worker_record *worker;
    struct tvd_map_place place;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status != TVD_OK)
        return status;
    if (tvd_map_find_place(&coordinator->workers_by_id, worker_id, tvd_worker_compare_id, &place) != NULL)
        return tvd_fail_identifier(error, TVD_ERROR_WORKER_ALREADY_EXISTS, worker_id->bytes);
    if (coordinator->now.workers >= limit)
        return tvd_fail_limit(error, TVD_ERROR_WORKER_CAPACITY_REACHED, limit);
    worker = tvd_coordinator_allocate_locked(coordinator, tvd_worker_record_size(worker_id->size));
    if (worker == NULL)
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);

    tvd_worker_init(worker, worker_id);
    tvd_map_insert(&coordinator->workers_by_id, &place, &worker->by_id);
    coordinator->now.workers += 1;
    come_online_locked(coordinator, cursor, worker, spec, report);
    return TVD_OK;
}

tvd_status tvd_worker_pool_register_worker(tvd_worker_pool *pool, tvd_cursor *cursor,
                                           const tvd_worker_spec *spec, tvd_worker *worker, tvd_error *error)
{
    struct tvd_id worker_id;
    tvd_status status = check_admission(pool, cursor, spec, &worker_id, error);

    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    status = register_locked(pool->coordinator, cursor, spec, &worker_id, worker, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

static tvd_status reactivate_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                    uint64_t expected_generation, const tvd_worker_spec *spec,
                                    const struct tvd_id *worker_id, tvd_worker *report, tvd_error *error)
{
    struct tvd_worker_record *worker = NULL;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status == TVD_OK)
        status =
            tvd_coordinator_need_generation_locked(coordinator, worker_id, expected_generation, &worker, error);
    if (status != TVD_OK)
        return status;
    if (worker->status != TVD_WORKER_STATUS_OFFLINE)
        return tvd_fail_identifier(error, TVD_ERROR_WORKER_UNAVAILABLE, worker->worker_id);
    if (worker->generation == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);

    come_online_locked(coordinator, cursor, worker, spec, report);
    return TVD_OK;
}

tvd_status tvd_worker_pool_reactivate_worker(tvd_worker_pool *pool, tvd_cursor *cursor,
                                             uint64_t expected_generation, const tvd_worker_spec *spec,
                                             tvd_worker *worker, tvd_error *error)
{
    struct tvd_id worker_id;
    tvd_status status = check_admission(pool, cursor, spec, &worker_id, error);

    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    status = reactivate_locked(pool->coordinator, cursor, expected_generation, spec, &worker_id, worker, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

static tvd_status update_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                const struct tvd_id *worker_id, uint64_t worker_generation,
                                const tvd_worker_observation *observation, tvd_worker *report, tvd_error *error)
{
    struct tvd_worker_record *worker = NULL;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status == TVD_OK)
        status = tvd_coordinator_need_online_locked(coordinator, worker_id, worker_generation, &worker, error);
    if (status != TVD_OK)
        return status;

    tvd_coordinator_unrank_locked(coordinator, worker);
    tvd_worker_take_observation(worker, observation);
    hear_of_locked(coordinator, worker, cursor->now_secs);
    tvd_coordinator_rank_locked(coordinator, worker);
    finish_locked(coordinator, cursor, worker, report);
    return TVD_OK;
}

tvd_status tvd_worker_pool_update_worker(tvd_worker_pool *pool, tvd_cursor *cursor, const char *worker_id,
                                         uint64_t worker_generation, const tvd_worker_observation *observation,
                                         tvd_worker *worker, tvd_error *error)
{
    struct tvd_id id;
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(worker_id, TVD_DETAIL_WORKER_ID, error) ||
        !tvd_given(observation, TVD_DETAIL_OBSERVATION, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_id_read_worker(&id, worker_id, error);
    if (status == TVD_OK)
        status = tvd_worker_check_observation(observation, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    status = update_locked(pool->coordinator, cursor, &id, worker_generation, observation, worker, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

/* Fills the report of a read that may find nothing. */
static void report_if_found(const struct tvd_worker_record *record, tvd_worker *worker, bool *found)
{
    *found = record != NULL;
    if (record != NULL)
        tvd_worker_report(record, worker);
}

static tvd_status get_available_locked(const struct tvd_coordinator *coordinator, uint64_t now_secs,
                                       tvd_worker *worker, bool *found, tvd_error *error)
{
    if (now_secs < coordinator->now.logical_time_secs)
        return tvd_coordinator_refuse_time_locked(coordinator, now_secs, error);
    report_if_found(tvd_coordinator_best_worker_locked(coordinator, now_secs), worker, found);
    return TVD_OK;
}

tvd_status tvd_worker_pool_get_available_worker(tvd_worker_pool *pool, uint64_t now_secs, tvd_worker *worker,
                                                bool *found, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(worker, TVD_DETAIL_WORKER, error) ||
        !tvd_given(found, TVD_DETAIL_FOUND, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    status = get_available_locked(pool->coordinator, now_secs, worker, found, error);
    tvd_guard_unlock(&pool->coordinator->guard);
    return status;
}

tvd_status tvd_worker_pool_get_worker(tvd_worker_pool *pool, const char *worker_id, tvd_worker *worker,
                                      bool *found, tvd_error *error)
{
    struct tvd_id id;
    tvd_status status;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(worker_id, TVD_DETAIL_WORKER_ID, error) ||
        !tvd_given(worker, TVD_DETAIL_WORKER, error) || !tvd_given(found, TVD_DETAIL_FOUND, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_id_read_worker(&id, worker_id, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    report_if_found(tvd_coordinator_find_worker_locked(pool->coordinator, &id), worker, found);
    tvd_guard_unlock(&pool->coordinator->guard);
    return TVD_OK;
}

static size_t fill_page_locked(const struct tvd_coordinator *coordinator, const struct tvd_id *after,
                               tvd_worker *workers, size_t capacity)
{
    const struct tvd_map_node *node = tvd_map_after(&coordinator->workers_by_id, after, tvd_worker_compare_id);
    size_t count = 0;

    for (; node != NULL && count < capacity; node = tvd_map_next(node))
        tvd_worker_report(tvd_worker_from_id_node(node), &workers[count++]);
    return count;
}

tvd_status tvd_worker_pool_workers(tvd_worker_pool *pool, const char *after_worker_id, tvd_worker *workers,
                                   size_t capacity, size_t *count, uint64_t *revision, tvd_error *error)
{
    struct tvd_id after = { 0 }; /* before every identifier */
    tvd_status status = TVD_OK;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) ||
        (capacity > 0 && !tvd_given(workers, TVD_DETAIL_WORKERS, error)) ||
        !tvd_given(count, TVD_DETAIL_COUNT, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    if (after_worker_id != NULL)
        status = tvd_id_read_worker(&after, after_worker_id, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&pool->coordinator->guard);
    *count = fill_page_locked(pool->coordinator, &after, workers, capacity);
    if (revision != NULL)
        *revision = pool->coordinator->now.revision;
    tvd_guard_unlock(&pool->coordinator->guard);
    return TVD_OK;
}

tvd_status tvd_worker_pool_snapshot(tvd_worker_pool *pool, tvd_state_snapshot *snapshot, tvd_error *error)
{
    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(snapshot, TVD_DETAIL_SNAPSHOT, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    tvd_coordinator_snapshot(pool->coordinator, snapshot);
    return TVD_OK;
}

uint64_t tvd_worker_pool_revision(tvd_worker_pool *pool)
{
    tvd_state_snapshot snapshot = { 0 };

    if (pool != NULL)
        tvd_coordinator_snapshot(pool->coordinator, &snapshot);
    return snapshot.revision;
}

uint64_t tvd_worker_pool_retained_bytes(tvd_worker_pool *pool)
{
    uint64_t retained_bytes = 0;

    if (pool != NULL) {
        tvd_guard_lock(&pool->coordinator->guard);
        retained_bytes = pool->coordinator->retained_bytes;
        tvd_guard_unlock(&pool->coordinator->guard);
    }
    return retained_bytes;
}
