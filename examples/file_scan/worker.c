#define _POSIX_C_SOURCE 200809L
#include "worker.h"

#include <assert.h>
#include <string.h>

#include "commands.h"
#include "drills.h"

/*
 * A lease can be lost under its holder: its time was over, or the worker was taken for dead. Then somebody else has
 * the task or will get it, and what this attempt found is discarded.
 */
static bool is_lost(tvd_status status)
{
    return status == TVD_ERROR_STALE_OWNERSHIP || status == TVD_ERROR_LEASE_EXPIRED;
}

/* What the library said when the attempt wanted to go on and could not. */
static void break_off(const struct attempt *attempt, const tvd_error *error)
{
    if (is_lost(error->status))
        batch_record(attempt, "lost");
    else
        batch_give_up(attempt->worker->batch, error);
}

/* `reason` is an errno value, or 0 for a drill. */
static void report_failure(const struct attempt *attempt, int reason)
{
    struct batch *batch = attempt->worker->batch;
    tvd_failure_outcome outcome;
    tvd_error error;

    if (command_fail(batch, &attempt->lease, &outcome, &error) != TVD_OK) {
        break_off(attempt, &error);
        return;
    }
    batch_record(attempt, outcome.kind == TVD_REQUEUED ? "failed" : "retries_exhausted");
    pthread_mutex_lock(&batch->mutex);
    batch->reasons[batch_file_index(&attempt->lease) - batch->first] = reason;
    batch->scan->totals.attempts_failed++;
    if (outcome.kind == TVD_REQUEUED)
        batch_announce(batch);
    pthread_mutex_unlock(&batch->mutex);
}

static void report_success(const struct attempt *attempt, const struct counts *counts)
{
    struct batch *batch = attempt->worker->batch;
    tvd_completion_outcome outcome;
    tvd_error error;

    if (command_complete(batch, &attempt->lease, &outcome, &error) != TVD_OK) {
        break_off(attempt, &error);
        return;
    }
    batch_record(attempt, "completed");
    if (command_store(batch, &outcome.receipt, counts, &error) != TVD_OK)
        batch_give_up(batch, &error);
}

/* The task's record says which file and which phases. Returns what count_file() does. */
static int count_target(const tvd_task *task, struct counts *counts)
{
    char path[TVD_MAX_TARGET_REF_BYTES + 1];

    memcpy(path, task->target_ref, task->target_ref_size);
    path[task->target_ref_size] = '\0';
    return count_file(path, task->phases, task->phases_count, counts);
}

static void count_and_report(const struct attempt *attempt)
{
    struct batch *batch = attempt->worker->batch;
    struct counts counts = { 0 };
    tvd_error error;
    tvd_task task;
    int reason;

    if (read_task(batch, tvd_task_lease_task_id(&attempt->lease), &task, &error) != TVD_OK) {
        batch_give_up(batch, &error);
        return;
    }
    reason = count_target(&task, &counts);
    if (reason == 0)
        report_success(attempt, &counts);
    else
        report_failure(attempt, reason);
}

/* The main thread will see the coordinator take the lease back. */
static void drop(const struct attempt *attempt)
{
    struct worker *worker = attempt->worker;

    pthread_mutex_lock(&worker->batch->mutex);
    assert(worker->dropped_count < sizeof worker->dropped / sizeof worker->dropped[0]);
    worker->dropped[worker->dropped_count++] = *attempt;
    pthread_mutex_unlock(&worker->batch->mutex);
}

static void make_attempt(const struct attempt *attempt)
{
    struct batch *batch = attempt->worker->batch;
    enum drill drill = drill_of(batch->scan->options, batch_file_index(&attempt->lease),
                                tvd_task_lease_attempt(&attempt->lease));
    tvd_error error;

    if (drill == DRILL_STALL)
        drop(attempt);
    else if (command_start(batch, &attempt->lease, &error) != TVD_OK)
        break_off(attempt, &error);
    else if (drill == DRILL_FAIL)
        report_failure(attempt, 0);
    else
        count_and_report(attempt);
}

