#include "world.h"

#include <stdlib.h>
#include <string.h>

tvd_limits tiny_limits(void)
{
    return (tvd_limits){
        .max_task_records = 14,
        .max_active_tasks = 8,
        .max_queued_tasks = 4,
        .max_terminal_tasks = 14,
        .max_workers = 6,
        .max_lease_ttl_secs = 100,
        .max_task_ttl_secs = 1000,
        .heartbeat_timeout_secs = 60,
        .max_retries = 1,
    };
}

static tvd_result_limits tiny_result_limits(void)
{
    return (tvd_result_limits){
        .max_results = 4,
        .max_result_bytes = 8,
        .max_total_bytes = 16,
        .max_aggregate_items = 3,
        .max_aggregate_bytes = 12,
    };
}

void world_open(struct world *world, const tvd_limits *limits)
{
    const tvd_result_limits result_limits = tiny_result_limits();

    memset(world, 0, sizeof *world);
    test_memory_init(&world->memory);
    world->limits = *limits;
    assert_ok(tvd_worker_pool_create(limits, &world->memory.allocator, &world->pool, &world->error));
    world->queue = tvd_worker_pool_task_queue(world->pool);
    world->coordinator = world->pool->coordinator;
    assert_ok(
        tvd_result_aggregator_create(&result_limits, &world->memory.allocator, &world->results, &world->error));
}

void world_assert_sound(struct world *world)
{
    assert_ok(tvd_worker_pool_check_invariants(world->pool, &world->error));
    assert_ok(tvd_result_aggregator_check_invariants(world->results, &world->error));
}

void world_close(struct world *world)
{
    world_assert_sound(world);
    world_free(world);
}

void world_free(struct world *world)
{
    tvd_result_aggregator_release(world->results);
    tvd_task_queue_release(world->queue);
    tvd_worker_pool_release(world->pool);
    test_memory_assert_balanced(&world->memory);
}

int world_setup(void **state)
{
    struct world *world = malloc(sizeof *world);
    const tvd_limits limits = tiny_limits();

    assert_non_null(world);
    world_open(world, &limits);
    *state = world;
    return 0;
}

int world_teardown(void **state)
{
    world_close(*state);
    free(*state);
    return 0;
}

void world_register(struct world *world, const char *worker_id, uint32_t capacity)
{
    const tvd_worker_spec spec = { .worker_id = worker_id, .capacity = capacity };

    assert_ok(tvd_worker_pool_register_worker(world->pool, &world->at, &spec, NULL, &world->error));
}

void world_observe(struct world *world, const char *worker_id, tvd_worker_status status)
{
    const tvd_worker_observation observation = { .status = status };

    assert_ok(tvd_worker_pool_update_worker(world->pool, &world->at, worker_id,
                                            world_worker(world, worker_id).generation, &observation, NULL,
                                            &world->error));
}

void world_deregister(struct world *world, const char *worker_id)
{
    assert_ok(tvd_worker_pool_deregister_worker(
        world->pool, &world->at, worker_id, world_worker(world, worker_id).generation, NULL, &world->error));
}

void world_enqueue_as(struct world *world, const char *task_id, tvd_task_priority priority)
{
    const tvd_task_spec spec = { .task_id = task_id,
                                 .scan_id = "scan",
                                 .target_ref = "target",
                                 .target_ref_size = 6,
                                 .phases = (const uint8_t[]){ 1, 2 },
                                 .phases_count = 2,
                                 .priority = priority };

    assert_ok(tvd_task_queue_enqueue(world->queue, &world->at, &spec, NULL, &world->error));
}

void world_enqueue(struct world *world, const char *task_id)
{
    world_enqueue_as(world, task_id, TVD_TASK_PRIORITY_NORMAL);
}

tvd_task_lease world_assign_for(struct world *world, const char *task_id, const char *worker_id,
                                uint64_t lease_ttl_secs)
{
    tvd_task_lease lease;

    assert_ok(tvd_worker_pool_assign_task(world->pool, &world->at, task_id, worker_id, lease_ttl_secs, &lease,
                                          &world->error));
    return lease;
}

tvd_task_lease world_assign(struct world *world, const char *task_id, const char *worker_id)
{
    return world_assign_for(world, task_id, worker_id, 10);
}

