#include "result.h"

#include "memory.h"

const void *tvd_result_bytes(const tvd_result *result)
{
    return result == NULL ? NULL : result->bytes;
}

size_t tvd_result_size(const tvd_result *result)
{
    return result == NULL ? 0 : result->size;
}

void tvd_result_free(tvd_result *result)
{
    if (result != NULL) {
        const tvd_allocator allocator = result->allocator;

        tvd_memory_release(&allocator, result, sizeof *result + result->size);
    }
}

/* The item at an index, or null. */
static const struct tvd_aggregate_item *item_at(const tvd_aggregate *aggregate, size_t index)
{
    return aggregate == NULL || index >= aggregate->count ? NULL : &aggregate->items[index];
}

size_t tvd_aggregate_count(const tvd_aggregate *aggregate)
{
    return aggregate == NULL ? 0 : aggregate->count;
}

const char *tvd_aggregate_task_id(const tvd_aggregate *aggregate, size_t index)
{
    const struct tvd_aggregate_item *item = item_at(aggregate, index);

    return item == NULL ? "" : item->task_id;
}

const void *tvd_aggregate_bytes(const tvd_aggregate *aggregate, size_t index)
{
    const struct tvd_aggregate_item *item = item_at(aggregate, index);

    return item == NULL ? NULL : item->bytes;
}

size_t tvd_aggregate_size(const tvd_aggregate *aggregate, size_t index)
{
    const struct tvd_aggregate_item *item = item_at(aggregate, index);

    return item == NULL ? 0 : item->size;
}

void tvd_aggregate_free(tvd_aggregate *aggregate)
{
    if (aggregate != NULL) {
        const tvd_allocator allocator = aggregate->allocator;

        tvd_memory_release(&allocator, aggregate, aggregate->allocated);
    }
}
