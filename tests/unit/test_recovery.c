/*
 * Taking back what was lost: expired leases, gone workers, tasks past their time.
 */
#include "dump.h"
#include "world.h"

#include <string.h>

static int setup(void **state)
{
    world_setup(state);
    world_register(*state, "one", 4);
    world_register(*state, "two", 4);
    return 0;
}

static void assert_summary(tvd_recovery_summary actual, uint64_t workers, uint64_t requeued, uint64_t failed)
{
    assert_int_equal(actual.workers_affected, workers);
    assert_int_equal(actual.tasks_requeued, requeued);
    assert_int_equal(actual.tasks_failed, failed);
}

static tvd_recovery_summary prune(struct world *world)
{
    tvd_recovery_summary summary;

    assert_ok(tvd_worker_pool_prune_dead_workers(world->pool, &world->at, &summary, &world->error));
    return summary;
}

static tvd_recovery_summary deregister(struct world *world, const char *worker_id)
{
    tvd_recovery_summary summary;

    assert_ok(tvd_worker_pool_deregister_worker(world->pool, &world->at, worker_id,
                                                world_worker(world, worker_id).generation, &summary,
                                                &world->error));
    return summary;
}

static size_t expire(struct world *world, uint64_t task_ttl_secs)
{
    size_t expired;

    assert_ok(
        tvd_worker_pool_expire_old_tasks(world->pool, &world->at, task_ttl_secs, &expired, &world->error));
    return expired;
}

/* Makes a task whose one retry is used up, held by a worker. */
static void hold_last_attempt(struct world *world, const char *task_id, const char *worker_id)
{
    tvd_task_lease lease = world_run(world, task_id, worker_id);

    world_fail(world, &lease);
    world_assign(world, task_id, worker_id);
}

static void recovery_with_nothing_to_do_commits(void **state)
{
    struct world *world = *state;

    world->at.now_secs = 3;
    assert_summary(world_recover(world), 0, 0, 0);
    assert_summary(prune(world), 0, 0, 0);
    assert_int_equal(expire(world, 1), 0);
    assert_int_equal(world_snapshot(world).revision, 5);
    assert_int_equal(world_snapshot(world).logical_time_secs, 3);
}

static void recover_expired_leases_takes_leased_and_running_alike_and_leaves_the_rest(void **state)
{
    struct world *world = *state;

    world_enqueue(world, "leased");
    world_assign(world, "leased", "one");
    world_run(world, "running", "one");
    hold_last_attempt(world, "worn-out", "two");
    world_enqueue(world, "lasting");
    world_assign_for(world, "lasting", "two", 11);
    world->at.now_secs = 10;
    assert_summary(world_recover(world), 2, 2, 1);
    assert_int_equal(world_task(world, "leased").status, TVD_TASK_STATUS_QUEUED);
    assert_int_equal(world_task(world, "running").status, TVD_TASK_STATUS_QUEUED);
    assert_int_equal(world_task(world, "running").retry_count, 1);
    assert_int_equal(world_task(world, "worn-out").status, TVD_TASK_STATUS_FAILED);
    assert_int_equal(world_task(world, "worn-out").completed_at_secs, 10);
    assert_int_equal(world_task(world, "lasting").status, TVD_TASK_STATUS_LEASED);
    assert_int_equal(world_worker(world, "one").current_tasks, 0);
    assert_int_equal(world_worker(world, "two").current_tasks, 1);
}

/* The longest lease was given first; it comes back last by expiry, but first by lease ID. */
static void leases_come_back_in_the_order_of_their_ids(void **state)
{
    static const uint64_t ttls[] = { 10, 9, 8, 10 };
    static const char *const ids[] = { "a", "b", "c", "d" };
    struct world *world = *state;
    char order[32];

    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        world_enqueue(world, ids[i]);
        world_assign_for(world, ids[i], i % 2 == 0 ? "one" : "two", ttls[i]);
    }
    world->at.now_secs = 10;
    assert_summary(world_recover(world), 2, 4, 0);
    assert_string_equal(world_queue_order(world, order, sizeof order), "a b c d");
}

/* And one order across all workers that are pruned. */
static void pruned_workers_give_their_leases_back_in_one_order(void **state)
{
    static const char *const ids[] = { "a", "b", "c", "d" };
    struct world *world = *state;
    char order[32];

    world_observe(world, "one", TVD_WORKER_STATUS_HEALTHY); /* one is behind two in the order of heartbeats */
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        world_enqueue(world, ids[i]);
        world_assign_for(world, ids[i], i % 2 == 0 ? "one" : "two", 100);
    }
    world->at.now_secs = 61;
    assert_summary(prune(world), 2, 4, 0);
    assert_string_equal(world_queue_order(world, order, sizeof order), "a b c d");
    assert_int_equal(world_worker(world, "one").status, TVD_WORKER_STATUS_OFFLINE);
    assert_int_equal(world_worker(world, "two").generation, 2);
}

static void deregister_worker_counts_itself_also_without_leases(void **state)
{
    struct world *world = *state;

    assert_summary(deregister(world, "one"), 1, 0, 0);
    world_run(world, "task", "two");
    hold_last_attempt(world, "worn-out", "two");
    assert_summary(deregister(world, "two"), 1, 1, 1);
    assert_int_equal(world_worker(world, "two").status, TVD_WORKER_STATUS_OFFLINE);
    assert_int_equal(world_worker(world, "two").generation, 2);
    assert_int_equal(world_worker(world, "two").current_tasks, 0);
}

