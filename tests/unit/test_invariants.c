/*
 * Each member that check_invariants looks at is damaged in turn, must be noticed under the name of what is broken, and is
 * mended. Closing the world checks once more.
 */
#include "damage.h"
#include "damaged.h"

/* One member of one record with a value that it must not have. */
struct damage {
    const char *record; /* a task's or worker's ID; null: the coordinator */
    size_t offset;
    size_t size;
    uint64_t value;
};

#define MEMBER(type, member, value) offsetof(struct type, member), sizeof(((struct type *)NULL)->member), value
#define TASK(id, member, value)                                                                                \
    {                                                                                                          \
        id, MEMBER(tvd_task_record, member, value)                                                             \
    }
#define WORKER(id, member, value)                                                                              \
    {                                                                                                          \
        id, MEMBER(tvd_worker_record, member, value)                                                           \
    }
#define COORDINATOR(member, value)                                                                             \
    {                                                                                                          \
        NULL, MEMBER(tvd_coordinator, member, value)                                                           \
    }
#define LETTER(type, field, id, index, letter)                                                                 \
    {                                                                                                          \
        id, offsetof(struct type, field) + (index), 1, letter                                                  \
    }

static void notice(struct world *world, void *base, const struct damage *damage, tvd_detail detail)
{
    char *member = (char *)base + damage->offset;
    uint64_t old = damage_member(member, damage->size, damage->value);

    for (int i = 0; i < 2; i++) {
        tvd_detail found = find_broken(world);

        if (found != detail)
            fail_msg("%llu at %zu of %s is %s, not %s", (unsigned long long)damage->value, damage->offset,
                     damage->record == NULL ? "the coordinator" : damage->record, tvd_detail_name(found),
                     tvd_detail_name(detail));
    }
    damage_member(member, damage->size, old);
    world_assert_sound(world);
}

static void notice_tasks(struct world *world, const struct damage *damages, size_t count, tvd_detail detail)
{
    for (size_t i = 0; i < count; i++)
        notice(world, world_task_record(world, damages[i].record), &damages[i], detail);
}

static void notice_workers(struct world *world, const struct damage *damages, size_t count, tvd_detail detail)
{
    for (size_t i = 0; i < count; i++)
        notice(world, world_worker_record(world, damages[i].record), &damages[i], detail);
}

static void notice_coordinator(struct world *world, const struct damage *damages, size_t count,
                               tvd_detail detail)
{
    for (size_t i = 0; i < count; i++)
        notice(world, world->coordinator, &damages[i], detail);
}

static void bounds_that_do_not_hold(void **state)
{
    static const struct damage damages[] = {
        COORDINATOR(now.task_records, 15),   COORDINATOR(now.active_tasks, 9), COORDINATOR(now.queued_tasks, 5),
        COORDINATOR(now.terminal_tasks, 10), COORDINATOR(now.workers, 7),
    };

    notice_coordinator(*state, damages, COUNT_OF(damages), TVD_DETAIL_BOUND_EXCEEDED);
}

static void counters_that_are_zero(void **state)
{
    static const struct damage damages[] = {
        COORDINATOR(guard.handles, 0),
        COORDINATOR(next_enqueue_ordinal, 0),
        COORDINATOR(next_lease_id, 0),
    };

    notice_coordinator(*state, damages, COUNT_OF(damages), TVD_DETAIL_COUNTER_OUT_OF_RANGE);
}

/* The scene is held by one handle of each kind. */
static void handles_that_do_not_add_up(void **state)
{
    static const struct damage damages[] = {
        COORDINATOR(guard.handles, 1), COORDINATOR(guard.handles, 3), COORDINATOR(pool.handles, 0),
        COORDINATOR(pool.handles, 2),  COORDINATOR(queue.handles, 0), COORDINATOR(queue.handles, 2),
    };

    notice_coordinator(*state, damages, COUNT_OF(damages), TVD_DETAIL_COUNTER_OUT_OF_RANGE);
}

