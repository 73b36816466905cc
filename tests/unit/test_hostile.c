/*
 * Calls that no careful host makes: each gets a typed error, and reads and writes nothing that it should not.
 */
#include "page.h"
#include "prng.h"
#include "stage.h"

#include <limits.h>
#include <string.h>

static size_t required_count(const struct function *function)
{
    size_t count = 0;

    while (function->required[count].detail != TVD_DETAIL_NONE)
        count++;
    return count;
}

static void refuse_nulls(const struct function *function, unsigned nulls)
{
    static struct stage stage;

    stage_open(&stage, function);
    for (size_t i = required_count(function); i-- > 0;) {
        if ((nulls >> i & 1) != 0)
            stage_nullify(&stage, &function->required[i]);
    }
    stage_refuse(&stage, function);
    stage_close(&stage);
}

static void every_set_of_null_pointers_is_answered_with_the_first_of_them(void **state)
{
    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        for (unsigned nulls = 1; nulls < 1u << required_count(function); nulls++)
            refuse_nulls(function, nulls);
    }
}

static void every_function_succeeds_with_the_arguments_that_the_others_spoil(void **state)
{
    static struct stage stage;

    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        stage_open(&stage, function);
        stage_accept(&stage, function);
        stage_close(&stage);
    }
}

#define ARGUMENT(member) offsetof(struct stage, arguments.member)
#define INPUT(member) offsetof(struct stage, inputs.member)

static bool is_required(const struct function *function, size_t offset)
{
    for (size_t i = 0; i < required_count(function); i++) {
        if (function->required[i].offset == offset)
            return true;
    }
    return false;
}

static void every_function_succeeds_without_what_may_be_null(void **state)
{
    static const size_t optional[] = {
        ARGUMENT(limits),     ARGUMENT(result_limits), ARGUMENT(after_id),     ARGUMENT(worker),
        ARGUMENT(task),       ARGUMENT(page_revision), ARGUMENT(expired),      ARGUMENT(start),
        ARGUMENT(completion), ARGUMENT(failure),       ARGUMENT(cancellation), ARGUMENT(summary),
        ARGUMENT(store),
    };
    static struct stage stage;

    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        stage_open(&stage, function);
        for (size_t i = 0; i < COUNT_OF(optional); i++) {
            if (!is_required(function, optional[i]))
                memset((char *)&stage + optional[i], 0, sizeof(void *));
        }
        stage_accept(&stage, function);
        stage_close(&stage);
    }
}

static struct page page;

static int open_page(void **state)
{
    (void)state;
    page_open(&page);
    return 0;
}

static int close_page(void **state)
{
    (void)state;
    page_close(&page);
    return 0;
}

/* Where each function takes an identifier, and what it says of one that is too long. */
struct identifier {
    const char *function_name;
    size_t offset; /* within struct stage */
    tvd_status status;
    tvd_detail detail;
};

#define TASK_ID TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID
#define WORKER_ID TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID

static const struct identifier identifiers[] = {
    { "worker_pool_register_worker", INPUT(worker_spec.worker_id), WORKER_ID },
    { "worker_pool_reactivate_worker", INPUT(worker_spec.worker_id), WORKER_ID },
    { "worker_pool_update_worker", ARGUMENT(worker_id), WORKER_ID },
    { "worker_pool_get_worker", ARGUMENT(worker_id), WORKER_ID },
    { "worker_pool_workers", ARGUMENT(after_id), WORKER_ID },
    { "worker_pool_assign_task", ARGUMENT(task_id), TASK_ID },
    { "worker_pool_assign_task", ARGUMENT(worker_id), WORKER_ID },
    { "worker_pool_assign_next", ARGUMENT(worker_id), WORKER_ID },
    { "worker_pool_deregister_worker", ARGUMENT(worker_id), WORKER_ID },
    { "task_queue_enqueue", INPUT(task_spec.task_id), TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_TOO_LONG },
    { "task_queue_enqueue", INPUT(task_spec.scan_id), TVD_ERROR_INVALID_TASK, TVD_DETAIL_SCAN_ID_TOO_LONG },
    { "task_queue_get_task", ARGUMENT(task_id), TASK_ID },
    { "task_queue_tasks", ARGUMENT(after_id), TASK_ID },
    { "result_aggregator_aggregate_results", INPUT(task_ids[0]), TASK_ID },
    { "result_aggregator_aggregate_results", INPUT(task_ids[1]), TASK_ID },
    { "result_aggregator_get_result", ARGUMENT(task_id), TASK_ID },
};

