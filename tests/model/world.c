/* The small worlds, their commands, and the canonical form of their states. */
#include "world.h"

#include <string.h>

static const char *const task_names[WORLD_MAX_TASKS] = { "t1", "t2", "t3" };
static const char *const worker_names[WORLD_MAX_WORKERS] = { "w1", "w2" };

#define LIMITS(records, active, queued, terminal, retries, timeout)                                            \
    {                                                                                                          \
        records, active, queued, terminal, WORLD_MAX_WORKERS, 2, 4, timeout, retries                           \
    }

/* name, limits, tasks, priorities, workers, capacities, observations, lease ttls, task ttl, steps */
const world worlds_quick[] = {
    { "one worker, a queue of one", LIMITS(2, 2, 1, 2, 1, 1), 2, { 2, 2 }, 1, { 2 }, 2, 2, 2, 1 },
    { "two workers, no retry", LIMITS(2, 2, 2, 2, 0, 1), 2, { 2, 3 }, 2, { 1, 1 }, 1, 1, 2, 1 },
    { "three tasks, two may end", LIMITS(3, 2, 2, 2, 1, 1), 3, { 2, 2, 4 }, 1, { 2 }, 1, 1, 2, 1 },
};
const unsigned worlds_quick_count = sizeof worlds_quick / sizeof worlds_quick[0];

const world worlds_long[] = {
    { "two tasks, one worker, two retries", LIMITS(2, 2, 1, 2, 2, 1), 2, { 2, 2 }, 1, { 2 }, 3, 2, 3, 2 },
    { "two tasks, two workers, a queue of one",
      LIMITS(2, 2, 1, 2, 1, 1),
      2,
      { 2, 2 },
      2,
      { 1, 2 },
      2,
      2,
      2,
      1 },
    { "two tasks, two workers, two retries", LIMITS(2, 2, 2, 2, 2, 2), 2, { 2, 3 }, 2, { 1, 2 }, 3, 2, 3, 1 },
    { "three tasks, one worker", LIMITS(3, 3, 2, 3, 1, 1), 3, { 2, 2, 3 }, 1, { 3 }, 1, 2, 2, 1 },
    { "three tasks, two workers", LIMITS(3, 3, 2, 3, 1, 1), 3, { 2, 2, 2 }, 2, { 2, 2 }, 1, 1, 2, 1 },
};
const unsigned worlds_long_count = sizeof worlds_long / sizeof worlds_long[0];

session_options world_options(const world *w, model_fault fault, const tvd_allocator *allocator)
{
    session_options options = { .limits = w->limits, .result_limits = tvd_result_limits_default() };
    options.result_limits.max_results = WORLD_MAX_TASKS;
    options.pool_count = 1;
    options.fault = fault;
    options.allocator = allocator;
    return options;
}

typedef struct move_list {
    move *moves;
    unsigned count;
} move_list;

static void add(move_list *list, move m)
{
    if (list->count < WORLD_MAX_MOVES)
        list->moves[list->count++] = m;
}

static void add_worker_moves(move_list *list, const world *w, uint8_t step)
{
    for (uint8_t k = 0; k < w->workers; k++) {
        add(list, (move){ .op = OP_REGISTER_WORKER, .worker = k, .step = step });
        add(list, (move){ .op = OP_REACTIVATE_WORKER, .worker = k, .step = step });
        add(list, (move){ .op = OP_DEREGISTER_WORKER, .worker = k, .step = step });
        for (uint8_t o = 0; o < w->observations; o++)
            add(list, (move){ .op = OP_UPDATE_WORKER, .worker = k, .choice = o, .step = step });
    }
}

static void add_task_moves(move_list *list, const world *w, uint8_t step)
{
    for (uint8_t t = 0; t < w->tasks; t++)
        add(list, (move){ .op = OP_ENQUEUE, .task = t, .step = step });
    for (uint8_t ttl = 0; ttl < w->lease_ttls; ttl++) {
        for (uint8_t k = 0; k < w->workers; k++) {
            for (uint8_t t = 0; t < w->tasks; t++)
                add(list, (move){ .op = OP_ASSIGN_TASK, .task = t, .worker = k, .choice = ttl, .step = step });
            add(list, (move){ .op = OP_ASSIGN_NEXT, .worker = k, .choice = ttl, .step = step });
        }
        add(list, (move){ .op = OP_ASSIGN_NEXT_AVAILABLE, .choice = ttl, .step = step });
    }
    add(list, (move){ .op = OP_RECOVER_EXPIRED_LEASES, .step = step });
    add(list, (move){ .op = OP_PRUNE_DEAD_WORKERS, .step = step });
    add(list, (move){ .op = OP_EXPIRE_OLD_TASKS, .step = step });
}

static void add_token_moves(move_list *list, const session *s, uint8_t step)
{
    for (size_t i = 0; i < s->token_count; i++) {
        const token *t = &s->tokens[i];
        if (t->is_receipt)
            continue;
        move m = { .op = OP_CANCEL_TASK, .step = step, .token = (uint16_t)t->serial };
        add(list, m);
        if (tvd_task_ownership_lease(&t->ownership) == NULL)
            continue;
        for (uint8_t op = OP_START_TASK; op <= OP_FAIL_TASK; op++) {
            m.op = op;
            add(list, m);
        }
    }
}

