#include "command.h"

#include "harness.h"

#include <string.h>

void world_create(world *made, const tvd_limits *limits, const tvd_allocator *allocator)
{
    tvd_result_limits result_limits = tvd_result_limits_default();

    result_limits.max_results = TVD_MAX_RESULTS;
    CHECK(tvd_worker_pool_create(limits, allocator, &made->pool, NULL) == TVD_OK);
    made->queue = tvd_worker_pool_task_queue(made->pool);
    CHECK(tvd_result_aggregator_create(&result_limits, allocator, &made->results, NULL) == TVD_OK);
}

world world_retain(const world *original)
{
    return (world){ tvd_worker_pool_retain(original->pool), tvd_task_queue_retain(original->queue),
                    tvd_result_aggregator_retain(original->results) };
}

void world_release(world *released)
{
    tvd_worker_pool_release(released->pool);
    tvd_task_queue_release(released->queue);
    tvd_result_aggregator_release(released->results);
    *released = (world){ 0 };
}

const char *command_kind_name(command_kind kind)
{
    static const char *const names[COMMAND_KINDS] = {
        "register_worker", "reactivate_worker", "update_worker", "deregister_worker",      "prune_dead_workers",
        "enqueue",         "assign_task",       "assign_next",   "assign_next_available",  "start_task",
        "complete_task",   "fail_task",         "cancel_task",   "recover_expired_leases", "expire_old_tasks",
        "store_result",
    };

    return names[kind];
}

size_t result_bytes_of(uint64_t variety, unsigned char bytes[MAX_RESULT_BYTES])
{
    size_t size = (size_t)(variety % (MAX_RESULT_BYTES + 1));

    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(size * 7 + i);
    return size;
}

bool are_result_bytes(const unsigned char *bytes, size_t size)
{
    unsigned char expected[MAX_RESULT_BYTES];

    if (size > MAX_RESULT_BYTES)
        return false;
    result_bytes_of(size, expected);
    return size == 0 || memcmp(bytes, expected, size) == 0;
}

