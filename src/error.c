#include "error.h"

#include "text.h"

#include <string.h>

/* Every status: its stable name, and its sentence with the members of tvd_error in braces. */
static const struct {
    const char *name;
    const char *sentence;
} statuses[] = {
    [TVD_OK] = { "ok", "no error" },
    [TVD_ERROR_INVALID_ARGUMENT] = { "invalid_argument", "argument {detail} is null or holds nothing valid" },
    [TVD_ERROR_OUT_OF_MEMORY] = { "out_of_memory", "out of memory" },
    [TVD_ERROR_STATE_INVARIANT] = { "state_invariant", "the state is damaged: {detail}" },
    [TVD_ERROR_INVALID_LIMIT] = { "invalid_limit", "{detail} is 0" },
    [TVD_ERROR_INVALID_LIMIT_RELATIONSHIP] = { "invalid_limit_relationship",
                                               "the limits do not fit together: {detail}" },
    [TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM] = { "count_limit_exceeds_maximum",
                                                "limit {detail} of {actual} is over the absolute maximum of "
                                                "{limit}" },
    [TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM] = { "time_limit_exceeds_maximum",
                                               "limit {detail} of {actual} seconds is over the absolute "
                                               "maximum of {limit}" },
    [TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM] = { "retry_limit_exceeds_maximum",
                                                "limit max_retries of {actual} is over the absolute maximum of "
                                                "{limit}" },
    [TVD_ERROR_INVALID_TASK] = { "invalid_task", "the task is invalid: {detail}" },
    [TVD_ERROR_INVALID_WORKER] = { "invalid_worker", "the worker is invalid: {detail}" },
    [TVD_ERROR_REVISION_CONFLICT] = { "revision_conflict", "the command expected revision {expected}, but the "
                                                           "revision is {actual}" },
    [TVD_ERROR_LOGICAL_TIME_REGRESSION] = { "logical_time_regression", "the command acts at second {expected}, "
                                                                       "but it is second {actual} already" },
    [TVD_ERROR_COUNTER_EXHAUSTED] = { "counter_exhausted", "counter {detail} is at its end" },
    [TVD_ERROR_TASK_ALREADY_EXISTS] = { "task_already_exists", "task \"{identifier}\" exists already" },
    [TVD_ERROR_TASK_NOT_FOUND] = { "task_not_found", "task \"{identifier}\" is not known" },
    [TVD_ERROR_TASK_NOT_QUEUED] = { "task_not_queued", "task \"{identifier}\" is {task_status}, not queued" },
    [TVD_ERROR_INVALID_TRANSITION] = { "invalid_transition", "task \"{identifier}\" is {task_status} and "
                                                             "cannot {operation} before it is started" },
    [TVD_ERROR_STALE_OWNERSHIP] = { "stale_ownership", "the token does not hold task \"{identifier}\": the "
                                                       "task ended, was requeued, or is held by another" },
    [TVD_ERROR_LEASE_EXPIRED] = { "lease_expired", "the lease of task \"{identifier}\" is over" },
    [TVD_ERROR_NO_QUEUED_TASK] = { "no_queued_task", "no task is queued" },
    [TVD_ERROR_TASK_RECORD_CAPACITY_REACHED] = { "task_record_capacity_reached",
                                                 "all {limit} places for task records are taken" },
    [TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED] = { "active_task_capacity_reached",
                                                 "all {limit} places for active tasks are taken" },
    [TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED] = { "queued_task_capacity_reached",
                                                 "the queue has no more room: its limit is {limit}" },
    [TVD_ERROR_TERMINAL_CAPACITY_RESERVED] = { "terminal_capacity_reserved",
                                               "all {limit} places for ended tasks are taken or reserved" },
    [TVD_ERROR_WORKER_ALREADY_EXISTS] = { "worker_already_exists",
                                          "worker \"{identifier}\" is registered already" },
    [TVD_ERROR_WORKER_NOT_FOUND] = { "worker_not_found", "worker \"{identifier}\" is not known" },
    [TVD_ERROR_WORKER_GENERATION_CONFLICT] = { "worker_generation_conflict",
                                               "the command expected worker generation {expected}, but it is "
                                               "{actual}" },
    [TVD_ERROR_WORKER_UNAVAILABLE] = { "worker_unavailable", "the status or the last heartbeat of worker "
                                                             "\"{identifier}\" forbids this" },
    [TVD_ERROR_WORKER_AT_CAPACITY] = { "worker_at_capacity",
                                       "worker \"{identifier}\" has no free slot under its load" },
    [TVD_ERROR_WORKER_CAPACITY_REACHED] = { "worker_capacity_reached",
                                            "all {limit} places for workers are taken" },
    [TVD_ERROR_NO_AVAILABLE_WORKER] = { "no_available_worker", "no worker is available" },
    [TVD_ERROR_CONFLICTING_RESULT] = { "conflicting_result", "another result of task \"{identifier}\" is "
                                                             "stored for the same receipt" },
    [TVD_ERROR_MISMATCHED_RESULT_RECEIPT] = { "mismatched_result_receipt", "a result of task \"{identifier}\" "
                                                                           "is stored for another receipt" },
    [TVD_ERROR_RESULT_CAPACITY_REACHED] = { "result_capacity_reached",
                                            "all {limit} places for results are taken" },
    [TVD_ERROR_RESULT_TOO_LARGE] = { "result_too_large",
                                     "the result has {actual} bytes, over the limit of {limit}" },
    [TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED] = { "total_result_bytes_exceeded",
                                                "all results would have {actual} bytes, over the limit of "
                                                "{limit}" },
    [TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED] = { "aggregate_item_limit_exceeded",
                                                  "the aggregate would have {actual} items, over the limit of "
                                                  "{limit}" },
    [TVD_ERROR_AGGREGATE_BYTES_EXCEEDED] = { "aggregate_bytes_exceeded", "the aggregate would have {actual} "
                                                                         "bytes, over the limit of {limit}" },
    [TVD_ERROR_DUPLICATE_AGGREGATE_TASK] = { "duplicate_aggregate_task",
                                             "task \"{identifier}\" is asked for twice" },
    [TVD_ERROR_MISSING_RESULT] = { "missing_result", "no result of task \"{identifier}\" is stored" },
};

