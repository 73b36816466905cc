/**
 * @file distributed.h
 * @brief The public interface of libtermivar_dist.
 *
 * libtermivar_dist coordinates tasks, workers and leases inside one process, deterministically and within
 * fixed bounds. It is Experimental. It is not a distributed service: it has no network, no authentication, no
 * wire format, no persistence, no clock and no threads of its own.
 *
 * The exact behaviour, command by command, is docs/contract.md; "Contract:" in a block below names the section.
 *
 * Conventions, said once and true of every declaration below
 *
 * Handles. A tvd_worker_pool and a tvd_task_queue are two counted handles on one coordinator state; a
 * tvd_result_aggregator is a separate store. The caller owns what _create, _retain and the two functions that
 * give the other handle return, and gives it back with _release. The state goes with its last handle. Any thread
 * may use any handle; a handle must not be used after its own release.
 *
 * Tokens (lease, fence, ownership, receipt) are values of integers and character arrays. They are copied by
 * assignment, own nothing, outlive the coordinator, and are the same to the last byte in two coordinators that
 * were given the same commands. They authenticate nothing. Their members are private: read them through the
 * getters. A getter given null answers 0 or "".
 *
 * Reports are plain values filled into the caller's storage. Nothing in them points into the library.
 *
 * Cursors. Each command that changes the state takes a cursor: the revision it expects and the logical second
 * at which it acts. When a command succeeds, the cursor's revision becomes the state's; when it fails, the
 * cursor is untouched. A cursor belongs to one thread.
 *
 * Time is a count of logical seconds, 0 to 2^64 - 1. The host says what time it is. It never runs backwards.
 *
 * Failure. A function that can fail returns a tvd_status, and fills *error if error is not null; error is written
 * only on failure. Outputs are written only on success. A failed call leaves the state exactly as it was: no
 * revision, no time, no record, no counter and no queue position has changed.
 *
 * Pointers are required unless a block says "may be null". A null where one is required is
 * TVD_ERROR_INVALID_ARGUMENT with the parameter as detail. These checks come before every other, in parameter
 * order, and the members of a structure in member order. What a pointer argument refers to is borrowed for
 * the call alone. Inputs are read before outputs and *error are written, so that they may share storage,
 * except the buffers of the format functions.
 *
 * Identifiers are NUL-terminated strings of 1 to 256 bytes from A-Z a-z 0-9 . _ : - . At most 257 bytes of a
 * caller's identifier are ever read. They are compared byte by byte.
 *
 * Cost. n is the number of task records, w of workers, r of stored results. A call with a handle locks the
 * one mutex of that handle's state, and holds it no longer than the call. The library calls nothing of the
 * host's while it holds it, except the allocator in enqueue, register_worker and store_result.
 * docs/hosting.md says what holds at fork, at thread cancellation and in signal handlers.
 */
#ifndef TERMIVAR_DISTRIBUTED_H
#define TERMIVAR_DISTRIBUTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version, in this one place. The build system reads these three lines. */
/** Changes when hosts must change. */
#define TVD_VERSION_MAJOR 0
/** While the major version is 0: changes when hosts must be compiled again. */
#define TVD_VERSION_MINOR 1
/** Changes with every other release. */
#define TVD_VERSION_PATCH 0
/** The version as one number that grows: major * 1000000 + minor * 1000 + patch. */
#define TVD_VERSION_NUMBER (TVD_VERSION_MAJOR * 1000000 + TVD_VERSION_MINOR * 1000 + TVD_VERSION_PATCH)

/** @cond internal */
#if defined(__GNUC__) && defined(TVD_BUILDING_SHARED)
#define TVD_API __attribute__((visibility("default")))
#else
#define TVD_API
#endif

#if defined(__GNUC__)
#define TVD_MUST_USE __attribute__((warn_unused_result))
#else
#define TVD_MUST_USE
#endif
/** @endcond */

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------
 * Fixed bounds and absolute maxima. Contract: sections 3 and 4.
 * --------------------------------------------------------------------------------------------------------- */

/** Longest identifier, without its NUL. */
#define TVD_MAX_IDENTIFIER_BYTES 256
/** Longest target reference. */
#define TVD_MAX_TARGET_REF_BYTES 1024
/** Most phases of one task. */
#define TVD_MAX_PHASES 256
/** Largest capacity of one worker. */
#define TVD_MAX_WORKER_CAPACITY 4096
/** A load of one hundred percent, in basis points. */
#define TVD_MAX_BASIS_POINTS 10000

/** Absolute maximum of tvd_limits.max_task_records. */
#define TVD_MAX_TASK_RECORDS 65536
/** Absolute maximum of tvd_limits.max_active_tasks. */
#define TVD_MAX_ACTIVE_TASKS 16384
/** Absolute maximum of tvd_limits.max_queued_tasks. */
#define TVD_MAX_QUEUED_TASKS 16384
/** Absolute maximum of tvd_limits.max_terminal_tasks. */
#define TVD_MAX_TERMINAL_TASKS 65536
/** Absolute maximum of tvd_limits.max_workers. */
#define TVD_MAX_WORKERS 4096
/** Absolute maximum of tvd_limits.max_retries. */
#define TVD_MAX_RETRIES 32
/** Absolute maximum of tvd_limits.max_lease_ttl_secs: a day. */
#define TVD_MAX_LEASE_TTL_SECS 86400
/** Absolute maximum of tvd_limits.max_task_ttl_secs: 31 days. */
#define TVD_MAX_TASK_TTL_SECS 2678400
/** Absolute maximum of tvd_limits.heartbeat_timeout_secs: a day. */
#define TVD_MAX_HEARTBEAT_TIMEOUT_SECS 86400

/** Absolute maximum of tvd_result_limits.max_results. */
#define TVD_MAX_RESULTS 65536
/** Absolute maximum of tvd_result_limits.max_result_bytes: 16 MiB. */
#define TVD_MAX_RESULT_BYTES 16777216
/** Absolute maximum of tvd_result_limits.max_total_bytes: 256 MiB. */
#define TVD_MAX_TOTAL_BYTES 268435456
/** Absolute maximum of tvd_result_limits.max_aggregate_items. */
#define TVD_MAX_AGGREGATE_ITEMS 65536
/** Absolute maximum of tvd_result_limits.max_aggregate_bytes: 256 MiB. */
#define TVD_MAX_AGGREGATE_BYTES 268435456

/* ------------------------------------------------------------------------------------------------------------
 * Enumerations
 * --------------------------------------------------------------------------------------------------------- */

/** What a call answered. 0 is success; every other value says which members of tvd_error it sets. Neither the numbers
 * nor the names of this and the other enumerations change; new ones are added at the end. */
typedef enum tvd_status {
    TVD_OK = 0, /**< Success. */

    TVD_ERROR_INVALID_ARGUMENT, /**< A null or unknown argument; detail names the parameter. */
    TVD_ERROR_OUT_OF_MEMORY,    /**< The allocator, or the system at creation, had no memory. */
    TVD_ERROR_STATE_INVARIANT,  /**< check_invariants found a broken one; detail says which. */

    TVD_ERROR_INVALID_LIMIT,              /**< A limit or a lifetime is 0; detail names it. */
    TVD_ERROR_INVALID_LIMIT_RELATIONSHIP, /**< Two limits, or a lifetime and its limit, do not fit; detail says how. */
    TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM, /**< detail, actual; limit is the absolute maximum. */
    TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM,  /**< detail, actual; limit is the absolute maximum. */
    TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM, /**< actual; limit is the absolute maximum. */

    TVD_ERROR_INVALID_TASK,   /**< A task ID or task spec is invalid; detail says how. */
    TVD_ERROR_INVALID_WORKER, /**< A worker ID, spec or observation is invalid; detail says how. */

    TVD_ERROR_REVISION_CONFLICT,       /**< expected is the caller's revision, actual the state's. */
    TVD_ERROR_LOGICAL_TIME_REGRESSION, /**< expected is the caller's logical second, actual the state's. */
    TVD_ERROR_COUNTER_EXHAUSTED,       /**< A counter is at its end; detail names it. */

    TVD_ERROR_TASK_ALREADY_EXISTS, /**< identifier is the task. */
    TVD_ERROR_TASK_NOT_FOUND,      /**< identifier is the task; empty if a token's is invalid. */
    TVD_ERROR_TASK_NOT_QUEUED,     /**< identifier is the task; task_status. */
    TVD_ERROR_INVALID_TRANSITION,  /**< identifier is the task; task_status; operation. */
    TVD_ERROR_STALE_OWNERSHIP,     /**< identifier is the task: the token is not its current holder's. */
    TVD_ERROR_LEASE_EXPIRED,       /**< identifier is the task: the lease is current, but its time is over. */
    TVD_ERROR_NO_QUEUED_TASK,      /**< The queue is empty. */
    TVD_ERROR_TASK_RECORD_CAPACITY_REACHED, /**< limit is max_task_records. */
    TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED, /**< limit is max_active_tasks. */
    TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, /**< limit is max_queued_tasks. */
    TVD_ERROR_TERMINAL_CAPACITY_RESERVED,   /**< limit is max_terminal_tasks. */

    TVD_ERROR_WORKER_ALREADY_EXISTS,      /**< identifier is the worker. */
    TVD_ERROR_WORKER_NOT_FOUND,           /**< identifier is the worker. */
    TVD_ERROR_WORKER_GENERATION_CONFLICT, /**< expected is the caller's generation, actual the worker's. */
    TVD_ERROR_WORKER_UNAVAILABLE,      /**< identifier is the worker: its status or heartbeat forbids this. */
    TVD_ERROR_WORKER_AT_CAPACITY,      /**< identifier is the worker: it has no free slot. */
    TVD_ERROR_WORKER_CAPACITY_REACHED, /**< limit is max_workers. */
    TVD_ERROR_NO_AVAILABLE_WORKER,     /**< No worker is eligible. */

    TVD_ERROR_CONFLICTING_RESULT, /**< identifier is the task: other bytes are stored for this receipt. */
    TVD_ERROR_MISMATCHED_RESULT_RECEIPT,     /**< identifier is the task: it is stored for another receipt. */
    TVD_ERROR_RESULT_CAPACITY_REACHED,       /**< limit is max_results. */
    TVD_ERROR_RESULT_TOO_LARGE,              /**< actual bytes; limit is max_result_bytes. */
    TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED,   /**< actual bytes it would be; limit is max_total_bytes. */
    TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED, /**< actual items; limit. */
    TVD_ERROR_AGGREGATE_BYTES_EXCEEDED,      /**< actual bytes so far; limit is max_aggregate_bytes. */
    TVD_ERROR_DUPLICATE_AGGREGATE_TASK,      /**< identifier is the task that was asked for twice. */
    TVD_ERROR_MISSING_RESULT                 /**< identifier is the task without a stored result. */
} tvd_status;

