/*
 * The linker puts functions that break a promise, one at a time, in front of some of the library's. No text of an
 * outcome shows it; the player must notice all the same.
 */
#include "player.h"

#include <stdlib.h>
#include <string.h>
#include <termivar/distributed.h>

typedef enum promise {
    PROMISE_NONE, /* All are kept. */
    PROMISE_STATE_AFTER_FAILURE,
    PROMISE_CURSOR_AFTER_FAILURE,
    PROMISE_OUTPUT_AFTER_FAILURE,
    PROMISE_STATUS_OF_ERROR,
    PROMISE_MEMBERS_OF_ERROR,
    PROMISE_ERROR_AFTER_SUCCESS,
    PROMISE_SECOND_OF_CURSOR,
    PROMISE_ONE_STEP,
    PROMISE_READ_CHANGES_NOTHING,
    PROMISE_PAGES_ARE_ALIKE,
    PROMISE_PAGES_ARE_OF_ONE_REVISION,
    PROMISE_HANDLES_ARE_ALIKE,
    PROMISE_REVISION,
    PROMISE_POOL_INVARIANTS,
    PROMISE_RESULT_INVARIANTS,
    PROMISE_CREATIONS_ARE_ALIKE
} promise;

/* Which one is broken now. */
static promise broken;

/* The linker's names for the library's own functions and for those in front of them. */
tvd_status __real_tvd_worker_pool_complete_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                const tvd_task_lease *lease, tvd_completion_outcome *outcome,
                                                tvd_error *error);
tvd_status __wrap_tvd_worker_pool_complete_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                const tvd_task_lease *lease, tvd_completion_outcome *outcome,
                                                tvd_error *error);
tvd_status __real_tvd_worker_pool_get_worker(tvd_worker_pool *pool, const char *worker_id, tvd_worker *worker,
                                             bool *found, tvd_error *error);
tvd_status __wrap_tvd_worker_pool_get_worker(tvd_worker_pool *pool, const char *worker_id, tvd_worker *worker,
                                             bool *found, tvd_error *error);
tvd_status __real_tvd_worker_pool_check_invariants(tvd_worker_pool *pool, tvd_error *error);
tvd_status __wrap_tvd_worker_pool_check_invariants(tvd_worker_pool *pool, tvd_error *error);
tvd_status __real_tvd_result_aggregator_check_invariants(tvd_result_aggregator *aggregator, tvd_error *error);
tvd_status __wrap_tvd_result_aggregator_check_invariants(tvd_result_aggregator *aggregator, tvd_error *error);
uint64_t __real_tvd_worker_pool_revision(tvd_worker_pool *pool);
uint64_t __wrap_tvd_worker_pool_revision(tvd_worker_pool *pool);
tvd_status __real_tvd_task_queue_snapshot(tvd_task_queue *queue, tvd_state_snapshot *snapshot,
                                          tvd_error *error);
tvd_status __wrap_tvd_task_queue_snapshot(tvd_task_queue *queue, tvd_state_snapshot *snapshot,
                                          tvd_error *error);
tvd_status __real_tvd_task_queue_tasks(tvd_task_queue *queue, const char *after, tvd_task *tasks,
                                       size_t capacity, size_t *count, uint64_t *revision, tvd_error *error);
tvd_status __wrap_tvd_task_queue_tasks(tvd_task_queue *queue, const char *after, tvd_task *tasks,
                                       size_t capacity, size_t *count, uint64_t *revision, tvd_error *error);
tvd_status __real_tvd_task_queue_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                        tvd_task_queue **queue, tvd_error *error);
tvd_status __wrap_tvd_task_queue_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                        tvd_task_queue **queue, tvd_error *error);

/* One accepted command more than anybody asked for. */
static void step_in_secret(tvd_worker_pool *pool)
{
    tvd_state_snapshot snapshot;
    tvd_cursor cursor;

    if (tvd_worker_pool_snapshot(pool, &snapshot, NULL) != TVD_OK)
        abort();
    cursor = (tvd_cursor){ snapshot.revision, snapshot.logical_time_secs };
    if (tvd_worker_pool_recover_expired_leases(pool, &cursor, NULL, NULL) != TVD_OK)
        abort();
}