/* Nobody holds it, and yet somebody asks. */
static void a_state_without_handles(void **state)
{
    struct world *world = *state;
    struct tvd_coordinator *coordinator = world->coordinator;

    coordinator->guard.handles = 0;
    coordinator->pool.handles = 0;
    coordinator->queue.handles = 0;
    assert_broken(world, TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    coordinator->guard.handles = 2;
    coordinator->pool.handles = 1;
    coordinator->queue.handles = 1;
}

/* Ten tasks and five workers were admitted, each by a command. */
static void a_revision_below_the_number_of_records(void **state)
{
    static const struct damage damage = COORDINATOR(now.revision, 14);
    struct world *world = *state;
    uint64_t revision = world->coordinator->now.revision;

    notice_coordinator(world, &damage, 1, TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    world->coordinator->now.revision = 15;
    world_assert_sound(world);
    world->coordinator->now.revision = revision;
}

static void counts_that_disagree(void **state)
{
    static const struct damage damages[] = {
        COORDINATOR(now.active_tasks, 4),
        COORDINATOR(now.queued_tasks, 1),
        COORDINATOR(now.terminal_tasks, 2),
    };

    notice_coordinator(*state, damages, COUNT_OF(damages), TVD_DETAIL_COUNT_DISAGREES);
}

/* The sizes of a record are in range, but not those that it was allocated with. */
static void retained_bytes_that_the_records_do_not_give(void **state)
{
    static const struct damage too_few = COORDINATOR(retained_bytes, 1);
    static const struct damage sizes[] = {
        TASK("leased", scan_id_size, 5),
        TASK("leased", target_ref_size, 5),
        TASK("leased", phases_count, 0),
    };

    notice_coordinator(*state, &too_few, 1, TVD_DETAIL_COUNT_DISAGREES);
    notice_tasks(*state, sizes, COUNT_OF(sizes), TVD_DETAIL_COUNT_DISAGREES);
}

static void indexes_of_another_size(void **state)
{
    static const struct damage tasks = COORDINATOR(now.task_records, 7);
    static const struct damage workers = COORDINATOR(now.workers, 4);

    notice_coordinator(*state, &tasks, 1, TVD_DETAIL_TASK_INDEX_BROKEN);
    notice_coordinator(*state, &workers, 1, TVD_DETAIL_WORKER_INDEX_BROKEN);
}

static void task_identifiers_that_are_out_of_order_or_invalid(void **state)
{
    static const struct damage damages[] = {
        LETTER(tvd_task_record, text, "leased", 0, 'z'),
        LETTER(tvd_task_record, text, "queued-1", 7, '+'),
        LETTER(tvd_task_record, text, "queued-2", 7, '1'),
        TASK("leased", task_id_size, 5),
        TASK("leased", hint, 99),
        TASK("leased", hint, 0),
    };

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_TASK_INDEX_BROKEN);
}

/* There is room for more records than there are, so that the place behind the last is read safely. */
static void a_hint_behind_the_last_record(void **state)
{
    struct world *world = *state;
    struct tvd_coordinator *coordinator = world->coordinator;
    struct tvd_task_record *task = world_task_record(world, "leased");
    uint32_t hint = task->hint;

    task->hint = (uint32_t)coordinator->now.task_records;
    coordinator->tasks_by_hint[task->hint] = task;
    assert_broken(world, TVD_DETAIL_TASK_INDEX_BROKEN);
    task->hint = hint;
}

static void worker_identifiers_that_are_out_of_order_or_invalid(void **state)
{
    static const struct damage damages[] = {
        LETTER(tvd_worker_record, worker_id, "full", 0, 'z'),
        LETTER(tvd_worker_record, worker_id, "ranked-a", 7, '+'),
        LETTER(tvd_worker_record, worker_id, "ranked-b", 7, 'a'),
        WORKER("full", worker_id_size, 3),
    };

    notice_workers(*state, damages, COUNT_OF(damages), TVD_DETAIL_WORKER_INDEX_BROKEN);
}

static void task_records_that_contradict_themselves(void **state)
{
    static const struct damage damages[] = {
        TASK("leased", status, 0),
        TASK("leased", status, TVD_TASK_STATUS_EXPIRED + 1),
        TASK("lost", status, 0),
        TASK("lost", status, TVD_TASK_STATUS_EXPIRED + 1),
        TASK("leased", priority, 0),
        TASK("leased", priority, TVD_TASK_PRIORITY_CRITICAL + 1),
        TASK("leased", record_version, 0),
        TASK("leased", retry_count, 2),
        TASK("leased", enqueue_ordinal, UINT64_MAX),
        TASK("leased", task_generation, 1),
        TASK("queued-1", attempt, 1),
        TASK("leased", attempt, 0),
        TASK("cancelled", attempt, 2),
        TASK("completed", attempt, 0),
    };

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_TASK_RECORD_BROKEN);
}

static void task_sizes_out_of_range(void **state)
{
    static const struct damage damages[] = {
        TASK("leased", scan_id_size, 0),
        TASK("leased", scan_id_size, TVD_MAX_IDENTIFIER_BYTES + 1),
        TASK("leased", target_ref_size, 0),
        TASK("leased", target_ref_size, TVD_MAX_TARGET_REF_BYTES + 1),
        TASK("leased", phases_count, TVD_MAX_PHASES + 1),
    };

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_TASK_RECORD_BROKEN);
}