/* FNV-1a, over everything a command reports. */
static void digest(answer *answered, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        answered->digest = (answered->digest ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void digest_number(answer *answered, uint64_t number)
{
    digest(answered, &number, sizeof number);
}

static void digest_worker(answer *answered, const tvd_worker *worker)
{
    digest(answered, worker->worker_id, sizeof worker->worker_id);
    digest_number(answered, worker->status);
    digest_number(answered, worker->generation);
    digest_number(answered, worker->completed_tasks);
    digest_number(answered, worker->last_heartbeat_secs);
    digest_number(answered, worker->capacity);
    digest_number(answered, worker->current_tasks);
    digest_number(answered, worker->available_slots);
}

static uint32_t load_of(uint64_t variety)
{
    return (uint32_t)(variety % (TVD_MAX_BASIS_POINTS + 1));
}

static tvd_worker_spec worker_spec_of(const command *played)
{
    return (tvd_worker_spec){
        .worker_id = played->worker_id,
        .capacity = (uint32_t)(1 + played->variety % 8),
        .cpu_basis_points = load_of(played->variety >> 8) / 2,
        .memory_basis_points = load_of(played->variety >> 16) / 2,
        .tags = (uint32_t)(played->variety >> 32) % 32,
    };
}

static tvd_status play_worker_command(const world *at, tvd_cursor *cursor, const command *played,
                                      answer *answered)
{
    const tvd_worker_spec spec = worker_spec_of(played);
    const tvd_worker_observation observation = {
        .status = (tvd_worker_status)(played->variety % 16 > 2 ? 0 : played->variety % 16),
        .cpu_basis_points = load_of(played->variety >> 8) / 2,
        .network_basis_points = load_of(played->variety >> 16) / 2,
    };
    tvd_worker worker;
    tvd_status status;

    if (played->kind == COMMAND_REGISTER_WORKER)
        status = tvd_worker_pool_register_worker(at->pool, cursor, &spec, &worker, &answered->error);
    else if (played->kind == COMMAND_REACTIVATE_WORKER)
        status = tvd_worker_pool_reactivate_worker(at->pool, cursor, played->generation, &spec, &worker,
                                                   &answered->error);
    else
        status = tvd_worker_pool_update_worker(at->pool, cursor, played->worker_id, played->generation,
                                               &observation, &worker, &answered->error);
    if (status == TVD_OK)
        digest_worker(answered, &worker);
    return status;
}

static tvd_status play_enqueue(const world *at, tvd_cursor *cursor, const command *played, answer *answered)
{
    unsigned char target[64];
    const tvd_task_spec spec = {
        .task_id = played->task_id,
        .scan_id = "scan",
        .target_ref = target,
        .target_ref_size = (size_t)(1 + played->variety % sizeof target),
        .phases = target,
        .phases_count = (size_t)(played->variety >> 8) % sizeof target,
        .priority = (tvd_task_priority)((played->variety >> 16) % 5),
    };
    tvd_task task;
    tvd_status status;

    memset(target, (int)(played->variety >> 24), sizeof target);
    status = tvd_task_queue_enqueue(at->queue, cursor, &spec, &task, &answered->error);
    if (status == TVD_OK)
        CHECK(tvd_task_ownership_of(&task, &answered->token));
    return status;
}

static tvd_status play_assignment(const world *at, tvd_cursor *cursor, const command *played, answer *answered)
{
    tvd_task_lease lease;
    tvd_status status;

    if (played->kind == COMMAND_ASSIGN_TASK)
        status = tvd_worker_pool_assign_task(at->pool, cursor, played->task_id, played->worker_id,
                                             played->ttl_secs, &lease, &answered->error);
    else if (played->kind == COMMAND_ASSIGN_NEXT)
        status = tvd_worker_pool_assign_next(at->pool, cursor, played->worker_id, played->ttl_secs, &lease,
                                             &answered->error);
    else
        status =
            tvd_worker_pool_assign_next_available(at->pool, cursor, played->ttl_secs, &lease, &answered->error);
    if (status == TVD_OK)
        answered->token = tvd_task_ownership_from_lease(&lease);
    return status;
}

static tvd_status play_completion(const world *at, tvd_cursor *cursor, const command *played, answer *answered)
{
    tvd_completion_outcome outcome;
    tvd_status status = tvd_worker_pool_complete_task(at->pool, cursor, tvd_task_ownership_lease(played->token),
                                                      &outcome, &answered->error);

    if (status == TVD_OK) {
        digest_number(answered, outcome.kind);
        answered->receipt = outcome.receipt;
    }
    return status;
}

static tvd_status play_failure(const world *at, tvd_cursor *cursor, const command *played, answer *answered)
{
    tvd_failure_outcome outcome;
    tvd_status status = tvd_worker_pool_fail_task(at->pool, cursor, tvd_task_ownership_lease(played->token),
                                                  &outcome, &answered->error);

    if (status == TVD_OK) {
        digest_number(answered, outcome.kind);
        digest_number(answered, outcome.retry_count);
        digest_number(answered, outcome.task_generation);
        digest_number(answered, outcome.record_version);
    }
    return status;
}

static tvd_status play_start_or_cancel(const world *at, tvd_cursor *cursor, const command *played,
                                       answer *answered)
{
    tvd_start_outcome started = { 0 };
    tvd_cancellation_outcome cancelled = { 0 };
    tvd_status status;

    if (played->kind == COMMAND_START_TASK)
        status = tvd_worker_pool_start_task(at->pool, cursor, tvd_task_ownership_lease(played->token), &started,
                                            &answered->error);
    else
        status = tvd_worker_pool_cancel_task(at->pool, cursor, played->token, &cancelled, &answered->error);
    digest_number(answered, started.kind);
    digest_number(answered, started.record_version);
    digest_number(answered, cancelled.kind);
    digest_number(answered, cancelled.record_version);
    return status;
}

static tvd_status play_recovery(const world *at, tvd_cursor *cursor, const command *played, answer *answered)
{
    tvd_recovery_summary summary = { 0 };
    size_t expired = 0;
    tvd_status status;

    if (played->kind == COMMAND_DEREGISTER_WORKER)
        status = tvd_worker_pool_deregister_worker(at->pool, cursor, played->worker_id, played->generation,
                                                   &summary, &answered->error);
    else if (played->kind == COMMAND_PRUNE_DEAD_WORKERS)
        status = tvd_worker_pool_prune_dead_workers(at->pool, cursor, &summary, &answered->error);
    else if (played->kind == COMMAND_RECOVER_EXPIRED_LEASES)
        status = tvd_worker_pool_recover_expired_leases(at->pool, cursor, &summary, &answered->error);
    else
        status =
            tvd_worker_pool_expire_old_tasks(at->pool, cursor, played->ttl_secs, &expired, &answered->error);
    digest_number(answered, summary.workers_affected);
    digest_number(answered, summary.tasks_requeued);
    digest_number(answered, summary.tasks_failed);
    digest_number(answered, expired);
    return status;
}

static tvd_status play_store(const world *at, uint64_t *revision, const command *played, answer *answered)
{
    unsigned char bytes[MAX_RESULT_BYTES];
    size_t size = result_bytes_of(played->variety, bytes);
    tvd_store_outcome outcome = 0;
    tvd_status status = tvd_result_aggregator_store_result(at->results, revision, played->receipt, bytes, size,
                                                           &outcome, &answered->error);

    digest_number(answered, outcome);
    return status;
}

static tvd_status dispatch(const world *at, tvd_cursor *cursor, const command *played, answer *answered)
{
    switch (played->kind) {
    case COMMAND_REGISTER_WORKER:
    case COMMAND_REACTIVATE_WORKER:
    case COMMAND_UPDATE_WORKER:
        return play_worker_command(at, cursor, played, answered);
    case COMMAND_ENQUEUE:
        return play_enqueue(at, cursor, played, answered);
    case COMMAND_ASSIGN_TASK:
    case COMMAND_ASSIGN_NEXT:
    case COMMAND_ASSIGN_NEXT_AVAILABLE:
        return play_assignment(at, cursor, played, answered);
    case COMMAND_COMPLETE_TASK:
        return play_completion(at, cursor, played, answered);
    case COMMAND_FAIL_TASK:
        return play_failure(at, cursor, played, answered);
    case COMMAND_START_TASK:
    case COMMAND_CANCEL_TASK:
        return play_start_or_cancel(at, cursor, played, answered);
    case COMMAND_DEREGISTER_WORKER:
    case COMMAND_PRUNE_DEAD_WORKERS:
    case COMMAND_RECOVER_EXPIRED_LEASES:
    case COMMAND_EXPIRE_OLD_TASKS:
        return play_recovery(at, cursor, played, answered);
    case COMMAND_STORE_RESULT:
        return play_store(at, &cursor->revision, played, answered);
    case COMMAND_KINDS:
        break;
    }
    check_failed(__FILE__, __LINE__, "a known command");
}

void play_command(const world *at, uint64_t expected_revision, const command *played, answer *answered)
{
    tvd_cursor cursor = { expected_revision, played->now_secs };

    memset(answered, 0, sizeof *answered);
    answered->digest = 0xcbf29ce484222325u;
    answered->status = dispatch(at, &cursor, played, answered);
    answered->revision = cursor.revision;
    answered->changed = cursor.revision != expected_revision;
    digest(answered, &answered->token, sizeof answered->token);
    digest(answered, &answered->receipt, sizeof answered->receipt);

    CHECK(cursor.now_secs == played->now_secs);
    CHECK(!answered->changed || cursor.revision == expected_revision + 1);
    CHECK(answered->status == TVD_OK || !answered->changed);
    CHECK(answered->error.status == answered->status);
}
