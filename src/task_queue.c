/*
 * The task queue handle: admission and reads of tasks. Contract: section 6.
 */
#include "coordinator.h"
#include "error.h"
#include "lifecycle.h"
#include "memory.h"

tvd_status tvd_task_queue_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                 tvd_task_queue **queue, tvd_error *error)
{
    struct tvd_coordinator *coordinator;
    tvd_allocator chosen;
    tvd_status status = tvd_memory_choose(allocator, &chosen, error);

    if (status != TVD_OK)
        return status;
    if (!tvd_given(queue, TVD_DETAIL_QUEUE, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_coordinator_create(limits, &chosen, &coordinator, error);
    if (status == TVD_OK)
        *queue = tvd_task_queue_retain(&coordinator->queue);
    return status;
}

tvd_task_queue *tvd_task_queue_retain(tvd_task_queue *queue)
{
    if (queue != NULL)
        tvd_guard_retain(&queue->coordinator->guard, &queue->handles);
    return queue;
}

void tvd_task_queue_release(tvd_task_queue *queue)
{
    if (queue != NULL)
        tvd_coordinator_release(queue->coordinator, &queue->handles);
}

tvd_worker_pool *tvd_task_queue_worker_pool(tvd_task_queue *queue)
{
    return queue == NULL ? NULL : tvd_worker_pool_retain(&queue->coordinator->pool);
}

static tvd_status check_room_locked(const struct tvd_coordinator *coordinator, tvd_error *error)
{
    const tvd_limits *limits = &coordinator->limits;
    const tvd_state_snapshot *now = &coordinator->now;

    if (now->task_records >= limits->max_task_records)
        return tvd_fail_limit(error, TVD_ERROR_TASK_RECORD_CAPACITY_REACHED, limits->max_task_records);
    if (now->active_tasks >= limits->max_active_tasks)
        return tvd_fail_limit(error, TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED, limits->max_active_tasks);
    if (now->queued_tasks >= limits->max_queued_tasks)
        return tvd_fail_limit(error, TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, limits->max_queued_tasks);
    if (now->terminal_tasks + now->active_tasks + 1 > limits->max_terminal_tasks)
        return tvd_fail_limit(error, TVD_ERROR_TERMINAL_CAPACITY_RESERVED, limits->max_terminal_tasks);
    if (coordinator->next_enqueue_ordinal == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_ENQUEUE_ORDINAL);
    return TVD_OK;
}

static tvd_status enqueue_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor,
                                 const tvd_task_spec *spec, const struct tvd_id *task_id,
                                 const struct tvd_task_sizes *sizes, tvd_task *report, tvd_error *error)
{
    struct tvd_task_record *task;
    struct tvd_map_place place;
    tvd_status status = tvd_coordinator_preflight_locked(coordinator, cursor, error);

    if (status != TVD_OK)
        return status;
    if (tvd_map_find_place(&coordinator->tasks_by_id, task_id, tvd_task_compare_id, &place) != NULL)
        return tvd_fail_identifier(error, TVD_ERROR_TASK_ALREADY_EXISTS, task_id->bytes);
    status = check_room_locked(coordinator, error);
    if (status != TVD_OK)
        return status;
    task = tvd_coordinator_allocate_locked(coordinator, tvd_task_record_size(sizes));
    if (task == NULL)
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);

    tvd_task_init(task, spec, task_id, sizes);
    tvd_map_insert(&coordinator->tasks_by_id, &place, &task->by_id);
    tvd_lifecycle_admit_locked(coordinator, task, cursor->now_secs);
    tvd_coordinator_commit_locked(coordinator, cursor);
    if (report != NULL)
        tvd_task_report(task, report);
    return TVD_OK;
}