static void proofs_that_do_not_follow_from_the_end(void **state)
{
    static const struct damage damages[] = {
        TASK("queued-1", proof, TVD_PROOF_FENCE),  TASK("leased", proof, TVD_PROOF_LEASE),
        TASK("running", proof, TVD_PROOF_LEASE),   TASK("completed", proof, TVD_PROOF_NONE),
        TASK("completed", proof, TVD_PROOF_FENCE), TASK("failed", proof, TVD_PROOF_FENCE),
        TASK("failed", has_started_at, 0),         TASK("lost", proof, TVD_PROOF_LEASE), /* it never ran */
        TASK("cancelled", proof, TVD_PROOF_NONE),  TASK("cancelled-held", proof, TVD_PROOF_FENCE + 1),
        TASK("completed", lease_worker, 0),        TASK("failed", lease_worker, 0),
        TASK("cancelled", proof, TVD_PROOF_LEASE), /* nobody ever held it */
    };

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_TASK_RECORD_BROKEN);
}

static void task_times_that_contradict_each_other(void **state)
{
    static const struct damage damages[] = {
        TASK("leased", created_at_secs, 51),      TASK("queued-1", has_started_at, 1),
        TASK("leased", has_started_at, 1),        TASK("running", has_started_at, 0),
        TASK("completed", has_started_at, 0),     TASK("running", started_at_secs, 49),
        TASK("running", started_at_secs, 51),     TASK("completed", completed_at_secs, 49),
        TASK("completed", completed_at_secs, 51),
    };

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_TASK_RECORD_BROKEN);
}

/* Generation and attempt follow from the retries, of which there is one at most. */
static void a_task_with_too_many_retries(void **state)
{
    struct tvd_task_record *task = world_task_record(*state, "queued-1");

    task->retry_count = 2;
    task->task_generation = 2;
    task->attempt = 2;
    assert_broken(*state, TVD_DETAIL_TASK_RECORD_BROKEN);
    task->retry_count = 0;
    task->task_generation = 0;
    task->attempt = 0;
}

/* At a second at which it could have started. */
static void tasks_that_wait_and_have_started(void **state)
{
    static const struct damage damages[] = {
        TASK("queued-1", has_started_at, 1),
        TASK("leased", has_started_at, 1),
    };

    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        struct tvd_task_record *task = world_task_record(*state, damages[i].record);

        task->started_at_secs = task->created_at_secs;
        notice_tasks(*state, &damages[i], 1, TVD_DETAIL_TASK_RECORD_BROKEN);
        task->started_at_secs = 0;
    }
}

/* A link counts as detached when its next is null. */
static void task_links_that_do_not_follow_from_the_status(void **state)
{
    static const struct damage damages[] = {
        TASK("queued-1", queue_link.next, 0),  TASK("leased", queue_link.next, 1),
        TASK("leased", active_link.next, 0),   TASK("completed", active_link.next, 1),
        TASK("leased", worker_link.next, 0),   TASK("queued-1", worker_link.next, 1),
        TASK("leased", by_expiry.attached, 0), TASK("completed", by_expiry.attached, 1),
    };

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_TASK_RECORD_BROKEN);
}

static void worker_records_that_contradict_themselves(void **state)
{
    static const struct damage damages[] = {
        WORKER("able", status, TVD_WORKER_STATUS_OFFLINE + 1),
        WORKER("able", generation, 0),
        WORKER("able", capacity, 0),
        WORKER("gone", capacity, 0), /* which has no slots anyway */
        WORKER("gone", capacity, TVD_MAX_WORKER_CAPACITY + 1),
        WORKER("able", capacity, TVD_MAX_WORKER_CAPACITY + 1),
        WORKER("able", current_tasks, 9),
        WORKER("able", cpu_basis_points, TVD_MAX_BASIS_POINTS + 1),
        WORKER("able", memory_basis_points, TVD_MAX_BASIS_POINTS + 1),
        WORKER("able", network_basis_points, TVD_MAX_BASIS_POINTS + 1),
        WORKER("able", tags, 32),
        WORKER("able", tags, UINT32_MAX),
        WORKER("able", load_order, 7),
        WORKER("able", effective_capacity, 7),
        WORKER("able", last_heartbeat_secs, 51),
        WORKER("gone", current_tasks, 1),
        WORKER("gone", heartbeat_link.next, 1),
        WORKER("able", heartbeat_link.next, 0),
        WORKER("able", by_preference.attached, 0),
        WORKER("full", by_preference.attached, 1),
    };

    notice_workers(*state, damages, COUNT_OF(damages), TVD_DETAIL_WORKER_RECORD_BROKEN);
}

