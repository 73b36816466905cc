/* Plays a command on the library, and checks the promises that every call makes: outputs are written on success
 * only, the error on failure only, and the cursor's second never. */
#include "session.h"

#include <string.h>

enum { UNTOUCHED = 0xa5 };

typedef struct call {
    const command *c;
    outcome *o;
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    tvd_result_aggregator *aggregator;
    tvd_cursor at;
    bool *found;
    size_t *count;
    tvd_error *error;
    void *output; /* Null if the command gives no place for one. */
    size_t output_size;
} call;

static bool is_untouched(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != UNTOUCHED)
            return false;
    }
    return true;
}

static call begin(session *s, const command *c, outcome *o, void *output, size_t output_size)
{
    bool no_handle = (c->nulls & NULL_HANDLE) != 0;
    call k = { .c = c, .o = o, .output_size = output_size };
    k.pool = no_handle ? NULL : s->pools[c->pool].pool;
    k.queue = no_handle ? NULL : s->pools[c->pool].queue;
    k.aggregator = no_handle ? NULL : s->la;
    k.at = (tvd_cursor){ c->revision, c->now };
    k.found = (c->nulls & NULL_FOUND) != 0 ? NULL : &o->found;
    k.count = (c->nulls & NULL_FOUND) != 0 ? NULL : &o->count;
    k.error = (c->nulls & NULL_ERROR) != 0 ? NULL : &o->error;
    k.output = (c->nulls & NULL_OUTPUT) != 0 ? NULL : output;
    o->found = true;
    o->fault = NULL;
    o->has_ownership = false;
    if (output_size > 0)
        memset(output, UNTOUCHED, output_size);
    memset(&o->error, UNTOUCHED, sizeof o->error);
    return k;
}

static tvd_cursor *cursor_of(call *k)
{
    return (k->c->nulls & NULL_CURSOR) != 0 ? NULL : &k->at;
}

static void end(call *k, tvd_status status, outcome_shape shape)
{
    outcome *o = k->o;
    o->revision = k->at.revision;
    if (k->at.now_secs != k->c->now)
        o->fault = "the cursor's second was written";
    if (status == TVD_OK) {
        if (!is_untouched(&o->error, sizeof o->error))
            o->fault = "the error was written on success";
        memset(&o->error, 0, sizeof o->error);
        o->shape = k->output != NULL ? shape : SHAPE_NOTHING;
        return;
    }
    if (k->output != NULL && !is_untouched(k->output, k->output_size))
        o->fault = "an output was written on failure";
    if (!o->found)
        o->fault = "found was written on failure";
    if (k->error == NULL)
        memset(&o->error, 0, sizeof o->error);
    else if (o->error.status != status)
        o->fault = "the error has another status than the call returned";
    o->error.status = status;
}

static void play_limits(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, NULL, 0);
    const tvd_limits *limits = (c->nulls & NULL_INPUT) != 0 ? NULL : &c->limits;
    tvd_status status = tvd_limits_validate(limits, k.error);
    end(&k, status, SHAPE_NOTHING);
    tvd_worker_pool *pool = NULL;
    tvd_error error;
    if (limits == NULL)
        return;
    if (tvd_worker_pool_create(limits, NULL, &pool, &error) != status)
        o->fault = "creation and validation answer differently";
    if ((pool != NULL) != (status == TVD_OK))
        o->fault = "a handle was written on failure, or not on success";
    if (status != TVD_OK && k.error != NULL &&
        (error.detail != o->error.detail || error.actual != o->error.actual || error.limit != o->error.limit))
        o->fault = "creation and validation give different errors";
    tvd_worker_pool_release(pool);
}