static void identifiers_without_an_end_are_too_long_and_read_no_further(void **state)
{
    static struct stage stage;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(identifiers); i++) {
        const struct function *function = function_named(identifiers[i].function_name);
        const char *endless = page_put_run(&page, 'a', TVD_MAX_IDENTIFIER_BYTES + 1);

        stage_open(&stage, function);
        memcpy((char *)&stage + identifiers[i].offset, &endless, sizeof endless);
        expect_detail(&stage, identifiers[i].status, identifiers[i].detail);
        stage_refuse(&stage, function);
        stage_close(&stage);
    }
}

/* They end with the page, where one byte more would be too many. */
static void the_bytes_of_a_spec_are_read_no_further_than_their_size(void **state)
{
    const struct function *function = function_named("task_queue_enqueue");
    static struct stage stage;
    struct page others[3];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        page_open(&others[i]);
    stage_open(&stage, function);
    stage.inputs.task_spec.task_id = page_put(&page, "t", sizeof "t");
    stage.inputs.task_spec.scan_id = page_put(&others[0], "s", sizeof "s");
    stage.inputs.task_spec.target_ref = page_put_run(&others[1], 'r', TVD_MAX_TARGET_REF_BYTES);
    stage.inputs.task_spec.target_ref_size = TVD_MAX_TARGET_REF_BYTES;
    stage.inputs.task_spec.phases = (const uint8_t *)page_put_run(&others[2], 7, TVD_MAX_PHASES);
    stage.inputs.task_spec.phases_count = TVD_MAX_PHASES;
    stage_accept(&stage, function);
    assert_int_equal(world_task(&stage.world, "t").target_ref[TVD_MAX_TARGET_REF_BYTES - 1], 'r');
    assert_int_equal(world_task(&stage.world, "t").phases[TVD_MAX_PHASES - 1], 7);
    stage_close(&stage);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        page_close(&others[i]);
}

static void the_bytes_of_a_result_are_read_no_further_than_their_size(void **state)
{
    const struct function *function = function_named("result_aggregator_store_result");
    static struct stage stage;

    (void)state;
    stage_open(&stage, function);
    stage.arguments.bytes = page_put(&page, "12345678", 8);
    stage.arguments.size = 8;
    stage_accept(&stage, function);
    stage_close(&stage);
}

static void a_page_of_a_listing_is_written_no_further_than_its_capacity(void **state)
{
    static struct stage stage;
    const struct function *tasks = function_named("task_queue_tasks");
    const struct function *workers = function_named("worker_pool_workers");

    (void)state;
    stage_open(&stage, tasks);
    stage.arguments.after_id = NULL;
    stage.arguments.capacity = 1;
    stage.arguments.tasks = (void *)page_put_run(&page, 0, sizeof(tvd_task));
    stage_accept(&stage, tasks);
    assert_int_equal(stage.outputs.count, 1);
    assert_string_equal(stage.arguments.tasks[0].task_id, "cancelled");
    stage.arguments.workers = (void *)page_put_run(&page, 0, sizeof(tvd_worker));
    stage_accept(&stage, workers);
    assert_int_equal(stage.outputs.count, 1);
    assert_string_equal(stage.arguments.workers[0].worker_id, "able");
    stage_close(&stage);
}

static void refuse_size(const char *function_name, size_t offset, size_t size, const tvd_error *expected)
{
    static struct stage stage;
    const struct function *function = function_named(function_name);

    stage_open(&stage, function);
    memcpy((char *)&stage + offset, &size, sizeof size);
    stage.expected = *expected;
    stage_refuse(&stage, function);
    stage_close(&stage);
}

static void sizes_near_the_largest_are_refused(void **state)
{
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, SIZE_MAX - 600 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const tvd_error target = { .status = TVD_ERROR_INVALID_TASK, .detail = TVD_DETAIL_TARGET_REF_TOO_LONG };
        const tvd_error phases = { .status = TVD_ERROR_INVALID_TASK, .detail = TVD_DETAIL_PHASES_TOO_MANY };
        const tvd_error result = { .status = TVD_ERROR_RESULT_TOO_LARGE, .actual = sizes[i], .limit = 8 };
        const tvd_error items = { .status = TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED,
                                  .actual = sizes[i],
                                  .limit = TVD_MAX_AGGREGATE_ITEMS };

        refuse_size("task_queue_enqueue", INPUT(task_spec.target_ref_size), sizes[i], &target);
        refuse_size("task_queue_enqueue", INPUT(task_spec.phases_count), sizes[i], &phases);
        refuse_size("result_aggregator_store_result", ARGUMENT(size), sizes[i], &result);
        refuse_size("result_aggregator_aggregate_results", ARGUMENT(task_ids_count), sizes[i], &items);
    }
}