static const char *const detail_names[] = {
    [TVD_DETAIL_NONE] = "none",
    [TVD_DETAIL_POOL] = "pool",
    [TVD_DETAIL_QUEUE] = "queue",
    [TVD_DETAIL_AGGREGATOR] = "aggregator",
    [TVD_DETAIL_ALLOCATE] = "allocate",
    [TVD_DETAIL_RELEASE] = "release",
    [TVD_DETAIL_LIMITS] = "limits",
    [TVD_DETAIL_CURSOR] = "cursor",
    [TVD_DETAIL_REVISION] = "revision",
    [TVD_DETAIL_SPEC] = "spec",
    [TVD_DETAIL_OBSERVATION] = "observation",
    [TVD_DETAIL_TASK_ID] = "task_id",
    [TVD_DETAIL_SCAN_ID] = "scan_id",
    [TVD_DETAIL_TARGET_REF] = "target_ref",
    [TVD_DETAIL_PHASES] = "phases",
    [TVD_DETAIL_WORKER_ID] = "worker_id",
    [TVD_DETAIL_LEASE] = "lease",
    [TVD_DETAIL_OWNERSHIP] = "ownership",
    [TVD_DETAIL_RECEIPT] = "receipt",
    [TVD_DETAIL_BYTES] = "bytes",
    [TVD_DETAIL_TASK] = "task",
    [TVD_DETAIL_TASKS] = "tasks",
    [TVD_DETAIL_TASK_IDS] = "task_ids",
    [TVD_DETAIL_WORKER] = "worker",
    [TVD_DETAIL_WORKERS] = "workers",
    [TVD_DETAIL_FOUND] = "found",
    [TVD_DETAIL_COUNT] = "count",
    [TVD_DETAIL_SNAPSHOT] = "snapshot",
    [TVD_DETAIL_RESULT] = "result",
    [TVD_DETAIL_AGGREGATE] = "aggregate",
    [TVD_DETAIL_NEXT] = "next",
    [TVD_DETAIL_TASK_ID_INVALID] = "task_id_invalid",
    [TVD_DETAIL_TASK_ID_EMPTY] = "task_id_empty",
    [TVD_DETAIL_TASK_ID_TOO_LONG] = "task_id_too_long",
    [TVD_DETAIL_TASK_ID_UNSAFE] = "task_id_unsafe",
    [TVD_DETAIL_SCAN_ID_EMPTY] = "scan_id_empty",
    [TVD_DETAIL_SCAN_ID_TOO_LONG] = "scan_id_too_long",
    [TVD_DETAIL_SCAN_ID_UNSAFE] = "scan_id_unsafe",
    [TVD_DETAIL_TARGET_REF_EMPTY] = "target_ref_empty",
    [TVD_DETAIL_TARGET_REF_TOO_LONG] = "target_ref_too_long",
    [TVD_DETAIL_PHASES_TOO_MANY] = "phases_too_many",
    [TVD_DETAIL_PRIORITY_INVALID] = "priority_invalid",
    [TVD_DETAIL_WORKER_ID_INVALID] = "worker_id_invalid",
    [TVD_DETAIL_CAPACITY_ZERO] = "capacity_zero",
    [TVD_DETAIL_CAPACITY_TOO_LARGE] = "capacity_too_large",
    [TVD_DETAIL_UTILIZATION_TOO_LARGE] = "utilization_too_large",
    [TVD_DETAIL_TAGS_INVALID] = "tags_invalid",
    [TVD_DETAIL_STATUS_OFFLINE] = "status_offline",
    [TVD_DETAIL_STATUS_INVALID] = "status_invalid",
    [TVD_DETAIL_MAX_TASK_RECORDS] = "max_task_records",
    [TVD_DETAIL_MAX_ACTIVE_TASKS] = "max_active_tasks",
    [TVD_DETAIL_MAX_QUEUED_TASKS] = "max_queued_tasks",
    [TVD_DETAIL_MAX_TERMINAL_TASKS] = "max_terminal_tasks",
    [TVD_DETAIL_MAX_WORKERS] = "max_workers",
    [TVD_DETAIL_MAX_LEASE_TTL_SECS] = "max_lease_ttl_secs",
    [TVD_DETAIL_MAX_TASK_TTL_SECS] = "max_task_ttl_secs",
    [TVD_DETAIL_HEARTBEAT_TIMEOUT_SECS] = "heartbeat_timeout_secs",
    [TVD_DETAIL_MAX_RESULTS] = "max_results",
    [TVD_DETAIL_MAX_RESULT_BYTES] = "max_result_bytes",
    [TVD_DETAIL_MAX_TOTAL_BYTES] = "max_total_bytes",
    [TVD_DETAIL_MAX_AGGREGATE_ITEMS] = "max_aggregate_items",
    [TVD_DETAIL_MAX_AGGREGATE_BYTES] = "max_aggregate_bytes",
    [TVD_DETAIL_LEASE_TTL_SECS] = "lease_ttl_secs",
    [TVD_DETAIL_TASK_TTL_SECS] = "task_ttl_secs",
    [TVD_DETAIL_MAX_ACTIVE_TASKS_EXCEEDS_MAX_TASK_RECORDS] = "max_active_tasks_exceeds_max_task_records",
    [TVD_DETAIL_MAX_QUEUED_TASKS_EXCEEDS_MAX_ACTIVE_TASKS] = "max_queued_tasks_exceeds_max_active_tasks",
    [TVD_DETAIL_MAX_TERMINAL_TASKS_EXCEEDS_MAX_TASK_RECORDS] = "max_terminal_tasks_exceeds_max_task_records",
    [TVD_DETAIL_MAX_TERMINAL_TASKS_BELOW_MAX_ACTIVE_TASKS] = "max_terminal_tasks_below_max_active_tasks",
    [TVD_DETAIL_MAX_RESULT_BYTES_EXCEEDS_MAX_TOTAL_BYTES] = "max_result_bytes_exceeds_max_total_bytes",
    [TVD_DETAIL_LEASE_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM] = "lease_ttl_secs_exceeds_configured_maximum",
    [TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM] = "task_ttl_secs_exceeds_configured_maximum",
    [TVD_DETAIL_ENQUEUE_ORDINAL] = "enqueue_ordinal",
    [TVD_DETAIL_LEASE_ID] = "lease_id",
    [TVD_DETAIL_LEASE_DEADLINE] = "lease_deadline",
    [TVD_DETAIL_WORKER_GENERATION] = "worker_generation",
    [TVD_DETAIL_WORKER_COMPLETED_TASKS] = "worker_completed_tasks",
    [TVD_DETAIL_RESULT_REVISION] = "result_revision",
    [TVD_DETAIL_BOUND_EXCEEDED] = "bound_exceeded",
    [TVD_DETAIL_COUNT_DISAGREES] = "count_disagrees",
    [TVD_DETAIL_COUNTER_OUT_OF_RANGE] = "counter_out_of_range",
    [TVD_DETAIL_TASK_INDEX_BROKEN] = "task_index_broken",
    [TVD_DETAIL_WORKER_INDEX_BROKEN] = "worker_index_broken",
    [TVD_DETAIL_SELECTION_INDEX_BROKEN] = "selection_index_broken",
    [TVD_DETAIL_LEASE_INDEX_BROKEN] = "lease_index_broken",
    [TVD_DETAIL_HEARTBEAT_LIST_BROKEN] = "heartbeat_list_broken",
    [TVD_DETAIL_ACTIVE_LIST_BROKEN] = "active_list_broken",
    [TVD_DETAIL_QUEUE_BROKEN] = "queue_broken",
    [TVD_DETAIL_WORKER_LEASES_BROKEN] = "worker_leases_broken",
    [TVD_DETAIL_TASK_RECORD_BROKEN] = "task_record_broken",
    [TVD_DETAIL_WORKER_RECORD_BROKEN] = "worker_record_broken",
    [TVD_DETAIL_RESULT_INDEX_BROKEN] = "result_index_broken",
};

