/*
 * A second, naive implementation of the behaviour contract (docs/contract.md): arrays, linear scans and plain
 * values. It is written from the contract alone and shares no source with the library; only the public header's
 * specs, errors and reports are common. Where it and the library disagree, one of them misreads the contract.
 *
 * Each function has the parameters of the library's function of the same name, so that null arguments mean the
 * same to both; only tokens are of its own kind. It returns the error by value: status TVD_OK is success.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <termivar/distributed.h>

#define MODEL_ID_SIZE (TVD_MAX_IDENTIFIER_BYTES + 1)

typedef struct model_lease {
    char task_id[MODEL_ID_SIZE];
    char worker_id[MODEL_ID_SIZE];
    uint64_t worker_generation;
    uint64_t task_generation;
    uint32_t attempt;
    uint64_t lease_id;
    uint64_t acquired_at;
    uint64_t expires_at;
} model_lease;

typedef struct model_fence {
    char task_id[MODEL_ID_SIZE];
    uint64_t task_generation;
    uint64_t record_version;
} model_fence;

typedef struct model_ownership {
    tvd_ownership_kind kind;
    model_fence fence; /* If it is a fence. */
    model_lease lease; /* If it is a lease. */
} model_ownership;

typedef struct model_receipt {
    char task_id[MODEL_ID_SIZE];
    uint64_t task_generation;
    uint32_t attempt;
    uint64_t lease_id;
    char worker_id[MODEL_ID_SIZE];
    uint64_t worker_generation;
    uint64_t record_version;
} model_receipt;

typedef struct model_completion {
    tvd_completion_kind kind;
    model_receipt receipt;
} model_completion;

/* Deliberately wrong rules, for the proof that the comparison finds them. Each is one line of the model. */
typedef enum model_fault {
    MODEL_FAULT_NONE,
    MODEL_FAULT_LEASE_LIVES_LONGER,      /* A lease still holds in the second in which it expires. */
    MODEL_FAULT_PRUNE_TOO_EARLY,         /* A heartbeat exactly at the timeout is dead. */
    MODEL_FAULT_REQUEUE_KEEPS_PLACE,     /* A requeued task keeps its ordinal. */
    MODEL_FAULT_FENCE_IGNORES_VERSION,   /* A fence of another record version is accepted. */
    MODEL_FAULT_CAPACITY_ROUNDS_DOWN,    /* The effective capacity is the floor, not the ceiling. */
    MODEL_FAULT_NETWORK_TIE_IGNORED,     /* The best worker does not look at the network load. */
    MODEL_FAULT_RECOVERY_IN_TASK_ORDER,  /* A batch is recovered in order of admission, not of lease IDs. */
    MODEL_FAULT_RECOVERY_KEEPS_PROOF,    /* A task that recovery failed accepts a later fail_task. */
    MODEL_FAULT_REPLAY_MOVES_TIME,       /* A replayed start advances logical time. */
    MODEL_FAULT_REFUSAL_MOVES_TIME,      /* A refused enqueue advances logical time. */
    MODEL_FAULT_COMPLETED_FORGOTTEN,     /* A reactivated worker's completed tasks start at 0 again. */
    MODEL_FAULT_TERMINAL_ROOM_UNCHECKED, /* enqueue reserves no terminal record. */
    MODEL_FAULT_EMPTY_RESULT_REFUSED,    /* An empty result counts as other bytes when it is stored again. */
    MODEL_FAULT_LAST_RETRY_LOST,         /* A task gets one retry too few, if it has more than one. */
    MODEL_FAULT_COUNT
} model_fault;

typedef struct model_task {
    tvd_task seen;    /* What a read reports; its lease members are the lease it holds. */
    uint64_t ordinal; /* Its place in the queue, while it is queued. */
    bool has_failure; /* The failure proof: it failed by fail_task under this lease. */
    model_lease failure_lease;
    tvd_failure_outcome failure;
    model_ownership cancelled_by; /* The cancellation proof, if it is cancelled. */
    model_receipt receipt;        /* If it is completed. */
} model_task;

typedef struct model {
    tvd_limits limits;
    uint64_t revision;
    uint64_t logical_time;
    uint64_t next_ordinal;
    uint64_t next_lease_id;
    model_task *tasks; /* In order of admission, max_task_records of them. */
    size_t task_count;
    tvd_worker *workers; /* In order of registration, max_workers of them. */
    size_t worker_count;
    model_fault fault;
} model;

typedef struct model_result {
    model_receipt receipt;
    unsigned char *bytes;
    size_t size;
} model_result;

typedef struct model_aggregator {
    tvd_result_limits limits;
    uint64_t revision;
    model_result *results; /* In order of storing, max_results of them. */
    size_t result_count;
    model_fault fault;
} model_aggregator;

/* One item of an aggregate: points into the store, valid until the next store_result. */
typedef struct model_item {
    const char *task_id;
    const unsigned char *bytes;
    size_t size;
} model_item;

/* Helpers that all parts of the model use: model_core.c */

