/* Section 6 of the contract: admission, assignment and the reads of tasks. */
#include "model.h"

#include <string.h>

static tvd_error invalid_task(tvd_detail detail)
{
    return model_error_detail(TVD_ERROR_INVALID_TASK, detail);
}

static tvd_error check_spec_id(const char *id, tvd_detail empty, tvd_detail too_long, tvd_detail unsafe)
{
    size_t length = model_id_length(id);
    if (length == 0)
        return invalid_task(empty);
    if (length > TVD_MAX_IDENTIFIER_BYTES)
        return invalid_task(too_long);
    if (!model_id_valid(id))
        return invalid_task(unsafe);
    return model_ok();
}

static tvd_error check_spec(const tvd_task_spec *spec)
{
    tvd_error error = check_spec_id(spec->task_id, TVD_DETAIL_TASK_ID_EMPTY, TVD_DETAIL_TASK_ID_TOO_LONG,
                                    TVD_DETAIL_TASK_ID_UNSAFE);
    if (error.status == TVD_OK)
        error = check_spec_id(spec->scan_id, TVD_DETAIL_SCAN_ID_EMPTY, TVD_DETAIL_SCAN_ID_TOO_LONG,
                              TVD_DETAIL_SCAN_ID_UNSAFE);
    if (error.status != TVD_OK)
        return error;
    if (spec->target_ref_size == 0)
        return invalid_task(TVD_DETAIL_TARGET_REF_EMPTY);
    if (spec->target_ref_size > TVD_MAX_TARGET_REF_BYTES)
        return invalid_task(TVD_DETAIL_TARGET_REF_TOO_LONG);
    if (spec->phases_count > TVD_MAX_PHASES)
        return invalid_task(TVD_DETAIL_PHASES_TOO_MANY);
    if ((unsigned)spec->priority > TVD_TASK_PRIORITY_CRITICAL)
        return invalid_task(TVD_DETAIL_PRIORITY_INVALID);
    return model_ok();
}

static tvd_error check_enqueue_nulls(const model *m, const tvd_cursor *cursor, const tvd_task_spec *spec)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_QUEUE);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (spec == NULL)
        return model_null(TVD_DETAIL_SPEC);
    if (spec->task_id == NULL)
        return model_null(TVD_DETAIL_TASK_ID);
    if (spec->scan_id == NULL)
        return model_null(TVD_DETAIL_SCAN_ID);
    if (spec->target_ref == NULL && spec->target_ref_size > 0)
        return model_null(TVD_DETAIL_TARGET_REF);
    if (spec->phases == NULL && spec->phases_count > 0)
        return model_null(TVD_DETAIL_PHASES);
    return model_ok();
}

static tvd_error check_room(model *m, const char *task_id)
{
    uint64_t active = model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_RUNNING);
    uint64_t queued = model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_QUEUED);
    uint64_t terminal = model_count(m, TVD_TASK_STATUS_COMPLETED, TVD_TASK_STATUS_EXPIRED);
    bool terminal_unchecked = m->fault == MODEL_FAULT_TERMINAL_ROOM_UNCHECKED;
    if (model_find_task(m, task_id) != NULL)
        return model_error_id(TVD_ERROR_TASK_ALREADY_EXISTS, task_id);
    if (m->task_count >= m->limits.max_task_records)
        return model_error_limit(TVD_ERROR_TASK_RECORD_CAPACITY_REACHED, m->limits.max_task_records);
    if (active >= m->limits.max_active_tasks)
        return model_error_limit(TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED, m->limits.max_active_tasks);
    if (queued >= m->limits.max_queued_tasks)
        return model_error_limit(TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, m->limits.max_queued_tasks);
    if (terminal + active + 1 > m->limits.max_terminal_tasks && !terminal_unchecked)
        return model_error_limit(TVD_ERROR_TERMINAL_CAPACITY_RESERVED, m->limits.max_terminal_tasks);
    if (m->next_ordinal == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_ENQUEUE_ORDINAL);
    return model_ok();
}

static model_task *admit(model *m, const tvd_task_spec *spec, uint64_t now)
{
    model_task *added = &m->tasks[m->task_count++];
    memset(added, 0, sizeof *added);
    strcpy(added->seen.task_id, spec->task_id);
    strcpy(added->seen.scan_id, spec->scan_id);
    memcpy(added->seen.target_ref, spec->target_ref, spec->target_ref_size);
    added->seen.target_ref_size = spec->target_ref_size;
    if (spec->phases_count > 0)
        memcpy(added->seen.phases, spec->phases, spec->phases_count);
    added->seen.phases_count = spec->phases_count;
    added->seen.priority = spec->priority == 0 ? TVD_TASK_PRIORITY_NORMAL : spec->priority;
    added->seen.status = TVD_TASK_STATUS_QUEUED;
    added->seen.record_version = 1;
    added->seen.created_at_secs = now;
    added->ordinal = m->next_ordinal++;
    return added;
}