/** The stable, machine-readable part of an error that says what exactly was wrong. */
typedef enum tvd_detail {
    TVD_DETAIL_NONE = 0, /**< The status says it all. */

    /* Parameters, with TVD_ERROR_INVALID_ARGUMENT. */
    TVD_DETAIL_POOL,        /**< Parameter pool. */
    TVD_DETAIL_QUEUE,       /**< Parameter queue. */
    TVD_DETAIL_AGGREGATOR,  /**< Parameter aggregator. */
    TVD_DETAIL_ALLOCATE,    /**< Member allocate of an allocator. */
    TVD_DETAIL_RELEASE,     /**< Member release of an allocator. */
    TVD_DETAIL_LIMITS,      /**< Parameter limits. */
    TVD_DETAIL_CURSOR,      /**< Parameter cursor. */
    TVD_DETAIL_REVISION,    /**< Parameter revision; also the counter of that name. */
    TVD_DETAIL_SPEC,        /**< Parameter spec. */
    TVD_DETAIL_OBSERVATION, /**< Parameter observation. */
    TVD_DETAIL_TASK_ID,     /**< Parameter or member task_id. */
    TVD_DETAIL_SCAN_ID,     /**< Member scan_id. */
    TVD_DETAIL_TARGET_REF,  /**< Member target_ref. */
    TVD_DETAIL_PHASES,      /**< Member phases. */
    TVD_DETAIL_WORKER_ID,   /**< Parameter or member worker_id. */
    TVD_DETAIL_LEASE,       /**< Parameter lease. */
    TVD_DETAIL_OWNERSHIP,   /**< Parameter ownership: null, or of no known kind. */
    TVD_DETAIL_RECEIPT,     /**< Parameter receipt: null, or its task or worker ID is no valid identifier. */
    TVD_DETAIL_BYTES,       /**< Parameter bytes. */
    TVD_DETAIL_TASK,        /**< Parameter task. */
    TVD_DETAIL_TASKS,       /**< Parameter tasks. */
    TVD_DETAIL_TASK_IDS,    /**< Parameter task_ids. */
    TVD_DETAIL_WORKER,      /**< Parameter worker. */
    TVD_DETAIL_WORKERS,     /**< Parameter workers. */
    TVD_DETAIL_FOUND,       /**< Parameter found. */
    TVD_DETAIL_COUNT,       /**< Parameter count. */
    TVD_DETAIL_SNAPSHOT,    /**< Parameter snapshot. */
    TVD_DETAIL_RESULT,      /**< Parameter result. */
    TVD_DETAIL_AGGREGATE,   /**< Parameter aggregate. */
    TVD_DETAIL_NEXT,        /**< Parameter next. */

    /* Faults of a task ID or spec, with TVD_ERROR_INVALID_TASK. */
    TVD_DETAIL_TASK_ID_INVALID,     /**< A command's task ID is no valid identifier. */
    TVD_DETAIL_TASK_ID_EMPTY,       /**< A spec's task ID is empty. */
    TVD_DETAIL_TASK_ID_TOO_LONG,    /**< A spec's task ID has over 256 bytes. */
    TVD_DETAIL_TASK_ID_UNSAFE,      /**< A spec's task ID has a byte outside the alphabet. */
    TVD_DETAIL_SCAN_ID_EMPTY,       /**< A spec's scan ID is empty. */
    TVD_DETAIL_SCAN_ID_TOO_LONG,    /**< A spec's scan ID has over 256 bytes. */
    TVD_DETAIL_SCAN_ID_UNSAFE,      /**< A spec's scan ID has a byte outside the alphabet. */
    TVD_DETAIL_TARGET_REF_EMPTY,    /**< A target reference of no bytes. */
    TVD_DETAIL_TARGET_REF_TOO_LONG, /**< A target reference of over 1024 bytes. */
    TVD_DETAIL_PHASES_TOO_MANY,     /**< Over 256 phases. */
    TVD_DETAIL_PRIORITY_INVALID,    /**< A priority that is neither 0 nor one of the four. */

    /* Faults of a worker ID, spec or observation, with TVD_ERROR_INVALID_WORKER. */
    TVD_DETAIL_WORKER_ID_INVALID,     /**< A worker ID is no valid identifier. */
    TVD_DETAIL_CAPACITY_ZERO,         /**< A capacity of 0. */
    TVD_DETAIL_CAPACITY_TOO_LARGE,    /**< A capacity of over 4096. */
    TVD_DETAIL_UTILIZATION_TOO_LARGE, /**< A load of over 10000 basis points. */
    TVD_DETAIL_TAGS_INVALID,          /**< A tag bit outside the five. */
    TVD_DETAIL_STATUS_OFFLINE,        /**< An observation cannot take a worker offline. */
    TVD_DETAIL_STATUS_INVALID,        /**< An observation's status is none of the four. */

    /* Limits: members of tvd_limits and tvd_result_limits, and the lifetimes of two commands. */
    TVD_DETAIL_MAX_TASK_RECORDS,       /**< tvd_limits.max_task_records. */
    TVD_DETAIL_MAX_ACTIVE_TASKS,       /**< tvd_limits.max_active_tasks. */
    TVD_DETAIL_MAX_QUEUED_TASKS,       /**< tvd_limits.max_queued_tasks. */
    TVD_DETAIL_MAX_TERMINAL_TASKS,     /**< tvd_limits.max_terminal_tasks. */
    TVD_DETAIL_MAX_WORKERS,            /**< tvd_limits.max_workers. */
    TVD_DETAIL_MAX_LEASE_TTL_SECS,     /**< tvd_limits.max_lease_ttl_secs. */
    TVD_DETAIL_MAX_TASK_TTL_SECS,      /**< tvd_limits.max_task_ttl_secs. */
    TVD_DETAIL_HEARTBEAT_TIMEOUT_SECS, /**< tvd_limits.heartbeat_timeout_secs. */
    TVD_DETAIL_MAX_RESULTS,            /**< tvd_result_limits.max_results. */
    TVD_DETAIL_MAX_RESULT_BYTES,       /**< tvd_result_limits.max_result_bytes. */
    TVD_DETAIL_MAX_TOTAL_BYTES,        /**< tvd_result_limits.max_total_bytes. */
    TVD_DETAIL_MAX_AGGREGATE_ITEMS,    /**< tvd_result_limits.max_aggregate_items. */
    TVD_DETAIL_MAX_AGGREGATE_BYTES,    /**< tvd_result_limits.max_aggregate_bytes. */
    TVD_DETAIL_LEASE_TTL_SECS,         /**< Parameter lease_ttl_secs is 0. */
    TVD_DETAIL_TASK_TTL_SECS,          /**< Parameter task_ttl_secs is 0. */

    /* Relations, with TVD_ERROR_INVALID_LIMIT_RELATIONSHIP. */
    TVD_DETAIL_MAX_ACTIVE_TASKS_EXCEEDS_MAX_TASK_RECORDS,   /**< More active tasks than records. */
    TVD_DETAIL_MAX_QUEUED_TASKS_EXCEEDS_MAX_ACTIVE_TASKS,   /**< More queued tasks than active ones. */
    TVD_DETAIL_MAX_TERMINAL_TASKS_EXCEEDS_MAX_TASK_RECORDS, /**< More terminal tasks than records. */
    TVD_DETAIL_MAX_TERMINAL_TASKS_BELOW_MAX_ACTIVE_TASKS,   /**< Not every active task could end. */
    TVD_DETAIL_MAX_RESULT_BYTES_EXCEEDS_MAX_TOTAL_BYTES,    /**< One result larger than all together. */
    TVD_DETAIL_LEASE_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM,   /**< lease_ttl_secs over max_lease_ttl_secs. */
    TVD_DETAIL_TASK_TTL_SECS_EXCEEDS_CONFIGURED_MAXIMUM,    /**< task_ttl_secs over max_task_ttl_secs. */

    /* Counters, with TVD_ERROR_COUNTER_EXHAUSTED (and TVD_DETAIL_REVISION). */
    TVD_DETAIL_ENQUEUE_ORDINAL,        /**< The places of the queue. */
    TVD_DETAIL_LEASE_ID,               /**< The lease IDs. */
    TVD_DETAIL_LEASE_DEADLINE,         /**< now + lease_ttl_secs lies past the end of time. */
    TVD_DETAIL_WORKER_GENERATION,      /**< A worker's generation. */
    TVD_DETAIL_WORKER_COMPLETED_TASKS, /**< A worker's count of completed tasks. */
    TVD_DETAIL_RESULT_REVISION,        /**< An aggregator's revision. */

    /* Broken invariants, with TVD_ERROR_STATE_INVARIANT. */
    TVD_DETAIL_BOUND_EXCEEDED,         /**< More records, tasks, workers, results or bytes than configured. */
    TVD_DETAIL_COUNT_DISAGREES,        /**< A count is not the number of its records. */
    TVD_DETAIL_COUNTER_OUT_OF_RANGE,   /**< A counter has a value that no command can give it. */
    TVD_DETAIL_TASK_INDEX_BROKEN,      /**< The index of tasks is not balanced, ordered or linked. */
    TVD_DETAIL_WORKER_INDEX_BROKEN,    /**< The index of workers is not balanced, ordered or linked. */
    TVD_DETAIL_SELECTION_INDEX_BROKEN, /**< The order of workers by preference is not what records say. */
    TVD_DETAIL_LEASE_INDEX_BROKEN,     /**< The order of leases by expiry is not what records say. */
    TVD_DETAIL_HEARTBEAT_LIST_BROKEN,  /**< The list of workers by heartbeat is not what records say. */
    TVD_DETAIL_ACTIVE_LIST_BROKEN,     /**< The list of active tasks is not what records say. */
    TVD_DETAIL_QUEUE_BROKEN,           /**< A list of queued tasks is not what records say. */
    TVD_DETAIL_WORKER_LEASES_BROKEN,   /**< A worker's list of leases is not what records say. */
    TVD_DETAIL_TASK_RECORD_BROKEN,     /**< A task record contradicts itself. */
    TVD_DETAIL_WORKER_RECORD_BROKEN,   /**< A worker record contradicts itself. */
    TVD_DETAIL_RESULT_INDEX_BROKEN     /**< The index of results is not balanced, ordered or linked. */
} tvd_detail;

/** A task's place in its life. The first three are active, the others terminal. Contract: section 1. */
typedef enum tvd_task_status {
    TVD_TASK_STATUS_QUEUED = 1, /**< Waits in the queue. */
    TVD_TASK_STATUS_LEASED,     /**< Held by a worker that has not started it. */
    TVD_TASK_STATUS_RUNNING,    /**< Held by a worker that has started it. */
    TVD_TASK_STATUS_COMPLETED,  /**< Ended well. */
    TVD_TASK_STATUS_FAILED,     /**< Ended because its retries ran out. */
    TVD_TASK_STATUS_CANCELLED,  /**< Ended by cancel_task. */
    TVD_TASK_STATUS_EXPIRED     /**< Ended by expire_old_tasks. */
} tvd_task_status;

/** A task's priority. In a spec 0 means normal. */
typedef enum tvd_task_priority {
    TVD_TASK_PRIORITY_LOW = 1,     /**< Last. */
    TVD_TASK_PRIORITY_NORMAL = 2,  /**< The default. */
    TVD_TASK_PRIORITY_HIGH = 3,    /**< Before normal. */
    TVD_TASK_PRIORITY_CRITICAL = 4 /**< First. */
} tvd_task_priority;

