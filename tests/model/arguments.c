/* The arguments of random commands: mostly sensible in the state they meet, some not. */
#include "arguments.h"

#include "pick.h"

#include <string.h>

tvd_limits arguments_limits(prng *r, bool big)
{
    tvd_limits l = tvd_limits_default();
    bool medium = prng_percent(r, 15);
    l.max_task_records = big ? prng_between(r, 60, 300) : prng_between(r, 1, medium ? 40 : 12);
    l.max_active_tasks = prng_between(r, 1 + l.max_task_records / 3, l.max_task_records);
    l.max_queued_tasks = prng_between(r, 1 + l.max_active_tasks / 4, l.max_active_tasks);
    l.max_terminal_tasks = prng_between(r, l.max_active_tasks, l.max_task_records);
    l.max_workers = big ? prng_between(r, 10, 60) : prng_between(r, 1, medium ? 9 : 5);
    l.max_retries = (uint32_t)prng_below(r, 4);
    l.max_lease_ttl_secs = prng_between(r, 1, 12);
    l.max_task_ttl_secs = prng_between(r, 1, 40);
    l.heartbeat_timeout_secs = prng_between(r, 1, 15);
    return l;
}

tvd_result_limits arguments_result_limits(prng *r)
{
    tvd_result_limits l = tvd_result_limits_default();
    l.max_results = prng_between(r, 1, 8);
    l.max_result_bytes = prng_between(r, 1, 12);
    l.max_total_bytes = prng_between(r, l.max_result_bytes, 40);
    l.max_aggregate_items = prng_between(r, 1, 6);
    l.max_aggregate_bytes = prng_between(r, 1, 40);
    return l;
}

static uint32_t any_load(prng *r)
{
    static const uint32_t loads[] = { 0, 0, 0, 1, 2500, 5000, 5001, 9999, 10000 };
    return loads[prng_below(r, sizeof loads / sizeof loads[0])];
}

static void make_worker_spec(plan *p, model *m, command *c)
{
    static const uint32_t capacities[] = { 1, 1, 2, 2, 3, 4, 7, 100, 4096 };
    static const uint32_t bad[] = { 0, 4097, 10001, UINT32_MAX };
    prng *r = &p->random;
    tvd_worker_spec *spec = &c->worker_spec;
    const tvd_worker *known = plan_pick_worker(p, m, true);
    bool known_wanted = c->op == OP_REACTIVATE_WORKER && known != NULL && prng_percent(r, 90);
    spec->worker_id = known_wanted ? plan_constant_worker_id(p, known->worker_id) : plan_any_worker_id(p);
    if (c->op == OP_REGISTER_WORKER && prng_percent(r, 80))
        spec->worker_id = plan_fresh_worker_id(p, m);
    if (plan_is_hostile(p))
        c->generation += prng_percent(r, 50) ? 1 : UINT64_MAX;
    spec->capacity = capacities[prng_below(r, sizeof capacities / sizeof capacities[0])];
    spec->cpu_basis_points = any_load(r);
    spec->memory_basis_points = any_load(r);
    spec->network_basis_points = any_load(r);
    spec->tags = (uint32_t)prng_below(r, 32);
    if (!plan_is_hostile(p))
        return;
    switch (prng_below(r, 5)) {
    case 0:
        spec->capacity = bad[prng_below(r, 4)];
        break;
    case 1:
        spec->cpu_basis_points = bad[2 + prng_below(r, 2)];
        break;
    case 2:
        spec->memory_basis_points = bad[2 + prng_below(r, 2)];
        break;
    case 3:
        spec->network_basis_points = bad[2 + prng_below(r, 2)];
        break;
    default:
        spec->tags = (uint32_t)prng_next(r);
        break;
    }
}

static void choose_worker(plan *p, const model *m, command *c)
{
    const tvd_worker *known = plan_pick_worker(p, m, false);
    c->worker_id = plan_any_worker_id(p);
    if (known != NULL && prng_percent(&p->random, 92))
        c->worker_id = plan_constant_worker_id(p, known->worker_id);
    if (plan_is_hostile(p))
        c->generation += prng_percent(&p->random, 50) ? 1 : UINT64_MAX;
}

