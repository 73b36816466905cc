/*
 * Every error that the header lists for results, for creation and for limits, in its order.
 */
#include "faults.h"

#include <string.h>

static void receipt_without_task(struct stage *stage)
{
    memset(stage->inputs.receipt.private_task_id, 0, sizeof stage->inputs.receipt.private_task_id);
    expect_detail(stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_RECEIPT);
}

static void receipt_with_unsafe_worker(struct stage *stage)
{
    stage->inputs.receipt.private_worker_id[0] = '%';
    expect_detail(stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_RECEIPT);
}

static void results_revision_conflict(struct stage *stage)
{
    stage->inputs.receipt = stage->cast.completed_receipt;
    stage->inputs.revision = 1;
    expect_conflict(stage, TVD_ERROR_REVISION_CONFLICT, 1, 2);
}

static void other_bytes_stored(struct stage *stage)
{
    stage->inputs.receipt = stage->cast.stored_receipt;
    stage->arguments.bytes = "abd";
    expect_identifier(stage, TVD_ERROR_CONFLICTING_RESULT, "stored");
}

static void other_receipt_stored(struct stage *stage)
{
    stage->inputs.receipt = stage->cast.stored_receipt;
    stage->inputs.receipt.private_lease_id += 1;
    expect_identifier(stage, TVD_ERROR_MISMATCHED_RESULT_RECEIPT, "stored");
}

static void result_too_large(struct stage *stage)
{
    stage->arguments.size = 9;
    expect_excess(stage, TVD_ERROR_RESULT_TOO_LARGE, TVD_DETAIL_NONE, 9, 8);
}

static void store_for(struct stage *stage, const char *task_id, const char *text)
{
    tvd_completion_receipt receipt = stage->cast.completed_receipt;

    memset(receipt.private_task_id, 0, sizeof receipt.private_task_id);
    memcpy(receipt.private_task_id, task_id, strlen(task_id));
    test_memory_stop_failing(&stage->world.memory);
    stage->world.results_revision = tvd_result_aggregator_revision(stage->world.results);
    world_store(&stage->world, &receipt, text);
    stage->inputs.revision = stage->world.results_revision;
}

static void results_full(struct stage *stage)
{
    store_for(stage, "one", "");
    store_for(stage, "another", "");
    expect_limit(stage, TVD_ERROR_RESULT_CAPACITY_REACHED, 4);
}

static void total_bytes_exceeded(struct stage *stage)
{
    store_for(stage, "one", "12345678");
    stage->arguments.bytes = "abcdef";
    stage->arguments.size = 6;
    expect_excess(stage, TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED, TVD_DETAIL_NONE, 3 + 8 + 6, 16);
}

/* In several walks, since the store cannot be in all these states at once. */
static void store_result_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        receipt_without_task,
        receipt_with_unsafe_worker,
        results_revision_conflict,
        NULL,
    };
    static fault *const occupied[] = {
        results_revision_conflict, other_receipt_stored, other_bytes_stored, result_too_large, NULL,
    };
    static fault *const no_room[] = { result_too_large, results_full, no_memory, NULL };
    static fault *const no_bytes[] = { result_too_large, total_bytes_exceeded, NULL };

    (void)state;
    walk_faults("result_aggregator_store_result", faults);
    walk_faults("result_aggregator_store_result", occupied);
    walk_faults("result_aggregator_store_result", no_room);
    walk_faults("result_aggregator_store_result", no_bytes);
}

/* As short as can be: one byte, or one identifier. */
static void a_single_input_that_is_null_is_refused(void **state)
{
    static struct stage stage;

    (void)state;
    stage_open(&stage, function_named("result_aggregator_store_result"));
    stage.arguments.bytes = NULL;
    stage.arguments.size = 1;
    expect_detail(&stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_BYTES);
    stage_refuse(&stage, function_named("result_aggregator_store_result"));
    stage.arguments.task_ids = NULL;
    stage.arguments.task_ids_count = 1;
    expect_detail(&stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_TASK_IDS);
    stage_refuse(&stage, function_named("result_aggregator_aggregate_results"));
    stage_close(&stage);
}