/** A worker's condition. Only a healthy worker is given tasks. */
typedef enum tvd_worker_status {
    TVD_WORKER_STATUS_HEALTHY = 0, /**< May be given tasks. */
    TVD_WORKER_STATUS_BUSY,        /**< Alive, wants no more tasks for now. */
    TVD_WORKER_STATUS_DEGRADED,    /**< Alive, should not be given tasks. */
    TVD_WORKER_STATUS_OFFLINE      /**< Deregistered or pruned; only reactivate_worker brings it back. */
} tvd_worker_status;

/** What a worker runs on or may reach: bits of a set. Observed and reported, never used to select. */
typedef enum tvd_worker_tag {
    TVD_WORKER_TAG_LINUX = 1,    /**< Runs Linux. */
    TVD_WORKER_TAG_WINDOWS = 2,  /**< Runs Windows. */
    TVD_WORKER_TAG_GPU = 4,      /**< Has a GPU. */
    TVD_WORKER_TAG_INTERNAL = 8, /**< Reaches internal targets. */
    TVD_WORKER_TAG_EXTERNAL = 16 /**< Reaches external targets. */
} tvd_worker_tag;

/** The operation that TVD_ERROR_INVALID_TRANSITION refused. */
typedef enum tvd_operation {
    TVD_OPERATION_NONE = 0, /**< None: the error is of another kind. */
    TVD_OPERATION_COMPLETE, /**< complete_task. */
    TVD_OPERATION_FAIL      /**< fail_task. */
} tvd_operation;

/** Which token a tvd_task_ownership holds. */
typedef enum tvd_ownership_kind {
    TVD_OWNERSHIP_NONE = 0,         /**< None: a zeroed or unknown ownership. */
    TVD_OWNERSHIP_QUEUED_FENCE = 1, /**< The fence of a queued task. */
    TVD_OWNERSHIP_LEASE = 2         /**< The lease of a leased or running task. */
} tvd_ownership_kind;

/** How start_task succeeded. */
typedef enum tvd_start_kind {
    TVD_STARTED = 1,    /**< The task runs now. */
    TVD_ALREADY_RUNNING /**< It ran already under this lease; nothing changed. */
} tvd_start_kind;

/** How complete_task succeeded. */
typedef enum tvd_completion_kind {
    TVD_COMPLETED = 1,    /**< The task is completed now. */
    TVD_ALREADY_COMPLETED /**< It was completed already under this lease; nothing changed. */
} tvd_completion_kind;

/** How fail_task succeeded. A replay gives the outcome of the first time. */
typedef enum tvd_failure_kind {
    TVD_REQUEUED = 1,   /**< The task waits in the queue again. */
    TVD_RETRY_EXHAUSTED /**< The task is failed for good. */
} tvd_failure_kind;

/** How cancel_task succeeded. */
typedef enum tvd_cancellation_kind {
    TVD_CANCELLED = 1,    /**< The task is cancelled now. */
    TVD_ALREADY_CANCELLED /**< It was cancelled already under this ownership; nothing changed. */
} tvd_cancellation_kind;

/** How store_result succeeded. */
typedef enum tvd_store_outcome {
    TVD_STORED = 1,    /**< The result is stored now. */
    TVD_ALREADY_STORED /**< The same receipt and bytes were stored already; nothing changed. */
} tvd_store_outcome;

/* ------------------------------------------------------------------------------------------------------------
 * Handles and owned objects
 * --------------------------------------------------------------------------------------------------------- */

/** A counted handle on a coordinator: worker and lease commands. */
typedef struct tvd_worker_pool tvd_worker_pool;
/** A counted handle on a coordinator: admission and reads of tasks. */
typedef struct tvd_task_queue tvd_task_queue;
/** A counted handle on a store of results. */
typedef struct tvd_result_aggregator tvd_result_aggregator;
/** A copy of one stored result, owned by the caller. */
typedef struct tvd_result tvd_result;
/** Copies of several stored results in the order asked for, owned by the caller. */
typedef struct tvd_aggregate tvd_aggregate;

/* ------------------------------------------------------------------------------------------------------------
 * Inputs
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Where memory comes from. Both functions are required. They may be called by any thread that uses the handle,
 * with the mutex held, and must not call back into the library. The functions and the context must stay valid
 * until the last handle and the last owned object made with them is gone.
 */
typedef struct tvd_allocator {
    /** Returns size bytes (never 0) aligned as malloc aligns, or null. */
    void *(*allocate)(size_t size, void *context);
    /** Takes back what allocate gave, with the same size. */
    void (*release)(void *pointer, size_t size, void *context);
    /** Passed through; may be null. */
    void *context;
} tvd_allocator;

/** The revision a command expects and the logical second at which it acts. {0} fits a fresh coordinator. */
typedef struct tvd_cursor {
    uint64_t revision; /**< Expected; after success the state's. */
    uint64_t now_secs; /**< The host's logical second. Never written by the library. */
} tvd_cursor;

/** The bounds of a coordinator. Start from tvd_limits_default(). Contract: section 4. */
typedef struct tvd_limits {
    uint64_t max_task_records;       /**< Tasks ever admitted: 1 to 65536, default 4096. */
    uint64_t max_active_tasks;       /**< Queued, leased and running tasks: 1 to 16384, default 1024. */
    uint64_t max_queued_tasks;       /**< Queued tasks: 1 to 16384, default 1024. */
    uint64_t max_terminal_tasks;     /**< Ended tasks; admission reserves a place: 1 to 65536, default 4096. */
    uint64_t max_workers;            /**< Workers ever registered: 1 to 4096, default 256. */
    uint64_t max_lease_ttl_secs;     /**< Longest lease: 1 to 86400 seconds, default 3600. */
    uint64_t max_task_ttl_secs;      /**< Longest task lifetime: 1 to 2678400 seconds, default 86400. */
    uint64_t heartbeat_timeout_secs; /**< A heartbeat older than this is stale: 1 to 86400, default 60. */
    uint32_t max_retries;            /**< Retries after the first attempt: 0 to 32, default 3. */
} tvd_limits;

/** The bounds of a result aggregator. Start from tvd_result_limits_default(). Contract: section 4. */
typedef struct tvd_result_limits {
    uint64_t max_results;         /**< Stored results: 1 to 65536, default 1024. */
    uint64_t max_result_bytes;    /**< Bytes of one result: 1 to 16 MiB, default 1 MiB. */
    uint64_t max_total_bytes;     /**< Bytes of all results: 1 to 256 MiB, default 16 MiB. */
    uint64_t max_aggregate_items; /**< Items of one aggregate: 1 to 65536, default 1024. */
    uint64_t max_aggregate_bytes; /**< Bytes of one aggregate: 1 to 256 MiB, default 16 MiB. */
} tvd_result_limits;

/** A task to admit. What is left zero is the default; pointers are borrowed for the call. */
typedef struct tvd_task_spec {
    const char *task_id;        /**< Identifier, never used before in this coordinator. */
    const char *scan_id;        /**< Identifier of what the task belongs to. */
    const void *target_ref;     /**< What to work on: opaque bytes. May be null if the size is 0. */
    size_t target_ref_size;     /**< 1 to 1024 bytes. */
    const uint8_t *phases;      /**< Numbers of the phases, opaque. May be null if the count is 0. */
    size_t phases_count;        /**< 0 to 256. */
    tvd_task_priority priority; /**< 0 means normal. */
} tvd_task_spec;

/** A worker to register or reactivate. Pointers are borrowed for the call. */
typedef struct tvd_worker_spec {
    const char *worker_id;         /**< Identifier. */
    uint32_t capacity;             /**< Tasks at the same time: 1 to 4096. */
    uint32_t cpu_basis_points;     /**< CPU load: 0 to 10000. */
    uint32_t memory_basis_points;  /**< Memory load: 0 to 10000. */
    uint32_t network_basis_points; /**< Network load: 0 to 10000. */
    uint32_t tags;                 /**< A set of tvd_worker_tag bits. */
} tvd_worker_spec;

/** What a heartbeat says of a worker. A zeroed one is a healthy worker without load. */
typedef struct tvd_worker_observation {
    tvd_worker_status status;      /**< Healthy, busy or degraded. */
    uint32_t cpu_basis_points;     /**< CPU load: 0 to 10000. */
    uint32_t memory_basis_points;  /**< Memory load: 0 to 10000. */
    uint32_t network_basis_points; /**< Network load: 0 to 10000. */
} tvd_worker_observation;

/* ------------------------------------------------------------------------------------------------------------
 * Tokens. Every member is private. The hint shortens the way to the record; it decides nothing and takes no
 * part in comparing tokens. The zero members fill what would be padding.
 * --------------------------------------------------------------------------------------------------------- */

/** A worker's right to a task for a time. Two leases are the same if all eight getters agree. */
typedef struct tvd_task_lease {
    /** @cond internal */
    uint64_t private_worker_generation;
    uint64_t private_task_generation;
    uint64_t private_lease_id;
    uint64_t private_acquired_at_secs;
    uint64_t private_expires_at_secs;
    uint32_t private_attempt;
    uint32_t private_hint;
    char private_task_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    char private_worker_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    char private_zero[6];
    /** @endcond */
} tvd_task_lease;

/** The right to cancel a task that waits in the queue. */
typedef struct tvd_queued_task_fence {
    /** @cond internal */
    uint64_t private_task_generation;
    uint64_t private_record_version;
    uint32_t private_hint;
    char private_task_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    char private_zero[3];
    /** @endcond */
} tvd_queued_task_fence;

/** Either of the two: what cancel_task takes. */
typedef struct tvd_task_ownership {
    /** @cond internal */
    uint64_t private_kind;
    union {
        tvd_queued_task_fence private_fence;
        tvd_task_lease private_lease;
    } private_token;
    /** @endcond */
} tvd_task_ownership;

/** Proof that a task was completed under a lease: what store_result takes. */
typedef struct tvd_completion_receipt {
    /** @cond internal */
    uint64_t private_task_generation;
    uint64_t private_lease_id;
    uint64_t private_worker_generation;
    uint64_t private_record_version;
    uint32_t private_attempt;
    char private_task_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    char private_worker_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    char private_zero[2];
    /** @endcond */
} tvd_completion_receipt;

/* ------------------------------------------------------------------------------------------------------------
 * Reports
 * --------------------------------------------------------------------------------------------------------- */

/** Why a call failed. Which members are set is said at each tvd_status; the others are 0. */
typedef struct tvd_error {
    tvd_status status;                             /**< What the call returned. */
    tvd_detail detail;                             /**< What exactly was wrong. */
    uint64_t expected;                             /**< What was expected. */
    uint64_t actual;                               /**< What was there, or asked for. */
    uint64_t limit;                                /**< The bound that was reached. */
    tvd_task_status task_status;                   /**< The status that forbids it. */
    tvd_operation operation;                       /**< The operation that was refused. */
    char identifier[TVD_MAX_IDENTIFIER_BYTES + 1]; /**< The task or worker; never an invalid identifier. */
} tvd_error;

