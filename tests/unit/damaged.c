#include "damaged.h"

static void register_loaded(struct world *world, const char *worker_id, uint32_t memory_basis_points)
{
    const tvd_worker_spec spec = { .worker_id = worker_id,
                                   .capacity = 4,
                                   .cpu_basis_points = 5000,
                                   .memory_basis_points = memory_basis_points };

    assert_ok(tvd_worker_pool_register_worker(world->pool, &world->at, &spec, NULL, &world->error));
}

/* Both attempts are lost with the worker or the lease, the last at second 50. */
static void lose(struct world *world, const char *task_id)
{
    world_enqueue(world, task_id);
    world_assign(world, task_id, "gone");
    world_deregister(world, "gone");
    world_assign(world, task_id, "full");
    world->at.now_secs = 50;
    assert_int_equal(world_recover(world).tasks_failed, 1);
}

static void fail_for_good(struct world *world, const char *task_id)
{
    tvd_task_lease lease = world_run(world, task_id, "able");

    world_fail(world, &lease);
    lease = world_assign(world, task_id, "able");
    world_start(world, &lease);
    assert_int_equal(world_fail(world, &lease).kind, TVD_RETRY_EXHAUSTED);
}

static void register_workers(struct world *world)
{
    world_register(world, "full", 1);
    world_register(world, "gone", 1);
    lose(world, "lost");
    world_register(world, "able", 8);
    register_loaded(world, "ranked-a", 10);
    register_loaded(world, "ranked-b", 20);
}

int damaged_setup(void **state)
{
    struct world *world;
    tvd_task_lease lease;

    world_setup(state);
    world = *state;
    register_workers(world);
    lease = world_run(world, "completed", "able");
    world_complete(world, &lease);
    fail_for_good(world, "failed");
    world_enqueue(world, "cancelled");
    world_cancel(world, "cancelled");
    world_enqueue(world, "cancelled-held");
    world_assign(world, "cancelled-held", "able");
    world_cancel(world, "cancelled-held");

    world_enqueue(world, "held");
    world_assign_for(world, "held", "full", 40);
    world_enqueue(world, "leased");
    world_assign_for(world, "leased", "able", 50);
    world_enqueue(world, "running");
    lease = world_assign_for(world, "running", "able", 60);
    world_start(world, &lease);
    world_enqueue(world, "queued-1");
    world_enqueue(world, "queued-2");
    return 0;
}

tvd_detail find_broken(struct world *world)
{
    tvd_status status = tvd_worker_pool_check_invariants(world->pool, &world->error);

    assert_true(status == TVD_OK || status == TVD_ERROR_STATE_INVARIANT);
    return status == TVD_OK ? TVD_DETAIL_NONE : world->error.detail;
}

void assert_broken(struct world *world, tvd_detail detail)
{
    assert_string_equal(tvd_detail_name(find_broken(world)), tvd_detail_name(detail));
    assert_string_equal(tvd_detail_name(find_broken(world)), tvd_detail_name(detail));
}
