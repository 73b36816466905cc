/* Makes random commands. Most are sensible in the state they meet, so that tasks live whole lives; some are not. */
#include "generate.h"

#include "arguments.h"
#include "pick.h"

/* How often each command is wanted when it is not switched off. */
static const unsigned usual_weights[OP_COUNT] = {
    [OP_TRY_LIMITS] = 1,         [OP_TRY_RESULT_LIMITS] = 1, [OP_REGISTER_WORKER] = 8,
    [OP_REACTIVATE_WORKER] = 6,  [OP_UPDATE_WORKER] = 10,    [OP_GET_AVAILABLE_WORKER] = 2,
    [OP_GET_WORKER] = 1,         [OP_WORKERS] = 1,           [OP_ENQUEUE] = 20,
    [OP_ASSIGN_TASK] = 10,       [OP_ASSIGN_NEXT] = 8,       [OP_ASSIGN_NEXT_AVAILABLE] = 14,
    [OP_START_TASK] = 26,        [OP_COMPLETE_TASK] = 16,    [OP_FAIL_TASK] = 12,
    [OP_CANCEL_TASK] = 4,        [OP_DEREGISTER_WORKER] = 2, [OP_RECOVER_EXPIRED_LEASES] = 3,
    [OP_PRUNE_DEAD_WORKERS] = 2, [OP_EXPIRE_OLD_TASKS] = 1,  [OP_GET_TASK] = 1,
    [OP_PEEK_NEXT] = 1,          [OP_OWNERSHIP] = 4,         [OP_TASKS] = 1,
    [OP_SNAPSHOT] = 1,           [OP_NEXT_DUE] = 2,          [OP_STORE_RESULT] = 10,
    [OP_AGGREGATE_RESULTS] = 3,  [OP_GET_RESULT] = 2,
};

static uint64_t make_first_now(prng *r)
{
    uint64_t kind = prng_below(r, 20);
    if (kind < 14)
        return prng_below(r, 3);
    return kind < 17 ? UINT64_MAX - prng_below(r, 120) : prng_next(r) >> prng_below(r, 40);
}

static void make_weights(plan *p)
{
    for (unsigned i = 0; i < OP_COUNT; i++) {
        uint64_t kind = prng_below(&p->random, 10);
        unsigned factor = kind < 2 ? 0 : kind < 8 ? 2 : 5;
        bool needed = i == OP_ENQUEUE || i == OP_REGISTER_WORKER || i == OP_START_TASK;
        if (factor == 0 && needed)
            factor = 1;
        p->weights[i] = usual_weights[i] * factor;
        p->weight_sum += p->weights[i];
    }
}

