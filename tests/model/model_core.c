/* What every command of the model needs: errors, identifiers, look-ups, the preflight, and the few changes of a
 * record that several commands share. */
#include "model.h"

#include <assert.h>
#include <string.h>

tvd_error model_ok(void)
{
    return model_error(TVD_OK);
}

tvd_error model_error(tvd_status status)
{
    tvd_error error;
    memset(&error, 0, sizeof error);
    error.status = status;
    return error;
}

tvd_error model_error_detail(tvd_status status, tvd_detail detail)
{
    tvd_error error = model_error(status);
    error.detail = detail;
    return error;
}

tvd_error model_error_id(tvd_status status, const char *identifier)
{
    tvd_error error = model_error(status);
    strcpy(error.identifier, identifier);
    return error;
}

tvd_error model_error_limit(tvd_status status, uint64_t limit)
{
    tvd_error error = model_error(status);
    error.limit = limit;
    return error;
}

tvd_error model_null(tvd_detail parameter)
{
    return model_error_detail(TVD_ERROR_INVALID_ARGUMENT, parameter);
}

/* Bytes before the NUL, but never looks at more than 257. */
size_t model_id_length(const char *identifier)
{
    size_t length = 0;
    while (length <= TVD_MAX_IDENTIFIER_BYTES && identifier[length] != '\0')
        length++;
    return length;
}

bool model_id_valid(const char *identifier)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";
    size_t length = model_id_length(identifier);
    if (length == 0 || length > TVD_MAX_IDENTIFIER_BYTES)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (strchr(alphabet, identifier[i]) == NULL)
            return false;
    }
    return true;
}

model_task *model_find_task(model *m, const char *task_id)
{
    for (size_t i = 0; i < m->task_count; i++) {
        if (strcmp(m->tasks[i].seen.task_id, task_id) == 0)
            return &m->tasks[i];
    }
    return NULL;
}

tvd_worker *model_find_worker(model *m, const char *worker_id)
{
    for (size_t i = 0; i < m->worker_count; i++) {
        if (strcmp(m->workers[i].worker_id, worker_id) == 0)
            return &m->workers[i];
    }
    return NULL;
}

tvd_error model_preflight(const model *m, const tvd_cursor *cursor)
{
    if (cursor->revision != m->revision) {
        tvd_error error = model_error(TVD_ERROR_REVISION_CONFLICT);
        error.expected = cursor->revision;
        error.actual = m->revision;
        return error;
    }
    if (cursor->now_secs < m->logical_time) {
        tvd_error error = model_error(TVD_ERROR_LOGICAL_TIME_REGRESSION);
        error.expected = cursor->now_secs;
        error.actual = m->logical_time;
        return error;
    }
    if (m->revision == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_REVISION);
    return model_ok();
}

void model_commit(model *m, tvd_cursor *cursor)
{
    m->revision += 1;
    m->logical_time = cursor->now_secs;
    cursor->revision = m->revision;
}

bool model_is_active(const model_task *task)
{
    return task->seen.status <= TVD_TASK_STATUS_RUNNING;
}

bool model_holds_lease(const model_task *task)
{
    return task->seen.status == TVD_TASK_STATUS_LEASED || task->seen.status == TVD_TASK_STATUS_RUNNING;
}

/* How many tasks have a status from first to last. */
size_t model_count(const model *m, tvd_task_status first, tvd_task_status last)
{
    size_t count = 0;
    for (size_t i = 0; i < m->task_count; i++) {
        if (m->tasks[i].seen.status >= first && m->tasks[i].seen.status <= last)
            count++;
    }
    return count;
}

/* Priority descending, then ordinal ascending. */
model_task *model_queue_head(model *m)
{
    model_task *head = NULL;
    for (size_t i = 0; i < m->task_count; i++) {
        model_task *task = &m->tasks[i];
        if (task->seen.status != TVD_TASK_STATUS_QUEUED)
            continue;
        if (head == NULL || task->seen.priority > head->seen.priority ||
            (task->seen.priority == head->seen.priority && task->ordinal < head->ordinal))
            head = task;
    }
    return head;
}

uint64_t model_heartbeat_age(const tvd_worker *worker, uint64_t now)
{
    return now > worker->last_heartbeat_secs ? now - worker->last_heartbeat_secs : 0;
}

