/*
 * The holder's commands: what each does, and what saying it again does.
 */
#include "dump.h"
#include "world.h"

#include <string.h>

static int setup(void **state)
{
    world_setup(state);
    world_register(*state, "worker", 8);
    return 0;
}

static tvd_start_outcome start(struct world *world, const tvd_task_lease *lease)
{
    tvd_start_outcome outcome;

    assert_ok(tvd_worker_pool_start_task(world->pool, &world->at, lease, &outcome, &world->error));
    return outcome;
}

static tvd_completion_outcome complete(struct world *world, const tvd_task_lease *lease)
{
    tvd_completion_outcome outcome;

    assert_ok(tvd_worker_pool_complete_task(world->pool, &world->at, lease, &outcome, &world->error));
    return outcome;
}

static tvd_cancellation_outcome cancel(struct world *world, const tvd_task_ownership *ownership)
{
    tvd_cancellation_outcome outcome;

    assert_ok(tvd_worker_pool_cancel_task(world->pool, &world->at, ownership, &outcome, &world->error));
    return outcome;
}

/* A task that has failed for good: its one retry was used up. The lease is the last one. */
static tvd_task_lease play_to_failure(struct world *world)
{
    tvd_task_lease lease = world_run(world, "task", "worker");

    world_fail(world, &lease);
    lease = world_assign(world, "task", "worker");
    world_start(world, &lease);
    return lease;
}

static struct dump before;
static struct dump after;

/* What happens between the two changes nothing, not even the time. */
static void begin_replay(struct world *world)
{
    dump_take(world, &before);
    world->at.now_secs += 1000;
}

static void end_replay(struct world *world)
{
    dump_take(world, &after);
    dump_assert_same(&before, &after);
    assert_int_equal(world->at.revision, before.snapshot.revision);
}

static void start_task_runs_the_task_from_now(void **state)
{
    struct world *world = *state;
    tvd_start_outcome outcome;
    tvd_task_lease lease;
    tvd_task task;

    world_enqueue(world, "task");
    lease = world_assign(world, "task", "worker");
    world->at.now_secs = 4;
    outcome = start(world, &lease);
    assert_int_equal(outcome.kind, TVD_STARTED);
    assert_int_equal(outcome.record_version, 3);
    task = world_task(world, "task");
    assert_int_equal(task.status, TVD_TASK_STATUS_RUNNING);
    assert_true(task.has_started_at);
    assert_int_equal(task.started_at_secs, 4);
    assert_int_equal(task.lease_expires_at_secs, 10); /* not extended */
}

static void start_task_again_is_already_running(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");
    tvd_start_outcome outcome;

    dump_take(world, &before);
    world->at.now_secs = 9; /* the last second of the lease */
    outcome = start(world, &lease);
    assert_int_equal(outcome.kind, TVD_ALREADY_RUNNING);
    assert_int_equal(outcome.record_version, 3);
    end_replay(world);
    world->at.now_secs = 10;
    assert_int_equal(tvd_worker_pool_start_task(world->pool, &world->at, &lease, NULL, NULL),
                     TVD_ERROR_LEASE_EXPIRED);
}

static void complete_task_ends_the_task_and_gives_a_receipt(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");
    tvd_completion_outcome outcome;
    tvd_task task;

    world->at.now_secs = 9;
    outcome = complete(world, &lease);
    assert_int_equal(outcome.kind, TVD_COMPLETED);
    assert_string_equal(tvd_completion_receipt_task_id(&outcome.receipt), "task");
    assert_string_equal(tvd_completion_receipt_worker_id(&outcome.receipt), "worker");
    assert_int_equal(tvd_completion_receipt_lease_id(&outcome.receipt), 1);
    assert_int_equal(tvd_completion_receipt_record_version(&outcome.receipt), 4);
    task = world_task(world, "task");
    assert_int_equal(task.status, TVD_TASK_STATUS_COMPLETED);
    assert_true(task.has_completed_at);
    assert_int_equal(task.completed_at_secs, 9);
    assert_string_equal(task.assigned_to, "");
    assert_int_equal(task.lease_id, 0);
    assert_int_equal(task.attempt, 1);
    assert_int_equal(world_worker(world, "worker").current_tasks, 0);
    assert_int_equal(world_worker(world, "worker").completed_tasks, 1);
    assert_int_equal(world_snapshot(world).terminal_tasks, 1);
    assert_int_equal(world_snapshot(world).active_tasks, 0);
}