static const char *const task_status_names[] = {
    [TVD_TASK_STATUS_QUEUED] = "queued",   [TVD_TASK_STATUS_LEASED] = "leased",
    [TVD_TASK_STATUS_RUNNING] = "running", [TVD_TASK_STATUS_COMPLETED] = "completed",
    [TVD_TASK_STATUS_FAILED] = "failed",   [TVD_TASK_STATUS_CANCELLED] = "cancelled",
    [TVD_TASK_STATUS_EXPIRED] = "expired",
};

static const char *const task_priority_names[] = {
    [TVD_TASK_PRIORITY_LOW] = "low",
    [TVD_TASK_PRIORITY_NORMAL] = "normal",
    [TVD_TASK_PRIORITY_HIGH] = "high",
    [TVD_TASK_PRIORITY_CRITICAL] = "critical",
};

static const char *const worker_status_names[] = {
    [TVD_WORKER_STATUS_HEALTHY] = "healthy",
    [TVD_WORKER_STATUS_BUSY] = "busy",
    [TVD_WORKER_STATUS_DEGRADED] = "degraded",
    [TVD_WORKER_STATUS_OFFLINE] = "offline",
};

static const char *const worker_tag_names[] = {
    [TVD_WORKER_TAG_LINUX] = "linux",       [TVD_WORKER_TAG_WINDOWS] = "windows",
    [TVD_WORKER_TAG_GPU] = "gpu",           [TVD_WORKER_TAG_INTERNAL] = "internal",
    [TVD_WORKER_TAG_EXTERNAL] = "external",
};

