/*
 * Limits: the defaults, and each bound at its maximum, one past it, and zero.
 */
#include "test.h"

#include <string.h>

/* One member of a struct of limits, the default that the contract gives, and its absolute maximum. */
struct bound {
    size_t offset;
    uint64_t by_default;
    uint64_t maximum;
    tvd_detail detail;
    tvd_status over_maximum;
};

#define LIMIT(member) offsetof(tvd_limits, member)
#define COUNT TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM
#define TIME TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM

/* In the order in which zeros, and in which values over the maximum, are reported. */
static const struct bound bounds[] = {
    { LIMIT(max_task_records), 4096, 65536, TVD_DETAIL_MAX_TASK_RECORDS, COUNT },
    { LIMIT(max_active_tasks), 1024, 16384, TVD_DETAIL_MAX_ACTIVE_TASKS, COUNT },
    { LIMIT(max_queued_tasks), 1024, 16384, TVD_DETAIL_MAX_QUEUED_TASKS, COUNT },
    { LIMIT(max_terminal_tasks), 4096, 65536, TVD_DETAIL_MAX_TERMINAL_TASKS, COUNT },
    { LIMIT(max_workers), 256, 4096, TVD_DETAIL_MAX_WORKERS, COUNT },
    { LIMIT(max_lease_ttl_secs), 3600, 86400, TVD_DETAIL_MAX_LEASE_TTL_SECS, TIME },
    { LIMIT(max_task_ttl_secs), 86400, 2678400, TVD_DETAIL_MAX_TASK_TTL_SECS, TIME },
    { LIMIT(heartbeat_timeout_secs), 60, 86400, TVD_DETAIL_HEARTBEAT_TIMEOUT_SECS, TIME },
};

#define RESULT_LIMIT(member) offsetof(tvd_result_limits, member)
#define MIB(count) (UINT64_C(1048576) * (count))

static const struct bound result_bounds[] = {
    { RESULT_LIMIT(max_results), 1024, 65536, TVD_DETAIL_MAX_RESULTS, COUNT },
    { RESULT_LIMIT(max_result_bytes), MIB(1), MIB(16), TVD_DETAIL_MAX_RESULT_BYTES, COUNT },
    { RESULT_LIMIT(max_total_bytes), MIB(16), MIB(256), TVD_DETAIL_MAX_TOTAL_BYTES, COUNT },
    { RESULT_LIMIT(max_aggregate_items), 1024, 65536, TVD_DETAIL_MAX_AGGREGATE_ITEMS, COUNT },
    { RESULT_LIMIT(max_aggregate_bytes), MIB(16), MIB(256), TVD_DETAIL_MAX_AGGREGATE_BYTES, COUNT },
};

static uint64_t *member(void *limits, const struct bound *bound)
{
    return (uint64_t *)(void *)((char *)limits + bound->offset);
}

static tvd_limits largest(void)
{
    tvd_limits limits = { .max_retries = TVD_MAX_RETRIES };

    for (size_t i = 0; i < COUNT_OF(bounds); i++)
        *member(&limits, &bounds[i]) = bounds[i].maximum;
    return limits;
}

static tvd_result_limits largest_for_results(void)
{
    tvd_result_limits limits = { 0 };

    for (size_t i = 0; i < COUNT_OF(result_bounds); i++)
        *member(&limits, &result_bounds[i]) = result_bounds[i].maximum;
    return limits;
}

static void the_defaults_are_those_of_the_contract_and_valid(void **state)
{
    tvd_limits limits = tvd_limits_default();
    tvd_result_limits result_limits = tvd_result_limits_default();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bounds); i++)
        assert_int_equal(*member(&limits, &bounds[i]), bounds[i].by_default);
    assert_int_equal(limits.max_retries, 3);
    for (size_t i = 0; i < COUNT_OF(result_bounds); i++)
        assert_int_equal(*member(&result_limits, &result_bounds[i]), result_bounds[i].by_default);
    assert_ok(tvd_limits_validate(&limits, NULL));
    assert_ok(tvd_result_limits_validate(&result_limits, NULL));
}

static void the_absolute_maxima_are_valid(void **state)
{
    const tvd_limits limits = largest();
    const tvd_result_limits result_limits = largest_for_results();

    (void)state;
    assert_ok(tvd_limits_validate(&limits, NULL));
    assert_ok(tvd_result_limits_validate(&result_limits, NULL));
}

static void the_smallest_limits_are_valid(void **state)
{
    const tvd_limits limits = { 1, 1, 1, 1, 1, 1, 1, 1, 0 };
    const tvd_result_limits result_limits = { 1, 1, 1, 1, 1 };

    (void)state;
    assert_ok(tvd_limits_validate(&limits, NULL));
    assert_ok(tvd_result_limits_validate(&result_limits, NULL));
}

static void assert_over_maximum(const tvd_error *error, const struct bound *bound)
{
    assert_int_equal(error->status, bound->over_maximum);
    assert_int_equal(error->detail, bound->detail);
    assert_int_equal(error->actual, bound->maximum + 1);
    assert_int_equal(error->limit, bound->maximum);
}