static void play_result_limits(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, NULL, 0);
    const tvd_result_limits *limits = (c->nulls & NULL_INPUT) != 0 ? NULL : &c->result_limits;
    tvd_status status = tvd_result_limits_validate(limits, k.error);
    end(&k, status, SHAPE_NOTHING);
    tvd_result_aggregator *aggregator = NULL;
    if (limits == NULL)
        return;
    if (tvd_result_aggregator_create(limits, NULL, &aggregator, NULL) != status)
        o->fault = "creation and validation answer differently";
    if ((aggregator != NULL) != (status == TVD_OK))
        o->fault = "a handle was written on failure, or not on success";
    tvd_result_aggregator_release(aggregator);
}

static void play_worker_command(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->worker, sizeof o->worker);
    bool no_input = (c->nulls & NULL_INPUT) != 0;
    const tvd_worker_spec *spec = no_input ? NULL : &c->worker_spec;
    const tvd_worker_observation *observation = no_input ? NULL : &c->observation;
    tvd_cursor *cursor = cursor_of(&k);
    tvd_status status;
    if (c->op == OP_REGISTER_WORKER)
        status = tvd_worker_pool_register_worker(k.pool, cursor, spec, k.output, k.error);
    else if (c->op == OP_REACTIVATE_WORKER)
        status = tvd_worker_pool_reactivate_worker(k.pool, cursor, c->generation, spec, k.output, k.error);
    else
        status = tvd_worker_pool_update_worker(k.pool, cursor, c->worker_id, c->generation, observation,
                                               k.output, k.error);
    end(&k, status, SHAPE_WORKER);
}

static void play_worker_read(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->worker, sizeof o->worker);
    tvd_status status;
    if (c->op == OP_GET_AVAILABLE_WORKER)
        status = tvd_worker_pool_get_available_worker(k.pool, c->now, k.output, k.found, k.error);
    else
        status = tvd_worker_pool_get_worker(k.pool, c->worker_id, k.output, k.found, k.error);
    end(&k, status, SHAPE_WORKER);
}

static void play_page(session *s, const command *c, outcome *o)
{
    bool tasks = c->op == OP_TASKS;
    void *output = tasks ? (void *)o->tasks : (void *)o->workers;
    size_t element = tasks ? sizeof o->tasks[0] : sizeof o->workers[0];
    call k = begin(s, c, o, output, c->page_capacity * element);
    tvd_status status;
    if (tasks)
        status = tvd_task_queue_tasks(k.queue, c->task_id, k.output, c->page_capacity, k.count,
                                      &o->page_revision, k.error);
    else
        status = tvd_worker_pool_workers(k.pool, c->worker_id, k.output, c->page_capacity, k.count,
                                         &o->page_revision, k.error);
    end(&k, status, tasks ? SHAPE_TASK_PAGE : SHAPE_WORKER_PAGE);
}

static void offer_ownership(outcome *o)
{
    o->has_ownership = tvd_task_ownership_of(&o->task, &o->raw_ownership);
    if (o->has_ownership)
        token_view_ownership(&o->raw_ownership, &o->ownership);
}

static void play_enqueue(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->task, sizeof o->task);
    const tvd_task_spec *spec = (c->nulls & NULL_INPUT) != 0 ? NULL : &c->task_spec;
    end(&k, tvd_task_queue_enqueue(k.queue, cursor_of(&k), spec, k.output, k.error), SHAPE_TASK);
    if (c->wants_ownership && o->error.status == TVD_OK && k.output != NULL)
        offer_ownership(o);
}

static void play_task_read(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->task, sizeof o->task);
    tvd_status status;
    if (c->op == OP_PEEK_NEXT)
        status = tvd_task_queue_peek_next(k.queue, k.output, k.found, k.error);
    else
        status = tvd_task_queue_get_task(k.queue, c->task_id, k.output, k.found, k.error);
    end(&k, status, SHAPE_TASK);
    if (c->op == OP_OWNERSHIP && status == TVD_OK && o->found)
        offer_ownership(o);
}

