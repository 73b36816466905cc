#include "coordinator.h"

#include "error.h"
#include "memory.h"

#include <string.h>

void *tvd_coordinator_allocate_locked(struct tvd_coordinator *coordinator, size_t size)
{
    void *record = tvd_memory_allocate(&coordinator->allocator, size);

    if (record != NULL)
        coordinator->retained_bytes += size;
    return record;
}

struct tvd_task_record *tvd_coordinator_find_task_locked(const struct tvd_coordinator *coordinator,
                                                         const struct tvd_id *task_id)
{
    struct tvd_map_place place;
    struct tvd_map_node *node = tvd_map_find(&coordinator->tasks_by_id, task_id, tvd_task_compare_id, &place);

    return node == NULL ? NULL : tvd_task_from_id_node(node);
}

struct tvd_worker_record *tvd_coordinator_find_worker_locked(const struct tvd_coordinator *coordinator,
                                                             const struct tvd_id *worker_id)
{
    struct tvd_map_place place;
    struct tvd_map_node *node =
        tvd_map_find(&coordinator->workers_by_id, worker_id, tvd_worker_compare_id, &place);

    return node == NULL ? NULL : tvd_worker_from_id_node(node);
}

tvd_status tvd_coordinator_need_worker_locked(const struct tvd_coordinator *coordinator,
                                              const struct tvd_id *worker_id, struct tvd_worker_record **worker,
                                              tvd_error *error)
{
    *worker = tvd_coordinator_find_worker_locked(coordinator, worker_id);
    if (*worker == NULL)
        return tvd_fail_identifier(error, TVD_ERROR_WORKER_NOT_FOUND, worker_id->bytes);
    return TVD_OK;
}

tvd_status tvd_coordinator_need_generation_locked(const struct tvd_coordinator *coordinator,
                                                  const struct tvd_id *worker_id, uint64_t generation,
                                                  struct tvd_worker_record **worker, tvd_error *error)
{
    tvd_status status = tvd_coordinator_need_worker_locked(coordinator, worker_id, worker, error);

    if (status == TVD_OK && (*worker)->generation != generation)
        return tvd_fail_conflict(error, TVD_ERROR_WORKER_GENERATION_CONFLICT, generation,
                                 (*worker)->generation);
    return status;
}

tvd_status tvd_coordinator_need_online_locked(const struct tvd_coordinator *coordinator,
                                              const struct tvd_id *worker_id, uint64_t generation,
                                              struct tvd_worker_record **worker, tvd_error *error)
{
    tvd_status status =
        tvd_coordinator_need_generation_locked(coordinator, worker_id, generation, worker, error);

    if (status == TVD_OK && (*worker)->status == TVD_WORKER_STATUS_OFFLINE)
        return tvd_fail_identifier(error, TVD_ERROR_WORKER_UNAVAILABLE, worker_id->bytes);
    return status;
}

struct tvd_task_record *tvd_coordinator_head_locked(const struct tvd_coordinator *coordinator)
{
    for (size_t i = TVD_PRIORITIES; i-- > 0;) {
        struct tvd_link *first = tvd_list_first(&coordinator->queues[i]);

        if (first != NULL)
            return tvd_task_from_queue_link(first);
    }
    return NULL;
}

struct tvd_worker_record *tvd_coordinator_best_worker_locked(const struct tvd_coordinator *coordinator,
                                                             uint64_t now_secs)
{
    return tvd_worker_best(&coordinator->workers_by_preference, now_secs,
                           coordinator->limits.heartbeat_timeout_secs);
}

void tvd_coordinator_unrank_locked(struct tvd_coordinator *coordinator, struct tvd_worker_record *worker)
{
    if (tvd_map_is_attached(&worker->by_preference))
        tvd_map_remove(&coordinator->workers_by_preference, &worker->by_preference);
}

/* Whether a ranked worker is between its neighbours still. */
static bool keeps_rank(const struct tvd_worker_record *worker)
{
    const struct tvd_map_node *node = &worker->by_preference;
    const struct tvd_map_node *previous = tvd_map_previous(node);
    const struct tvd_map_node *next = tvd_map_next(node);

    return (previous == NULL || tvd_worker_compare_preference(worker, previous) > 0) &&
           (next == NULL || tvd_worker_compare_preference(worker, next) < 0);
}

void tvd_coordinator_rank_locked(struct tvd_coordinator *coordinator, struct tvd_worker_record *worker)
{
    bool has_slots = tvd_worker_available_slots(worker) > 0;
    struct tvd_map_place place;

    if (tvd_map_is_attached(&worker->by_preference) && has_slots && keeps_rank(worker))
        return;
    tvd_coordinator_unrank_locked(coordinator, worker);
    if (has_slots) {
        tvd_map_find(&coordinator->workers_by_preference, worker, tvd_worker_compare_preference, &place);
        tvd_map_insert(&coordinator->workers_by_preference, &place, &worker->by_preference);
    }
}

