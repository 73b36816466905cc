#include "stage.h"

#include <string.h>

enum { OUTPUT_GARBAGE = 0x5a, ERROR_GARBAGE = 0xc3 };

static tvd_completion_receipt play_completion(struct world *world, const char *task_id)
{
    const tvd_task_lease lease = world_run(world, task_id, "able");

    return world_complete(world, &lease);
}

static void play_ended_tasks(struct world *world, struct cast *cast)
{
    cast->completed = world_run(world, "completed", "able");
    cast->completed_receipt = world_complete(world, &cast->completed);
    cast->empty_receipt = play_completion(world, "empty");
    cast->stored_receipt = play_completion(world, "stored");
    world_store(world, &cast->empty_receipt, "");
    world_store(world, &cast->stored_receipt, "abc");

    cast->failed = world_run(world, "failed", "able");
    world_fail(world, &cast->failed);
    cast->failed = world_assign(world, "failed", "able");
    world_start(world, &cast->failed);
    world_fail(world, &cast->failed);

    world_enqueue(world, "cancelled");
    cast->cancelled = world_ownership(world, "cancelled");
    world_cancel(world, "cancelled");
}

static void play(struct world *world, struct cast *cast)
{
    world_register(world, "stale", 1);
    world_enqueue(world, "expired");
    world->at.now_secs = 50;
    assert_ok(tvd_worker_pool_expire_old_tasks(world->pool, &world->at, 50, NULL, &world->error));
    world_register(world, "able", 8);
    world_register(world, "full", 1);
    world_register(world, "busy", 1);
    world_observe(world, "busy", TVD_WORKER_STATUS_BUSY);
    world_register(world, "gone", 1);
    world_deregister(world, "gone");
    play_ended_tasks(world, cast);

    world_enqueue(world, "held");
    world_assign_for(world, "held", "full", 100);
    world_enqueue(world, "leased");
    cast->leased = world_assign_for(world, "leased", "able", 100);
    cast->owned = world_ownership(world, "leased");
    world_enqueue(world, "running");
    cast->running = world_assign_for(world, "running", "able", 100);
    world_start(world, &cast->running);
    world_enqueue(world, "queued-1");
    cast->queued = world_ownership(world, "queued-1");
    world->at.now_secs = 100;
    world_enqueue(world, "queued-2");
}

static void fill_inputs(struct stage *stage)
{
    stage->inputs = (struct inputs){
        .limits = tiny_limits(),
        .result_limits = tvd_result_limits_default(),
        .allocator = stage->world.memory.allocator,
        .cursor = stage->world.at,
        .revision = stage->world.results_revision,
        .worker_spec = { .worker_id = "newcomer", .capacity = 1 },
        .task_spec = { .task_id = "fresh",
                       .scan_id = "scan",
                       .target_ref = "target",
                       .target_ref_size = 6,
                       .phases = (const uint8_t *)"\1\2",
                       .phases_count = 2 },
        .lease = stage->cast.leased,
        .ownership = stage->cast.owned,
        .receipt = stage->cast.completed_receipt,
        .task_ids = { "stored", "empty" },
    };
}

static void point_to_inputs(struct stage *stage)
{
    struct arguments *arguments = &stage->arguments;
    struct inputs *inputs = &stage->inputs;

    arguments->pool = stage->world.pool;
    arguments->queue = stage->world.queue;
    arguments->aggregator = stage->world.results;
    arguments->limits = &inputs->limits;
    arguments->result_limits = &inputs->result_limits;
    arguments->allocator = &inputs->allocator;
    arguments->cursor = &inputs->cursor;
    arguments->revision = &inputs->revision;
    arguments->now_secs = 100;
    arguments->worker_spec = &inputs->worker_spec;
    arguments->task_spec = &inputs->task_spec;
    arguments->observation = &inputs->observation;
    arguments->worker_id = "able";
    arguments->task_id = "queued-1";
    arguments->after_id = "b";
    arguments->generation = 1;
    arguments->ttl_secs = 10;
    arguments->lease = &inputs->lease;
    arguments->ownership = &inputs->ownership;
    arguments->receipt = &inputs->receipt;
    arguments->bytes = "abc";
    arguments->size = 3;
    arguments->task_ids = inputs->task_ids;
    arguments->task_ids_count = 2;
    arguments->capacity = 2;
}

static void point_to_outputs(struct stage *stage)
{
    struct arguments *arguments = &stage->arguments;
    struct outputs *outputs = &stage->outputs;

    arguments->new_pool = &outputs->new_pool;
    arguments->new_queue = &outputs->new_queue;
    arguments->new_aggregator = &outputs->new_aggregator;
    arguments->worker = &outputs->worker;
    arguments->workers = outputs->workers;
    arguments->task = &outputs->task;
    arguments->tasks = outputs->tasks;
    arguments->found = &outputs->found;
    arguments->count = &outputs->count;
    arguments->expired = &outputs->expired;
    arguments->page_revision = &outputs->page_revision;
    arguments->new_lease = &outputs->new_lease;
    arguments->start = &outputs->start;
    arguments->completion = &outputs->completion;
    arguments->failure = &outputs->failure;
    arguments->cancellation = &outputs->cancellation;
    arguments->summary = &outputs->summary;
    arguments->snapshot = &outputs->snapshot;
    arguments->next = &outputs->next;
    arguments->store = &outputs->store;
    arguments->aggregate = &outputs->aggregate;
    arguments->result = &outputs->result;
}