/** A task as it was when it was read. */
typedef struct tvd_task {
    char task_id[TVD_MAX_IDENTIFIER_BYTES + 1];         /**< Its identifier. */
    char scan_id[TVD_MAX_IDENTIFIER_BYTES + 1];         /**< The scan it belongs to. */
    char assigned_to[TVD_MAX_IDENTIFIER_BYTES + 1];     /**< The holding worker; "" unless leased or running. */
    unsigned char target_ref[TVD_MAX_TARGET_REF_BYTES]; /**< Its target reference. */
    uint8_t phases[TVD_MAX_PHASES];                     /**< Its phases. */
    size_t target_ref_size;                             /**< Bytes used of target_ref. */
    size_t phases_count;                                /**< Elements used of phases. */
    tvd_task_status status;                             /**< Its status. */
    tvd_task_priority priority;                         /**< Its priority. */
    uint32_t retry_count;                               /**< Requeues so far. */
    uint32_t attempt;                                   /**< Assignments so far. */
    uint64_t task_generation;                           /**< Grows with each requeue. */
    uint64_t record_version;                            /**< Grows with each change of the record; from 1. */
    uint64_t created_at_secs;                           /**< When it was admitted. */
    uint64_t started_at_secs;                           /**< When it started; see has_started_at. */
    uint64_t completed_at_secs;       /**< When it ended, in whatever way; see has_completed_at. */
    bool has_started_at;              /**< Whether started_at_secs means anything. */
    bool has_completed_at;            /**< Whether completed_at_secs means anything. */
    uint64_t lease_id;                /**< Its lease; 0 unless leased or running, as are the next. */
    uint64_t lease_worker_generation; /**< The generation of the holding worker. */
    uint64_t lease_acquired_at_secs;  /**< When the lease was given. */
    uint64_t lease_expires_at_secs;   /**< From this second on the lease is over. */
    /** @cond internal */
    uint32_t private_hint;
    /** @endcond */
} tvd_task;

/** A worker as it was when it was read. */
typedef struct tvd_worker {
    char worker_id[TVD_MAX_IDENTIFIER_BYTES + 1]; /**< Its identifier. */
    tvd_worker_status status;                     /**< Its status. */
    uint64_t generation;                          /**< 1 at registration; grows when it goes and comes back. */
    uint64_t completed_tasks;                     /**< Tasks it has completed, over all generations. */
    uint64_t last_heartbeat_secs;                 /**< When it was last heard of. */
    uint32_t capacity;                            /**< Tasks at the same time, without load. */
    uint32_t current_tasks;                       /**< Leases it holds. */
    uint32_t effective_capacity;                  /**< Capacity under its load; 0 unless healthy. */
    uint32_t available_slots;                     /**< Leases it may still take. */
    uint32_t cpu_basis_points;                    /**< CPU load. */
    uint32_t memory_basis_points;                 /**< Memory load. */
    uint32_t network_basis_points;                /**< Network load. */
    uint32_t tags;                                /**< Its tvd_worker_tag bits. */
} tvd_worker;

/** The counts of a coordinator at one revision. */
typedef struct tvd_state_snapshot {
    uint64_t revision;          /**< Accepted commands so far, replays apart. */
    uint64_t logical_time_secs; /**< The second of the last accepted command. */
    uint64_t task_records;      /**< Tasks ever admitted. */
    uint64_t active_tasks;      /**< Queued, leased and running. */
    uint64_t queued_tasks;      /**< Queued. */
    uint64_t terminal_tasks;    /**< Completed, failed, cancelled and expired. */
    uint64_t workers;           /**< Workers ever registered. */
} tvd_state_snapshot;

/** What a recovery command did. */
typedef struct tvd_recovery_summary {
    uint64_t workers_affected; /**< Distinct workers that lost a lease, or that went offline. */
    uint64_t tasks_requeued;   /**< Tasks that wait in the queue again. */
    uint64_t tasks_failed;     /**< Tasks whose retries ran out. */
} tvd_recovery_summary;

/** A logical second that may never come. */
typedef struct tvd_due {
    bool ever;        /**< Whether it comes at all. */
    uint64_t at_secs; /**< The second; 0 if it never comes. */
} tvd_due;

/** From which second on each maintenance command would find something to do, if nothing else happens before. */
typedef struct tvd_next_due {
    tvd_due lease_recovery; /**< recover_expired_leases would recover a lease. */
    tvd_due worker_pruning; /**< prune_dead_workers would take a worker offline. */
    tvd_due task_expiry;    /**< expire_old_tasks would end a task. */
} tvd_next_due;

/** What start_task did. */
typedef struct tvd_start_outcome {
    tvd_start_kind kind;     /**< Started now, or running already. */
    uint64_t record_version; /**< The task's version. */
} tvd_start_outcome;

/** What complete_task did. */
typedef struct tvd_completion_outcome {
    tvd_completion_kind kind;       /**< Completed now, or already. */
    tvd_completion_receipt receipt; /**< The proof, the same each time. */
} tvd_completion_outcome;

/** What fail_task did. */
typedef struct tvd_failure_outcome {
    tvd_failure_kind kind;    /**< Requeued, or failed for good. */
    uint32_t retry_count;     /**< Requeues so far. */
    uint64_t task_generation; /**< The task's generation. */
    uint64_t record_version;  /**< The task's version. */
} tvd_failure_outcome;

/** What cancel_task did. */
typedef struct tvd_cancellation_outcome {
    tvd_cancellation_kind kind; /**< Cancelled now, or already. */
    uint64_t record_version;    /**< The task's version. */
} tvd_cancellation_outcome;

/* ------------------------------------------------------------------------------------------------------------
 * Version, names and sentences
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Gives the version of the library that is linked, to be compared with TVD_VERSION_NUMBER.
 * @return major * 1000000 + minor * 1000 + patch.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API uint32_t tvd_version_number(void);

/**
 * Gives the version of the library that is linked, as text.
 * @return "major.minor.patch"; static.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_version_string(void);

/**
 * Names a tvd_status, for example "revision_conflict". TVD_OK is "ok". The names are stable.
 *
 * @param status Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_status_name(tvd_status status);

/**
 * Names a tvd_detail, for example "task_id_empty". The names are stable.
 *
 * @param detail Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_detail_name(tvd_detail detail);

/**
 * Names a tvd_task_status, for example "queued". The names are stable.
 *
 * @param status Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_task_status_name(tvd_task_status status);

/**
 * Names a tvd_task_priority, for example "normal". The names are stable.
 *
 * @param priority Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_task_priority_name(tvd_task_priority priority);

/**
 * Names a tvd_worker_status, for example "healthy". The names are stable.
 *
 * @param status Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_worker_status_name(tvd_worker_status status);

/**
 * Names a tvd_worker_tag, for example "gpu". A set of several bits has no name. The names are stable.
 *
 * @param tag Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_worker_tag_name(tvd_worker_tag tag);

/**
 * Names a tvd_operation, for example "complete". The names are stable.
 *
 * @param operation Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_operation_name(tvd_operation operation);

/**
 * Names a tvd_ownership_kind, for example "queued_fence". The names are stable.
 *
 * @param kind Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_ownership_kind_name(tvd_ownership_kind kind);

/**
 * Names a tvd_start_kind, for example "already_running". The names are stable.
 *
 * @param kind Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_start_kind_name(tvd_start_kind kind);

/**
 * Names a tvd_completion_kind, for example "already_completed". The names are stable.
 *
 * @param kind Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_completion_kind_name(tvd_completion_kind kind);

/**
 * Names a tvd_failure_kind, for example "retry_exhausted". The names are stable.
 *
 * @param kind Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_failure_kind_name(tvd_failure_kind kind);

/**
 * Names a tvd_cancellation_kind, for example "already_cancelled". The names are stable.
 *
 * @param kind Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_cancellation_kind_name(tvd_cancellation_kind kind);

/**
 * Names a tvd_store_outcome, for example "already_stored". The names are stable.
 *
 * @param outcome Any value.
 * @return The name, static; "unknown" for a value that is none.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API const char *tvd_store_outcome_name(tvd_store_outcome outcome);

/**
 * Writes a whole English sentence about an error, without a full stop or a newline, for logs. It contains the
 * numbers and the identifier.
 *
 * @param error What a call filled. Null gives "no error".
 * @param buffer Where to write; always NUL-terminated if size is not 0. May be null if size is 0.
 * @param size Bytes of buffer.
 * @return The length of the whole sentence without its NUL, also when it did not fit (snprintf's rule).
 *
 * Threads: any thread, any time. Cost: O(length).
 */
TVD_API size_t tvd_error_format(const tvd_error *error, char *buffer, size_t size);

/**
 * Writes a report as one line of fields for logs, without a newline, for example "task id=t-1 scan=s-1
 * target_ref_size=31 ...". Of the target reference and the phases only the sizes are shown.
 *
 * @param task What to write; any bytes. Null is written as "none".
 * @param buffer Where to write; always NUL-terminated if size is not 0. May be null if size is 0.
 * @param size Bytes of buffer.
 * @return The length of the whole line without its NUL, also when it did not fit (snprintf's rule).
 *
 * Threads: any thread that may read the value. Cost: O(length). Contract: section 10.
 */
TVD_API size_t tvd_task_format(const tvd_task *task, char *buffer, size_t size);

/**
 * Writes a report as one line of fields for logs, without a newline, for example "worker id=w-1 generation=1
 * status=healthy ...".
 *
 * @param worker What to write; any bytes. Null is written as "none".
 * @param buffer Where to write; always NUL-terminated if size is not 0. May be null if size is 0.
 * @param size Bytes of buffer.
 * @return The length of the whole line without its NUL, also when it did not fit (snprintf's rule).
 *
 * Threads: any thread that may read the value. Cost: O(length). Contract: section 10.
 */
TVD_API size_t tvd_worker_format(const tvd_worker *worker, char *buffer, size_t size);

/**
 * Writes a token as one line of fields for logs, without a newline, for example "lease task=t-1 worker=w-1
 * ... expires_at_secs=40".
 *
 * @param lease What to write; any bytes. Null is written as "none".
 * @param buffer Where to write; always NUL-terminated if size is not 0. May be null if size is 0.
 * @param size Bytes of buffer.
 * @return The length of the whole line without its NUL, also when it did not fit (snprintf's rule).
 *
 * Threads: any thread that may read the value. Cost: O(length). Contract: section 10.
 */
TVD_API size_t tvd_task_lease_format(const tvd_task_lease *lease, char *buffer, size_t size);

/**
 * Writes a token as one line of fields for logs, without a newline, for example "receipt task=t-1 worker=w-1
 * ...".
 *
 * @param receipt What to write; any bytes. Null is written as "none".
 * @param buffer Where to write; always NUL-terminated if size is not 0. May be null if size is 0.
 * @param size Bytes of buffer.
 * @return The length of the whole line without its NUL, also when it did not fit (snprintf's rule).
 *
 * Threads: any thread that may read the value. Cost: O(length). Contract: section 10.
 */
TVD_API size_t tvd_completion_receipt_format(const tvd_completion_receipt *receipt, char *buffer, size_t size);

/**
 * Writes a report as one line of fields for logs, without a newline, for example "snapshot revision=7
 * logical_time_secs=3 ...".
 *
 * @param snapshot What to write; any bytes. Null is written as "none".
 * @param buffer Where to write; always NUL-terminated if size is not 0. May be null if size is 0.
 * @param size Bytes of buffer.
 * @return The length of the whole line without its NUL, also when it did not fit (snprintf's rule).
 *
 * Threads: any thread that may read the value. Cost: O(length). Contract: section 10.
 */
