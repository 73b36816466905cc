/*
 * Lists and indexes that hold what they must not, or lack what they must hold: check_invariants notices. Closing the world
 * checks once more that all is mended.
 */
#include "damaged.h"

#include <string.h>

/* Puts an impostor into a ring in the place of a link, which itself still looks attached. */
static void usurp(struct tvd_link *impostor, struct tvd_link *link)
{
    *impostor = *link;
    link->previous->next = impostor;
    link->next->previous = impostor;
}

static void give_back(struct tvd_link *link)
{
    link->previous->next = link;
    link->next->previous = link;
}

static void a_queue_with_a_task_that_is_not_queued(void **state)
{
    struct world *world = *state;
    struct tvd_task_record *queued = world_task_record(world, "queued-1");
    struct tvd_task_record impostor = { .priority = TVD_TASK_PRIORITY_NORMAL,
                                        .status = TVD_TASK_STATUS_LEASED,
                                        .enqueue_ordinal = queued->enqueue_ordinal };

    usurp(&impostor.queue_link, &queued->queue_link);
    assert_broken(world, TVD_DETAIL_QUEUE_BROKEN);
    give_back(&queued->queue_link);
}

/* The queue is as long as it must be, so that only the priority tells. */
static void a_queue_with_a_task_of_another_priority(void **state)
{
    struct world *world = *state;
    struct tvd_task_record *queued = world_task_record(world, "queued-1");
    struct tvd_task_record impostor = { .priority = TVD_TASK_PRIORITY_HIGH,
                                        .status = TVD_TASK_STATUS_QUEUED,
                                        .enqueue_ordinal = queued->enqueue_ordinal };

    usurp(&impostor.queue_link, &queued->queue_link);
    assert_broken(world, TVD_DETAIL_QUEUE_BROKEN);
    give_back(&queued->queue_link);
}

/* All links agree, and as many tasks are queued as are counted. */
static void a_task_in_the_queue_of_another_priority(void **state)
{
    struct world *world = *state;
    struct tvd_list *normal = &world->coordinator->queues[TVD_TASK_PRIORITY_NORMAL - 1];
    struct tvd_link *link = &world_task_record(world, "queued-2")->queue_link;

    tvd_list_remove(link);
    tvd_list_append(&world->coordinator->queues[TVD_TASK_PRIORITY_HIGH - 1], link);
    assert_broken(world, TVD_DETAIL_QUEUE_BROKEN);
    tvd_list_remove(link);
    tvd_list_append(normal, link);
}

static void a_queue_that_is_too_long(void **state)
{
    struct world *world = *state;
    struct tvd_list *queue = &world->coordinator->queues[TVD_TASK_PRIORITY_NORMAL - 1];
    struct tvd_task_record one = { .priority = TVD_TASK_PRIORITY_NORMAL, .status = TVD_TASK_STATUS_QUEUED };
    struct tvd_task_record two = one;
    struct tvd_task_record three = one;
    struct tvd_task_record *impostors[] = { &one, &two, &three };

    for (size_t i = 0; i < COUNT_OF(impostors); i++) {
        impostors[i]->enqueue_ordinal = 100 + i;
        tvd_list_append(queue, &impostors[i]->queue_link);
        assert_broken(world, TVD_DETAIL_QUEUE_BROKEN);
    }
    for (size_t i = 0; i < COUNT_OF(impostors); i++)
        tvd_list_remove(&impostors[i]->queue_link);
}

/* The ring closes without it, though its own link still looks attached. */
static void a_queue_that_lost_a_task(void **state)
{
    struct world *world = *state;
    struct tvd_link *link = &world_task_record(world, "queued-1")->queue_link;

    link->previous->next = link->next;
    link->next->previous = link->previous;
    assert_broken(world, TVD_DETAIL_QUEUE_BROKEN);
    give_back(link);
}

static void an_active_list_with_a_task_that_has_ended(void **state)
{
    struct world *world = *state;
    struct tvd_task_record *task = world_task_record(world, "queued-2");
    struct tvd_task_record impostor = { .status = TVD_TASK_STATUS_COMPLETED,
                                        .hint = task->hint,
                                        .created_at_secs = task->created_at_secs };

    usurp(&impostor.active_link, &task->active_link);
    assert_broken(world, TVD_DETAIL_ACTIVE_LIST_BROKEN);
    give_back(&task->active_link);
}

static void an_active_list_that_is_too_short_or_too_long(void **state)
{
    struct world *world = *state;
    struct tvd_link *link = &world_task_record(world, "queued-2")->active_link;
    struct tvd_link stranger = { 0 };

    link->previous->next = link->next;
    link->next->previous = link->previous;
    assert_broken(world, TVD_DETAIL_ACTIVE_LIST_BROKEN);
    give_back(link);

    tvd_list_append(&world->coordinator->active_tasks, &stranger);
    assert_broken(world, TVD_DETAIL_ACTIVE_LIST_BROKEN);
    tvd_list_remove(&stranger);
}

/* Its impostor claims the place of admission of the one before it. */
static void an_active_list_with_a_place_of_admission_twice(void **state)
{
    struct world *world = *state;
    struct tvd_task_record *task = world_task_record(world, "queued-2");
    struct tvd_task_record impostor = { .status = TVD_TASK_STATUS_QUEUED,
                                        .hint = world_task_record(world, "queued-1")->hint,
                                        .created_at_secs = task->created_at_secs };

    usurp(&impostor.active_link, &task->active_link);
    assert_broken(world, TVD_DETAIL_ACTIVE_LIST_BROKEN);
    give_back(&task->active_link);
}