static const char *const operation_names[] = {
    [TVD_OPERATION_NONE] = "none",
    [TVD_OPERATION_COMPLETE] = "complete",
    [TVD_OPERATION_FAIL] = "fail",
};

static const char *const ownership_kind_names[] = {
    [TVD_OWNERSHIP_NONE] = "none",
    [TVD_OWNERSHIP_QUEUED_FENCE] = "queued_fence",
    [TVD_OWNERSHIP_LEASE] = "lease",
};

static const char *const start_kind_names[] = {
    [TVD_STARTED] = "started",
    [TVD_ALREADY_RUNNING] = "already_running",
};

static const char *const completion_kind_names[] = {
    [TVD_COMPLETED] = "completed",
    [TVD_ALREADY_COMPLETED] = "already_completed",
};

static const char *const failure_kind_names[] = {
    [TVD_REQUEUED] = "requeued",
    [TVD_RETRY_EXHAUSTED] = "retry_exhausted",
};

static const char *const cancellation_kind_names[] = {
    [TVD_CANCELLED] = "cancelled",
    [TVD_ALREADY_CANCELLED] = "already_cancelled",
};

static const char *const store_outcome_names[] = {
    [TVD_STORED] = "stored",
    [TVD_ALREADY_STORED] = "already_stored",
};

