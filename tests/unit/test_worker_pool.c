/*
 * Workers: admission, heartbeats, going and coming back; capacity under load; which one is best.
 */
#include "world.h"

#include <string.h>

static tvd_worker register_spec(struct world *world, const tvd_worker_spec *spec)
{
    tvd_worker worker;

    assert_ok(tvd_worker_pool_register_worker(world->pool, &world->at, spec, &worker, &world->error));
    return worker;
}

static void register_worker_reports_a_healthy_worker_of_generation_1(void **state)
{
    struct world *world = *state;
    const tvd_worker_spec spec = { "worker", 10, 100, 2000, 30, TVD_WORKER_TAG_GPU | TVD_WORKER_TAG_LINUX };
    tvd_worker worker;

    world->at.now_secs = 9;
    worker = register_spec(world, &spec);
    assert_string_equal(worker.worker_id, "worker");
    assert_int_equal(worker.status, TVD_WORKER_STATUS_HEALTHY);
    assert_int_equal(worker.generation, 1);
    assert_int_equal(worker.completed_tasks, 0);
    assert_int_equal(worker.last_heartbeat_secs, 9);
    assert_int_equal(worker.capacity, 10);
    assert_int_equal(worker.current_tasks, 0);
    assert_int_equal(worker.effective_capacity, 8);
    assert_int_equal(worker.available_slots, 8);
    assert_int_equal(worker.cpu_basis_points, 100);
    assert_int_equal(worker.memory_basis_points, 2000);
    assert_int_equal(worker.network_basis_points, 30);
    assert_int_equal(worker.tags, TVD_WORKER_TAG_GPU | TVD_WORKER_TAG_LINUX);
}

static void workers_are_admitted_up_to_the_bound_offline_ones_counted(void **state)
{
    static const char *const ids[] = { "1", "2", "3", "4", "5", "6" };
    struct world *world = *state;
    const tvd_worker_spec spec = { .worker_id = "7", .capacity = 1 };

    for (size_t i = 0; i < COUNT_OF(ids); i++)
        world_register(world, ids[i], 1);
    world_deregister(world, "1");
    assert_int_equal(tvd_worker_pool_register_worker(world->pool, &world->at, &spec, NULL, &world->error),
                     TVD_ERROR_WORKER_CAPACITY_REACHED);
    assert_int_equal(world->error.limit, 6);
}

static void capacities_and_loads_up_to_their_maxima_are_taken(void **state)
{
    const tvd_worker_spec largest = { "large", TVD_MAX_WORKER_CAPACITY, 0, 0, 0, 31 };
    const tvd_worker_spec loaded = { "loaded", 1, 10000, 10000, 10000, 0 };

    assert_int_equal(register_spec(*state, &largest).effective_capacity, 4096);
    assert_int_equal(register_spec(*state, &loaded).effective_capacity, 0);
}

/* capacity * (10000 - highest load) / 10000, rounded up. */
static void effective_capacity_is_what_the_highest_load_leaves_rounded_up(void **state)
{
    static const struct {
        uint32_t capacity, cpu, memory, network, effective;
    } cases[] = {
        { 1, 0, 0, 0, 1 },         { 1, 9999, 0, 0, 1 },      { 1, 10000, 0, 0, 0 },
        { 3, 0, 5000, 0, 2 },      { 3, 0, 0, 3334, 2 },      { 3, 0, 0, 3333, 3 },
        { 10, 1, 1, 1, 10 },       { 10, 1000, 900, 800, 9 }, { 10, 800, 1000, 900, 9 },
        { 10, 900, 800, 1000, 9 }, { 10, 1001, 0, 0, 9 },     { 10, 999, 0, 0, 10 },
        { 4096, 9999, 0, 0, 1 },   { 4096, 9998, 0, 0, 1 },   { 4096, 5000, 0, 0, 2048 },
        { 4096, 1, 0, 0, 4096 },   { 4096, 3, 0, 0, 4095 },
    };
    struct tvd_worker_record worker = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        worker.capacity = cases[i].capacity;
        worker.cpu_basis_points = cases[i].cpu;
        worker.memory_basis_points = cases[i].memory;
        worker.network_basis_points = cases[i].network;
        worker.status = TVD_WORKER_STATUS_HEALTHY;
        assert_int_equal(tvd_worker_effective_capacity(&worker), cases[i].effective);
        worker.status = TVD_WORKER_STATUS_BUSY;
        assert_int_equal(tvd_worker_effective_capacity(&worker), 0);
    }
}

