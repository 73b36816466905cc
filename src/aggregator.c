/*
 * The result aggregator: results stored by receipt. It knows tokens and nothing of tasks and workers. Contract:
 * section 8.
 *
 * A stored result never changes and never goes before its aggregator. So bytes are copied without the mutex, and only
 * store_result calls the allocator under it.
 */
#include "error.h"
#include "guard.h"
#include "ids.h"
#include "memory.h"
#include "ordered_map.h"
#include "result.h"

#include <assert.h>
#include <string.h>

struct stored_result {
    struct tvd_map_node by_task_id;
    uint64_t asked_by; /* the last aggregate request that named it: how a repetition is noticed */

    /* The receipt, but for its identifiers. */
    uint64_t task_generation;
    uint64_t lease_id;
    uint64_t worker_generation;
    uint64_t record_version;
    uint32_t attempt;

    uint16_t task_id_size;
    uint16_t worker_id_size;
    size_t size;
    char text[]; /* task ID with its padding, worker ID, NUL, the bytes */
};

struct counts {
    uint64_t revision;
    uint64_t results;
    uint64_t total_bytes;
    uint64_t retained_bytes; /* asked of the allocator, without the copies handed out */
};

struct tvd_result_aggregator {
    /* Set at creation, then only read. */
    tvd_allocator allocator;
    tvd_result_limits limits;

    struct tvd_guard guard;

    /* Everything below is guarded by it. */
    size_t handles;
    struct counts now;
    uint64_t requests; /* for aggregates, ever */
    struct tvd_map by_task_id;
};

static struct stored_result *from_node(const struct tvd_map_node *node)
{
    return (struct stored_result *)((uintptr_t)node - offsetof(struct stored_result, by_task_id));
}

static int compare_id(const void *key, const struct tvd_map_node *node)
{
    const struct tvd_id *id = key;

    return tvd_id_compare(id->bytes, id->size, from_node(node)->text);
}

static const char *worker_id_of(const struct stored_result *stored)
{
    return stored->text + tvd_id_padded_size(stored->task_id_size);
}

static const char *bytes_of(const struct stored_result *stored)
{
    return worker_id_of(stored) + stored->worker_id_size + 1;
}

static size_t stored_size(size_t task_id_size, size_t worker_id_size, size_t size)
{
    return sizeof(struct stored_result) + tvd_id_padded_size(task_id_size) + worker_id_size + 1 + size;
}

static struct stored_result *find_locked(const tvd_result_aggregator *aggregator, const struct tvd_id *task_id)
{
    struct tvd_map_place place;
    struct tvd_map_node *node = tvd_map_find(&aggregator->by_task_id, task_id, compare_id, &place);

    return node == NULL ? NULL : from_node(node);
}

uint64_t tvd_result_limits_max_retained_bytes(const tvd_result_limits *limits)
{
    const tvd_result_limits chosen = limits == NULL ? tvd_result_limits_default() : *limits;
    const uint64_t without_bytes = stored_size(TVD_MAX_IDENTIFIER_BYTES, TVD_MAX_IDENTIFIER_BYTES, 0);
    uint64_t bytes = chosen.max_total_bytes;

    if (tvd_result_limits_validate(&chosen, NULL) != TVD_OK)
        return 0;
    if (chosen.max_results * chosen.max_result_bytes < bytes)
        bytes = chosen.max_results * chosen.max_result_bytes;
    return sizeof(tvd_result_aggregator) + chosen.max_results * without_bytes + bytes;
}

tvd_status tvd_result_aggregator_create(const tvd_result_limits *limits, const tvd_allocator *allocator,
                                        tvd_result_aggregator **aggregator, tvd_error *error)
{
    const tvd_result_limits limits_chosen = limits == NULL ? tvd_result_limits_default() : *limits;
    tvd_result_aggregator *created;
    tvd_allocator chosen;
    tvd_status status = tvd_memory_choose(allocator, &chosen, error);

    if (status != TVD_OK)
        return status;
    if (!tvd_given(aggregator, TVD_DETAIL_AGGREGATOR, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_result_limits_validate(&limits_chosen, error);
    if (status != TVD_OK)
        return status;
    created = tvd_memory_allocate(&chosen, sizeof *created);
    if (created == NULL)
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);
    memset(created, 0, sizeof *created);
    if (!tvd_guard_init(&created->guard)) {
        tvd_memory_release(&chosen, created, sizeof *created);
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);
    }
    created->allocator = chosen;
    created->limits = limits_chosen;
    created->now.retained_bytes = sizeof *created;
    tvd_map_init(&created->by_task_id, NULL);
    *aggregator = tvd_result_aggregator_retain(created);
    return TVD_OK;
}

