/* Comparison of the whole state that can be read, after a command. */
#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAGE = 16 };

static bool differ(char *why, size_t size, const char *what, uint64_t expected, uint64_t actual)
{
    if (expected == actual)
        return false;
    snprintf(why, size, "state: %s: the model says %" PRIu64 ", the library %" PRIu64, what, expected, actual);
    return true;
}

static bool fail(char *why, size_t size, const char *what)
{
    snprintf(why, size, "state: %s", what);
    return false;
}

static bool snapshots_agree(pool_pair *p, char *why, size_t size)
{
    tvd_state_snapshot e;
    tvd_state_snapshot a;
    tvd_state_snapshot q;
    if (model_snapshot(p->m, TVD_DETAIL_POOL, &e).status != TVD_OK ||
        tvd_worker_pool_snapshot(p->pool, &a, NULL) != TVD_OK ||
        tvd_task_queue_snapshot(p->queue, &q, NULL) != TVD_OK)
        return fail(why, size, "no snapshot");
    if (memcmp(&a, &q, sizeof a) != 0)
        return fail(why, size, "pool and queue give different snapshots");
    return !differ(why, size, "revision", e.revision, a.revision) &&
           !differ(why, size, "cheap revision", e.revision, tvd_worker_pool_revision(p->pool)) &&
           !differ(why, size, "logical time", e.logical_time_secs, a.logical_time_secs) &&
           !differ(why, size, "task records", e.task_records, a.task_records) &&
           !differ(why, size, "active tasks", e.active_tasks, a.active_tasks) &&
           !differ(why, size, "queued tasks", e.queued_tasks, a.queued_tasks) &&
           !differ(why, size, "terminal tasks", e.terminal_tasks, a.terminal_tasks) &&
           !differ(why, size, "workers", e.workers, a.workers);
}

static bool heads_agree(pool_pair *p, char *why, size_t size)
{
    const model_task *e = model_queue_head(p->m);
    tvd_task a;
    bool found = false;
    if (tvd_task_queue_peek_next(p->queue, &a, &found, NULL) != TVD_OK)
        return fail(why, size, "no peek");
    if (differ(why, size, "the queue has a head", e != NULL, found))
        return false;
    return e == NULL || compare_tasks(&e->seen, &a, why, size);
}

static bool best_workers_agree(pool_pair *p, uint64_t later, char *why, size_t size)
{
    uint64_t time = p->m->logical_time;
    uint64_t now = later > UINT64_MAX - time ? UINT64_MAX : time + later;
    const tvd_worker *e = model_best_worker(p->m, now);
    tvd_worker a;
    bool found = false;
    if (tvd_worker_pool_get_available_worker(p->pool, now, &a, &found, NULL) != TVD_OK)
        return fail(why, size, "no best worker asked");
    if (differ(why, size, "there is a best worker", e != NULL, found))
        return false;
    return e == NULL || compare_workers(e, &a, why, size);
}

static bool next_due_agrees(pool_pair *p, uint64_t ttl, char *why, size_t size)
{
    tvd_next_due e;
    tvd_next_due a;
    if (model_next_due(p->m, ttl, &e).status != TVD_OK ||
        tvd_worker_pool_next_due(p->pool, ttl, &a, NULL) != TVD_OK)
        return fail(why, size, "no next due");
    return compare_next_due(&e, &a, why, size);
}

/* What the library says it retains is what the allocator counts, and no more than the limits allow. */
static bool memory_agrees(session *s, char *why, size_t size)
{
    uint64_t sum = tvd_result_aggregator_retained_bytes(s->la);
    if (sum > tvd_result_limits_max_retained_bytes(&s->ma->limits))
        return fail(why, size, "the aggregator retains more than its limits allow");
    for (unsigned i = 0; i < s->pool_count; i++) {
        uint64_t retained = tvd_worker_pool_retained_bytes(s->pools[i].pool);
        if (retained > tvd_limits_max_retained_bytes(&s->pools[i].m->limits))
            return fail(why, size, "a coordinator retains more than its limits allow");
        sum += retained;
    }
    return !s->counts_memory || !differ(why, size, "retained bytes", s->memory.bytes, sum);
}