static void complete_task_again_gives_the_same_receipt_after_the_leases_time_too(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");
    const tvd_completion_outcome first = complete(world, &lease);
    tvd_completion_outcome again;

    begin_replay(world);
    again = complete(world, &lease);
    assert_int_equal(again.kind, TVD_ALREADY_COMPLETED);
    assert_memory_equal(&again.receipt, &first.receipt, sizeof first.receipt);
    end_replay(world);
}

static void fail_task_sends_the_task_behind_its_peers(void **state)
{
    struct world *world = *state;
    tvd_failure_outcome outcome;
    tvd_task_lease lease;
    tvd_task task;
    char order[32];

    world->at.now_secs = 2;
    lease = world_run(world, "task", "worker");
    world_enqueue(world, "peer");
    world->at.now_secs = 9;
    outcome = world_fail(world, &lease);
    assert_int_equal(outcome.kind, TVD_REQUEUED);
    assert_int_equal(outcome.retry_count, 1);
    assert_int_equal(outcome.task_generation, 1);
    assert_int_equal(outcome.record_version, 4);
    task = world_task(world, "task");
    assert_int_equal(task.status, TVD_TASK_STATUS_QUEUED);
    assert_int_equal(task.created_at_secs, 2);
    assert_false(task.has_started_at);
    assert_int_equal(task.started_at_secs, 0);
    assert_string_equal(task.assigned_to, "");
    assert_int_equal(world_worker(world, "worker").current_tasks, 0);
    assert_int_equal(world_worker(world, "worker").completed_tasks, 0);
    assert_string_equal(world_queue_order(world, order, sizeof order), "peer task");
}

static void fail_task_without_retries_left_ends_the_task(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = play_to_failure(world);
    tvd_failure_outcome outcome;

    world->at.now_secs = 8;
    outcome = world_fail(world, &lease);
    assert_int_equal(outcome.kind, TVD_RETRY_EXHAUSTED);
    assert_int_equal(outcome.retry_count, 1);
    assert_int_equal(outcome.record_version, 7);
    assert_int_equal(world_task(world, "task").status, TVD_TASK_STATUS_FAILED);
    assert_int_equal(world_task(world, "task").completed_at_secs, 8);
    assert_true(world_task(world, "task").has_started_at);
}

static void fail_task_again_gives_the_same_outcome(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = play_to_failure(world);
    const tvd_failure_outcome first = world_fail(world, &lease);
    tvd_failure_outcome again;

    begin_replay(world);
    again = world_fail(world, &lease);
    assert_memory_equal(&again, &first, sizeof first);
    end_replay(world);
}

/* A requeue is not replayed: the token is worth nothing from then on. */
static void fail_task_again_after_a_requeue_is_stale(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");

    world_fail(world, &lease);
    assert_int_equal(tvd_worker_pool_fail_task(world->pool, &world->at, &lease, NULL, &world->error),
                     TVD_ERROR_STALE_OWNERSHIP);
    assert_string_equal(world->error.identifier, "task");
}

static void fail_task_with_a_full_queue_can_be_said_again_later(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");

    for (const char *id = "1\0"
                          "2\0"
                          "3\0"
                          "4\0";
         *id != '\0'; id += 2)
        world_enqueue(world, id);
    assert_int_equal(tvd_worker_pool_fail_task(world->pool, &world->at, &lease, NULL, &world->error),
                     TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED);
    world_cancel(world, "3");
    assert_int_equal(world_fail(world, &lease).kind, TVD_REQUEUED);
}

static void cancel_task_by_fence_takes_it_out_of_the_queue(void **state)
{
    struct world *world = *state;
    tvd_task_ownership ownership;
    tvd_cancellation_outcome outcome;
    char order[32];

    world_enqueue(world, "1");
    world_enqueue(world, "2");
    world_enqueue(world, "3");
    ownership = world_ownership(world, "2");
    world->at.now_secs = 6;
    outcome = cancel(world, &ownership);
    assert_int_equal(outcome.kind, TVD_CANCELLED);
    assert_int_equal(outcome.record_version, 2);
    assert_string_equal(world_queue_order(world, order, sizeof order), "1 3");
    assert_int_equal(world_task(world, "2").status, TVD_TASK_STATUS_CANCELLED);
    assert_int_equal(world_task(world, "2").completed_at_secs, 6);
    begin_replay(world);
    outcome = cancel(world, &ownership);
    assert_int_equal(outcome.kind, TVD_ALREADY_CANCELLED);
    assert_int_equal(outcome.record_version, 2);
    end_replay(world);
}

