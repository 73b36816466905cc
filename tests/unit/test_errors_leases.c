/*
 * Every error that the header lists for assignment and for the holder's commands, in its order.
 */
#include "faults.h"

#include <string.h>

static void nothing_queued(struct stage *stage)
{
    world_cancel(&stage->world, "queued-1");
    world_cancel(&stage->world, "queued-2");
    stage->inputs.cursor = stage->world.at;
    expect(stage, TVD_ERROR_NO_QUEUED_TASK);
}

static void nobody_available(struct stage *stage)
{
    world_observe(&stage->world, "able", TVD_WORKER_STATUS_BUSY);
    stage->inputs.cursor = stage->world.at;
    expect(stage, TVD_ERROR_NO_AVAILABLE_WORKER);
}

static void ttl_zero(struct stage *stage)
{
    stage->arguments.ttl_secs = 0;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_LEASE_TTL_SECS);
}

static void ttl_over_maximum(struct stage *stage)
{
    stage->arguments.ttl_secs = 101;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                  TVD_DETAIL_LEASE_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);
}

static void task_unknown(struct stage *stage)
{
    stage->arguments.task_id = "unheard-of";
    expect_identifier(stage, TVD_ERROR_TASK_NOT_FOUND, "unheard-of");
}

static void task_leased(struct stage *stage)
{
    stage->arguments.task_id = "leased";
    expect_identifier(stage, TVD_ERROR_TASK_NOT_QUEUED, "leased");
    stage->expected.task_status = TVD_TASK_STATUS_LEASED;
}

static void task_expired(struct stage *stage)
{
    stage->arguments.task_id = "expired";
    expect_identifier(stage, TVD_ERROR_TASK_NOT_QUEUED, "expired");
    stage->expected.task_status = TVD_TASK_STATUS_EXPIRED;
}

static void unavailable(struct stage *stage, const char *worker_id)
{
    stage->arguments.worker_id = worker_id;
    expect_identifier(stage, TVD_ERROR_WORKER_UNAVAILABLE, worker_id);
}

static void worker_busy(struct stage *stage)
{
    unavailable(stage, "busy");
}

static void worker_offline(struct stage *stage)
{
    unavailable(stage, "gone");
}

static void worker_stale(struct stage *stage)
{
    unavailable(stage, "stale");
}

static void worker_full(struct stage *stage)
{
    stage->arguments.worker_id = "full";
    expect_identifier(stage, TVD_ERROR_WORKER_AT_CAPACITY, "full");
}

/* A heartbeat first, since every other one is stale by then. The lease would end one second too late. */
static void deadline_past_the_end_of_time(struct stage *stage)
{
    stage->world.at.now_secs = UINT64_MAX - 9;
    world_observe(&stage->world, "able", TVD_WORKER_STATUS_HEALTHY);
    stage->inputs.cursor = stage->world.at;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_LEASE_DEADLINE);
}

static void lease_ids_exhausted(struct stage *stage)
{
    stage->world.coordinator->next_lease_id = UINT64_MAX;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_LEASE_ID);
}

static void assign_task_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        task_id_invalid,
        worker_id_invalid,
        revision_conflict,
        time_regression,
        revision_exhausted,
        ttl_zero,
        ttl_over_maximum,
        task_unknown,
        task_leased,
        task_expired,
        worker_unknown,
        worker_busy,
        worker_offline,
        worker_stale,
        worker_full,
        lease_ids_exhausted,
        NULL,
    };

    (void)state;
    walk_faults("worker_pool_assign_task", faults);
}

static void assign_next_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        worker_id_invalid,   revision_conflict,
        time_regression,     revision_exhausted,
        nothing_queued,      ttl_zero,
        ttl_over_maximum,    worker_unknown,
        worker_busy,         worker_offline,
        worker_stale,        worker_full,
        lease_ids_exhausted, NULL,
    };

    (void)state;
    walk_faults("worker_pool_assign_next", faults);
}

static void assign_next_available_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        revision_conflict, time_regression,  revision_exhausted,  nothing_queued, nobody_available,
        ttl_zero,          ttl_over_maximum, lease_ids_exhausted, NULL,
    };

    (void)state;
    walk_faults("worker_pool_assign_next_available", faults);
}

static void assigning_past_the_end_of_time_is_answered_before_lease_ids(void **state)
{
    static fault *const faults[] = { deadline_past_the_end_of_time, lease_ids_exhausted, NULL };
    static const char *const names[] = { "worker_pool_assign_task", "worker_pool_assign_next",
                                         "worker_pool_assign_next_available" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        walk_faults(names[i], faults);
}

static void lease_of_nothing(struct stage *stage)
{
    memset(&stage->inputs.lease, 0, sizeof stage->inputs.lease);
    expect_identifier(stage, TVD_ERROR_TASK_NOT_FOUND, "");
}

static void lease_of_unknown_task(struct stage *stage)
{
    memset(stage->inputs.lease.private_task_id, 0, sizeof stage->inputs.lease.private_task_id);
    memcpy(stage->inputs.lease.private_task_id, "unheard-of", 10);
    expect_identifier(stage, TVD_ERROR_TASK_NOT_FOUND, "unheard-of");
}

static void lease_of_other_attempt(struct stage *stage)
{
    stage->inputs.lease = stage->cast.leased;
    stage->inputs.lease.private_attempt += 1;
    expect_identifier(stage, TVD_ERROR_STALE_OWNERSHIP, "leased");
}

/* Over at second 150, the very second. */
static void lease_over(struct stage *stage)
{
    stage->inputs.lease = stage->cast.running;
    stage->inputs.cursor.now_secs = 150;
    expect_identifier(stage, TVD_ERROR_LEASE_EXPIRED, "running");
}

static void start_task_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        revision_conflict,     time_regression,        revision_exhausted, lease_of_nothing,
        lease_of_unknown_task, lease_of_other_attempt, lease_over,         NULL,
    };

    (void)state;
    walk_faults("worker_pool_start_task", faults);
}