/* Works out the two members of a worker that follow from the others. */
void model_refresh_worker(model *m, tvd_worker *worker)
{
    uint32_t load = worker->cpu_basis_points;
    if (worker->memory_basis_points > load)
        load = worker->memory_basis_points;
    if (worker->network_basis_points > load)
        load = worker->network_basis_points;

    uint32_t round_up = m->fault == MODEL_FAULT_CAPACITY_ROUNDS_DOWN ? 0 : TVD_MAX_BASIS_POINTS - 1;
    worker->effective_capacity = 0;
    if (worker->status == TVD_WORKER_STATUS_HEALTHY)
        worker->effective_capacity =
            (worker->capacity * (TVD_MAX_BASIS_POINTS - load) + round_up) / TVD_MAX_BASIS_POINTS;
    worker->available_slots = 0;
    if (worker->effective_capacity > worker->current_tasks)
        worker->available_slots = worker->effective_capacity - worker->current_tasks;
}

/* The lease of a task that has one. */
model_lease model_lease_of(const model_task *task)
{
    model_lease lease;
    memset(&lease, 0, sizeof lease);
    strcpy(lease.task_id, task->seen.task_id);
    strcpy(lease.worker_id, task->seen.assigned_to);
    lease.worker_generation = task->seen.lease_worker_generation;
    lease.task_generation = task->seen.task_generation;
    lease.attempt = task->seen.attempt;
    lease.lease_id = task->seen.lease_id;
    lease.acquired_at = task->seen.lease_acquired_at_secs;
    lease.expires_at = task->seen.lease_expires_at_secs;
    return lease;
}

bool model_lease_equal(const model_lease *a, const model_lease *b)
{
    return strcmp(a->task_id, b->task_id) == 0 && strcmp(a->worker_id, b->worker_id) == 0 &&
           a->worker_generation == b->worker_generation && a->task_generation == b->task_generation &&
           a->attempt == b->attempt && a->lease_id == b->lease_id && a->acquired_at == b->acquired_at &&
           a->expires_at == b->expires_at;
}

tvd_error model_check_current_lease(model *m, const model_task *task, const model_lease *lease, uint64_t now)
{
    if (!model_holds_lease(task))
        return model_error_id(TVD_ERROR_STALE_OWNERSHIP, task->seen.task_id);
    model_lease current = model_lease_of(task);
    if (!model_lease_equal(&current, lease))
        return model_error_id(TVD_ERROR_STALE_OWNERSHIP, task->seen.task_id);
    bool longer = m->fault == MODEL_FAULT_LEASE_LIVES_LONGER;
    if (longer ? now > lease->expires_at : now >= lease->expires_at)
        return model_error_id(TVD_ERROR_LEASE_EXPIRED, task->seen.task_id);
    return model_ok();
}

/* Takes the lease from a task and the slot from its worker. */
void model_drop_lease(model *m, model_task *task)
{
    tvd_worker *worker = model_find_worker(m, task->seen.assigned_to);
    assert(worker != NULL && worker->current_tasks > 0);
    worker->current_tasks -= 1;
    model_refresh_worker(m, worker);
    memset(task->seen.assigned_to, 0, sizeof task->seen.assigned_to);
    task->seen.lease_id = 0;
    task->seen.lease_worker_generation = 0;
    task->seen.lease_acquired_at_secs = 0;
    task->seen.lease_expires_at_secs = 0;
}

/* Makes an active task terminal. */
void model_end_task(model *m, model_task *task, tvd_task_status status, uint64_t now)
{
    if (model_holds_lease(task))
        model_drop_lease(m, task);
    task->seen.status = status;
    task->seen.record_version += 1;
    task->seen.has_completed_at = true;
    task->seen.completed_at_secs = now;
}

/* Puts a leased or running task into the queue again, behind its peers. */
void model_requeue(model *m, model_task *task)
{
    model_drop_lease(m, task);
    task->seen.status = TVD_TASK_STATUS_QUEUED;
    task->seen.retry_count += 1;
    task->seen.task_generation += 1;
    task->seen.record_version += 1;
    task->seen.has_started_at = false;
    task->seen.started_at_secs = 0;
    if (m->fault != MODEL_FAULT_REQUEUE_KEEPS_PLACE)
        task->ordinal = m->next_ordinal;
    m->next_ordinal += 1;
}

bool model_has_retries(const model *m, const model_task *task)
{
    uint32_t max_retries = m->limits.max_retries;
    if (m->fault == MODEL_FAULT_LAST_RETRY_LOST && max_retries > 1)
        max_retries -= 1;
    return task->seen.retry_count < max_retries;
}