tvd_error model_enqueue(model *m, tvd_cursor *cursor, const tvd_task_spec *spec, tvd_task *task)
{
    tvd_error error = check_enqueue_nulls(m, cursor, spec);
    if (error.status == TVD_OK)
        error = check_spec(spec);
    if (error.status == TVD_OK)
        error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    error = check_room(m, spec->task_id);
    if (error.status != TVD_OK) {
        if (m->fault == MODEL_FAULT_REFUSAL_MOVES_TIME)
            m->logical_time = cursor->now_secs;
        return error;
    }

    const model_task *added = admit(m, spec, cursor->now_secs);
    model_commit(m, cursor);
    if (task != NULL)
        *task = added->seen;
    return model_ok();
}

static tvd_error check_ttl(const model *m, uint64_t ttl)
{
    if (ttl == 0)
        return model_error_detail(TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_LEASE_TTL_SECS);
    if (ttl > m->limits.max_lease_ttl_secs)
        return model_error_detail(TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                                  TVD_DETAIL_LEASE_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);
    return model_ok();
}

static tvd_error check_task_and_worker(model *m, const char *task_id, const char *worker_id, uint64_t now)
{
    const model_task *task = model_find_task(m, task_id);
    if (task == NULL)
        return model_error_id(TVD_ERROR_TASK_NOT_FOUND, task_id);
    if (task->seen.status != TVD_TASK_STATUS_QUEUED) {
        tvd_error error = model_error_id(TVD_ERROR_TASK_NOT_QUEUED, task_id);
        error.task_status = task->seen.status;
        return error;
    }
    const tvd_worker *worker = model_find_worker(m, worker_id);
    if (worker == NULL)
        return model_error_id(TVD_ERROR_WORKER_NOT_FOUND, worker_id);
    if (worker->status != TVD_WORKER_STATUS_HEALTHY ||
        model_heartbeat_age(worker, now) > m->limits.heartbeat_timeout_secs)
        return model_error_id(TVD_ERROR_WORKER_UNAVAILABLE, worker_id);
    if (worker->available_slots == 0)
        return model_error_id(TVD_ERROR_WORKER_AT_CAPACITY, worker_id);
    return model_ok();
}

static void give_lease(model *m, model_task *task, tvd_worker *worker, uint64_t now, uint64_t ttl)
{
    task->seen.status = TVD_TASK_STATUS_LEASED;
    memcpy(task->seen.assigned_to, worker->worker_id, MODEL_ID_SIZE);
    task->seen.attempt += 1;
    task->seen.record_version += 1;
    task->seen.lease_id = m->next_lease_id++;
    task->seen.lease_worker_generation = worker->generation;
    task->seen.lease_acquired_at_secs = now;
    task->seen.lease_expires_at_secs = now + ttl;
    worker->current_tasks += 1;
    model_refresh_worker(m, worker);
}

/* The common part of the three assignments, after the preflight. */
static tvd_error assign(model *m, tvd_cursor *cursor, const char *task_id, const char *worker_id, uint64_t ttl,
                        model_lease *lease)
{
    uint64_t now = cursor->now_secs;
    tvd_error error = check_ttl(m, ttl);
    if (error.status == TVD_OK)
        error = check_task_and_worker(m, task_id, worker_id, now);
    if (error.status != TVD_OK)
        return error;
    if (ttl > UINT64_MAX - now)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_LEASE_DEADLINE);
    if (m->next_lease_id == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_LEASE_ID);

    model_task *task = model_find_task(m, task_id);
    give_lease(m, task, model_find_worker(m, worker_id), now, ttl);
    model_commit(m, cursor);
    *lease = model_lease_of(task);
    return model_ok();
}

tvd_error model_assign_task(model *m, tvd_cursor *cursor, const char *task_id, const char *worker_id,
                            uint64_t ttl, model_lease *lease)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (task_id == NULL)
        return model_null(TVD_DETAIL_TASK_ID);
    if (worker_id == NULL)
        return model_null(TVD_DETAIL_WORKER_ID);
    if (lease == NULL)
        return model_null(TVD_DETAIL_LEASE);
    if (!model_id_valid(task_id))
        return invalid_task(TVD_DETAIL_TASK_ID_INVALID);
    if (!model_id_valid(worker_id))
        return model_error_detail(TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID);
    tvd_error error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    return assign(m, cursor, task_id, worker_id, ttl, lease);
}

