/*
 * next_due: the very second from which each maintenance command finds something to do.
 */
#include "world.h"

static tvd_next_due due(struct world *world, uint64_t task_ttl_secs)
{
    tvd_next_due next;

    assert_ok(tvd_worker_pool_next_due(world->pool, task_ttl_secs, &next, &world->error));
    return next;
}

static void assert_due(tvd_due actual, bool ever, uint64_t at_secs)
{
    assert_int_equal(actual.ever, ever);
    assert_int_equal(actual.at_secs, at_secs);
}

static void nothing_is_ever_due_in_an_empty_coordinator(void **state)
{
    tvd_next_due next = due(*state, 10);

    assert_due(next.lease_recovery, false, 0);
    assert_due(next.worker_pruning, false, 0);
    assert_due(next.task_expiry, false, 0);
}

/* One second before, nothing is found; in that second, something is. */
static void leases_are_due_when_the_first_ends(void **state)
{
    struct world *world = *state;

    world_register(world, "worker", 2);
    world_enqueue(world, "late");
    world_enqueue(world, "early");
    world_assign_for(world, "late", "worker", 30);
    world_assign_for(world, "early", "worker", 20);
    assert_due(due(world, 0).lease_recovery, true, 20);
    world->at.now_secs = 19;
    assert_int_equal(world_recover(world).tasks_requeued, 0);
    world->at.now_secs = 20;
    assert_int_equal(world_recover(world).tasks_requeued, 1);
    assert_due(due(world, 0).lease_recovery, true, 30);
}

static tvd_recovery_summary prune(struct world *world)
{
    tvd_recovery_summary summary;

    assert_ok(tvd_worker_pool_prune_dead_workers(world->pool, &world->at, &summary, &world->error));
    return summary;
}

static void pruning_is_due_a_second_after_the_timeout(void **state)
{
    struct world *world = *state;

    world->at.now_secs = 5;
    world_register(world, "worker", 1);
    assert_due(due(world, 0).worker_pruning, true, 66);
    world->at.now_secs = 65;
    assert_int_equal(prune(world).workers_affected, 0);
    world->at.now_secs = 66;
    assert_int_equal(prune(world).workers_affected, 1);
    assert_due(due(world, 0).worker_pruning, false, 0);
}

static size_t expire(struct world *world, uint64_t task_ttl_secs)
{
    size_t expired;

    assert_ok(
        tvd_worker_pool_expire_old_tasks(world->pool, &world->at, task_ttl_secs, &expired, &world->error));
    return expired;
}

static void expiry_is_due_when_the_oldest_task_is_old_enough(void **state)
{
    struct world *world = *state;

    world->at.now_secs = 3;
    world_enqueue(world, "task");
    assert_due(due(world, 0).task_expiry, false, 0);
    assert_due(due(world, 7).task_expiry, true, 10);
    world->at.now_secs = 9;
    assert_int_equal(expire(world, 7), 0);
    world->at.now_secs = 10;
    assert_int_equal(expire(world, 7), 1);
    assert_due(due(world, 7).task_expiry, false, 0);
}

static void what_is_overdue_is_due_now(void **state)
{
    struct world *world = *state;

    world_register(world, "worker", 1);
    world_enqueue(world, "task");
    world_assign_for(world, "task", "worker", 10);
    world->at.now_secs = 500;
    world_enqueue(world, "other");
    assert_due(due(world, 1).lease_recovery, true, 500);
    assert_due(due(world, 1).worker_pruning, true, 500);
    assert_due(due(world, 1).task_expiry, true, 500);
}

static void what_lies_past_the_end_of_time_is_never_due(void **state)
{
    struct world *world = *state;

    world->at.now_secs = UINT64_MAX - 60;
    world_register(world, "worker", 1);
    world_enqueue(world, "task");
    assert_due(due(world, 61).worker_pruning, false, 0);
    assert_due(due(world, 61).task_expiry, false, 0);
    assert_due(due(world, 60).task_expiry, true, UINT64_MAX);
    world_assign_for(world, "task", "worker", 60);
    assert_due(due(world, 0).lease_recovery, true, UINT64_MAX);
}

#define due_test(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        due_test(nothing_is_ever_due_in_an_empty_coordinator),
        due_test(leases_are_due_when_the_first_ends),
        due_test(pruning_is_due_a_second_after_the_timeout),
        due_test(expiry_is_due_when_the_oldest_task_is_old_enough),
        due_test(what_is_overdue_is_due_now),
        due_test(what_lies_past_the_end_of_time_is_never_due),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
