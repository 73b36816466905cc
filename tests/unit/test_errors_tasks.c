/*
 * Every error that the header lists for the commands and reads of tasks, in its order.
 */
#include "faults.h"

#include <string.h>

static char id_of_257[TVD_MAX_IDENTIFIER_BYTES + 2];

static void invalid_spec(struct stage *stage, tvd_detail detail)
{
    expect_detail(stage, TVD_ERROR_INVALID_TASK, detail);
}

static void spec_task_id_empty(struct stage *stage)
{
    stage->inputs.task_spec.task_id = "";
    invalid_spec(stage, TVD_DETAIL_TASK_ID_EMPTY);
}

static void spec_task_id_too_long(struct stage *stage)
{
    stage->inputs.task_spec.task_id = id_of_257;
    invalid_spec(stage, TVD_DETAIL_TASK_ID_TOO_LONG);
}

static void spec_task_id_unsafe(struct stage *stage)
{
    stage->inputs.task_spec.task_id = "a/b";
    invalid_spec(stage, TVD_DETAIL_TASK_ID_UNSAFE);
}

static void spec_scan_id_empty(struct stage *stage)
{
    stage->inputs.task_spec.scan_id = "";
    invalid_spec(stage, TVD_DETAIL_SCAN_ID_EMPTY);
}

static void spec_scan_id_too_long(struct stage *stage)
{
    stage->inputs.task_spec.scan_id = id_of_257;
    invalid_spec(stage, TVD_DETAIL_SCAN_ID_TOO_LONG);
}

static void spec_scan_id_unsafe(struct stage *stage)
{
    stage->inputs.task_spec.scan_id = "scan\n";
    invalid_spec(stage, TVD_DETAIL_SCAN_ID_UNSAFE);
}

static void target_ref_empty(struct stage *stage)
{
    stage->inputs.task_spec.target_ref_size = 0;
    invalid_spec(stage, TVD_DETAIL_TARGET_REF_EMPTY);
}

static void target_ref_too_long(struct stage *stage)
{
    stage->inputs.task_spec.target_ref_size = TVD_MAX_TARGET_REF_BYTES + 1;
    invalid_spec(stage, TVD_DETAIL_TARGET_REF_TOO_LONG);
}

static void phases_too_many(struct stage *stage)
{
    stage->inputs.task_spec.phases_count = TVD_MAX_PHASES + 1;
    invalid_spec(stage, TVD_DETAIL_PHASES_TOO_MANY);
}

static void priority_unknown(struct stage *stage)
{
    stage->inputs.task_spec.priority = (tvd_task_priority)5;
    invalid_spec(stage, TVD_DETAIL_PRIORITY_INVALID);
}

static void task_known(struct stage *stage)
{
    stage->inputs.task_spec.task_id = "expired";
    expect_identifier(stage, TVD_ERROR_TASK_ALREADY_EXISTS, "expired");
}

/* A coordinator has a place for each record that its limits allow, which its retained bytes count. */
static void records_full(struct stage *stage)
{
    struct tvd_coordinator *coordinator = stage->world.coordinator;

    coordinator->retained_bytes -= tvd_coordinator_size(&coordinator->limits);
    coordinator->limits.max_task_records = 11;
    coordinator->retained_bytes += tvd_coordinator_size(&coordinator->limits);
    expect_limit(stage, TVD_ERROR_TASK_RECORD_CAPACITY_REACHED, 11);
}

static void active_full(struct stage *stage)
{
    stage->world.coordinator->limits.max_active_tasks = 5;
    expect_limit(stage, TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED, 5);
}

static void terminal_reserved(struct stage *stage)
{
    stage->world.coordinator->limits.max_terminal_tasks = 11;
    expect_limit(stage, TVD_ERROR_TERMINAL_CAPACITY_RESERVED, 11);
}

static void enqueue_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        spec_task_id_empty,
        spec_task_id_too_long,
        spec_task_id_unsafe,
        spec_scan_id_empty,
        spec_scan_id_too_long,
        spec_scan_id_unsafe,
        target_ref_empty,
        target_ref_too_long,
        phases_too_many,
        priority_unknown,
        revision_conflict,
        time_regression,
        revision_exhausted,
        task_known,
        records_full,
        active_full,
        queue_full,
        terminal_reserved,
        ordinals_exhausted,
        no_memory,
        NULL,
    };

    (void)state;
    walk_faults("task_queue_enqueue", faults);
}

static void enqueue_answers_an_empty_target_that_is_null(void **state)
{
    static struct stage stage;
    const struct function *function = function_named("task_queue_enqueue");

    (void)state;
    stage_open(&stage, function);
    stage.inputs.task_spec.target_ref = NULL;
    target_ref_empty(&stage);
    stage_refuse(&stage, function);
    stage_close(&stage);
}

static void enqueue_refuses_a_single_byte_that_is_null(void **state)
{
    static struct stage stage;
    const struct function *function = function_named("task_queue_enqueue");

    (void)state;
    stage_open(&stage, function);
    stage.inputs.task_spec.phases = NULL;
    stage.inputs.task_spec.phases_count = 1;
    expect_detail(&stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_PHASES);
    stage_refuse(&stage, function);
    stage.inputs.task_spec.target_ref = NULL;
    stage.inputs.task_spec.target_ref_size = 1;
    expect_detail(&stage, TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_TARGET_REF);
    stage_refuse(&stage, function);
    stage_close(&stage);
}

static void after_id_invalid(struct stage *stage)
{
    stage->arguments.after_id = "";
    expect_detail(stage, TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
}

static void reads_of_tasks_answer_each_error(void **state)
{
    (void)state;
    walk_faults("task_queue_get_task", (fault *const[]){ task_id_invalid, NULL });
    walk_faults("task_queue_tasks", (fault *const[]){ after_id_invalid, NULL });
}

static void task_ttl_zero(struct stage *stage)
{
    stage->arguments.ttl_secs = 0;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT, TVD_DETAIL_TASK_TTL_SECS);
}

static void task_ttl_over_maximum(struct stage *stage)
{
    stage->arguments.ttl_secs = 1001;
    expect_detail(stage, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                  TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM);
}

static void expire_old_tasks_and_next_due_answer_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        task_ttl_zero, revision_conflict, time_regression, revision_exhausted, task_ttl_over_maximum, NULL,
    };

    (void)state;
    walk_faults("worker_pool_expire_old_tasks", faults);
    walk_faults("worker_pool_next_due", (fault *const[]){ task_ttl_over_maximum, NULL });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enqueue_answers_each_error_in_order),
        cmocka_unit_test(enqueue_answers_an_empty_target_that_is_null),
        cmocka_unit_test(enqueue_refuses_a_single_byte_that_is_null),
        cmocka_unit_test(reads_of_tasks_answer_each_error),
        cmocka_unit_test(expire_old_tasks_and_next_due_answer_each_error_in_order),
    };

    memset(id_of_257, 'x', sizeof id_of_257 - 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
