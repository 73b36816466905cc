/* Opening and closing of sessions, and playing one command on both sides. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

static void *count_allocate(size_t size, void *context)
{
    memory_use *memory = context;
    void *block = malloc(size);
    if (block == NULL)
        return NULL;
    memory->blocks += 1;
    memory->bytes += size;
    return block;
}

static void count_release(void *block, size_t size, void *context)
{
    memory_use *memory = context;
    memory->blocks -= 1;
    memory->bytes -= size;
    free(block);
}

/* Every other coordinator is created from its other end, the task queue. */
static bool open_pool(pool_pair *pair, const session_options *options, const tvd_allocator *allocator,
                      bool from_queue)
{
    pair->m = model_create(&options->limits, options->fault);
    if (from_queue) {
        if (tvd_task_queue_create(&options->limits, allocator, &pair->queue, NULL) != TVD_OK)
            return false;
        pair->pool = tvd_task_queue_worker_pool(pair->queue);
    } else {
        if (tvd_worker_pool_create(&options->limits, allocator, &pair->pool, NULL) != TVD_OK)
            return false;
        pair->queue = tvd_worker_pool_task_queue(pair->pool);
    }
    return true;
}

bool session_open(session *s, const session_options *options)
{
    memset(s, 0, sizeof *s);
    const tvd_allocator counting = { count_allocate, count_release, &s->memory };
    const tvd_allocator *allocator = options->allocator != NULL ? options->allocator : &counting;
    s->counts_memory = options->allocator == NULL;
    s->pool_count = options->pool_count;
    for (unsigned i = 0; i < s->pool_count; i++) {
        if (!open_pool(&s->pools[i], options, allocator, i == 1))
            return false;
    }
    s->ma = model_aggregator_create(&options->result_limits, options->fault);
    return tvd_result_aggregator_create(&options->result_limits, allocator, &s->la, NULL) == TVD_OK;
}

bool session_close(session *s)
{
    for (unsigned i = 0; i < s->pool_count; i++) {
        tvd_worker_pool_release(s->pools[i].pool);
        tvd_task_queue_release(s->pools[i].queue);
        model_free(s->pools[i].m);
    }
    tvd_result_aggregator_release(s->la);
    model_aggregator_free(s->ma);
    free(s->tokens);
    return s->memory.blocks == 0 && s->memory.bytes == 0;
}

/* Tokens are in the order of their serials; the latest are asked for most. */
const token *session_find_token(const session *s, uint32_t serial)
{
    for (size_t i = s->token_count; i > 0; i--) {
        if (s->tokens[i - 1].serial == serial)
            return &s->tokens[i - 1];
    }
    return NULL;
}

static uint64_t right_generation(const session *s, const command *c)
{
    bool has_spec = c->op == OP_REGISTER_WORKER || c->op == OP_REACTIVATE_WORKER;
    const char *worker_id = has_spec ? c->worker_spec.worker_id : c->worker_id;
    const tvd_worker *known = worker_id != NULL ? model_find_worker(s->pools[c->pool].m, worker_id) : NULL;
    return known != NULL ? known->generation : 1;
}

command session_settle(const session *s, const command *c)
{
    command settled = *c;
    if (c->is_settled)
        return settled;
    settled.is_settled = true;
    settled.revision += c->op == OP_STORE_RESULT ? s->ma->revision : s->pools[c->pool].m->revision;
    settled.generation += right_generation(s, c);
    return settled;
}

static token *add_token(session *s, const command *c)
{
    if (s->token_count == s->token_capacity) {
        s->token_capacity = s->token_capacity * 2 + 16;
        s->tokens = realloc(s->tokens, s->token_capacity * sizeof *s->tokens);
        if (s->tokens == NULL)
            abort();
    }
    token *added = &s->tokens[s->token_count++];
    memset(added, 0, sizeof *added);
    added->serial = c->serial;
    added->pool = c->pool;
    return added;
}

static void keep_token(session *s, const command *c, const outcome *actual)
{
    if (actual->error.status != TVD_OK)
        return;
    if (actual->shape == SHAPE_LEASE) {
        add_token(s, c)->ownership = tvd_task_ownership_from_lease(&actual->raw_lease);
    } else if (actual->shape == SHAPE_TASK && actual->has_ownership) {
        add_token(s, c)->ownership = actual->raw_ownership;
    } else if (actual->shape == SHAPE_COMPLETION) {
        token *added = add_token(s, c);
        added->is_receipt = true;
        added->receipt = actual->raw_receipt;
    }
}

verdict session_play(session *s, const command *c, outcome *expected, outcome *actual, char *why, size_t size)
{
    command settled = session_settle(s, c);
    resolved_token t;
    if (!token_resolve(s, c, &t))
        return VERDICT_SKIPPED;
    play_model(s, &settled, &t, expected);
    play_library(s, &settled, &t, actual);
    bool agree = compare_outcomes(expected, actual, why, size);
    if (agree)
        keep_token(s, c, actual);
    return agree ? VERDICT_AGREE : VERDICT_DISAGREE;
}

void outcome_release(outcome *o)
{
    tvd_result_free(o->result);
    tvd_aggregate_free(o->aggregate);
    free(o->items);
    o->result = NULL;
    o->aggregate = NULL;
    o->items = NULL;
}
