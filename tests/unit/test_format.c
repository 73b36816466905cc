/*
 * One-line forms for logs: every field, no payload, and no trust in what the host hands in.
 */
#include "stage.h"

#include <limits.h>
#include <string.h>

static struct stage *const stage = &shared_stage;
static char line[1200];

static void assert_task_line(const char *task_id, const char *expected)
{
    const tvd_task task = world_task(&stage->world, task_id);

    assert_int_equal(tvd_task_format(&task, line, sizeof line), strlen(expected));
    assert_string_equal(line, expected);
}

static void a_task_shows_the_size_of_its_target_and_its_lease_while_it_has_one(void **state)
{
    (void)state;
    assert_task_line("queued-1", "task id=queued-1 scan=scan target_ref_size=6 phases_count=2 status=queued "
                                 "priority=normal created_at_secs=50 started_at_secs=- completed_at_secs=- "
                                 "retry_count=0 attempt=0 task_generation=0 record_version=1");
    assert_task_line("running", "task id=running scan=scan target_ref_size=6 phases_count=2 status=running "
                                "priority=normal created_at_secs=50 started_at_secs=50 completed_at_secs=- "
                                "retry_count=0 attempt=1 task_generation=0 record_version=3 assigned_to=able "
                                "lease_id=8 lease_expires_at_secs=150");
    assert_task_line("failed", "task id=failed scan=scan target_ref_size=6 phases_count=2 status=failed "
                               "priority=normal created_at_secs=50 started_at_secs=50 completed_at_secs=50 "
                               "retry_count=1 attempt=2 task_generation=1 record_version=7");
}

static void a_worker_shows_its_tags(void **state)
{
    tvd_worker worker = world_worker(&stage->world, "able");

    (void)state;
    tvd_worker_format(&worker, line, sizeof line);
    assert_string_equal(line, "worker id=able generation=1 status=healthy capacity=8 current_tasks=2 "
                              "effective_capacity=8 available_slots=6 completed_tasks=3 last_heartbeat_secs=50 "
                              "cpu_basis_points=0 memory_basis_points=0 network_basis_points=0 tags=-");
    worker.tags = 31;
    tvd_worker_format(&worker, line, sizeof line);
    assert_string_equal(strstr(line, "tags="), "tags=linux,windows,gpu,internal,external");
    worker.tags = TVD_WORKER_TAG_GPU | 64;
    tvd_worker_format(&worker, line, sizeof line);
    assert_string_equal(strstr(line, "tags="), "tags=gpu");
}

static void tokens_show_every_part(void **state)
{
    (void)state;
    tvd_task_lease_format(&stage->cast.running, line, sizeof line);
    assert_string_equal(line, "lease task=running worker=able worker_generation=1 task_generation=0 attempt=1 "
                              "lease_id=8 acquired_at_secs=50 expires_at_secs=150");
    tvd_completion_receipt_format(&stage->cast.completed_receipt, line, sizeof line);
    assert_string_equal(line, "receipt task=completed worker=able worker_generation=1 task_generation=0 "
                              "attempt=1 lease_id=1 record_version=4");
}

static void a_snapshot_shows_every_count(void **state)
{
    tvd_state_snapshot snapshot = { 1, 2, 3, 4, 5, 6, 7 };

    (void)state;
    tvd_state_snapshot_format(&snapshot, line, sizeof line);
    assert_string_equal(line, "snapshot revision=1 logical_time_secs=2 task_records=3 active_tasks=4 "
                              "queued_tasks=5 terminal_tasks=6 workers=7");
}

static void null_is_none(void **state)
{
    (void)state;
    assert_int_equal(tvd_task_format(NULL, line, sizeof line), 4);
    assert_string_equal(line, "none");
    assert_int_equal(tvd_worker_format(NULL, line, 3), 4);
    assert_string_equal(line, "no");
    assert_int_equal(tvd_task_lease_format(NULL, NULL, 0), 4);
    assert_int_equal(tvd_completion_receipt_format(NULL, NULL, 9), 4);
    assert_int_equal(tvd_state_snapshot_format(NULL, line, 5), 4);
    assert_string_equal(line, "none");
}

