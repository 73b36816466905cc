/*
 * A command as data: what to call, with which arguments. It can be played on the library and on the model, written
 * as a line of a trace, and left out of a list. So that it still means something when others are left out, it names
 * tokens by the command that gave them and takes revisions and generations as it finds them.
 */
#ifndef MODEL_COMMAND_H
#define MODEL_COMMAND_H

#include <termivar/distributed.h>

#define COMMAND_MAX_REQUEST 8

typedef enum operation {
    OP_TRY_LIMITS,
    OP_TRY_RESULT_LIMITS,
    OP_REGISTER_WORKER,
    OP_REACTIVATE_WORKER,
    OP_UPDATE_WORKER,
    OP_GET_AVAILABLE_WORKER,
    OP_GET_WORKER,
    OP_WORKERS,
    OP_ENQUEUE,
    OP_ASSIGN_TASK,
    OP_ASSIGN_NEXT,
    OP_ASSIGN_NEXT_AVAILABLE,
    OP_START_TASK,
    OP_COMPLETE_TASK,
    OP_FAIL_TASK,
    OP_CANCEL_TASK,
    OP_DEREGISTER_WORKER,
    OP_RECOVER_EXPIRED_LEASES,
    OP_PRUNE_DEAD_WORKERS,
    OP_EXPIRE_OLD_TASKS,
    OP_GET_TASK,
    OP_PEEK_NEXT,
    OP_OWNERSHIP, /* get_task, and the ownership that its report offers. */
    OP_TASKS,
    OP_SNAPSHOT,
    OP_NEXT_DUE,
    OP_STORE_RESULT,
    OP_AGGREGATE_RESULTS,
    OP_GET_RESULT,
    OP_COUNT
} operation;

/* Which required pointer is null. */
enum {
    NULL_HANDLE = 1,
    NULL_CURSOR = 2, /* For store_result: the revision. */
    NULL_INPUT = 4,  /* The spec, the observation or the token. */
    NULL_OUTPUT = 8, /* The first output; it may be null where it is optional. */
    NULL_FOUND = 16, /* The second output: found or count. */
    NULL_ERROR = 32  /* The error; it always may be null. */
};

/* How a token differs from the one that the library gave. */
typedef enum alteration {
    ALTERATION_NONE,
    ALTERATION_FIELD,        /* One member is one more or less. */
    ALTERATION_TAIL,         /* Bytes that no getter shows are garbage: it is the same token. */
    ALTERATION_IDENTIFIER,   /* Another identifier. */
    ALTERATION_UNTERMINATED, /* An identifier without an end. */
    ALTERATION_ZERO,         /* All bytes zero. */
    ALTERATION_RANDOM,       /* All bytes random, but for the kind of an ownership. */
    ALTERATION_KIND,         /* An ownership of no known kind. */
    ALTERATION_COUNT
} alteration;

typedef struct token_ref {
    uint32_t serial; /* The command that gave it; 0 for a token out of thin air. */
    alteration alteration;
    uint64_t seed; /* Of the alteration. */
} token_ref;

typedef struct command {
    operation op;
    uint32_t serial; /* From 1, unique in its list. */
    unsigned pool;
    unsigned nulls;
    bool is_settled; /* Revision and generation are the ones to pass, not what is added to the right ones. */
    uint64_t revision;
    uint64_t now;
    const char *task_id; /* Also where a page starts. */
    const char *worker_id;
    uint64_t generation;
    uint64_t ttl;
    size_t page_capacity;
    bool wants_ownership; /* enqueue: name the fence of the new task. */
    token_ref token;
    tvd_task_spec task_spec;
    tvd_worker_spec worker_spec;
    tvd_worker_observation observation;
    const unsigned char *bytes;
    size_t bytes_size;
    const char *request[COMMAND_MAX_REQUEST]; /* aggregate_results: the task IDs, */
    const char *const *long_request;          /* or, if it is not null, those. */
    bool request_is_null;
    size_t request_count;
    tvd_limits limits;
    tvd_result_limits result_limits;
} command;

static inline const char *const *command_task_ids(const command *c)
{
    if (c->request_is_null)
        return NULL;
    return c->long_request != NULL ? c->long_request : c->request;
}

#endif