plan plan_make(uint64_t seed, model_fault fault)
{
    plan p = { .random = { seed } };
    prng *r = &p.random;
    p.is_big = prng_percent(r, 2);
    p.options.limits = arguments_limits(r, p.is_big);
    p.options.result_limits = arguments_result_limits(r);
    p.options.pool_count = prng_percent(r, 25) ? 2 : 1;
    p.options.fault = fault;
    p.length = (unsigned)(p.is_big ? prng_between(r, 800, 3000) : prng_between(r, 60, 500));
    p.hostile = (unsigned)(prng_percent(r, 30) ? 0 : prng_between(r, 1, 25));
    p.restless = (unsigned)prng_between(r, 0, 60);
    p.first_now = make_first_now(r);
    p.task_ids = (unsigned)(p.options.limits.max_task_records + prng_below(r, 3) + 1);
    p.worker_ids = (unsigned)(p.options.limits.max_workers + prng_below(r, 2) + 1);
    make_weights(&p);
    return p;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* A second at, just before or just after something falls due. */
static uint64_t interesting_time(plan *p, const model *m)
{
    const model_task *task = plan_pick_task(p, m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_RUNNING);
    const tvd_worker *worker = plan_pick_worker(p, m, false);
    uint64_t kind = prng_below(&p->random, 3);
    uint64_t time = m->logical_time;
    if (kind == 0 && task != NULL && model_holds_lease(task))
        time = task->seen.lease_expires_at_secs;
    else if (kind == 1 && worker != NULL)
        time = saturating_add(worker->last_heartbeat_secs, m->limits.heartbeat_timeout_secs);
    else if (task != NULL)
        time = saturating_add(task->seen.created_at_secs, m->limits.max_task_ttl_secs / 2);
    uint64_t shift = prng_below(&p->random, 4);
    time = shift == 0 ? time - (time > 0 ? 1 : 0) : shift == 1 ? saturating_add(time, 1) : time;
    return time < m->logical_time ? m->logical_time : time;
}

static uint64_t next_now(plan *p, const model *m)
{
    prng *r = &p->random;
    if (m->revision == 0)
        return p->first_now;
    uint64_t now = m->logical_time;
    if (plan_is_hostile(p) && prng_percent(r, 10))
        return prng_percent(r, 80) ? now - prng_below(r, 3) : prng_next(r) % (now | 1);
    if (!prng_percent(r, p->restless))
        return now;
    uint64_t kind = prng_below(r, 100);
    if (kind < 50)
        return saturating_add(now, prng_below(r, 3));
    if (kind < 85)
        return interesting_time(p, m);
    if (kind < 99)
        return saturating_add(now, prng_below(r, 20));
    return prng_percent(r, 5) ? UINT64_MAX - prng_below(r, 60) : saturating_add(now, prng_below(r, 1000));
}

static bool has_offline_worker(const model *m)
{
    for (size_t i = 0; i < m->worker_count; i++) {
        if (m->workers[i].status == TVD_WORKER_STATUS_OFFLINE)
            return true;
    }
    return false;
}

static bool has_room(const model *m)
{
    return m->task_count < m->limits.max_task_records && m->task_count < m->limits.max_terminal_tasks;
}

/* Whether a command has something to do in this state. */
static bool is_promising(const session *s, const model *m, operation op)
{
    size_t queued = model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_QUEUED);
    switch (op) {
    case OP_REGISTER_WORKER:
        return m->worker_count < m->limits.max_workers;
    case OP_REACTIVATE_WORKER:
        return has_offline_worker(m);
    case OP_ENQUEUE:
        return has_room(m);
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        return queued > 0 && model_best_worker(m, m->logical_time) != NULL;
    case OP_START_TASK:
        return model_count(m, TVD_TASK_STATUS_LEASED, TVD_TASK_STATUS_LEASED) > 0;
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
        return model_count(m, TVD_TASK_STATUS_RUNNING, TVD_TASK_STATUS_RUNNING) > 0;
    case OP_CANCEL_TASK:
        return s->token_count > 0;
    case OP_STORE_RESULT:
        return model_count(m, TVD_TASK_STATUS_COMPLETED, TVD_TASK_STATUS_COMPLETED) > 0;
    case OP_AGGREGATE_RESULTS:
    case OP_GET_RESULT:
        return s->ma->result_count > 0;
    default:
        return true;
    }
}

bool plan_is_over(plan *p, const session *s)
{
    for (unsigned i = 0; i < s->pool_count; i++) {
        const model *m = s->pools[i].m;
        if (has_room(m) || model_count(m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_RUNNING) > 0)
            return false;
    }
    return prng_percent(&p->random, 4);
}

static operation pick_op(plan *p)
{
    uint64_t pick = prng_below(&p->random, p->weight_sum);
    unsigned i = 0;
    for (; pick >= p->weights[i]; i++)
        pick -= p->weights[i];
    return (operation)i;
}

static void make_nulls(plan *p, command *c)
{
    static const unsigned kinds[] = { NULL_HANDLE, NULL_CURSOR, NULL_INPUT, NULL_OUTPUT, NULL_FOUND };
    prng *r = &p->random;
    if (prng_percent(r, 4))
        c->nulls |= NULL_ERROR;
    if (!plan_is_hostile(p) || !prng_percent(r, 12))
        return;
    for (uint64_t i = prng_between(r, 1, 2); i > 0; i--)
        c->nulls |= kinds[prng_below(r, 5)];
    if (prng_percent(r, 10))
        c->worker_id = NULL;
    if (prng_percent(r, 10))
        c->task_id = NULL;
}

command plan_next(plan *p, const session *s, uint32_t serial)
{
    prng *r = &p->random;
    command c = { .serial = serial };
    c.pool = (unsigned)prng_below(r, s->pool_count);
    do {
        c.op = pick_op(p);
    } while (!is_promising(s, s->pools[c.pool].m, c.op) && !prng_percent(r, 12));
    c.now = next_now(p, s->pools[c.pool].m);
    c.page_capacity = (size_t)prng_below(r, OUTCOME_MAX_PAGE + 1);
    arguments_make(p, s, &c);
    if (plan_is_hostile(p) && prng_percent(r, 15))
        c.revision = prng_percent(r, 70) ? (prng_percent(r, 50) ? 1 : UINT64_MAX) : prng_next(r);
    make_nulls(p, &c);
    return c;
}