static void a_listing_into_boundless_capacity_writes_what_there_is(void **state)
{
    static tvd_task tasks[DUMP_MOST_TASKS];
    static tvd_worker workers[DUMP_MOST_WORKERS];
    static struct stage stage;
    const struct function *function = function_named("task_queue_tasks");

    (void)state;
    stage_open(&stage, function);
    stage.arguments.after_id = NULL;
    stage.arguments.tasks = tasks;
    stage.arguments.workers = workers;
    stage.arguments.capacity = SIZE_MAX;
    stage_accept(&stage, function);
    assert_int_equal(stage.outputs.count, 11);
    stage_accept(&stage, function_named("worker_pool_workers"));
    assert_int_equal(stage.outputs.count, 5);
    stage_close(&stage);
}

static void unknown_enumerators_are_refused(void **state)
{
    static const int values[] = { -1, 5, 255, 256, INT_MAX, INT_MIN };
    static struct stage stage;
    const struct function *enqueue = function_named("task_queue_enqueue");
    const struct function *update = function_named("worker_pool_update_worker");
    const struct function *cancel = function_named("worker_pool_cancel_task");

    (void)state;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        stage_open(&stage, enqueue);
        memcpy(&stage.inputs.task_spec.priority, &values[i], sizeof values[i]);
        memcpy(&stage.inputs.observation.status, &values[i], sizeof values[i]);
        stage.inputs.ownership.private_kind = (uint64_t)values[i];
        expect_detail(&stage, TVD_ERROR_INVALID_TASK, TVD_DETAIL_PRIORITY_INVALID);
        stage_refuse(&stage, enqueue);
        expect_detail(&stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_STATUS_INVALID);
        stage_refuse(&stage, update);
        expect_detail(&stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_OWNERSHIP);
        stage_refuse(&stage, cancel);
        stage_close(&stage);
    }
}

/* Random all over, or a true token with some bytes of it changed. */
static void garble(struct prng *prng, void *token, size_t size)
{
    unsigned char *bytes = token;

    if (prng_below(prng, 4) == 0) {
        prng_fill(prng, token, size);
        return;
    }
    for (uint64_t changes = 1 + prng_below(prng, 3); changes > 0; changes--)
        bytes[prng_below(prng, size)] ^= (unsigned char)(1 + prng_below(prng, 255));
}

/* Whether nothing that counts was changed: not the hint, and not what stands behind an identifier's end. */
static bool same_lease(const tvd_task_lease *one, const tvd_task_lease *other)
{
    return memcmp(one, other, offsetof(tvd_task_lease, private_hint)) == 0 &&
           strcmp(tvd_task_lease_task_id(one), tvd_task_lease_task_id(other)) == 0 &&
           strcmp(tvd_task_lease_worker_id(one), tvd_task_lease_worker_id(other)) == 0;
}

static bool same_ownership(const tvd_task_ownership *one, const tvd_task_ownership *other)
{
    const tvd_queued_task_fence *fence = tvd_task_ownership_fence(one);

    if (tvd_task_ownership_kind(one) != tvd_task_ownership_kind(other))
        return false;
    if (fence == NULL)
        return same_lease(tvd_task_ownership_lease(one), tvd_task_ownership_lease(other));
    return memcmp(fence, tvd_task_ownership_fence(other), offsetof(tvd_queued_task_fence, private_hint)) == 0 &&
           strcmp(tvd_queued_task_fence_task_id(fence),
                  tvd_queued_task_fence_task_id(tvd_task_ownership_fence(other))) == 0;
}

/* The two members that a receipt does not have are of no account when a completion is replayed. */
static bool replays_completion(const tvd_task_lease *garbled, const tvd_task_lease *completed)
{
    tvd_task_lease lease = *garbled;

    lease.private_acquired_at_secs = completed->private_acquired_at_secs;
    lease.private_expires_at_secs = completed->private_expires_at_secs;
    return same_lease(&lease, completed);
}

static void assert_owns_nothing(tvd_status status)
{
    assert_true(status == TVD_ERROR_TASK_NOT_FOUND || status == TVD_ERROR_STALE_OWNERSHIP);
}

