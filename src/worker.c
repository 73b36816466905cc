#include "worker.h"

#include "error.h"

#include <string.h>

static bool is_over_utilized(uint32_t cpu, uint32_t memory, uint32_t network)
{
    return cpu > TVD_MAX_BASIS_POINTS || memory > TVD_MAX_BASIS_POINTS || network > TVD_MAX_BASIS_POINTS;
}

tvd_status tvd_worker_check_spec(const tvd_worker_spec *spec, struct tvd_id *worker_id, tvd_error *error)
{
    tvd_detail fault = TVD_DETAIL_NONE;

    if (!tvd_given(spec->worker_id, TVD_DETAIL_WORKER_ID, error))
        return TVD_ERROR_INVALID_ARGUMENT;
    if (tvd_id_read(worker_id, spec->worker_id) != TVD_ID_VALID)
        fault = TVD_DETAIL_WORKER_ID_INVALID;
    else if (spec->capacity == 0)
        fault = TVD_DETAIL_CAPACITY_ZERO;
    else if (spec->capacity > TVD_MAX_WORKER_CAPACITY)
        fault = TVD_DETAIL_CAPACITY_TOO_LARGE;
    else if (is_over_utilized(spec->cpu_basis_points, spec->memory_basis_points, spec->network_basis_points))
        fault = TVD_DETAIL_UTILIZATION_TOO_LARGE;
    else if ((spec->tags & ~(uint32_t)TVD_KNOWN_TAGS) != 0)
        fault = TVD_DETAIL_TAGS_INVALID;
    if (fault != TVD_DETAIL_NONE)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_WORKER, fault);
    return TVD_OK;
}

tvd_status tvd_worker_check_observation(const tvd_worker_observation *observation, tvd_error *error)
{
    tvd_detail fault = TVD_DETAIL_STATUS_INVALID;

    switch (observation->status) {
    case TVD_WORKER_STATUS_HEALTHY:
    case TVD_WORKER_STATUS_BUSY:
    case TVD_WORKER_STATUS_DEGRADED:
        fault = TVD_DETAIL_NONE;
        break;
    case TVD_WORKER_STATUS_OFFLINE:
        fault = TVD_DETAIL_STATUS_OFFLINE;
        break;
    }
    if (fault == TVD_DETAIL_NONE &&
        is_over_utilized(observation->cpu_basis_points, observation->memory_basis_points,
                         observation->network_basis_points))
        fault = TVD_DETAIL_UTILIZATION_TOO_LARGE;
    if (fault != TVD_DETAIL_NONE)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_WORKER, fault);
    return TVD_OK;
}

size_t tvd_worker_record_size(size_t worker_id_size)
{
    return sizeof(struct tvd_worker_record) + tvd_id_padded_size(worker_id_size);
}

void tvd_worker_init(struct tvd_worker_record *worker, const struct tvd_id *worker_id)
{
    memset(worker, 0, sizeof *worker);
    tvd_list_init(&worker->leases);
    worker->worker_id_size = (uint16_t)worker_id->size;
    memcpy(worker->worker_id, worker_id->bytes, tvd_id_padded_size(worker_id->size));
}

uint32_t tvd_worker_effective_capacity(const struct tvd_worker_record *worker)
{
    uint32_t load = worker->cpu_basis_points;

    if (worker->status != TVD_WORKER_STATUS_HEALTHY)
        return 0;
    if (worker->memory_basis_points > load)
        load = worker->memory_basis_points;
    if (worker->network_basis_points > load)
        load = worker->network_basis_points;
    return (worker->capacity * (TVD_MAX_BASIS_POINTS - load) + TVD_MAX_BASIS_POINTS - 1) / TVD_MAX_BASIS_POINTS;
}

uint64_t tvd_worker_load_order(const struct tvd_worker_record *worker)
{
    return (uint64_t)worker->cpu_basis_points << 32 | worker->memory_basis_points << 16 |
           worker->network_basis_points;
}