/* All that follows from its loads follows from the wrong ones; an offline worker has no slots under any load. */
static void a_worker_with_loads_out_of_range(void **state)
{
    struct tvd_worker_record *worker = world_worker_record(*state, "gone");
    uint32_t *const loads[] = { &worker->cpu_basis_points, &worker->memory_basis_points,
                                &worker->network_basis_points };

    for (size_t i = 0; i < COUNT_OF(loads); i++) {
        uint32_t load = *loads[i];

        *loads[i] = TVD_MAX_BASIS_POINTS + 1;
        worker->load_order = tvd_worker_load_order(worker);
        assert_broken(*state, TVD_DETAIL_WORKER_RECORD_BROKEN);
        *loads[i] = load;
        worker->load_order = tvd_worker_load_order(worker);
        world_assert_sound(*state);
    }
}

/* All that follows from its capacity follows from the smaller one. */
static void a_worker_with_more_tasks_than_its_capacity(void **state)
{
    struct tvd_worker_record *worker = world_worker_record(*state, "able");
    uint32_t capacity = worker->capacity;

    worker->capacity = 1;
    worker->effective_capacity = 1;
    worker->by_preference.attached = false;
    assert_broken(*state, TVD_DETAIL_WORKER_RECORD_BROKEN);
    worker->capacity = capacity;
    worker->effective_capacity = capacity;
    worker->by_preference.attached = true;
}

static void leases_that_disagree_with_their_records(void **state)
{
    static const struct damage damages[] = {
        TASK("leased", lease_worker, 0),
        TASK("leased", lease_worker_generation, 2),
        TASK("running", lease_id, 1),
        TASK("running", lease_id, UINT64_MAX),
        TASK("running", lease_acquired_at_secs, 49),
        TASK("running", lease_acquired_at_secs, 110),
        TASK("running", lease_expires_at_secs, 151),
        TASK("held", lease_expires_at_secs, 50), /* as soon as it begins */
    };
    static const struct damage no_ring = WORKER("able", leases.head.previous, 0);
    static const struct damage too_few = WORKER("able", current_tasks, 1);
    static const struct damage too_many = WORKER("able", current_tasks, 3);

    notice_tasks(*state, damages, COUNT_OF(damages), TVD_DETAIL_WORKER_LEASES_BROKEN);
    notice_workers(*state, &no_ring, 1, TVD_DETAIL_WORKER_LEASES_BROKEN);
    notice_workers(*state, &too_few, 1, TVD_DETAIL_WORKER_LEASES_BROKEN);
    notice_workers(*state, &too_many, 1, TVD_DETAIL_WORKER_LEASES_BROKEN);
}

static void orders_that_the_records_do_not_give(void **state)
{
    static const struct damage ordinal = TASK("queued-2", enqueue_ordinal, 1);
    static const struct damage priority = TASK("queued-1", priority, TVD_TASK_PRIORITY_HIGH);
    static const struct damage created = TASK("queued-2", created_at_secs, 0);
    static const struct damage expiry = TASK("held", lease_expires_at_secs, 105);
    static const struct damage heartbeat = WORKER("ranked-b", last_heartbeat_secs, 49);
    static const struct damage newest = WORKER("able", newest_heartbeat_secs, 51);

    notice_tasks(*state, &ordinal, 1, TVD_DETAIL_QUEUE_BROKEN);
    notice_tasks(*state, &priority, 1, TVD_DETAIL_QUEUE_BROKEN);
    notice_tasks(*state, &created, 1, TVD_DETAIL_ACTIVE_LIST_BROKEN);
    notice_tasks(*state, &expiry, 1, TVD_DETAIL_LEASE_INDEX_BROKEN);
    notice_workers(*state, &heartbeat, 1, TVD_DETAIL_HEARTBEAT_LIST_BROKEN);
    notice_workers(*state, &newest, 1, TVD_DETAIL_SELECTION_INDEX_BROKEN);
}

static void ordinals_and_leases_that_were_not_given_yet(void **state)
{
    struct world *world = *state;
    const struct damage ordinal = TASK("queued-2", enqueue_ordinal, world->coordinator->next_enqueue_ordinal);
    const struct damage lease = TASK("running", lease_id, world->coordinator->next_lease_id);

    notice_tasks(world, &ordinal, 1, TVD_DETAIL_TASK_RECORD_BROKEN);
    notice_tasks(world, &lease, 1, TVD_DETAIL_WORKER_LEASES_BROKEN);
}

