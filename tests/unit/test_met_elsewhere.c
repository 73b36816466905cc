/*
 * Faults that users of other lease and queue systems have met, each wanted nowhere here. Others of their kind have their
 * own tests: counters at their end in test_counters.c, large sizes and garbage tokens in test_hostile.c, races on one
 * revision and on handles in tests/threads, creation that fails half way in tests/faults.
 */
#include "world.h"

#include <stdio.h>
#include <string.h>

enum { MANY_WORKERS = TVD_MAX_WORKERS, MANY_TASKS = TVD_MAX_ACTIVE_TASKS, CYCLES = 1000 };

static tvd_limits ample_limits(void)
{
    return (tvd_limits){
        .max_task_records = TVD_MAX_TASK_RECORDS,
        .max_active_tasks = MANY_TASKS,
        .max_queued_tasks = MANY_TASKS,
        .max_terminal_tasks = TVD_MAX_TERMINAL_TASKS,
        .max_workers = MANY_WORKERS,
        .max_lease_ttl_secs = 100,
        .max_task_ttl_secs = 1000,
        .heartbeat_timeout_secs = 60,
        .max_retries = 1,
    };
}

/* The ways in which a held task lets go of its worker. Each is given the lease of a running task. */
typedef void way_out(struct world *world, const tvd_task_lease *lease);

static void by_completion(struct world *world, const tvd_task_lease *lease)
{
    world_complete(world, lease);
}

static void by_failure_and_cancellation(struct world *world, const tvd_task_lease *lease)
{
    world_fail(world, lease);
    world_cancel(world, tvd_task_lease_task_id(lease));
}

static void by_two_failures(struct world *world, const tvd_task_lease *lease)
{
    tvd_task_lease second;

    world_fail(world, lease);
    second = world_assign(world, tvd_task_lease_task_id(lease), "worker");
    world_start(world, &second);
    assert_int_equal(world_fail(world, &second).kind, TVD_RETRY_EXHAUSTED);
}

static void by_cancellation(struct world *world, const tvd_task_lease *lease)
{
    world_cancel(world, tvd_task_lease_task_id(lease));
}

static void by_expiry_of_the_task(struct world *world, const tvd_task_lease *lease)
{
    size_t expired;

    (void)lease;
    world->at.now_secs += 5;
    assert_ok(tvd_worker_pool_expire_old_tasks(world->pool, &world->at, 5, &expired, &world->error));
    assert_int_equal(expired, 1);
    world_observe(world, "worker", TVD_WORKER_STATUS_HEALTHY);
}

static void by_expiry_of_the_lease(struct world *world, const tvd_task_lease *lease)
{
    world->at.now_secs += 10;
    assert_int_equal(world_recover(world).tasks_requeued, 1);
    world_cancel(world, tvd_task_lease_task_id(lease));
    world_observe(world, "worker", TVD_WORKER_STATUS_HEALTHY);
}

static void come_back(struct world *world)
{
    const tvd_worker_spec spec = { .worker_id = "worker", .capacity = 2 };

    assert_ok(tvd_worker_pool_reactivate_worker(
        world->pool, &world->at, world_worker(world, "worker").generation, &spec, NULL, &world->error));
}

static void by_deregistration(struct world *world, const tvd_task_lease *lease)
{
    world_deregister(world, "worker");
    come_back(world);
    world_cancel(world, tvd_task_lease_task_id(lease));
}

static void by_pruning(struct world *world, const tvd_task_lease *lease)
{
    world->at.now_secs += 61;
    assert_ok(tvd_worker_pool_prune_dead_workers(world->pool, &world->at, NULL, &world->error));
    come_back(world);
    world_cancel(world, tvd_task_lease_task_id(lease));
}

/* A replay must not give a slot back either, nor a refusal. */
static void by_completion_said_twice_and_an_attempt_to_fail(struct world *world, const tvd_task_lease *lease)
{
    world_complete(world, lease);
    world_complete(world, lease);
    assert_int_equal(tvd_worker_pool_fail_task(world->pool, &world->at, lease, NULL, NULL),
                     TVD_ERROR_STALE_OWNERSHIP);
}

