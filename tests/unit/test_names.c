/*
 * Names, sentences, the version, and the rule by which text is written into a caller's buffer.
 */
#include "test.h"
#include "text.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { STATUSES = TVD_ERROR_MISSING_RESULT + 1, DETAILS = TVD_DETAIL_RESULT_INDEX_BROKEN + 1 };

/* The enumerations through one kind of function. */
static const char *status_name(int value)
{
    return tvd_status_name((tvd_status)value);
}

static const char *detail_name(int value)
{
    return tvd_detail_name((tvd_detail)value);
}

static const char *task_status_name(int value)
{
    return tvd_task_status_name((tvd_task_status)value);
}

static const char *task_priority_name(int value)
{
    return tvd_task_priority_name((tvd_task_priority)value);
}

static const char *worker_status_name(int value)
{
    return tvd_worker_status_name((tvd_worker_status)value);
}

static const char *worker_tag_name(int value)
{
    return tvd_worker_tag_name((tvd_worker_tag)value);
}

static const char *operation_name(int value)
{
    return tvd_operation_name((tvd_operation)value);
}

static const char *ownership_kind_name(int value)
{
    return tvd_ownership_kind_name((tvd_ownership_kind)value);
}

static const char *start_kind_name(int value)
{
    return tvd_start_kind_name((tvd_start_kind)value);
}

static const char *completion_kind_name(int value)
{
    return tvd_completion_kind_name((tvd_completion_kind)value);
}

static const char *failure_kind_name(int value)
{
    return tvd_failure_kind_name((tvd_failure_kind)value);
}

static const char *cancellation_kind_name(int value)
{
    return tvd_cancellation_kind_name((tvd_cancellation_kind)value);
}

static const char *store_outcome_name(int value)
{
    return tvd_store_outcome_name((tvd_store_outcome)value);
}

static const struct {
    const char *(*name)(int value);
    const char *names; /* of 0, 1, 2, ..., with - where there is no such value */
} enumerations[] = {
    { task_status_name, "- queued leased running completed failed cancelled expired -" },
    { task_priority_name, "- low normal high critical -" },
    { worker_status_name, "healthy busy degraded offline -" },
    { worker_tag_name, "- linux windows - gpu - - - internal - - - - - - - external -" },
    { operation_name, "none complete fail -" },
    { ownership_kind_name, "none queued_fence lease -" },
    { start_kind_name, "- started already_running -" },
    { completion_kind_name, "- completed already_completed -" },
    { failure_kind_name, "- requeued retry_exhausted -" },
    { cancellation_kind_name, "- cancelled already_cancelled -" },
    { store_outcome_name, "- stored already_stored -" },
};

/* Far past the end too, where another table may stand. */
static void assert_unknown_from(const char *(*name)(int value), int first)
{
    for (int value = first; value < first + 4096; value++)
        assert_string_equal(name(value), "unknown");
}

static void assert_names(const char *(*name)(int value), const char *names)
{
    int value = 0;

    while (*names != '\0') {
        size_t size = strcspn(names, " ");
        const char *actual = name(value++);

        if (*names == '-') {
            assert_string_equal(actual, "unknown");
        } else {
            assert_int_equal(strlen(actual), size);
            assert_memory_equal(actual, names, size);
        }
        names += size + strspn(names + size, " ");
    }
    assert_unknown_from(name, value);
}

static void every_enumerator_has_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(enumerations); i++) {
        assert_names(enumerations[i].name, enumerations[i].names);
        assert_string_equal(enumerations[i].name(-1), "unknown");
        assert_string_equal(enumerations[i].name(INT_MAX), "unknown");
        assert_string_equal(enumerations[i].name(INT_MIN), "unknown");
    }
}

static void assert_plain_and_different(const char *(*name)(int value), int count)
{
    for (int i = 0; i < count; i++) {
        assert_string_not_equal(name(i), "unknown");
        for (const char *byte = name(i); *byte != '\0'; byte++)
            assert_true(islower((unsigned char)*byte) || *byte == '_');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(name(i), name(j));
    }
    assert_unknown_from(name, count);
    assert_string_equal(name(-1), "unknown");
}

static void every_status_and_detail_has_a_name_of_its_own(void **state)
{
    (void)state;
    assert_plain_and_different(status_name, STATUSES);
    assert_plain_and_different(detail_name, DETAILS);
    assert_string_equal(tvd_status_name(TVD_OK), "ok");
    assert_string_equal(tvd_status_name(TVD_ERROR_REVISION_CONFLICT), "revision_conflict");
    assert_string_equal(tvd_detail_name(TVD_DETAIL_TASK_ID_EMPTY), "task_id_empty");
}