TVD_API size_t tvd_state_snapshot_format(const tvd_state_snapshot *snapshot, char *buffer, size_t size);

/* ------------------------------------------------------------------------------------------------------------
 * Limits. Contract: section 4
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Gives the default limits of a coordinator.
 * @return The defaults.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 4.
 */
TVD_API tvd_limits tvd_limits_default(void);

/**
 * Gives the default limits of a result aggregator.
 * @return The defaults.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 4.
 */
TVD_API tvd_result_limits tvd_result_limits_default(void);

/**
 * Checks the limits of a coordinator as creation does.
 *
 * @param limits The limits.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (limits): null.
 * - TVD_ERROR_INVALID_LIMIT (its name): a count is 0.
 * - TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM (its name): a count is over its absolute maximum.
 * - TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM (its name): a time is over its absolute maximum.
 * - TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM: max_retries is over 32.
 * - TVD_ERROR_INVALID_LIMIT (its name): a time is 0.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (max_active_tasks_exceeds_max_task_records,
 *   max_queued_tasks_exceeds_max_active_tasks, max_terminal_tasks_exceeds_max_task_records,
 *   max_terminal_tasks_below_max_active_tasks): two limits contradict each other.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 4.
 */
TVD_API TVD_MUST_USE tvd_status tvd_limits_validate(const tvd_limits *limits, tvd_error *error);

/**
 * Checks the limits of a result aggregator as creation does.
 *
 * @param limits The limits.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (limits): null.
 * - TVD_ERROR_INVALID_LIMIT (its name): a limit is 0.
 * - TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM (its name): a limit is over its absolute maximum.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (max_result_bytes_exceeds_max_total_bytes): they contradict each
 *   other.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 4.
 */
TVD_API TVD_MUST_USE tvd_status tvd_result_limits_validate(const tvd_result_limits *limits, tvd_error *error);

/**
 * Gives the most memory that a coordinator of these limits can retain: every record there, with the largest
 * identifiers, target and phases. It counts the bytes asked of the allocator, not what an allocator adds.
 *
 * @param limits The limits. May be null: the defaults.
 * @return The bytes; 0 for limits that creation would refuse.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 4.
 */
TVD_API uint64_t tvd_limits_max_retained_bytes(const tvd_limits *limits);

/**
 * Gives the most memory that a result aggregator of these limits can retain: every result there, with the
 * largest identifiers, and all the bytes. It counts the bytes asked of the allocator, not what an allocator
 * adds, and not the copies that the caller owns.
 *
 * @param limits The limits. May be null: the defaults.
 * @return The bytes; 0 for limits that creation would refuse.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 4.
 */
TVD_API uint64_t tvd_result_limits_max_retained_bytes(const tvd_result_limits *limits);

/* ------------------------------------------------------------------------------------------------------------
 * Tokens. Contract: section 1
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Gives the task ID of a lease.
 *
 * @param lease The token. May be null.
 * @return A pointer into the token; "" for null or for a garbage token whose text has no end.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const char *tvd_task_lease_task_id(const tvd_task_lease *lease);

/**
 * Gives the worker ID of a lease.
 *
 * @param lease The token. May be null.
 * @return A pointer into the token; "" for null or for a garbage token whose text has no end.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const char *tvd_task_lease_worker_id(const tvd_task_lease *lease);

/**
 * Gives the worker's generation of a lease.
 *
 * @param lease The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_task_lease_worker_generation(const tvd_task_lease *lease);

/**
 * Gives the task's generation of a lease.
 *
 * @param lease The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_task_lease_task_generation(const tvd_task_lease *lease);

/**
 * Gives the attempt, from 1, of a lease.
 *
 * @param lease The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint32_t tvd_task_lease_attempt(const tvd_task_lease *lease);

/**
 * Gives the lease ID, from 1, of a lease.
 *
 * @param lease The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_task_lease_lease_id(const tvd_task_lease *lease);

/**
 * Gives the second of assignment of a lease.
 *
 * @param lease The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_task_lease_acquired_at_secs(const tvd_task_lease *lease);

/**
 * Gives the second from which on it is over, of a lease.
 *
 * @param lease The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_task_lease_expires_at_secs(const tvd_task_lease *lease);

/**
 * Gives the task ID of a fence.
 *
 * @param fence The token. May be null.
 * @return A pointer into the token; "" for null or for a garbage token whose text has no end.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const char *tvd_queued_task_fence_task_id(const tvd_queued_task_fence *fence);

/**
 * Gives the task's generation of a fence.
 *
 * @param fence The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_queued_task_fence_task_generation(const tvd_queued_task_fence *fence);

/**
 * Gives the record's version of a fence.
 *
 * @param fence The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_queued_task_fence_record_version(const tvd_queued_task_fence *fence);

/**
 * Gives the task ID of a receipt.
 *
 * @param receipt The token. May be null.
 * @return A pointer into the token; "" for null or for a garbage token whose text has no end.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const char *tvd_completion_receipt_task_id(const tvd_completion_receipt *receipt);

/**
 * Gives the worker ID of a receipt.
 *
 * @param receipt The token. May be null.
 * @return A pointer into the token; "" for null or for a garbage token whose text has no end.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const char *tvd_completion_receipt_worker_id(const tvd_completion_receipt *receipt);

/**
 * Gives the worker's generation of a receipt.
 *
 * @param receipt The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_completion_receipt_worker_generation(const tvd_completion_receipt *receipt);

/**
 * Gives the task's generation of a receipt.
 *
 * @param receipt The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_completion_receipt_task_generation(const tvd_completion_receipt *receipt);

/**
 * Gives the attempt of a receipt.
 *
 * @param receipt The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint32_t tvd_completion_receipt_attempt(const tvd_completion_receipt *receipt);

/**
 * Gives the lease ID of a receipt.
 *
 * @param receipt The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_completion_receipt_lease_id(const tvd_completion_receipt *receipt);

/**
 * Gives the record's version after completion of a receipt.
 *
 * @param receipt The token. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API uint64_t tvd_completion_receipt_record_version(const tvd_completion_receipt *receipt);

/**
 * Wraps a lease, for cancel_task.
 *
 * @param lease The lease. May be null, which gives an ownership of no kind.
 * @return The ownership.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API tvd_task_ownership tvd_task_ownership_from_lease(const tvd_task_lease *lease);

/**
 * Wraps a fence, for cancel_task.
 *
 * @param fence The fence. May be null, which gives an ownership of no kind.
 * @return The ownership.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API tvd_task_ownership tvd_task_ownership_from_fence(const tvd_queued_task_fence *fence);

/**
 * Says which token an ownership holds.
 *
 * @param ownership The ownership. May be null.
 * @return The kind; TVD_OWNERSHIP_NONE for null or an unknown kind.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API tvd_ownership_kind tvd_task_ownership_kind(const tvd_task_ownership *ownership);

/**
 * Gives the fence that an ownership holds.
 *
 * @param ownership The ownership. May be null.
 * @return A pointer into the ownership; null if it holds no fence.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const tvd_queued_task_fence *tvd_task_ownership_fence(const tvd_task_ownership *ownership);

/**
 * Gives the lease that an ownership holds.
 *
 * @param ownership The ownership. May be null.
 * @return A pointer into the ownership; null if it holds no lease.
 *
 * Threads: any thread that may read the token. Cost: O(1).
 */
TVD_API const tvd_task_lease *tvd_task_ownership_lease(const tvd_task_ownership *ownership);

/**
 * Makes the ownership that a task's report offers: the fence if it was queued, the lease if it was leased or
 * running.
 *
 * @param task A report filled by the library. May be null.
 * @param ownership Filled if there is one. May be null.
 * @return Whether there is one; false for a terminal task and for a null argument.
 *
 * Threads: any thread that may read the report. Cost: O(1). Contract: section 1.
 */
TVD_API bool tvd_task_ownership_of(const tvd_task *task, tvd_task_ownership *ownership);

/* ------------------------------------------------------------------------------------------------------------
 * Worker pools: creation and handles
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Creates a coordinator without tasks or workers, at revision 0 and second 0, and gives its worker pool.
 *
 * @param limits The bounds, copied. May be null: the defaults.
 * @param allocator Where memory comes from, copied. May be null: malloc and free.
 * @param pool Receives a handle that the caller must release.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (allocate, release, pool): null.
 * - TVD_ERROR_INVALID_LIMIT (its name): a count is 0.
 * - TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM (its name): a count is over its absolute maximum.
 * - TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM (its name): a time is over its absolute maximum.
 * - TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM: max_retries is over 32.
 * - TVD_ERROR_INVALID_LIMIT (its name): a time is 0.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (max_active_tasks_exceeds_max_task_records,
 *   max_queued_tasks_exceeds_max_active_tasks, max_terminal_tasks_exceeds_max_task_records,
 *   max_terminal_tasks_below_max_active_tasks): two limits contradict each other.
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator, or the system for the mutex, had no memory.
 *
 * After a failure: nothing is left behind and *pool is as it was. Threads: any thread, any time. Cost: O(1), one
 * allocation with a pointer for each of max_task_records. Contract: sections 1 and 4.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                                       tvd_worker_pool **pool, tvd_error *error);

/**
 * Counts one more owner of a handle.
 *
 * @param pool The handle. May be null.
 * @return The same handle, to be released once more.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API tvd_worker_pool *tvd_worker_pool_retain(tvd_worker_pool *pool);

/**
 * Gives a handle back. The last one on a state frees it, with its records. Releasing more often than owned is
 * a mistake of the host and has no defined outcome; an assertion catches it while a handle of the other kind
 * keeps the state alive.
 *
 * @param pool The handle. May be null: nothing happens.
 *
 * Threads: any thread; this handle must not be used afterwards. Cost: O(1); O(n + w) for the last handle.
 */
TVD_API void tvd_worker_pool_release(tvd_worker_pool *pool);

/**
 * Gives a task queue handle on the very same state.
 *
 * @param pool The coordinator. May be null.
 * @return A handle that the caller must release; null for null.
 *
 * Threads: any thread, any time. Cost: O(1); allocates nothing and cannot fail. Contract: section 1.
 */
TVD_API TVD_MUST_USE tvd_task_queue *tvd_worker_pool_task_queue(tvd_worker_pool *pool);