static void play_assign(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->raw_lease, sizeof o->raw_lease);
    tvd_cursor *cursor = cursor_of(&k);
    tvd_status status;
    if (c->op == OP_ASSIGN_TASK)
        status =
            tvd_worker_pool_assign_task(k.pool, cursor, c->task_id, c->worker_id, c->ttl, k.output, k.error);
    else if (c->op == OP_ASSIGN_NEXT)
        status = tvd_worker_pool_assign_next(k.pool, cursor, c->worker_id, c->ttl, k.output, k.error);
    else
        status = tvd_worker_pool_assign_next_available(k.pool, cursor, c->ttl, k.output, k.error);
    end(&k, status, SHAPE_LEASE);
    if (status == TVD_OK)
        token_view_lease(&o->raw_lease, &o->lease);
}

static void play_start(session *s, const command *c, const tvd_task_lease *lease, outcome *o)
{
    call k = begin(s, c, o, &o->start, sizeof o->start);
    end(&k, tvd_worker_pool_start_task(k.pool, cursor_of(&k), lease, k.output, k.error), SHAPE_START);
}

static void play_complete(session *s, const command *c, const tvd_task_lease *lease, outcome *o)
{
    tvd_completion_outcome done;
    call k = begin(s, c, o, &done, sizeof done);
    tvd_status status = tvd_worker_pool_complete_task(k.pool, cursor_of(&k), lease, k.output, k.error);
    end(&k, status, SHAPE_COMPLETION);
    if (status != TVD_OK || k.output == NULL)
        return;
    o->completion.kind = done.kind;
    o->raw_receipt = done.receipt;
    token_view_receipt(&done.receipt, &o->completion.receipt);
}

static void play_fail(session *s, const command *c, const tvd_task_lease *lease, outcome *o)
{
    call k = begin(s, c, o, &o->failure, sizeof o->failure);
    end(&k, tvd_worker_pool_fail_task(k.pool, cursor_of(&k), lease, k.output, k.error), SHAPE_FAILURE);
}

static void play_cancel(session *s, const command *c, const tvd_task_ownership *ownership, outcome *o)
{
    call k = begin(s, c, o, &o->cancellation, sizeof o->cancellation);
    if ((c->nulls & NULL_INPUT) != 0)
        ownership = NULL;
    end(&k, tvd_worker_pool_cancel_task(k.pool, cursor_of(&k), ownership, k.output, k.error),
        SHAPE_CANCELLATION);
}

static void play_recovery(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->recovery, sizeof o->recovery);
    tvd_cursor *cursor = cursor_of(&k);
    tvd_status status;
    if (c->op == OP_RECOVER_EXPIRED_LEASES)
        status = tvd_worker_pool_recover_expired_leases(k.pool, cursor, k.output, k.error);
    else if (c->op == OP_PRUNE_DEAD_WORKERS)
        status = tvd_worker_pool_prune_dead_workers(k.pool, cursor, k.output, k.error);
    else
        status =
            tvd_worker_pool_deregister_worker(k.pool, cursor, c->worker_id, c->generation, k.output, k.error);
    end(&k, status, SHAPE_RECOVERY);
}

static void play_expire(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->expired, sizeof o->expired);
    end(&k, tvd_worker_pool_expire_old_tasks(k.pool, cursor_of(&k), c->ttl, k.output, k.error), SHAPE_EXPIRED);
}

static void play_snapshot(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->snapshot, sizeof o->snapshot);
    tvd_status status = c->page_capacity % 2 == 0 ? tvd_worker_pool_snapshot(k.pool, k.output, k.error)
                                                  : tvd_task_queue_snapshot(k.queue, k.output, k.error);
    end(&k, status, SHAPE_SNAPSHOT);
}

static void play_next_due(session *s, const command *c, outcome *o)
{
    call k = begin(s, c, o, &o->next_due, sizeof o->next_due);
    end(&k, tvd_worker_pool_next_due(k.pool, c->ttl, k.output, k.error), SHAPE_NEXT_DUE);
}

