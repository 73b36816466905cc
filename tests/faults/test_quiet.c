/*
 * When the allocator is called: by admission and by what hands out bytes, once each; with the mutex held by admission
 * alone; and never by anything else, refused and replayed calls included.
 */
#include "aggregator_inside.h"
#include "stage.h"

#include <errno.h>

static struct stage *const stage = &shared_stage;
static struct world *world = &shared_stage.world;

static void replays_ask_for_no_memory(void **state)
{
    const struct test_memory before = world->memory;
    tvd_completion_outcome completion;
    tvd_cancellation_outcome cancellation;
    tvd_failure_outcome failure;
    tvd_start_outcome start;
    tvd_store_outcome store;

    (void)state;
    test_memory_fail(&world->memory, 1, true);
    assert_ok(tvd_worker_pool_start_task(world->pool, &world->at, &stage->cast.running, &start, NULL));
    assert_ok(
        tvd_worker_pool_complete_task(world->pool, &world->at, &stage->cast.completed, &completion, NULL));
    assert_ok(tvd_worker_pool_fail_task(world->pool, &world->at, &stage->cast.failed, &failure, NULL));
    assert_ok(
        tvd_worker_pool_cancel_task(world->pool, &world->at, &stage->cast.cancelled, &cancellation, NULL));
    assert_ok(tvd_result_aggregator_store_result(world->results, &world->results_revision,
                                                 &stage->cast.stored_receipt, "abc", 3, &store, NULL));
    assert_int_equal(start.kind, TVD_ALREADY_RUNNING);
    assert_int_equal(completion.kind, TVD_ALREADY_COMPLETED);
    assert_int_equal(failure.kind, TVD_RETRY_EXHAUSTED);
    assert_int_equal(cancellation.kind, TVD_ALREADY_CANCELLED);
    assert_int_equal(store, TVD_ALREADY_STORED);
    assert_int_equal(world->memory.calls, before.calls);
    assert_int_equal(world->memory.releases, before.releases);
}

static void get_result_of_nothing_asks_for_no_memory(void **state)
{
    tvd_result *result;

    (void)state;
    test_memory_fail(&world->memory, 1, true);
    assert_ok(tvd_result_aggregator_get_result(world->results, "completed", &result, NULL));
    assert_null(result);
}

static void handles_ask_for_no_memory(void **state)
{
    const struct test_memory before = world->memory;

    (void)state;
    test_memory_fail(&world->memory, 1, true);
    tvd_worker_pool_release(tvd_task_queue_worker_pool(world->queue));
    tvd_task_queue_release(tvd_worker_pool_task_queue(world->pool));
    tvd_worker_pool_release(tvd_worker_pool_retain(world->pool));
    tvd_task_queue_release(tvd_task_queue_retain(world->queue));
    tvd_result_aggregator_release(tvd_result_aggregator_retain(world->results));
    assert_int_equal(world->memory.calls, before.calls);
    assert_int_equal(world->memory.releases, before.releases);
}

/* In how many calls of the allocator each mutex was held. */
struct watch {
    size_t calls;
    size_t coordinator_held;
    size_t results_held;
    struct tvd_guard *results;
};

static size_t is_held(struct tvd_guard *guard)
{
    if (pthread_mutex_trylock(&guard->mutex) == EBUSY)
        return 1;
    assert_int_equal(pthread_mutex_unlock(&guard->mutex), 0);
    return 0;
}

static void look_at_mutexes(void *watched)
{
    struct watch *watch = watched;

    watch->calls += 1;
    watch->coordinator_held += is_held(&world->coordinator->guard);
    watch->results_held += is_held(watch->results);
}

static struct watch watch_call(const char *function_name)
{
    const struct function *function = function_named(function_name);
    struct watch watch = { .results = aggregator_inside(world->results, "stored").guard };

    if (function->arrange != NULL)
        function->arrange(stage);
    world->memory.watch = look_at_mutexes;
    world->memory.watched = &watch;
    stage_accept(stage, function);
    world->memory.watch = NULL;
    return watch;
}

static void admission_asks_for_memory_with_its_mutex_held(void **state)
{
    static const char *const names[] = { "task_queue_enqueue", "worker_pool_register_worker" };
    struct watch watch;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        watch = watch_call(names[i]);
        assert_int_equal(watch.calls, 1);
        assert_int_equal(watch.coordinator_held, 1);
        assert_int_equal(watch.results_held, 0);
        stage->inputs.cursor = stage->world.at;
        stage->inputs.cursor.revision += 1;
    }
    watch = watch_call("result_aggregator_store_result");
    assert_int_equal(watch.calls, 1);
    assert_int_equal(watch.coordinator_held, 0);
    assert_int_equal(watch.results_held, 1);
}

/* Two calls each: stage_accept frees what it is given. */
static void handing_out_bytes_asks_for_memory_with_no_mutex_held(void **state)
{
    static const char *const names[] = { "result_aggregator_aggregate_results",
                                         "result_aggregator_get_result" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct watch watch = watch_call(names[i]);

        assert_int_equal(watch.calls, 2);
        assert_int_equal(watch.coordinator_held, 0);
        assert_int_equal(watch.results_held, 0);
    }
}

static void retained_bytes_are_what_the_allocator_was_asked_for(void **state)
{
    (void)state;
    assert_int_equal(tvd_worker_pool_retained_bytes(world->pool) +
                         tvd_result_aggregator_retained_bytes(world->results),
                     world->memory.bytes);
    assert_int_equal(tvd_worker_pool_retained_bytes(NULL), 0);
    assert_int_equal(tvd_result_aggregator_retained_bytes(NULL), 0);
}

#define quiet_test(function)                                                                                   \
    cmocka_unit_test_setup_teardown(function, shared_stage_setup, shared_stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        quiet_test(replays_ask_for_no_memory),
        quiet_test(get_result_of_nothing_asks_for_no_memory),
        quiet_test(handles_ask_for_no_memory),
        quiet_test(admission_asks_for_memory_with_its_mutex_held),
        quiet_test(handing_out_bytes_asks_for_memory_with_no_mutex_held),
        quiet_test(retained_bytes_are_what_the_allocator_was_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