/* ------------------------------------------------------------------------------------------------------------
 * Workers. Contract: section 5
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Admits a worker: generation 1, healthy, heard of now.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param spec The worker. Its ID must be new.
 * @param worker Receives the worker as it is now. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, spec, worker_id): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): the spec's worker_id is no valid identifier.
 * - TVD_ERROR_INVALID_WORKER (capacity_zero, capacity_too_large, utilization_too_large, tags_invalid).
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_WORKER_ALREADY_EXISTS: the ID is known, offline or not.
 * - TVD_ERROR_WORKER_CAPACITY_REACHED: there are max_workers records.
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator returned null. The last check of all.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log w), one allocation. Contract: section 5.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_register_worker(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                                const tvd_worker_spec *spec, tvd_worker *worker,
                                                                tvd_error *error);

/**
 * Brings an offline worker back under the next generation: healthy, heard of now, its completed tasks kept,
 * the rest as the spec says.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param expected_generation The worker's generation as the caller knows it.
 * @param spec The worker. Its ID must be known.
 * @param worker Receives the worker as it is now. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, spec, worker_id): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): the spec's worker_id is no valid identifier.
 * - TVD_ERROR_INVALID_WORKER (capacity_zero, capacity_too_large, utilization_too_large, tags_invalid).
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_WORKER_NOT_FOUND: the ID is unknown.
 * - TVD_ERROR_WORKER_GENERATION_CONFLICT: expected_generation is not the worker's.
 * - TVD_ERROR_WORKER_UNAVAILABLE: the worker is not offline.
 * - TVD_ERROR_COUNTER_EXHAUSTED (worker_generation).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log w). Contract: section 5.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_reactivate_worker(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                                  uint64_t expected_generation,
                                                                  const tvd_worker_spec *spec,
                                                                  tvd_worker *worker, tvd_error *error);

/**
 * Takes a worker's heartbeat: its status, its loads, and that it was heard of now. Besides registering and
 * reactivating, nothing else counts as one: taking, starting or ending a task does not.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param worker_id The worker.
 * @param worker_generation Its generation.
 * @param observation What it reports.
 * @param worker Receives the worker as it is now. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, worker_id, observation): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): worker_id is no valid identifier.
 * - TVD_ERROR_INVALID_WORKER (status_offline, status_invalid, utilization_too_large).
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_WORKER_NOT_FOUND: the ID is unknown.
 * - TVD_ERROR_WORKER_GENERATION_CONFLICT: worker_generation is not the worker's.
 * - TVD_ERROR_WORKER_UNAVAILABLE: the worker is offline.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log w). Contract: section 5.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_update_worker(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                              const char *worker_id, uint64_t worker_generation,
                                                              const tvd_worker_observation *observation,
                                                              tvd_worker *worker, tvd_error *error);

/**
 * Reads which worker would be given the next task at a given second: the eligible one with most free slots,
 * then the latest heartbeat, the lowest CPU, memory and network load, the smallest ID. Advances nothing.
 *
 * @param pool The coordinator.
 * @param now_secs The logical second.
 * @param worker Receives the worker if there is one.
 * @param found Receives whether there is one.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, worker, found): null.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: now_secs lies before the state's logical second.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(log w), however many
 * workers are stale. Contract: sections 1 and 5.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_get_available_worker(tvd_worker_pool *pool, uint64_t now_secs,
                                                                     tvd_worker *worker, bool *found,
                                                                     tvd_error *error);

/**
 * Reads one worker.
 *
 * @param pool The coordinator.
 * @param worker_id The worker.
 * @param worker Receives the worker if it is known.
 * @param found Receives whether it is known.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, worker_id, worker, found): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): worker_id is no valid identifier.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(log w). Contract:
 * section 5.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_get_worker(tvd_worker_pool *pool, const char *worker_id,
                                                           tvd_worker *worker, bool *found, tvd_error *error);

/**
 * Reads a page of workers in the byte order of their IDs.
 *
 * A listing is read page by page: pass the last ID of a page to get the next, until a page comes back that is
 * not full (with a capacity of at least 1). Two pages belong together if their revisions are equal.
 *
 * @param pool The coordinator.
 * @param after_worker_id Starts after this ID, which need not be known. May be null: from the first.
 * @param workers Receives up to capacity workers. May be null if capacity is 0.
 * @param capacity Elements of workers.
 * @param count Receives how many were written.
 * @param revision Receives the revision they were read at. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, workers, count): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): after_worker_id is no valid identifier.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(log w + *count).
 * Contract: section 5.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_workers(tvd_worker_pool *pool, const char *after_worker_id,
                                                        tvd_worker *workers, size_t capacity, size_t *count,
                                                        uint64_t *revision, tvd_error *error);

/* ------------------------------------------------------------------------------------------------------------
 * Assignment. Contract: section 6
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Gives a certain queued task to a certain worker.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param task_id The task.
 * @param worker_id The worker.
 * @param lease_ttl_secs How long the lease runs, from now: 1 to max_lease_ttl_secs seconds. There is no
 *     renewal.
 * @param lease Receives the lease.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, task_id, worker_id, lease): null.
 * - TVD_ERROR_INVALID_TASK (task_id_invalid): task_id is no valid identifier.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): worker_id is no valid identifier.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_INVALID_LIMIT (lease_ttl_secs): 0.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (lease_ttl_secs_exceeds_configured_maximum).
 * - TVD_ERROR_TASK_NOT_FOUND: the ID is unknown.
 * - TVD_ERROR_TASK_NOT_QUEUED: the task has another status.
 * - TVD_ERROR_WORKER_NOT_FOUND: the ID is unknown.
 * - TVD_ERROR_WORKER_UNAVAILABLE: not healthy, or its heartbeat is stale.
 * - TVD_ERROR_WORKER_AT_CAPACITY: it has no free slot.
 * - TVD_ERROR_COUNTER_EXHAUSTED (lease_deadline, lease_id).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log n + log w). Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_assign_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                            const char *task_id, const char *worker_id,
                                                            uint64_t lease_ttl_secs, tvd_task_lease *lease,
                                                            tvd_error *error);

/**
 * Gives the head of the queue to a certain worker.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param worker_id The worker.
 * @param lease_ttl_secs How long the lease runs, from now: 1 to max_lease_ttl_secs seconds. There is no
 *     renewal.
 * @param lease Receives the lease.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, worker_id, lease): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): worker_id is no valid identifier.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_NO_QUEUED_TASK: the queue is empty.
 * - TVD_ERROR_INVALID_LIMIT (lease_ttl_secs): 0.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (lease_ttl_secs_exceeds_configured_maximum).
 * - TVD_ERROR_WORKER_NOT_FOUND: the ID is unknown.
 * - TVD_ERROR_WORKER_UNAVAILABLE: not healthy, or its heartbeat is stale.
 * - TVD_ERROR_WORKER_AT_CAPACITY: it has no free slot.
 * - TVD_ERROR_COUNTER_EXHAUSTED (lease_deadline, lease_id).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log n + log w). Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_assign_next(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                            const char *worker_id, uint64_t lease_ttl_secs,
                                                            tvd_task_lease *lease, tvd_error *error);

/**
 * Gives the head of the queue to the best worker, the one that get_available_worker names.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param lease_ttl_secs How long the lease runs, from now: 1 to max_lease_ttl_secs seconds. There is no
 *     renewal.
 * @param lease Receives the lease.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, lease): null.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_NO_QUEUED_TASK: the queue is empty.
 * - TVD_ERROR_NO_AVAILABLE_WORKER: no worker is eligible.
 * - TVD_ERROR_INVALID_LIMIT (lease_ttl_secs): 0.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (lease_ttl_secs_exceeds_configured_maximum).
 * - TVD_ERROR_COUNTER_EXHAUSTED (lease_deadline, lease_id).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log n + log w). Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_assign_next_available(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                                      uint64_t lease_ttl_secs,
                                                                      tvd_task_lease *lease, tvd_error *error);

/* ------------------------------------------------------------------------------------------------------------
 * The holder's commands. Contract: section 6
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Says that the holder has begun. Saying so again with the same lease succeeds and changes nothing.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param lease The current lease of the task. Any bytes are answered with an error, never read past.
 * @param outcome Receives what happened. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, lease): null.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_TASK_NOT_FOUND: no record of the lease's task; the identifier is empty if the token's is
 *   invalid.
 * - TVD_ERROR_STALE_OWNERSHIP: the lease differs from the task's own in any of its eight parts, or the task
 *   has none.
 * - TVD_ERROR_LEASE_EXPIRED: the lease is current, but now_secs >= its expires_at_secs.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(1) by the token's hint, O(log n) without. Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_start_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                           const tvd_task_lease *lease,
                                                           tvd_start_outcome *outcome, tvd_error *error);

/**
 * Says that the task is done, and gives the receipt under which its result can be stored. Saying so again
 * with the same lease succeeds, gives the same receipt and changes nothing, also after the lease's time.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param lease The current lease of the task. Any bytes are answered with an error, never read past.
 * @param outcome Receives what happened, and the receipt. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, lease): null.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_TASK_NOT_FOUND: no record of the lease's task; the identifier is empty if the token's is
 *   invalid.
 * - TVD_ERROR_STALE_OWNERSHIP: the task is completed under another lease, or the lease differs from the
 *   task's own in any of its eight parts, or the task has none.
 * - TVD_ERROR_LEASE_EXPIRED: the lease is current, but now_secs >= its expires_at_secs.
 * - TVD_ERROR_INVALID_TRANSITION (operation complete): the task was not started.
 * - TVD_ERROR_COUNTER_EXHAUSTED (worker_completed_tasks).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log n + log w). Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_complete_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                              const tvd_task_lease *lease,
                                                              tvd_completion_outcome *outcome,
                                                              tvd_error *error);

/**
 * Says that the attempt failed. The task waits in the queue again, behind its peers, or is failed for good
 * after max_retries retries; saying the latter again with the same lease succeeds and changes nothing.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param lease The current lease of the task. Any bytes are answered with an error, never read past.
 * @param outcome Receives what happened. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, lease): null.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_TASK_NOT_FOUND: no record of the lease's task; the identifier is empty if the token's is
 *   invalid.
 * - TVD_ERROR_STALE_OWNERSHIP: the task failed otherwise than by this lease's report, or the lease differs
 *   from the task's own in any of its eight parts, or the task has none.
 * - TVD_ERROR_LEASE_EXPIRED: the lease is current, but now_secs >= its expires_at_secs.
 * - TVD_ERROR_INVALID_TRANSITION (operation fail): the task was not started.
 * - TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED: it would be requeued, but the queue is full. The same lease can
 *   fail again later.
 * - TVD_ERROR_COUNTER_EXHAUSTED (enqueue_ordinal).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log n + log w). Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_fail_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                          const tvd_task_lease *lease,
                                                          tvd_failure_outcome *outcome, tvd_error *error);

/**
 * Ends an active task for good. Cancelling again with the same ownership succeeds and changes nothing.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param ownership The fence of the task while it is queued, or its current lease.
 * @param outcome Receives what happened. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, ownership): null.
 * - TVD_ERROR_INVALID_ARGUMENT (ownership): it is of no known kind.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_TASK_NOT_FOUND: no record of the token's task; the identifier is empty if the token's is
 *   invalid.
 * - TVD_ERROR_STALE_OWNERSHIP: the task is cancelled under another ownership; or the fence's generation or
 *   version is not the queued task's; or the task is not queued; or the lease differs from the task's own in
 *   any of its eight parts.
 * - TVD_ERROR_LEASE_EXPIRED: the lease is current, but now_secs >= its expires_at_secs.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(1) for a fence, O(log n + log w) for a lease. Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_cancel_task(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                            const tvd_task_ownership *ownership,
                                                            tvd_cancellation_outcome *outcome,
                                                            tvd_error *error);

/* ------------------------------------------------------------------------------------------------------------
 * Recovery. Contract: section 7. These commands commit also when there was nothing to do
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Takes back every lease whose time is over, in the order of lease IDs: the task is requeued, or failed if
 * its retries ran out.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param summary Receives what was done. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor): null.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED: the queue cannot take every task to be requeued.
 * - TVD_ERROR_COUNTER_EXHAUSTED (enqueue_ordinal): for the whole batch.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(k (log n + log w)) for k leases, O(1) for none. Contract: section 7.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_recover_expired_leases(tvd_worker_pool *pool,
                                                                       tvd_cursor *cursor,
                                                                       tvd_recovery_summary *summary,
                                                                       tvd_error *error);

/**
 * Takes a worker offline under the next generation, and recovers its leases.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param worker_id The worker.
 * @param worker_generation Its generation.
 * @param summary Receives what was done. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor, worker_id): null.
 * - TVD_ERROR_INVALID_WORKER (worker_id_invalid): worker_id is no valid identifier.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_WORKER_NOT_FOUND: the ID is unknown.
 * - TVD_ERROR_WORKER_GENERATION_CONFLICT: worker_generation is not the worker's.
 * - TVD_ERROR_WORKER_UNAVAILABLE: it is offline already.
 * - TVD_ERROR_COUNTER_EXHAUSTED (worker_generation).
 * - TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED: the queue cannot take every task to be requeued.
 * - TVD_ERROR_COUNTER_EXHAUSTED (enqueue_ordinal): for the whole batch.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log w + k log n) for k leases. Contract: section 7.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_deregister_worker(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                                  const char *worker_id,
                                                                  uint64_t worker_generation,
                                                                  tvd_recovery_summary *summary,
                                                                  tvd_error *error);

/**
 * Takes every worker offline whose last heartbeat is more than heartbeat_timeout_secs ago, and recovers all
 * their leases in one order of lease IDs.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param summary Receives what was done. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor): null.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_COUNTER_EXHAUSTED (worker_generation).
 * - TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED: the queue cannot take every task to be requeued.
 * - TVD_ERROR_COUNTER_EXHAUSTED (enqueue_ordinal): for the whole batch.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(p log w + k log n) for p workers with k leases, O(1) for none. Contract: section 7.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_prune_dead_workers(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                                   tvd_recovery_summary *summary,
                                                                   tvd_error *error);

/**
 * Ends every active task that was admitted at least task_ttl_secs ago. There is no retry.
 *
 * @param pool The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param task_ttl_secs The age: 1 to max_task_ttl_secs seconds.
 * @param expired Receives how many were ended. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, cursor): null.
 * - TVD_ERROR_INVALID_LIMIT (task_ttl_secs): 0.
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (task_ttl_secs_exceeds_configured_maximum).
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(k (log n + log w)) for k tasks, O(1) for none. Contract: section 7.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_expire_old_tasks(tvd_worker_pool *pool, tvd_cursor *cursor,
                                                                 uint64_t task_ttl_secs, size_t *expired,
                                                                 tvd_error *error);

/**
 * Reads when the maintenance commands will next find something to do, so that a host can sleep until then. A
 * second that has passed already is given as the state's logical second; one past the end of time is never.
 *
 * @param pool The coordinator.
 * @param task_ttl_secs The age that the host passes to expire_old_tasks: 1 to max_task_ttl_secs seconds, or 0
 *     if it never calls it.
 * @param next Receives the three seconds.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, next): null.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (task_ttl_secs_exceeds_configured_maximum): expire_old_tasks would
 *   refuse it.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(1). Contract:
 * section 7.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_next_due(tvd_worker_pool *pool, uint64_t task_ttl_secs,
                                                         tvd_next_due *next, tvd_error *error);

/* ------------------------------------------------------------------------------------------------------------
 * The state as a whole
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Reads the counts of a coordinator.
 *
 * @param pool The coordinator.
 * @param snapshot Receives them.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool, snapshot): null.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(1). Contract: section
 * 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_snapshot(tvd_worker_pool *pool, tvd_state_snapshot *snapshot,
                                                         tvd_error *error);

/**
 * Reads the revision alone: what a thread that lost a race needs.
 *
 * @param pool The coordinator. May be null.
 * @return The revision; 0 for null.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API uint64_t tvd_worker_pool_revision(tvd_worker_pool *pool);

/**
 * Reads how much memory a coordinator retains now: the bytes asked of the allocator.
 *
 * @param pool The coordinator. May be null.
 * @return The bytes; 0 for null.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API uint64_t tvd_worker_pool_retained_bytes(tvd_worker_pool *pool);

/**
 * Checks every invariant of the records and of the structures that hold them. For tests and for hosts that
 * suspect their memory; it can only fail after the memory was damaged.
 *
 * @param pool The coordinator.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (pool): null.
 * - TVD_ERROR_STATE_INVARIANT: detail says which.
 *
 * After a failure: nothing has changed. Threads: any thread, any time. Cost: O(n log n + w log w), with the
 * mutex held. Contract: section 9.
 */
