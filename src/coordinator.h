/*
 * The coordinator's state: every record, every index, one mutex; and what every command does first and last.
 *
 * Which index a record is on follows from its status alone, and only lifecycle.c moves tasks between them:
 *
 *   status               queues  leases_by_expiry, worker's leases  active_tasks  counted as
 *   queued               yes     no                                 yes           active, queued
 *   leased, running      no      yes                                yes           active
 *   completed, failed,
 *   cancelled, expired   no      no                                 no            terminal
 *
 * Functions whose name ends in _locked need the mutex held.
 */
#ifndef TVD_COORDINATOR_H
#define TVD_COORDINATOR_H

#include "error.h"
#include "guard.h"
#include "list.h"
#include "ordered_map.h"
#include "task.h"
#include "termivar/distributed.h"
#include "worker.h"

/* The two handles are two names of one state, and live in it. */
struct tvd_worker_pool {
    struct tvd_coordinator *coordinator;
    size_t handles; /* guarded by the coordinator's mutex */
};
struct tvd_task_queue {
    struct tvd_coordinator *coordinator;
    size_t handles; /* guarded by the coordinator's mutex */
};

enum { TVD_PRIORITIES = TVD_TASK_PRIORITY_CRITICAL };

struct tvd_coordinator {
    /* Set at creation, then only read. */
    struct tvd_worker_pool pool;
    struct tvd_task_queue queue;
    tvd_allocator allocator;
    tvd_limits limits;

    struct tvd_guard guard;

    /* Everything below is guarded by it. */
    uint64_t retained_bytes; /* asked of the allocator */
    tvd_state_snapshot now;  /* revision, logical second and counts, as snapshot reports them */
    uint64_t next_enqueue_ordinal;
    uint64_t next_lease_id;

    struct tvd_map tasks_by_id;
    struct tvd_list queues[TVD_PRIORITIES]; /* low first; each in the order of enqueue ordinals */
    struct tvd_list active_tasks;           /* in the order of admission, so that created_at never decreases */
    struct tvd_map leases_by_expiry;        /* then by lease ID */

    struct tvd_map workers_by_id;
    struct tvd_map workers_by_preference; /* the first is the best, if its heartbeat is not stale */
    struct tvd_list workers_by_heartbeat; /* not offline; the oldest first, since time never runs backwards */

    /* Every task in the order of admission. A token's hint is an index of it, so that the record of a token is found
     * by one comparison instead of sixteen among 65,536. */
    struct tvd_task_record *tasks_by_hint[];
};

/* The second lies before the state's. */
static inline tvd_status tvd_coordinator_refuse_time_locked(const struct tvd_coordinator *coordinator,
                                                            uint64_t now_secs, tvd_error *error)
{
    return tvd_fail_conflict(error, TVD_ERROR_LOGICAL_TIME_REGRESSION, now_secs,
                             coordinator->now.logical_time_secs);
}

/* The checks that every command makes first. Contract: section 2. */
static inline tvd_status tvd_coordinator_preflight_locked(struct tvd_coordinator *coordinator,
                                                          const tvd_cursor *cursor, tvd_error *error)
{
    const tvd_state_snapshot *now = &coordinator->now;

    tvd_guard_assert_locked(&coordinator->guard);
    if (cursor->revision != now->revision)
        return tvd_fail_conflict(error, TVD_ERROR_REVISION_CONFLICT, cursor->revision, now->revision);
    if (cursor->now_secs < now->logical_time_secs)
        return tvd_coordinator_refuse_time_locked(coordinator, cursor->now_secs, error);
    if (now->revision == UINT64_MAX)
        return tvd_fail_detail(error, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_REVISION);
    return TVD_OK;
}

/* What every command that changed something does last. */
static inline void tvd_coordinator_commit_locked(struct tvd_coordinator *coordinator, tvd_cursor *cursor)
{
    tvd_state_snapshot *now = &coordinator->now;

    assert(cursor->revision == now->revision && cursor->now_secs >= now->logical_time_secs);
    now->revision += 1;
    now->logical_time_secs = cursor->now_secs;
    cursor->revision = now->revision;
}

/* Memory for a record, or null. It counts as retained at once: admission cannot fail after it. */
void *tvd_coordinator_allocate_locked(struct tvd_coordinator *coordinator, size_t size);

/* The record with this ID, or null. */
struct tvd_task_record *tvd_coordinator_find_task_locked(const struct tvd_coordinator *coordinator,
                                                         const struct tvd_id *task_id);
struct tvd_worker_record *tvd_coordinator_find_worker_locked(const struct tvd_coordinator *coordinator,
                                                             const struct tvd_id *worker_id);

/* The record that a command names, or the error that it is not known (or is of another generation, or offline). */
tvd_status tvd_coordinator_need_worker_locked(const struct tvd_coordinator *coordinator,
                                              const struct tvd_id *worker_id, struct tvd_worker_record **worker,
                                              tvd_error *error);
tvd_status tvd_coordinator_need_generation_locked(const struct tvd_coordinator *coordinator,
                                                  const struct tvd_id *worker_id, uint64_t generation,
                                                  struct tvd_worker_record **worker, tvd_error *error);
tvd_status tvd_coordinator_need_online_locked(const struct tvd_coordinator *coordinator,
                                              const struct tvd_id *worker_id, uint64_t generation,
                                              struct tvd_worker_record **worker, tvd_error *error);

/* The head of the queue, or null. */
struct tvd_task_record *tvd_coordinator_head_locked(const struct tvd_coordinator *coordinator);

/* The best worker at a second, or null. */
struct tvd_worker_record *tvd_coordinator_best_worker_locked(const struct tvd_coordinator *coordinator,
                                                             uint64_t now_secs);

/* Unrank before a worker's heartbeat or loads change, or it goes; rank after that, and after its slots changed. */
void tvd_coordinator_unrank_locked(struct tvd_coordinator *coordinator, struct tvd_worker_record *worker);
void tvd_coordinator_rank_locked(struct tvd_coordinator *coordinator, struct tvd_worker_record *worker);

/* Whether this many tasks can enter the queue: room first, then ordinals. */
tvd_status tvd_coordinator_check_requeue_locked(const struct tvd_coordinator *coordinator, uint64_t tasks,
                                                tvd_error *error);

/* Bytes of the state itself under these limits. */
size_t tvd_coordinator_size(const tvd_limits *limits);

/* Creation starts without a handle; release frees the state with its last handle of all kinds. */
tvd_status tvd_coordinator_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                  struct tvd_coordinator **coordinator, tvd_error *error);
void tvd_coordinator_release(struct tvd_coordinator *coordinator, size_t *handles_of_kind);
void tvd_coordinator_snapshot(struct tvd_coordinator *coordinator, tvd_state_snapshot *snapshot);

#endif
