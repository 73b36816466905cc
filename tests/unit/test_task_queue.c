/*
 * Admission and reads of tasks, and the order of the queue.
 */
#include "world.h"

#include <stdio.h>
#include <string.h>

static void enqueue_reports_a_fresh_task(void **state)
{
    struct world *world = *state;
    const tvd_task_spec spec = { .task_id = "task",
                                 .scan_id = "scan",
                                 .target_ref = "a\0b",
                                 .target_ref_size = 3,
                                 .phases = (const uint8_t[]){ 0, 255 },
                                 .phases_count = 2,
                                 .priority = TVD_TASK_PRIORITY_HIGH };
    tvd_task task;

    world->at.now_secs = 7;
    assert_ok(tvd_task_queue_enqueue(world->queue, &world->at, &spec, &task, &world->error));
    assert_int_equal(world->at.revision, 1);
    assert_string_equal(task.task_id, "task");
    assert_string_equal(task.scan_id, "scan");
    assert_string_equal(task.assigned_to, "");
    assert_int_equal(task.target_ref_size, 3);
    assert_memory_equal(task.target_ref, "a\0b", 3);
    assert_int_equal(task.phases_count, 2);
    assert_memory_equal(task.phases, "\0\xff", 2);
    assert_int_equal(task.status, TVD_TASK_STATUS_QUEUED);
    assert_int_equal(task.priority, TVD_TASK_PRIORITY_HIGH);
    assert_int_equal(task.retry_count, 0);
    assert_int_equal(task.attempt, 0);
    assert_int_equal(task.task_generation, 0);
    assert_int_equal(task.record_version, 1);
    assert_int_equal(task.created_at_secs, 7);
    assert_false(task.has_started_at);
    assert_false(task.has_completed_at);
    assert_int_equal(task.lease_id, 0);
}

static void a_zeroed_spec_with_its_four_strings_is_of_normal_priority(void **state)
{
    struct world *world = *state;
    const tvd_task_spec spec = { .task_id = "t", .scan_id = "s", .target_ref = "r", .target_ref_size = 1 };

    assert_ok(tvd_task_queue_enqueue(world->queue, &world->at, &spec, NULL, &world->error));
    assert_int_equal(world_task(world, "t").priority, TVD_TASK_PRIORITY_NORMAL);
    assert_int_equal(world_task(world, "t").phases_count, 0);
}

static void higher_priorities_come_first_and_equals_in_the_order_of_admission(void **state)
{
    struct world *world = *state;
    char order[64];

    world_enqueue_as(world, "low", TVD_TASK_PRIORITY_LOW);
    world_enqueue_as(world, "high-1", TVD_TASK_PRIORITY_HIGH);
    world_enqueue_as(world, "critical", TVD_TASK_PRIORITY_CRITICAL);
    world_enqueue_as(world, "high-2", TVD_TASK_PRIORITY_HIGH);
    assert_string_equal(world_queue_order(world, order, sizeof order), "critical high-1 high-2 low");
}

static void peek_next_shows_the_head_and_leaves_it(void **state)
{
    struct world *world = *state;
    tvd_task task;
    bool found = true;

    assert_ok(tvd_task_queue_peek_next(world->queue, &task, &found, &world->error));
    assert_false(found);
    world_enqueue(world, "first");
    world_enqueue(world, "second");
    for (int i = 0; i < 2; i++) {
        assert_ok(tvd_task_queue_peek_next(world->queue, &task, &found, &world->error));
        assert_true(found);
        assert_string_equal(task.task_id, "first");
    }
}

static void get_task_of_an_unknown_task_finds_nothing_and_writes_no_task(void **state)
{
    struct world *world = *state;
    tvd_task task;
    tvd_task before;
    bool found = true;

    memset(&task, 0x77, sizeof task);
    memset(&before, 0x77, sizeof before);
    assert_ok(tvd_task_queue_get_task(world->queue, "nothing", &task, &found, &world->error));
    assert_false(found);
    assert_memory_equal(&task, &before, sizeof task);
}

static void identifiers_that_differ_in_case_or_length_are_different_tasks(void **state)
{
    struct world *world = *state;

    world_enqueue(world, "task");
    world_enqueue(world, "Task");
    world_enqueue(world, "task-");
    world_enqueue(world, "tas");
    assert_int_equal(world_snapshot(world).task_records, 4);
}

