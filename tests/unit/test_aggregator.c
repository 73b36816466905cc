/*
 * Results: stored by receipt, copied out one by one or together. The stage has two of them, "empty" (no bytes) and
 * "stored" ("abc"), under revision 2.
 */
#include "stage.h"

#include <string.h>

static struct stage *const stage = &shared_stage;
static struct world *world = &shared_stage.world;

static tvd_status store(const tvd_completion_receipt *receipt, const void *bytes, size_t size,
                        tvd_store_outcome *outcome)
{
    return tvd_result_aggregator_store_result(world->results, &world->results_revision, receipt, bytes, size,
                                              outcome, &world->error);
}

static void assert_totals(uint64_t revision, uint64_t results, uint64_t bytes)
{
    assert_int_equal(world->results_revision, revision);
    assert_int_equal(tvd_result_aggregator_revision(world->results), revision);
    assert_int_equal(tvd_result_aggregator_result_count(world->results), results);
    assert_int_equal(tvd_result_aggregator_total_bytes(world->results), bytes);
}

static void assert_result(const char *task_id, const void *bytes, size_t size)
{
    tvd_result *result;

    assert_ok(tvd_result_aggregator_get_result(world->results, task_id, &result, NULL));
    assert_non_null(result);
    assert_int_equal(tvd_result_size(result), size);
    assert_non_null(tvd_result_bytes(result));
    assert_memory_equal(tvd_result_bytes(result), bytes, size);
    tvd_result_free(result);
}

static void store_result_keeps_a_copy(void **state)
{
    char bytes[] = { '\0', 'x', '\xff' };
    tvd_store_outcome outcome;

    (void)state;
    assert_ok(store(&stage->cast.completed_receipt, bytes, sizeof bytes, &outcome));
    assert_int_equal(outcome, TVD_STORED);
    assert_totals(3, 3, 6);
    bytes[1] = 'y';
    assert_result("completed", "\0x\xff", 3);
}

static void no_bytes_are_a_result(void **state)
{
    (void)state;
    assert_result("empty", "", 0);
    assert_ok(store(&stage->cast.completed_receipt, NULL, 0, NULL));
    assert_result("completed", "", 0);
}

static void store_result_again_is_already_stored(void **state)
{
    tvd_store_outcome outcome;

    (void)state;
    assert_ok(store(&stage->cast.stored_receipt, "abc", 3, &outcome));
    assert_int_equal(outcome, TVD_ALREADY_STORED);
    assert_ok(store(&stage->cast.empty_receipt, NULL, 0, &outcome));
    assert_int_equal(outcome, TVD_ALREADY_STORED);
    assert_totals(2, 2, 3);
}

/* Other in length, or in a byte; one byte more than nothing. */
static void store_result_of_other_bytes_conflicts(void **state)
{
    (void)state;
    assert_int_equal(store(&stage->cast.stored_receipt, "abcd", 4, NULL), TVD_ERROR_CONFLICTING_RESULT);
    assert_int_equal(store(&stage->cast.stored_receipt, "ab", 2, NULL), TVD_ERROR_CONFLICTING_RESULT);
    assert_int_equal(store(&stage->cast.stored_receipt, "abC", 3, NULL), TVD_ERROR_CONFLICTING_RESULT);
    assert_int_equal(store(&stage->cast.stored_receipt, NULL, 0, NULL), TVD_ERROR_CONFLICTING_RESULT);
    assert_int_equal(store(&stage->cast.empty_receipt, "a", 1, NULL), TVD_ERROR_CONFLICTING_RESULT);
    assert_totals(2, 2, 3);
}

static void each_part_of_a_receipt_tells_it_from_another(void **state)
{
    tvd_completion_receipt others[6];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        others[i] = stage->cast.stored_receipt;
    others[0].private_task_generation += 1;
    others[1].private_lease_id += 1;
    others[2].private_worker_generation += 1;
    others[3].private_record_version += 1;
    others[4].private_attempt += 1;
    others[5].private_worker_id[0] = 'A';
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        assert_int_equal(store(&others[i], "abc", 3, NULL), TVD_ERROR_MISMATCHED_RESULT_RECEIPT);
        assert_string_equal(world->error.identifier, "stored");
    }
}

