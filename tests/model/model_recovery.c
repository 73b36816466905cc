/* Section 7 of the contract: the recovery commands. */
#include "model.h"

#include <string.h>

/* Says whether a task that holds a lease is to be recovered. */
typedef bool (*is_lost_fn)(model *m, const model_task *task, uint64_t now);

static tvd_error check_nulls(const model *m, const tvd_cursor *cursor)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    return model_ok();
}

static tvd_error check_batch(model *m, is_lost_fn is_lost, uint64_t now)
{
    uint64_t to_requeue = 0;
    for (size_t i = 0; i < m->task_count; i++) {
        const model_task *task = &m->tasks[i];
        if (model_holds_lease(task) && is_lost(m, task, now) && model_has_retries(m, task))
            to_requeue++;
    }
    uint64_t queued = model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_QUEUED);
    if (queued + to_requeue > m->limits.max_queued_tasks)
        return model_error_limit(TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, m->limits.max_queued_tasks);
    if (to_requeue > UINT64_MAX - m->next_ordinal)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_ENQUEUE_ORDINAL);
    return model_ok();
}

/* The lost task with the lowest lease ID, or null. */
static model_task *first_lost(model *m, is_lost_fn is_lost, uint64_t now)
{
    model_task *first = NULL;
    for (size_t i = 0; i < m->task_count; i++) {
        model_task *task = &m->tasks[i];
        if (!model_holds_lease(task) || !is_lost(m, task, now))
            continue;
        if (first == NULL ||
            (task->seen.lease_id < first->seen.lease_id && m->fault != MODEL_FAULT_RECOVERY_IN_TASK_ORDER))
            first = task;
    }
    return first;
}

static void recover(model *m, model_task *task, uint64_t now, tvd_recovery_summary *done)
{
    if (model_has_retries(m, task)) {
        model_requeue(m, task);
        done->tasks_requeued += 1;
        return;
    }
    model_lease lease = model_lease_of(task);
    model_end_task(m, task, TVD_TASK_STATUS_FAILED, now);
    done->tasks_failed += 1;
    if (m->fault == MODEL_FAULT_RECOVERY_KEEPS_PROOF) {
        task->has_failure = true;
        task->failure_lease = lease;
    }
}

static void recover_batch(model *m, is_lost_fn is_lost, uint64_t now, tvd_recovery_summary *done)
{
    for (model_task *task = first_lost(m, is_lost, now); task != NULL; task = first_lost(m, is_lost, now))
        recover(m, task, now, done);
}

static bool lease_is_over(model *m, const model_task *task, uint64_t now)
{
    (void)m;
    return now >= task->seen.lease_expires_at_secs;
}

/* How many workers hold a lease that is over. */
static uint64_t workers_with_lost_leases(model *m, uint64_t now)
{
    uint64_t workers = 0;
    for (size_t w = 0; w < m->worker_count; w++) {
        bool affected = false;
        for (size_t t = 0; t < m->task_count; t++) {
            const model_task *task = &m->tasks[t];
            if (model_holds_lease(task) && lease_is_over(m, task, now) &&
                strcmp(task->seen.assigned_to, m->workers[w].worker_id) == 0)
                affected = true;
        }
        workers += affected ? 1 : 0;
    }
    return workers;
}

tvd_error model_recover_expired_leases(model *m, tvd_cursor *cursor, tvd_recovery_summary *summary)
{
    tvd_error error = check_nulls(m, cursor);
    if (error.status == TVD_OK)
        error = model_preflight(m, cursor);
    if (error.status == TVD_OK)
        error = check_batch(m, lease_is_over, cursor->now_secs);
    if (error.status != TVD_OK)
        return error;

    tvd_recovery_summary done = { workers_with_lost_leases(m, cursor->now_secs), 0, 0 };
    recover_batch(m, lease_is_over, cursor->now_secs, &done);
    model_commit(m, cursor);
    if (summary != NULL)
        *summary = done;
    return model_ok();
}

static void take_offline(model *m, tvd_worker *worker)
{
    worker->status = TVD_WORKER_STATUS_OFFLINE;
    worker->generation += 1;
    model_refresh_worker(m, worker);
}

static tvd_error check_deregistration(model *m, const char *worker_id, uint64_t generation)
{
    const tvd_worker *worker = model_find_worker(m, worker_id);
    if (worker == NULL)
        return model_error_id(TVD_ERROR_WORKER_NOT_FOUND, worker_id);
    if (worker->generation != generation) {
        tvd_error error = model_error(TVD_ERROR_WORKER_GENERATION_CONFLICT);
        error.expected = generation;
        error.actual = worker->generation;
        return error;
    }
    if (worker->status == TVD_WORKER_STATUS_OFFLINE)
        return model_error_id(TVD_ERROR_WORKER_UNAVAILABLE, worker_id);
    if (worker->generation == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);
    return model_ok();
}

/* To be recovered, when one worker is deregistered, are the tasks of that worker: it is marked offline already. */
static bool holder_is_offline(model *m, const model_task *task, uint64_t now)
{
    (void)now;
    return model_find_worker(m, task->seen.assigned_to)->status == TVD_WORKER_STATUS_OFFLINE;
}

