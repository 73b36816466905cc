/* The model's limits, creation and copies. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

static tvd_error over_maximum(tvd_status status, tvd_detail name, uint64_t actual, uint64_t maximum)
{
    tvd_error error = model_error_detail(status, name);
    error.actual = actual;
    error.limit = maximum;
    return error;
}

typedef struct limit_rule {
    uint64_t value;
    uint64_t maximum;
    tvd_detail name;
} limit_rule;

static tvd_error check_zeros(const limit_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].value == 0)
            return model_error_detail(TVD_ERROR_INVALID_LIMIT, rules[i].name);
    }
    return model_ok();
}

static tvd_error check_maxima(const limit_rule *rules, size_t count, tvd_status status)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].value > rules[i].maximum)
            return over_maximum(status, rules[i].name, rules[i].value, rules[i].maximum);
    }
    return model_ok();
}

static tvd_error check_relations(const tvd_limits *limits)
{
    tvd_detail broken = TVD_DETAIL_NONE;
    if (limits->max_active_tasks > limits->max_task_records)
        broken = TVD_DETAIL_MAX_ACTIVE_TASKS_EXCEEDS_MAX_TASK_RECORDS;
    else if (limits->max_queued_tasks > limits->max_active_tasks)
        broken = TVD_DETAIL_MAX_QUEUED_TASKS_EXCEEDS_MAX_ACTIVE_TASKS;
    else if (limits->max_terminal_tasks > limits->max_task_records)
        broken = TVD_DETAIL_MAX_TERMINAL_TASKS_EXCEEDS_MAX_TASK_RECORDS;
    else if (limits->max_terminal_tasks < limits->max_active_tasks)
        broken = TVD_DETAIL_MAX_TERMINAL_TASKS_BELOW_MAX_ACTIVE_TASKS;
    if (broken != TVD_DETAIL_NONE)
        return model_error_detail(TVD_ERROR_INVALID_LIMIT_RELATIONSHIP, broken);
    return model_ok();
}

tvd_error model_limits_validate(const tvd_limits *limits)
{
    if (limits == NULL)
        return model_null(TVD_DETAIL_LIMITS);
    const limit_rule counts[] = {
        { limits->max_task_records, 65536, TVD_DETAIL_MAX_TASK_RECORDS },
        { limits->max_active_tasks, 16384, TVD_DETAIL_MAX_ACTIVE_TASKS },
        { limits->max_queued_tasks, 16384, TVD_DETAIL_MAX_QUEUED_TASKS },
        { limits->max_terminal_tasks, 65536, TVD_DETAIL_MAX_TERMINAL_TASKS },
        { limits->max_workers, 4096, TVD_DETAIL_MAX_WORKERS },
    };
    const limit_rule times[] = {
        { limits->max_lease_ttl_secs, 86400, TVD_DETAIL_MAX_LEASE_TTL_SECS },
        { limits->max_task_ttl_secs, 2678400, TVD_DETAIL_MAX_TASK_TTL_SECS },
        { limits->heartbeat_timeout_secs, 86400, TVD_DETAIL_HEARTBEAT_TIMEOUT_SECS },
    };

    tvd_error error = check_zeros(counts, 5);
    if (error.status == TVD_OK)
        error = check_maxima(counts, 5, TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM);
    if (error.status == TVD_OK)
        error = check_maxima(times, 3, TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM);
    if (error.status == TVD_OK && limits->max_retries > 32)
        error = over_maximum(TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM, TVD_DETAIL_NONE, limits->max_retries, 32);
    if (error.status == TVD_OK)
        error = check_zeros(times, 3);
    if (error.status == TVD_OK)
        error = check_relations(limits);
    return error;
}

tvd_error model_result_limits_validate(const tvd_result_limits *limits)
{
    if (limits == NULL)
        return model_null(TVD_DETAIL_LIMITS);
    const limit_rule rules[] = {
        { limits->max_results, 65536, TVD_DETAIL_MAX_RESULTS },
        { limits->max_result_bytes, 16u << 20, TVD_DETAIL_MAX_RESULT_BYTES },
        { limits->max_total_bytes, 256u << 20, TVD_DETAIL_MAX_TOTAL_BYTES },
        { limits->max_aggregate_items, 65536, TVD_DETAIL_MAX_AGGREGATE_ITEMS },
        { limits->max_aggregate_bytes, 256u << 20, TVD_DETAIL_MAX_AGGREGATE_BYTES },
    };
    tvd_error error = check_zeros(rules, 5);
    if (error.status == TVD_OK)
        error = check_maxima(rules, 5, TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM);
    if (error.status == TVD_OK && limits->max_result_bytes > limits->max_total_bytes)
        error = model_error_detail(TVD_ERROR_INVALID_LIMIT_RELATIONSHIP,
                                   TVD_DETAIL_MAX_RESULT_BYTES_EXCEEDS_MAX_TOTAL_BYTES);
    return error;
}

/* A test that runs out of memory has proved nothing and stops. */
static void *allocate(uint64_t count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

model *model_create(const tvd_limits *limits, model_fault fault)
{
    model *m = allocate(1, sizeof *m);
    m->limits = *limits;
    m->next_ordinal = 1;
    m->next_lease_id = 1;
    m->fault = fault;
    m->tasks = allocate(limits->max_task_records, sizeof *m->tasks);
    m->workers = allocate(limits->max_workers, sizeof *m->workers);
    return m;
}

model *model_clone(const model *m)
{
    model *copy = model_create(&m->limits, m->fault);
    model_assign(copy, m);
    return copy;
}

void model_assign(model *to, const model *from)
{
    model_task *tasks = to->tasks;
    tvd_worker *workers = to->workers;
    *to = *from;
    to->tasks = tasks;
    to->workers = workers;
    memcpy(tasks, from->tasks, from->task_count * sizeof *tasks);
    memcpy(workers, from->workers, from->worker_count * sizeof *workers);
}

void model_free(model *m)
{
    free(m->tasks);
    free(m->workers);
    free(m);
}

model_aggregator *model_aggregator_create(const tvd_result_limits *limits, model_fault fault)
{
    model_aggregator *a = allocate(1, sizeof *a);
    a->limits = *limits;
    a->fault = fault;
    a->results = allocate(limits->max_results, sizeof *a->results);
    return a;
}

void model_aggregator_free(model_aggregator *a)
{
    for (size_t i = 0; i < a->result_count; i++)
        free(a->results[i].bytes);
    free(a->results);
    free(a);
}
