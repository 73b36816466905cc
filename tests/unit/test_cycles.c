/*
 * Lease cycles without an end: nothing that is over stays in an index, and memory grows with admitted records alone.
 * Usage: test_unit_cycles CYCLES
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned long cycles;

enum { ATTEMPTS = TVD_MAX_RETRIES + 1 };

/* By report and by expiry of the lease, in turn. */
static void let_go(struct world *world, const tvd_task_lease *lease, bool reported)
{
    if (reported) {
        world_fail(world, lease);
        return;
    }
    world->at.now_secs += 10;
    assert_int_equal(world_recover(world).workers_affected, 1);
    world_observe(world, "worker", TVD_WORKER_STATUS_HEALTHY);
}

static void assert_flat(const struct world *world, size_t bytes)
{
    const struct tvd_coordinator *coordinator = world->coordinator;

    assert_int_equal(world->memory.bytes, bytes);
    assert_null(coordinator->leases_by_expiry.root);
    assert_int_equal(coordinator->now.active_tasks, coordinator->now.queued_tasks);
    assert_true(coordinator->now.queued_tasks <= 1);
    assert_ptr_equal(tvd_list_first(&coordinator->workers_by_heartbeat)->next,
                     &coordinator->workers_by_heartbeat.head);
}

static void wear_out(struct world *world, const char *task_id)
{
    size_t bytes;

    world_enqueue(world, task_id);
    bytes = world->memory.bytes;
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        const tvd_task_lease lease = world_assign(world, task_id, "worker");

        world_start(world, &lease);
        let_go(world, &lease, attempt % 2 == 0);
        assert_flat(world, bytes);
    }
    assert_int_equal(world_task(world, task_id).status, TVD_TASK_STATUS_FAILED);
}

static void superseded_leases_leave_nothing_behind(void **state)
{
    tvd_limits limits = tvd_limits_default();
    struct world world;
    char task_id[32];

    (void)state;
    limits.max_task_records = TVD_MAX_TASK_RECORDS;
    limits.max_terminal_tasks = TVD_MAX_TERMINAL_TASKS;
    limits.max_retries = TVD_MAX_RETRIES;
    world_open(&world, &limits);
    world_register(&world, "worker", 1);
    for (unsigned long cycle = 0; cycle < cycles; cycle += ATTEMPTS) {
        snprintf(task_id, sizeof task_id, "task-%lu", cycle);
        wear_out(&world, task_id);
    }
    world_close(&world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(superseded_leases_leave_nothing_behind) };

    cycles = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (cycles == 0) {
        fprintf(stderr, "usage: %s CYCLES\n", argv[0]);
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
