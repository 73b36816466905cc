#include "dump.h"

#include <string.h>

static void take_records(struct world *world, struct dump *dump)
{
    uint64_t revision;

    assert_ok(tvd_task_queue_tasks(world->queue, NULL, dump->tasks, DUMP_MOST_TASKS, &dump->tasks_count,
                                   &revision, NULL));
    assert_int_equal(dump->tasks_count, dump->snapshot.task_records);
    assert_int_equal(revision, dump->snapshot.revision);
    assert_ok(tvd_worker_pool_workers(world->pool, NULL, dump->workers, DUMP_MOST_WORKERS, &dump->workers_count,
                                      &revision, NULL));
    assert_int_equal(dump->workers_count, dump->snapshot.workers);
    for (size_t i = 0; i < dump->tasks_count; i++) {
        const struct tvd_task_record *task = world_task_record(world, dump->tasks[i].task_id);

        dump->ordinals[i] = task->enqueue_ordinal;
        dump->proofs[i] = task->proof;
    }
}

static void take_results(struct world *world, struct dump *dump)
{
    dump->results_revision = tvd_result_aggregator_revision(world->results);
    dump->results_count = tvd_result_aggregator_result_count(world->results);
    dump->results_bytes = tvd_result_aggregator_total_bytes(world->results);
    for (size_t i = 0; i < dump->tasks_count; i++) {
        tvd_result *result;

        dump->result_sizes[i] = SIZE_MAX;
        assert_ok(tvd_result_aggregator_get_result(world->results, dump->tasks[i].task_id, &result, NULL));
        if (result != NULL) {
            dump->result_sizes[i] = tvd_result_size(result);
            assert_true(dump->result_sizes[i] <= DUMP_RESULT_BYTES);
            memcpy(dump->results[i], tvd_result_bytes(result), dump->result_sizes[i]);
            tvd_result_free(result);
        }
    }
}

void dump_take(struct world *world, struct dump *dump)
{
    const struct test_memory memory = world->memory;

    test_memory_stop_failing(&world->memory);
    world->memory.watch = NULL;
    memset(dump, 0, sizeof *dump);
    assert_ok(tvd_worker_pool_snapshot(world->pool, &dump->snapshot, NULL));
    dump->handles = world->coordinator->guard.handles;
    dump->pool_handles = world->coordinator->pool.handles;
    dump->queue_handles = world->coordinator->queue.handles;
    dump->next_enqueue_ordinal = world->coordinator->next_enqueue_ordinal;
    dump->next_lease_id = world->coordinator->next_lease_id;
    world_queue_order(world, dump->queue_order, sizeof dump->queue_order);
    take_records(world, dump);
    take_results(world, dump);
    assert_int_equal(world->memory.blocks, memory.blocks);
    world->memory = memory;
}

void dump_assert_same(const struct dump *before, const struct dump *after)
{
    assert_int_equal(after->snapshot.revision, before->snapshot.revision);
    assert_string_equal(after->queue_order, before->queue_order);
    for (size_t i = 0; i < DUMP_MOST_TASKS; i++)
        assert_memory_equal(&after->tasks[i], &before->tasks[i], sizeof before->tasks[i]);
    for (size_t i = 0; i < DUMP_MOST_WORKERS; i++)
        assert_memory_equal(&after->workers[i], &before->workers[i], sizeof before->workers[i]);
    assert_memory_equal(after, before, sizeof *before);
}
