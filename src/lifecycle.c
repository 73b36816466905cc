#include "lifecycle.h"

#include <assert.h>

#define BIT(status) (1u << (status))

/* The diagram of a task's life: which statuses may follow which. 0 is a record before its admission. */
static const unsigned followers[] = {
    [0] = BIT(TVD_TASK_STATUS_QUEUED),
    [TVD_TASK_STATUS_QUEUED] =
        BIT(TVD_TASK_STATUS_LEASED) | BIT(TVD_TASK_STATUS_CANCELLED) | BIT(TVD_TASK_STATUS_EXPIRED),
    [TVD_TASK_STATUS_LEASED] = BIT(TVD_TASK_STATUS_RUNNING) | BIT(TVD_TASK_STATUS_QUEUED) |
                               BIT(TVD_TASK_STATUS_FAILED) | BIT(TVD_TASK_STATUS_CANCELLED) |
                               BIT(TVD_TASK_STATUS_EXPIRED),
    [TVD_TASK_STATUS_RUNNING] = BIT(TVD_TASK_STATUS_COMPLETED) | BIT(TVD_TASK_STATUS_QUEUED) |
                                BIT(TVD_TASK_STATUS_FAILED) | BIT(TVD_TASK_STATUS_CANCELLED) |
                                BIT(TVD_TASK_STATUS_EXPIRED),
    [TVD_TASK_STATUS_COMPLETED] = 0,
    [TVD_TASK_STATUS_FAILED] = 0,
    [TVD_TASK_STATUS_CANCELLED] = 0,
    [TVD_TASK_STATUS_EXPIRED] = 0,
};

static void enter_queue(struct tvd_coordinator *coordinator, struct tvd_task_record *task)
{
    assert(coordinator->now.queued_tasks < coordinator->limits.max_queued_tasks);
    task->enqueue_ordinal = coordinator->next_enqueue_ordinal++;
    tvd_list_append(&coordinator->queues[task->priority - 1], &task->queue_link);
    coordinator->now.queued_tasks += 1;
}

static void leave_queue(struct tvd_coordinator *coordinator, struct tvd_task_record *task)
{
    tvd_list_remove(&task->queue_link);
    coordinator->now.queued_tasks -= 1;
}

/* The lease's members are set already. */
static void take_slot(struct tvd_coordinator *coordinator, struct tvd_task_record *task)
{
    struct tvd_worker_record *worker = task->lease_worker;
    struct tvd_map_place place;

    tvd_map_find_place(&coordinator->leases_by_expiry, task, tvd_task_compare_expiry, &place);
    tvd_map_insert(&coordinator->leases_by_expiry, &place, &task->by_expiry);
    tvd_list_append(&worker->leases, &task->worker_link);
    worker->current_tasks += 1;
    tvd_coordinator_rank_locked(coordinator, worker);
}

static void return_slot(struct tvd_coordinator *coordinator, struct tvd_task_record *task)
{
    struct tvd_worker_record *worker = task->lease_worker;

    assert(worker->current_tasks > 0);
    tvd_map_remove(&coordinator->leases_by_expiry, &task->by_expiry);
    tvd_list_remove(&task->worker_link);
    worker->current_tasks -= 1;
    tvd_coordinator_rank_locked(coordinator, worker);
}

/* Changes the status, and with it everything that coordinator.h says follows from it. */
static void change_status(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                          tvd_task_status status)
{
    bool was_active = tvd_task_is_active(task);
    bool was_held = tvd_task_is_held(task);
    bool follows = (followers[task->status] & BIT(status)) != 0;

    tvd_guard_assert_locked(&coordinator->guard);
    assert(follows);
    (void)follows;
    if (task->status == TVD_TASK_STATUS_QUEUED)
        leave_queue(coordinator, task);

    task->status = (uint8_t)status;
    task->record_version += 1;

    if (was_held && !tvd_task_is_held(task))
        return_slot(coordinator, task);
    if (!was_held && tvd_task_is_held(task))
        take_slot(coordinator, task);
    if (status == TVD_TASK_STATUS_QUEUED)
        enter_queue(coordinator, task);
    if (!was_active) {
        tvd_list_append(&coordinator->active_tasks, &task->active_link);
        coordinator->now.active_tasks += 1;
    } else if (!tvd_task_is_active(task)) {
        tvd_list_remove(&task->active_link);
        coordinator->now.active_tasks -= 1;
        coordinator->now.terminal_tasks += 1;
    }
}

void tvd_lifecycle_admit_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                                uint64_t now_secs)
{
    uint64_t hint = coordinator->now.task_records++;

    assert(hint < coordinator->limits.max_task_records);
    coordinator->tasks_by_hint[hint] = task;
    task->hint = (uint32_t)hint;
    task->created_at_secs = now_secs;
    change_status(coordinator, task, TVD_TASK_STATUS_QUEUED);
}

void tvd_lifecycle_lease_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                                struct tvd_worker_record *worker, uint64_t now_secs, uint64_t lease_ttl_secs)
{
    assert(tvd_worker_available_slots(worker) > 0);
    assert(task->attempt == task->retry_count);
    task->attempt += 1;
    task->lease_worker = worker;
    task->lease_worker_generation = worker->generation;
    task->lease_id = coordinator->next_lease_id++;
    task->lease_acquired_at_secs = now_secs;
    task->lease_expires_at_secs = now_secs + lease_ttl_secs;
    change_status(coordinator, task, TVD_TASK_STATUS_LEASED);
}

void tvd_lifecycle_start_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                                uint64_t now_secs)
{
    task->has_started_at = true;
    task->started_at_secs = now_secs;
    change_status(coordinator, task, TVD_TASK_STATUS_RUNNING);
}

bool tvd_lifecycle_may_retry(const struct tvd_coordinator *coordinator, const struct tvd_task_record *task)
{
    return task->retry_count < coordinator->limits.max_retries;
}

void tvd_lifecycle_requeue_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task)
{
    assert(tvd_lifecycle_may_retry(coordinator, task));
    task->retry_count += 1;
    task->task_generation += 1;
    task->has_started_at = false;
    task->started_at_secs = 0;
    change_status(coordinator, task, TVD_TASK_STATUS_QUEUED);
}

void tvd_lifecycle_end_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                              tvd_task_status terminal, enum tvd_proof proof, uint64_t now_secs)
{
    task->proof = (uint8_t)proof;
    task->completed_at_secs = now_secs;
    change_status(coordinator, task, terminal);
}