static void prune_dead_workers_counts_each_worker_once_with_or_without_leases(void **state)
{
    struct world *world = *state;

    world_run(world, "1", "one");
    world_run(world, "2", "one");
    world->at.now_secs = 61;
    world_register(world, "fresh", 1);
    assert_summary(prune(world), 2, 2, 0);
    assert_int_equal(world_worker(world, "fresh").status, TVD_WORKER_STATUS_HEALTHY);
    assert_summary(prune(world), 0, 0, 0);
}

/* Busy and degraded workers die as well; offline ones are dead already. */
static void prune_dead_workers_looks_at_every_status_but_offline(void **state)
{
    struct world *world = *state;

    world_observe(world, "one", TVD_WORKER_STATUS_BUSY);
    world_observe(world, "two", TVD_WORKER_STATUS_DEGRADED);
    world_register(world, "three", 1);
    world_deregister(world, "three");
    world->at.now_secs = 61;
    assert_summary(prune(world), 2, 0, 0);
    assert_int_equal(world_worker(world, "three").generation, 2);
}

/* A recovered failure keeps no proof, so that the late holder is told it is late. */
static void fail_task_after_a_recovery_is_stale(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease = world_run(world, "task", "one");

    world_fail(world, &lease);
    lease = world_assign(world, "task", "one");
    world->at.now_secs = 10;
    assert_summary(world_recover(world), 1, 0, 1);
    assert_int_equal(tvd_worker_pool_fail_task(world->pool, &world->at, &lease, NULL, NULL),
                     TVD_ERROR_STALE_OWNERSHIP);
}

/* Four leases, three of which would be requeued; two places are left. Nothing moves, though the fourth could. */
static void a_recovery_that_does_not_fit_is_refused_as_a_whole(void **state)
{
    static struct dump before;
    static struct dump after;
    struct world *world = *state;

    hold_last_attempt(world, "worn-out", "one");
    world_run(world, "1", "one");
    world_run(world, "2", "one");
    world_run(world, "3", "two");
    world_enqueue(world, "4");
    world_enqueue(world, "5");
    world->at.now_secs = 61;
    dump_take(world, &before);
    assert_int_equal(tvd_worker_pool_recover_expired_leases(world->pool, &world->at, NULL, &world->error),
                     TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED);
    assert_int_equal(tvd_worker_pool_prune_dead_workers(world->pool, &world->at, NULL, &world->error),
                     TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED);
    dump_take(world, &after);
    dump_assert_same(&before, &after);
    world_cancel(world, "4");
    assert_summary(world_recover(world), 2, 3, 1);
}

static void expire_old_tasks_ends_every_active_task_of_that_age(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease;

    world_enqueue(world, "queued");
    world_enqueue(world, "leased");
    world_assign_for(world, "leased", "one", 100);
    lease = world_run(world, "completed", "one");
    world_complete(world, &lease);
    world_run(world, "running", "two");
    world->at.now_secs = 1;
    world_enqueue(world, "younger");
    world->at.now_secs = 20;
    assert_int_equal(expire(world, 20), 3);
    assert_int_equal(world_task(world, "queued").status, TVD_TASK_STATUS_EXPIRED);
    assert_int_equal(world_task(world, "leased").status, TVD_TASK_STATUS_EXPIRED);
    assert_int_equal(world_task(world, "leased").completed_at_secs, 20);
    assert_int_equal(world_task(world, "leased").record_version, 3);
    assert_int_equal(world_task(world, "running").status, TVD_TASK_STATUS_EXPIRED);
    assert_int_equal(world_task(world, "completed").status, TVD_TASK_STATUS_COMPLETED);
    assert_int_equal(world_task(world, "younger").status, TVD_TASK_STATUS_QUEUED);
    assert_int_equal(world_worker(world, "one").current_tasks, 0);
    assert_int_equal(world_worker(world, "two").current_tasks, 0);
}

/* A retry does not make a task younger. */
static void a_requeued_task_keeps_its_age(void **state)
{
    struct world *world = *state;
    tvd_task_lease lease = world_run(world, "task", "one");

    world->at.now_secs = 9;
    world_fail(world, &lease);
    world->at.now_secs = 10;
    assert_int_equal(expire(world, 10), 1);
    assert_int_equal(world_task(world, "task").status, TVD_TASK_STATUS_EXPIRED);
}

static void a_task_may_be_as_old_as_the_configured_maximum(void **state)
{
    struct world *world = *state;

    world_enqueue(world, "task");
    world->at.now_secs = 999;
    assert_int_equal(expire(world, 1000), 0);
    world->at.now_secs = 1000;
    assert_int_equal(expire(world, 1000), 1);
}

#define recovery_test(function) cmocka_unit_test_setup_teardown(function, setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        recovery_test(recovery_with_nothing_to_do_commits),
        recovery_test(recover_expired_leases_takes_leased_and_running_alike_and_leaves_the_rest),
        recovery_test(leases_come_back_in_the_order_of_their_ids),
        recovery_test(pruned_workers_give_their_leases_back_in_one_order),
        recovery_test(deregister_worker_counts_itself_also_without_leases),
        recovery_test(prune_dead_workers_counts_each_worker_once_with_or_without_leases),
        recovery_test(prune_dead_workers_looks_at_every_status_but_offline),
        recovery_test(fail_task_after_a_recovery_is_stale),
        recovery_test(a_recovery_that_does_not_fit_is_refused_as_a_whole),
        recovery_test(expire_old_tasks_ends_every_active_task_of_that_age),
        recovery_test(a_requeued_task_keeps_its_age),
        recovery_test(a_task_may_be_as_old_as_the_configured_maximum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
