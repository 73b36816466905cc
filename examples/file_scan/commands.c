#include "commands.h"

#include "timing.h"

/*
 * Many threads, one revision. Every command below is sent in the same way, and each part of it has its reason:
 *
 * - A cursor for each try, by the thread that sends it: a cursor that another thread moves would hide the conflict that
 *   it is there to find.
 * - The revision first, and the time after it. Whoever committed that revision had read the clock before, so this
 *   time is not earlier than the state's.
 * - After a revision conflict: the revision again, and the same command again. The conflict is another thread's
 *   success, so all together never stand still, and nothing has happened here. A pause would gain nothing: the other
 *   command is over already.
 * - The same command, because it stays right whatever came between: it asks for any task, or it names the lease or
 *   the worker's generation that the coordinator checks itself. A decision made from something that was read before
 *   would have to be made again.
 * - Any other answer goes to the caller. Where it means that there is nothing to do, the worker sleeps until there are
 *   news (take_turn() of worker.c) instead of asking in a loop, which would only bring the others conflicts.
 */
static tvd_cursor read_cursor(const struct batch *batch)
{
    tvd_cursor at;

    at.revision = tvd_worker_pool_revision(batch->pool);
    at.now_secs = host_clock_now_secs(&batch->scan->clock);
    return at;
}

tvd_status command_assign(struct batch *batch, const char *worker_id, tvd_task_lease *lease, tvd_error *error)
{
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_assign_next(batch->pool, &at, worker_id, LEASE_TTL_SECS, lease, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_start(struct batch *batch, const tvd_task_lease *lease, tvd_error *error)
{
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_start_task(batch->pool, &at, lease, NULL, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_complete(struct batch *batch, const tvd_task_lease *lease, tvd_completion_outcome *outcome,
                            tvd_error *error)
{
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_complete_task(batch->pool, &at, lease, outcome, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_fail(struct batch *batch, const tvd_task_lease *lease, tvd_failure_outcome *outcome,
                        tvd_error *error)
{
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_fail_task(batch->pool, &at, lease, outcome, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_heartbeat(struct batch *batch, const char *worker_id, uint64_t generation, tvd_error *error)
{
    tvd_worker_observation healthy = { .status = TVD_WORKER_STATUS_HEALTHY };
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_update_worker(batch->pool, &at, worker_id, generation, &healthy, NULL, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_reactivate(struct batch *batch, const char *worker_id, uint64_t generation,
                              tvd_worker *worker, tvd_error *error)
{
    tvd_worker_spec spec = { .worker_id = worker_id, .capacity = WORKER_CAPACITY };
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_reactivate_worker(batch->pool, &at, generation, &spec, worker, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_prune(struct batch *batch, tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_prune_dead_workers(batch->pool, &at, summary, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_recover(struct batch *batch, tvd_recovery_summary *summary, tvd_error *error)
{
    tvd_status status;

    do {
        tvd_cursor at = read_cursor(batch);

        status = tvd_worker_pool_recover_expired_leases(batch->pool, &at, summary, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status command_store(struct batch *batch, const tvd_completion_receipt *receipt,
                         const struct counts *counts, tvd_error *error)
{
    tvd_status status;

    do {
        uint64_t revision = tvd_result_aggregator_revision(batch->results);

        status = tvd_result_aggregator_store_result(batch->results, &revision, receipt, counts, sizeof *counts,
                                                    NULL, error);
    } while (status == TVD_ERROR_REVISION_CONFLICT);
    return status;
}

tvd_status read_task(struct batch *batch, const char *task_id, tvd_task *task, tvd_error *error)
{
    bool found = false;
    tvd_status status = tvd_task_queue_get_task(batch->queue, task_id, task, &found, error);

    if (status != TVD_OK || found)
        return status;
    *error = (tvd_error){ .status = TVD_ERROR_TASK_NOT_FOUND };
    return error->status;
}

tvd_status read_worker(struct batch *batch, const char *worker_id, tvd_worker *worker, tvd_error *error)
{
    bool found = false;
    tvd_status status = tvd_worker_pool_get_worker(batch->pool, worker_id, worker, &found, error);

    if (status != TVD_OK || found)
        return status;
    *error = (tvd_error){ .status = TVD_ERROR_WORKER_NOT_FOUND };
    return error->status;
}