static tvd_status take_lease(struct worker *worker, struct attempt *attempt, tvd_error *error)
{
    attempt->worker = worker;
    attempt->taken_at_us = host_clock_microseconds(&worker->batch->scan->clock);
    return command_assign(worker->batch, worker->id, &attempt->lease, error);
}

static tvd_status come_back(struct worker *worker, uint64_t generation, tvd_error *error)
{
    struct batch *batch = worker->batch;
    tvd_worker now;
    tvd_status status = command_reactivate(batch, worker->id, generation, &now, error);

    if (status == TVD_OK) {
        pthread_mutex_lock(&batch->mutex);
        worker->generation = now.generation;
        worker->silent = false;
        batch->scan->totals.workers_back++;
        pthread_mutex_unlock(&batch->mutex);
    }
    return status;
}

/*
 * The coordinator has not heard of this worker for too long: it is offline, or about to be. The worker reports in,
 * and comes back under the next generation if it is offline.
 */
static void report_in(struct worker *worker)
{
    struct batch *batch = worker->batch;
    tvd_worker known;
    tvd_error error;
    tvd_status status = read_worker(batch, worker->id, &known, &error);

    if (status == TVD_OK && known.status == TVD_WORKER_STATUS_OFFLINE)
        status = come_back(worker, known.generation, &error);
    else if (status == TVD_OK)
        status = command_heartbeat(batch, worker->id, known.generation, &error);
    /* The last two say that it was pruned just now; its next attempt will tell it so, and it reports in again. */
    if (status != TVD_OK && status != TVD_ERROR_WORKER_UNAVAILABLE &&
        status != TVD_ERROR_WORKER_GENERATION_CONFLICT)
        batch_give_up(batch, &error);
}

/*
 * Takes a task and works on it, or sleeps until there may be one. False: the batch is over. The news are read before
 * the question: else those that come between the question and the sleep would be slept through.
 */
static bool take_turn(struct worker *worker)
{
    struct attempt attempt;
    tvd_error error;
    uint64_t seen;

    if (!batch_read_news(worker->batch, &seen))
        return false;
    switch (take_lease(worker, &attempt, &error)) {
    case TVD_OK:
        make_attempt(&attempt);
        return true;
    case TVD_ERROR_NO_QUEUED_TASK:
    case TVD_ERROR_WORKER_AT_CAPACITY:
        return batch_sleep(worker->batch, seen);
    case TVD_ERROR_WORKER_UNAVAILABLE:
        report_in(worker);
        return true;
    default:
        batch_give_up(worker->batch, &error);
        return false;
    }
}

/* Drill: takes all the leases it can get and drops them. */
static void hoard(struct worker *worker)
{
    struct attempt attempt;
    tvd_error error;
    tvd_status status;

    while ((status = take_lease(worker, &attempt, &error)) == TVD_OK)
        drop(&attempt);
    if (status != TVD_ERROR_NO_QUEUED_TASK && status != TVD_ERROR_WORKER_AT_CAPACITY &&
        status != TVD_ERROR_WORKER_UNAVAILABLE)
        batch_give_up(worker->batch, &error);
}

/* Drill: sleeps until the coordinator has noticed. False: the batch is over. */
static bool sleep_until_offline(struct worker *worker)
{
    struct batch *batch = worker->batch;
    tvd_worker known;
    tvd_error error;
    uint64_t seen;

    while (batch_read_news(batch, &seen)) {
        if (read_worker(batch, worker->id, &known, &error) != TVD_OK) {
            batch_give_up(batch, &error);
            return false;
        }
        if (known.status == TVD_WORKER_STATUS_OFFLINE)
            return true;
        if (!batch_sleep(batch, seen))
            return false;
    }
    return false;
}

static void fall_silent(struct worker *worker)
{
    pthread_mutex_lock(&worker->batch->mutex);
    worker->silent = true; /* no heartbeats from now on */
    pthread_mutex_unlock(&worker->batch->mutex);
    hoard(worker);
    if (sleep_until_offline(worker))
        report_in(worker);
}

void *worker_main(void *argument)
{
    struct worker *worker = argument;

    if (worker->number <= worker->batch->scan->options->kill_workers)
        fall_silent(worker);
    while (take_turn(worker))
        continue;
    return NULL;
}