static void one_past_its_maximum_each_limit_is_refused(void **state)
{
    tvd_error error;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        tvd_limits limits = largest();

        *member(&limits, &bounds[i]) += 1;
        assert_int_equal(tvd_limits_validate(&limits, &error), bounds[i].over_maximum);
        assert_over_maximum(&error, &bounds[i]);
    }
    for (size_t i = 0; i < COUNT_OF(result_bounds); i++) {
        tvd_result_limits limits = largest_for_results();

        *member(&limits, &result_bounds[i]) += 1;
        assert_int_equal(tvd_result_limits_validate(&limits, &error), result_bounds[i].over_maximum);
        assert_over_maximum(&error, &result_bounds[i]);
    }
}

static void zero_is_refused_for_each_limit_but_retries(void **state)
{
    tvd_error error;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        tvd_limits limits = tvd_limits_default();

        *member(&limits, &bounds[i]) = 0;
        assert_int_equal(tvd_limits_validate(&limits, &error), TVD_ERROR_INVALID_LIMIT);
        assert_int_equal(error.detail, bounds[i].detail);
    }
    for (size_t i = 0; i < COUNT_OF(result_bounds); i++) {
        tvd_result_limits limits = tvd_result_limits_default();

        *member(&limits, &result_bounds[i]) = 0;
        assert_int_equal(tvd_result_limits_validate(&limits, &error), TVD_ERROR_INVALID_LIMIT);
        assert_int_equal(error.detail, result_bounds[i].detail);
    }
}

/* Everything is wrong at first; what was reported is mended, and the next is reported. */
static void faults_are_reported_in_the_order_of_the_contract(void **state)
{
    tvd_limits limits;
    tvd_error error;

    (void)state;
    memset(&limits, 0xff, sizeof limits);
    limits.max_workers = 0;
    assert_int_equal(tvd_limits_validate(&limits, &error), TVD_ERROR_INVALID_LIMIT);
    assert_int_equal(error.detail, TVD_DETAIL_MAX_WORKERS);
    limits.max_workers = UINT64_MAX;
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        assert_int_equal(tvd_limits_validate(&limits, &error), bounds[i].over_maximum);
        assert_int_equal(error.detail, bounds[i].detail);
        assert_int_equal(error.actual, UINT64_MAX);
        *member(&limits, &bounds[i]) = bounds[i].over_maximum == TIME ? 0 : bounds[i].maximum;
    }
    assert_int_equal(tvd_limits_validate(&limits, &error), TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM);
    assert_int_equal(error.actual, UINT32_MAX);
    assert_int_equal(error.limit, 32);
    limits.max_retries = 32;
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        if (bounds[i].over_maximum == TIME) {
            assert_int_equal(tvd_limits_validate(&limits, &error), TVD_ERROR_INVALID_LIMIT);
            assert_int_equal(error.detail, bounds[i].detail);
            *member(&limits, &bounds[i]) = 1;
        }
    }
    assert_ok(tvd_limits_validate(&limits, NULL));
}

static void relations_may_be_equal_but_not_reversed(void **state)
{
    static const struct {
        tvd_limits limits;
        tvd_detail detail;
    } cases[] = {
        { { 9, 10, 10, 10, 1, 1, 1, 1, 0 }, TVD_DETAIL_MAX_ACTIVE_TASKS_EXCEEDS_MAX_TASK_RECORDS },
        { { 10, 10, 11, 10, 1, 1, 1, 1, 0 }, TVD_DETAIL_MAX_QUEUED_TASKS_EXCEEDS_MAX_ACTIVE_TASKS },
        { { 10, 10, 10, 11, 1, 1, 1, 1, 0 }, TVD_DETAIL_MAX_TERMINAL_TASKS_EXCEEDS_MAX_TASK_RECORDS },
        { { 10, 10, 10, 9, 1, 1, 1, 1, 0 }, TVD_DETAIL_MAX_TERMINAL_TASKS_BELOW_MAX_ACTIVE_TASKS },
        { { 10, 10, 10, 10, 1, 1, 1, 1, 0 }, TVD_DETAIL_NONE },
    };
    const tvd_result_limits reversed = { 1, 11, 10, 1, 1 };
    const tvd_result_limits equal = { 1, 10, 10, 1, 1 };
    tvd_error error;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        error.detail = TVD_DETAIL_NONE;
        assert_int_equal(tvd_limits_validate(&cases[i].limits, &error),
                         cases[i].detail == TVD_DETAIL_NONE ? TVD_OK : TVD_ERROR_INVALID_LIMIT_RELATIONSHIP);
        assert_int_equal(error.detail, cases[i].detail);
    }
    assert_int_equal(tvd_result_limits_validate(&reversed, &error), TVD_ERROR_INVALID_LIMIT_RELATIONSHIP);
    assert_int_equal(error.detail, TVD_DETAIL_MAX_RESULT_BYTES_EXCEEDS_MAX_TOTAL_BYTES);
    assert_ok(tvd_result_limits_validate(&equal, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_those_of_the_contract_and_valid),
        cmocka_unit_test(the_absolute_maxima_are_valid),
        cmocka_unit_test(the_smallest_limits_are_valid),
        cmocka_unit_test(one_past_its_maximum_each_limit_is_refused),
        cmocka_unit_test(zero_is_refused_for_each_limit_but_retries),
        cmocka_unit_test(faults_are_reported_in_the_order_of_the_contract),
        cmocka_unit_test(relations_may_be_equal_but_not_reversed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
