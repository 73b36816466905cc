/*
 * What one trace plays on: its pools, its result aggregator, and the tokens its outcomes have carried. And the
 * checks around every single call, which the text of an outcome does not show.
 */
#ifndef CONFORMANCE_SESSION_H
#define CONFORMANCE_SESSION_H

#include "trace.h"

/* The recordings have one or two; more do no harm. */
enum { SESSION_MAX_POOLS = 64 };

/* The two handles on one coordinator. */
typedef struct session_pool {
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
} session_pool;

typedef struct play_session {
    tvd_limits limits;
    bool has_limits;
    session_pool pools[SESSION_MAX_POOLS];
    size_t pool_count;
    size_t current;
    tvd_result_aggregator *results;

    tvd_task_ownership *ownerships;
    size_t ownership_count, ownership_capacity;
    tvd_completion_receipt *receipts;
    size_t receipt_count, receipt_capacity;

    byte_buffer actual;    /* The outcome of the command that is played. */
    byte_buffer listing;   /* After a dump: its lines, each with a newline. */
    const char *refusal;   /* Why the file cannot be played on, or null. */
    const char *violation; /* Which promise the library broke that no outcome shows, or null. */
} play_session;

void session_free(play_session *session);

/* The handles that are current. */
tvd_worker_pool *session_worker_pool(const play_session *session);
tvd_task_queue *session_task_queue(const play_session *session);

/* The file is at fault: the first reason counts. */
void session_refuse(play_session *session, const char *reason);
/* The library is at fault: the first reason counts. */
void session_violated(play_session *session, const char *reason);

/* Each gives a token the next number and returns it. */
size_t session_keep_ownership(play_session *session, const tvd_task_ownership *ownership);
size_t session_keep_receipt(play_session *session, const tvd_completion_receipt *receipt);

/* Each finds a token by its number; refuses the file and gives null if there is none of that kind. */
const tvd_task_ownership *session_ownership(play_session *session, uint64_t number);
const tvd_task_lease *session_lease(play_session *session, uint64_t number);
const tvd_completion_receipt *session_receipt(play_session *session, uint64_t number);

/* What can be counted of the state at no cost. */
typedef struct session_state {
    tvd_state_snapshot pool;
    uint64_t result_revision;
    uint64_t result_count;
    uint64_t total_bytes;
} session_state;

typedef enum call_kind {
    CALL_READ,    /* Changes nothing. */
    CALL_COMMAND, /* May change the current pool. */
    CALL_STORE    /* May change the results. */
} call_kind;

/* One call of the library, from before to after. */
typedef struct api_call {
    play_session *session;
    call_kind kind;
    tvd_cursor given;
    tvd_cursor cursor; /* For the library to move. */
    tvd_error error;   /* For the library to fill. */
    void *output;      /* The caller's storage for what the library reports. */
    size_t output_size;
    session_state before;
} api_call;

/* Prepares a call: what the library may write is filled with a pattern, so that it shows what it wrote. */
api_call call_begin(play_session *session, call_kind kind, const trace_arguments *arguments, void *output,
                    size_t output_size);

/*
 * Looks at a finished call. A failure must have left the state, the cursor and the output as they were, and is
 * written as the outcome. A success must have left the error as it was, and moved the revision by one or
 * (an exact replay) changed nothing. Returns whether it succeeded; the outcome is then still to be written.
 */
bool call_end(api_call *call, tvd_status status);

/* Starts the outcome of a success: "= ok", and the revision if it has one. */
void call_ok(const api_call *call);

#endif
