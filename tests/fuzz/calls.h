/*
 * What the two halves of the command fuzzer share: the state that is played on, and one call of the library.
 */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include "input.h"

#include <termivar/distributed.h>

enum { POOLS = 2, KEPT = 16 };

/* A failed check ends the process, as the fuzzer expects it. */
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

_Noreturn void check_failed(const char *file, int line, const char *condition);

typedef struct memory {
    size_t bytes_in_use;
    bool fails;
} memory;

typedef struct coordinator {
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    uint64_t max_retained_bytes;
    char *dump; /* As it was after the last call. */
} coordinator;

typedef struct fuzz {
    input in;
    memory memory;
    coordinator coordinators[POOLS];
    tvd_result_aggregator *results;
    char *results_dump;
    tvd_task_ownership ownerships[KEPT];
    tvd_completion_receipt receipts[KEPT];
    size_t next_ownership, next_receipt;
} fuzz;

/* What the library may write; filled with a pattern first, so that it shows what it wrote. */
typedef union output {
    tvd_worker worker;
    tvd_worker workers[3];
    tvd_task task;
    tvd_task tasks[3];
    tvd_task_lease lease;
    tvd_start_outcome started;
    tvd_completion_outcome completed;
    tvd_failure_outcome failed;
    tvd_cancellation_outcome cancelled;
    tvd_recovery_summary summary;
    tvd_store_outcome stored;
    tvd_state_snapshot snapshot;
    tvd_next_due due;
    size_t count;
    void *pointer;
} output;

typedef struct call {
    fuzz *at;
    coordinator *on;
    tvd_worker_pool *pool; /* These may be null. */
    tvd_task_queue *queue;
    tvd_result_aggregator *results;
    tvd_cursor *cursor_argument;
    uint64_t *revision_argument;
    void *out; /* Of written; null if the caller wants nothing. */
    tvd_error *error_argument;

    tvd_cursor given, cursor;
    tvd_error error;
    output written;
    bool found;
} call;

/* Makes one call with arguments from the input. */
typedef tvd_status call_function(call *made);

typedef struct entry {
    call_function *function;
    bool of_results; /* Rather than of a coordinator. */
} entry;

/* One of all calls there are. */
const entry *read_entry(input *in);

#endif