tvd_result_aggregator *tvd_result_aggregator_retain(tvd_result_aggregator *aggregator)
{
    if (aggregator != NULL)
        tvd_guard_retain(&aggregator->guard, &aggregator->handles);
    return aggregator;
}

static void destroy(tvd_result_aggregator *aggregator)
{
    const tvd_allocator allocator = aggregator->allocator;
    struct tvd_map_node *node;

    while ((node = tvd_map_first(&aggregator->by_task_id)) != NULL) {
        struct stored_result *stored = from_node(node);

        tvd_map_remove(&aggregator->by_task_id, node);
        tvd_memory_release(&allocator, stored,
                           stored_size(stored->task_id_size, stored->worker_id_size, stored->size));
    }
    tvd_guard_destroy(&aggregator->guard);
    tvd_memory_release(&allocator, aggregator, sizeof *aggregator);
}

void tvd_result_aggregator_release(tvd_result_aggregator *aggregator)
{
    if (aggregator != NULL && tvd_guard_release(&aggregator->guard, &aggregator->handles))
        destroy(aggregator);
}

/* A result to store: the caller's arguments, checked. */
struct submission {
    const tvd_completion_receipt *receipt;
    struct tvd_id task_id;
    struct tvd_id worker_id;
    const void *bytes;
    size_t size;
};

static bool has_receipt(const struct stored_result *stored, const tvd_completion_receipt *receipt)
{
    return stored->task_generation == receipt->private_task_generation &&
           stored->lease_id == receipt->private_lease_id &&
           stored->worker_generation == receipt->private_worker_generation &&
           stored->record_version == receipt->private_record_version &&
           stored->attempt == receipt->private_attempt &&
           strcmp(worker_id_of(stored), receipt->private_worker_id) == 0;
}

static bool has_bytes(const struct stored_result *stored, const void *bytes, size_t size)
{
    return stored->size == size && (size == 0 || memcmp(bytes_of(stored), bytes, size) == 0);
}

/* The task has a stored result: the same again is a replay, anything else is refused. */
static tvd_status answer_occupied(const struct stored_result *stored, const struct submission *submission,
                                  tvd_error *error)
{
    if (!has_receipt(stored, submission->receipt))
        return tvd_fail_identifier(error, TVD_ERROR_MISMATCHED_RESULT_RECEIPT, stored->text);
    if (!has_bytes(stored, submission->bytes, submission->size))
        return tvd_fail_identifier(error, TVD_ERROR_CONFLICTING_RESULT, stored->text);
    return TVD_OK;
}

static tvd_status check_room_locked(const tvd_result_aggregator *aggregator, size_t size, tvd_error *error)
{
    const tvd_result_limits *limits = &aggregator->limits;

    if (size > limits->max_result_bytes)
        return tvd_fail_excess(error, TVD_ERROR_RESULT_TOO_LARGE, TVD_DETAIL_NONE, size,
                               limits->max_result_bytes);
    if (aggregator->now.results >= limits->max_results)
        return tvd_fail_limit(error, TVD_ERROR_RESULT_CAPACITY_REACHED, limits->max_results);
    if (aggregator->now.total_bytes + size > limits->max_total_bytes)
        return tvd_fail_excess(error, TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED, TVD_DETAIL_NONE,
                               aggregator->now.total_bytes + size, limits->max_total_bytes);
    if (aggregator->now.revision == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_RESULT_REVISION);
    return TVD_OK;
}

static void fill(struct stored_result *stored, const struct submission *submission)
{
    const tvd_completion_receipt *receipt = submission->receipt;
    char *text = stored->text;

    memset(stored, 0, sizeof *stored);
    stored->task_generation = receipt->private_task_generation;
    stored->lease_id = receipt->private_lease_id;
    stored->worker_generation = receipt->private_worker_generation;
    stored->record_version = receipt->private_record_version;
    stored->attempt = receipt->private_attempt;
    stored->task_id_size = (uint16_t)submission->task_id.size;
    stored->worker_id_size = (uint16_t)submission->worker_id.size;
    stored->size = submission->size;
    memcpy(text, submission->task_id.bytes, tvd_id_padded_size(submission->task_id.size));
    text += tvd_id_padded_size(submission->task_id.size);
    memcpy(text, submission->worker_id.bytes, submission->worker_id.size + 1);
    text += submission->worker_id.size + 1;
    if (submission->size > 0)
        memcpy(text, submission->bytes, submission->size);
}