tvd_status __wrap_tvd_worker_pool_complete_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                const tvd_task_lease *lease, tvd_completion_outcome *outcome,
                                                tvd_error *error)
{
    tvd_status status = __real_tvd_worker_pool_complete_task(pool, cursor, lease, outcome, error);
    bool failed = status != TVD_OK;

    if (broken == PROMISE_STATE_AFTER_FAILURE && failed)
        step_in_secret(pool);
    if (broken == PROMISE_CURSOR_AFTER_FAILURE && failed)
        cursor->revision++;
    if (broken == PROMISE_OUTPUT_AFTER_FAILURE && failed)
        outcome->receipt.private_zero[1] = 0;
    if (broken == PROMISE_STATUS_OF_ERROR && failed)
        return TVD_ERROR_LEASE_EXPIRED;
    if (broken == PROMISE_MEMBERS_OF_ERROR && failed)
        error->limit = 1;
    if (broken == PROMISE_ERROR_AFTER_SUCCESS && !failed)
        error->status = TVD_OK;
    if (broken == PROMISE_SECOND_OF_CURSOR && !failed)
        cursor->now_secs++;
    if (broken == PROMISE_ONE_STEP && !failed)
        step_in_secret(pool);
    return status;
}

tvd_status __wrap_tvd_worker_pool_get_worker(tvd_worker_pool *pool, const char *worker_id, tvd_worker *worker,
                                             bool *found, tvd_error *error)
{
    if (broken == PROMISE_READ_CHANGES_NOTHING)
        step_in_secret(pool);
    return __real_tvd_worker_pool_get_worker(pool, worker_id, worker, found, error);
}

tvd_status __wrap_tvd_worker_pool_check_invariants(tvd_worker_pool *pool, tvd_error *error)
{
    if (broken == PROMISE_POOL_INVARIANTS)
        return TVD_ERROR_STATE_INVARIANT;
    return __real_tvd_worker_pool_check_invariants(pool, error);
}

tvd_status __wrap_tvd_result_aggregator_check_invariants(tvd_result_aggregator *aggregator, tvd_error *error)
{
    if (broken == PROMISE_RESULT_INVARIANTS)
        return TVD_ERROR_STATE_INVARIANT;
    return __real_tvd_result_aggregator_check_invariants(aggregator, error);
}

uint64_t __wrap_tvd_worker_pool_revision(tvd_worker_pool *pool)
{
    return __real_tvd_worker_pool_revision(pool) + (broken == PROMISE_REVISION);
}

tvd_status __wrap_tvd_task_queue_snapshot(tvd_task_queue *queue, tvd_state_snapshot *snapshot, tvd_error *error)
{
    tvd_status status = __real_tvd_task_queue_snapshot(queue, snapshot, error);

    snapshot->workers += broken == PROMISE_HANDLES_ARE_ALIKE;
    return status;
}

tvd_status __wrap_tvd_task_queue_tasks(tvd_task_queue *queue, const char *after, tvd_task *tasks,
                                       size_t capacity, size_t *count, uint64_t *revision, tvd_error *error)
{
    tvd_status status = __real_tvd_task_queue_tasks(queue, after, tasks, capacity, count, revision, error);

    /* A task that shows another version after the first page. */
    if (broken == PROMISE_PAGES_ARE_ALIKE && after && *count > 0)
        tasks[0].record_version++;
    *revision += broken == PROMISE_PAGES_ARE_OF_ONE_REVISION;
    return status;
}

tvd_status __wrap_tvd_task_queue_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                        tvd_task_queue **queue, tvd_error *error)
{
    const tvd_limits *used = broken == PROMISE_CREATIONS_ARE_ALIKE ? NULL : limits;

    return __real_tvd_task_queue_create(used, allocator, queue, error);
}

/* --- the test ---------------------------------------------------------------------------------------------- */

