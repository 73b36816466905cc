/*
 * The bounds of a coordinator and of a result aggregator: defaults, absolute maxima, relations. Contract: section 4.
 */
#include "error.h"

struct bound {
    tvd_detail detail;
    uint64_t actual;
    uint64_t maximum;
};

tvd_limits tvd_limits_default(void)
{
    return (tvd_limits){
        .max_task_records = 4096,
        .max_active_tasks = 1024,
        .max_queued_tasks = 1024,
        .max_terminal_tasks = 4096,
        .max_workers = 256,
        .max_lease_ttl_secs = 3600,
        .max_task_ttl_secs = 86400,
        .heartbeat_timeout_secs = 60,
        .max_retries = 3,
    };
}

tvd_result_limits tvd_result_limits_default(void)
{
    return (tvd_result_limits){
        .max_results = 1024,
        .max_result_bytes = 1024 * 1024,
        .max_total_bytes = 16 * 1024 * 1024,
        .max_aggregate_items = 1024,
        .max_aggregate_bytes = 16 * 1024 * 1024,
    };
}

static tvd_status refuse_zero(const struct bound *bounds, size_t count, tvd_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (bounds[i].actual == 0)
            return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT, bounds[i].detail);
    }
    return TVD_OK;
}

static tvd_status refuse_over_maximum(const struct bound *bounds, size_t count, tvd_status status,
                                      tvd_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (bounds[i].actual > bounds[i].maximum)
            return tvd_fail_excess(error, status, bounds[i].detail, bounds[i].actual, bounds[i].maximum);
    }
    return TVD_OK;
}

static tvd_status check_relations(const tvd_limits *limits, tvd_error *error)
{
    tvd_detail contradiction = TVD_DETAIL_NONE;

    if (limits->max_active_tasks > limits->max_task_records)
        contradiction = TVD_DETAIL_MAX_ACTIVE_TASKS_EXCEEDS_MAX_TASK_RECORDS;
    else if (limits->max_queued_tasks > limits->max_active_tasks)
        contradiction = TVD_DETAIL_MAX_QUEUED_TASKS_EXCEEDS_MAX_ACTIVE_TASKS;
    else if (limits->max_terminal_tasks > limits->max_task_records)
        contradiction = TVD_DETAIL_MAX_TERMINAL_TASKS_EXCEEDS_MAX_TASK_RECORDS;
    else if (limits->max_terminal_tasks < limits->max_active_tasks)
        contradiction = TVD_DETAIL_MAX_TERMINAL_TASKS_BELOW_MAX_ACTIVE_TASKS;
    if (contradiction != TVD_DETAIL_NONE)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP, contradiction);
    return TVD_OK;
}

tvd_status tvd_limits_validate(const tvd_limits *limits, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(limits, TVD_DETAIL_LIMITS, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    const struct bound counts[] = {
        { TVD_DETAIL_MAX_TASK_RECORDS, limits->max_task_records, TVD_MAX_TASK_RECORDS },
        { TVD_DETAIL_MAX_ACTIVE_TASKS, limits->max_active_tasks, TVD_MAX_ACTIVE_TASKS },
        { TVD_DETAIL_MAX_QUEUED_TASKS, limits->max_queued_tasks, TVD_MAX_QUEUED_TASKS },
        { TVD_DETAIL_MAX_TERMINAL_TASKS, limits->max_terminal_tasks, TVD_MAX_TERMINAL_TASKS },
        { TVD_DETAIL_MAX_WORKERS, limits->max_workers, TVD_MAX_WORKERS },
    };
    const struct bound times[] = {
        { TVD_DETAIL_MAX_LEASE_TTL_SECS, limits->max_lease_ttl_secs, TVD_MAX_LEASE_TTL_SECS },
        { TVD_DETAIL_MAX_TASK_TTL_SECS, limits->max_task_ttl_secs, TVD_MAX_TASK_TTL_SECS },
        { TVD_DETAIL_HEARTBEAT_TIMEOUT_SECS, limits->heartbeat_timeout_secs, TVD_MAX_HEARTBEAT_TIMEOUT_SECS },
    };
    const size_t count = sizeof counts / sizeof counts[0];
    const size_t time_count = sizeof times / sizeof times[0];

    if ((status = refuse_zero(counts, count, error)) != TVD_OK ||
        (status = refuse_over_maximum(counts, count, TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM, error)) != TVD_OK ||
        (status = refuse_over_maximum(times, time_count, TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM, error)) !=
            TVD_OK)
        return status;
    if (limits->max_retries > TVD_MAX_RETRIES)
        return tvd_fail_excess(error, TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM, TVD_DETAIL_NONE,
                               limits->max_retries, TVD_MAX_RETRIES);
    if ((status = refuse_zero(times, time_count, error)) != TVD_OK)
        return status;
    return check_relations(limits, error);
}

tvd_status tvd_result_limits_validate(const tvd_result_limits *limits, tvd_error *error)
{
    tvd_status status;

    if (!tvd_given(limits, TVD_DETAIL_LIMITS, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    const struct bound bounds[] = {
        { TVD_DETAIL_MAX_RESULTS, limits->max_results, TVD_MAX_RESULTS },
        { TVD_DETAIL_MAX_RESULT_BYTES, limits->max_result_bytes, TVD_MAX_RESULT_BYTES },
        { TVD_DETAIL_MAX_TOTAL_BYTES, limits->max_total_bytes, TVD_MAX_TOTAL_BYTES },
        { TVD_DETAIL_MAX_AGGREGATE_ITEMS, limits->max_aggregate_items, TVD_MAX_AGGREGATE_ITEMS },
        { TVD_DETAIL_MAX_AGGREGATE_BYTES, limits->max_aggregate_bytes, TVD_MAX_AGGREGATE_BYTES },
    };
    const size_t count = sizeof bounds / sizeof bounds[0];

    if ((status = refuse_zero(bounds, count, error)) != TVD_OK ||
        (status = refuse_over_maximum(bounds, count, TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM, error)) != TVD_OK)
        return status;
    if (limits->max_result_bytes > limits->max_total_bytes)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                               TVD_DETAIL_MAX_RESULT_BYTES_EXCEEDS_MAX_TOTAL_BYTES);
    return TVD_OK;
}
