/*
 * A whole scenario, in which the n-th allocation fails, for n = 1, 2, ... until none does. The step that it hits changes
 * nothing and is then taken again, and the end is the same as if there had always been memory.
 */
#include "dump.h"
#include "world.h"

#include <string.h>

struct scene {
    struct world world;
    tvd_task_lease first;
    tvd_task_lease second;
    tvd_completion_receipt receipt;
};

typedef tvd_status step(struct scene *scene);

static tvd_status create_pool(struct scene *scene)
{
    struct world *world = &scene->world;
    tvd_status status =
        tvd_worker_pool_create(&world->limits, &world->memory.allocator, &world->pool, &world->error);

    if (status == TVD_OK) {
        world->queue = tvd_worker_pool_task_queue(world->pool);
        world->coordinator = world->pool->coordinator;
    }
    return status;
}

static tvd_status create_results(struct scene *scene)
{
    struct world *world = &scene->world;

    return tvd_result_aggregator_create(NULL, &world->memory.allocator, &world->results, &world->error);
}

static tvd_status register_as(struct scene *scene, const char *worker_id)
{
    const tvd_worker_spec spec = { .worker_id = worker_id, .capacity = 2 };
    struct world *world = &scene->world;

    return tvd_worker_pool_register_worker(world->pool, &world->at, &spec, NULL, &world->error);
}

static tvd_status register_one(struct scene *scene)
{
    return register_as(scene, "one");
}

static tvd_status register_other(struct scene *scene)
{
    return register_as(scene, "other");
}

static tvd_status enqueue_as(struct scene *scene, const char *task_id)
{
    const tvd_task_spec spec = {
        .task_id = task_id, .scan_id = "scan", .target_ref = task_id, .target_ref_size = strlen(task_id)
    };
    struct world *world = &scene->world;

    return tvd_task_queue_enqueue(world->queue, &world->at, &spec, NULL, &world->error);
}

static tvd_status enqueue_first(struct scene *scene)
{
    return enqueue_as(scene, "first");
}

static tvd_status enqueue_second(struct scene *scene)
{
    return enqueue_as(scene, "second");
}

static tvd_status enqueue_third(struct scene *scene)
{
    return enqueue_as(scene, "third");
}

static tvd_status assign_and_start(struct scene *scene, tvd_task_lease *lease)
{
    struct world *world = &scene->world;
    tvd_status status =
        tvd_worker_pool_assign_next_available(world->pool, &world->at, 10, lease, &world->error);

    if (status == TVD_OK)
        status = tvd_worker_pool_start_task(world->pool, &world->at, lease, NULL, &world->error);
    return status;
}

static tvd_status hand_out(struct scene *scene)
{
    tvd_status status = assign_and_start(scene, &scene->first);

    return status == TVD_OK ? assign_and_start(scene, &scene->second) : status;
}

static tvd_status complete_first(struct scene *scene)
{
    scene->receipt = world_complete(&scene->world, &scene->first);
    return TVD_OK;
}

static tvd_status store_first(struct scene *scene)
{
    struct world *world = &scene->world;

    return tvd_result_aggregator_store_result(world->results, &world->results_revision, &scene->receipt, "done",
                                              4, NULL, &world->error);
}

/* The holder of the second falls silent, and is taken offline; the lease goes back. */
static tvd_status prune(struct scene *scene)
{
    struct world *world = &scene->world;

    world->at.now_secs = 100;
    return tvd_worker_pool_prune_dead_workers(world->pool, &world->at, NULL, &world->error);
}

static tvd_status reactivate_one(struct scene *scene)
{
    const tvd_worker_spec spec = { .worker_id = "one", .capacity = 2 };
    struct world *world = &scene->world;

    return tvd_worker_pool_reactivate_worker(world->pool, &world->at, 2, &spec, NULL, &world->error);
}

static tvd_status copy_result(struct scene *scene)
{
    tvd_result *result;
    tvd_status status =
        tvd_result_aggregator_get_result(scene->world.results, "first", &result, &scene->world.error);

    if (status == TVD_OK) {
        assert_memory_equal(tvd_result_bytes(result), "done", 4);
        tvd_result_free(result);
    }
    return status;
}

static tvd_status aggregate(struct scene *scene)
{
    const char *const task_ids[] = { "first" };
    tvd_aggregate *copies;
    tvd_status status = tvd_result_aggregator_aggregate_results(scene->world.results, task_ids, 1, &copies,
                                                                &scene->world.error);

    if (status == TVD_OK) {
        assert_memory_equal(tvd_aggregate_bytes(copies, 0), "done", 4);
        tvd_aggregate_free(copies);
    }
    return status;
}

static step *const steps[] = {
    create_pool,    create_results, register_one, register_other, enqueue_first, enqueue_second, hand_out,
    complete_first, store_first,    prune,        reactivate_one, enqueue_third, copy_result,    aggregate,
};

/* Takes the step, if need be again; gives how often it ran out of memory. */
static size_t take(struct scene *scene, step *taken)
{
    static struct dump before;
    static struct dump after;
    bool visible = scene->world.pool != NULL && scene->world.results != NULL;
    size_t bytes = scene->world.memory.bytes;

    if (visible)
        dump_take(&scene->world, &before);
    if (taken(scene) == TVD_OK)
        return 0;
    assert_int_equal(scene->world.error.status, TVD_ERROR_OUT_OF_MEMORY);
    assert_int_equal(scene->world.memory.bytes, bytes);
    if (visible) {
        dump_take(&scene->world, &after);
        dump_assert_same(&before, &after);
        world_assert_sound(&scene->world);
    }
    test_memory_stop_failing(&scene->world.memory);
    assert_ok(taken(scene));
    return 1;
}

/* Plays with the n-th allocation failing (0: none), and gives how many failed; end receives the state at the end. */
static size_t play(size_t n, bool keep_failing, struct dump *end)
{
    static struct scene scene;
    size_t failures = 0;

    memset(&scene, 0, sizeof scene);
    test_memory_init(&scene.world.memory);
    scene.world.limits = tiny_limits();
    if (n > 0)
        test_memory_fail(&scene.world.memory, n, keep_failing);
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        failures += take(&scene, steps[i]);
    dump_take(&scene.world, end);
    world_close(&scene.world);
    return failures;
}

static void fail_in_turn(bool keep_failing)
{
    static struct dump undisturbed;
    static struct dump end;
    size_t n = 0;

    assert_int_equal(play(0, false, &undisturbed), 0);
    while (play(++n, keep_failing, &end) > 0)
        dump_assert_same(&undisturbed, &end);
    dump_assert_same(&undisturbed, &end);
    assert_int_equal(
        n, 11); /* two creations, two workers, three tasks, a result and two copies of it; then none */
}

static void the_nth_allocation_alone_fails(void **state)
{
    (void)state;
    fail_in_turn(false);
}

static void the_nth_allocation_fails_with_every_later_one(void **state)
{
    (void)state;
    fail_in_turn(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_allocation_alone_fails),
        cmocka_unit_test(the_nth_allocation_fails_with_every_later_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
