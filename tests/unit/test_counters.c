/*
 * Counters at their end: one below it the next step works, and the one after it is refused and changes nothing.
 */
#include "stage.h"

static struct stage *const stage = &shared_stage;
static struct world *world = &shared_stage.world;

/* The arguments as they are for this function by now. */
static const struct function *arrange(const char *function_name)
{
    const struct function *function = function_named(function_name);

    stage->inputs.cursor = world->at;
    if (function->arrange != NULL)
        function->arrange(stage);
    return function;
}

static void accept(const char *function_name)
{
    stage_accept(stage, arrange(function_name));
    world->at = stage->inputs.cursor;
}

static void refuse(const char *function_name, tvd_detail counter)
{
    const struct function *function = arrange(function_name);

    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, counter);
    stage_refuse(stage, function);
}

static bool takes_cursor(const struct function *function)
{
    return function->required[1].detail == TVD_DETAIL_CURSOR;
}

static void every_command_stops_at_the_last_revision(void **state)
{
    size_t commands = 0;

    (void)state;
    world->coordinator->now.revision = UINT64_MAX - 1;
    world->at.revision = UINT64_MAX - 1;
    accept("worker_pool_recover_expired_leases");
    assert_int_equal(world->at.revision, UINT64_MAX);
    for (const struct function *function = functions; function->name != NULL; function++) {
        if (takes_cursor(function)) {
            refuse(function->name, TVD_DETAIL_REVISION);
            commands++;
        }
    }
    assert_int_equal(commands, 15);
}

static void a_replay_at_the_last_revision_does_not_pass_the_preflight(void **state)
{
    (void)state;
    stage->inputs.lease = stage->cast.completed;
    world->coordinator->now.revision = UINT64_MAX;
    world->at.revision = UINT64_MAX;
    stage->inputs.cursor = world->at;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_REVISION);
    stage_refuse(stage, function_named("worker_pool_complete_task"));
}

static void enqueue_stops_at_the_last_ordinal(void **state)
{
    (void)state;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX - 1;
    accept("task_queue_enqueue");
    stage->inputs.task_spec.task_id = "another";
    refuse("task_queue_enqueue", TVD_DETAIL_ENQUEUE_ORDINAL);
}

static void fail_task_stops_at_the_last_ordinal_if_it_would_requeue(void **state)
{
    (void)state;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX - 1;
    accept("worker_pool_fail_task");
    stage->cast.running = stage->cast.leased;
    world_start(world, &stage->cast.leased);
    refuse("worker_pool_fail_task", TVD_DETAIL_ENQUEUE_ORDINAL);
}

static void fail_task_without_retries_left_needs_no_ordinal(void **state)
{
    (void)state;
    world_task_record(world, "running")->retry_count = 1;
    world_task_record(world, "running")->task_generation = 1;
    world_task_record(world, "running")->attempt = 2;
    stage->cast.running.private_task_generation = 1;
    stage->cast.running.private_attempt = 2;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX;
    accept("worker_pool_fail_task");
    assert_int_equal(stage->outputs.failure.kind, TVD_RETRY_EXHAUSTED);
}

/* Three leases are over at second 150; the queue gets room for them. */
static void a_recovery_needs_an_ordinal_for_each_task_of_the_batch(void **state)
{
    (void)state;
    world->coordinator->limits.max_queued_tasks = 8;
    world->at.now_secs = 150;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX - 2;
    refuse("worker_pool_recover_expired_leases", TVD_DETAIL_ENQUEUE_ORDINAL);
    refuse("worker_pool_prune_dead_workers", TVD_DETAIL_ENQUEUE_ORDINAL);
    world->coordinator->next_enqueue_ordinal = UINT64_MAX - 3;
    accept("worker_pool_recover_expired_leases");
    assert_int_equal(stage->outputs.summary.tasks_requeued, 3);
    assert_int_equal(world->coordinator->next_enqueue_ordinal, UINT64_MAX);
}

static void a_deregistration_needs_an_ordinal_for_each_lease(void **state)
{
    (void)state;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX - 1;
    refuse("worker_pool_deregister_worker", TVD_DETAIL_ENQUEUE_ORDINAL);
    world->coordinator->next_enqueue_ordinal = UINT64_MAX - 2;
    accept("worker_pool_deregister_worker");
    assert_int_equal(stage->outputs.summary.tasks_requeued, 2);
}

static void a_recovery_without_tasks_needs_no_ordinal(void **state)
{
    (void)state;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX;
    accept("worker_pool_recover_expired_leases");
    accept("worker_pool_prune_dead_workers");
}

static void room_in_the_queue_is_reported_before_ordinals(void **state)
{
    (void)state;
    world->at.now_secs = 150;
    world->coordinator->next_enqueue_ordinal = UINT64_MAX;
    stage->inputs.cursor = world->at;
    expect_limit(stage, TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, 4);
    stage_refuse(stage, function_named("worker_pool_recover_expired_leases"));
    stage_refuse(stage, function_named("worker_pool_prune_dead_workers"));
}