TVD_API TVD_MUST_USE tvd_status tvd_worker_pool_check_invariants(tvd_worker_pool *pool, tvd_error *error);

/* ------------------------------------------------------------------------------------------------------------
 * Task queues. Contract: section 6
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Creates a coordinator without tasks or workers, at revision 0 and second 0, and gives its task queue.
 *
 * @param limits The bounds, copied. May be null: the defaults.
 * @param allocator Where memory comes from, copied. May be null: malloc and free.
 * @param queue Receives a handle that the caller must release.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (allocate, release, queue): null.
 * - TVD_ERROR_INVALID_LIMIT (its name): a count is 0.
 * - TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM (its name): a count is over its absolute maximum.
 * - TVD_ERROR_TIME_LIMIT_EXCEEDS_MAXIMUM (its name): a time is over its absolute maximum.
 * - TVD_ERROR_RETRY_LIMIT_EXCEEDS_MAXIMUM: max_retries is over 32.
 * - TVD_ERROR_INVALID_LIMIT (its name): a time is 0.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (max_active_tasks_exceeds_max_task_records,
 *   max_queued_tasks_exceeds_max_active_tasks, max_terminal_tasks_exceeds_max_task_records,
 *   max_terminal_tasks_below_max_active_tasks): two limits contradict each other.
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator, or the system for the mutex, had no memory.
 *
 * After a failure: nothing is left behind and *queue is as it was. Threads: any thread, any time. Cost: O(1), one
 * allocation with a pointer for each of max_task_records. Contract: sections 1 and 4.
 */
TVD_API TVD_MUST_USE tvd_status tvd_task_queue_create(const tvd_limits *limits, const tvd_allocator *allocator,
                                                      tvd_task_queue **queue, tvd_error *error);

/**
 * Counts one more owner of a handle.
 *
 * @param queue The handle. May be null.
 * @return The same handle, to be released once more.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API tvd_task_queue *tvd_task_queue_retain(tvd_task_queue *queue);

/**
 * Gives a handle back. The last one on a state frees it, with its records. Releasing more often than owned is
 * a mistake of the host and has no defined outcome; an assertion catches it while a handle of the other kind
 * keeps the state alive.
 *
 * @param queue The handle. May be null: nothing happens.
 *
 * Threads: any thread; this handle must not be used afterwards. Cost: O(1); O(n + w) for the last handle.
 */
TVD_API void tvd_task_queue_release(tvd_task_queue *queue);

/**
 * Gives a worker pool handle on the very same state.
 *
 * @param queue The coordinator. May be null.
 * @return A handle that the caller must release; null for null.
 *
 * Threads: any thread, any time. Cost: O(1); allocates nothing and cannot fail. Contract: section 1.
 */
TVD_API TVD_MUST_USE tvd_worker_pool *tvd_task_queue_worker_pool(tvd_task_queue *queue);

/**
 * Admits a task: it waits in the queue behind its peers of the same priority.
 *
 * @param queue The coordinator.
 * @param cursor The expected revision and the logical second. Its revision is moved on success.
 * @param spec The task. Its ID must be new for the life of the coordinator.
 * @param task Receives the task as it is now. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (queue, cursor, spec, task_id, scan_id, target_ref with a size, phases with a
 *   count): null.
 * - TVD_ERROR_INVALID_TASK (task_id_empty, task_id_too_long, task_id_unsafe, scan_id_empty, scan_id_too_long,
 *   scan_id_unsafe, target_ref_empty, target_ref_too_long, phases_too_many, priority_invalid).
 * - TVD_ERROR_REVISION_CONFLICT: cursor->revision is not the state's revision.
 * - TVD_ERROR_LOGICAL_TIME_REGRESSION: cursor->now_secs lies before the state's logical second.
 * - TVD_ERROR_COUNTER_EXHAUSTED (revision): the revision is at its end.
 * - TVD_ERROR_TASK_ALREADY_EXISTS: the ID is known, ended or not.
 * - TVD_ERROR_TASK_RECORD_CAPACITY_REACHED: there are max_task_records records.
 * - TVD_ERROR_ACTIVE_TASK_CAPACITY_REACHED: max_active_tasks are active.
 * - TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED: max_queued_tasks are queued.
 * - TVD_ERROR_TERMINAL_CAPACITY_RESERVED: with this task, more tasks could end than max_terminal_tasks.
 * - TVD_ERROR_COUNTER_EXHAUSTED (enqueue_ordinal).
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator returned null. The last check of all.
 *
 * After a failure: the state, the cursor and the outputs are as they were. Threads: any thread, any time.
 * Cost: O(log n), one allocation. Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_task_queue_enqueue(tvd_task_queue *queue, tvd_cursor *cursor,
                                                       const tvd_task_spec *spec, tvd_task *task,
                                                       tvd_error *error);

/**
 * Reads the head of the queue without taking it.
 *
 * @param queue The coordinator.
 * @param task Receives the task if there is one.
 * @param found Receives whether there is one.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (queue, task, found): null.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(1). Contract: section
 * 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_task_queue_peek_next(tvd_task_queue *queue, tvd_task *task, bool *found,
                                                         tvd_error *error);

/**
 * Reads one task.
 *
 * @param queue The coordinator.
 * @param task_id The task.
 * @param task Receives the task if it is known.
 * @param found Receives whether it is known.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (queue, task_id, task, found): null.
 * - TVD_ERROR_INVALID_TASK (task_id_invalid): task_id is no valid identifier.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(log n). Contract:
 * section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_task_queue_get_task(tvd_task_queue *queue, const char *task_id,
                                                        tvd_task *task, bool *found, tvd_error *error);

/**
 * Reads a page of tasks in the byte order of their IDs.
 *
 * A listing is read page by page: pass the last ID of a page to get the next, until a page comes back that is
 * not full (with a capacity of at least 1). Two pages belong together if their revisions are equal.
 *
 * @param queue The coordinator.
 * @param after_task_id Starts after this ID, which need not be known. May be null: from the first.
 * @param tasks Receives up to capacity tasks. May be null if capacity is 0.
 * @param capacity Elements of tasks.
 * @param count Receives how many were written.
 * @param revision Receives the revision they were read at. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (queue, tasks, count): null.
 * - TVD_ERROR_INVALID_TASK (task_id_invalid): after_task_id is no valid identifier.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(log n + *count).
 * Contract: section 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_task_queue_tasks(tvd_task_queue *queue, const char *after_task_id,
                                                     tvd_task *tasks, size_t capacity, size_t *count,
                                                     uint64_t *revision, tvd_error *error);

/**
 * Reads the counts of a coordinator.
 *
 * @param queue The coordinator.
 * @param snapshot Receives them.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (queue, snapshot): null.
 *
 * After a failure: the outputs are as they were. Threads: any thread, any time. Cost: O(1). Contract: section
 * 6.
 */
