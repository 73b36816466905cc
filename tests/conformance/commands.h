/*
 * The commands of the trace format: one table of names, keys and functions.
 */
#ifndef CONFORMANCE_COMMANDS_H
#define CONFORMANCE_COMMANDS_H

#include "session.h"

typedef enum command_kind {
    COMMAND_SETUP,  /* A line without an outcome. */
    COMMAND_TRIAL,  /* Needs nothing set up. */
    COMMAND_POOL,   /* Needs a pool. */
    COMMAND_RESULT, /* Needs the result aggregator. */
    COMMAND_DUMP    /* Needs a pool; its outcome goes on in dump lines. */
} command_kind;

/* What a command is played with. */
typedef struct command_input {
    const trace_arguments *arguments;
    text recorded; /* The recorded outcome; only to see whether it names a token that is there at times. */
} command_input;

typedef void command_function(play_session *session, const command_input *input);

typedef struct command {
    const char *name;
    const char *keys; /* As trace_decode() takes them. */
    command_kind kind;
    command_function *play; /* Writes session->actual. */
} command;

/* Finds a command by its name; null if there is none. */
const command *command_find(text name);

/* The functions of the table. A dump also fills session->listing. */
command_function play_limits;
command_function play_result_limits;
command_function play_pools;
command_function play_use;
command_function play_try_limits;
command_function play_try_result_limits;
command_function play_register_worker;
command_function play_reactivate_worker;
command_function play_update_worker;
command_function play_get_available_worker;
command_function play_get_worker;
command_function play_enqueue;
command_function play_get_task;
command_function play_ownership;
command_function play_peek_next;
command_function play_assign_task;
command_function play_assign_next;
command_function play_assign_next_available;
command_function play_start_task;
command_function play_complete_task;
command_function play_fail_task;
command_function play_cancel_task;
command_function play_recover_expired_leases;
command_function play_deregister_worker;
command_function play_prune_dead_workers;
command_function play_expire_old_tasks;
command_function play_store_result;
command_function play_aggregate_results;
command_function play_get_result;
command_function play_result_totals;
command_function play_dump;

#endif
