/*
 * Every public function that can fail, as one kind of call.
 */
#include "stage.h"

#include <string.h>

static tvd_status limits_validate(const struct arguments *a, tvd_error *error)
{
    return tvd_limits_validate(a->limits, error);
}

static tvd_status result_limits_validate(const struct arguments *a, tvd_error *error)
{
    return tvd_result_limits_validate(a->result_limits, error);
}

static tvd_status worker_pool_create(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_create(a->limits, a->allocator, a->new_pool, error);
}

static tvd_status task_queue_create(const struct arguments *a, tvd_error *error)
{
    return tvd_task_queue_create(a->limits, a->allocator, a->new_queue, error);
}

static tvd_status worker_pool_register_worker(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_register_worker(a->pool, a->cursor, a->worker_spec, a->worker, error);
}

static tvd_status worker_pool_reactivate_worker(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_reactivate_worker(a->pool, a->cursor, a->generation, a->worker_spec, a->worker,
                                             error);
}

static tvd_status worker_pool_update_worker(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_update_worker(a->pool, a->cursor, a->worker_id, a->generation, a->observation,
                                         a->worker, error);
}

static tvd_status worker_pool_get_available_worker(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_get_available_worker(a->pool, a->now_secs, a->worker, a->found, error);
}

static tvd_status worker_pool_get_worker(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_get_worker(a->pool, a->worker_id, a->worker, a->found, error);
}

static tvd_status worker_pool_workers(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_workers(a->pool, a->after_id, a->workers, a->capacity, a->count, a->page_revision,
                                   error);
}

static tvd_status worker_pool_assign_task(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_assign_task(a->pool, a->cursor, a->task_id, a->worker_id, a->ttl_secs, a->new_lease,
                                       error);
}

static tvd_status worker_pool_assign_next(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_assign_next(a->pool, a->cursor, a->worker_id, a->ttl_secs, a->new_lease, error);
}

static tvd_status worker_pool_assign_next_available(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_assign_next_available(a->pool, a->cursor, a->ttl_secs, a->new_lease, error);
}

static tvd_status worker_pool_start_task(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_start_task(a->pool, a->cursor, a->lease, a->start, error);
}

static tvd_status worker_pool_complete_task(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_complete_task(a->pool, a->cursor, a->lease, a->completion, error);
}

static tvd_status worker_pool_fail_task(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_fail_task(a->pool, a->cursor, a->lease, a->failure, error);
}

static tvd_status worker_pool_cancel_task(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_cancel_task(a->pool, a->cursor, a->ownership, a->cancellation, error);
}

static tvd_status worker_pool_recover_expired_leases(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_recover_expired_leases(a->pool, a->cursor, a->summary, error);
}

static tvd_status worker_pool_deregister_worker(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_deregister_worker(a->pool, a->cursor, a->worker_id, a->generation, a->summary,
                                             error);
}

static tvd_status worker_pool_prune_dead_workers(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_prune_dead_workers(a->pool, a->cursor, a->summary, error);
}

static tvd_status worker_pool_expire_old_tasks(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_expire_old_tasks(a->pool, a->cursor, a->ttl_secs, a->expired, error);
}

static tvd_status worker_pool_next_due(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_next_due(a->pool, a->ttl_secs, a->next, error);
}

static tvd_status worker_pool_snapshot(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_snapshot(a->pool, a->snapshot, error);
}

static tvd_status worker_pool_check_invariants(const struct arguments *a, tvd_error *error)
{
    return tvd_worker_pool_check_invariants(a->pool, error);
}

static tvd_status task_queue_enqueue(const struct arguments *a, tvd_error *error)
{
    return tvd_task_queue_enqueue(a->queue, a->cursor, a->task_spec, a->task, error);
}

static tvd_status task_queue_peek_next(const struct arguments *a, tvd_error *error)
{
    return tvd_task_queue_peek_next(a->queue, a->task, a->found, error);
}

static tvd_status task_queue_get_task(const struct arguments *a, tvd_error *error)
{
    return tvd_task_queue_get_task(a->queue, a->task_id, a->task, a->found, error);
}

static tvd_status task_queue_tasks(const struct arguments *a, tvd_error *error)
{
    return tvd_task_queue_tasks(a->queue, a->after_id, a->tasks, a->capacity, a->count, a->page_revision,
                                error);
}

static tvd_status task_queue_snapshot(const struct arguments *a, tvd_error *error)
{
    return tvd_task_queue_snapshot(a->queue, a->snapshot, error);
}

static tvd_status result_aggregator_create(const struct arguments *a, tvd_error *error)
{
    return tvd_result_aggregator_create(a->result_limits, a->allocator, a->new_aggregator, error);
}

static tvd_status result_aggregator_store_result(const struct arguments *a, tvd_error *error)
{
    return tvd_result_aggregator_store_result(a->aggregator, a->revision, a->receipt, a->bytes, a->size,
                                              a->store, error);
}