void world_start(struct world *world, const tvd_task_lease *lease)
{
    assert_ok(tvd_worker_pool_start_task(world->pool, &world->at, lease, NULL, &world->error));
}

tvd_completion_receipt world_complete(struct world *world, const tvd_task_lease *lease)
{
    tvd_completion_outcome outcome;

    assert_ok(tvd_worker_pool_complete_task(world->pool, &world->at, lease, &outcome, &world->error));
    return outcome.receipt;
}

tvd_failure_outcome world_fail(struct world *world, const tvd_task_lease *lease)
{
    tvd_failure_outcome outcome;

    assert_ok(tvd_worker_pool_fail_task(world->pool, &world->at, lease, &outcome, &world->error));
    return outcome;
}

void world_cancel(struct world *world, const char *task_id)
{
    const tvd_task_ownership ownership = world_ownership(world, task_id);

    assert_ok(tvd_worker_pool_cancel_task(world->pool, &world->at, &ownership, NULL, &world->error));
}

tvd_recovery_summary world_recover(struct world *world)
{
    tvd_recovery_summary summary;

    assert_ok(tvd_worker_pool_recover_expired_leases(world->pool, &world->at, &summary, &world->error));
    return summary;
}

tvd_task_lease world_run(struct world *world, const char *task_id, const char *worker_id)
{
    tvd_task_lease lease;

    world_enqueue(world, task_id);
    lease = world_assign(world, task_id, worker_id);
    world_start(world, &lease);
    return lease;
}

void world_store(struct world *world, const tvd_completion_receipt *receipt, const char *text)
{
    assert_ok(tvd_result_aggregator_store_result(world->results, &world->results_revision, receipt, text,
                                                 strlen(text), NULL, &world->error));
}

tvd_task world_task(struct world *world, const char *task_id)
{
    tvd_task task;
    bool found = false;

    assert_ok(tvd_task_queue_get_task(world->queue, task_id, &task, &found, &world->error));
    assert_true(found);
    return task;
}

tvd_worker world_worker(struct world *world, const char *worker_id)
{
    tvd_worker worker;
    bool found = false;

    assert_ok(tvd_worker_pool_get_worker(world->pool, worker_id, &worker, &found, &world->error));
    assert_true(found);
    return worker;
}

tvd_state_snapshot world_snapshot(struct world *world)
{
    tvd_state_snapshot snapshot;

    assert_ok(tvd_worker_pool_snapshot(world->pool, &snapshot, &world->error));
    return snapshot;
}

tvd_task_ownership world_ownership(struct world *world, const char *task_id)
{
    const tvd_task task = world_task(world, task_id);
    tvd_task_ownership ownership;

    assert_true(tvd_task_ownership_of(&task, &ownership));
    return ownership;
}

struct tvd_task_record *world_task_record(struct world *world, const char *task_id)
{
    for (uint64_t i = 0; i < world->coordinator->now.task_records; i++) {
        struct tvd_task_record *task = world->coordinator->tasks_by_hint[i];

        if (strcmp(tvd_task_id(task), task_id) == 0)
            return task;
    }
    fail_msg("no record of task %s", task_id);
    return NULL;
}

struct tvd_worker_record *world_worker_record(struct world *world, const char *worker_id)
{
    struct tvd_map_node *node = tvd_map_first(&world->coordinator->workers_by_id);

    for (; node != NULL; node = tvd_map_next(node)) {
        struct tvd_worker_record *worker = tvd_worker_from_id_node(node);

        if (strcmp(worker->worker_id, worker_id) == 0)
            return worker;
    }
    fail_msg("no record of worker %s", worker_id);
    return NULL;
}

const char *world_queue_order(struct world *world, char *text, size_t size)
{
    size_t length = 0;

    for (size_t i = TVD_PRIORITIES; i-- > 0;) {
        const struct tvd_list *queue = &world->coordinator->queues[i];

        for (struct tvd_link *link = tvd_list_first(queue); link != NULL; link = tvd_list_next(queue, link)) {
            const char *id = tvd_task_id(tvd_task_from_queue_link(link));
            size_t id_size = strlen(id);

            assert_true(length + id_size + 2 <= size);
            if (length > 0)
                text[length++] = ' ';
            memcpy(text + length, id, id_size);
            length += id_size;
        }
    }
    text[length] = '\0';
    return text;
}