static void play_store(session *s, const command *c, const tvd_completion_receipt *receipt, outcome *o)
{
    call k = begin(s, c, o, &o->store, sizeof o->store);
    uint64_t *revision = (c->nulls & NULL_CURSOR) != 0 ? NULL : &k.at.revision;
    if ((c->nulls & NULL_INPUT) != 0)
        receipt = NULL;
    tvd_status status = tvd_result_aggregator_store_result(k.aggregator, revision, receipt, c->bytes,
                                                           c->bytes_size, k.output, k.error);
    end(&k, status, SHAPE_STORE);
}

static void play_aggregate(session *s, const command *c, outcome *o)
{
    tvd_aggregate *aggregate;
    call k = begin(s, c, o, &aggregate, sizeof aggregate);
    tvd_status status = tvd_result_aggregator_aggregate_results(k.aggregator, command_task_ids(c),
                                                                c->request_count, k.output, k.error);
    end(&k, status, SHAPE_ITEMS);
    if (status == TVD_OK)
        o->aggregate = aggregate;
}

static void play_get_result(session *s, const command *c, outcome *o)
{
    tvd_result *result;
    call k = begin(s, c, o, &result, sizeof result);
    tvd_status status = tvd_result_aggregator_get_result(k.aggregator, c->task_id, k.output, k.error);
    end(&k, status, SHAPE_ITEMS);
    if (status != TVD_OK)
        return;
    o->result = result;
    o->found = result != NULL;
}

static void play_holder(session *s, const command *c, const resolved_token *t, outcome *o)
{
    const tvd_task_lease *lease = (c->nulls & NULL_INPUT) != 0 ? NULL : &t->lease;
    if (c->op == OP_START_TASK)
        play_start(s, c, lease, o);
    else if (c->op == OP_COMPLETE_TASK)
        play_complete(s, c, lease, o);
    else if (c->op == OP_FAIL_TASK)
        play_fail(s, c, lease, o);
    else
        play_cancel(s, c, &t->ownership, o);
}

static void play_result_command(session *s, const command *c, const resolved_token *t, outcome *o)
{
    if (c->op == OP_STORE_RESULT)
        play_store(s, c, &t->receipt, o);
    else if (c->op == OP_AGGREGATE_RESULTS)
        play_aggregate(s, c, o);
    else
        play_get_result(s, c, o);
}

void play_library(session *s, const command *c, const resolved_token *t, outcome *o)
{
    o->result = NULL;
    o->aggregate = NULL;
    o->items = NULL;
    switch (c->op) {
    case OP_TRY_LIMITS:
        play_limits(s, c, o);
        break;
    case OP_TRY_RESULT_LIMITS:
        play_result_limits(s, c, o);
        break;
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
    case OP_UPDATE_WORKER:
        play_worker_command(s, c, o);
        break;
    case OP_GET_AVAILABLE_WORKER:
    case OP_GET_WORKER:
        play_worker_read(s, c, o);
        break;
    case OP_WORKERS:
    case OP_TASKS:
        play_page(s, c, o);
        break;
    case OP_ENQUEUE:
        play_enqueue(s, c, o);
        break;
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        play_assign(s, c, o);
        break;
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
        play_holder(s, c, t, o);
        break;
    case OP_DEREGISTER_WORKER:
    case OP_RECOVER_EXPIRED_LEASES:
    case OP_PRUNE_DEAD_WORKERS:
        play_recovery(s, c, o);
        break;
    case OP_EXPIRE_OLD_TASKS:
        play_expire(s, c, o);
        break;
    case OP_GET_TASK:
    case OP_PEEK_NEXT:
    case OP_OWNERSHIP:
        play_task_read(s, c, o);
        break;
    case OP_SNAPSHOT:
        play_snapshot(s, c, o);
        break;
    case OP_NEXT_DUE:
        play_next_due(s, c, o);
        break;
    case OP_STORE_RESULT:
    case OP_AGGREGATE_RESULTS:
    case OP_GET_RESULT:
        play_result_command(s, c, t, o);
        break;
    case OP_COUNT:
        break;
    }
}