static void update_worker_takes_status_loads_and_the_second(void **state)
{
    struct world *world = *state;
    const tvd_worker_observation observation = { TVD_WORKER_STATUS_DEGRADED, 10000, 2, 3 };
    tvd_worker worker;

    world_register(world, "worker", 4);
    world->at.now_secs = 30;
    assert_ok(tvd_worker_pool_update_worker(world->pool, &world->at, "worker", 1, &observation, &worker,
                                            &world->error));
    assert_int_equal(worker.status, TVD_WORKER_STATUS_DEGRADED);
    assert_int_equal(worker.last_heartbeat_secs, 30);
    assert_int_equal(worker.cpu_basis_points, 10000);
    assert_int_equal(worker.memory_basis_points, 2);
    assert_int_equal(worker.network_basis_points, 3);
    assert_int_equal(worker.capacity, 4);
    assert_int_equal(worker.effective_capacity, 0);
    assert_int_equal(worker.generation, 1);
}

/* A worker may hold more than a new load leaves room for: it keeps what it has and gets nothing more. */
static void a_load_may_leave_less_than_a_worker_holds(void **state)
{
    struct world *world = *state;
    const tvd_worker_observation loaded = { .cpu_basis_points = 7500 };
    tvd_worker worker;

    world_register(world, "worker", 4);
    world_run(world, "1", "worker");
    world_run(world, "2", "worker");
    assert_ok(tvd_worker_pool_update_worker(world->pool, &world->at, "worker", 1, &loaded, &worker, NULL));
    assert_int_equal(worker.current_tasks, 2);
    assert_int_equal(worker.effective_capacity, 1);
    assert_int_equal(worker.available_slots, 0);
    world_assert_sound(world);
}

static void reactivate_worker_keeps_completed_tasks_and_takes_the_rest_anew(void **state)
{
    struct world *world = *state;
    const tvd_worker_spec spec = { "worker", 7, 0, 10, 0, TVD_WORKER_TAG_EXTERNAL };
    tvd_task_lease lease;
    tvd_worker worker;

    world_register(world, "worker", 1);
    lease = world_run(world, "task", "worker");
    world_complete(world, &lease);
    world_deregister(world, "worker");
    worker = world_worker(world, "worker");
    assert_int_equal(worker.status, TVD_WORKER_STATUS_OFFLINE);
    assert_int_equal(worker.generation, 2);
    assert_int_equal(worker.effective_capacity, 0);
    world->at.now_secs = 20;
    assert_ok(tvd_worker_pool_reactivate_worker(world->pool, &world->at, 2, &spec, &worker, &world->error));
    assert_int_equal(worker.status, TVD_WORKER_STATUS_HEALTHY);
    assert_int_equal(worker.generation, 3);
    assert_int_equal(worker.completed_tasks, 1);
    assert_int_equal(worker.last_heartbeat_secs, 20);
    assert_int_equal(worker.capacity, 7);
    assert_int_equal(worker.memory_basis_points, 10);
    assert_int_equal(worker.tags, TVD_WORKER_TAG_EXTERNAL);
}

/* Null when there is none. */
static const char *best(struct world *world, uint64_t now_secs)
{
    static tvd_worker worker;
    bool found = false;

    assert_ok(tvd_worker_pool_get_available_worker(world->pool, now_secs, &worker, &found, &world->error));
    return found ? worker.worker_id : NULL;
}

/* Each next one beats all before it, by one more criterion further up the list. */
static void the_best_worker_is_found_by_six_criteria(void **state)
{
    static const tvd_worker_spec specs[] = {
        { "b", 4, 5, 5, 5, 0 }, { "a", 4, 5, 5, 5, 0 }, { "c", 4, 5, 5, 4, 0 },
        { "d", 4, 5, 4, 9, 0 }, { "e", 4, 4, 9, 9, 0 },
    };
    struct world *world = *state;
    const tvd_worker_spec most_slots = { "f", 5, 9, 9, 9, 0 };
    const tvd_worker_observation loaded = { .cpu_basis_points = 9 };

    assert_null(best(world, 0));
    for (size_t i = 0; i < COUNT_OF(specs); i++) {
        register_spec(world, &specs[i]);
        assert_string_equal(best(world, 0), specs[i].worker_id);
    }
    world->at.now_secs = 1; /* the latest heartbeat */
    assert_ok(tvd_worker_pool_update_worker(world->pool, &world->at, "b", 1, &loaded, NULL, &world->error));
    assert_string_equal(best(world, 1), "b");
    register_spec(world, &most_slots);
    assert_string_equal(best(world, 1), "f");
    world_observe(world, "f", TVD_WORKER_STATUS_BUSY);
    assert_string_equal(best(world, 1), "b");
}

