/*
 * What must hold between any two commands. Contract: section 9. Each check may rely on those above it in the table
 * at the end, so that damage is reported and not followed.
 */
#include "coordinator.h"
#include "error.h"

static bool bounds_hold(const struct tvd_coordinator *coordinator)
{
    const tvd_limits *limits = &coordinator->limits;
    const tvd_state_snapshot *now = &coordinator->now;

    return now->task_records <= limits->max_task_records && now->active_tasks <= limits->max_active_tasks &&
           now->queued_tasks <= limits->max_queued_tasks &&
           now->terminal_tasks + now->active_tasks <= limits->max_terminal_tasks &&
           now->workers <= limits->max_workers;
}

/* Each admission was a command, so that the revision cannot be smaller than their number. */
static bool counters_are_in_range(const struct tvd_coordinator *coordinator)
{
    const tvd_state_snapshot *now = &coordinator->now;

    return coordinator->guard.handles > 0 &&
           coordinator->guard.handles == coordinator->pool.handles + coordinator->queue.handles &&
           coordinator->next_enqueue_ordinal > 0 && coordinator->next_lease_id > 0 &&
           now->revision >= now->task_records + now->workers;
}

/* Whether a ring has exactly this many links, each agreeing with its neighbours. */
static bool list_is_sound(const struct tvd_list *list, uint64_t count)
{
    const struct tvd_link *link = &list->head;
    uint64_t links = 0;

    do {
        if (link->next == NULL || link->next->previous != link || links++ > count)
            return false;
        link = link->next;
    } while (link != &list->head);
    return links == count + 1;
}

/* Whether the text of a record is the identifier that its size says. */
static bool read_sound_id(struct tvd_id *id, const char *text, size_t size)
{
    return tvd_id_read(id, text) == TVD_ID_VALID && id->size == size;
}

static bool task_index_is_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *node = tvd_map_first(&coordinator->tasks_by_id);
    struct tvd_id previous = { 0 };

    if (!tvd_map_is_sound(&coordinator->tasks_by_id, (size_t)coordinator->now.task_records))
        return false;
    for (; node != NULL; node = tvd_map_next(node)) {
        const struct tvd_task_record *task = tvd_task_from_id_node(node);

        if (tvd_task_compare_id(&previous, node) >= 0 ||
            !read_sound_id(&previous, tvd_task_id(task), task->task_id_size) ||
            task->hint >= coordinator->now.task_records || coordinator->tasks_by_hint[task->hint] != task)
            return false;
    }
    return true;
}

static bool worker_index_is_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *node = tvd_map_first(&coordinator->workers_by_id);
    struct tvd_id previous = { 0 };

    if (!tvd_map_is_sound(&coordinator->workers_by_id, (size_t)coordinator->now.workers))
        return false;
    for (; node != NULL; node = tvd_map_next(node)) {
        const struct tvd_worker_record *worker = tvd_worker_from_id_node(node);

        if (tvd_worker_compare_id(&previous, node) >= 0 ||
            !read_sound_id(&previous, worker->worker_id, worker->worker_id_size))
            return false;
    }
    return true;
}

/* Where a record is linked follows from its status. */
static bool links_agree(const struct tvd_task_record *task)
{
    bool queued = task->status == TVD_TASK_STATUS_QUEUED;
    bool held = tvd_task_is_held(task);

    return tvd_link_is_attached(&task->queue_link) == queued &&
           tvd_link_is_attached(&task->active_link) == (queued || held) &&
           tvd_link_is_attached(&task->worker_link) == held && tvd_map_is_attached(&task->by_expiry) == held;
}

/* Each assignment is an attempt, and each requeue makes a retry and a generation. */
static bool attempts_agree(const struct tvd_task_record *task)
{
    uint32_t finished_attempts = task->retry_count;

    if (task->task_generation != task->retry_count)
        return false;
    if (task->status == TVD_TASK_STATUS_QUEUED)
        return task->attempt == finished_attempts;
    if (task->status == TVD_TASK_STATUS_CANCELLED || task->status == TVD_TASK_STATUS_EXPIRED)
        return task->attempt == finished_attempts || task->attempt == finished_attempts + 1;
    return task->attempt == finished_attempts + 1;
}

static bool times_agree(const struct tvd_coordinator *coordinator, const struct tvd_task_record *task)
{
    uint64_t now_secs = coordinator->now.logical_time_secs;
    bool waits = task->status == TVD_TASK_STATUS_QUEUED || task->status == TVD_TASK_STATUS_LEASED;
    bool ran = task->status == TVD_TASK_STATUS_RUNNING || task->status == TVD_TASK_STATUS_COMPLETED;

    if (task->created_at_secs > now_secs || (waits && task->has_started_at) || (ran && !task->has_started_at))
        return false;
    if (task->has_started_at &&
        (task->started_at_secs < task->created_at_secs || task->started_at_secs > now_secs))
        return false;
    return tvd_task_is_active(task) ||
           (task->completed_at_secs >= task->created_at_secs && task->completed_at_secs <= now_secs);
}