static void items_over_absolute_maximum(struct stage *stage)
{
    stage->arguments.task_ids_count = TVD_MAX_AGGREGATE_ITEMS + 1;
    expect_excess(stage, TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, TVD_DETAIL_NONE, TVD_MAX_AGGREGATE_ITEMS + 1,
                  TVD_MAX_AGGREGATE_ITEMS);
}

static void items_at_absolute_maximum_over_limit(struct stage *stage)
{
    stage->arguments.task_ids_count = TVD_MAX_AGGREGATE_ITEMS;
    expect_excess(stage, TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, TVD_DETAIL_NONE, TVD_MAX_AGGREGATE_ITEMS, 3);
}

static void items_over_limit(struct stage *stage)
{
    stage->arguments.task_ids_count = 4;
    expect_excess(stage, TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, TVD_DETAIL_NONE, 4, 3);
}

static void ask_for(struct stage *stage, const char *one, const char *two, const char *three)
{
    stage->arguments.task_ids_count = 3;
    stage->inputs.task_ids[0] = one;
    stage->inputs.task_ids[1] = two;
    stage->inputs.task_ids[2] = three;
}

static void an_id_null(struct stage *stage)
{
    ask_for(stage, "stored", "stored", NULL);
    expect_detail(stage, TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
}

static void an_id_invalid(struct stage *stage)
{
    ask_for(stage, "missing", "stored", "~");
    expect_detail(stage, TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
}

static void an_id_twice(struct stage *stage)
{
    ask_for(stage, "stored", "stored", "missing");
    expect_identifier(stage, TVD_ERROR_DUPLICATE_AGGREGATE_TASK, "stored");
}

static void a_result_missing(struct stage *stage)
{
    ask_for(stage, "stored", "completed", "stored");
    expect_identifier(stage, TVD_ERROR_MISSING_RESULT, "completed");
}

static void aggregate_bytes_exceeded(struct stage *stage)
{
    store_for(stage, "one", "12345");
    store_for(stage, "two", "67890");
    ask_for(stage, "one", "two", "stored");
    expect_excess(stage, TVD_ERROR_AGGREGATE_BYTES_EXCEEDED, TVD_DETAIL_NONE, 5 + 5 + 3, 12);
}

static void aggregate_results_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        items_over_absolute_maximum,
        items_at_absolute_maximum_over_limit,
        items_over_limit,
        an_id_null,
        an_id_invalid,
        an_id_twice,
        a_result_missing,
        aggregate_bytes_exceeded,
        no_memory,
        NULL,
    };

    (void)state;
    walk_faults("result_aggregator_aggregate_results", faults);
}

static void get_result_answers_each_error_in_order(void **state)
{
    (void)state;
    walk_faults("result_aggregator_get_result", (fault *const[]){ task_id_invalid, no_memory, NULL });
}

static void records_zero(struct stage *stage)
{
    stage->inputs.limits.max_task_records = 0;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_MAX_TASK_RECORDS);
}

static void workers_zero(struct stage *stage)
{
    stage->inputs.limits.max_workers = 0;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_MAX_WORKERS);
}

static void queued_over_maximum(struct stage *stage)
{
    stage->inputs.limits.max_queued_tasks = UINT64_MAX;
    expect_excess(stage, TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM, TVD_DETAIL_MAX_QUEUED_TASKS, UINT64_MAX,
                  TVD_MAX_QUEUED_TASKS);
}

static void lease_ttl_over_maximum(struct stage *stage)
{
    stage->inputs.limits.max_lease_ttl_secs = TVD_MAX_LEASE_TTL_SECS + 1;
    expect_excess(stage, TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM, TVD_DETAIL_MAX_LEASE_TTL_SECS,
                  TVD_MAX_LEASE_TTL_SECS + 1, TVD_MAX_LEASE_TTL_SECS);
}