bool state_digest_agrees(session *s, unsigned pool, char *why, size_t size)
{
    pool_pair *p = &s->pools[pool];
    uint64_t timeout = p->m->limits.heartbeat_timeout_secs;
    return snapshots_agree(p, why, size) && heads_agree(p, why, size) && best_workers_agree(p, 0, why, size) &&
           best_workers_agree(p, timeout / 2, why, size) && best_workers_agree(p, timeout, why, size) &&
           next_due_agrees(p, p->m->revision % (p->m->limits.max_task_ttl_secs + 1), why, size) &&
           memory_agrees(s, why, size) &&
           !differ(why, size, "result revision", s->ma->revision, tvd_result_aggregator_revision(s->la)) &&
           !differ(why, size, "results", s->ma->result_count, tvd_result_aggregator_result_count(s->la)) &&
           !differ(why, size, "bytes of all results", model_total_bytes(s->ma),
                   tvd_result_aggregator_total_bytes(s->la));
}

/* The library's list must be in ascending order; as the counts agree, it is then the model's. */
static bool tasks_agree(pool_pair *p, char *why, size_t size)
{
    tvd_task page[PAGE];
    char after[MODEL_ID_SIZE] = "";
    size_t seen = 0;
    size_t count = PAGE;
    while (count == PAGE) {
        if (tvd_task_queue_tasks(p->queue, seen > 0 ? after : NULL, page, PAGE, &count, NULL, NULL) != TVD_OK)
            return fail(why, size, "no list of tasks");
        for (size_t i = 0; i < count; i++) {
            const model_task *e = model_find_task(p->m, page[i].task_id);
            if (e == NULL || strcmp(page[i].task_id, after) <= 0)
                return fail(why, size, "a task that should not be there, or out of order");
            if (!compare_tasks(&e->seen, &page[i], why, size))
                return false;
            strcpy(after, page[i].task_id);
        }
        seen += count;
    }
    return !differ(why, size, "listed tasks", p->m->task_count, seen);
}

static bool workers_agree(pool_pair *p, char *why, size_t size)
{
    tvd_worker page[PAGE];
    char after[MODEL_ID_SIZE] = "";
    size_t seen = 0;
    size_t count = PAGE;
    while (count == PAGE) {
        if (tvd_worker_pool_workers(p->pool, seen > 0 ? after : NULL, page, PAGE, &count, NULL, NULL) != TVD_OK)
            return fail(why, size, "no list of workers");
        for (size_t i = 0; i < count; i++) {
            const tvd_worker *e = model_find_worker(p->m, page[i].worker_id);
            if (e == NULL || strcmp(page[i].worker_id, after) <= 0)
                return fail(why, size, "a worker that should not be there, or out of order");
            if (!compare_workers(e, &page[i], why, size))
                return false;
            strcpy(after, page[i].worker_id);
        }
        seen += count;
    }
    return !differ(why, size, "listed workers", p->m->worker_count, seen);
}

bool state_agrees(session *s, unsigned pool, char *why, size_t size)
{
    pool_pair *p = &s->pools[pool];
    return state_digest_agrees(s, pool, why, size) && tasks_agree(p, why, size) && workers_agree(p, why, size);
}

bool results_agree(session *s, char *why, size_t size)
{
    for (size_t i = 0; i < s->ma->result_count; i++) {
        const model_result *e = &s->ma->results[i];
        tvd_result *a = NULL;
        if (tvd_result_aggregator_get_result(s->la, e->receipt.task_id, &a, NULL) != TVD_OK || a == NULL)
            return fail(why, size, "a result is gone");
        bool same = tvd_result_size(a) == e->size &&
                    (e->size == 0 || memcmp(tvd_result_bytes(a), e->bytes, e->size) == 0);
        tvd_result_free(a);
        if (!same)
            return fail(why, size, "a result has other bytes");
    }
    return true;
}

bool invariants_hold(session *s, char *why, size_t size)
{
    tvd_error error;
    tvd_status status = tvd_result_aggregator_check_invariants(s->la, &error);
    for (unsigned i = 0; status == TVD_OK && i < s->pool_count; i++)
        status = tvd_worker_pool_check_invariants(s->pools[i].pool, &error);
    if (status == TVD_OK)
        return true;
    char sentence[512];
    tvd_error_format(&error, sentence, sizeof sentence);
    snprintf(why, size, "invariants: %s", sentence);
    return false;
}