static void ordinals_and_leases_that_two_tasks_share(void **state)
{
    struct world *world = *state;
    const struct tvd_task_record *held = world_task_record(world, "held");
    struct tvd_task_record *leased = world_task_record(world, "leased");
    const struct damage ordinal =
        TASK("queued-2", enqueue_ordinal, world_task_record(world, "queued-1")->enqueue_ordinal);
    const struct damage of_one_worker = TASK("running", lease_id, leased->lease_id);
    uint64_t expires_at_secs = leased->lease_expires_at_secs;
    uint64_t lease_id = leased->lease_id;

    notice_tasks(world, &ordinal, 1, TVD_DETAIL_QUEUE_BROKEN);
    notice_tasks(world, &of_one_worker, 1, TVD_DETAIL_WORKER_LEASES_BROKEN);
    leased->lease_expires_at_secs = held->lease_expires_at_secs;
    leased->lease_id = held->lease_id;
    assert_broken(world, TVD_DETAIL_LEASE_INDEX_BROKEN);
    leased->lease_expires_at_secs = expires_at_secs;
    leased->lease_id = lease_id;
}

/* Its load grows over that of ranked-b, behind which it does not move. */
static void an_order_of_preference_that_the_loads_do_not_give(void **state)
{
    struct tvd_worker_record *worker = world_worker_record(*state, "ranked-a");

    worker->memory_basis_points = 30;
    worker->load_order = tvd_worker_load_order(worker);
    assert_broken(*state, TVD_DETAIL_SELECTION_INDEX_BROKEN);
    worker->memory_basis_points = 10;
    worker->load_order = tvd_worker_load_order(worker);
}

static void roots_and_heads_that_are_null(void **state)
{
    static const struct {
        struct damage damage;
        tvd_detail detail;
    } cases[] = {
        { COORDINATOR(tasks_by_id.root, 0), TVD_DETAIL_TASK_INDEX_BROKEN },
        { COORDINATOR(queues[TVD_TASK_PRIORITY_NORMAL - 1].head.next, 0), TVD_DETAIL_QUEUE_BROKEN },
        { COORDINATOR(queues[0].head.previous, 0), TVD_DETAIL_QUEUE_BROKEN },
        { COORDINATOR(active_tasks.head.next, 0), TVD_DETAIL_ACTIVE_LIST_BROKEN },
        { COORDINATOR(active_tasks.head.previous, 0), TVD_DETAIL_ACTIVE_LIST_BROKEN },
        { COORDINATOR(leases_by_expiry.root, 0), TVD_DETAIL_LEASE_INDEX_BROKEN },
        { COORDINATOR(workers_by_id.root, 0), TVD_DETAIL_WORKER_INDEX_BROKEN },
        { COORDINATOR(workers_by_heartbeat.head.next, 0), TVD_DETAIL_HEARTBEAT_LIST_BROKEN },
        { COORDINATOR(workers_by_preference.root, 0), TVD_DETAIL_SELECTION_INDEX_BROKEN },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        notice_coordinator(*state, &cases[i].damage, 1, cases[i].detail);
}

#define damage_test(function) cmocka_unit_test_setup_teardown(function, damaged_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        damage_test(bounds_that_do_not_hold),
        damage_test(counters_that_are_zero),
        damage_test(handles_that_do_not_add_up),
        damage_test(a_state_without_handles),
        damage_test(a_revision_below_the_number_of_records),
        damage_test(counts_that_disagree),
        damage_test(retained_bytes_that_the_records_do_not_give),
        damage_test(indexes_of_another_size),
        damage_test(task_identifiers_that_are_out_of_order_or_invalid),
        damage_test(a_hint_behind_the_last_record),
        damage_test(worker_identifiers_that_are_out_of_order_or_invalid),
        damage_test(task_records_that_contradict_themselves),
        damage_test(task_sizes_out_of_range),
        damage_test(proofs_that_do_not_follow_from_the_end),
        damage_test(task_times_that_contradict_each_other),
        damage_test(a_task_with_too_many_retries),
        damage_test(tasks_that_wait_and_have_started),
        damage_test(task_links_that_do_not_follow_from_the_status),
        damage_test(worker_records_that_contradict_themselves),
        damage_test(a_worker_with_loads_out_of_range),
        damage_test(a_worker_with_more_tasks_than_its_capacity),
        damage_test(leases_that_disagree_with_their_records),
        damage_test(orders_that_the_records_do_not_give),
        damage_test(ordinals_and_leases_that_were_not_given_yet),
        damage_test(ordinals_and_leases_that_two_tasks_share),
        damage_test(an_order_of_preference_that_the_loads_do_not_give),
        damage_test(roots_and_heads_that_are_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