/* The timeout is 60 seconds: 60 is still fresh, 61 is not. The best of all is passed over once it is stale. */
static void a_stale_worker_is_passed_over_to_the_second(void **state)
{
    struct world *world = *state;

    world_register(world, "large", 8);
    world->at.now_secs = 30;
    world_register(world, "small", 1);
    world->at.now_secs = 31;
    world_register(world, "smaller", 1);
    assert_string_equal(best(world, 60), "large");
    assert_string_equal(best(world, 61), "smaller");
    assert_string_equal(best(world, 91), "smaller");
    assert_null(best(world, 92));
    assert_null(best(world, UINT64_MAX));
    assert_int_equal(world_snapshot(world).logical_time_secs, 31);
}

/* In every order of registration, and with every set of them heard of again, as a scan over all of them says. */
static void the_best_of_many_is_what_a_scan_finds(void **state)
{
    static const char *const ids[] = { "1", "2", "3", "4", "5", "6" };
    struct world *world = *state;

    for (size_t i = 0; i < COUNT_OF(ids); i++)
        world_register(world, ids[i], (uint32_t)(i * 5 % 6) + 1);
    world->at.now_secs = 61;
    for (unsigned fresh = 0; fresh < 64; fresh++, world->at.now_secs += 61) {
        const char *expected = NULL;
        uint32_t most = 0;

        for (size_t i = 0; i < COUNT_OF(ids); i++) {
            if ((fresh >> i & 1) == 0)
                continue;
            world_observe(world, ids[i], TVD_WORKER_STATUS_HEALTHY);
            if (world_worker(world, ids[i]).capacity > most) {
                most = world_worker(world, ids[i]).capacity;
                expected = ids[i];
            }
        }
        if (expected == NULL)
            assert_null(best(world, world->at.now_secs));
        else
            assert_string_equal(best(world, world->at.now_secs), expected);
        world_assert_sound(world);
    }
}

static void pages_of_workers_are_in_byte_order(void **state)
{
    struct world *world = *state;
    tvd_worker page[3];
    size_t count;
    uint64_t revision;

    world_register(world, "b", 1);
    world_register(world, "B", 1);
    world_register(world, "a", 1);
    assert_ok(tvd_worker_pool_workers(world->pool, NULL, page, 2, &count, &revision, &world->error));
    assert_int_equal(count, 2);
    assert_int_equal(revision, 3);
    assert_string_equal(page[0].worker_id, "B");
    assert_string_equal(page[1].worker_id, "a");
    assert_ok(tvd_worker_pool_workers(world->pool, "a", page, 3, &count, NULL, &world->error));
    assert_int_equal(count, 1);
    assert_string_equal(page[0].worker_id, "b");
    assert_ok(tvd_worker_pool_workers(world->pool, NULL, NULL, 0, &count, NULL, &world->error));
    assert_int_equal(count, 0);
}

static void get_worker_of_an_unknown_worker_finds_nothing(void **state)
{
    struct world *world = *state;
    tvd_worker worker;
    bool found = true;

    assert_ok(tvd_worker_pool_get_worker(world->pool, "nobody", &worker, &found, &world->error));
    assert_false(found);
}

#define pool_test(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(register_worker_reports_a_healthy_worker_of_generation_1),
        pool_test(workers_are_admitted_up_to_the_bound_offline_ones_counted),
        pool_test(capacities_and_loads_up_to_their_maxima_are_taken),
        cmocka_unit_test(effective_capacity_is_what_the_highest_load_leaves_rounded_up),
        pool_test(update_worker_takes_status_loads_and_the_second),
        pool_test(a_load_may_leave_less_than_a_worker_holds),
        pool_test(reactivate_worker_keeps_completed_tasks_and_takes_the_rest_anew),
        pool_test(the_best_worker_is_found_by_six_criteria),
        pool_test(a_stale_worker_is_passed_over_to_the_second),
        pool_test(the_best_of_many_is_what_a_scan_finds),
        pool_test(pages_of_workers_are_in_byte_order),
        pool_test(get_worker_of_an_unknown_worker_finds_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