/* Values come from outside and may be anything; a table may have holes. */
static const char *name_of(const char *const *names, size_t count, unsigned value)
{
    return value < count && names[value] != NULL ? names[value] : "unknown";
}

const char *tvd_status_name(tvd_status status)
{
    return (unsigned)status < sizeof statuses / sizeof statuses[0] ? statuses[status].name : "unknown";
}

const char *tvd_detail_name(tvd_detail detail)
{
    return name_of(detail_names, sizeof detail_names / sizeof detail_names[0], (unsigned)detail);
}

const char *tvd_task_status_name(tvd_task_status status)
{
    return name_of(task_status_names, sizeof task_status_names / sizeof task_status_names[0], (unsigned)status);
}

const char *tvd_task_priority_name(tvd_task_priority priority)
{
    return name_of(task_priority_names, sizeof task_priority_names / sizeof task_priority_names[0],
                   (unsigned)priority);
}

const char *tvd_worker_status_name(tvd_worker_status status)
{
    return name_of(worker_status_names, sizeof worker_status_names / sizeof worker_status_names[0],
                   (unsigned)status);
}

const char *tvd_worker_tag_name(tvd_worker_tag tag)
{
    return name_of(worker_tag_names, sizeof worker_tag_names / sizeof worker_tag_names[0], (unsigned)tag);
}

const char *tvd_operation_name(tvd_operation operation)
{
    return name_of(operation_names, sizeof operation_names / sizeof operation_names[0], (unsigned)operation);
}

const char *tvd_ownership_kind_name(tvd_ownership_kind kind)
{
    return name_of(ownership_kind_names, sizeof ownership_kind_names / sizeof ownership_kind_names[0],
                   (unsigned)kind);
}

const char *tvd_start_kind_name(tvd_start_kind kind)
{
    return name_of(start_kind_names, sizeof start_kind_names / sizeof start_kind_names[0], (unsigned)kind);
}

const char *tvd_completion_kind_name(tvd_completion_kind kind)
{
    return name_of(completion_kind_names, sizeof completion_kind_names / sizeof completion_kind_names[0],
                   (unsigned)kind);
}

const char *tvd_failure_kind_name(tvd_failure_kind kind)
{
    return name_of(failure_kind_names, sizeof failure_kind_names / sizeof failure_kind_names[0],
                   (unsigned)kind);
}