void stage_open(struct stage *stage, const struct function *function)
{
    const tvd_limits limits = tiny_limits();

    memset(stage, 0, sizeof *stage);
    world_open(&stage->world, &limits);
    play(&stage->world, &stage->cast);
    fill_inputs(stage);
    point_to_inputs(stage);
    point_to_outputs(stage);
    if (function->arrange != NULL)
        function->arrange(stage);
}

void stage_close(struct stage *stage)
{
    world_assert_sound(&stage->world);
    /* The size of the coordinator follows from its limits, which a test may have changed. */
    stage->world.coordinator->limits = stage->world.limits;
    world_free(&stage->world);
}

struct stage shared_stage;

int shared_stage_setup(void **state)
{
    (void)state;
    stage_open(&shared_stage, function_named("worker_pool_start_task"));
    return 0;
}

int shared_stage_teardown(void **state)
{
    (void)state;
    stage_close(&shared_stage);
    return 0;
}

void stage_give_back(struct stage *stage)
{
    tvd_worker_pool_release(stage->outputs.new_pool);
    tvd_task_queue_release(stage->outputs.new_queue);
    tvd_result_aggregator_release(stage->outputs.new_aggregator);
    tvd_aggregate_free(stage->outputs.aggregate);
    tvd_result_free(stage->outputs.result);
}

void stage_accept(struct stage *stage, const struct function *function)
{
    size_t calls = stage->world.memory.calls;
    tvd_error untouched;
    tvd_error error;

    memset(&stage->outputs, 0, sizeof stage->outputs);
    memset(&error, ERROR_GARBAGE, sizeof error);
    memset(&untouched, ERROR_GARBAGE, sizeof untouched);
    assert_ok(function->call(&stage->arguments, &error));
    assert_memory_equal(&error, &untouched, sizeof error);
    assert_int_equal(stage->world.memory.calls - calls, function->allocations);
    stage_give_back(stage);
}

void stage_assert_error(const struct stage *stage, const tvd_error *error)
{
    const tvd_error *expected = &stage->expected;

    assert_string_equal(tvd_status_name(error->status), tvd_status_name(expected->status));
    assert_string_equal(tvd_detail_name(error->detail), tvd_detail_name(expected->detail));
    assert_int_equal(error->expected, expected->expected);
    assert_int_equal(error->actual, expected->actual);
    assert_int_equal(error->limit, expected->limit);
    assert_int_equal(error->task_status, expected->task_status);
    assert_int_equal(error->operation, expected->operation);
    assert_memory_equal(error->identifier, expected->identifier, sizeof error->identifier);
}

void stage_refuse(struct stage *stage, const struct function *function)
{
    static struct dump before;
    static struct dump after;
    static struct outputs garbage;
    static struct inputs inputs;
    size_t asked = stage->expected.status == TVD_ERROR_OUT_OF_MEMORY;
    size_t calls = stage->world.memory.calls;
    tvd_error error;

    memcpy(&inputs, &stage->inputs, sizeof inputs);
    memset(&garbage, OUTPUT_GARBAGE, sizeof garbage);
    memset(&stage->outputs, OUTPUT_GARBAGE, sizeof stage->outputs);
    memset(&error, ERROR_GARBAGE, sizeof error);
    dump_take(&stage->world, &before);
    assert_string_equal(tvd_status_name(function->call(&stage->arguments, &error)),
                        tvd_status_name(stage->expected.status));
    stage_assert_error(stage, &error);
    assert_int_equal(stage->world.memory.calls - calls, asked);
    assert_memory_equal(&stage->outputs, &garbage, sizeof garbage);
    assert_memory_equal(&stage->inputs, &inputs, sizeof inputs);
    dump_take(&stage->world, &after);
    dump_assert_same(&before, &after);
    world_assert_sound(&stage->world);

    if (asked == 0)
        assert_int_equal(function->call(&stage->arguments, NULL), stage->expected.status);
}

static void raise_to_one(size_t *size)
{
    if (*size == 0)
        *size = 1;
}

/* What may be null without a size gets one. */
void stage_nullify(struct stage *stage, const struct required *required)
{
    memset((char *)stage + required->offset, 0, sizeof(void *));
    raise_to_one(&stage->inputs.task_spec.target_ref_size);
    raise_to_one(&stage->inputs.task_spec.phases_count);
    raise_to_one(&stage->arguments.size);
    raise_to_one(&stage->arguments.task_ids_count);
    raise_to_one(&stage->arguments.capacity);
    expect_detail(stage, TVD_ERROR_INVALID_ARGUMENT, required->detail);
}

void expect(struct stage *stage, tvd_status status)
{
    stage->expected = (tvd_error){ .status = status };
}

void expect_detail(struct stage *stage, tvd_status status, tvd_detail detail)
{
    stage->expected = (tvd_error){ .status = status, .detail = detail };
}

void expect_identifier(struct stage *stage, tvd_status status, const char *identifier)
{
    stage->expected = (tvd_error){ .status = status };
    memcpy(stage->expected.identifier, identifier, strlen(identifier));
}

void expect_limit(struct stage *stage, tvd_status status, uint64_t limit)
{
    stage->expected = (tvd_error){ .status = status, .limit = limit };
}

void expect_excess(struct stage *stage, tvd_status status, tvd_detail detail, uint64_t actual, uint64_t limit)
{
    stage->expected = (tvd_error){ .status = status, .detail = detail, .actual = actual, .limit = limit };
}

void expect_conflict(struct stage *stage, tvd_status status, uint64_t expected, uint64_t actual)
{
    stage->expected = (tvd_error){ .status = status, .expected = expected, .actual = actual };
}