/* Only what a holder or a fence ended can be replayed, and it says by what. */
static bool proof_agrees(const struct tvd_task_record *task)
{
    switch (task->status) {
    case TVD_TASK_STATUS_COMPLETED:
        return task->proof == TVD_PROOF_LEASE;
    case TVD_TASK_STATUS_FAILED:
        return task->proof == TVD_PROOF_NONE || (task->proof == TVD_PROOF_LEASE && task->has_started_at);
    case TVD_TASK_STATUS_CANCELLED:
        return task->proof == TVD_PROOF_LEASE || task->proof == TVD_PROOF_FENCE;
    default:
        return task->proof == TVD_PROOF_NONE;
    }
}

static bool sizes_are_in_range(const struct tvd_task_record *task)
{
    return task->scan_id_size >= 1 && task->scan_id_size <= TVD_MAX_IDENTIFIER_BYTES &&
           task->target_ref_size >= 1 && task->target_ref_size <= TVD_MAX_TARGET_REF_BYTES &&
           task->phases_count <= TVD_MAX_PHASES;
}

static bool task_record_is_sound(const struct tvd_coordinator *coordinator, const struct tvd_task_record *task)
{
    return task->status >= TVD_TASK_STATUS_QUEUED && task->status <= TVD_TASK_STATUS_EXPIRED &&
           task->priority >= TVD_TASK_PRIORITY_LOW && task->priority <= TVD_TASK_PRIORITY_CRITICAL &&
           sizes_are_in_range(task) && proof_agrees(task) &&
           (task->proof != TVD_PROOF_LEASE || task->lease_worker != NULL) && task->record_version >= 1 &&
           task->retry_count <= coordinator->limits.max_retries &&
           task->enqueue_ordinal < coordinator->next_enqueue_ordinal && attempts_agree(task) &&
           times_agree(coordinator, task) && links_agree(task);
}

static bool task_records_are_sound(const struct tvd_coordinator *coordinator)
{
    for (uint64_t i = 0; i < coordinator->now.task_records; i++) {
        if (!task_record_is_sound(coordinator, coordinator->tasks_by_hint[i]))
            return false;
    }
    return true;
}

static bool counts_agree(const struct tvd_coordinator *coordinator)
{
    const tvd_state_snapshot *now = &coordinator->now;
    uint64_t active = 0;
    uint64_t queued = 0;

    for (uint64_t i = 0; i < now->task_records; i++) {
        active += tvd_task_is_active(coordinator->tasks_by_hint[i]);
        queued += coordinator->tasks_by_hint[i]->status == TVD_TASK_STATUS_QUEUED;
    }
    return active == now->active_tasks && queued == now->queued_tasks &&
           now->terminal_tasks == now->task_records - active;
}

static uint64_t held_tasks(const struct tvd_coordinator *coordinator)
{
    return coordinator->now.active_tasks - coordinator->now.queued_tasks;
}

static uint64_t queued_of(const struct tvd_coordinator *coordinator, int priority)
{
    uint64_t queued = 0;

    for (uint64_t i = 0; i < coordinator->now.task_records; i++) {
        const struct tvd_task_record *task = coordinator->tasks_by_hint[i];

        queued += task->status == TVD_TASK_STATUS_QUEUED && task->priority == priority;
    }
    return queued;
}

static bool queue_is_sound(const struct tvd_list *queue, int priority, uint64_t queued)
{
    const struct tvd_link *link = tvd_list_first(queue);
    uint64_t previous = 0;

    if (!list_is_sound(queue, queued))
        return false;
    for (; link != NULL; link = tvd_list_next(queue, link)) {
        const struct tvd_task_record *task = tvd_task_from_queue_link(link);

        if (task->priority != priority || task->status != TVD_TASK_STATUS_QUEUED ||
            task->enqueue_ordinal <= previous)
            return false;
        previous = task->enqueue_ordinal;
    }
    return true;
}

static bool queues_are_sound(const struct tvd_coordinator *coordinator)
{
    for (int i = 0; i < TVD_PRIORITIES; i++) {
        if (!queue_is_sound(&coordinator->queues[i], i + 1, queued_of(coordinator, i + 1)))
            return false;
    }
    return true;
}