const char *tvd_cancellation_kind_name(tvd_cancellation_kind kind)
{
    return name_of(cancellation_kind_names, sizeof cancellation_kind_names / sizeof cancellation_kind_names[0],
                   (unsigned)kind);
}

const char *tvd_store_outcome_name(tvd_store_outcome outcome)
{
    return name_of(store_outcome_names, sizeof store_outcome_names / sizeof store_outcome_names[0],
                   (unsigned)outcome);
}

tvd_status tvd_fail(tvd_error *error, tvd_status status)
{
    if (error != NULL) {
        memset(error, 0, sizeof *error);
        error->status = status;
    }
    return status;
}

tvd_status tvd_fail_detail(tvd_error *error, tvd_status status, tvd_detail detail)
{
    return tvd_fail_excess(error, status, detail, 0, 0);
}

tvd_status tvd_fail_argument(tvd_error *error, tvd_detail parameter)
{
    return tvd_fail_detail(error, TVD_ERROR_INVALID_ARGUMENT, parameter);
}

tvd_status tvd_fail_conflict(tvd_error *error, tvd_status status, uint64_t expected, uint64_t actual)
{
    tvd_fail(error, status);
    if (error != NULL) {
        error->expected = expected;
        error->actual = actual;
    }
    return status;
}

tvd_status tvd_fail_limit(tvd_error *error, tvd_status status, uint64_t limit)
{
    return tvd_fail_excess(error, status, TVD_DETAIL_NONE, 0, limit);
}

tvd_status tvd_fail_excess(tvd_error *error, tvd_status status, tvd_detail detail, uint64_t actual,
                           uint64_t limit)
{
    tvd_fail(error, status);
    if (error != NULL) {
        error->detail = detail;
        error->actual = actual;
        error->limit = limit;
    }
    return status;
}

tvd_status tvd_fail_identifier(tvd_error *error, tvd_status status, const char *identifier)
{
    return tvd_fail_task_status(error, status, identifier, (tvd_task_status)0, TVD_OPERATION_NONE);
}

tvd_status tvd_fail_task_status(tvd_error *error, tvd_status status, const char *task_id,
                                tvd_task_status task_status, tvd_operation operation)
{
    tvd_fail(error, status);
    if (error != NULL) {
        memcpy(error->identifier, task_id, strlen(task_id));
        error->task_status = task_status;
        error->operation = operation;
    }
    return status;
}

/* Writes the member of an error that a sentence names in braces. */
static void write_member(struct tvd_text *text, const tvd_error *error, const char *member, size_t size)
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = { { "expected", error->expected }, { "actual", error->actual }, { "limit", error->limit } };
    const struct {
        const char *name;
        const char *value;
    } words[] = { { "detail", tvd_detail_name(error->detail) },
                  { "task_status", tvd_task_status_name(error->task_status) },
                  { "operation", tvd_operation_name(error->operation) } };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strncmp(numbers[i].name, member, size) == 0)
            tvd_text_number(text, numbers[i].value);
    }
    if (strncmp("identifier", member, size) == 0)
        tvd_text_identifier(text, error->identifier);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(words[i].name, member, size) == 0)
            tvd_text_string(text, words[i].value);
    }
}

size_t tvd_error_format(const tvd_error *error, char *buffer, size_t size)
{
    static const tvd_error none;
    struct tvd_text text;
    const char *sentence;

    tvd_text_begin(&text, buffer, size);
    if (error == NULL)
        error = &none;
    if ((unsigned)error->status >= sizeof statuses / sizeof statuses[0]) {
        tvd_text_string(&text, "an error of an unknown kind");
        return text.length;
    }
    sentence = statuses[error->status].sentence;
    while (*sentence != '\0') {
        size_t plain = strcspn(sentence, "{");
        const char *member = sentence + plain;

        tvd_text_bytes(&text, sentence, plain);
        if (*member == '\0')
            break;
        write_member(&text, error, member + 1, strcspn(member + 1, "}"));
        sentence = member + strcspn(member, "}") + 1;
    }
    return text.length;
}