static tvd_status store_locked(tvd_result_aggregator *aggregator, uint64_t *revision,
                               const struct submission *submission, tvd_store_outcome *outcome,
                               tvd_error *error)
{
    struct stored_result *stored;
    struct tvd_map_place place;
    struct tvd_map_node *node;
    size_t allocated;
    tvd_status status;

    if (*revision != aggregator->now.revision)
        return tvd_fail_conflict(error, TVD_ERROR_REVISION_CONFLICT, *revision, aggregator->now.revision);
    node = tvd_map_find_place(&aggregator->by_task_id, &submission->task_id, compare_id, &place);
    if (node != NULL) {
        status = answer_occupied(from_node(node), submission, error);
        if (status == TVD_OK)
            *outcome = TVD_ALREADY_STORED;
        return status;
    }
    status = check_room_locked(aggregator, submission->size, error);
    if (status != TVD_OK)
        return status;
    allocated = stored_size(submission->task_id.size, submission->worker_id.size, submission->size);
    stored = tvd_memory_allocate(&aggregator->allocator, allocated);
    if (stored == NULL)
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);

    fill(stored, submission);
    tvd_map_insert(&aggregator->by_task_id, &place, &stored->by_task_id);
    aggregator->now.retained_bytes += allocated;
    aggregator->now.results += 1;
    aggregator->now.total_bytes += submission->size;
    aggregator->now.revision += 1;
    *revision = aggregator->now.revision;
    *outcome = TVD_STORED;
    return TVD_OK;
}

tvd_status tvd_result_aggregator_store_result(tvd_result_aggregator *aggregator, uint64_t *revision,
                                              const tvd_completion_receipt *receipt, const void *bytes,
                                              size_t size, tvd_store_outcome *outcome, tvd_error *error)
{
    struct submission submission;
    tvd_store_outcome done = TVD_ALREADY_STORED;
    tvd_status status;

    if (!tvd_given(aggregator, TVD_DETAIL_AGGREGATOR, error) ||
        !tvd_given(revision, TVD_DETAIL_REVISION, error) || !tvd_given(receipt, TVD_DETAIL_RECEIPT, error) ||
        (size > 0 && !tvd_given(bytes, TVD_DETAIL_BYTES, error)))
        return TVD_ERROR_INVALID_ARGUMENT;
    if (tvd_id_read(&submission.task_id, receipt->private_task_id) != TVD_ID_VALID ||
        tvd_id_read(&submission.worker_id, receipt->private_worker_id) != TVD_ID_VALID)
        return tvd_fail_argument(error, TVD_DETAIL_RECEIPT);
    submission.receipt = receipt;
    submission.bytes = bytes;
    submission.size = size;

    tvd_guard_lock(&aggregator->guard);
    status = store_locked(aggregator, revision, &submission, &done, error);
    tvd_guard_unlock(&aggregator->guard);
    if (status == TVD_OK && outcome != NULL)
        *outcome = done;
    return status;
}

static tvd_status check_request(const tvd_result_aggregator *aggregator, const char *const *task_ids,
                                size_t count, tvd_error *error)
{
    uint64_t limit = aggregator->limits.max_aggregate_items;
    tvd_status status = TVD_OK;
    struct tvd_id task_id;

    if (count > TVD_MAX_AGGREGATE_ITEMS)
        limit = TVD_MAX_AGGREGATE_ITEMS;
    if (count > limit)
        return tvd_fail_excess(error, TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, TVD_DETAIL_NONE, count, limit);
    for (size_t i = 0; i < count && status == TVD_OK; i++)
        status = tvd_id_read_task(&task_id, task_ids[i] == NULL ? "" : task_ids[i], error);
    return status;
}

/* The stored result of an ID that was checked before, or null; reads the ID, which errors then name. */
static struct stored_result *find_requested_locked(const tvd_result_aggregator *aggregator, const char *task_id,
                                                   struct tvd_id *id)
{
    enum tvd_id_fault fault = tvd_id_read(id, task_id);

