/* Picks identifiers and records for random commands. Commands outlive the model's state, so that what they point to
 * are the constants of identifiers.c, never the model's own strings. */
#include "pick.h"

#include <string.h>

bool plan_is_hostile(plan *p)
{
    return prng_percent(&p->random, p->hostile);
}

const char *plan_any_task_id(plan *p)
{
    if (plan_is_hostile(p) && prng_percent(&p->random, 20))
        return identifier_invalid(prng_next(&p->random));
    return identifier_of_task((unsigned)prng_below(&p->random, p->task_ids));
}

const char *plan_any_worker_id(plan *p)
{
    if (plan_is_hostile(p) && prng_percent(&p->random, 20))
        return identifier_invalid(prng_next(&p->random));
    return identifier_of_worker((unsigned)prng_below(&p->random, p->worker_ids));
}

const model_task *plan_pick_task(plan *p, const model *m, tvd_task_status first, tvd_task_status last)
{
    if (m->task_count == 0)
        return NULL;
    size_t start = (size_t)prng_below(&p->random, m->task_count);
    for (size_t i = 0; i < m->task_count; i++) {
        const model_task *task = &m->tasks[(start + i) % m->task_count];
        if (task->seen.status >= first && task->seen.status <= last)
            return task;
    }
    return NULL;
}

const tvd_worker *plan_pick_worker(plan *p, const model *m, bool offline)
{
    if (m->worker_count == 0)
        return NULL;
    size_t start = (size_t)prng_below(&p->random, m->worker_count);
    for (size_t i = 0; i < m->worker_count && prng_percent(&p->random, 90); i++) {
        const tvd_worker *worker = &m->workers[(start + i) % m->worker_count];
        if ((worker->status == TVD_WORKER_STATUS_OFFLINE) == offline)
            return worker;
    }
    return &m->workers[start];
}

const char *plan_constant_worker_id(const plan *p, const char *worker_id)
{
    for (unsigned i = 0; i < p->worker_ids; i++) {
        if (strcmp(identifier_of_worker(i), worker_id) == 0)
            return identifier_of_worker(i);
    }
    return identifier_of_worker(0);
}

const char *plan_constant_task_id(const plan *p, const char *task_id)
{
    for (unsigned i = 0; i < p->task_ids; i++) {
        if (strcmp(identifier_of_task(i), task_id) == 0)
            return identifier_of_task(i);
    }
    return identifier_of_task(0);
}

const char *plan_fresh_task_id(plan *p, model *m)
{
    unsigned start = (unsigned)prng_below(&p->random, p->task_ids);
    for (unsigned i = 0; i < p->task_ids; i++) {
        const char *id = identifier_of_task((start + i) % p->task_ids);
        if (model_find_task(m, id) == NULL)
            return id;
    }
    return plan_any_task_id(p);
}

const char *plan_fresh_worker_id(plan *p, model *m)
{
    unsigned start = (unsigned)prng_below(&p->random, p->worker_ids);
    for (unsigned i = 0; i < p->worker_ids; i++) {
        const char *id = identifier_of_worker((start + i) % p->worker_ids);
        if (model_find_worker(m, id) == NULL)
            return id;
    }
    return plan_any_worker_id(p);
}