/* Reads pages of a size, and the whole comes out in byte order whatever the size. */
static void assert_pages(struct world *world, size_t capacity, const char *expected)
{
    tvd_task page[4];
    char ids[64] = "";
    const char *after = NULL;
    size_t count;
    uint64_t revision;

    do {
        assert_ok(tvd_task_queue_tasks(world->queue, after, page, capacity, &count, &revision, &world->error));
        assert_int_equal(revision, world->at.revision);
        for (size_t i = 0; i < count; i++)
            strcat(ids, page[i].task_id);
        after = page[capacity - 1].task_id;
    } while (count == capacity);
    assert_string_equal(ids, expected);
}

static void pages_give_every_task_once_in_byte_order(void **state)
{
    struct world *world = *state;

    world_enqueue(world, "b");
    world_enqueue(world, "A");
    world_enqueue(world, "c");
    world_enqueue(world, "1");
    for (size_t capacity = 1; capacity <= 4; capacity++)
        assert_pages(world, capacity, "1Abc");
}

static void a_page_may_start_after_a_task_that_is_not_there_or_have_no_room(void **state)
{
    struct world *world = *state;
    tvd_task task;
    size_t count;

    world_enqueue(world, "a");
    world_enqueue(world, "c");
    assert_ok(tvd_task_queue_tasks(world->queue, "b", &task, 1, &count, NULL, &world->error));
    assert_int_equal(count, 1);
    assert_string_equal(task.task_id, "c");
    assert_ok(tvd_task_queue_tasks(world->queue, "c", &task, 1, &count, NULL, &world->error));
    assert_int_equal(count, 0);
    assert_ok(tvd_task_queue_tasks(world->queue, NULL, NULL, 0, &count, NULL, &world->error));
    assert_int_equal(count, 0);
}

/* Limits by which each of the four is the first to be reached, and how many tasks they admit. */
static void each_bound_admits_up_to_itself(void **state)
{
    static const struct {
        tvd_limits limits;
        tvd_status refusal;
    } cases[] = {
        { { 3, 3, 3, 3, 1, 10, 10, 10, 0 }, TVD_ERROR_TASK_RECORD_CAPACITY_REACHED },
        { { 9, 3, 3, 9, 1, 10, 10, 10, 0 }, TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED },
        { { 9, 9, 3, 9, 1, 10, 10, 10, 0 }, TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED },
    };
    static const char *const ids[] = { "1", "2", "3" };
    const tvd_task_spec spec = { .task_id = "4", .scan_id = "s", .target_ref = "r", .target_ref_size = 1 };
    struct world world;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        world_open(&world, &cases[i].limits);
        for (size_t j = 0; j < COUNT_OF(ids); j++)
            world_enqueue(&world, ids[j]);
        assert_int_equal(tvd_task_queue_enqueue(world.queue, &world.at, &spec, NULL, &world.error),
                         cases[i].refusal);
        assert_int_equal(world.error.limit, 3);
        world_close(&world);
    }
}

/* Two have ended, so that only one more can be sure of a place when it ends. */
static void a_place_for_ended_tasks_is_reserved_at_admission(void **state)
{
    const tvd_limits limits = { 9, 3, 3, 3, 1, 10, 10, 10, 0 };
    const tvd_task_spec spec = { .task_id = "4", .scan_id = "s", .target_ref = "r", .target_ref_size = 1 };
    struct world world;

    (void)state;
    world_open(&world, &limits);
    world_enqueue(&world, "1");
    world_enqueue(&world, "2");
    world_cancel(&world, "1");
    world_cancel(&world, "2");
    world_enqueue(&world, "3");
    assert_int_equal(tvd_task_queue_enqueue(world.queue, &world.at, &spec, NULL, &world.error),
                     TVD_ERROR_TERMINAL_CAPACITY_RESERVED);
    assert_int_equal(world.error.limit, 3);
    world_cancel(&world, "3");
    world_close(&world);
}

#define queue_test(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        queue_test(enqueue_reports_a_fresh_task),
        queue_test(a_zeroed_spec_with_its_four_strings_is_of_normal_priority),
        queue_test(higher_priorities_come_first_and_equals_in_the_order_of_admission),
        queue_test(peek_next_shows_the_head_and_leaves_it),
        queue_test(get_task_of_an_unknown_task_finds_nothing_and_writes_no_task),
        queue_test(identifiers_that_differ_in_case_or_length_are_different_tasks),
        queue_test(pages_give_every_task_once_in_byte_order),
        queue_test(a_page_may_start_after_a_task_that_is_not_there_or_have_no_room),
        cmocka_unit_test(each_bound_admits_up_to_itself),
        cmocka_unit_test(a_place_for_ended_tasks_is_reserved_at_admission),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