tvd_status tvd_task_queue_enqueue(tvd_task_queue *queue, tvd_cursor *cursor, const tvd_task_spec *spec,
                                  tvd_task *task, tvd_error *error)
{
    struct tvd_id task_id;
    struct tvd_task_sizes sizes;
    tvd_status status;

    if (!tvd_given(queue, TVD_DETAIL_QUEUE, error) || !tvd_given(cursor, TVD_DETAIL_CURSOR, error) ||
        !tvd_given(spec, TVD_DETAIL_SPEC, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_task_check_spec(spec, &task_id, &sizes, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&queue->coordinator->guard);
    status = enqueue_locked(queue->coordinator, cursor, spec, &task_id, &sizes, task, error);
    tvd_guard_unlock(&queue->coordinator->guard);
    return status;
}

/* Fills the report of a read that may find nothing. */
static void report_if_found(const struct tvd_task_record *record, tvd_task *task, bool *found)
{
    *found = record != NULL;
    if (record != NULL)
        tvd_task_report(record, task);
}

tvd_status tvd_task_queue_peek_next(tvd_task_queue *queue, tvd_task *task, bool *found, tvd_error *error)
{
    if (!tvd_given(queue, TVD_DETAIL_QUEUE, error) || !tvd_given(task, TVD_DETAIL_TASK, error) ||
        !tvd_given(found, TVD_DETAIL_FOUND, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&queue->coordinator->guard);
    report_if_found(tvd_coordinator_head_locked(queue->coordinator), task, found);
    tvd_guard_unlock(&queue->coordinator->guard);
    return TVD_OK;
}

tvd_status tvd_task_queue_get_task(tvd_task_queue *queue, const char *task_id, tvd_task *task, bool *found,
                                   tvd_error *error)
{
    struct tvd_id id;
    tvd_status status;

    if (!tvd_given(queue, TVD_DETAIL_QUEUE, error) || !tvd_given(task_id, TVD_DETAIL_TASK_ID, error) ||
        !tvd_given(task, TVD_DETAIL_TASK, error) || !tvd_given(found, TVD_DETAIL_FOUND, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_id_read_task(&id, task_id, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&queue->coordinator->guard);
    report_if_found(tvd_coordinator_find_task_locked(queue->coordinator, &id), task, found);
    tvd_guard_unlock(&queue->coordinator->guard);
    return TVD_OK;
}

static size_t fill_page_locked(const struct tvd_coordinator *coordinator, const struct tvd_id *after,
                               tvd_task *tasks, size_t capacity)
{
    const struct tvd_map_node *node = tvd_map_after(&coordinator->tasks_by_id, after, tvd_task_compare_id);
    size_t count = 0;

    for (; node != NULL && count < capacity; node = tvd_map_next(node))
        tvd_task_report(tvd_task_from_id_node(node), &tasks[count++]);
    return count;
}

tvd_status tvd_task_queue_tasks(tvd_task_queue *queue, const char *after_task_id, tvd_task *tasks,
                                size_t capacity, size_t *count, uint64_t *revision, tvd_error *error)
{
    struct tvd_id after = { 0 }; /* before every identifier */
    tvd_status status = TVD_OK;

    if (!tvd_given(queue, TVD_DETAIL_QUEUE, error) ||
        (capacity > 0 && !tvd_given(tasks, TVD_DETAIL_TASKS, error)) ||
        !tvd_given(count, TVD_DETAIL_COUNT, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    if (after_task_id != NULL)
        status = tvd_id_read_task(&after, after_task_id, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&queue->coordinator->guard);
    *count = fill_page_locked(queue->coordinator, &after, tasks, capacity);
    if (revision != NULL)
        *revision = queue->coordinator->now.revision;
    tvd_guard_unlock(&queue->coordinator->guard);
    return TVD_OK;
}

tvd_status tvd_task_queue_snapshot(tvd_task_queue *queue, tvd_state_snapshot *snapshot, tvd_error *error)
{
    if (!tvd_given(queue, TVD_DETAIL_QUEUE, error) || !tvd_given(snapshot, TVD_DETAIL_SNAPSHOT, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    tvd_coordinator_snapshot(queue->coordinator, snapshot);
    return TVD_OK;
}