    assert(fault == TVD_ID_VALID);
    (void)fault;
    return find_locked(aggregator, id);
}

/* Checks every item in the order asked for, and gives the bytes that all of them take with their IDs. */
static tvd_status measure_locked(tvd_result_aggregator *aggregator, const char *const *task_ids, size_t count,
                                 size_t *text_size, tvd_error *error)
{
    uint64_t limit = aggregator->limits.max_aggregate_bytes;
    uint64_t request = ++aggregator->requests;
    uint64_t total = 0;
    struct tvd_id id;

    *text_size = 0;
    for (size_t i = 0; i < count; i++) {
        struct stored_result *stored = find_requested_locked(aggregator, task_ids[i], &id);

        if (stored == NULL)
            return tvd_fail_identifier(error, TVD_ERROR_MISSING_RESULT, id.bytes);
        if (stored->asked_by == request)
            return tvd_fail_identifier(error, TVD_ERROR_DUPLICATE_AGGREGATE_TASK, id.bytes);
        stored->asked_by = request;
        total += stored->size;
        if (total > limit)
            return tvd_fail_excess(error, TVD_ERROR_AGGREGATE_BYTES_EXCEEDED, TVD_DETAIL_NONE, total, limit);
        *text_size += stored->task_id_size + 1u + stored->size;
    }
    return TVD_OK;
}

/* Lets the items refer to the stored results. */
static void refer_locked(const tvd_result_aggregator *aggregator, const char *const *task_ids,
                         tvd_aggregate *aggregate)
{
    struct tvd_id id;

    for (size_t i = 0; i < aggregate->count; i++) {
        const struct stored_result *stored = find_requested_locked(aggregator, task_ids[i], &id);

        assert(stored != NULL); /* it was there when it was measured, and results never go */
        aggregate->items[i] = (struct tvd_aggregate_item){ stored->text, bytes_of(stored), stored->size };
    }
}

/* Copies what the items refer to, and lets them refer to the copies. */
static void copy_items(tvd_aggregate *aggregate)
{
    char *text = (char *)&aggregate->items[aggregate->count];

    for (size_t i = 0; i < aggregate->count; i++) {
        struct tvd_aggregate_item *item = &aggregate->items[i];
        size_t id_size = strlen(item->task_id) + 1;

        item->task_id = memcpy(text, item->task_id, id_size);
        text += id_size;
        item->bytes = memcpy(text, item->bytes, item->size);
        text += item->size;
    }
}