tvd_error model_deregister_worker(model *m, tvd_cursor *cursor, const char *worker_id, uint64_t generation,
                                  tvd_recovery_summary *summary)
{
    tvd_error error = check_nulls(m, cursor);
    if (error.status != TVD_OK)
        return error;
    if (worker_id == NULL)
        return model_null(TVD_DETAIL_WORKER_ID);
    if (!model_id_valid(worker_id))
        return model_error_detail(TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID);
    error = model_preflight(m, cursor);
    if (error.status == TVD_OK)
        error = check_deregistration(m, worker_id, generation);
    if (error.status != TVD_OK)
        return error;

    tvd_worker *worker = model_find_worker(m, worker_id);
    tvd_worker before = *worker;
    take_offline(m, worker);
    error = check_batch(m, holder_is_offline, cursor->now_secs);
    if (error.status != TVD_OK) {
        *worker = before;
        return error;
    }
    tvd_recovery_summary done = { 1, 0, 0 };
    recover_batch(m, holder_is_offline, cursor->now_secs, &done);
    model_commit(m, cursor);
    if (summary != NULL)
        *summary = done;
    return model_ok();
}

static bool is_dead(const model *m, const tvd_worker *worker, uint64_t now)
{
    if (worker->status == TVD_WORKER_STATUS_OFFLINE)
        return false;
    uint64_t age = model_heartbeat_age(worker, now);
    uint64_t timeout = m->limits.heartbeat_timeout_secs;
    return m->fault == MODEL_FAULT_PRUNE_TOO_EARLY ? age >= timeout : age > timeout;
}

static bool holder_is_dead(model *m, const model_task *task, uint64_t now)
{
    return is_dead(m, model_find_worker(m, task->seen.assigned_to), now);
}

static tvd_error check_generations(const model *m, uint64_t now)
{
    for (size_t i = 0; i < m->worker_count; i++) {
        if (is_dead(m, &m->workers[i], now) && m->workers[i].generation == UINT64_MAX)
            return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);
    }
    return model_ok();
}

tvd_error model_prune_dead_workers(model *m, tvd_cursor *cursor, tvd_recovery_summary *summary)
{
    tvd_error error = check_nulls(m, cursor);
    if (error.status == TVD_OK)
        error = model_preflight(m, cursor);
    if (error.status == TVD_OK)
        error = check_generations(m, cursor->now_secs);
    if (error.status == TVD_OK)
        error = check_batch(m, holder_is_dead, cursor->now_secs);
    if (error.status != TVD_OK)
        return error;

    tvd_recovery_summary done = { 0, 0, 0 };
    recover_batch(m, holder_is_dead, cursor->now_secs, &done);
    for (size_t i = 0; i < m->worker_count; i++) {
        if (is_dead(m, &m->workers[i], cursor->now_secs)) {
            take_offline(m, &m->workers[i]);
            done.workers_affected += 1;
        }
    }
    model_commit(m, cursor);
    if (summary != NULL)
        *summary = done;
    return model_ok();
}

tvd_error model_expire_old_tasks(model *m, tvd_cursor *cursor, uint64_t ttl, size_t *expired)
{
    tvd_error error = check_nulls(m, cursor);
    if (error.status != TVD_OK)
        return error;
    if (ttl == 0)
        return model_error_detail(TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_TASK_TTL_SECS);
    error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    if (ttl > m->limits.max_task_ttl_secs)
        return model_error_detail(TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                                  TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);

    size_t done = 0;
    for (size_t i = 0; i < m->task_count; i++) {
        model_task *task = &m->tasks[i];
        if (model_is_active(task) && cursor->now_secs - task->seen.created_at_secs >= ttl) {
            model_end_task(m, task, TVD_TASK_STATUS_EXPIRED, cursor->now_secs);
            done++;
        }
    }
    model_commit(m, cursor);
    if (expired != NULL)
        *expired = done;
    return model_ok();
}

/* Makes it due at start + delay, if that is earlier than what it is. Past the end of time is never; what has passed
 * is due at the state's own second. */
static void due_at(const model *m, tvd_due *due, uint64_t start, uint64_t delay)
{
    if (delay > UINT64_MAX - start)
        return;
    uint64_t at = start + delay;
    if (at < m->logical_time)
        at = m->logical_time;
    if (!due->ever || at < due->at_secs)
        due->at_secs = at;
    due->ever = true;
}

tvd_error model_next_due(model *m, uint64_t ttl, tvd_next_due *next)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (next == NULL)
        return model_null(TVD_DETAIL_NEXT);
    if (ttl > m->limits.max_task_ttl_secs)
        return model_error_detail(TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                                  TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);
    memset(next, 0, sizeof *next);
    for (size_t i = 0; i < m->task_count; i++) {
        const model_task *task = &m->tasks[i];
        if (model_holds_lease(task))
            due_at(m, &next->lease_recovery, task->seen.lease_expires_at_secs, 0);
        if (model_is_active(task) && ttl > 0)
            due_at(m, &next->task_expiry, task->seen.created_at_secs, ttl);
    }
    for (size_t i = 0; i < m->worker_count; i++) {
        const tvd_worker *worker = &m->workers[i];
        if (worker->status != TVD_WORKER_STATUS_OFFLINE)
            due_at(m, &next->worker_pruning, worker->last_heartbeat_secs, m->limits.heartbeat_timeout_secs + 1);
    }
    return model_ok();
}
