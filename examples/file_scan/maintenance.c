#define _POSIX_C_SOURCE 200809L
#include "maintenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "commands.h"
#include "timing.h"

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

/* How a recovery ended the leases that it took back. */
struct recovery {
    struct batch *batch;
    const char *outcome;
    uint64_t ended_at_us;
};

static void record_dropped(const struct recovery *recovery, const struct worker *worker,
                           const struct dropped_lease *dropped)
{
    struct batch *batch = recovery->batch;
    struct lease_span span = {
        .lease = &dropped->lease,
        .path = batch->scan->list->files[batch_file_index(&dropped->lease)].path,
        .outcome = recovery->outcome,
        .batch_number = batch->number,
        .worker_number = worker->number,
        .taken_at_us = dropped->taken_at_us,
        .ended_at_us = recovery->ended_at_us,
    };

    timeline_add_lease(&batch->scan->timeline, &span);
}

/* Forgets the dropped leases of a worker that the coordinator has taken back. */
static tvd_status forget_recovered(const struct recovery *recovery, struct worker *worker, tvd_error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < worker->dropped_count; i++) {
        struct dropped_lease *dropped = &worker->dropped[i];
        tvd_task task;

        if (read_task(recovery->batch, tvd_task_lease_task_id(&dropped->lease), &task, error) != TVD_OK)
            return error->status;
        if (task.lease_id == tvd_task_lease_lease_id(&dropped->lease))
            worker->dropped[kept++] = *dropped;
        else
            record_dropped(recovery, worker, dropped);
    }
    worker->dropped_count = kept;
    return TVD_OK;
}

static tvd_status follow_recovery(struct batch *batch, const char *outcome, tvd_error *error)
{
    struct recovery recovery = { .batch = batch,
                                 .outcome = outcome,
                                 .ended_at_us = host_clock_microseconds(&batch->scan->clock) };

    for (size_t i = 0; i < batch->threads; i++) {
        if (forget_recovered(&recovery, &batch->workers[i], error) != TVD_OK)
            return error->status;
    }
    return TVD_OK;
}

/* Heartbeats before pruning: after skipped time nobody else would be left. */
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
    if (pruned.workers_affected > 0 || expired.workers_affected > 0)
        batch_announce_locked(batch);
    return TVD_OK;
}

static bool any_silent(const struct batch *batch)
{
    for (size_t i = 0; i < batch->threads; i++) {
        if (batch->workers[i].silent)
            return true;
    }
    return false;
}

/*
 * Every worker sleeps. Either all tasks have ended, or only time can bring something: a silent worker taken for dead,
 * a dropped lease taken back. Nobody works under a lease now, so the time until then can be skipped.
 */
static tvd_status end_or_skip(struct batch *batch, tvd_error *error)
{
    tvd_state_snapshot snapshot;

    if (tvd_worker_pool_snapshot(batch->pool, &snapshot, error) != TVD_OK)
        return error->status;
    if (snapshot.active_tasks == 0)
        batch->over = true;
    else
        host_clock_skip(&batch->scan->clock, any_silent(batch) ? HEARTBEAT_TIMEOUT_SECS + 1 : LEASE_TTL_SECS);
    return TVD_OK;
}

static void show_progress(struct batch *batch)
{
    tvd_state_snapshot snapshot;
    tvd_error error;

    if (!batch->scan->shows_progress || tvd_worker_pool_snapshot(batch->pool, &snapshot, &error) != TVD_OK)
        return;
    fprintf(stderr, "\r\033[K%" PRIu64 " of %zu files", batch->first + snapshot.terminal_tasks,
            batch->scan->list->count);
}

static struct timespec round_end(void)
{
    struct timespec end;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += ROUND_MILLISECONDS * 1000000L;
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000L;
    }
    return end;
}

void maintenance_await_sleep(struct batch *batch)
{
    while (!batch->over && batch->asleep < batch->threads)
        pthread_cond_wait(&batch->all_asleep, &batch->mutex);
}

/* With the mutex held: sleeps until there is something to do. */
static void await_round(struct batch *batch)
{
    struct timespec end = round_end();

    while (!batch->over && batch->asleep < batch->threads &&
           pthread_cond_timedwait(&batch->all_asleep, &batch->mutex, &end) == 0)
        continue;
}

static tvd_status step(struct batch *batch, tvd_error *error)
{
    if (batch->asleep == batch->threads && end_or_skip(batch, error) != TVD_OK)
        return error->status;
    return batch->over ? TVD_OK : do_round(batch, error);
}

void maintenance_run(struct batch *batch)
{
    tvd_error error;

    pthread_mutex_lock(&batch->mutex);
    while (!batch->over) {
        await_round(batch);
        show_progress(batch);
        if (!batch->over && step(batch, &error) != TVD_OK) {
            batch->fault = error;
            batch->over = true;
        }
    }
    pthread_cond_broadcast(&batch->news);
    pthread_mutex_unlock(&batch->mutex);
    if (batch->scan->shows_progress)
        fputs("\r\033[K", stderr);
}