static void results_fit_up_to_each_bound(void **state)
{
    tvd_completion_receipt receipt = stage->cast.completed_receipt;

    (void)state;
    assert_ok(store(&receipt, "12345678", 8, NULL)); /* the largest */
    receipt.private_task_id[0] = 'd';
    assert_int_equal(store(&receipt, "123456", 6, NULL), TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED);
    assert_int_equal(world->error.actual, 17);
    assert_ok(store(&receipt, "12345", 5, NULL)); /* the last byte, and the last result */
    assert_totals(4, 4, 16);
    receipt.private_task_id[0] = 'e';
    assert_int_equal(store(&receipt, "", 0, NULL), TVD_ERROR_RESULT_CAPACITY_REACHED);
    assert_int_equal(world->error.limit, 4);
}

static void get_result_of_an_unknown_task_is_null(void **state)
{
    tvd_result *result = (tvd_result *)stage;

    (void)state;
    assert_ok(tvd_result_aggregator_get_result(world->results, "completed", &result, NULL));
    assert_null(result);
}

static void an_aggregate_is_in_the_order_asked_for(void **state)
{
    static const char *const task_ids[] = { "stored", "completed", "empty" };
    static const char *const texts[] = { "abc", "xy", "" };
    tvd_aggregate *aggregate;

    (void)state;
    assert_ok(store(&stage->cast.completed_receipt, "xy", 2, NULL));
    assert_ok(tvd_result_aggregator_aggregate_results(world->results, task_ids, 3, &aggregate, NULL));
    assert_int_equal(tvd_aggregate_count(aggregate), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(tvd_aggregate_task_id(aggregate, i), task_ids[i]);
        assert_int_equal(tvd_aggregate_size(aggregate, i), strlen(texts[i]));
        assert_non_null(tvd_aggregate_bytes(aggregate, i));
        assert_memory_equal(tvd_aggregate_bytes(aggregate, i), texts[i], strlen(texts[i]));
    }
    assert_string_equal(tvd_aggregate_task_id(aggregate, 3), "");
    assert_int_equal(tvd_aggregate_size(aggregate, 3), 0);
    assert_null(tvd_aggregate_bytes(aggregate, SIZE_MAX));
    tvd_aggregate_free(aggregate);
}

static void an_empty_request_gives_an_empty_aggregate(void **state)
{
    tvd_aggregate *aggregate = NULL;

    (void)state;
    assert_ok(tvd_result_aggregator_aggregate_results(world->results, NULL, 0, &aggregate, NULL));
    assert_non_null(aggregate);
    assert_int_equal(tvd_aggregate_count(aggregate), 0);
    assert_string_equal(tvd_aggregate_task_id(aggregate, 0), "");
    tvd_aggregate_free(aggregate);
}

/* A request that was refused does not make the next one's IDs look repeated. */
static void the_same_task_may_be_asked_for_in_each_request(void **state)
{
    static const char *const with_missing[] = { "stored", "completed" };
    tvd_aggregate *aggregate;

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            tvd_result_aggregator_aggregate_results(world->results, with_missing, 2, &aggregate, &world->error),
            TVD_ERROR_MISSING_RESULT);
        assert_ok(tvd_result_aggregator_aggregate_results(world->results, with_missing, 1, &aggregate, NULL));
        tvd_aggregate_free(aggregate);
    }
}

static void an_aggregate_may_have_as_many_bytes_as_its_bound(void **state)
{
    static const char *const task_ids[] = { "completed", "dompleted", "empty" };
    tvd_completion_receipt receipt = stage->cast.completed_receipt;
    tvd_aggregate *aggregate;

    (void)state;
    assert_ok(store(&receipt, "1234567", 7, NULL));
    receipt.private_task_id[0] = 'd';
    assert_ok(store(&receipt, "12345", 5, NULL));
    assert_ok(tvd_result_aggregator_aggregate_results(world->results, task_ids, 3, &aggregate, NULL));
    tvd_aggregate_free(aggregate);
}

static void copies_outlive_the_aggregator(void **state)
{
    static const char *const task_ids[] = { "empty", "stored" };
    tvd_aggregate *aggregate;
    tvd_result *result;
    struct stage other;

    (void)state;
    stage_open(&other, function_named("result_aggregator_store_result"));
    assert_ok(tvd_result_aggregator_get_result(other.world.results, "stored", &result, NULL));
    assert_ok(tvd_result_aggregator_aggregate_results(other.world.results, task_ids, 2, &aggregate, NULL));
    tvd_result_aggregator_release(other.world.results);
    assert_memory_equal(tvd_result_bytes(result), "abc", 3);
    assert_string_equal(tvd_aggregate_task_id(aggregate, 0), "empty");
    assert_string_equal(tvd_aggregate_task_id(aggregate, 1), "stored");
    assert_memory_equal(tvd_aggregate_bytes(aggregate, 1), "abc", 3);
    tvd_result_free(result);
    tvd_aggregate_free(aggregate);
    tvd_task_queue_release(other.world.queue);
    tvd_worker_pool_release(other.world.pool);
    test_memory_assert_balanced(&other.world.memory);
}

