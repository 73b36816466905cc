/*
 * A task's life, one edge of the diagram at a time: where its record is linked, what is counted, and which version it has
 * after each.
 */
#include "lifecycle.h"
#include "world.h"

/* The functions change records and nothing else: revision and time belong to the commands. */
static struct tvd_coordinator *coordinator;
static struct tvd_task_record *task;
static struct tvd_worker_record *worker;

static int setup(void **state)
{
    struct world *world;

    world_setup(state);
    world = *state;
    world_register(world, "worker", 1);
    world_enqueue(world, "task");
    coordinator = world->coordinator;
    task = world_task_record(world, "task");
    worker = world_worker_record(world, "worker");
    tvd_guard_lock(&coordinator->guard);
    return 0;
}

static int teardown(void **state)
{
    tvd_guard_unlock(&coordinator->guard);
    return world_teardown(state);
}

static void assert_counts(uint64_t active, uint64_t queued, uint64_t terminal)
{
    assert_int_equal(coordinator->now.active_tasks, active);
    assert_int_equal(coordinator->now.queued_tasks, queued);
    assert_int_equal(coordinator->now.terminal_tasks, terminal);
}

static void assert_linked(bool queued, bool held, bool active)
{
    assert_int_equal(tvd_link_is_attached(&task->queue_link), queued);
    assert_int_equal(tvd_link_is_attached(&task->worker_link), held);
    assert_int_equal(tvd_map_is_attached(&task->by_expiry), held);
    assert_int_equal(tvd_link_is_attached(&task->active_link), active);
    assert_int_equal(worker->current_tasks, held);
    assert_int_equal(tvd_map_is_attached(&worker->by_preference), !held); /* its only slot */
}

static void lease(void)
{
    tvd_lifecycle_lease_locked(coordinator, task, worker, 0, 10);
}

static void admitted_a_task_is_queued(void **state)
{
    (void)state;
    assert_linked(true, false, true);
    assert_counts(1, 1, 0);
    assert_int_equal(task->record_version, 1);
    assert_int_equal(task->enqueue_ordinal, 1);
    assert_ptr_equal(coordinator->tasks_by_hint[0], task);
}

static void from_queued_to_leased(void **state)
{
    (void)state;
    lease();
    assert_linked(false, true, true);
    assert_counts(1, 0, 0);
    assert_int_equal(task->record_version, 2);
    assert_int_equal(task->attempt, 1);
    assert_int_equal(task->lease_expires_at_secs, 10);
    assert_int_equal(coordinator->next_lease_id, 2);
}

static void from_leased_to_running(void **state)
{
    (void)state;
    lease();
    tvd_lifecycle_start_locked(coordinator, task, 0);
    assert_linked(false, true, true);
    assert_counts(1, 0, 0);
    assert_int_equal(task->record_version, 3);
}

static void from_leased_and_from_running_back_to_queued(void **state)
{
    (void)state;
    coordinator->limits.max_retries = 2;
    lease();
    tvd_lifecycle_requeue_locked(coordinator, task);
    assert_linked(true, false, true);
    assert_int_equal(task->enqueue_ordinal, 2);
    lease();
    tvd_lifecycle_start_locked(coordinator, task, 0);
    assert_true(tvd_lifecycle_may_retry(coordinator, task));
    tvd_lifecycle_requeue_locked(coordinator, task);
    assert_linked(true, false, true);
    assert_counts(1, 1, 0);
    assert_int_equal(task->record_version, 6);
    assert_int_equal(task->retry_count, 2);
    assert_int_equal(task->task_generation, 2);
    assert_false(task->has_started_at);
    assert_false(tvd_lifecycle_may_retry(coordinator, task));
}

static void assert_ended(tvd_task_status status, enum tvd_proof proof, uint64_t record_version)
{
    tvd_lifecycle_end_locked(coordinator, task, status, proof, 0);
    assert_linked(false, false, false);
    assert_counts(0, 0, 1);
    assert_int_equal(task->status, status);
    assert_int_equal(task->proof, proof);
    assert_int_equal(task->record_version, record_version);
}

static void from_queued_to_cancelled(void **state)
{
    (void)state;
    assert_ended(TVD_TASK_STATUS_CANCELLED, TVD_PROOF_FENCE, 2);
}

static void from_queued_to_expired(void **state)
{
    (void)state;
    assert_ended(TVD_TASK_STATUS_EXPIRED, TVD_PROOF_NONE, 2);
}

static void from_leased_to_failed(void **state)
{
    (void)state;
    lease();
    assert_ended(TVD_TASK_STATUS_FAILED, TVD_PROOF_NONE, 3);
}

static void from_leased_to_cancelled(void **state)
{
    (void)state;
    lease();
    assert_ended(TVD_TASK_STATUS_CANCELLED, TVD_PROOF_LEASE, 3);
}

static void from_leased_to_expired(void **state)
{
    (void)state;
    lease();
    assert_ended(TVD_TASK_STATUS_EXPIRED, TVD_PROOF_NONE, 3);
}

static void run(void)
{
    lease();
    tvd_lifecycle_start_locked(coordinator, task, 0);
}

static void from_running_to_completed(void **state)
{
    (void)state;
    run();
    assert_ended(TVD_TASK_STATUS_COMPLETED, TVD_PROOF_LEASE, 4);
}

static void from_running_to_failed(void **state)
{
    (void)state;
    run();
    assert_ended(TVD_TASK_STATUS_FAILED, TVD_PROOF_LEASE, 4);
}

static void from_running_to_cancelled(void **state)
{
    (void)state;
    run();
    assert_ended(TVD_TASK_STATUS_CANCELLED, TVD_PROOF_LEASE, 4);
}

static void from_running_to_expired(void **state)
{
    (void)state;
    run();
    assert_ended(TVD_TASK_STATUS_EXPIRED, TVD_PROOF_NONE, 4);
}

#define lifecycle_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        lifecycle_test(admitted_a_task_is_queued), lifecycle_test(from_queued_to_leased),
        lifecycle_test(from_leased_to_running),    lifecycle_test(from_leased_and_from_running_back_to_queued),
        lifecycle_test(from_queued_to_cancelled),  lifecycle_test(from_queued_to_expired),
        lifecycle_test(from_leased_to_failed),     lifecycle_test(from_leased_to_cancelled),
        lifecycle_test(from_leased_to_expired),    lifecycle_test(from_running_to_completed),
        lifecycle_test(from_running_to_failed),    lifecycle_test(from_running_to_cancelled),
        lifecycle_test(from_running_to_expired),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