static void a_thousand_cycles_of_every_way_out_leave_every_slot_free(void **state)
{
    static way_out *const ways[] = { by_completion,
                                     by_failure_and_cancellation,
                                     by_two_failures,
                                     by_cancellation,
                                     by_expiry_of_the_task,
                                     by_expiry_of_the_lease,
                                     by_deregistration,
                                     by_pruning,
                                     by_completion_said_twice_and_an_attempt_to_fail };
    const tvd_limits limits = ample_limits();
    struct world world;
    char task_id[32];

    (void)state;
    world_open(&world, &limits);
    world_register(&world, "worker", 2);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (size_t i = 0; i < COUNT_OF(ways); i++) {
            tvd_task_lease lease;

            snprintf(task_id, sizeof task_id, "task-%d-%zu", cycle, i);
            lease = world_run(&world, task_id, "worker");
            assert_int_equal(world_worker(&world, "worker").available_slots, 1);
            ways[i](&world, &lease);
            assert_int_equal(world_worker(&world, "worker").current_tasks, 0);
            assert_int_equal(world_worker(&world, "worker").available_slots, 2);
        }
    }
    assert_int_equal(world_snapshot(&world).terminal_tasks, CYCLES * COUNT_OF(ways));
    world_close(&world);
}

/* Four leases for each worker, all given in second 0 and over in second 100. */
static void open_with_many_leases(struct world *world)
{
    const tvd_limits limits = ample_limits();
    tvd_task_lease lease;
    char id[32];

    world_open(world, &limits);
    for (int i = 0; i < MANY_WORKERS; i++) {
        snprintf(id, sizeof id, "worker-%d", i);
        world_register(world, id, MANY_TASKS / MANY_WORKERS);
    }
    for (int i = 0; i < MANY_TASKS; i++) {
        snprintf(id, sizeof id, "task-%d", i);
        world_enqueue(world, id);
        assert_ok(tvd_worker_pool_assign_next_available(world->pool, &world->at, 100, &lease, &world->error));
        assert_int_equal(tvd_task_lease_lease_id(&lease), i + 1);
    }
}

/* Admission and assignment were in one order, which is the order of the lease IDs; so must be the queue. */
static void assert_queued_again_in_order(const struct world *world)
{
    const struct tvd_list *queue = &world->coordinator->queues[TVD_TASK_PRIORITY_NORMAL - 1];
    uint32_t expected = 0;

    for (struct tvd_link *link = tvd_list_first(queue); link != NULL; link = tvd_list_next(queue, link))
        assert_int_equal(tvd_task_from_queue_link(link)->hint, expected++);
    assert_int_equal(expected, MANY_TASKS);
}

static void every_lease_falls_due_in_the_same_second(void **state)
{
    tvd_recovery_summary summary;
    struct world world;

    (void)state;
    open_with_many_leases(&world);
    world.at.now_secs = 99;
    assert_int_equal(world_recover(&world).tasks_requeued, 0);
    world.at.now_secs = 100;
    summary = world_recover(&world);
    assert_int_equal(summary.workers_affected, MANY_WORKERS);
    assert_int_equal(summary.tasks_requeued, MANY_TASKS);
    assert_queued_again_in_order(&world);
    world_close(&world);
}

static void thousands_of_workers_die_at_once(void **state)
{
    tvd_recovery_summary summary;
    struct world world;

    (void)state;
    open_with_many_leases(&world);
    world.at.now_secs = 61;
    assert_ok(tvd_worker_pool_prune_dead_workers(world.pool, &world.at, &summary, &world.error));
    assert_int_equal(summary.workers_affected, MANY_WORKERS);
    assert_int_equal(summary.tasks_requeued, MANY_TASKS);
    assert_int_equal(world_worker(&world, "worker-4095").status, TVD_WORKER_STATUS_OFFLINE);
    assert_queued_again_in_order(&world);
    world_close(&world);
}

