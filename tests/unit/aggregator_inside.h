/*
 * The inside of an aggregator, which its source keeps to itself. Linking this brings that source along, in the place of
 * the library's own object.
 */
#ifndef TEST_AGGREGATOR_INSIDE_H
#define TEST_AGGREGATOR_INSIDE_H

#include "guard.h"
#include "ordered_map.h"
#include "test.h"

/* Pointers to the members that a test may set; the last five are of the record of one task. */
struct aggregator_inside {
    struct tvd_guard *guard;
    size_t *handles;
    struct tvd_map *by_task_id;
    uint64_t *revision;
    uint64_t *results;
    uint64_t *total_bytes;
    uint64_t *retained_bytes;
    char *task_id;
    char *worker_id;
    uint16_t *task_id_size;
    uint16_t *worker_id_size;
    size_t *size;
};

struct aggregator_inside aggregator_inside(tvd_result_aggregator *aggregator, const char *task_id);

#endif