static void format_tells_the_numbers_and_the_words(void **state)
{
    static const struct {
        tvd_error error;
        const char *sentence;
    } cases[] = {
        { { .status = TVD_ERROR_REVISION_CONFLICT, .expected = 7, .actual = UINT64_MAX },
          "the command expected revision 7, but the revision is 18446744073709551615" },
        { { .status = TVD_ERROR_LOGICAL_TIME_REGRESSION, .expected = 8, .actual = 9 },
          "the command acts at second 8, but it is second 9 already" },
        { { .status = TVD_ERROR_RESULT_TOO_LARGE, .actual = 11, .limit = 10 },
          "the result has 11 bytes, over the limit of 10" },
        { { .status = TVD_ERROR_INVALID_TASK, .detail = TVD_DETAIL_SCAN_ID_UNSAFE },
          "the task is invalid: scan_id_unsafe" },
        { { .status = TVD_ERROR_INVALID_TRANSITION,
            .task_status = TVD_TASK_STATUS_LEASED,
            .operation = TVD_OPERATION_COMPLETE,
            .identifier = "t-1" },
          "task \"t-1\" is leased and cannot complete before it is started" },
        { { .status = TVD_ERROR_TASK_NOT_FOUND }, "task \"\" is not known" },
        { { .status = TVD_OK }, "no error" },
    };
    char buffer[200];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(tvd_error_format(&cases[i].error, buffer, sizeof buffer), strlen(cases[i].sentence));
        assert_string_equal(buffer, cases[i].sentence);
    }
}

static void format_has_a_sentence_for_every_status(void **state)
{
    char buffer[200];

    (void)state;
    for (int i = 0; i < STATUSES; i++) {
        const tvd_error error = { .status = (tvd_status)i, .identifier = "x" };
        size_t length = tvd_error_format(&error, buffer, sizeof buffer);

        assert_in_range(length, 5, sizeof buffer - 1);
        assert_int_equal(strlen(buffer), length);
        assert_null(strpbrk(buffer, "{}\n"));
        assert_int_not_equal(buffer[length - 1], '.');
    }
}

static void format_of_null_and_of_garbage_says_so(void **state)
{
    char buffer[400];
    tvd_error garbage;

    (void)state;
    tvd_error_format(NULL, buffer, sizeof buffer);
    assert_string_equal(buffer, "no error");
    memset(&garbage, 0xff, sizeof garbage);
    tvd_error_format(&garbage, buffer, sizeof buffer);
    assert_string_equal(buffer, "an error of an unknown kind");
    garbage.status = (tvd_status)STATUSES; /* the first that is none */
    tvd_error_format(&garbage, buffer, sizeof buffer);
    assert_string_equal(buffer, "an error of an unknown kind");
    garbage.status = TVD_ERROR_INVALID_TRANSITION; /* an identifier without an end */
    assert_int_equal(tvd_error_format(&garbage, buffer, sizeof buffer),
                     strlen("task \"\" is unknown and cannot unknown before it is started") +
                         sizeof garbage.identifier);
}

static void format_writes_what_fits_and_counts_the_rest(void **state)
{
    static const tvd_error error = { .status = TVD_ERROR_STALE_OWNERSHIP, .identifier = "t-1" };
    char whole[100];
    char part[100];
    size_t length = tvd_error_format(&error, whole, sizeof whole);

    (void)state;
    for (size_t size = 1; size <= length + 1; size++) {
        memset(part, '#', sizeof part);
        assert_int_equal(tvd_error_format(&error, part, size), length);
        assert_int_equal(strlen(part), size - 1);
        assert_memory_equal(part, whole, size - 1);
        assert_int_equal(part[size], '#');
    }
    assert_int_equal(tvd_error_format(&error, NULL, 0), length);
    assert_int_equal(tvd_error_format(&error, NULL, 100), length);
    memset(part, '#', sizeof part);
    assert_int_equal(tvd_error_format(&error, part, 0), length);
    assert_int_equal(part[0], '#');
    assert_int_equal(tvd_error_format(&error, whole, SIZE_MAX), length);
}

static void text_counts_what_does_not_fit(void **state)
{
    char buffer[8];
    struct tvd_text text;

    (void)state;
    tvd_text_begin(&text, buffer, sizeof buffer);
    assert_string_equal(buffer, "");
    tvd_text_string(&text, "abc");
    tvd_text_number(&text, 0);
    tvd_text_identifier(&text, "x\n");
    assert_string_equal(buffer, "abc0x?");
    tvd_text_bytes(&text, "pq", 2);
    assert_string_equal(buffer, "abc0x?p");
    tvd_text_bytes(&text, "more", 4);
    assert_string_equal(buffer, "abc0x?p");
    assert_int_equal(text.length, 12);
}

static void the_version_is_that_of_the_header(void **state)
{
    int major;
    int minor;
    int patch;
    int length;

    (void)state;
    assert_int_equal(tvd_version_number(), TVD_VERSION_NUMBER);
    assert_int_equal(sscanf(tvd_version_string(), "%d.%d.%d%n", &major, &minor, &patch, &length), 3);
    assert_int_equal(length, strlen(tvd_version_string()));
    assert_int_equal(major * 1000000 + minor * 1000 + patch, TVD_VERSION_NUMBER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_enumerator_has_its_name),
        cmocka_unit_test(every_status_and_detail_has_a_name_of_its_own),
        cmocka_unit_test(format_tells_the_numbers_and_the_words),
        cmocka_unit_test(format_has_a_sentence_for_every_status),
        cmocka_unit_test(format_of_null_and_of_garbage_says_so),
        cmocka_unit_test(format_writes_what_fits_and_counts_the_rest),
        cmocka_unit_test(text_counts_what_does_not_fit),
        cmocka_unit_test(the_version_is_that_of_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
