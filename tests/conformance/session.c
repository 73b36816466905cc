#include "session.h"

#include "outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void session_free(play_session *session)
{
    for (size_t i = 0; i < session->pool_count; i++) {
        tvd_worker_pool_release(session->pools[i].pool);
        tvd_task_queue_release(session->pools[i].queue);
    }
    tvd_result_aggregator_release(session->results);
    free(session->ownerships);
    free(session->receipts);
    buffer_free(&session->actual);
    buffer_free(&session->listing);
}

tvd_worker_pool *session_worker_pool(const play_session *session)
{
    return session->pools[session->current].pool;
}

tvd_task_queue *session_task_queue(const play_session *session)
{
    return session->pools[session->current].queue;
}

void session_refuse(play_session *session, const char *reason)
{
    if (!session->refusal)
        session->refusal = reason;
}

void session_violated(play_session *session, const char *reason)
{
    if (!session->violation)
        session->violation = reason;
}

/* Makes room in an array for one more item. */
static void *grow(void *items, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity)
        return items;
    *capacity = 2 * *capacity + 16;
    items = realloc(items, *capacity * item_size);
    if (!items) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return items;
}

size_t session_keep_ownership(play_session *session, const tvd_task_ownership *ownership)
{
    session->ownerships = grow(session->ownerships, session->ownership_count, &session->ownership_capacity,
                               sizeof *session->ownerships);
    session->ownerships[session->ownership_count] = *ownership;
    return session->ownership_count++;
}

size_t session_keep_receipt(play_session *session, const tvd_completion_receipt *receipt)
{
    session->receipts =
        grow(session->receipts, session->receipt_count, &session->receipt_capacity, sizeof *session->receipts);
    session->receipts[session->receipt_count] = *receipt;
    return session->receipt_count++;
}

const tvd_task_ownership *session_ownership(play_session *session, uint64_t number)
{
    if (number < session->ownership_count)
        return &session->ownerships[number];
    session_refuse(session, "no ownership of this number has appeared");
    return NULL;
}

const tvd_task_lease *session_lease(play_session *session, uint64_t number)
{
    const tvd_task_ownership *ownership = session_ownership(session, number);
    const tvd_task_lease *lease = tvd_task_ownership_lease(ownership);

    if (ownership && !lease)
        session_refuse(session, "the token is no lease");
    return lease;
}

const tvd_completion_receipt *session_receipt(play_session *session, uint64_t number)
{
    if (number < session->receipt_count)
        return &session->receipts[number];
    session_refuse(session, "no receipt of this number has appeared");
    return NULL;
}

static session_state state_of(play_session *session)
{
    session_state state = { 0 };

    if (session->pool_count > 0 &&
        tvd_worker_pool_snapshot(session_worker_pool(session), &state.pool, NULL) != TVD_OK)
        session_violated(session, "a snapshot failed");
    state.result_revision = tvd_result_aggregator_revision(session->results);
    state.result_count = tvd_result_aggregator_result_count(session->results);
    state.total_bytes = tvd_result_aggregator_total_bytes(session->results);
    return state;
}

static bool same_pool(const session_state *a, const session_state *b)
{
    const tvd_state_snapshot *x = &a->pool, *y = &b->pool;

    return x->revision == y->revision && x->logical_time_secs == y->logical_time_secs &&
           x->task_records == y->task_records && x->active_tasks == y->active_tasks &&
           x->queued_tasks == y->queued_tasks && x->terminal_tasks == y->terminal_tasks &&
           x->workers == y->workers;
}

static bool same_results(const session_state *a, const session_state *b)
{
    return a->result_revision == b->result_revision && a->result_count == b->result_count &&
           a->total_bytes == b->total_bytes;
}

enum { PATTERN = 0xA5 };

static bool is_untouched(const void *storage, size_t size)
{
    const unsigned char *bytes = storage;

    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != PATTERN)
            return false;
    }
    return true;
}

api_call call_begin(play_session *session, call_kind kind, const trace_arguments *arguments, void *output,
                    size_t output_size)
{
    api_call call = { .session = session,
                      .kind = kind,
                      .given = { .revision = arguments->rev, .now_secs = arguments->now },
                      .output = output,
                      .output_size = output_size,
                      .before = state_of(session) };

    call.cursor = call.given;
    memset(&call.error, PATTERN, sizeof call.error);
    memset(output, PATTERN, output_size);
    return call;
}

static void check_failure(api_call *call, tvd_status status, const session_state *after)
{
    play_session *session = call->session;

    if (!same_pool(&call->before, after) || !same_results(&call->before, after))
        session_violated(session, "the command failed, but the state has changed");
    if (call->cursor.revision != call->given.revision || call->cursor.now_secs != call->given.now_secs)
        session_violated(session, "the command failed, but the cursor has changed");
    if (!is_untouched(call->output, call->output_size))
        session_violated(session, "the command failed, but wrote an output");
    if (call->error.status != status)
        session_violated(session, "the error has another status than the call returned");
    if (!outcome_error_is_exact(&call->error))
        session_violated(session, "the error sets a member that this kind has not");
}

/* One step further at the cursor's second, or nothing at all. */
static bool is_step(const api_call *call, const session_state *after)
{
    return same_pool(&call->before, after) || (after->pool.revision == call->before.pool.revision + 1 &&
                                               after->pool.logical_time_secs == call->given.now_secs);
}

static bool is_store(const api_call *call, const session_state *after)
{
    return same_results(&call->before, after) || (after->result_revision == call->before.result_revision + 1 &&
                                                  after->result_count == call->before.result_count + 1);
}

static void check_success(api_call *call, const session_state *after)
{
    play_session *session = call->session;

    if (!is_untouched(&call->error, sizeof call->error))
        session_violated(session, "the call succeeded, but wrote an error");
    if (call->cursor.now_secs != call->given.now_secs)
        session_violated(session, "the cursor's second has changed");
    if (call->kind != CALL_COMMAND && !same_pool(&call->before, after))
        session_violated(session, "the pool has changed");
    if (call->kind != CALL_STORE && !same_results(&call->before, after))
        session_violated(session, "the results have changed");
    if (!is_step(call, after) || !is_store(call, after))
        session_violated(session, "the state has not moved by exactly one step");
    if (call->kind == CALL_COMMAND && call->cursor.revision != after->pool.revision)
        session_violated(session, "the cursor's revision is not the state's");
    if (call->kind == CALL_STORE && call->cursor.revision != after->result_revision)
        session_violated(session, "the caller's revision is not the aggregator's");
}

bool call_end(api_call *call, tvd_status status)
{
    session_state after = state_of(call->session);

    if (status == TVD_OK) {
        check_success(call, &after);
        return true;
    }
    check_failure(call, status, &after);
    outcome_error(&call->session->actual, &call->error);
    return false;
}

void call_ok(const api_call *call)
{
    byte_buffer *actual = &call->session->actual;

    buffer_append_string(actual, "= ok");
    if (call->kind != CALL_READ)
        outcome_number(actual, "rev", call->cursor.revision);
}
