/*
 * The task record: one allocation with its strings behind it, and every link that an index needs.
 *
 *   by_id           always attached: the coordinator's tasks_by_id
 *   queue_link      attached while queued: the coordinator's queue of its priority
 *   active_link     attached while active: the coordinator's active_tasks
 *   worker_link     attached while leased or running: its worker's leases
 *   by_expiry       attached while leased or running: the coordinator's leases_by_expiry
 *   batch_next      means something only within a recovery command
 *
 * The lease members stay after the lease is over. In a terminal record they are what a replay is compared with,
 * if proof says so; the generation, attempt and version of a terminal record never change again, so that nothing
 * else has to be kept. A worker record lives as long as the coordinator, so that pointing to it is safe.
 */
#ifndef TVD_TASK_H
#define TVD_TASK_H

#include "ids.h"
#include "list.h"
#include "ordered_map.h"
#include "termivar/distributed.h"

struct tvd_worker_record;

/* What ended a task, if saying so again is a replay. */
enum tvd_proof { TVD_PROOF_NONE, TVD_PROOF_LEASE, TVD_PROOF_FENCE };

struct tvd_task_record {
    struct tvd_map_node by_id;
    struct tvd_map_node by_expiry;
    struct tvd_link queue_link;
    struct tvd_link active_link;
    struct tvd_link worker_link;
    struct tvd_task_record *batch_next;

    /* Set at admission. */
    uint64_t created_at_secs;
    uint32_t hint; /* its place in the coordinator's tasks_by_hint */
    uint16_t task_id_size;
    uint16_t scan_id_size;
    uint16_t target_ref_size;
    uint16_t phases_count;
    uint8_t priority;

    uint8_t status; /* written by lifecycle.c alone; 0 before admission */
    uint8_t proof;
    uint32_t retry_count;
    uint32_t attempt;
    uint64_t task_generation;
    uint64_t record_version;
    uint64_t enqueue_ordinal;
    uint64_t started_at_secs;   /* while running, and afterwards if it ran */
    uint64_t completed_at_secs; /* while terminal */
    bool has_started_at;

    struct tvd_worker_record *lease_worker;
    uint64_t lease_worker_generation;
    uint64_t lease_id;
    uint64_t lease_acquired_at_secs;
    uint64_t lease_expires_at_secs;

    char text[]; /* task ID with its padding, scan ID, NUL, target reference, phases */
};

static inline struct tvd_task_record *tvd_task_from_id_node(const struct tvd_map_node *node)
{
    return (struct tvd_task_record *)((uintptr_t)node - offsetof(struct tvd_task_record, by_id));
}

static inline struct tvd_task_record *tvd_task_from_expiry_node(const struct tvd_map_node *node)
{
    return (struct tvd_task_record *)((uintptr_t)node - offsetof(struct tvd_task_record, by_expiry));
}

static inline struct tvd_task_record *tvd_task_from_queue_link(const struct tvd_link *link)
{
    return (struct tvd_task_record *)((uintptr_t)link - offsetof(struct tvd_task_record, queue_link));
}

static inline struct tvd_task_record *tvd_task_from_active_link(const struct tvd_link *link)
{
    return (struct tvd_task_record *)((uintptr_t)link - offsetof(struct tvd_task_record, active_link));
}

static inline struct tvd_task_record *tvd_task_from_worker_link(const struct tvd_link *link)
{
    return (struct tvd_task_record *)((uintptr_t)link - offsetof(struct tvd_task_record, worker_link));
}

static inline const char *tvd_task_id(const struct tvd_task_record *task)
{
    return task->text;
}

static inline bool tvd_task_is_held(const struct tvd_task_record *task)
{
    return task->status == TVD_TASK_STATUS_LEASED || task->status == TVD_TASK_STATUS_RUNNING;
}

static inline bool tvd_task_is_active(const struct tvd_task_record *task)
{
    return task->status == TVD_TASK_STATUS_QUEUED || tvd_task_is_held(task);
}

/* The sizes of a task's variable parts, without zeros. */
struct tvd_task_sizes {
    size_t task_id;
    size_t scan_id;
    size_t target_ref;
    size_t phases;
};

/* Refuses null members, then every other fault, in the contract's order; reads the task ID and the sizes. */
tvd_status tvd_task_check_spec(const tvd_task_spec *spec, struct tvd_id *task_id, struct tvd_task_sizes *sizes,
                               tvd_error *error);

/* Bytes that a record of these parts takes. */
size_t tvd_task_record_size(const struct tvd_task_sizes *sizes);
struct tvd_task_sizes tvd_task_sizes_of(const struct tvd_task_record *task);

/* Fills a new record that is not yet admitted: no status, no links. */
void tvd_task_init(struct tvd_task_record *task, const tvd_task_spec *spec, const struct tvd_id *task_id,
                   const struct tvd_task_sizes *sizes);

/* Comparisons of the two maps: the key is a struct tvd_id, and a task record. */
static inline int tvd_task_compare_id(const void *key, const struct tvd_map_node *node)
{
    const struct tvd_id *id = key;

    return tvd_id_compare(id->bytes, id->size, tvd_task_id(tvd_task_from_id_node(node)));
}

static inline int tvd_task_compare_expiry(const void *key, const struct tvd_map_node *node)
{
    const struct tvd_task_record *one = key;
    const struct tvd_task_record *other = tvd_task_from_expiry_node(node);

    if (one->lease_expires_at_secs != other->lease_expires_at_secs)
        return one->lease_expires_at_secs < other->lease_expires_at_secs ? -1 : 1;
    return (one->lease_id > other->lease_id) - (one->lease_id < other->lease_id);
}

/* Fill the caller's storage from a record. */
void tvd_task_report(const struct tvd_task_record *task, tvd_task *report);
void tvd_task_make_lease(const struct tvd_task_record *task, tvd_task_lease *lease);
void tvd_task_make_receipt(const struct tvd_task_record *task, tvd_completion_receipt *receipt);

/* Compare the record's lease, current or kept as proof, with a token of the same task: in all eight parts, or in the
 * six that a receipt has. */
bool tvd_task_lease_is(const struct tvd_task_record *task, const tvd_task_lease *lease);
bool tvd_task_receipt_matches(const struct tvd_task_record *task, const tvd_task_lease *lease);

#endif