static tvd_status result_aggregator_aggregate_results(const struct arguments *a, tvd_error *error)
{
    return tvd_result_aggregator_aggregate_results(a->aggregator, a->task_ids, a->task_ids_count, a->aggregate,
                                                   error);
}

static tvd_status result_aggregator_get_result(const struct arguments *a, tvd_error *error)
{
    return tvd_result_aggregator_get_result(a->aggregator, a->task_id, a->result, error);
}

static tvd_status result_aggregator_check_invariants(const struct arguments *a, tvd_error *error)
{
    return tvd_result_aggregator_check_invariants(a->aggregator, error);
}

static void take_gone(struct stage *stage)
{
    stage->inputs.worker_spec.worker_id = "gone";
    stage->arguments.generation = 2;
}

static void take_running(struct stage *stage)
{
    stage->inputs.lease = stage->cast.running;
}

static void take_stored(struct stage *stage)
{
    stage->arguments.task_id = "stored";
}

/* Where the pointers are. */
#define ARGUMENT(member) offsetof(struct stage, arguments.member)
#define INPUT(member) offsetof(struct stage, inputs.member)

const struct function functions[] = {
    { "limits_validate", limits_validate, NULL, 0, { { TVD_DETAIL_LIMITS, ARGUMENT(limits) } } },
    { "result_limits_validate",
      result_limits_validate,
      NULL,
      0,
      { { TVD_DETAIL_LIMITS, ARGUMENT(result_limits) } } },
    { "worker_pool_create",
      worker_pool_create,
      NULL,
      1,
      { { TVD_DETAIL_ALLOCATE, INPUT(allocator.allocate) },
        { TVD_DETAIL_RELEASE, INPUT(allocator.release) },
        { TVD_DETAIL_POOL, ARGUMENT(new_pool) } } },
    { "task_queue_create",
      task_queue_create,
      NULL,
      1,
      { { TVD_DETAIL_ALLOCATE, INPUT(allocator.allocate) },
        { TVD_DETAIL_RELEASE, INPUT(allocator.release) },
        { TVD_DETAIL_QUEUE, ARGUMENT(new_queue) } } },
    { "worker_pool_register_worker",
      worker_pool_register_worker,
      NULL,
      1,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_SPEC, ARGUMENT(worker_spec) },
        { TVD_DETAIL_WORKER_ID, INPUT(worker_spec.worker_id) } } },
    { "worker_pool_reactivate_worker",
      worker_pool_reactivate_worker,
      take_gone,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_SPEC, ARGUMENT(worker_spec) },
        { TVD_DETAIL_WORKER_ID, INPUT(worker_spec.worker_id) } } },
    { "worker_pool_update_worker",
      worker_pool_update_worker,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_WORKER_ID, ARGUMENT(worker_id) },
        { TVD_DETAIL_OBSERVATION, ARGUMENT(observation) } } },
    { "worker_pool_get_available_worker",
      worker_pool_get_available_worker,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_WORKER, ARGUMENT(worker) },
        { TVD_DETAIL_FOUND, ARGUMENT(found) } } },
    { "worker_pool_get_worker",
      worker_pool_get_worker,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_WORKER_ID, ARGUMENT(worker_id) },
        { TVD_DETAIL_WORKER, ARGUMENT(worker) },
        { TVD_DETAIL_FOUND, ARGUMENT(found) } } },
    { "worker_pool_workers",
      worker_pool_workers,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_WORKERS, ARGUMENT(workers) },
        { TVD_DETAIL_COUNT, ARGUMENT(count) } } },
    { "worker_pool_assign_task",
      worker_pool_assign_task,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_TASK_ID, ARGUMENT(task_id) },
        { TVD_DETAIL_WORKER_ID, ARGUMENT(worker_id) },
        { TVD_DETAIL_LEASE, ARGUMENT(new_lease) } } },
    { "worker_pool_assign_next",
      worker_pool_assign_next,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_WORKER_ID, ARGUMENT(worker_id) },
        { TVD_DETAIL_LEASE, ARGUMENT(new_lease) } } },
    { "worker_pool_assign_next_available",
      worker_pool_assign_next_available,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_LEASE, ARGUMENT(new_lease) } } },
    { "worker_pool_start_task",
      worker_pool_start_task,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_LEASE, ARGUMENT(lease) } } },
    { "worker_pool_complete_task",
      worker_pool_complete_task,
      take_running,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_LEASE, ARGUMENT(lease) } } },
    { "worker_pool_fail_task",
      worker_pool_fail_task,
      take_running,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_LEASE, ARGUMENT(lease) } } },
    { "worker_pool_cancel_task",
      worker_pool_cancel_task,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_OWNERSHIP, ARGUMENT(ownership) } } },
    { "worker_pool_recover_expired_leases",
      worker_pool_recover_expired_leases,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) }, { TVD_DETAIL_CURSOR, ARGUMENT(cursor) } } },
    { "worker_pool_deregister_worker",
      worker_pool_deregister_worker,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_WORKER_ID, ARGUMENT(worker_id) } } },
    { "worker_pool_prune_dead_workers",
      worker_pool_prune_dead_workers,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) }, { TVD_DETAIL_CURSOR, ARGUMENT(cursor) } } },
    { "worker_pool_expire_old_tasks",
      worker_pool_expire_old_tasks,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) }, { TVD_DETAIL_CURSOR, ARGUMENT(cursor) } } },
    { "worker_pool_next_due",
      worker_pool_next_due,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) }, { TVD_DETAIL_NEXT, ARGUMENT(next) } } },
    { "worker_pool_snapshot",
      worker_pool_snapshot,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) }, { TVD_DETAIL_SNAPSHOT, ARGUMENT(snapshot) } } },
    { "worker_pool_check_invariants",
      worker_pool_check_invariants,
      NULL,
      0,
      { { TVD_DETAIL_POOL, ARGUMENT(pool) } } },
    { "task_queue_enqueue",
      task_queue_enqueue,
      NULL,
      1,
      { { TVD_DETAIL_QUEUE, ARGUMENT(queue) },
        { TVD_DETAIL_CURSOR, ARGUMENT(cursor) },
        { TVD_DETAIL_SPEC, ARGUMENT(task_spec) },
        { TVD_DETAIL_TASK_ID, INPUT(task_spec.task_id) },
        { TVD_DETAIL_SCAN_ID, INPUT(task_spec.scan_id) },
        { TVD_DETAIL_TARGET_REF, INPUT(task_spec.target_ref) },
        { TVD_DETAIL_PHASES, INPUT(task_spec.phases) } } },
    { "task_queue_peek_next",
      task_queue_peek_next,
      NULL,
      0,
      { { TVD_DETAIL_QUEUE, ARGUMENT(queue) },
        { TVD_DETAIL_TASK, ARGUMENT(task) },
        { TVD_DETAIL_FOUND, ARGUMENT(found) } } },
    { "task_queue_get_task",
      task_queue_get_task,
      NULL,
      0,
      { { TVD_DETAIL_QUEUE, ARGUMENT(queue) },
        { TVD_DETAIL_TASK_ID, ARGUMENT(task_id) },
        { TVD_DETAIL_TASK, ARGUMENT(task) },
        { TVD_DETAIL_FOUND, ARGUMENT(found) } } },
    { "task_queue_tasks",
      task_queue_tasks,
      NULL,
      0,
      { { TVD_DETAIL_QUEUE, ARGUMENT(queue) },
        { TVD_DETAIL_TASKS, ARGUMENT(tasks) },
        { TVD_DETAIL_COUNT, ARGUMENT(count) } } },
    { "task_queue_snapshot",
      task_queue_snapshot,
      NULL,
      0,
      { { TVD_DETAIL_QUEUE, ARGUMENT(queue) }, { TVD_DETAIL_SNAPSHOT, ARGUMENT(snapshot) } } },
    { "result_aggregator_create",
      result_aggregator_create,
      NULL,
      1,
      { { TVD_DETAIL_ALLOCATE, INPUT(allocator.allocate) },
        { TVD_DETAIL_RELEASE, INPUT(allocator.release) },
        { TVD_DETAIL_AGGREGATOR, ARGUMENT(new_aggregator) } } },
    { "result_aggregator_store_result",
      result_aggregator_store_result,
      NULL,
      1,
      { { TVD_DETAIL_AGGREGATOR, ARGUMENT(aggregator) },
        { TVD_DETAIL_REVISION, ARGUMENT(revision) },
        { TVD_DETAIL_RECEIPT, ARGUMENT(receipt) },
        { TVD_DETAIL_BYTES, ARGUMENT(bytes) } } },
    { "result_aggregator_aggregate_results",
      result_aggregator_aggregate_results,
      NULL,
      1,
      { { TVD_DETAIL_AGGREGATOR, ARGUMENT(aggregator) },
        { TVD_DETAIL_TASK_IDS, ARGUMENT(task_ids) },
        { TVD_DETAIL_AGGREGATE, ARGUMENT(aggregate) } } },
    { "result_aggregator_get_result",
      result_aggregator_get_result,
      take_stored,
      1,
      { { TVD_DETAIL_AGGREGATOR, ARGUMENT(aggregator) },
        { TVD_DETAIL_TASK_ID, ARGUMENT(task_id) },
        { TVD_DETAIL_RESULT, ARGUMENT(result) } } },
    { "result_aggregator_check_invariants",
      result_aggregator_check_invariants,
      NULL,
      0,
      { { TVD_DETAIL_AGGREGATOR, ARGUMENT(aggregator) } } },
    { 0 },
};

const struct function *function_named(const char *name)
{
    for (const struct function *function = functions; function->name != NULL; function++) {
        if (strcmp(function->name, name) == 0)
            return function;
    }
    fail_msg("no function is called %s", name);
    return NULL;
}