tvd_error model_ok(void);
tvd_error model_error(tvd_status status);
tvd_error model_error_detail(tvd_status status, tvd_detail detail);
tvd_error model_error_id(tvd_status status, const char *identifier);
tvd_error model_error_limit(tvd_status status, uint64_t limit);
tvd_error model_null(tvd_detail parameter);
bool model_id_valid(const char *identifier);
size_t model_id_length(const char *identifier);
model_task *model_find_task(model *m, const char *task_id);
tvd_worker *model_find_worker(model *m, const char *worker_id);
tvd_error model_preflight(const model *m, const tvd_cursor *cursor);
void model_commit(model *m, tvd_cursor *cursor);
bool model_is_active(const model_task *task);
bool model_holds_lease(const model_task *task);
size_t model_count(const model *m, tvd_task_status first, tvd_task_status last);
model_task *model_queue_head(model *m);
uint64_t model_heartbeat_age(const tvd_worker *worker, uint64_t now);
void model_refresh_worker(model *m, tvd_worker *worker);
model_lease model_lease_of(const model_task *task);
bool model_lease_equal(const model_lease *a, const model_lease *b);
tvd_error model_check_current_lease(model *m, const model_task *task, const model_lease *lease, uint64_t now);
void model_drop_lease(model *m, model_task *task);
void model_end_task(model *m, model_task *task, tvd_task_status status, uint64_t now);
void model_requeue(model *m, model_task *task);
bool model_has_retries(const model *m, const model_task *task);

/* Limits and life: model_limits.c */

tvd_error model_limits_validate(const tvd_limits *limits);
tvd_error model_result_limits_validate(const tvd_result_limits *limits);
model *model_create(const tvd_limits *limits, model_fault fault);
model *model_clone(const model *m);
void model_assign(model *to, const model *from); /* Both were created with the same limits. */
void model_free(model *m);
model_aggregator *model_aggregator_create(const tvd_result_limits *limits, model_fault fault);
void model_aggregator_free(model_aggregator *a);

/* Workers: model_worker.c */

tvd_error model_register_worker(model *m, tvd_cursor *cursor, const tvd_worker_spec *spec, tvd_worker *worker);
tvd_error model_reactivate_worker(model *m, tvd_cursor *cursor, uint64_t expected_generation,
                                  const tvd_worker_spec *spec, tvd_worker *worker);
tvd_error model_update_worker(model *m, tvd_cursor *cursor, const char *worker_id, uint64_t generation,
                              const tvd_worker_observation *observation, tvd_worker *worker);
const tvd_worker *model_best_worker(const model *m, uint64_t now);
tvd_error model_get_available_worker(model *m, uint64_t now, tvd_worker *worker, bool *found);
tvd_error model_get_worker(model *m, const char *worker_id, tvd_worker *worker, bool *found);
tvd_error model_workers(model *m, const char *after_worker_id, tvd_worker *workers, size_t capacity,
                        size_t *count, uint64_t *revision);

/* Admission, assignment, reads: model_task.c */

tvd_error model_enqueue(model *m, tvd_cursor *cursor, const tvd_task_spec *spec, tvd_task *task);
tvd_error model_assign_task(model *m, tvd_cursor *cursor, const char *task_id, const char *worker_id,
                            uint64_t ttl, model_lease *lease);
tvd_error model_assign_next(model *m, tvd_cursor *cursor, const char *worker_id, uint64_t ttl,
                            model_lease *lease);
tvd_error model_assign_next_available(model *m, tvd_cursor *cursor, uint64_t ttl, model_lease *lease);
tvd_error model_get_task(model *m, const char *task_id, tvd_task *task, bool *found);
tvd_error model_peek_next(model *m, tvd_task *task, bool *found);
tvd_error model_tasks(model *m, const char *after_task_id, tvd_task *tasks, size_t capacity, size_t *count,
                      uint64_t *revision);
tvd_error model_snapshot(model *m, tvd_detail handle, tvd_state_snapshot *snapshot);
bool model_ownership_of(const tvd_task *task, model_ownership *ownership);

/* The holder's commands: model_lease.c */

tvd_error model_start_task(model *m, tvd_cursor *cursor, const model_lease *lease, tvd_start_outcome *outcome);
tvd_error model_complete_task(model *m, tvd_cursor *cursor, const model_lease *lease,
                              model_completion *outcome);
tvd_error model_fail_task(model *m, tvd_cursor *cursor, const model_lease *lease, tvd_failure_outcome *outcome);
tvd_error model_cancel_task(model *m, tvd_cursor *cursor, const model_ownership *ownership,
                            tvd_cancellation_outcome *outcome);

/* Recovery: model_recovery.c */

tvd_error model_recover_expired_leases(model *m, tvd_cursor *cursor, tvd_recovery_summary *summary);
tvd_error model_deregister_worker(model *m, tvd_cursor *cursor, const char *worker_id, uint64_t generation,
                                  tvd_recovery_summary *summary);
tvd_error model_prune_dead_workers(model *m, tvd_cursor *cursor, tvd_recovery_summary *summary);
tvd_error model_expire_old_tasks(model *m, tvd_cursor *cursor, uint64_t ttl, size_t *expired);
tvd_error model_next_due(model *m, uint64_t ttl, tvd_next_due *next);

/* Results: model_aggregator.c */

tvd_error model_store_result(model_aggregator *a, uint64_t *revision, const model_receipt *receipt,
                             const void *bytes, size_t size, tvd_store_outcome *outcome);
/* Fills count items. The last argument says whether the caller gave a place for the aggregate. */
tvd_error model_aggregate_results(model_aggregator *a, const char *const *task_ids, size_t count,
                                  model_item *items, bool has_place);
tvd_error model_get_result(model_aggregator *a, const char *task_id, bool has_place, model_item *item,
                           bool *found);
uint64_t model_total_bytes(const model_aggregator *a);

#endif
