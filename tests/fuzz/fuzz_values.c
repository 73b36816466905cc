/*
 * Getters, names and sentences on structures full of any bytes: every text ends, every name is there, and limits
 * that are found valid make a coordinator.
 */
#include <termivar/distributed.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__LINE__, #condition))

static _Noreturn void check_failed(int line, const char *condition)
{
    fprintf(stderr, "fuzz_values.c:%d: failed: %s\n", line, condition);
    abort();
}

/* The bytes over and over, as often as they fit. */
static void fill(void *value, size_t value_size, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < value_size; i++)
        ((unsigned char *)value)[i] = data[i % size];
}

/* The length of a text is the same whatever room there is, and what there is room for is its beginning. */
static void check_error_text(const uint8_t *data, size_t size)
{
    tvd_error *error = malloc(sizeof *error);
    char text[2048];
    size_t length;

    CHECK(error != NULL);
    fill(error, sizeof *error, data, size);
    if (size > 2) /* The known statuses and details more often than chance would. */
        error->status = (tvd_status)(data[0] % 48), error->detail = (tvd_detail)(data[1] % 96);
    length = tvd_error_format(error, text, sizeof text);
    CHECK(length < sizeof text && strlen(text) == length);
    for (size_t room = 0; room <= length + 1; room++) {
        char *small = malloc(room > 0 ? room : 1);
        size_t fitting = room > length ? length : room - 1;

        CHECK(small != NULL && tvd_error_format(error, small, room) == length);
        if (room > 0)
            CHECK(memcmp(small, text, fitting) == 0 && small[fitting] == '\0');
        free(small);
    }
    CHECK(tvd_error_format(error, NULL, 0) == length);
    free(error);
}

static void check_text(const char *text)
{
    CHECK(text != NULL && strlen(text) <= TVD_MAX_IDENTIFIER_BYTES);
}

static void check_ownership(const tvd_task_ownership *ownership)
{
    const tvd_task_lease *lease = tvd_task_ownership_lease(ownership);
    const tvd_queued_task_fence *fence = tvd_task_ownership_fence(ownership);
    tvd_ownership_kind kind = tvd_task_ownership_kind(ownership);

    CHECK((lease != NULL) == (kind == TVD_OWNERSHIP_LEASE));
    CHECK((fence != NULL) == (kind == TVD_OWNERSHIP_QUEUED_FENCE));
    check_text(tvd_task_lease_task_id(lease));
    check_text(tvd_task_lease_worker_id(lease));
    check_text(tvd_queued_task_fence_task_id(fence));
}

static void check_tokens(const uint8_t *data, size_t size)
{
    tvd_task_ownership *ownership = malloc(sizeof *ownership);
    tvd_completion_receipt *receipt = malloc(sizeof *receipt);

    CHECK(ownership != NULL && receipt != NULL);
    fill(ownership, sizeof *ownership, data, size);
    check_ownership(ownership);
    for (uint64_t kind = 0; kind < 4; kind++) {
        memcpy(ownership, &kind, sizeof kind); /* The kind comes first. */
        check_ownership(ownership);
    }
    fill(receipt, sizeof *receipt, data, size);
    check_text(tvd_completion_receipt_task_id(receipt));
    check_text(tvd_completion_receipt_worker_id(receipt));
    free(receipt);
    free(ownership);
}

static void check_task(const uint8_t *data, size_t size)
{
    tvd_task *task = malloc(sizeof *task);
    tvd_task_ownership ownership;

    CHECK(task != NULL);
    fill(task, sizeof *task, data, size);
    for (unsigned status = 0; status < 9; status++) {
        memcpy(&task->status, &status, sizeof task->status);
        if (tvd_task_ownership_of(task, &ownership))
            check_ownership(&ownership);
    }
    free(task);
}

static void check_names(const uint8_t *data, size_t size)
{
    int value = 0;

    memcpy(&value, data, size < sizeof value ? size : sizeof value);
    check_text(tvd_status_name((tvd_status)value));
    check_text(tvd_detail_name((tvd_detail)value));
    check_text(tvd_task_status_name((tvd_task_status)value));
    check_text(tvd_task_priority_name((tvd_task_priority)value));
    check_text(tvd_worker_status_name((tvd_worker_status)value));
    check_text(tvd_worker_tag_name((tvd_worker_tag)value));
    check_text(tvd_operation_name((tvd_operation)value));
    check_text(tvd_ownership_kind_name((tvd_ownership_kind)value));
    check_text(tvd_start_kind_name((tvd_start_kind)value));
    check_text(tvd_completion_kind_name((tvd_completion_kind)value));
    check_text(tvd_failure_kind_name((tvd_failure_kind)value));
    check_text(tvd_cancellation_kind_name((tvd_cancellation_kind)value));
    check_text(tvd_store_outcome_name((tvd_store_outcome)value));
}

/* Validation and creation agree, whatever the limits are. */
static void check_limits(const uint8_t *data, size_t size)
{
    tvd_limits limits;
    tvd_result_limits result_limits;
    tvd_worker_pool *pool = NULL;
    tvd_result_aggregator *results = NULL;
    tvd_status status;

    fill(&limits, sizeof limits, data, size);
    for (size_t i = 0; i < 8 && size > 8; i++) /* Large ones are refused at once; these may pass. */
        ((uint64_t *)(void *)&limits)[i] &= UINT64_MAX >> (data[8] % 64);
    status = tvd_limits_validate(&limits, NULL);
    CHECK(tvd_worker_pool_create(&limits, NULL, &pool, NULL) == status && (pool != NULL) == (status == TVD_OK));
    CHECK((tvd_limits_max_retained_bytes(&limits) > 0) == (status == TVD_OK));
    CHECK(tvd_worker_pool_retained_bytes(pool) <= tvd_limits_max_retained_bytes(&limits));
    tvd_worker_pool_release(pool);

    fill(&result_limits, sizeof result_limits, data, size);
    status = tvd_result_limits_validate(&result_limits, NULL);
    CHECK(tvd_result_aggregator_create(&result_limits, NULL, &results, NULL) == status);
    CHECK((results != NULL) == (status == TVD_OK));
    CHECK((tvd_result_limits_max_retained_bytes(&result_limits) > 0) == (status == TVD_OK));
    CHECK(tvd_result_aggregator_retained_bytes(results) <=
          tvd_result_limits_max_retained_bytes(&result_limits));
    tvd_result_aggregator_release(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    check_error_text(data, size);
    check_tokens(data, size);
    check_task(data, size);
    check_names(data, size);
    check_limits(data, size);
    return 0;
}
