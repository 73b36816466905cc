/* Section 5 of the contract: the worker commands. */
#include "model.h"

#include <string.h>

static tvd_error invalid_worker(tvd_detail detail)
{
    return model_error_detail(TVD_ERROR_INVALID_WORKER, detail);
}

static bool load_too_large(uint32_t cpu, uint32_t memory, uint32_t network)
{
    return cpu > TVD_MAX_BASIS_POINTS || memory > TVD_MAX_BASIS_POINTS || network > TVD_MAX_BASIS_POINTS;
}

static tvd_error check_worker_arguments(const model *m, const tvd_cursor *cursor, const tvd_worker_spec *spec)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (spec == NULL)
        return model_null(TVD_DETAIL_SPEC);
    if (spec->worker_id == NULL)
        return model_null(TVD_DETAIL_WORKER_ID);
    if (!model_id_valid(spec->worker_id))
        return invalid_worker(TVD_DETAIL_WORKER_ID_INVALID);
    if (spec->capacity == 0)
        return invalid_worker(TVD_DETAIL_CAPACITY_ZERO);
    if (spec->capacity > TVD_MAX_WORKER_CAPACITY)
        return invalid_worker(TVD_DETAIL_CAPACITY_TOO_LARGE);
    if (load_too_large(spec->cpu_basis_points, spec->memory_basis_points, spec->network_basis_points))
        return invalid_worker(TVD_DETAIL_UTILIZATION_TOO_LARGE);
    if ((spec->tags & ~31u) != 0)
        return invalid_worker(TVD_DETAIL_TAGS_INVALID);
    return model_ok();
}

/* What registering and reactivating have in common. */
static void take_spec(model *m, tvd_worker *worker, const tvd_worker_spec *spec, uint64_t now)
{
    worker->status = TVD_WORKER_STATUS_HEALTHY;
    worker->current_tasks = 0;
    worker->last_heartbeat_secs = now;
    worker->capacity = spec->capacity;
    worker->cpu_basis_points = spec->cpu_basis_points;
    worker->memory_basis_points = spec->memory_basis_points;
    worker->network_basis_points = spec->network_basis_points;
    worker->tags = spec->tags;
    model_refresh_worker(m, worker);
}

tvd_error model_register_worker(model *m, tvd_cursor *cursor, const tvd_worker_spec *spec, tvd_worker *worker)
{
    tvd_error error = check_worker_arguments(m, cursor, spec);
    if (error.status == TVD_OK)
        error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    if (model_find_worker(m, spec->worker_id) != NULL)
        return model_error_id(TVD_ERROR_WORKER_ALREADY_EXISTS, spec->worker_id);
    if (m->worker_count >= m->limits.max_workers)
        return model_error_limit(TVD_ERROR_WORKER_CAPACITY_REACHED, m->limits.max_workers);

    tvd_worker *added = &m->workers[m->worker_count++];
    memset(added, 0, sizeof *added);
    strcpy(added->worker_id, spec->worker_id);
    added->generation = 1;
    take_spec(m, added, spec, cursor->now_secs);
    model_commit(m, cursor);
    if (worker != NULL)
        *worker = *added;
    return model_ok();
}

static tvd_error check_generation(const tvd_worker *worker, uint64_t expected)
{
    if (worker->generation == expected)
        return model_ok();
    tvd_error error = model_error(TVD_ERROR_WORKER_GENERATION_CONFLICT);
    error.expected = expected;
    error.actual = worker->generation;
    return error;
}

tvd_error model_reactivate_worker(model *m, tvd_cursor *cursor, uint64_t expected_generation,
                                  const tvd_worker_spec *spec, tvd_worker *worker)
{
    tvd_error error = check_worker_arguments(m, cursor, spec);
    if (error.status == TVD_OK)
        error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    tvd_worker *known = model_find_worker(m, spec->worker_id);
    if (known == NULL)
        return model_error_id(TVD_ERROR_WORKER_NOT_FOUND, spec->worker_id);
    error = check_generation(known, expected_generation);
    if (error.status != TVD_OK)
        return error;
    if (known->status != TVD_WORKER_STATUS_OFFLINE)
        return model_error_id(TVD_ERROR_WORKER_UNAVAILABLE, spec->worker_id);
    if (known->generation == UINT64_MAX)
        return model_error_detail(TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);

    known->generation += 1;
    if (m->fault == MODEL_FAULT_COMPLETED_FORGOTTEN)
        known->completed_tasks = 0;
    take_spec(m, known, spec, cursor->now_secs);
    model_commit(m, cursor);
    if (worker != NULL)
        *worker = *known;
    return model_ok();
}

static tvd_error check_observation(const tvd_worker_observation *observation)
{
    if (observation->status == TVD_WORKER_STATUS_OFFLINE)
        return invalid_worker(TVD_DETAIL_STATUS_OFFLINE);
    if (observation->status != TVD_WORKER_STATUS_HEALTHY && observation->status != TVD_WORKER_STATUS_BUSY &&
        observation->status != TVD_WORKER_STATUS_DEGRADED)
        return invalid_worker(TVD_DETAIL_STATUS_INVALID);
    if (load_too_large(observation->cpu_basis_points, observation->memory_basis_points,
                       observation->network_basis_points))
        return invalid_worker(TVD_DETAIL_UTILIZATION_TOO_LARGE);
    return model_ok();
}

static tvd_error check_update_arguments(const model *m, const tvd_cursor *cursor, const char *worker_id,
                                        const tvd_worker_observation *observation)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (cursor == NULL)
        return model_null(TVD_DETAIL_CURSOR);
    if (worker_id == NULL)
        return model_null(TVD_DETAIL_WORKER_ID);
    if (observation == NULL)
        return model_null(TVD_DETAIL_OBSERVATION);
    if (!model_id_valid(worker_id))
        return invalid_worker(TVD_DETAIL_WORKER_ID_INVALID);
    return check_observation(observation);
}