static void not_started(struct stage *stage, tvd_operation operation)
{
    stage->inputs.lease = stage->cast.leased;
    expect_identifier(stage, TVD_ERROR_INVALID_TRANSITION, "leased");
    stage->expected.task_status = TVD_TASK_STATUS_LEASED;
    stage->expected.operation = operation;
}

static void not_started_to_complete(struct stage *stage)
{
    not_started(stage, TVD_OPERATION_COMPLETE);
}

static void not_started_to_fail(struct stage *stage)
{
    not_started(stage, TVD_OPERATION_FAIL);
}

static void completed_under_other_lease(struct stage *stage)
{
    stage->inputs.lease = stage->cast.completed;
    stage->inputs.lease.private_lease_id += 1;
    expect_identifier(stage, TVD_ERROR_STALE_OWNERSHIP, "completed");
}

static void completions_exhausted(struct stage *stage)
{
    world_worker_record(&stage->world, "able")->completed_tasks = UINT64_MAX;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_COMPLETED_TASKS);
}

static void complete_task_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        revision_conflict,
        time_regression,
        revision_exhausted,
        lease_of_nothing,
        lease_of_unknown_task,
        completed_under_other_lease,
        lease_of_other_attempt,
        lease_over,
        not_started_to_complete,
        completions_exhausted,
        NULL,
    };

    (void)state;
    walk_faults("worker_pool_complete_task", faults);
}

static void failed_under_other_lease(struct stage *stage)
{
    stage->inputs.lease = stage->cast.failed;
    stage->inputs.lease.private_expires_at_secs += 1;
    expect_identifier(stage, TVD_ERROR_STALE_OWNERSHIP, "failed");
}

static void fail_task_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        revision_conflict,      time_regression,
        revision_exhausted,     lease_of_nothing,
        lease_of_unknown_task,  failed_under_other_lease,
        lease_of_other_attempt, lease_over,
        not_started_to_fail,    queue_full,
        ordinals_exhausted,     NULL,
    };

    (void)state;
    walk_faults("worker_pool_fail_task", faults);
}

static void ownership_of_no_kind(struct stage *stage)
{
    stage->inputs.ownership.private_kind = 3;
    expect_detail(stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_OWNERSHIP);
}

static void own(struct stage *stage, const tvd_task_ownership *ownership)
{
    stage->inputs.ownership = *ownership;
}

static void fence_of_nothing(struct stage *stage)
{
    own(stage, &stage->cast.queued);
    memset(&stage->inputs.ownership.private_token, 0, sizeof stage->inputs.ownership.private_token);
    expect_identifier(stage, TVD_ERROR_TASK_NOT_FOUND, "");
}

static void cancelled_by_other_fence(struct stage *stage)
{
    own(stage, &stage->cast.cancelled);
    stage->inputs.ownership.private_token.private_fence.private_record_version += 1;
    expect_identifier(stage, TVD_ERROR_STALE_OWNERSHIP, "cancelled");
}

static void fence_of_other_version(struct stage *stage)
{
    own(stage, &stage->cast.queued);
    stage->inputs.ownership.private_token.private_fence.private_record_version += 1;
    expect_identifier(stage, TVD_ERROR_STALE_OWNERSHIP, "queued-1");
}

static void owned_by_other_attempt(struct stage *stage)
{
    own(stage, &stage->cast.owned);
    stage->inputs.ownership.private_token.private_lease.private_attempt += 1;
    expect_identifier(stage, TVD_ERROR_STALE_OWNERSHIP, "leased");
}

static void owned_too_long(struct stage *stage)
{
    own(stage, &stage->cast.owned);
    stage->inputs.cursor.now_secs = 150;
    expect_identifier(stage, TVD_ERROR_LEASE_EXPIRED, "leased");
}

static void cancel_task_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        ownership_of_no_kind,   revision_conflict,
        time_regression,        revision_exhausted,
        fence_of_nothing,       cancelled_by_other_fence,
        fence_of_other_version, owned_by_other_attempt,
        owned_too_long,         NULL,
    };

    (void)state;
    walk_faults("worker_pool_cancel_task", faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assign_task_answers_each_error_in_order),
        cmocka_unit_test(assign_next_answers_each_error_in_order),
        cmocka_unit_test(assign_next_available_answers_each_error_in_order),
        cmocka_unit_test(assigning_past_the_end_of_time_is_answered_before_lease_ids),
        cmocka_unit_test(start_task_answers_each_error_in_order),
        cmocka_unit_test(complete_task_answers_each_error_in_order),
        cmocka_unit_test(fail_task_answers_each_error_in_order),
        cmocka_unit_test(cancel_task_answers_each_error_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
