/*
 * A session: one or two coordinators and one result aggregator, each of them twice, in the library and in the
 * model, and the tokens they gave. A command is played on both sides and its outcomes are compared.
 */
#ifndef MODEL_SESSION_H
#define MODEL_SESSION_H

#include "command.h"
#include "model.h"

#define SESSION_MAX_POOLS 2
#define OUTCOME_MAX_PAGE 8

typedef struct token {
    uint32_t serial;
    unsigned pool;
    bool is_receipt;
    tvd_task_ownership ownership;   /* A fence or a lease, */
    tvd_completion_receipt receipt; /* or a receipt. */
} token;

typedef struct memory_use {
    size_t blocks;
    size_t bytes;
} memory_use;

typedef struct pool_pair {
    model *m;
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
} pool_pair;

typedef struct session {
    unsigned pool_count;
    pool_pair pools[SESSION_MAX_POOLS];
    model_aggregator *ma;
    tvd_result_aggregator *la;
    token *tokens;
    size_t token_count;
    size_t token_capacity;
    memory_use memory;  /* What the library holds at the moment, */
    bool counts_memory; /* if nobody gave another allocator. */
} session;

typedef struct session_options {
    tvd_limits limits;
    tvd_result_limits result_limits;
    unsigned pool_count;
    model_fault fault;
    const tvd_allocator *allocator; /* Null: one that counts what is held. */
} session_options;

/* What an outcome holds when the command succeeded. */
typedef enum outcome_shape {
    SHAPE_NOTHING, /* The status says it all, or the caller gave no place. */
    SHAPE_TASK,
    SHAPE_WORKER,
    SHAPE_LEASE,
    SHAPE_START,
    SHAPE_COMPLETION,
    SHAPE_FAILURE,
    SHAPE_CANCELLATION,
    SHAPE_RECOVERY,
    SHAPE_EXPIRED,
    SHAPE_STORE,
    SHAPE_ITEMS,
    SHAPE_TASK_PAGE,
    SHAPE_WORKER_PAGE,
    SHAPE_SNAPSHOT,
    SHAPE_NEXT_DUE
} outcome_shape;

typedef struct outcome {
    tvd_error error;   /* All zero on success. */
    uint64_t revision; /* The cursor's, afterwards. */
    outcome_shape shape;
    bool found;
    bool has_ownership;
    model_ownership ownership;
    tvd_task task;
    tvd_worker worker;
    model_lease lease;
    tvd_start_outcome start;
    model_completion completion;
    tvd_failure_outcome failure;
    tvd_cancellation_outcome cancellation;
    tvd_recovery_summary recovery;
    size_t expired;
    tvd_store_outcome store;
    tvd_state_snapshot snapshot;
    tvd_next_due next_due;
    uint64_t page_revision;
    size_t count; /* Of items or of a page. */
    model_item *items;
    tvd_task tasks[OUTCOME_MAX_PAGE];
    tvd_worker workers[OUTCOME_MAX_PAGE];
    /* The library's side only: what the items point into, and the tokens as it gave them. */
    tvd_result *result;
    tvd_aggregate *aggregate;
    tvd_task_lease raw_lease;
    tvd_completion_receipt raw_receipt;
    tvd_task_ownership raw_ownership;
    const char *fault; /* A broken promise of the call itself, for example an output written on failure. */
} outcome;

/* The token of a command, found and altered, as both sides take it. */
typedef struct resolved_token {
    tvd_task_ownership ownership;
    tvd_task_lease lease;
    tvd_completion_receipt receipt;
    model_ownership model_ownership;
    model_receipt model_receipt;
} resolved_token;

typedef enum verdict {
    VERDICT_AGREE,
    VERDICT_SKIPPED, /* The command names a token that nobody gave. */
    VERDICT_DISAGREE
} verdict;

/* session.c */
bool session_open(session *s, const session_options *options);
/* False if the library still holds memory after the last handle was released. */
bool session_close(session *s);
const token *session_find_token(const session *s, uint32_t serial);
/* The command with the revision and the generation that it has at this moment. */
command session_settle(const session *s, const command *c);
/* Plays a command on both sides. The model's outcome is left in *expected, the library's in *actual. */
verdict session_play(session *s, const command *c, outcome *expected, outcome *actual, char *why, size_t size);
void outcome_release(outcome *o);

/* play_library.c and play_model.c */
void play_library(session *s, const command *c, const resolved_token *t, outcome *o);
void play_model(session *s, const command *c, const resolved_token *t, outcome *o);

/* token.c */
bool token_resolve(const session *s, const command *c, resolved_token *t);
void token_view_lease(const tvd_task_lease *lease, model_lease *view);
void token_view_ownership(const tvd_task_ownership *ownership, model_ownership *view);
void token_view_receipt(const tvd_completion_receipt *receipt, model_receipt *view);

/* compare.c: true if equal, else why says what differs. */
bool compare_outcomes(const outcome *expected, const outcome *actual, char *why, size_t size);
bool compare_tasks(const tvd_task *expected, const tvd_task *actual, char *why, size_t size);
bool compare_workers(const tvd_worker *expected, const tvd_worker *actual, char *why, size_t size);
bool compare_next_due(const tvd_next_due *expected, const tvd_next_due *actual, char *why, size_t size);

/* state.c: compares everything that can be read. */
bool state_agrees(session *s, unsigned pool, char *why, size_t size);
/* The counts, the head of the queue, the best worker and what falls due only. */
bool state_digest_agrees(session *s, unsigned pool, char *why, size_t size);
bool results_agree(session *s, char *why, size_t size);
bool invariants_hold(session *s, char *why, size_t size);

#endif