static void refuse_garbled_lease(struct world *world, struct prng *prng, const tvd_task_lease *original)
{
    tvd_task_lease lease = *original;

    garble(prng, &lease, sizeof lease);
    if (same_lease(&lease, original))
        return;
    assert_owns_nothing(tvd_worker_pool_start_task(world->pool, &world->at, &lease, NULL, NULL));
    assert_owns_nothing(tvd_worker_pool_fail_task(world->pool, &world->at, &lease, NULL, NULL));
    if (!replays_completion(&lease, original))
        assert_owns_nothing(tvd_worker_pool_complete_task(world->pool, &world->at, &lease, NULL, NULL));
}

static void refuse_garbled_ownership(struct world *world, struct prng *prng, const tvd_task_ownership *original)
{
    tvd_task_ownership ownership = *original;
    tvd_status status;

    garble(prng, &ownership, sizeof ownership);
    if (same_ownership(&ownership, original))
        return;
    status = tvd_worker_pool_cancel_task(world->pool, &world->at, &ownership, NULL, NULL);
    if (tvd_task_ownership_kind(&ownership) == TVD_OWNERSHIP_NONE)
        assert_int_equal(status, TVD_ERROR_INVALID_ARGUMENT);
    else
        assert_owns_nothing(status);
}

static void tokens_of_random_bytes_own_nothing(void **state)
{
    static struct stage stage;
    static struct dump before;
    static struct dump after;
    struct prng prng = { 0x5eed1 };

    (void)state;
    stage_open(&stage, function_named("worker_pool_start_task"));
    dump_take(&stage.world, &before);
    for (int i = 0; i < 5000; i++) {
        refuse_garbled_lease(&stage.world, &prng, &stage.cast.running);
        refuse_garbled_lease(&stage.world, &prng, &stage.cast.completed);
        refuse_garbled_lease(&stage.world, &prng, &stage.cast.failed);
        refuse_garbled_ownership(&stage.world, &prng, &stage.cast.owned);
        refuse_garbled_ownership(&stage.world, &prng, &stage.cast.queued);
        refuse_garbled_ownership(&stage.world, &prng, &stage.cast.cancelled);
    }
    dump_take(&stage.world, &after);
    dump_assert_same(&before, &after);
    stage_close(&stage);
}

/* The store is full, so that even a receipt that happens to be well-formed stores nothing. */
static void receipts_of_random_bytes_store_nothing(void **state)
{
    static struct stage stage;
    struct prng prng = { 0x5eed2 };
    struct world *world = &stage.world;
    tvd_completion_receipt receipt;

    (void)state;
    stage_open(&stage, function_named("result_aggregator_store_result"));
    world_store(world, &stage.cast.completed_receipt, "1");
    receipt = stage.cast.completed_receipt;
    receipt.private_task_id[0] = 'C';
    world_store(world, &receipt, "2");
    for (int i = 0; i < 5000; i++) {
        tvd_status status;

        receipt = stage.cast.stored_receipt;
        garble(&prng, &receipt, sizeof receipt);
        status = tvd_result_aggregator_store_result(world->results, &world->results_revision, &receipt, "x", 1,
                                                    NULL, NULL);
        assert_true(status == TVD_ERROR_INVALID_ARGUMENT || status == TVD_ERROR_MISMATCHED_RESULT_RECEIPT ||
                    status == TVD_ERROR_CONFLICTING_RESULT || status == TVD_ERROR_RESULT_CAPACITY_REACHED);
    }
    assert_int_equal(tvd_result_aggregator_revision(world->results), 4);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_succeeds_with_the_arguments_that_the_others_spoil),
        cmocka_unit_test(every_function_succeeds_without_what_may_be_null),
        cmocka_unit_test(every_set_of_null_pointers_is_answered_with_the_first_of_them),
        cmocka_unit_test(identifiers_without_an_end_are_too_long_and_read_no_further),
        cmocka_unit_test(the_bytes_of_a_spec_are_read_no_further_than_their_size),
        cmocka_unit_test(the_bytes_of_a_result_are_read_no_further_than_their_size),
        cmocka_unit_test(a_page_of_a_listing_is_written_no_further_than_its_capacity),
        cmocka_unit_test(sizes_near_the_largest_are_refused),
        cmocka_unit_test(a_listing_into_boundless_capacity_writes_what_there_is),
        cmocka_unit_test(unknown_enumerators_are_refused),
        cmocka_unit_test(tokens_of_random_bytes_own_nothing),
        cmocka_unit_test(receipts_of_random_bytes_store_nothing),
    };

    return cmocka_run_group_tests(tests, open_page, close_page);
}