static void cancel_task_by_lease_releases_the_worker(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");
    const tvd_task_ownership ownership = tvd_task_ownership_from_lease(&lease);

    assert_int_equal(cancel(world, &ownership).kind, TVD_CANCELLED);
    assert_int_equal(world_worker(world, "worker").current_tasks, 0);
    assert_int_equal(world_worker(world, "worker").completed_tasks, 0);
    begin_replay(world);
    assert_int_equal(cancel(world, &ownership).kind, TVD_ALREADY_CANCELLED);
    end_replay(world);
}

/* The fence was good until the task was leased; the lease until it was cancelled by another token. */
static void a_token_of_the_other_kind_does_not_replay_a_cancellation(void **state)
{
    struct world *world = *state;
    tvd_task_ownership fence;
    tvd_task_lease lease;
    tvd_task_ownership owned;

    world_enqueue(world, "task");
    fence = world_ownership(world, "task");
    lease = world_assign(world, "task", "worker");
    owned = tvd_task_ownership_from_lease(&lease);
    assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &world->at, &fence, NULL, NULL),
                     TVD_ERROR_STALE_OWNERSHIP);
    world_start(world, &lease);
    world_fail(world, &lease);
    world_cancel(world, "task");
    assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &world->at, &fence, NULL, NULL),
                     TVD_ERROR_STALE_OWNERSHIP);
    assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &world->at, &owned, NULL, NULL),
                     TVD_ERROR_STALE_OWNERSHIP);
}

static void a_fence_does_not_replay_a_cancellation_by_lease(void **state)
{
    struct world *world = *state;
    tvd_task_ownership fence;

    world_enqueue(world, "task");
    fence = world_ownership(world, "task");
    world_assign(world, "task", "worker");
    world_cancel(world, "task");
    assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &world->at, &fence, NULL, NULL),
                     TVD_ERROR_STALE_OWNERSHIP);
}

/* At the second of expiry itself; one second before, it is good. */
static void an_expired_lease_is_good_for_nothing(void **state)
{
    struct world *world = *state;
    const tvd_task_lease lease = world_run(world, "task", "worker");
    const tvd_task_ownership ownership = tvd_task_ownership_from_lease(&lease);
    tvd_cursor at = { .now_secs = 10, .revision = world->at.revision };

    assert_int_equal(tvd_worker_pool_start_task(world->pool, &at, &lease, NULL, NULL), TVD_ERROR_LEASE_EXPIRED);
    assert_int_equal(tvd_worker_pool_complete_task(world->pool, &at, &lease, NULL, NULL),
                     TVD_ERROR_LEASE_EXPIRED);
    assert_int_equal(tvd_worker_pool_fail_task(world->pool, &at, &lease, NULL, NULL), TVD_ERROR_LEASE_EXPIRED);
    assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &at, &ownership, NULL, NULL),
                     TVD_ERROR_LEASE_EXPIRED);
    world->at.now_secs = 9;
    world_complete(world, &lease);
}

/* A hint that leads elsewhere, or nowhere, costs time alone; the identifier decides. */
static void the_hint_decides_nothing(void **state)
{
    static const uint32_t hints[] = { 0, 1, 2, 3, UINT32_MAX };
    struct world *world = *state;
    tvd_task_lease lease;

    world_enqueue(world, "other");
    lease = world_run(world, "task", "worker");
    world_enqueue(world, "task-2");
    for (size_t i = 0; i < COUNT_OF(hints); i++) {
        lease.private_hint = hints[i];
        assert_int_equal(start(world, &lease).kind, TVD_ALREADY_RUNNING);
    }
}

#define lease_test(function) cmocka_unit_test_setup_teardown(function, setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        lease_test(start_task_runs_the_task_from_now),
        lease_test(start_task_again_is_already_running),
        lease_test(complete_task_ends_the_task_and_gives_a_receipt),
        lease_test(complete_task_again_gives_the_same_receipt_after_the_leases_time_too),
        lease_test(fail_task_sends_the_task_behind_its_peers),
        lease_test(fail_task_without_retries_left_ends_the_task),
        lease_test(fail_task_again_gives_the_same_outcome),
        lease_test(fail_task_again_after_a_requeue_is_stale),
        lease_test(fail_task_with_a_full_queue_can_be_said_again_later),
        lease_test(cancel_task_by_fence_takes_it_out_of_the_queue),
        lease_test(cancel_task_by_lease_releases_the_worker),
        lease_test(a_token_of_the_other_kind_does_not_replay_a_cancellation),
        lease_test(a_fence_does_not_replay_a_cancellation_by_lease),
        lease_test(an_expired_lease_is_good_for_nothing),
        lease_test(the_hint_decides_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