TVD_API TVD_MUST_USE tvd_status tvd_task_queue_snapshot(tvd_task_queue *queue, tvd_state_snapshot *snapshot,
                                                        tvd_error *error);

/* ------------------------------------------------------------------------------------------------------------
 * Results. Contract: section 8
 * --------------------------------------------------------------------------------------------------------- */

/**
 * Creates a store without results, at revision 0.
 *
 * @param limits The bounds, copied. May be null: the defaults.
 * @param allocator Where memory comes from, copied. May be null: malloc and free.
 * @param aggregator Receives a handle that the caller must release.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (allocate, release, aggregator): null.
 * - TVD_ERROR_INVALID_LIMIT (its name): a limit is 0.
 * - TVD_ERROR_COUNT_LIMIT_EXCEEDS_MAXIMUM (its name): a limit is over its absolute maximum.
 * - TVD_ERROR_INVALID_LIMIT_RELATIONSHIP (max_result_bytes_exceeds_max_total_bytes): they contradict each
 *   other.
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator, or the system for the mutex, had no memory.
 *
 * After a failure: nothing is left behind and *aggregator is as it was. Threads: any thread, any time. Cost:
 * O(1), one allocation. Contract: sections 1 and 4.
 */
TVD_API TVD_MUST_USE tvd_status tvd_result_aggregator_create(const tvd_result_limits *limits,
                                                             const tvd_allocator *allocator,
                                                             tvd_result_aggregator **aggregator,
                                                             tvd_error *error);

/**
 * Counts one more owner of a handle.
 *
 * @param aggregator The handle. May be null.
 * @return The same handle, to be released once more.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API tvd_result_aggregator *tvd_result_aggregator_retain(tvd_result_aggregator *aggregator);

/**
 * Gives a handle back. The last one frees the store, with its results. Releasing more often than owned is a
 * mistake of the host and has no defined outcome.
 *
 * @param aggregator The handle. May be null: nothing happens.
 *
 * Threads: any thread; this handle must not be used afterwards. Cost: O(1); O(r) for the last handle.
 */
TVD_API void tvd_result_aggregator_release(tvd_result_aggregator *aggregator);

/**
 * Stores a copy of a task's result under its receipt. Storing the same again succeeds and changes nothing.
 * The receipt's origin is not checked, and cannot be.
 *
 * @param aggregator The store.
 * @param revision The aggregator's revision that the caller expects; moved on success.
 * @param receipt What complete_task gave.
 * @param bytes The result. May be null if size is 0.
 * @param size Its bytes: 0 to max_result_bytes. None is a valid result.
 * @param outcome Receives what happened. May be null.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (aggregator, revision, receipt, bytes with a size): null.
 * - TVD_ERROR_INVALID_ARGUMENT (receipt): its task or worker ID is no valid identifier.
 * - TVD_ERROR_REVISION_CONFLICT: *revision is not the aggregator's.
 * - TVD_ERROR_CONFLICTING_RESULT: stored for this receipt with other bytes.
 * - TVD_ERROR_MISMATCHED_RESULT_RECEIPT: stored for another receipt.
 * - TVD_ERROR_RESULT_TOO_LARGE: size is over max_result_bytes.
 * - TVD_ERROR_RESULT_CAPACITY_REACHED: there are max_results results.
 * - TVD_ERROR_TOTAL_RESULT_BYTES_EXCEEDED: with it, all results would be over max_total_bytes.
 * - TVD_ERROR_COUNTER_EXHAUSTED (result_revision).
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator returned null. The last check of all.
 *
 * After a failure: the store, *revision and *outcome are as they were. Threads: any thread, any time. Cost:
 * O(log r + size), one allocation. Contract: section 8.
 */
TVD_API TVD_MUST_USE tvd_status tvd_result_aggregator_store_result(
    tvd_result_aggregator *aggregator, uint64_t *revision, const tvd_completion_receipt *receipt,
    const void *bytes, size_t size, tvd_store_outcome *outcome, tvd_error *error);

/**
 * Copies several results in the order asked for.
 *
 * @param aggregator The store.
 * @param task_ids The tasks, each once. May be null if count is 0.
 * @param count Elements of task_ids. 0 gives an empty aggregate.
 * @param aggregate Receives the copies, to be freed with tvd_aggregate_free().
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (aggregator, task_ids with a count, aggregate): null.
 * - TVD_ERROR_AGGREGATE_ITEM_LIMIT_EXCEEDED: count is over 65536, then over max_aggregate_items. No ID was
 *   looked at.
 * - TVD_ERROR_INVALID_TASK (task_id_invalid): any of the IDs is null or no valid identifier.
 * - TVD_ERROR_DUPLICATE_AGGREGATE_TASK, TVD_ERROR_MISSING_RESULT, TVD_ERROR_AGGREGATE_BYTES_EXCEEDED: for the
 *   first ID in the order asked for that was asked for before, is not stored, or brings the bytes over
 *   max_aggregate_bytes.
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator returned null. The last check of all.
 *
 * After a failure: *aggregate is as it was. Threads: any thread, any time. Cost: O(count log r + bytes), one
 * allocation, outside the mutex. Contract: section 8.
 */
TVD_API TVD_MUST_USE tvd_status tvd_result_aggregator_aggregate_results(tvd_result_aggregator *aggregator,
                                                                        const char *const *task_ids,
                                                                        size_t count, tvd_aggregate **aggregate,
                                                                        tvd_error *error);

/**
 * Copies one result.
 *
 * @param aggregator The store.
 * @param task_id The task.
 * @param result Receives the copy, to be freed with tvd_result_free(), or null if nothing is stored for the
 *     task.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (aggregator, task_id, result): null.
 * - TVD_ERROR_INVALID_TASK (task_id_invalid): task_id is no valid identifier.
 * - TVD_ERROR_OUT_OF_MEMORY: the allocator returned null. The last check of all.
 *
 * After a failure: *result is as it was. Threads: any thread, any time. Cost: O(log r + bytes), one
 * allocation, outside the mutex. Contract: section 8.
 */
TVD_API TVD_MUST_USE tvd_status tvd_result_aggregator_get_result(tvd_result_aggregator *aggregator,
                                                                 const char *task_id, tvd_result **result,
                                                                 tvd_error *error);

/**
 * Reads the revision of a store: accepted results so far.
 *
 * @param aggregator The store. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 8.
 */
TVD_API uint64_t tvd_result_aggregator_revision(tvd_result_aggregator *aggregator);

/**
 * Reads how many results are stored.
 *
 * @param aggregator The store. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 8.
 */
TVD_API uint64_t tvd_result_aggregator_result_count(tvd_result_aggregator *aggregator);

/**
 * Reads how many bytes all stored results have.
 *
 * @param aggregator The store. May be null.
 * @return The value; 0 for null.
 *
 * Threads: any thread, any time. Cost: O(1). Contract: section 8.
 */
TVD_API uint64_t tvd_result_aggregator_total_bytes(tvd_result_aggregator *aggregator);

/**
 * Reads how much memory a store retains now: the bytes asked of the allocator, without the copies that
 * callers own.
 *
 * @param aggregator The store. May be null.
 * @return The bytes; 0 for null.
 *
 * Threads: any thread, any time. Cost: O(1).
 */
TVD_API uint64_t tvd_result_aggregator_retained_bytes(tvd_result_aggregator *aggregator);

/**
 * Checks every invariant of a store and of the structures that hold it. It can only fail after the memory was
 * damaged.
 *
 * @param aggregator The store.
 * @param error Filled on failure only. May be null.
 * @return TVD_OK or one of the errors below.
 *
 * Errors, in the order in which they are checked:
 * - TVD_ERROR_INVALID_ARGUMENT (aggregator): null.
 * - TVD_ERROR_STATE_INVARIANT: detail says which.
 *
 * After a failure: nothing has changed. Threads: any thread, any time. Cost: O(r log r), with the mutex held.
 * Contract: section 9.
 */
TVD_API TVD_MUST_USE tvd_status tvd_result_aggregator_check_invariants(tvd_result_aggregator *aggregator,
                                                                       tvd_error *error);

/**
 * Gives the bytes of a result.
 *
 * @param result The result. May be null.
 * @return A pointer that lives as long as the result; never null for a result, also an empty one. Null for
 *     null.
 *
 * Threads: any thread that may read the object. Cost: O(1).
 */
TVD_API const void *tvd_result_bytes(const tvd_result *result);

/**
 * Gives the size of a result in bytes.
 *
 * @param result The result. May be null.
 * @return The size; 0 for null.
 *
 * Threads: any thread that may read the object. Cost: O(1).
 */
TVD_API size_t tvd_result_size(const tvd_result *result);

/**
 * Frees a result.
 *
 * @param result The result. May be null: nothing happens.
 *
 * Threads: any thread, once; also after the aggregator is gone. Cost: O(1).
 */
TVD_API void tvd_result_free(tvd_result *result);

/**
 * Gives how many items an aggregate has.
 *
 * @param aggregate The aggregate. May be null.
 * @return The count; 0 for null.
 *
 * Threads: any thread that may read the object. Cost: O(1).
 */
TVD_API size_t tvd_aggregate_count(const tvd_aggregate *aggregate);

/**
 * Gives the task ID of an item.
 *
 * @param aggregate The aggregate. May be null.
 * @param index The item, from 0, in the order asked for.
 * @return A pointer that lives as long as the aggregate; "" for null or an index past the end.
 *
 * Threads: any thread that may read the object. Cost: O(1).
 */
TVD_API const char *tvd_aggregate_task_id(const tvd_aggregate *aggregate, size_t index);

/**
 * Gives the bytes of an item.
 *
 * @param aggregate The aggregate. May be null.
 * @param index The item, from 0, in the order asked for.
 * @return A pointer that lives as long as the aggregate; never null for an item, also an empty one. Null for
 *     null or an index past the end.
 *
 * Threads: any thread that may read the object. Cost: O(1).
 */
TVD_API const void *tvd_aggregate_bytes(const tvd_aggregate *aggregate, size_t index);

/**
 * Gives the size of an item in bytes.
 *
 * @param aggregate The aggregate. May be null.
 * @param index The item, from 0, in the order asked for.
 * @return The size; 0 for null or an index past the end.
 *
 * Threads: any thread that may read the object. Cost: O(1).
 */
TVD_API size_t tvd_aggregate_size(const tvd_aggregate *aggregate, size_t index);

/**
 * Frees an aggregate.
 *
 * @param aggregate The aggregate. May be null: nothing happens.
 *
 * Threads: any thread, once; also after the aggregator is gone. Cost: O(1).
 */
TVD_API void tvd_aggregate_free(tvd_aggregate *aggregate);

#ifdef __cplusplus
}
#endif

#endif