static const char recording[] =
    "trace short\n"
    "try_limits max_task_records=0 max_active_tasks=8 max_queued_tasks=8 max_terminal_tasks=16 max_workers=4"
    " max_retries=2 max_lease_ttl_secs=1000 max_task_ttl_secs=3600 heartbeat_timeout_secs=60\n"
    "= error invalid_limit detail=max_task_records\n"
    "limits max_task_records=16 max_active_tasks=8 max_queued_tasks=8 max_terminal_tasks=16 max_workers=4"
    " max_retries=2 max_lease_ttl_secs=1000 max_task_ttl_secs=3600 heartbeat_timeout_secs=60\n"
    "result_limits max_results=8 max_result_bytes=8 max_total_bytes=8 max_aggregate_items=8"
    " max_aggregate_bytes=8\n"
    "pools count=1\n"
    "register_worker rev=0 now=0 worker=w capacity=2 cpu=0 memory=0 network=0 tags=-\n"
    "= ok rev=1 worker id=w generation=1 status=healthy capacity=2 current_tasks=0 completed_tasks=0"
    " last_heartbeat=0 cpu=0 memory=0 network=0 tags=- effective_capacity=2 available_slots=2\n"
    "enqueue rev=1 now=0 task=A scan=s target=t phases=- priority=normal\n"
    "= ok rev=2 task id=A scan=s target=t phases=- status=queued priority=normal created_at=0 started_at=-"
    " completed_at=- retry_count=0 attempt=0 task_generation=0 record_version=1 assigned_to=- lease_id=-\n"
    "enqueue rev=2 now=0 task=B scan=s target=t phases=- priority=normal\n"
    "= ok rev=3 task id=B scan=s target=t phases=- status=queued priority=normal created_at=0 started_at=-"
    " completed_at=- retry_count=0 attempt=0 task_generation=0 record_version=1 assigned_to=- lease_id=-\n"
    "assign_next rev=3 now=0 worker=w ttl=9\n"
    "= ok rev=4 lease task=A worker=w worker_generation=1 task_generation=0 attempt=1 lease_id=1"
    " acquired_at=0 expires_at=9 as=O0\n"
    "complete_task rev=4 now=0 lease=O0\n"
    "= error invalid_transition task=A status=leased operation=complete\n"
    "start_task rev=4 now=0 lease=O0\n"
    "= ok rev=5 started record_version=3\n"
    "complete_task rev=5 now=1 lease=O0\n"
    "= ok rev=6 completed receipt task=A task_generation=0 attempt=1 lease_id=1 worker=w"
    " worker_generation=1 record_version=4 as=R0\n"
    "get_worker worker=v\n"
    "= none\n"
    "dump\n"
    "= ok snapshot revision=6 logical_time=1 task_records=2 active_tasks=1 queued_tasks=1 terminal_tasks=1"
    " workers=1\n"
    "| task id=A scan=s target=t phases=- status=completed priority=normal created_at=0 started_at=0"
    " completed_at=1 retry_count=0 attempt=1 task_generation=0 record_version=4 assigned_to=- lease_id=-\n"
    "| task id=B scan=s target=t phases=- status=queued priority=normal created_at=0 started_at=-"
    " completed_at=- retry_count=0 attempt=0 task_generation=0 record_version=1 assigned_to=- lease_id=-\n"
    "| worker id=w generation=1 status=healthy capacity=2 current_tasks=0 completed_tasks=1"
    " last_heartbeat=0 cpu=0 memory=0 network=0 tags=- effective_capacity=2 available_slots=2\n"
    "end\n";

/* What the report must say for each. */
static const char *const expected[] = {
    [PROMISE_NONE] = "",
    [PROMISE_STATE_AFTER_FAILURE] = "the command failed, but the state has changed",
    [PROMISE_CURSOR_AFTER_FAILURE] = "the command failed, but the cursor has changed",
    [PROMISE_OUTPUT_AFTER_FAILURE] = "the command failed, but wrote an output",
    [PROMISE_STATUS_OF_ERROR] = "the error has another status than the call returned",
    [PROMISE_MEMBERS_OF_ERROR] = "the error sets a member that this kind has not",
    [PROMISE_ERROR_AFTER_SUCCESS] = "the call succeeded, but wrote an error",
    [PROMISE_SECOND_OF_CURSOR] = "the cursor's second has changed",
    [PROMISE_ONE_STEP] = "the state has not moved by exactly one step",
    [PROMISE_READ_CHANGES_NOTHING] = "the pool has changed",
    [PROMISE_PAGES_ARE_ALIKE] = "listings in pages of different sizes differ",
    [PROMISE_PAGES_ARE_OF_ONE_REVISION] = "a listing failed, or is not of the snapshot's revision and size",
    [PROMISE_HANDLES_ARE_ALIKE] = "the snapshots by pool and by queue differ",
    [PROMISE_REVISION] = "the revision is not that of the snapshot",
    [PROMISE_POOL_INVARIANTS] = "an invariant of a pool is broken",
    [PROMISE_RESULT_INVARIANTS] = "an invariant of the result aggregator is broken",
    [PROMISE_CREATIONS_ARE_ALIKE] = "validation and creation disagree on these limits",
};

static bool is_noticed(promise which)
{
    player_totals totals = { 0 };
    char *said = NULL;
    size_t said_size = 0;
    FILE *report = open_memstream(&said, &said_size);
    bool noticed;

    if (!report)
        return false;
    broken = which;
    player_verdict verdict = player_play("short", text_of(recording), &totals, report);
    broken = PROMISE_NONE;
    fclose(report);
    noticed = verdict == (which == PROMISE_NONE ? PLAYER_AGREES : PLAYER_DISAGREES) &&
              (which == PROMISE_NONE ? said[0] == '\0' : strstr(said, expected[which]) != NULL);
    if (!noticed)
        printf("broken promise %d: expected: %s; said: %s\n", (int)which, expected[which], said);
    free(said);
    return noticed;
}

int main(void)
{
    int unnoticed = 0;

    for (int i = PROMISE_NONE; i <= PROMISE_CREATIONS_ARE_ALIKE; i++)
        unnoticed += !is_noticed((promise)i);
    return unnoticed == 0 ? 0 : 1;
}
