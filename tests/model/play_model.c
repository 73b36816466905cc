/* Plays a command on the model. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

typedef struct call {
    model *m;
    model_aggregator *a;
    tvd_cursor at;
    tvd_cursor *cursor;
    bool *found;
    size_t *count;
    bool has_output;
    bool has_input;
} call;

static void begin(call *k, session *s, const command *c, outcome *o)
{
    bool no_handle = (c->nulls & NULL_HANDLE) != 0;
    k->m = no_handle ? NULL : s->pools[c->pool].m;
    k->a = no_handle ? NULL : s->ma;
    k->at = (tvd_cursor){ c->revision, c->now };
    k->cursor = (c->nulls & NULL_CURSOR) != 0 ? NULL : &k->at;
    k->found = (c->nulls & NULL_FOUND) != 0 ? NULL : &o->found;
    k->count = (c->nulls & NULL_FOUND) != 0 ? NULL : &o->count;
    k->has_output = (c->nulls & NULL_OUTPUT) == 0;
    k->has_input = (c->nulls & NULL_INPUT) == 0;
    o->found = true;
    o->fault = NULL;
    o->has_ownership = false;
    o->result = NULL;
    o->aggregate = NULL;
    o->items = NULL;
}

static outcome_shape shape_of(operation op)
{
    switch (op) {
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
    case OP_UPDATE_WORKER:
    case OP_GET_AVAILABLE_WORKER:
    case OP_GET_WORKER:
        return SHAPE_WORKER;
    case OP_ENQUEUE:
    case OP_GET_TASK:
    case OP_PEEK_NEXT:
    case OP_OWNERSHIP:
        return SHAPE_TASK;
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        return SHAPE_LEASE;
    case OP_DEREGISTER_WORKER:
    case OP_RECOVER_EXPIRED_LEASES:
    case OP_PRUNE_DEAD_WORKERS:
        return SHAPE_RECOVERY;
    case OP_AGGREGATE_RESULTS:
    case OP_GET_RESULT:
        return SHAPE_ITEMS;
    case OP_START_TASK:
        return SHAPE_START;
    case OP_COMPLETE_TASK:
        return SHAPE_COMPLETION;
    case OP_FAIL_TASK:
        return SHAPE_FAILURE;
    case OP_CANCEL_TASK:
        return SHAPE_CANCELLATION;
    case OP_EXPIRE_OLD_TASKS:
        return SHAPE_EXPIRED;
    case OP_STORE_RESULT:
        return SHAPE_STORE;
    case OP_TASKS:
        return SHAPE_TASK_PAGE;
    case OP_WORKERS:
        return SHAPE_WORKER_PAGE;
    case OP_SNAPSHOT:
        return SHAPE_SNAPSHOT;
    case OP_NEXT_DUE:
        return SHAPE_NEXT_DUE;
    case OP_TRY_LIMITS:
    case OP_TRY_RESULT_LIMITS:
    case OP_COUNT:
        break;
    }
    return SHAPE_NOTHING;
}

static tvd_error play_worker(call *k, const command *c, outcome *o)
{
    const tvd_worker_spec *spec = k->has_input ? &c->worker_spec : NULL;
    const tvd_worker_observation *observation = k->has_input ? &c->observation : NULL;
    tvd_worker *worker = k->has_output ? &o->worker : NULL;
    tvd_worker *page = k->has_output ? o->workers : NULL;
    switch (c->op) {
    case OP_REGISTER_WORKER:
        return model_register_worker(k->m, k->cursor, spec, worker);
    case OP_REACTIVATE_WORKER:
        return model_reactivate_worker(k->m, k->cursor, c->generation, spec, worker);
    case OP_UPDATE_WORKER:
        return model_update_worker(k->m, k->cursor, c->worker_id, c->generation, observation, worker);
    case OP_GET_AVAILABLE_WORKER:
        return model_get_available_worker(k->m, c->now, worker, k->found);
    case OP_GET_WORKER:
        return model_get_worker(k->m, c->worker_id, worker, k->found);
    default:
        return model_workers(k->m, c->worker_id, page, c->page_capacity, k->count, &o->page_revision);
    }
}

static tvd_error play_task(call *k, const command *c, outcome *o)
{
    const tvd_task_spec *spec = k->has_input ? &c->task_spec : NULL;
    tvd_task *task = k->has_output ? &o->task : NULL;
    tvd_task *page = k->has_output ? o->tasks : NULL;
    tvd_error error;
    switch (c->op) {
    case OP_ENQUEUE:
        error = model_enqueue(k->m, k->cursor, spec, task);
        break;
    case OP_PEEK_NEXT:
        return model_peek_next(k->m, task, k->found);
    case OP_TASKS:
        return model_tasks(k->m, c->task_id, page, c->page_capacity, k->count, &o->page_revision);
    default:
        error = model_get_task(k->m, c->task_id, task, k->found);
        break;
    }
    bool asks = c->op == OP_OWNERSHIP || (c->op == OP_ENQUEUE && c->wants_ownership);
    if (asks && error.status == TVD_OK && o->found)
        o->has_ownership = model_ownership_of(task, &o->ownership);
    return error;
}

static tvd_error play_assign(call *k, const command *c, outcome *o)
{
    model_lease *lease = k->has_output ? &o->lease : NULL;
    if (c->op == OP_ASSIGN_TASK)
        return model_assign_task(k->m, k->cursor, c->task_id, c->worker_id, c->ttl, lease);
    if (c->op == OP_ASSIGN_NEXT)
        return model_assign_next(k->m, k->cursor, c->worker_id, c->ttl, lease);
    return model_assign_next_available(k->m, k->cursor, c->ttl, lease);
}

static tvd_error play_holder(call *k, const command *c, const resolved_token *t, outcome *o)
{
    const model_ownership *ownership = k->has_input ? &t->model_ownership : NULL;
    const model_lease *lease = k->has_input ? &t->model_ownership.lease : NULL;
    switch (c->op) {
    case OP_START_TASK:
        return model_start_task(k->m, k->cursor, lease, k->has_output ? &o->start : NULL);
    case OP_COMPLETE_TASK:
        return model_complete_task(k->m, k->cursor, lease, k->has_output ? &o->completion : NULL);
    case OP_FAIL_TASK:
        return model_fail_task(k->m, k->cursor, lease, k->has_output ? &o->failure : NULL);
    default:
        return model_cancel_task(k->m, k->cursor, ownership, k->has_output ? &o->cancellation : NULL);
    }
}

static tvd_error play_recovery(call *k, const command *c, outcome *o)
{
    tvd_recovery_summary *summary = k->has_output ? &o->recovery : NULL;
    switch (c->op) {
    case OP_RECOVER_EXPIRED_LEASES:
        return model_recover_expired_leases(k->m, k->cursor, summary);
    case OP_PRUNE_DEAD_WORKERS:
        return model_prune_dead_workers(k->m, k->cursor, summary);
    case OP_DEREGISTER_WORKER:
        return model_deregister_worker(k->m, k->cursor, c->worker_id, c->generation, summary);
    default:
        return model_expire_old_tasks(k->m, k->cursor, c->ttl, k->has_output ? &o->expired : NULL);
    }
}

static tvd_error play_result(call *k, const command *c, const resolved_token *t, outcome *o)
{
    const model_receipt *receipt = k->has_input ? &t->model_receipt : NULL;
    uint64_t *revision = k->cursor != NULL ? &k->at.revision : NULL;
    if (c->op == OP_STORE_RESULT)
        return model_store_result(k->a, revision, receipt, c->bytes, c->bytes_size,
                                  k->has_output ? &o->store : NULL);
    bool too_many = c->request_count > TVD_MAX_AGGREGATE_ITEMS;
    o->count = c->op == OP_GET_RESULT ? 1 : c->request_count;
    o->items = calloc(too_many || o->count == 0 ? 1 : o->count, sizeof *o->items);
    if (o->items == NULL)
        abort();
    if (c->op == OP_GET_RESULT)
        return model_get_result(k->a, c->task_id, k->has_output, o->items, &o->found);
    return model_aggregate_results(k->a, command_task_ids(c), c->request_count, o->items, k->has_output);
}

static tvd_error play_other(call *k, const command *c, outcome *o)
{
    if (c->op == OP_TRY_LIMITS)
        return model_limits_validate(k->has_input ? &c->limits : NULL);
    if (c->op == OP_TRY_RESULT_LIMITS)
        return model_result_limits_validate(k->has_input ? &c->result_limits : NULL);
    if (c->op == OP_NEXT_DUE)
        return model_next_due(k->m, c->ttl, k->has_output ? &o->next_due : NULL);
    return model_snapshot(k->m, c->page_capacity % 2 == 0 ? TVD_DETAIL_POOL : TVD_DETAIL_QUEUE,
                          k->has_output ? &o->snapshot : NULL);
}

void play_model(session *s, const command *c, const resolved_token *t, outcome *o)
{
    call k;
    begin(&k, s, c, o);
    switch (c->op) {
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
    case OP_UPDATE_WORKER:
    case OP_GET_AVAILABLE_WORKER:
    case OP_GET_WORKER:
    case OP_WORKERS:
        o->error = play_worker(&k, c, o);
        break;
    case OP_ENQUEUE:
    case OP_GET_TASK:
    case OP_PEEK_NEXT:
    case OP_OWNERSHIP:
    case OP_TASKS:
        o->error = play_task(&k, c, o);
        break;
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        o->error = play_assign(&k, c, o);
        break;
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
        o->error = play_holder(&k, c, t, o);
        break;
    case OP_RECOVER_EXPIRED_LEASES:
    case OP_PRUNE_DEAD_WORKERS:
    case OP_DEREGISTER_WORKER:
    case OP_EXPIRE_OLD_TASKS:
        o->error = play_recovery(&k, c, o);
        break;
    case OP_STORE_RESULT:
    case OP_AGGREGATE_RESULTS:
    case OP_GET_RESULT:
        o->error = play_result(&k, c, t, o);
        break;
    case OP_TRY_LIMITS:
    case OP_TRY_RESULT_LIMITS:
    case OP_SNAPSHOT:
    case OP_NEXT_DUE:
        o->error = play_other(&k, c, o);
        break;
    case OP_COUNT:
        break;
    }
    o->revision = k.at.revision;
    if ((c->nulls & NULL_ERROR) != 0)
        o->error = model_error(o->error.status);
    o->shape = k.has_output ? shape_of(c->op) : SHAPE_NOTHING;
}