static void make_update(plan *p, const model *m, command *c)
{
    prng *r = &p->random;
    choose_worker(p, m, c);
    tvd_worker_observation *o = &c->observation;
    o->status = prng_percent(r, 75) ? TVD_WORKER_STATUS_HEALTHY : (tvd_worker_status)prng_below(r, 3);
    o->cpu_basis_points = any_load(r);
    o->memory_basis_points = any_load(r);
    o->network_basis_points = any_load(r);
    if (!plan_is_hostile(p))
        return;
    if (prng_percent(r, 50))
        o->status = (tvd_worker_status)(prng_percent(r, 60) ? TVD_WORKER_STATUS_OFFLINE : prng_below(r, 300));
    else
        o->memory_basis_points = 10001;
}

static unsigned char target[4096];
static uint8_t phases[300];

void generate_prepare(void)
{
    for (unsigned i = 0; i < sizeof target; i++)
        target[i] = (unsigned char)(i * 37u + i / 256u);
    for (unsigned i = 0; i < sizeof phases; i++)
        phases[i] = (uint8_t)(i * 11u);
    identifiers_prepare();
}

static void make_task_spec(plan *p, model *m, command *c)
{
    prng *r = &p->random;
    tvd_task_spec *spec = &c->task_spec;
    spec->task_id = prng_percent(r, 85) ? plan_fresh_task_id(p, m) : plan_any_task_id(p);
    spec->scan_id =
        plan_is_hostile(p) && prng_percent(r, 30) ? identifier_invalid(prng_next(r)) : plan_any_task_id(p);
    spec->target_ref = target + prng_below(r, 64);
    spec->target_ref_size = (size_t)(prng_percent(r, 4) ? 1024 : prng_between(r, 1, 12));
    spec->phases = phases + prng_below(r, 16);
    spec->phases_count = (size_t)(prng_percent(r, 4) ? 256 : prng_below(r, 4));
    spec->priority = (tvd_task_priority)prng_below(r, 5);
    c->wants_ownership = prng_percent(r, 30);
    if (!plan_is_hostile(p))
        return;
    static const size_t sizes[] = { 0, 1025, 4000, SIZE_MAX / 2, SIZE_MAX };
    switch (prng_below(r, 5)) {
    case 0:
        spec->target_ref_size = sizes[prng_below(r, 5)];
        break;
    case 1:
        spec->phases_count = prng_percent(r, 50) ? 257 : SIZE_MAX;
        break;
    case 2:
        spec->priority = (tvd_task_priority)prng_between(r, 4, 260);
        break;
    case 3:
        spec->task_id = prng_percent(r, 50) ? NULL : spec->task_id;
        break;
    default:
        spec->target_ref = NULL;
        break;
    }
}

static void make_assignment(plan *p, const model *m, command *c)
{
    prng *r = &p->random;
    choose_worker(p, m, c);
    const model_task *queued = plan_pick_task(p, m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_QUEUED);
    bool sensible = queued != NULL && prng_percent(r, 90);
    c->task_id = sensible ? plan_constant_task_id(p, queued->seen.task_id) : plan_any_task_id(p);
    c->ttl = prng_between(r, 1, m->limits.max_lease_ttl_secs);
    if (plan_is_hostile(p))
        c->ttl = prng_percent(r, 40) ? 0 : m->limits.max_lease_ttl_secs + prng_below(r, 3);
    if (plan_is_hostile(p) && prng_percent(r, 10))
        c->ttl = UINT64_MAX - prng_below(r, 3);
}

static void alter_token(plan *p, command *c)
{
    c->token.seed = prng_next(&p->random);
    if (p->hostile > 0 && prng_percent(&p->random, 15))
        c->token.alteration = (alteration)prng_below(&p->random, ALTERATION_COUNT);
}