static void getters_of_null_answer_nothing(void **state)
{
    (void)state;
    assert_null(tvd_result_bytes(NULL));
    assert_int_equal(tvd_result_size(NULL), 0);
    assert_int_equal(tvd_aggregate_count(NULL), 0);
    assert_string_equal(tvd_aggregate_task_id(NULL, 0), "");
    assert_null(tvd_aggregate_bytes(NULL, 0));
    assert_int_equal(tvd_aggregate_size(NULL, 0), 0);
    tvd_result_free(NULL);
    tvd_aggregate_free(NULL);
    assert_int_equal(tvd_result_aggregator_revision(NULL), 0);
    assert_int_equal(tvd_result_aggregator_result_count(NULL), 0);
    assert_int_equal(tvd_result_aggregator_total_bytes(NULL), 0);
}

/* Bounded once by the bytes of all, and once by as many results as there may be, each as large as it may be. */
static void max_retained_bytes_counts_no_byte_that_cannot_be_stored(void **state)
{
    tvd_result_limits limits = { 2, 10, 100, 1, 1 };
    const uint64_t bounded_by_results = tvd_result_limits_max_retained_bytes(&limits);

    (void)state;
    limits.max_total_bytes = 20;
    assert_int_equal(tvd_result_limits_max_retained_bytes(&limits), bounded_by_results);
    limits.max_total_bytes = 19;
    assert_int_equal(tvd_result_limits_max_retained_bytes(&limits), bounded_by_results - 1);
    limits.max_total_bytes = 0;
    assert_int_equal(tvd_result_limits_max_retained_bytes(&limits), 0);
    assert_true(tvd_result_limits_max_retained_bytes(NULL) > 16 * 1024 * 1024);
}

/* To the byte: the store is full of the largest results of the longest identifiers. */
static void max_retained_bytes_is_what_the_fullest_store_takes(void **state)
{
    const tvd_result_limits limits = { 2, 8, 16, 1, 1 };
    tvd_completion_receipt receipt = stage->cast.completed_receipt;
    tvd_result_aggregator *results;
    uint64_t revision = 0;

    (void)state;
    memset(receipt.private_task_id, 't', TVD_MAX_IDENTIFIER_BYTES);
    memset(receipt.private_worker_id, 'w', TVD_MAX_IDENTIFIER_BYTES);
    assert_ok(tvd_result_aggregator_create(&limits, &world->memory.allocator, &results, NULL));
    for (uint64_t i = 0; i < limits.max_results; i++) {
        receipt.private_task_id[0] = (char)('a' + (char)i);
        assert_ok(tvd_result_aggregator_store_result(results, &revision, &receipt, "12345678", 8, NULL, NULL));
    }
    assert_int_equal(tvd_result_aggregator_retained_bytes(results),
                     tvd_result_limits_max_retained_bytes(&limits));
    tvd_result_aggregator_release(results);
}

#define results_test(function)                                                                                 \
    cmocka_unit_test_setup_teardown(function, shared_stage_setup, shared_stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        results_test(store_result_keeps_a_copy),
        results_test(no_bytes_are_a_result),
        results_test(store_result_again_is_already_stored),
        results_test(store_result_of_other_bytes_conflicts),
        results_test(each_part_of_a_receipt_tells_it_from_another),
        results_test(results_fit_up_to_each_bound),
        results_test(get_result_of_an_unknown_task_is_null),
        results_test(an_aggregate_is_in_the_order_asked_for),
        results_test(an_empty_request_gives_an_empty_aggregate),
        results_test(the_same_task_may_be_asked_for_in_each_request),
        results_test(an_aggregate_may_have_as_many_bytes_as_its_bound),
        results_test(copies_outlive_the_aggregator),
        results_test(getters_of_null_answer_nothing),
        results_test(max_retained_bytes_counts_no_byte_that_cannot_be_stored),
        results_test(max_retained_bytes_is_what_the_fullest_store_takes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
