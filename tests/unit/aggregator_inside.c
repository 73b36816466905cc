#include "aggregator_inside.h"

#include "aggregator.c"

struct aggregator_inside aggregator_inside(tvd_result_aggregator *aggregator, const char *task_id)
{
    struct tvd_map_node *node = tvd_map_first(&aggregator->by_task_id);

    while (node != NULL && strcmp(from_node(node)->text, task_id) != 0)
        node = tvd_map_next(node);
    assert_non_null(node);
    return (struct aggregator_inside){
        .guard = &aggregator->guard,
        .handles = &aggregator->handles,
        .by_task_id = &aggregator->by_task_id,
        .revision = &aggregator->now.revision,
        .results = &aggregator->now.results,
        .total_bytes = &aggregator->now.total_bytes,
        .retained_bytes = &aggregator->now.retained_bytes,
        .task_id = from_node(node)->text,
        .worker_id = from_node(node)->text + tvd_id_padded_size(from_node(node)->task_id_size),
        .task_id_size = &from_node(node)->task_id_size,
        .worker_id_size = &from_node(node)->worker_id_size,
        .size = &from_node(node)->size,
    };
}