tvd_error model_assign_next(model *m, tvd_cursor *cursor, const char *worker_id, uint64_t ttl,
                            model_lease *lease)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (worker_id == NULL)
        return model_null(TVD_DETAIL_WORKER_ID);
    if (lease == NULL)
        return model_null(TVD_DETAIL_LEASE);
    if (!model_id_valid(worker_id))
        return model_error_detail(TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID);
    tvd_error error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    const model_task *head = model_queue_head(m);
    if (head == NULL)
        return model_error(TVD_ERROR_NO_QUEUED_TASK);
    return assign(m, cursor, head->seen.task_id, worker_id, ttl, lease);
}

tvd_error model_assign_next_available(model *m, tvd_cursor *cursor, uint64_t ttl, model_lease *lease)
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
    const model_task *head = model_queue_head(m);
    if (head == NULL)
        return model_error(TVD_ERROR_NO_QUEUED_TASK);
    const tvd_worker *best = model_best_worker(m, cursor->now_secs);
    if (best == NULL)
        return model_error(TVD_ERROR_NO_AVAILABLE_WORKER);
    return assign(m, cursor, head->seen.task_id, best->worker_id, ttl, lease);
}

tvd_error model_get_task(model *m, const char *task_id, tvd_task *task, bool *found)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_QUEUE);
    if (task_id == NULL)
        return model_null(TVD_DETAIL_TASK_ID);
    if (task == NULL)
        return model_null(TVD_DETAIL_TASK);
    if (found == NULL)
        return model_null(TVD_DETAIL_FOUND);
    if (!model_id_valid(task_id))
        return invalid_task(TVD_DETAIL_TASK_ID_INVALID);
    const model_task *known = model_find_task(m, task_id);
    *found = known != NULL;
    if (known != NULL)
        *task = known->seen;
    return model_ok();
}

tvd_error model_peek_next(model *m, tvd_task *task, bool *found)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_QUEUE);
    if (task == NULL)
        return model_null(TVD_DETAIL_TASK);
    if (found == NULL)
        return model_null(TVD_DETAIL_FOUND);
    const model_task *head = model_queue_head(m);
    *found = head != NULL;
    if (head != NULL)
        *task = head->seen;
    return model_ok();
}

/* The task with the smallest ID after a given one; null if there is none. A null ID comes before all. */
static const model_task *next_task(const model *m, const char *after)
{
    const model_task *next = NULL;
    for (size_t i = 0; i < m->task_count; i++) {
        const model_task *task = &m->tasks[i];
        if (after != NULL && strcmp(task->seen.task_id, after) <= 0)
            continue;
        if (next == NULL || strcmp(task->seen.task_id, next->seen.task_id) < 0)
            next = task;
    }
    return next;
}

tvd_error model_tasks(model *m, const char *after_task_id, tvd_task *tasks, size_t capacity, size_t *count,
                      uint64_t *revision)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_QUEUE);
    if (tasks == NULL && capacity > 0)
        return model_null(TVD_DETAIL_TASKS);
    if (count == NULL)
        return model_null(TVD_DETAIL_COUNT);
    if (after_task_id != NULL && !model_id_valid(after_task_id))
        return invalid_task(TVD_DETAIL_TASK_ID_INVALID);
    *count = 0;
    const model_task *next = next_task(m, after_task_id);
    while (next != NULL && *count < capacity) {
        tasks[(*count)++] = next->seen;
        next = next_task(m, next->seen.task_id);
    }
    if (revision != NULL)
        *revision = m->revision;
    return model_ok();
}

/* Asked through either handle: the parameter that names it is given. */
tvd_error model_snapshot(model *m, tvd_detail handle, tvd_state_snapshot *snapshot)
{
    if (m == NULL)
        return model_null(handle);
    if (snapshot == NULL)
        return model_null(TVD_DETAIL_SNAPSHOT);
    snapshot->revision = m->revision;
    snapshot->logical_time_secs = m->logical_time;
    snapshot->task_records = m->task_count;
    snapshot->active_tasks = model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_RUNNING);
    snapshot->queued_tasks = model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_QUEUED);
    snapshot->terminal_tasks = model_count(m, TVD_TASK_STATUS_COMPLETED, TVD_TASK_STATUS_EXPIRED);
    snapshot->workers = m->worker_count;
    return model_ok();
}

/* What a task's report offers: a fence, a lease, or nothing. */
bool model_ownership_of(const tvd_task *task, model_ownership *ownership)
{
    if (task == NULL || ownership == NULL || task->status > TVD_TASK_STATUS_RUNNING)
        return false;
    memset(ownership, 0, sizeof *ownership);
    if (task->status == TVD_TASK_STATUS_QUEUED) {
        ownership->kind = TVD_OWNERSHIP_QUEUED_FENCE;
        strcpy(ownership->fence.task_id, task->task_id);
        ownership->fence.task_generation = task->task_generation;
        ownership->fence.record_version = task->record_version;
        return true;
    }
    model_task holder = { .seen = *task };
    ownership->kind = TVD_OWNERSHIP_LEASE;
    ownership->lease = model_lease_of(&holder);
    return true;
}
