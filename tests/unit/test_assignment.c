/*
 * Giving queued tasks to workers, in the three ways.
 */
#include "world.h"

#include <string.h>

static int setup(void **state)
{
    world_setup(state);
    world_register(*state, "worker", 3);
    world_enqueue(*state, "first");
    world_enqueue_as(*state, "urgent", TVD_TASK_PRIORITY_HIGH);
    ((struct world *)*state)->at.now_secs = 5;
    return 0;
}

static void a_lease_says_who_what_and_until_when(void **state)
{
    const tvd_task_lease lease = world_assign_for(*state, "first", "worker", 20);

    assert_string_equal(tvd_task_lease_task_id(&lease), "first");
    assert_string_equal(tvd_task_lease_worker_id(&lease), "worker");
    assert_int_equal(tvd_task_lease_worker_generation(&lease), 1);
    assert_int_equal(tvd_task_lease_task_generation(&lease), 0);
    assert_int_equal(tvd_task_lease_attempt(&lease), 1);
    assert_int_equal(tvd_task_lease_lease_id(&lease), 1);
    assert_int_equal(tvd_task_lease_acquired_at_secs(&lease), 5);
    assert_int_equal(tvd_task_lease_expires_at_secs(&lease), 25);
}

static void a_leased_task_leaves_the_queue_and_takes_a_slot(void **state)
{
    struct world *world = *state;
    char order[32];
    tvd_task task;

    world_assign_for(world, "first", "worker", 20);
    task = world_task(world, "first");
    assert_int_equal(task.status, TVD_TASK_STATUS_LEASED);
    assert_string_equal(task.assigned_to, "worker");
    assert_int_equal(task.attempt, 1);
    assert_int_equal(task.record_version, 2);
    assert_int_equal(task.lease_id, 1);
    assert_int_equal(task.lease_worker_generation, 1);
    assert_int_equal(task.lease_acquired_at_secs, 5);
    assert_int_equal(task.lease_expires_at_secs, 25);
    assert_false(task.has_started_at);
    assert_string_equal(world_queue_order(world, order, sizeof order), "urgent");
    assert_int_equal(world_worker(world, "worker").current_tasks, 1);
    assert_int_equal(world_worker(world, "worker").available_slots, 2);
    assert_int_equal(world_snapshot(world).active_tasks, 2);
    assert_int_equal(world_snapshot(world).queued_tasks, 1);
    assert_int_equal(world_snapshot(world).logical_time_secs, 5);
}

static void assign_next_takes_the_head_for_the_named_worker(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease;

    world_register(world, "better", 9);
    assert_ok(tvd_worker_pool_assign_next(world->pool, &world->at, "worker", 10, &lease, &world->error));
    assert_string_equal(tvd_task_lease_task_id(&lease), "urgent");
    assert_string_equal(tvd_task_lease_worker_id(&lease), "worker");
}

static void assign_next_available_takes_the_head_for_the_best_worker(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease;

    world_register(world, "better", 9);
    assert_ok(tvd_worker_pool_assign_next_available(world->pool, &world->at, 10, &lease, &world->error));
    assert_string_equal(tvd_task_lease_task_id(&lease), "urgent");
    assert_string_equal(tvd_task_lease_worker_id(&lease), "better");
}

/* 4 and 4 slots, the smaller ID first: from then on they take turns. */
static void workers_that_are_alike_take_turns(void **state)
{
    static const char *const turns[] = { "one", "two", "one", "two" };
    struct world *world = *state;
    tvd_task_lease lease;

    world_register(world, "two", 4);
    world_register(world, "one", 4);
    world_enqueue(world, "third");
    world_enqueue(world, "fourth");
    for (size_t i = 0; i < COUNT_OF(turns); i++) {
        assert_ok(tvd_worker_pool_assign_next_available(world->pool, &world->at, 10, &lease, &world->error));
        assert_string_equal(tvd_task_lease_worker_id(&lease), turns[i]);
    }
}

static void a_lease_may_run_from_one_second_to_the_configured_maximum(void **state)
{
    const tvd_task_lease shortest = world_assign_for(*state, "first", "worker", 1);
    const tvd_task_lease longest = world_assign_for(*state, "urgent", "worker", 100);

    assert_int_equal(tvd_task_lease_expires_at_secs(&shortest), 6);
    assert_int_equal(tvd_task_lease_expires_at_secs(&longest), 105);
}

static void a_worker_is_given_tasks_up_to_its_slots(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease;

    world_register(world, "single", 1);
    world_assign(world, "first", "single");
    assert_int_equal(tvd_worker_pool_assign_next(world->pool, &world->at, "single", 10, &lease, &world->error),
                     TVD_ERROR_WORKER_AT_CAPACITY);
    assert_string_equal(world->error.identifier, "single");
}

/* Heard of at second 0, with a timeout of 60. */
static void a_named_worker_is_given_tasks_until_its_heartbeat_is_stale(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease;

    world->at.now_secs = 60;
    world_assign(world, "first", "worker");
    world->at.now_secs = 61;
    assert_int_equal(tvd_worker_pool_assign_next(world->pool, &world->at, "worker", 10, &lease, &world->error),
                     TVD_ERROR_WORKER_UNAVAILABLE);
}

static void lease_ids_grow_and_are_not_used_again(void **state)
{
    struct world *world = *state;
    const tvd_task_lease first = world_assign(world, "first", "worker");
    tvd_task_lease again;

    world_start(world, &first);
    world_fail(world, &first);
    again = world_assign(world, "first", "worker");
    assert_int_equal(tvd_task_lease_lease_id(&first), 1);
    assert_int_equal(tvd_task_lease_lease_id(&again), 2);
    assert_int_equal(tvd_task_lease_attempt(&again), 2);
    assert_int_equal(tvd_task_lease_task_generation(&again), 1);
}

#define assignment_test(function) cmocka_unit_test_setup_teardown(function, setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        assignment_test(a_lease_says_who_what_and_until_when),
        assignment_test(a_leased_task_leaves_the_queue_and_takes_a_slot),
        assignment_test(assign_next_takes_the_head_for_the_named_worker),
        assignment_test(assign_next_available_takes_the_head_for_the_best_worker),
        assignment_test(workers_that_are_alike_take_turns),
        assignment_test(a_lease_may_run_from_one_second_to_the_configured_maximum),
        assignment_test(a_worker_is_given_tasks_up_to_its_slots),
        assignment_test(a_named_worker_is_given_tasks_until_its_heartbeat_is_stale),
        assignment_test(lease_ids_grow_and_are_not_used_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