/* The token with which the named lease or fence can be shown, if it was ever given. */
static uint32_t find_current(const session *s, unsigned pool, const model_task *task)
{
    for (size_t i = s->token_count; i > 0; i--) {
        const token *t = &s->tokens[i - 1];
        const tvd_task_lease *lease = t->is_receipt ? NULL : tvd_task_ownership_lease(&t->ownership);
        if (t->pool == pool && lease != NULL && tvd_task_lease_lease_id(lease) == task->seen.lease_id &&
            strcmp(tvd_task_lease_task_id(lease), task->seen.task_id) == 0)
            return t->serial;
    }
    return 0;
}

/* Any token of a kind, the late ones more often; 0 if there is none. */
static uint32_t any_token(plan *p, const session *s, bool is_receipt, bool leases_only)
{
    if (s->token_count == 0)
        return 0;
    uint64_t reach = prng_percent(&p->random, 60) && s->token_count > 6 ? 6 : s->token_count;
    uint64_t back = prng_below(&p->random, reach);
    for (size_t i = 0; i < s->token_count; i++) {
        size_t index = (size_t)(s->token_count * 2 - 1 - back - i) % s->token_count;
        const token *t = &s->tokens[index];
        bool is_lease = !t->is_receipt && tvd_task_ownership_lease(&t->ownership) != NULL;
        if (t->is_receipt == is_receipt && (is_lease || !leases_only))
            return t->serial;
    }
    return 0;
}

static void make_holder(plan *p, const session *s, command *c)
{
    prng *r = &p->random;
    const model *m = s->pools[c->pool].m;
    bool starts = c->op == OP_START_TASK;
    tvd_task_status status = starts ? TVD_TASK_STATUS_LEASED : TVD_TASK_STATUS_RUNNING;
    const model_task *task = plan_pick_task(p, m, status, status);
    if (task != NULL && prng_percent(r, 82))
        c->token.serial = find_current(s, c->pool, task);
    if (c->token.serial == 0)
        c->token.serial = any_token(p, s, false, c->op != OP_CANCEL_TASK);
    if (c->op == OP_CANCEL_TASK && prng_percent(r, 50))
        c->token.serial = any_token(p, s, false, false);
    alter_token(p, c);
    if (c->token.serial == 0)
        c->token.alteration = (alteration)prng_below(r, ALTERATION_COUNT);
}

static void make_ownership(plan *p, const model *m, command *c)
{
    const model_task *task = plan_pick_task(p, m, TVD_TASK_STATUS_QUEUED, TVD_TASK_STATUS_RUNNING);
    bool sensible = task != NULL && prng_percent(&p->random, 95);
    c->task_id = sensible ? plan_constant_task_id(p, task->seen.task_id) : plan_any_task_id(p);
}

static const unsigned char result_bytes[32] = "results may hold any bytes \0\1\xff";

static void make_store(plan *p, const session *s, command *c)
{
    prng *r = &p->random;
    c->token.serial = any_token(p, s, true, false);
    alter_token(p, c);
    c->bytes = result_bytes + prng_below(r, 2);
    c->bytes_size = (size_t)prng_below(r, prng_percent(r, 80) ? 5 : 16);
    if (plan_is_hostile(p) && prng_percent(r, 30))
        c->bytes_size = prng_percent(r, 50) ? SIZE_MAX : SIZE_MAX / 2;
    if (plan_is_hostile(p) && prng_percent(r, 20))
        c->bytes = NULL;
}

/* Mostly of stored results in turn, so that long requests can be answered. */
static void make_aggregate(plan *p, const session *s, command *c)
{
    prng *r = &p->random;
    const model_aggregator *a = s->ma;
    size_t start = (size_t)prng_below(r, 8);
    for (size_t i = 0; i < COMMAND_MAX_REQUEST; i++) {
        c->request[i] = plan_any_task_id(p);
        if (a->result_count > 0 && prng_percent(r, 90))
            c->request[i] = plan_constant_task_id(p, a->results[(start + i) % a->result_count].receipt.task_id);
        if (plan_is_hostile(p) && prng_percent(r, 5))
            c->request[i] = NULL;
    }
    c->request_count = (size_t)prng_below(r, prng_percent(r, 70) ? 4 : COMMAND_MAX_REQUEST + 1);
    if (plan_is_hostile(p) && prng_percent(r, 20))
        c->request_count = prng_percent(r, 50) ? 65537 : SIZE_MAX;
    c->request_is_null = plan_is_hostile(p) && prng_percent(r, 10);
}

