/*
 * Every command of the library as a value, so that what one thread did can be written down and done again.
 */
#ifndef THREADS_COMMAND_H
#define THREADS_COMMAND_H

#include <termivar/distributed.h>

/* One coordinator, by both of its handles, and a result store. */
typedef struct world {
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    tvd_result_aggregator *results;
} world;

void world_create(world *made, const tvd_limits *limits, const tvd_allocator *allocator);
world world_retain(const world *original);
void world_release(world *released);

typedef enum command_kind {
    COMMAND_REGISTER_WORKER,
    COMMAND_REACTIVATE_WORKER,
    COMMAND_UPDATE_WORKER,
    COMMAND_DEREGISTER_WORKER,
    COMMAND_PRUNE_DEAD_WORKERS,
    COMMAND_ENQUEUE,
    COMMAND_ASSIGN_TASK,
    COMMAND_ASSIGN_NEXT,
    COMMAND_ASSIGN_NEXT_AVAILABLE,
    COMMAND_START_TASK,
    COMMAND_COMPLETE_TASK,
    COMMAND_FAIL_TASK,
    COMMAND_CANCEL_TASK,
    COMMAND_RECOVER_EXPIRED_LEASES,
    COMMAND_EXPIRE_OLD_TASKS,
    COMMAND_STORE_RESULT, /* The only one whose revision is the result store's. */
    COMMAND_KINDS
} command_kind;

typedef struct command {
    command_kind kind;
    char task_id[24];
    char worker_id[24];
    uint64_t now_secs;
    uint64_t generation;
    uint64_t ttl_secs;
    uint64_t variety; /* Decides what is left: capacity, loads, tags, priority, sizes, bytes. */
    const tvd_task_ownership *token;
    const tvd_completion_receipt *receipt;
} command;

typedef struct answer {
    tvd_status status;
    tvd_error error;                /* Of a failure. */
    uint64_t revision;              /* Where the cursor then stood. */
    bool changed;                   /* Whether a revision came of it: neither refused nor a replay. */
    uint64_t digest;                /* Of everything that was reported. */
    tvd_task_ownership token;       /* What the command gave, of kind none if nothing. */
    tvd_completion_receipt receipt; /* Zeroed if none was given. */
} answer;

/* Checks that a failure touched neither the cursor nor the outputs. */
void play_command(const world *at, uint64_t expected_revision, const command *played, answer *answered);

const char *command_kind_name(command_kind kind);

/* What command_store_result stores, and whether these are bytes that it could have stored. */
enum { MAX_RESULT_BYTES = 96 };
size_t result_bytes_of(uint64_t variety, unsigned char bytes[MAX_RESULT_BYTES]);
bool are_result_bytes(const unsigned char *bytes, size_t size);

#endif
