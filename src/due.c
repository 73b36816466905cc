/*
 * When the maintenance commands will next find something to do. Contract: section 7. Each rule here is the first
 * second at which the command's own condition holds, and its index gives the record that comes first.
 */
#include "coordinator.h"
#include "error.h"

/* That many seconds after another second, but not before now; never if past the end of time. */
static tvd_due due_after(uint64_t since_secs, uint64_t wait_secs, uint64_t now_secs)
{
    tvd_due due = { 0 };

    if (since_secs <= UINT64_MAX - wait_secs) {
        due.ever = true;
        due.at_secs = since_secs + wait_secs > now_secs ? since_secs + wait_secs : now_secs;
    }
    return due;
}

static tvd_due lease_recovery_locked(const struct tvd_coordinator *coordinator)
{
    const struct tvd_map_node *first = tvd_map_first(&coordinator->leases_by_expiry);

    if (first == NULL)
        return (tvd_due){ 0 };
    return due_after(tvd_task_from_expiry_node(first)->lease_expires_at_secs, 0,
                     coordinator->now.logical_time_secs);
}

static tvd_due worker_pruning_locked(const struct tvd_coordinator *coordinator)
{
    const struct tvd_link *first = tvd_list_first(&coordinator->workers_by_heartbeat);

    if (first == NULL)
        return (tvd_due){ 0 };
    return due_after(tvd_worker_from_heartbeat_link(first)->last_heartbeat_secs,
                     coordinator->limits.heartbeat_timeout_secs + 1, coordinator->now.logical_time_secs);
}

static tvd_due task_expiry_locked(const struct tvd_coordinator *coordinator, uint64_t task_ttl_secs)
{
    const struct tvd_link *first = tvd_list_first(&coordinator->active_tasks);

    if (first == NULL || task_ttl_secs == 0)
        return (tvd_due){ 0 };
    return due_after(tvd_task_from_active_link(first)->created_at_secs, task_ttl_secs,
                     coordinator->now.logical_time_secs);
}

tvd_status tvd_worker_pool_next_due(tvd_worker_pool *pool, uint64_t task_ttl_secs, tvd_next_due *next,
                                    tvd_error *error)
{
    struct tvd_coordinator *coordinator;

    if (!tvd_given(pool, TVD_DETAIL_POOL, error) || !tvd_given(next, TVD_DETAIL_NEXT, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    coordinator = pool->coordinator;
    if (task_ttl_secs > coordinator->limits.max_task_ttl_secs)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                               TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);

    tvd_guard_lock(&coordinator->guard);
    next->lease_recovery = lease_recovery_locked(coordinator);
    next->worker_pruning = worker_pruning_locked(coordinator);
    next->task_expiry = task_expiry_locked(coordinator, task_ttl_secs);
    tvd_guard_unlock(&coordinator->guard);
    return TVD_OK;
}