static void make_trial(plan *p, command *c)
{
    prng *r = &p->random;
    static const uint64_t values[] = { 0,        1,        32,        33,        4096,      4097,    16384,
                                       16385,    65536,    65537,     86400,     86401,     2678400, 2678401,
                                       16777216, 16777217, 268435456, 268435457, UINT64_MAX };
    uint64_t counts = sizeof values / sizeof values[0];
    c->limits = arguments_limits(r, prng_percent(r, 30));
    c->result_limits = arguments_result_limits(r);
    uint64_t *fields[] = { &c->limits.max_task_records,  &c->limits.max_active_tasks,
                           &c->limits.max_queued_tasks,  &c->limits.max_terminal_tasks,
                           &c->limits.max_workers,       &c->limits.max_lease_ttl_secs,
                           &c->limits.max_task_ttl_secs, &c->limits.heartbeat_timeout_secs };
    uint64_t *result_fields[] = { &c->result_limits.max_results, &c->result_limits.max_result_bytes,
                                  &c->result_limits.max_total_bytes, &c->result_limits.max_aggregate_items,
                                  &c->result_limits.max_aggregate_bytes };
    for (uint64_t i = prng_below(r, 4); i > 0; i--) {
        *fields[prng_below(r, 8)] = values[prng_below(r, counts)];
        *result_fields[prng_below(r, 5)] = values[prng_below(r, counts)];
    }
    if (prng_percent(r, 20))
        c->limits.max_retries = (uint32_t)values[prng_below(r, counts)];
    if (prng_percent(r, 3))
        c->nulls |= NULL_INPUT;
}

void arguments_make(plan *p, const session *s, command *c)
{
    model *m = s->pools[c->pool].m;
    switch (c->op) {
    case OP_TRY_LIMITS:
    case OP_TRY_RESULT_LIMITS:
        make_trial(p, c);
        break;
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
        make_worker_spec(p, m, c);
        break;
    case OP_UPDATE_WORKER:
        make_update(p, m, c);
        break;
    case OP_GET_WORKER:
    case OP_DEREGISTER_WORKER:
        choose_worker(p, m, c);
        break;
    case OP_ENQUEUE:
        make_task_spec(p, m, c);
        break;
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        make_assignment(p, m, c);
        break;
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
        make_holder(p, s, c);
        break;
    case OP_EXPIRE_OLD_TASKS:
        c->ttl = prng_between(&p->random, plan_is_hostile(p) ? 0 : 1, m->limits.max_task_ttl_secs);
        if (plan_is_hostile(p))
            c->ttl = m->limits.max_task_ttl_secs + prng_below(&p->random, 2);
        break;
    case OP_NEXT_DUE:
        c->ttl = prng_below(&p->random, m->limits.max_task_ttl_secs + (plan_is_hostile(p) ? 2 : 1));
        break;
    case OP_GET_TASK:
    case OP_GET_RESULT:
        c->task_id = plan_any_task_id(p);
        break;
    case OP_OWNERSHIP:
        make_ownership(p, m, c);
        break;
    case OP_TASKS:
        c->task_id = prng_percent(&p->random, 40) ? NULL : plan_any_task_id(p);
        break;
    case OP_WORKERS:
        c->worker_id = prng_percent(&p->random, 40) ? NULL : plan_any_worker_id(p);
        break;
    case OP_STORE_RESULT:
        make_store(p, s, c);
        break;
    case OP_AGGREGATE_RESULTS:
        make_aggregate(p, s, c);
        break;
    default:
        break;
    }
}
