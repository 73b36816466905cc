/* Section 8 of the contract: results. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

static model_result *find(model_aggregator *a, const char *task_id)
{
    for (size_t i = 0; i < a->result_count; i++) {
        if (strcmp(a->results[i].receipt.task_id, task_id) == 0)
            return &a->results[i];
    }
    return NULL;
}

uint64_t model_total_bytes(const model_aggregator *a)
{
    uint64_t total = 0;
    for (size_t i = 0; i < a->result_count; i++)
        total += a->results[i].size;
    return total;
}

static tvd_error over_limit(tvd_status status, uint64_t actual, uint64_t limit)
{
    tvd_error error = model_error_limit(status, limit);
    error.actual = actual;
    return error;
}

static bool receipt_equal(const model_receipt *a, const model_receipt *b)
{
    return strcmp(a->task_id, b->task_id) == 0 && a->task_generation == b->task_generation &&
           a->attempt == b->attempt && a->lease_id == b->lease_id && strcmp(a->worker_id, b->worker_id) == 0 &&
           a->worker_generation == b->worker_generation && a->record_version == b->record_version;
}

static tvd_error check_store_arguments(const model_aggregator *a, const uint64_t *revision,
                                       const model_receipt *receipt, const void *bytes, size_t size)
{
    if (a == NULL)
        return model_null(TVD_DETAIL_AGGREGATOR);
    if (revision == NULL)
        return model_null(TVD_DETAIL_REVISION);
    if (receipt == NULL)
        return model_null(TVD_DETAIL_RECEIPT);
    if (bytes == NULL && size > 0)
        return model_null(TVD_DETAIL_BYTES);
    if (!model_id_valid(receipt->task_id) || !model_id_valid(receipt->worker_id))
        return model_error_detail(TVD_ERROR_INVALID_ARGUMENT, TVD_DETAIL_RECEIPT);
    if (*revision != a->revision) {
        tvd_error error = model_error(TVD_ERROR_REVISION_CONFLICT);
        error.expected = *revision;
        error.actual = a->revision;
        return error;
    }
    return model_ok();
}

static tvd_error check_occupied(const model_aggregator *a, const model_result *stored,
                                const model_receipt *receipt, const void *bytes, size_t size)
{
    if (!receipt_equal(&stored->receipt, receipt))
        return model_error_id(TVD_ERROR_MISMATCHED_RESULT_RECEIPT, receipt->task_id);
    bool same_bytes = stored->size == size && (size == 0 || memcmp(stored->bytes, bytes, size) == 0);
    if (!same_bytes || (size == 0 && a->fault == MODEL_FAULT_EMPTY_RESULT_REFUSED))
        return model_error_id(TVD_ERROR_CONFLICTING_RESULT, receipt->task_id);
    return model_ok();
}

static tvd_error check_room(const model_aggregator *a, size_t size)
{
    if (size > a->limits.max_result_bytes)
        return over_limit(TVD_ERROR_RESULT_TOO_LARGE, size, a->limits.max_result_bytes);
    if (a->result_count >= a->limits.max_results)
        return model_error_limit(TVD_ERROR_RESULT_CAPACITY_REACHED, a->limits.max_results);
    uint64_t total = model_total_bytes(a) + size;
    if (total > a->limits.max_total_bytes)
        return over_limit(TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED, total, a->limits.max_total_bytes);
    if (a->revision == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_RESULT_REVISION);
    return model_ok();
}

static void keep(model_aggregator *a, const model_receipt *receipt, const void *bytes, size_t size)
{
    model_result *added = &a->results[a->result_count++];
    added->receipt = *receipt;
    added->size = size;
    added->bytes = malloc(size > 0 ? size : 1);
    if (added->bytes == NULL)
        abort();
    if (size > 0)
        memcpy(added->bytes, bytes, size);
    a->revision += 1;
}

tvd_error model_store_result(model_aggregator *a, uint64_t *revision, const model_receipt *receipt,
                             const void *bytes, size_t size, tvd_store_outcome *outcome)
{
    tvd_error error = check_store_arguments(a, revision, receipt, bytes, size);
    if (error.status != TVD_OK)
        return error;
    tvd_store_outcome done = TVD_ALREADY_STORED;
    const model_result *stored = find(a, receipt->task_id);
    if (stored != NULL) {
        error = check_occupied(a, stored, receipt, bytes, size);
        if (error.status != TVD_OK)
            return error;
    } else {
        error = check_room(a, size);
        if (error.status != TVD_OK)
            return error;
        keep(a, receipt, bytes, size);
        done = TVD_STORED;
    }
    *revision = a->revision;
    if (outcome != NULL)
        *outcome = done;
    return model_ok();
}

static tvd_error check_aggregate_arguments(const model_aggregator *a, const char *const *task_ids, size_t count,
                                           bool has_place)
{
    if (a == NULL)
        return model_null(TVD_DETAIL_AGGREGATOR);
    if (task_ids == NULL && count > 0)
        return model_null(TVD_DETAIL_TASK_IDS);
    if (!has_place)
        return model_null(TVD_DETAIL_AGGREGATE);
    if (count > TVD_MAX_AGGREGATE_ITEMS)
        return over_limit(TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, count, TVD_MAX_AGGREGATE_ITEMS);
    if (count > a->limits.max_aggregate_items)
        return over_limit(TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, count, a->limits.max_aggregate_items);
    for (size_t i = 0; i < count; i++) {
        if (task_ids[i] == NULL || !model_id_valid(task_ids[i]))
            return model_error_detail(TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
    }
    return model_ok();
}

static bool asked_before(const char *const *task_ids, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(task_ids[i], task_ids[index]) == 0)
            return true;
    }
    return false;
}

tvd_error model_aggregate_results(model_aggregator *a, const char *const *task_ids, size_t count,
                                  model_item *items, bool has_place)
{
    tvd_error error = check_aggregate_arguments(a, task_ids, count, has_place);
    if (error.status != TVD_OK)
        return error;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const model_result *stored = find(a, task_ids[i]);
        if (asked_before(task_ids, i))
            return model_error_id(TVD_ERROR_DUPLICATE_AGGREGATE_TASK, task_ids[i]);
        if (stored == NULL)
            return model_error_id(TVD_ERROR_MISSING_RESULT, task_ids[i]);
        total += stored->size;
        if (total > a->limits.max_aggregate_bytes)
            return over_limit(TVD_ERROR_AGGREGATE_BYTES_EXCEEDED, total, a->limits.max_aggregate_bytes);
        items[i].task_id = stored->receipt.task_id;
        items[i].bytes = stored->bytes;
        items[i].size = stored->size;
    }
    return model_ok();
}

tvd_error model_get_result(model_aggregator *a, const char *task_id, bool has_place, model_item *item,
                           bool *found)
{
    if (a == NULL)
        return model_null(TVD_DETAIL_AGGREGATOR);
    if (task_id == NULL)
        return model_null(TVD_DETAIL_TASK_ID);
    if (!has_place)
        return model_null(TVD_DETAIL_RESULT);
    if (!model_id_valid(task_id))
        return model_error_detail(TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
    const model_result *stored = find(a, task_id);
    *found = stored != NULL;
    if (stored != NULL) {
        item->task_id = stored->receipt.task_id;
        item->bytes = stored->bytes;
        item->size = stored->size;
    }
    return model_ok();
}