static void retries_over_maximum(struct stage *stage)
{
    stage->inputs.limits.max_retries = TVD_MAX_RETRIES + 1;
    expect_excess(stage, TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM, TVD_DETAIL_NONE, TVD_MAX_RETRIES + 1,
                  TVD_MAX_RETRIES);
}

static void heartbeat_timeout_zero(struct stage *stage)
{
    stage->inputs.limits.heartbeat_timeout_secs = 0;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_HEARTBEAT_TIMEOUT_SECS);
}

static void contradict(struct stage *stage, uint64_t *limit, uint64_t value, tvd_detail detail)
{
    *limit = value;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP, detail);
}

static void active_exceeds_records(struct stage *stage)
{
    contradict(stage, &stage->inputs.limits.max_active_tasks, 15,
               TVD_DETAIL_MAX_ACTIVE_TASKS_EXCEEDS_MAX_TASK_RECORDS);
}

static void queued_exceeds_active(struct stage *stage)
{
    contradict(stage, &stage->inputs.limits.max_queued_tasks, 9,
               TVD_DETAIL_MAX_QUEUED_TASKS_EXCEEDS_MAX_ACTIVE_TASKS);
}

static void terminal_exceeds_records(struct stage *stage)
{
    contradict(stage, &stage->inputs.limits.max_terminal_tasks, 15,
               TVD_DETAIL_MAX_TERMINAL_TASKS_EXCEEDS_MAX_TASK_RECORDS);
}

static void terminal_below_active(struct stage *stage)
{
    contradict(stage, &stage->inputs.limits.max_terminal_tasks, 7,
               TVD_DETAIL_MAX_TERMINAL_TASKS_BELOW_MAX_ACTIVE_TASKS);
}

static void creation_of_both_handles_answers_each_error_in_order(void **state)
{
    static fault *const validation[] = {
        records_zero,         workers_zero,           queued_over_maximum,    lease_ttl_over_maximum,
        retries_over_maximum, heartbeat_timeout_zero, active_exceeds_records, NULL,
    };
    static fault *const relations[] = { queued_exceeds_active, terminal_exceeds_records, no_memory, NULL };
    static fault *const last_relation[] = { queued_exceeds_active, terminal_below_active, no_memory, NULL };
    static const char *const names[] = { "worker_pool_create", "task_queue_create" };

    (void)state;
    walk_faults("limits_validate", validation);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        walk_faults(names[i], validation);
        walk_faults(names[i], relations);
        walk_faults(names[i], last_relation);
    }
}

static void results_zero(struct stage *stage)
{
    stage->inputs.result_limits.max_results = 0;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_MAX_RESULTS);
}

static void aggregate_bytes_over_maximum(struct stage *stage)
{
    stage->inputs.result_limits.max_aggregate_bytes = TVD_MAX_AGGREGATE_BYTES + 1;
    expect_excess(stage, TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM, TVD_DETAIL_MAX_AGGREGATE_BYTES,
                  TVD_MAX_AGGREGATE_BYTES + 1, TVD_MAX_AGGREGATE_BYTES);
}

static void one_result_exceeds_all(struct stage *stage)
{
    contradict(stage, &stage->inputs.result_limits.max_total_bytes, 1,
               TVD_DETAIL_MAX_RESULT_BYTES_EXCEEDS_MAX_TOTAL_BYTES);
}

static void creation_of_an_aggregator_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        results_zero, aggregate_bytes_over_maximum, one_result_exceeds_all, no_memory, NULL,
    };

    (void)state;
    walk_faults("result_limits_validate",
                (fault *const[]){ results_zero, aggregate_bytes_over_maximum, one_result_exceeds_all, NULL });
    walk_faults("result_aggregator_create", faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_result_answers_each_error_in_order),
        cmocka_unit_test(a_single_input_that_is_null_is_refused),
        cmocka_unit_test(aggregate_results_answers_each_error_in_order),
        cmocka_unit_test(get_result_answers_each_error_in_order),
        cmocka_unit_test(creation_of_both_handles_answers_each_error_in_order),
        cmocka_unit_test(creation_of_an_aggregator_answers_each_error_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