/* The eight parts of a lease, changed by one. Identifiers stay valid; that of the task becomes one that is not known. */
static void change_part(tvd_task_lease *lease, size_t part)
{
    uint64_t *const numbers[] = { &lease->private_worker_generation, &lease->private_task_generation,
                                  &lease->private_lease_id, &lease->private_acquired_at_secs,
                                  &lease->private_expires_at_secs };

    if (part < COUNT_OF(numbers))
        *numbers[part] += 1;
    else if (part == 5)
        lease->private_attempt += 1;
    else if (part == 6)
        lease->private_worker_id[0] += 1;
    else
        lease->private_task_id[0] += 1;
}

enum { PARTS = 8, ACQUIRED_AT = 3, EXPIRES_AT = 4, TASK_ID = 7 };

static tvd_status refusal_of(size_t part)
{
    return part == TASK_ID ? TVD_ERROR_TASK_NOT_FOUND : TVD_ERROR_STALE_OWNERSHIP;
}

static void a_lease_of_which_one_part_differs_by_one_is_refused_by_every_command(void **state)
{
    struct world *world = *state;
    tvd_task_lease held;

    world_register(world, "worker", 1);
    held = world_run(world, "task", "worker");
    for (size_t part = 0; part < PARTS; part++) {
        tvd_task_lease lease = held;
        tvd_task_ownership ownership;

        change_part(&lease, part);
        ownership = tvd_task_ownership_from_lease(&lease);
        assert_int_equal(tvd_worker_pool_start_task(world->pool, &world->at, &lease, NULL, NULL),
                         refusal_of(part));
        assert_int_equal(tvd_worker_pool_complete_task(world->pool, &world->at, &lease, NULL, NULL),
                         refusal_of(part));
        assert_int_equal(tvd_worker_pool_fail_task(world->pool, &world->at, &lease, NULL, NULL),
                         refusal_of(part));
        assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &world->at, &ownership, NULL, NULL),
                         refusal_of(part));
    }
    world_complete(world, &held);
}

/* Of a completed task the receipt is kept, which has six of the eight parts. */
static void a_replay_of_a_completion_compares_the_six_parts_of_the_receipt(void **state)
{
    struct world *world = *state;
    tvd_task_lease held;

    world_register(world, "worker", 1);
    held = world_run(world, "task", "worker");
    world_complete(world, &held);
    for (size_t part = 0; part < PARTS; part++) {
        bool in_receipt = part != ACQUIRED_AT && part != EXPIRES_AT;
        tvd_task_lease lease = held;

        change_part(&lease, part);
        assert_int_equal(tvd_worker_pool_complete_task(world->pool, &world->at, &lease, NULL, NULL),
                         in_receipt ? refusal_of(part) : TVD_OK);
    }
}

/* A failure's and a cancellation's proof is the whole lease. */
static void a_replay_of_a_failure_or_a_cancellation_compares_all_eight_parts(void **state)
{
    struct world *world = *state;
    tvd_task_lease failed;
    tvd_task_lease cancelled;

    world_register(world, "worker", 2);
    world->coordinator->limits.max_retries = 0;
    failed = world_run(world, "failed", "worker");
    world_fail(world, &failed);
    cancelled = world_run(world, "cancelled", "worker");
    world_cancel(world, "cancelled");
    for (size_t part = 0; part < PARTS; part++) {
        tvd_task_lease lease = failed;
        tvd_task_ownership ownership;

        change_part(&lease, part);
        assert_int_equal(tvd_worker_pool_fail_task(world->pool, &world->at, &lease, NULL, NULL),
                         refusal_of(part));
        lease = cancelled;
        change_part(&lease, part);
        ownership = tvd_task_ownership_from_lease(&lease);
        assert_int_equal(tvd_worker_pool_cancel_task(world->pool, &world->at, &ownership, NULL, NULL),
                         refusal_of(part));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_cycles_of_every_way_out_leave_every_slot_free),
        cmocka_unit_test(every_lease_falls_due_in_the_same_second),
        cmocka_unit_test(thousands_of_workers_die_at_once),
        cmocka_unit_test_setup_teardown(a_lease_of_which_one_part_differs_by_one_is_refused_by_every_command,
                                        world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(a_replay_of_a_completion_compares_the_six_parts_of_the_receipt,
                                        world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(a_replay_of_a_failure_or_a_cancellation_compares_all_eight_parts,
                                        world_setup, world_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