tvd_status tvd_coordinator_check_requeue_locked(const struct tvd_coordinator *coordinator, uint64_t tasks,
                                                tvd_error *error)
{
    uint64_t limit = coordinator->limits.max_queued_tasks;

    if (coordinator->now.queued_tasks + tasks > limit)
        return tvd_fail_limit(error, TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, limit);
    if (coordinator->next_enqueue_ordinal > UINT64_MAX - tasks)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_ENQUEUE_ORDINAL);
    return TVD_OK;
}

size_t tvd_coordinator_size(const tvd_limits *limits)
{
    return sizeof(struct tvd_coordinator) + (size_t)limits->max_task_records * sizeof(struct tvd_task_record *);
}

uint64_t tvd_limits_max_retained_bytes(const tvd_limits *limits)
{
    const tvd_limits chosen = limits == NULL ? tvd_limits_default() : *limits;
    const struct tvd_task_sizes largest = { TVD_MAX_IDENTIFIER_BYTES, TVD_MAX_IDENTIFIER_BYTES,
                                            TVD_MAX_TARGET_REF_BYTES, TVD_MAX_PHASES };

    if (tvd_limits_validate(&chosen, NULL) != TVD_OK)
        return 0;
    return tvd_coordinator_size(&chosen) + chosen.max_task_records * tvd_task_record_size(&largest) +
           chosen.max_workers * tvd_worker_record_size(TVD_MAX_IDENTIFIER_BYTES);
}

static void init(struct tvd_coordinator *coordinator, const tvd_limits *limits, const tvd_allocator *allocator)
{
    memset(coordinator, 0, sizeof *coordinator);
    coordinator->pool.coordinator = coordinator;
    coordinator->queue.coordinator = coordinator;
    coordinator->allocator = *allocator;
    coordinator->limits = *limits;
    coordinator->retained_bytes = tvd_coordinator_size(limits);
    coordinator->next_enqueue_ordinal = 1;
    coordinator->next_lease_id = 1;
    tvd_map_init(&coordinator->tasks_by_id, NULL);
    for (size_t i = 0; i < TVD_PRIORITIES; i++)
        tvd_list_init(&coordinator->queues[i]);
    tvd_list_init(&coordinator->active_tasks);
    tvd_map_init(&coordinator->leases_by_expiry, NULL);
    tvd_map_init(&coordinator->workers_by_id, NULL);
    tvd_map_init(&coordinator->workers_by_preference, tvd_worker_summarise);
    tvd_list_init(&coordinator->workers_by_heartbeat);
}

tvd_status tvd_coordinator_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                  struct tvd_coordinator **coordinator, tvd_error *error)
{
    const tvd_limits chosen = limits == NULL ? tvd_limits_default() : *limits;
    struct tvd_coordinator *created;
    tvd_status status = tvd_limits_validate(&chosen, error);

    if (status != TVD_OK)
        return status;
    created = tvd_memory_allocate(allocator, tvd_coordinator_size(&chosen));
    if (created == NULL)
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);
    init(created, &chosen, allocator);
    if (!tvd_guard_init(&created->guard)) {
        tvd_memory_release(allocator, created, tvd_coordinator_size(&chosen));
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);
    }
    *coordinator = created;
    return TVD_OK;
}

static void destroy(struct tvd_coordinator *coordinator)
{
    const tvd_allocator allocator = coordinator->allocator;
    struct tvd_map_node *node;

    for (uint64_t i = 0; i < coordinator->now.task_records; i++) {
        struct tvd_task_record *task = coordinator->tasks_by_hint[i];
        const struct tvd_task_sizes sizes = tvd_task_sizes_of(task);

        tvd_memory_release(&allocator, task, tvd_task_record_size(&sizes));
    }
    while ((node = tvd_map_first(&coordinator->workers_by_id)) != NULL) {
        struct tvd_worker_record *worker = tvd_worker_from_id_node(node);

        tvd_map_remove(&coordinator->workers_by_id, node);
        tvd_memory_release(&allocator, worker, tvd_worker_record_size(worker->worker_id_size));
    }
    tvd_guard_destroy(&coordinator->guard);
    tvd_memory_release(&allocator, coordinator, tvd_coordinator_size(&coordinator->limits));
}

void tvd_coordinator_release(struct tvd_coordinator *coordinator, size_t *handles_of_kind)
{
    if (tvd_guard_release(&coordinator->guard, handles_of_kind))
        destroy(coordinator);
}

void tvd_coordinator_snapshot(struct tvd_coordinator *coordinator, tvd_state_snapshot *snapshot)
{
    tvd_guard_lock(&coordinator->guard);
    *snapshot = coordinator->now;
    tvd_guard_unlock(&coordinator->guard);
}