/* A few commands that are refused in any state, taking turns by the state. */
static void add_wrong_moves(move_list *list, const session *s, unsigned right)
{
    uint64_t turn = s->pools[0].m->revision;
    for (uint8_t wrong = 1; wrong <= 4 && right > 0; wrong++) {
        move m = list->moves[(turn * 7 + wrong * 13u) % right];
        m.wrong = wrong;
        add(list, m);
    }
}

unsigned world_moves(const world *w, const session *s, move *moves)
{
    move_list list = { moves, 0 };
    for (uint8_t step = 0; step <= w->steps; step++) {
        add_worker_moves(&list, w, step);
        add_task_moves(&list, w, step);
        add_token_moves(&list, s, step);
    }
    add_wrong_moves(&list, s, list.count);
    return list.count;
}

static void fill_specs(const world *w, const move *m, command *c)
{
    static const tvd_worker_observation observations[] = {
        { TVD_WORKER_STATUS_HEALTHY, 0, 0, 0 },
        { TVD_WORKER_STATUS_BUSY, 0, 0, 0 },
        { TVD_WORKER_STATUS_HEALTHY, 0, 6000, 0 },
    };
    c->task_id = task_names[m->task];
    c->worker_id = worker_names[m->worker];
    c->task_spec = (tvd_task_spec){ .task_id = task_names[m->task],
                                    .scan_id = "s",
                                    .target_ref = "r",
                                    .target_ref_size = 1,
                                    .priority = w->priorities[m->task] };
    c->worker_spec =
        (tvd_worker_spec){ .worker_id = worker_names[m->worker], .capacity = w->capacities[m->worker] };
    if (m->op == OP_UPDATE_WORKER)
        c->observation = observations[m->choice];
}

command world_command(const world *w, const session *s, const move *m, uint32_t serial)
{
    command c = { .op = (operation)m->op, .serial = serial };
    c.now = s->pools[0].m->logical_time + m->step;
    c.ttl = m->op == OP_EXPIRE_OLD_TASKS ? w->task_ttl : m->choice + 1u;
    c.token.serial = m->token;
    fill_specs(w, m, &c);
    switch (m->wrong) {
    case 1:
        c.revision = 1;
        break;
    case 2:
        c.now = s->pools[0].m->logical_time - 1;
        break;
    case 3:
        c.generation = UINT64_MAX;
        break;
    case 4:
        c.ttl = serial % 2 == 0 ? 0 : 5;
        break;
    default:
        break;
    }
    return c;
}

command world_ownership(const world *w, unsigned task, uint32_t serial)
{
    move m = { .op = OP_OWNERSHIP, .task = (uint8_t)task };
    command c = { .op = OP_OWNERSHIP, .serial = serial };
    fill_specs(w, &m, &c);
    return c;
}

static unsigned char capped(uint64_t value, uint64_t cap)
{
    return (unsigned char)(value < cap ? value : cap);
}

/* Of the tasks like this one (queued, or holding a lease), how many come before it. */
static unsigned char rank_of(const model *m, const model_task *task)
{
    unsigned char rank = 0;
    bool holds = model_holds_lease(task);
    for (size_t i = 0; i < m->task_count; i++) {
        const model_task *other = &m->tasks[i];
        if (holds && model_holds_lease(other) && other->seen.lease_id < task->seen.lease_id)
            rank++;
        bool both_wait = !holds && other->seen.status == TVD_TASK_STATUS_QUEUED;
        if (both_wait && other->ordinal < task->ordinal)
            rank++;
    }
    return rank;
}

/* A terminal task is only told from another by what it still answers to. */
static void put_task(const world *w, const model *m, const model_task *task, unsigned char *place)
{
    uint64_t now = m->logical_time;
    place[0] = (unsigned char)task->seen.status;
    if (!model_is_active(task)) {
        place[1] = task->has_failure;
        place[2] = (unsigned char)task->cancelled_by.kind;
        return;
    }
    place[1] = (unsigned char)task->seen.retry_count;
    place[2] = capped(now - task->seen.created_at_secs, w->task_ttl);
    place[3] = rank_of(m, task);
    if (!model_holds_lease(task))
        return;
    uint64_t end = task->seen.lease_expires_at_secs;
    place[4] = (unsigned char)(end > now ? end - now : 0);
    place[5] = (unsigned char)task->seen.assigned_to[1];
}

static void put_worker(const model *m, const tvd_worker *worker, unsigned char *place)
{
    place[0] = (unsigned char)(worker->status + 1);
    place[1] = capped(m->logical_time - worker->last_heartbeat_secs, m->limits.heartbeat_timeout_secs + 1);
    place[2] = worker->memory_basis_points > 0;
    if (worker->status == TVD_WORKER_STATUS_OFFLINE)
        place[1] = place[2] = 0;
}

void world_key(const world *w, const model *m, unsigned char *key)
{
    memset(key, 0, WORLD_KEY_BYTES);
    for (size_t i = 0; i < m->task_count; i++)
        put_task(w, m, &m->tasks[i], key + 6 * (m->tasks[i].seen.task_id[1] - '1'));
    for (size_t i = 0; i < m->worker_count; i++)
        put_worker(m, &m->workers[i], key + 6 * WORLD_MAX_TASKS + 3 * (m->workers[i].worker_id[1] - '1'));
}