tvd_status tvd_result_aggregator_aggregate_results(tvd_result_aggregator *aggregator,
                                                   const char *const *task_ids, size_t count,
                                                   tvd_aggregate **aggregate, tvd_error *error)
{
    tvd_aggregate *created;
    size_t text_size;
    size_t size;
    tvd_status status;

    if (!tvd_given(aggregator, TVD_DETAIL_AGGREGATOR, error) ||
        (count > 0 && !tvd_given(task_ids, TVD_DETAIL_TASK_IDS, error)) ||
        !tvd_given(aggregate, TVD_DETAIL_AGGREGATE, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = check_request(aggregator, task_ids, count, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&aggregator->guard);
    status = measure_locked(aggregator, task_ids, count, &text_size, error);
    tvd_guard_unlock(&aggregator->guard);
    if (status != TVD_OK)
        return status;

    size = sizeof *created + count * sizeof created->items[0] + text_size;
    created = tvd_memory_allocate(&aggregator->allocator, size);
    if (created == NULL)
        return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);
    created->allocator = aggregator->allocator;
    created->allocated = size;
    created->count = count;
    tvd_guard_lock(&aggregator->guard);
    refer_locked(aggregator, task_ids, created);
    tvd_guard_unlock(&aggregator->guard);
    copy_items(created);
    *aggregate = created;
    return TVD_OK;
}

tvd_status tvd_result_aggregator_get_result(tvd_result_aggregator *aggregator, const char *task_id,
                                            tvd_result **result, tvd_error *error)
{
    struct tvd_id id;
    tvd_status status;
    const struct stored_result *stored;
    tvd_result *copy = NULL;

    if (!tvd_given(aggregator, TVD_DETAIL_AGGREGATOR, error) ||
        !tvd_given(task_id, TVD_DETAIL_TASK_ID, error) || !tvd_given(result, TVD_DETAIL_RESULT, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    status = tvd_id_read_task(&id, task_id, error);
    if (status != TVD_OK)
        return status;

    tvd_guard_lock(&aggregator->guard);
    stored = find_locked(aggregator, &id);
    tvd_guard_unlock(&aggregator->guard);
    if (stored != NULL) {
        copy = tvd_memory_allocate(&aggregator->allocator, sizeof *copy + stored->size);
        if (copy == NULL)
            return tvd_fail(error, TVD_ERROR_OUT_OF_MEMORY);
        copy->allocator = aggregator->allocator;
        copy->size = stored->size;
        memcpy(copy->bytes, bytes_of(stored), stored->size);
    }
    *result = copy;
    return TVD_OK;
}

static struct counts read_counts(tvd_result_aggregator *aggregator)
{
    struct counts now = { 0 };

    if (aggregator != NULL) {
        tvd_guard_lock(&aggregator->guard);
        now = aggregator->now;
        tvd_guard_unlock(&aggregator->guard);
    }
    return now;
}

uint64_t tvd_result_aggregator_revision(tvd_result_aggregator *aggregator)
{
    return read_counts(aggregator).revision;
}

uint64_t tvd_result_aggregator_result_count(tvd_result_aggregator *aggregator)
{
    return read_counts(aggregator).results;
}

uint64_t tvd_result_aggregator_total_bytes(tvd_result_aggregator *aggregator)
{
    return read_counts(aggregator).total_bytes;
}

uint64_t tvd_result_aggregator_retained_bytes(tvd_result_aggregator *aggregator)
{
    return read_counts(aggregator).retained_bytes;
}

/* Whether a record's identifiers and size are what the record says. */
static bool stored_is_sound(const struct stored_result *stored, struct tvd_id *task_id)
{
    struct tvd_id worker_id;

    return tvd_id_read(task_id, stored->text) == TVD_ID_VALID && task_id->size == stored->task_id_size &&
           tvd_id_read(&worker_id, worker_id_of(stored)) == TVD_ID_VALID &&
           worker_id.size == stored->worker_id_size;
}

static tvd_detail first_broken_locked(const tvd_result_aggregator *aggregator)
{
    const tvd_result_limits *limits = &aggregator->limits;
    const struct counts *now = &aggregator->now;
    const struct tvd_map_node *node = tvd_map_first(&aggregator->by_task_id);
    uint64_t retained_bytes = sizeof *aggregator;
    uint64_t total_bytes = 0;
    struct tvd_id previous = { 0 };

    if (now->results > limits->max_results || now->total_bytes > limits->max_total_bytes)
        return TVD_DETAIL_BOUND_EXCEEDED;
    if (now->revision < now->results || aggregator->guard.handles == 0 ||
        aggregator->guard.handles != aggregator->handles)
        return TVD_DETAIL_COUNTER_OUT_OF_RANGE;
    if (!tvd_map_is_sound(&aggregator->by_task_id, (size_t)now->results))
        return TVD_DETAIL_RESULT_INDEX_BROKEN;
    for (; node != NULL; node = tvd_map_next(node)) {
        const struct stored_result *stored = from_node(node);

        if (stored->size > limits->max_result_bytes)
            return TVD_DETAIL_BOUND_EXCEEDED;
        if (compare_id(&previous, node) >= 0 || !stored_is_sound(stored, &previous))
            return TVD_DETAIL_RESULT_INDEX_BROKEN;
        total_bytes += stored->size;
        retained_bytes += stored_size(stored->task_id_size, stored->worker_id_size, stored->size);
    }
    if (total_bytes != now->total_bytes || retained_bytes != now->retained_bytes)
        return TVD_DETAIL_COUNT_DISAGREES;
    return TVD_DETAIL_NONE;
}

tvd_status tvd_result_aggregator_check_invariants(tvd_result_aggregator *aggregator, tvd_error *error)
{
    tvd_detail broken;

    if (!tvd_given(aggregator, TVD_DETAIL_AGGREGATOR, error))
        return TVD_ERROR_INVALID_ARGUMENT;

    tvd_guard_lock(&aggregator->guard);
    broken = first_broken_locked(aggregator);
    tvd_guard_unlock(&aggregator->guard);
    if (broken != TVD_DETAIL_NONE)
        return tvd_fail_detail(error, TVD_ERROR_STATE_INVARIANT, broken);
    return TVD_OK;
}