static bool active_list_is_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_list *list = &coordinator->active_tasks;
    const struct tvd_link *link = tvd_list_first(list);
    const struct tvd_task_record *previous = NULL;

    if (!list_is_sound(list, coordinator->now.active_tasks))
        return false;
    for (; link != NULL; link = tvd_list_next(list, link)) {
        const struct tvd_task_record *task = tvd_task_from_active_link(link);

        if (!tvd_task_is_active(task))
            return false;
        if (previous != NULL &&
            (task->hint <= previous->hint || task->created_at_secs < previous->created_at_secs))
            return false;
        previous = task;
    }
    return true;
}

static bool lease_index_is_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *node = tvd_map_first(&coordinator->leases_by_expiry);
    const struct tvd_task_record *previous = NULL;

    if (!tvd_map_is_sound(&coordinator->leases_by_expiry, (size_t)held_tasks(coordinator)))
        return false;
    for (; node != NULL; node = tvd_map_next(node)) {
        const struct tvd_task_record *task = tvd_task_from_expiry_node(node);

        if (!tvd_task_is_held(task) || (previous != NULL && tvd_task_compare_expiry(previous, node) >= 0))
            return false;
        previous = task;
    }
    return true;
}

static bool worker_record_is_sound(const struct tvd_coordinator *coordinator,
                                   const struct tvd_worker_record *worker)
{
    bool offline = worker->status == TVD_WORKER_STATUS_OFFLINE;

    return worker->status <= TVD_WORKER_STATUS_OFFLINE && worker->generation >= 1 && worker->capacity >= 1 &&
           worker->capacity <= TVD_MAX_WORKER_CAPACITY && worker->current_tasks <= worker->capacity &&
           worker->cpu_basis_points <= TVD_MAX_BASIS_POINTS &&
           worker->memory_basis_points <= TVD_MAX_BASIS_POINTS &&
           worker->network_basis_points <= TVD_MAX_BASIS_POINTS &&
           (worker->tags & ~(uint32_t)TVD_KNOWN_TAGS) == 0 &&
           worker->load_order == tvd_worker_load_order(worker) &&
           worker->effective_capacity == tvd_worker_effective_capacity(worker) &&
           worker->last_heartbeat_secs <= coordinator->now.logical_time_secs &&
           !(offline && worker->current_tasks > 0) &&
           tvd_link_is_attached(&worker->heartbeat_link) == !offline &&
           tvd_map_is_attached(&worker->by_preference) == (tvd_worker_available_slots(worker) > 0);
}

static bool worker_records_are_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *node = tvd_map_first(&coordinator->workers_by_id);

    for (; node != NULL; node = tvd_map_next(node)) {
        if (!worker_record_is_sound(coordinator, tvd_worker_from_id_node(node)))
            return false;
    }
    return true;
}

static bool lease_is_sound(const struct tvd_coordinator *coordinator, const struct tvd_worker_record *worker,
                           const struct tvd_task_record *task, uint64_t previous_lease_id)
{
    return tvd_task_is_held(task) && task->lease_worker == worker &&
           task->lease_worker_generation == worker->generation && task->lease_id > previous_lease_id &&
           task->lease_id < coordinator->next_lease_id &&
           task->lease_acquired_at_secs >= task->created_at_secs &&
           task->lease_acquired_at_secs < task->lease_expires_at_secs &&
           task->lease_expires_at_secs - task->lease_acquired_at_secs <= coordinator->limits.max_lease_ttl_secs;
}

static bool leases_of_worker_are_sound(const struct tvd_coordinator *coordinator,
                                       const struct tvd_worker_record *worker)
{
    const struct tvd_link *link = tvd_list_first(&worker->leases);
    uint64_t previous_lease_id = 0;

    if (!list_is_sound(&worker->leases, worker->current_tasks))
        return false;
    for (; link != NULL; link = tvd_list_next(&worker->leases, link)) {
        const struct tvd_task_record *task = tvd_task_from_worker_link(link);

        if (!lease_is_sound(coordinator, worker, task, previous_lease_id))
            return false;
        previous_lease_id = task->lease_id;
    }
    return true;
}

/* When every known worker's leases together are as many as the tasks held, no lease names an unknown worker. */
static bool worker_leases_are_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *node = tvd_map_first(&coordinator->workers_by_id);
    uint64_t total = 0;

    for (; node != NULL; node = tvd_map_next(node)) {
        const struct tvd_worker_record *worker = tvd_worker_from_id_node(node);

        if (!leases_of_worker_are_sound(coordinator, worker))
            return false;
        total += worker->current_tasks;
    }
    return total == held_tasks(coordinator);
}