/* Every byte that is not a NUL; what no identifier has must be a question mark in the line. */
static void fill_with_all_bytes(char *field, char *shown)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";

    for (int byte = 1; byte <= UCHAR_MAX; byte++) {
        field[byte - 1] = (char)byte;
        shown[byte - 1] = (char)(strchr(safe, byte) != NULL ? byte : '?');
    }
    field[UCHAR_MAX] = '\0';
    shown[UCHAR_MAX] = '\0';
}

static void assert_shows(const char *name, const char *shown)
{
    const char *field = strstr(line, name);

    assert_non_null(field);
    assert_memory_equal(field + strlen(name), shown, strlen(shown));
    assert_null(strchr(line, '\n'));
}

static void no_identifier_of_a_report_forges_a_line(void **state)
{
    tvd_task task = world_task(&stage->world, "running");
    tvd_worker worker = world_worker(&stage->world, "able");
    char shown[UCHAR_MAX + 1];

    (void)state;
    fill_with_all_bytes(task.task_id, shown);
    fill_with_all_bytes(task.scan_id, shown);
    fill_with_all_bytes(task.assigned_to, shown);
    fill_with_all_bytes(worker.worker_id, shown);
    tvd_task_format(&task, line, sizeof line);
    assert_shows("task id=", shown);
    assert_shows(" scan=", shown);
    assert_shows(" assigned_to=", shown);
    tvd_worker_format(&worker, line, sizeof line);
    assert_shows("worker id=", shown);
}

static void no_identifier_of_a_token_or_an_error_forges_a_line(void **state)
{
    tvd_task_lease lease = stage->cast.running;
    tvd_completion_receipt receipt = stage->cast.completed_receipt;
    tvd_error error = { .status = TVD_ERROR_TASK_NOT_FOUND };
    char shown[UCHAR_MAX + 1];

    (void)state;
    fill_with_all_bytes(lease.private_task_id, shown);
    fill_with_all_bytes(lease.private_worker_id, shown);
    fill_with_all_bytes(receipt.private_task_id, shown);
    fill_with_all_bytes(receipt.private_worker_id, shown);
    fill_with_all_bytes(error.identifier, shown);
    tvd_task_lease_format(&lease, line, sizeof line);
    assert_shows("lease task=", shown);
    assert_shows(" worker=", shown);
    tvd_completion_receipt_format(&receipt, line, sizeof line);
    assert_shows("receipt task=", shown);
    assert_shows(" worker=", shown);
    tvd_error_format(&error, line, sizeof line);
    assert_shows("task \"", shown);
}

/* Fields without an end are shown as far as they go; a token's garbage text is shown as empty. */
static void garbage_is_shown_and_not_followed(void **state)
{
    tvd_task task;
    tvd_worker worker;
    tvd_task_lease lease;

    (void)state;
    memset(&task, 'z', sizeof task);
    memset(&worker, 'z', sizeof worker);
    memset(&lease, 'z', sizeof lease);
    task.has_started_at = false;
    task.has_completed_at = false;
    assert_true(tvd_task_format(&task, line, sizeof line) > 3 * sizeof task.task_id);
    assert_non_null(strstr(line, " status=unknown priority=unknown "));
    assert_true(tvd_worker_format(&worker, line, sizeof line) > sizeof worker.worker_id);
    tvd_task_lease_format(&lease, line, sizeof line);
    assert_memory_equal(line, "lease task= worker= ", strlen("lease task= worker= "));
}

static void no_byte_of_a_target_reference_is_shown(void **state)
{
    tvd_task task = world_task(&stage->world, "queued-1");

    (void)state;
    assert_memory_equal(task.target_ref, "target", 6);
    memcpy(task.target_ref, "SECRET", 6);
    memcpy(task.phases, "\x01\x02", 2);
    tvd_task_format(&task, line, sizeof line);
    assert_null(strstr(line, "SECRET"));
}

#define format_test(function)                                                                                  \
    cmocka_unit_test_setup_teardown(function, shared_stage_setup, shared_stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        format_test(a_task_shows_the_size_of_its_target_and_its_lease_while_it_has_one),
        format_test(a_worker_shows_its_tags),
        format_test(tokens_show_every_part),
        format_test(a_snapshot_shows_every_count),
        format_test(null_is_none),
        format_test(no_identifier_of_a_report_forges_a_line),
        format_test(no_identifier_of_a_token_or_an_error_forges_a_line),
        format_test(garbage_is_shown_and_not_followed),
        format_test(no_byte_of_a_target_reference_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