static void assigning_stops_at_the_last_lease_id(void **state)
{
    (void)state;
    world->coordinator->next_lease_id = UINT64_MAX - 1;
    accept("worker_pool_assign_task");
    assert_int_equal(tvd_task_lease_lease_id(&stage->outputs.new_lease), UINT64_MAX - 1);
    stage->arguments.task_id = "queued-2";
    refuse("worker_pool_assign_task", TVD_DETAIL_LEASE_ID);
    refuse("worker_pool_assign_next", TVD_DETAIL_LEASE_ID);
    refuse("worker_pool_assign_next_available", TVD_DETAIL_LEASE_ID);
}

static void a_lease_may_end_at_the_last_second_but_not_later(void **state)
{
    (void)state;
    world->at.now_secs = UINT64_MAX - 10;
    world_observe(world, "able", TVD_WORKER_STATUS_HEALTHY);
    stage->arguments.ttl_secs = 11;
    refuse("worker_pool_assign_task", TVD_DETAIL_LEASE_DEADLINE);
    stage->arguments.ttl_secs = 10;
    accept("worker_pool_assign_task");
    assert_int_equal(tvd_task_lease_expires_at_secs(&stage->outputs.new_lease), UINT64_MAX);
}

static void the_deadline_is_reported_before_the_lease_id(void **state)
{
    (void)state;
    world->at.now_secs = UINT64_MAX - 10;
    world_observe(world, "able", TVD_WORKER_STATUS_HEALTHY);
    world->coordinator->next_lease_id = UINT64_MAX;
    stage->arguments.ttl_secs = 11;
    refuse("worker_pool_assign_task", TVD_DETAIL_LEASE_DEADLINE);
}

static void set_generation_of_able(uint64_t generation)
{
    world_worker_record(world, "able")->generation = generation;
    world_task_record(world, "leased")->lease_worker_generation = generation;
    world_task_record(world, "running")->lease_worker_generation = generation;
}

static void a_worker_stops_at_its_last_generation(void **state)
{
    (void)state;
    set_generation_of_able(UINT64_MAX - 1);
    stage->arguments.generation = UINT64_MAX - 1;
    accept("worker_pool_deregister_worker");
    assert_int_equal(world_worker(world, "able").generation, UINT64_MAX);

    stage->inputs.worker_spec.worker_id = "able";
    stage->arguments.generation = UINT64_MAX;
    stage->inputs.cursor = world->at;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);
    stage_refuse(stage, function_named("worker_pool_reactivate_worker"));
}

static void going_offline_checks_the_generation_before_the_tasks(void **state)
{
    (void)state;
    set_generation_of_able(UINT64_MAX);
    stage->arguments.generation = UINT64_MAX;
    world->at.now_secs = 150;
    world->coordinator->limits.max_queued_tasks = 2;
    refuse("worker_pool_deregister_worker", TVD_DETAIL_WORKER_GENERATION);
    refuse("worker_pool_prune_dead_workers", TVD_DETAIL_WORKER_GENERATION);
}

static void complete_task_stops_at_the_last_count_of_completed_tasks(void **state)
{
    (void)state;
    world_worker_record(world, "able")->completed_tasks = UINT64_MAX - 1;
    accept("worker_pool_complete_task");
    assert_int_equal(world_worker(world, "able").completed_tasks, UINT64_MAX);
    stage->cast.running = stage->cast.leased;
    world_start(world, &stage->cast.leased);
    refuse("worker_pool_complete_task", TVD_DETAIL_WORKER_COMPLETED_TASKS);
    accept("worker_pool_fail_task");
}

#define counter_test(function)                                                                                 \
    cmocka_unit_test_setup_teardown(function, shared_stage_setup, shared_stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        counter_test(every_command_stops_at_the_last_revision),
        counter_test(a_replay_at_the_last_revision_does_not_pass_the_preflight),
        counter_test(enqueue_stops_at_the_last_ordinal),
        counter_test(fail_task_stops_at_the_last_ordinal_if_it_would_requeue),
        counter_test(fail_task_without_retries_left_needs_no_ordinal),
        counter_test(a_recovery_needs_an_ordinal_for_each_task_of_the_batch),
        counter_test(a_deregistration_needs_an_ordinal_for_each_lease),
        counter_test(a_recovery_without_tasks_needs_no_ordinal),
        counter_test(room_in_the_queue_is_reported_before_ordinals),
        counter_test(assigning_stops_at_the_last_lease_id),
        counter_test(a_lease_may_end_at_the_last_second_but_not_later),
        counter_test(the_deadline_is_reported_before_the_lease_id),
        counter_test(a_worker_stops_at_its_last_generation),
        counter_test(going_offline_checks_the_generation_before_the_tasks),
        counter_test(complete_task_stops_at_the_last_count_of_completed_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