static bool heartbeat_list_is_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_list *list = &coordinator->workers_by_heartbeat;
    const struct tvd_map_node *node = tvd_map_first(&coordinator->workers_by_id);
    const struct tvd_link *link = tvd_list_first(list);
    uint64_t previous_secs = 0;
    uint64_t online = 0;

    for (; node != NULL; node = tvd_map_next(node))
        online += tvd_worker_from_id_node(node)->status != TVD_WORKER_STATUS_OFFLINE;
    if (!list_is_sound(list, online))
        return false;
    for (; link != NULL; link = tvd_list_next(list, link)) {
        const struct tvd_worker_record *worker = tvd_worker_from_heartbeat_link(link);

        if (worker->status == TVD_WORKER_STATUS_OFFLINE || worker->last_heartbeat_secs < previous_secs)
            return false;
        previous_secs = worker->last_heartbeat_secs;
    }
    return true;
}

static bool selection_index_is_sound(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *worker_node = tvd_map_first(&coordinator->workers_by_id);
    const struct tvd_map_node *node = tvd_map_first(&coordinator->workers_by_preference);
    const struct tvd_worker_record *previous = NULL;
    size_t ranked = 0;

    for (; worker_node != NULL; worker_node = tvd_map_next(worker_node))
        ranked += tvd_worker_available_slots(tvd_worker_from_id_node(worker_node)) > 0;
    if (!tvd_map_is_sound(&coordinator->workers_by_preference, ranked))
        return false;
    for (; node != NULL; node = tvd_map_next(node)) {
        const struct tvd_worker_record *worker = tvd_worker_from_preference_node(node);

        if (worker->newest_heartbeat_secs != tvd_worker_newest_heartbeat(worker) ||
            (previous != NULL && tvd_worker_compare_preference(previous, node) >= 0))
            return false;
        previous = worker;
    }
    return true;
}

static bool retained_bytes_agree(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *node = tvd_map_first(&coordinator->workers_by_id);
    uint64_t bytes = tvd_coordinator_size(&coordinator->limits);

    for (uint64_t i = 0; i < coordinator->now.task_records; i++) {
        const struct tvd_task_sizes sizes = tvd_task_sizes_of(coordinator->tasks_by_hint[i]);

        bytes += tvd_task_record_size(&sizes);
    }
    for (; node != NULL; node = tvd_map_next(node))
        bytes += tvd_worker_record_size(tvd_worker_from_id_node(node)->worker_id_size);
    return bytes == coordinator->retained_bytes;
}

static const struct {
    bool (*holds)(const struct tvd_coordinator *coordinator);
    tvd_detail otherwise;
} checks[] = {
    { bounds_hold, TVD_DETAIL_BOUND_EXCEEDED },
    { counters_are_in_range, TVD_DETAIL_COUNTER_OUT_OF_RANGE },
    { task_index_is_sound, TVD_DETAIL_TASK_INDEX_BROKEN },
    { task_records_are_sound, TVD_DETAIL_TASK_RECORD_BROKEN },
    { counts_agree, TVD_DETAIL_COUNT_DISAGREES },
    { queues_are_sound, TVD_DETAIL_QUEUE_BROKEN },
    { active_list_is_sound, TVD_DETAIL_ACTIVE_LIST_BROKEN },
    { lease_index_is_sound, TVD_DETAIL_LEASE_INDEX_BROKEN },
    { worker_index_is_sound, TVD_DETAIL_WORKER_INDEX_BROKEN },
    { worker_records_are_sound, TVD_DETAIL_WORKER_RECORD_BROKEN },
    { worker_leases_are_sound, TVD_DETAIL_WORKER_LEASES_BROKEN },
    { heartbeat_list_is_sound, TVD_DETAIL_HEARTBEAT_LIST_BROKEN },
    { selection_index_is_sound, TVD_DETAIL_SELECTION_INDEX_BROKEN },
    { retained_bytes_agree, TVD_DETAIL_COUNT_DISAGREES },
};

static tvd_detail first_broken_locked(struct tvd_coordinator *coordinator)
{
    tvd_guard_assert_locked(&coordinator->guard);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!checks[i].holds(coordinator))
            return checks[i].otherwise;
    }
    return TVD_DETAIL_NONE;
}

tvd_status tvd_worker_pool_check_invariants(tvd_worker_pool *pool, tvd_error *error)
{
    tvd_detail broken;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&pool->coordinator->guard);
    broken = first_broken_locked(pool->coordinator);
    tvd_guard_unlock(&pool->coordinator->guard);
    if (broken != TVD_DETAIL_NONE)
        return tvd_fail_detail(error, TVD_ERROR_STATE_INVARIANT, broken);
    return TVD_OK;
}