void tvd_worker_take_observation(struct tvd_worker_record *worker, const tvd_worker_observation *observation)
{
    worker->status = (uint8_t)observation->status;
    worker->cpu_basis_points = observation->cpu_basis_points;
    worker->memory_basis_points = observation->memory_basis_points;
    worker->network_basis_points = observation->network_basis_points;
    worker->load_order = tvd_worker_load_order(worker);
    worker->effective_capacity = tvd_worker_effective_capacity(worker);
}

void tvd_worker_take_spec(struct tvd_worker_record *worker, const tvd_worker_spec *spec)
{
    const tvd_worker_observation observation = {
        .status = TVD_WORKER_STATUS_HEALTHY,
        .cpu_basis_points = spec->cpu_basis_points,
        .memory_basis_points = spec->memory_basis_points,
        .network_basis_points = spec->network_basis_points,
    };

    worker->capacity = spec->capacity;
    worker->tags = spec->tags;
    tvd_worker_take_observation(worker, &observation);
}

void tvd_worker_take_offline(struct tvd_worker_record *worker)
{
    worker->status = TVD_WORKER_STATUS_OFFLINE;
    worker->effective_capacity = 0;
    worker->generation += 1;
}

uint64_t tvd_worker_newest_heartbeat(const struct tvd_worker_record *worker)
{
    uint64_t newest_secs = worker->last_heartbeat_secs;

    for (int side = 0; side < 2; side++) {
        const struct tvd_map_node *child = worker->by_preference.child[side];

        if (child != NULL && tvd_worker_from_preference_node(child)->newest_heartbeat_secs > newest_secs)
            newest_secs = tvd_worker_from_preference_node(child)->newest_heartbeat_secs;
    }
    return newest_secs;
}

bool tvd_worker_summarise(struct tvd_map_node *node)
{
    struct tvd_worker_record *worker = tvd_worker_from_preference_node(node);
    uint64_t before_secs = worker->newest_heartbeat_secs;

    worker->newest_heartbeat_secs = tvd_worker_newest_heartbeat(worker);
    return worker->newest_heartbeat_secs != before_secs;
}

static bool has_fresh_worker(const struct tvd_map_node *subtree, uint64_t now_secs, uint64_t timeout_secs)
{
    return subtree != NULL &&
           !tvd_heartbeat_is_stale(tvd_worker_from_preference_node(subtree)->newest_heartbeat_secs, now_secs,
                                   timeout_secs);
}

struct tvd_worker_record *tvd_worker_best(const struct tvd_map *by_preference, uint64_t now_secs,
                                          uint64_t timeout_secs)
{
    const struct tvd_map_node *node = by_preference->root;

    if (!has_fresh_worker(node, now_secs, timeout_secs))
        return NULL;
    for (;;) {
        struct tvd_worker_record *worker = tvd_worker_from_preference_node(node);

        if (has_fresh_worker(node->child[0], now_secs, timeout_secs))
            node = node->child[0];
        else if (!tvd_heartbeat_is_stale(worker->last_heartbeat_secs, now_secs, timeout_secs))
            return worker;
        else
            node = node->child[1];
    }
}

void tvd_worker_report(const struct tvd_worker_record *worker, tvd_worker *report)
{
    memset(report, 0, sizeof *report);
    memcpy(report->worker_id, worker->worker_id, worker->worker_id_size);
    report->status = (tvd_worker_status)worker->status;
    report->generation = worker->generation;
    report->completed_tasks = worker->completed_tasks;
    report->last_heartbeat_secs = worker->last_heartbeat_secs;
    report->capacity = worker->capacity;
    report->current_tasks = worker->current_tasks;
    report->effective_capacity = worker->effective_capacity;
    report->available_slots = tvd_worker_available_slots(worker);
    report->cpu_basis_points = worker->cpu_basis_points;
    report->memory_basis_points = worker->memory_basis_points;
    report->network_basis_points = worker->network_basis_points;
    report->tags = worker->tags;
}
