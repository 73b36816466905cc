/*
 * Handles: counted, two on one state, in any order of going; and what a coordinator is when it is new.
 */
#include "world.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_new_coordinator_is_empty_at_revision_and_second_zero(void **state)
{
    static const tvd_state_snapshot nothing;
    tvd_state_snapshot snapshot;

    snapshot = world_snapshot(*state);
    assert_memory_equal(&snapshot, &nothing, sizeof nothing);
    assert_int_equal(((struct world *)*state)->coordinator->next_enqueue_ordinal, 1);
    assert_int_equal(((struct world *)*state)->coordinator->next_lease_id, 1);
}

static void the_two_handles_are_one_state(void **state)
{
    struct world *world = *state;
    tvd_worker_pool *pool = tvd_task_queue_worker_pool(world->queue);
    tvd_state_snapshot by_pool;
    tvd_state_snapshot by_queue;

    world_enqueue(world, "task");
    assert_int_equal(tvd_worker_pool_revision(pool), 1);
    assert_ok(tvd_worker_pool_snapshot(pool, &by_pool, NULL));
    assert_ok(tvd_task_queue_snapshot(world->queue, &by_queue, NULL));
    assert_memory_equal(&by_pool, &by_queue, sizeof by_pool);
    assert_int_equal(by_queue.queued_tasks, 1);
    tvd_worker_pool_release(pool);
}

static void two_coordinators_share_nothing(void **state)
{
    struct world *world = *state;
    struct world other;

    world_open(&other, &world->limits);
    world_enqueue(world, "task");
    assert_int_equal(world_snapshot(&other).task_records, 0);
    world_enqueue(&other, "task");
    world_close(&other);
    assert_int_equal(world_snapshot(world).task_records, 1);
}

/* All three are the same handle, owned three times. */
static void release_in_order(const tvd_allocator *allocator, const int *order)
{
    const tvd_limits limits = tiny_limits();
    tvd_task_queue *handles[3];
    tvd_task_queue *queue;
    tvd_state_snapshot snapshot;

    assert_ok(tvd_task_queue_create(&limits, allocator, &queue, NULL));
    handles[0] = queue;
    handles[1] = tvd_task_queue_retain(queue);
    assert_ptr_equal(handles[1], queue);
    handles[2] = tvd_task_queue_retain(queue);
    for (int i = 0; i < 3; i++) {
        assert_ok(tvd_task_queue_snapshot(handles[order[i]], &snapshot, NULL));
        tvd_task_queue_release(handles[order[i]]);
    }
}

static void the_state_goes_with_the_last_handle_in_whatever_order(void **state)
{
    static const int orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 } };
    struct test_memory memory;

    (void)state;
    test_memory_init(&memory);
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        release_in_order(&memory.allocator, orders[i]);
        test_memory_assert_balanced(&memory);
    }
    assert_int_equal(memory.calls, COUNT_OF(orders));
}

/* The pool that created it goes first, and its queue is used on. */
static void a_queue_outlives_the_pool_that_it_came_from(void **state)
{
    struct test_memory memory;
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    tvd_task task;
    bool found = true;

    (void)state;
    test_memory_init(&memory);
    assert_ok(tvd_worker_pool_create(NULL, &memory.allocator, &pool, NULL));
    queue = tvd_worker_pool_task_queue(pool);
    tvd_worker_pool_release(pool);
    assert_ok(tvd_task_queue_peek_next(queue, &task, &found, NULL));
    assert_false(found);
    tvd_task_queue_release(queue);
    test_memory_assert_balanced(&memory);
}

static void assert_owners(struct tvd_coordinator *coordinator, size_t pools, size_t queues)
{
    assert_int_equal(coordinator->pool.handles, pools);
    assert_int_equal(coordinator->queue.handles, queues);
    assert_int_equal(coordinator->guard.handles, pools + queues);
    assert_ok(tvd_worker_pool_check_invariants(&coordinator->pool, NULL));
}

/* Whichever kind was created, and whichever gave the other. */
static void each_kind_of_handle_is_counted_on_its_own(void **state)
{
    struct tvd_coordinator *coordinator;
    tvd_worker_pool *pool;
    tvd_task_queue *queue;

    (void)state;
    assert_ok(tvd_worker_pool_create(NULL, NULL, &pool, NULL));
    coordinator = pool->coordinator;
    assert_owners(coordinator, 1, 0);
    queue = tvd_worker_pool_task_queue(pool);
    assert_owners(coordinator, 1, 1);
    assert_ptr_equal(tvd_task_queue_worker_pool(queue), pool);
    assert_owners(coordinator, 2, 1);
    assert_ptr_equal(tvd_task_queue_retain(queue), queue);
    assert_owners(coordinator, 2, 2);
    tvd_worker_pool_release(pool);
    tvd_worker_pool_release(pool);
    assert_owners(coordinator, 0, 2);
    tvd_task_queue_release(queue);
    assert_owners(coordinator, 0, 1);
    tvd_task_queue_release(queue);

    assert_ok(tvd_task_queue_create(NULL, NULL, &queue, NULL));
    assert_owners(queue->coordinator, 0, 1);
    tvd_task_queue_release(queue);
}

#ifndef NDEBUG
static void release_the_pool_twice(tvd_worker_pool *pool, tvd_task_queue *queue)
{
    (void)queue;
    tvd_worker_pool_release(pool);
    tvd_worker_pool_release(pool);
}

static void release_the_queue_twice(tvd_worker_pool *pool, tvd_task_queue *queue)
{
    (void)pool;
    tvd_task_queue_release(queue);
    tvd_task_queue_release(queue);
}

