/*
 * What the aggregator hands out: copies, each one allocation of its own that outlives the aggregator.
 */
#ifndef TVD_RESULT_H
#define TVD_RESULT_H

#include "termivar/distributed.h"

struct tvd_result {
    tvd_allocator allocator;
    size_t size;
    unsigned char bytes[];
};

struct tvd_aggregate_item {
    const char *task_id;
    const void *bytes;
    size_t size;
};

struct tvd_aggregate {
    tvd_allocator allocator;
    size_t allocated;
    size_t count;
    struct tvd_aggregate_item items[]; /* behind them each item's ID, NUL and bytes */
};

#endif
