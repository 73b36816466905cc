/*
 * The maintenance, by one thread: two would do the same work and make each other's commands conflict. It acts when
 * tvd_worker_pool_next_due() says that there is something to do, and sleeps until then: each of its commands moves
 * the revision, also if it finds nothing, and so gets in the way of the workers' commands.
 *
 * Everything here happens with the batch's mutex held, but for the sleep.
 */
#define _POSIX_C_SOURCE 200809L
#include "maintenance.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "commands.h"
#include "timing.h"

/* ---- One round ---- */

/*
 * Heartbeats. A thread of this process cannot vanish by itself, so the main thread may speak for all but those that a
 * drill has silenced; a host whose workers are elsewhere passes on what it hears of them.
 */
static tvd_status send_heartbeats(struct batch *batch, tvd_error *error)
{
    for (size_t i = 0; i < batch->threads; i++) {
        struct worker *worker = &batch->workers[i];
        tvd_status status;

        if (worker->silent)
            continue;
        status = command_heartbeat(batch, worker->id, worker->generation, error);
        /* The last two: it was pruned, and is about to notice and to come back by itself. */
        if (status != TVD_OK && status != TVD_ERROR_WORKER_UNAVAILABLE &&
            status != TVD_ERROR_WORKER_GENERATION_CONFLICT)
            return status;
    }
    return TVD_OK;
}

/* Forgets those of a worker's dropped attempts whose lease the coordinator has taken back. */
static tvd_status forget_recovered(struct worker *worker, const char *outcome, tvd_error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < worker->dropped_count; i++) {
        const struct attempt *attempt = &worker->dropped[i];
        tvd_task task;

        if (read_task(worker->batch, tvd_task_lease_task_id(&attempt->lease), &task, error) != TVD_OK)
            return error->status;
        if (task.lease_id == tvd_task_lease_lease_id(&attempt->lease))
            worker->dropped[kept++] = *attempt;
        else
            batch_record(attempt, outcome);
    }
    worker->dropped_count = kept;
    return TVD_OK;
}

/* After a command that has taken something back: tasks may be queued again, and slots may be free. */
static tvd_status follow_recovery(struct batch *batch, const char *outcome, tvd_error *error)
{
    batch_announce(batch);
    for (size_t i = 0; i < batch->threads; i++) {
        if (forget_recovered(&batch->workers[i], outcome, error) != TVD_OK)
            return error->status;
    }
    return TVD_OK;
}

/* Heartbeats before pruning: who is alive must not be given up because a round comes late. */
static tvd_status do_round(struct batch *batch, tvd_error *error)
{
    struct scan_totals *totals = &batch->scan->totals;
    tvd_recovery_summary pruned;
    tvd_recovery_summary expired;

    if (send_heartbeats(batch, error) || command_prune(batch, &pruned, error))
        return error->status;
    if (pruned.workers_affected > 0 && follow_recovery(batch, "worker_lost", error))
        return error->status;
    if (command_recover(batch, &expired, error))
        return error->status;
    if (expired.workers_affected > 0 && follow_recovery(batch, "expired", error))
        return error->status;
    totals->workers_lost += pruned.workers_affected;
    totals->leases_expired += expired.tasks_requeued + expired.tasks_failed;
    return TVD_OK;
}

/* ---- Until the next round ---- */

static tvd_due earlier(tvd_due one, tvd_due other)
{
    if (!one.ever)
        return other;
    return other.ever && other.at_secs < one.at_secs ? other : one;
}

/* The second at which a round will find something to do. No task here is ever too old: hence 0. */
static tvd_status read_due(const struct batch *batch, tvd_due *due, tvd_error *error)
{
    tvd_next_due next;

    if (tvd_worker_pool_next_due(batch->pool, 0, &next, error) != TVD_OK)
        return error->status;
    *due = earlier(next.lease_recovery, next.worker_pruning);
    return TVD_OK;
}

/*
 * Sleeps until something is due, or every worker sleeps. What workers do meanwhile cannot make anything due sooner
 * than a whole lease or heartbeat timeout from now, and no sleep is as long as that.
 */
static void sleep_until(struct batch *batch, tvd_due due)
{
    const struct scan *scan = batch->scan;
    uint64_t end_secs =
        host_clock_now_secs(&scan->clock) + (scan->shows_progress ? PROGRESS_SECS : HEARTBEAT_SECS);
    struct timespec end;

    if (due.ever && due.at_secs < end_secs)
        end_secs = due.at_secs;
    end = host_clock_time_of(&scan->clock, end_secs);
    while (!batch->over && batch->asleep < batch->threads &&
           pthread_cond_timedwait(&batch->all_asleep, &batch->mutex, &end) == 0)
        continue;
}

static void show_progress(const struct batch *batch, uint64_t ended)
{
    if (batch->scan->shows_progress)
        fprintf(stderr, "\r\033[K%" PRIu64 " of %zu files", batch->first + ended, batch->scan->list->count);
}

/*
 * If every worker sleeps, either all tasks have ended, or those left are under leases that were dropped, and nothing
 * happens before the next second that is due. Then logical time skips to it.
 */
static tvd_status step(struct batch *batch, tvd_error *error)
{
    bool all_asleep = batch->asleep == batch->threads;
    tvd_state_snapshot snapshot;
    tvd_due due = { 0 };

    if (tvd_worker_pool_snapshot(batch->pool, &snapshot, error) || read_due(batch, &due, error))
        return error->status;
    if (all_asleep && snapshot.active_tasks > 0) {
        assert(due.ever);
        host_clock_skip_to(&batch->scan->clock, due.at_secs);
        return do_round(batch, error);
    }
    show_progress(batch, snapshot.terminal_tasks);
    if (all_asleep)
        batch->over = true;
    else
        sleep_until(batch, due);
    return batch->over ? TVD_OK : do_round(batch, error);
}

void maintenance_run(struct batch *batch)
{
    tvd_error error;

    pthread_mutex_lock(&batch->mutex);
    while (!batch->over) {
        if (step(batch, &error) != TVD_OK) {
            batch->fault = error;
            batch->over = true;
        }
    }
    pthread_cond_broadcast(&batch->news);
    pthread_mutex_unlock(&batch->mutex);
    if (batch->scan->shows_progress)
        fputs("\r\033[K", stderr);
}