tvd_error model_update_worker(model *m, tvd_cursor *cursor, const char *worker_id, uint64_t generation,
                              const tvd_worker_observation *observation, tvd_worker *worker)
{
    tvd_error error = check_update_arguments(m, cursor, worker_id, observation);
    if (error.status == TVD_OK)
        error = model_preflight(m, cursor);
    if (error.status != TVD_OK)
        return error;
    tvd_worker *known = model_find_worker(m, worker_id);
    if (known == NULL)
        return model_error_id(TVD_ERROR_WORKER_NOT_FOUND, worker_id);
    error = check_generation(known, generation);
    if (error.status != TVD_OK)
        return error;
    if (known->status == TVD_WORKER_STATUS_OFFLINE)
        return model_error_id(TVD_ERROR_WORKER_UNAVAILABLE, worker_id);

    known->status = observation->status;
    known->cpu_basis_points = observation->cpu_basis_points;
    known->memory_basis_points = observation->memory_basis_points;
    known->network_basis_points = observation->network_basis_points;
    known->last_heartbeat_secs = cursor->now_secs;
    model_refresh_worker(m, known);
    model_commit(m, cursor);
    if (worker != NULL)
        *worker = *known;
    return model_ok();
}

static bool is_eligible(const model *m, const tvd_worker *worker, uint64_t now)
{
    return worker->status == TVD_WORKER_STATUS_HEALTHY &&
           model_heartbeat_age(worker, now) <= m->limits.heartbeat_timeout_secs && worker->available_slots > 0;
}

static bool is_better(const model *m, const tvd_worker *a, const tvd_worker *b)
{
    if (a->available_slots != b->available_slots)
        return a->available_slots > b->available_slots;
    if (a->last_heartbeat_secs != b->last_heartbeat_secs)
        return a->last_heartbeat_secs > b->last_heartbeat_secs;
    if (a->cpu_basis_points != b->cpu_basis_points)
        return a->cpu_basis_points < b->cpu_basis_points;
    if (a->memory_basis_points != b->memory_basis_points)
        return a->memory_basis_points < b->memory_basis_points;
    if (a->network_basis_points != b->network_basis_points && m->fault != MODEL_FAULT_NETWORK_TIE_IGNORED)
        return a->network_basis_points < b->network_basis_points;
    return strcmp(a->worker_id, b->worker_id) < 0;
}

/* The best worker, or null. */
const tvd_worker *model_best_worker(const model *m, uint64_t now)
{
    const tvd_worker *best = NULL;
    for (size_t i = 0; i < m->worker_count; i++) {
        const tvd_worker *worker = &m->workers[i];
        if (is_eligible(m, worker, now) && (best == NULL || is_better(m, worker, best)))
            best = worker;
    }
    return best;
}

tvd_error model_get_available_worker(model *m, uint64_t now, tvd_worker *worker, bool *found)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (worker == NULL)
        return model_null(TVD_DETAIL_WORKER);
    if (found == NULL)
        return model_null(TVD_DETAIL_FOUND);
    if (now < m->logical_time) {
        tvd_error error = model_error(TVD_ERROR_LOGICAL_TIME_REGRESSION);
        error.expected = now;
        error.actual = m->logical_time;
        return error;
    }
    const tvd_worker *best = model_best_worker(m, now);
    *found = best != NULL;
    if (best != NULL)
        *worker = *best;
    return model_ok();
}

tvd_error model_get_worker(model *m, const char *worker_id, tvd_worker *worker, bool *found)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (worker_id == NULL)
        return model_null(TVD_DETAIL_WORKER_ID);
    if (worker == NULL)
        return model_null(TVD_DETAIL_WORKER);
    if (found == NULL)
        return model_null(TVD_DETAIL_FOUND);
    if (!model_id_valid(worker_id))
        return invalid_worker(TVD_DETAIL_WORKER_ID_INVALID);
    const tvd_worker *known = model_find_worker(m, worker_id);
    *found = known != NULL;
    if (known != NULL)
        *worker = *known;
    return model_ok();
}

/* The worker with the smallest ID after a given one; null if there is none. A null ID comes before all. */
static const tvd_worker *next_worker(const model *m, const char *after)
{
    const tvd_worker *next = NULL;
    for (size_t i = 0; i < m->worker_count; i++) {
        const tvd_worker *worker = &m->workers[i];
        if (after != NULL && strcmp(worker->worker_id, after) <= 0)
            continue;
        if (next == NULL || strcmp(worker->worker_id, next->worker_id) < 0)
            next = worker;
    }
    return next;
}

tvd_error model_workers(model *m, const char *after_worker_id, tvd_worker *workers, size_t capacity,
                        size_t *count, uint64_t *revision)
{
    if (m == NULL)
        return model_null(TVD_DETAIL_POOL);
    if (workers == NULL && capacity > 0)
        return model_null(TVD_DETAIL_WORKERS);
    if (count == NULL)
        return model_null(TVD_DETAIL_COUNT);
    if (after_worker_id != NULL && !model_id_valid(after_worker_id))
        return invalid_worker(TVD_DETAIL_WORKER_ID_INVALID);
    *count = 0;
    const tvd_worker *next = next_worker(m, after_worker_id);
    while (next != NULL && *count < capacity) {
        workers[(*count)++] = *next;
        next = next_worker(m, next->worker_id);
    }
    if (revision != NULL)
        *revision = m->revision;
    return model_ok();
}
