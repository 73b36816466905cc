/*
 * A world in which every kind of task and worker is there, and one call of any public function on it: its arguments,
 * where each is valid, and its outputs, where each is garbage. A test spoils some of it and says what to expect.
 *
 * It is second 100. Workers: "able" (8 slots, 2 taken), "full" (its only slot taken), "busy", "gone" (offline, of
 * generation 2) and "stale" (heard of at second 0). Tasks: "queued-1", "queued-2"; "leased" and "running" held by
 * able, "held" by full, all until second 150; "completed", "empty" and "stored" (the last two with results, of no
 * bytes and of three), "failed", "cancelled", "expired".
 */
#ifndef TEST_STAGE_H
#define TEST_STAGE_H

#include "dump.h"
#include "world.h"

/* The tokens of the tasks, by what they were last good for. */
struct cast {
    tvd_task_lease leased;
    tvd_task_lease running;
    tvd_task_lease completed;
    tvd_task_lease failed;
    tvd_task_ownership queued;
    tvd_task_ownership cancelled; /* by this fence */
    tvd_task_ownership owned;     /* the lease of "leased" */
    tvd_completion_receipt completed_receipt;
    tvd_completion_receipt stored_receipt;
    tvd_completion_receipt empty_receipt;
};

/* The parameters of every public function, under their names; a function takes those that it has. */
struct arguments {
    tvd_worker_pool *pool;
    tvd_task_queue *queue;
    tvd_result_aggregator *aggregator;
    const tvd_limits *limits;
    const tvd_result_limits *result_limits;
    const tvd_allocator *allocator;
    tvd_cursor *cursor;
    uint64_t *revision;
    uint64_t now_secs;
    const tvd_worker_spec *worker_spec;
    const tvd_task_spec *task_spec;
    const tvd_worker_observation *observation;
    const char *worker_id;
    const char *task_id;
    const char *after_id;
    uint64_t generation;
    uint64_t ttl_secs;
    const tvd_task_lease *lease;
    const tvd_task_ownership *ownership;
    const tvd_completion_receipt *receipt;
    const void *bytes;
    size_t size;
    const char *const *task_ids;
    size_t task_ids_count;
    size_t capacity;

    tvd_worker_pool **new_pool;
    tvd_task_queue **new_queue;
    tvd_result_aggregator **new_aggregator;
    tvd_worker *worker;
    tvd_worker *workers;
    tvd_task *task;
    tvd_task *tasks;
    bool *found;
    size_t *count;
    size_t *expired;
    uint64_t *page_revision;
    tvd_task_lease *new_lease;
    tvd_start_outcome *start;
    tvd_completion_outcome *completion;
    tvd_failure_outcome *failure;
    tvd_cancellation_outcome *cancellation;
    tvd_recovery_summary *summary;
    tvd_state_snapshot *snapshot;
    tvd_next_due *next;
    tvd_store_outcome *store;
    tvd_aggregate **aggregate;
    tvd_result **result;
};

/* What the arguments point to. */
struct inputs {
    tvd_limits limits;
    tvd_result_limits result_limits;
    tvd_allocator allocator;
    tvd_cursor cursor;
    uint64_t revision;
    tvd_worker_spec worker_spec;
    tvd_task_spec task_spec;
    tvd_worker_observation observation;
    tvd_task_lease lease;
    tvd_task_ownership ownership;
    tvd_completion_receipt receipt;
    const char *task_ids[3];
};

struct outputs {
    tvd_worker_pool *new_pool;
    tvd_task_queue *new_queue;
    tvd_result_aggregator *new_aggregator;
    tvd_worker worker;
    tvd_worker workers[2];
    tvd_task task;
    tvd_task tasks[2];
    bool found;
    size_t count;
    size_t expired;
    uint64_t page_revision;
    tvd_task_lease new_lease;
    tvd_start_outcome start;
    tvd_completion_outcome completion;
    tvd_failure_outcome failure;
    tvd_cancellation_outcome cancellation;
    tvd_recovery_summary summary;
    tvd_state_snapshot snapshot;
    tvd_next_due next;
    tvd_store_outcome store;
    tvd_aggregate *aggregate;
    tvd_result *result;
};

struct stage {
    struct world world;
    struct cast cast;
    struct arguments arguments;
    struct inputs inputs;
    struct outputs outputs;
    tvd_error expected;
};

/* One public function that can fail. */
struct function {
    const char *name;
    tvd_status (*call)(const struct arguments *arguments, tvd_error *error);
    void (*arrange)(struct stage *stage); /* what differs from the arguments that serve most; may be null */
    size_t allocations;                   /* that a successful call makes */
    struct required {
        tvd_detail detail;
        size_t offset; /* within struct stage, of a pointer */
    } required[8];     /* in the order in which they are checked; ends at TVD_DETAIL_NONE */
};

/* In functions.c; ends with a null name. */
extern const struct function functions[];
const struct function *function_named(const char *name);

void stage_open(struct stage *stage, const struct function *function);
void stage_close(struct stage *stage);

/* As fixtures: one stage that a file of tests shares, with the arguments that serve most functions. */
extern struct stage shared_stage;
int shared_stage_setup(void **state);
int shared_stage_teardown(void **state);

/* Gives back what a call gave away into the outputs, which were null before. */
void stage_give_back(struct stage *stage);

/* Calls the function; it must succeed. What it gave away is given back. */
void stage_accept(struct stage *stage, const struct function *function);

/* Calls the function, with and without an error to fill; it must fail as stage->expected says: every member of the
 * error, no output written, the cursor and the whole state as before, and the allocator asked only if that failed. */
void stage_refuse(struct stage *stage, const struct function *function);

/* Makes a required pointer null, and expects the answer to that. */
void stage_nullify(struct stage *stage, const struct required *required);

/* Whether an error is the expected one, in every member. */
void stage_assert_error(const struct stage *stage, const tvd_error *error);

/* Sets what to expect. */
void expect(struct stage *stage, tvd_status status);
void expect_detail(struct stage *stage, tvd_status status, tvd_detail detail);
void expect_identifier(struct stage *stage, tvd_status status, const char *identifier);
void expect_limit(struct stage *stage, tvd_status status, uint64_t limit);
void expect_excess(struct stage *stage, tvd_status status, tvd_detail detail, uint64_t actual, uint64_t limit);
void expect_conflict(struct stage *stage, tvd_status status, uint64_t expected, uint64_t actual);

#endif