/* Both were admitted in the same second, so that only their order of admission tells. */
static void an_active_list_out_of_the_order_of_admission(void **state)
{
    struct world *world = *state;
    struct tvd_list *list = &world->coordinator->active_tasks;
    struct tvd_link *first = &world_task_record(world, "queued-1")->active_link;
    struct tvd_link *last = &world_task_record(world, "queued-2")->active_link;

    tvd_list_remove(first);
    tvd_list_append(list, first);
    assert_broken(world, TVD_DETAIL_ACTIVE_LIST_BROKEN);
    tvd_list_remove(last);
    tvd_list_append(list, last);
}

/* Lets all that leads to a node of a tree lead to another. */
static void redirect(struct tvd_map *map, const struct tvd_map_node *node, struct tvd_map_node *other)
{
    if (map->root == node)
        map->root = other;
    for (int side = 0; side < 2; side++) {
        if (map->end[side] == node)
            map->end[side] = other;
        if (node->parent != NULL && node->parent->child[side] == node)
            node->parent->child[side] = other;
        if (node->child[side] != NULL)
            node->child[side]->parent = other;
    }
}

/* Puts an impostor into a tree in the place of a node, which itself still looks attached. */
static void usurp_node(struct tvd_map *map, struct tvd_map_node *impostor, const struct tvd_map_node *node)
{
    *impostor = *node;
    redirect(map, node, impostor);
}

static void a_lease_index_with_a_task_that_is_not_held(void **state)
{
    struct world *world = *state;
    struct tvd_map *map = &world->coordinator->leases_by_expiry;
    struct tvd_map_node *root = map->root;
    struct tvd_task_record impostor = *tvd_task_from_expiry_node(root);

    impostor.status = TVD_TASK_STATUS_COMPLETED;
    usurp_node(map, &impostor.by_expiry, root);
    assert_broken(world, TVD_DETAIL_LEASE_INDEX_BROKEN);
    redirect(map, &impostor.by_expiry, root);
}

static void a_workers_lease_of_a_task_that_is_not_held(void **state)
{
    struct world *world = *state;
    struct tvd_task_record *task = world_task_record(world, "leased");
    struct tvd_task_record impostor = *task;

    impostor.status = TVD_TASK_STATUS_COMPLETED;
    usurp(&impostor.worker_link, &task->worker_link);
    assert_broken(world, TVD_DETAIL_WORKER_LEASES_BROKEN);
    give_back(&task->worker_link);
}

static void a_lease_that_no_known_worker_has(void **state)
{
    struct world *world = *state;
    struct tvd_worker_record *worker = world_worker_record(world, "able");
    struct tvd_link *link = &world_task_record(world, "running")->worker_link;

    link->previous->next = link->next;
    link->next->previous = link->previous;
    worker->current_tasks -= 1;
    assert_broken(world, TVD_DETAIL_WORKER_LEASES_BROKEN);
    worker->current_tasks += 1;
    give_back(link);
}

static void a_heartbeat_list_with_a_worker_that_is_offline(void **state)
{
    struct world *world = *state;
    struct tvd_worker_record *worker = world_worker_record(world, "able");
    struct tvd_worker_record impostor = { .status = TVD_WORKER_STATUS_OFFLINE, .last_heartbeat_secs = 50 };

    usurp(&impostor.heartbeat_link, &worker->heartbeat_link);
    assert_broken(world, TVD_DETAIL_HEARTBEAT_LIST_BROKEN);
    give_back(&worker->heartbeat_link);
}

/* "ranked-a" stands in the place of "ranked-b" too. */
static void a_selection_index_with_a_worker_twice(void **state)
{
    struct world *world = *state;
    struct tvd_map *map = &world->coordinator->workers_by_preference;
    struct tvd_worker_record *worker = world_worker_record(world, "ranked-b");
    const struct tvd_worker_record *other = world_worker_record(world, "ranked-a");
    size_t size = tvd_worker_record_size(other->worker_id_size);
    struct tvd_worker_record *impostor = test_malloc(size);

    memcpy(impostor, other, size);
    usurp_node(map, &impostor->by_preference, &worker->by_preference);
    impostor->newest_heartbeat_secs = worker->newest_heartbeat_secs;
    assert_broken(world, TVD_DETAIL_SELECTION_INDEX_BROKEN);
    redirect(map, &impostor->by_preference, &worker->by_preference);
    test_free(impostor);
}

#define damage_test(function) cmocka_unit_test_setup_teardown(function, damaged_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        damage_test(a_queue_with_a_task_that_is_not_queued),
        damage_test(a_queue_with_a_task_of_another_priority),
        damage_test(a_task_in_the_queue_of_another_priority),
        damage_test(a_queue_that_is_too_long),
        damage_test(a_queue_that_lost_a_task),
        damage_test(an_active_list_with_a_task_that_has_ended),
        damage_test(an_active_list_that_is_too_short_or_too_long),
        damage_test(an_active_list_with_a_place_of_admission_twice),
        damage_test(an_active_list_out_of_the_order_of_admission),
        damage_test(a_lease_index_with_a_task_that_is_not_held),
        damage_test(a_workers_lease_of_a_task_that_is_not_held),
        damage_test(a_lease_that_no_known_worker_has),
        damage_test(a_heartbeat_list_with_a_worker_that_is_offline),
        damage_test(a_selection_index_with_a_worker_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