/* In a child, since it must abort; silently, and without leaving its memory behind. */
static void assert_aborts(void (*mistake)(tvd_worker_pool *pool, tvd_task_queue *queue), struct world *world)
{
    static const struct rlimit nothing = { 0, 0 };
    int how = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        close(STDERR_FILENO);
        if (setrlimit(RLIMIT_CORE, &nothing) == 0)
            mistake(world->pool, world->queue);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(WTERMSIG(how), SIGABRT);
}

/* The world owns one handle of each kind. */
static void one_release_too_many_aborts_while_the_other_kind_lives(void **state)
{
    assert_aborts(release_the_pool_twice, *state);
    assert_aborts(release_the_queue_twice, *state);
}
#endif

static void null_handles_are_nothing(void **state)
{
    (void)state;
    tvd_worker_pool_release(NULL);
    tvd_task_queue_release(NULL);
    tvd_result_aggregator_release(NULL);
    assert_null(tvd_worker_pool_retain(NULL));
    assert_null(tvd_task_queue_retain(NULL));
    assert_null(tvd_result_aggregator_retain(NULL));
    assert_null(tvd_worker_pool_task_queue(NULL));
    assert_null(tvd_task_queue_worker_pool(NULL));
    assert_int_equal(tvd_worker_pool_revision(NULL), 0);
}

static void without_an_allocator_memory_comes_from_malloc(void **state)
{
    tvd_worker_pool *pool;
    tvd_result_aggregator *aggregator;
    tvd_cursor at = { 0, 0 };
    const tvd_worker_spec spec = { .worker_id = "w", .capacity = 1 };

    (void)state;
    assert_ok(tvd_worker_pool_create(NULL, NULL, &pool, NULL));
    assert_ok(tvd_worker_pool_register_worker(pool, &at, &spec, NULL, NULL));
    assert_ok(tvd_result_aggregator_create(NULL, NULL, &aggregator, NULL));
    assert_ok(tvd_worker_pool_check_invariants(pool, NULL));
    tvd_worker_pool_release(pool);
    tvd_result_aggregator_release(aggregator);
}

static void creation_copies_the_limits_and_the_allocator(void **state)
{
    struct test_memory memory;
    tvd_limits limits = tiny_limits();
    tvd_allocator allocator;
    tvd_worker_pool *pool;

    (void)state;
    test_memory_init(&memory);
    allocator = memory.allocator;
    assert_ok(tvd_worker_pool_create(&limits, &allocator, &pool, NULL));
    memset(&limits, 0, sizeof limits);
    memset(&allocator, 0, sizeof allocator);
    assert_int_equal(pool->coordinator->limits.max_workers, tiny_limits().max_workers);
    tvd_worker_pool_release(pool);
    test_memory_assert_balanced(&memory);
}

static void fill_to_the_brim(struct world *world)
{
    char id[TVD_MAX_IDENTIFIER_BYTES + 1];
    static const char target[TVD_MAX_TARGET_REF_BYTES];
    static const uint8_t phases[TVD_MAX_PHASES];

    memset(id, 'i', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    for (char letter = 'a'; letter < 'a' + (char)world->limits.max_task_records; letter++) {
        const tvd_task_spec spec = { .task_id = id,
                                     .scan_id = id,
                                     .target_ref = target,
                                     .target_ref_size = sizeof target,
                                     .phases = phases,
                                     .phases_count = sizeof phases };

        id[0] = letter;
        assert_ok(tvd_task_queue_enqueue(world->queue, &world->at, &spec, NULL, &world->error));
    }
    for (char letter = 'a'; letter < 'a' + (char)world->limits.max_workers; letter++) {
        id[0] = letter;
        world_register(world, id, 1);
    }
}

/* To the byte: as much is promised as the fullest coordinator takes. */
static void max_retained_bytes_is_what_the_largest_records_take(void **state)
{
    const tvd_limits limits = { 4, 4, 4, 4, 3, 1, 1, 1, 0 };
    const tvd_limits refused = { 0 };
    struct world world;

    (void)state;
    world_open(&world, &limits);
    assert_true(tvd_worker_pool_retained_bytes(world.pool) < tvd_limits_max_retained_bytes(&limits));
    fill_to_the_brim(&world);
    assert_int_equal(tvd_worker_pool_retained_bytes(world.pool), tvd_limits_max_retained_bytes(&limits));
    world_close(&world);
    assert_int_equal(tvd_limits_max_retained_bytes(&refused), 0);
    assert_true(tvd_limits_max_retained_bytes(NULL) > tvd_limits_max_retained_bytes(&limits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_coordinator_is_empty_at_revision_and_second_zero, world_setup,
                                        world_teardown),
        cmocka_unit_test_setup_teardown(the_two_handles_are_one_state, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(two_coordinators_share_nothing, world_setup, world_teardown),
        cmocka_unit_test(the_state_goes_with_the_last_handle_in_whatever_order),
        cmocka_unit_test(a_queue_outlives_the_pool_that_it_came_from),
        cmocka_unit_test(each_kind_of_handle_is_counted_on_its_own),
#ifndef NDEBUG
        cmocka_unit_test_setup_teardown(one_release_too_many_aborts_while_the_other_kind_lives, world_setup,
                                        world_teardown),
#endif
        cmocka_unit_test(null_handles_are_nothing),
        cmocka_unit_test(without_an_allocator_memory_comes_from_malloc),
        cmocka_unit_test(creation_copies_the_limits_and_the_allocator),
        cmocka_unit_test(max_retained_bytes_is_what_the_largest_records_take),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
