/*
 * The worker record: one allocation with its ID behind it; its load, and its rank among those that may be chosen.
 *
 *   by_id           always attached: the coordinator's workers_by_id
 *   by_preference   attached while healthy with a free slot: the coordinator's workers_by_preference
 *   heartbeat_link  attached unless offline: the coordinator's workers_by_heartbeat
 *   leases          its leased and running tasks, through their worker_link, in lease-ID order
 */
#ifndef TVD_WORKER_H
#define TVD_WORKER_H

#include "ids.h"
#include "list.h"
#include "ordered_map.h"
#include "termivar/distributed.h"

struct tvd_worker_record {
    struct tvd_map_node by_id;
    struct tvd_map_node by_preference;
    struct tvd_link heartbeat_link;
    struct tvd_list leases;

    uint64_t generation;
    uint64_t completed_tasks;
    uint64_t last_heartbeat_secs;
    uint64_t
        newest_heartbeat_secs; /* the latest among this worker and those below it in workers_by_preference */
    uint64_t affected_at_revision; /* the last recovery command that counted it */
    uint64_t load_order;           /* the three loads as one number: CPU, then memory, then network */
    uint32_t capacity;
    uint32_t effective_capacity;
    uint32_t current_tasks;
    uint32_t cpu_basis_points;
    uint32_t memory_basis_points;
    uint32_t network_basis_points;
    uint32_t tags;
    uint16_t worker_id_size;
    uint8_t status;

    char worker_id[]; /* with its padding */
};

static inline struct tvd_worker_record *tvd_worker_from_id_node(const struct tvd_map_node *node)
{
    return (struct tvd_worker_record *)((uintptr_t)node - offsetof(struct tvd_worker_record, by_id));
}

static inline struct tvd_worker_record *tvd_worker_from_preference_node(const struct tvd_map_node *node)
{
    return (struct tvd_worker_record *)((uintptr_t)node - offsetof(struct tvd_worker_record, by_preference));
}

static inline struct tvd_worker_record *tvd_worker_from_heartbeat_link(const struct tvd_link *link)
{
    return (struct tvd_worker_record *)((uintptr_t)link - offsetof(struct tvd_worker_record, heartbeat_link));
}

static inline uint32_t tvd_worker_available_slots(const struct tvd_worker_record *worker)
{
    return worker->effective_capacity > worker->current_tasks
               ? worker->effective_capacity - worker->current_tasks
               : 0;
}

/* Whether a heartbeat of that second is too old at now. */
static inline bool tvd_heartbeat_is_stale(uint64_t heartbeat_secs, uint64_t now_secs, uint64_t timeout_secs)
{
    return now_secs > heartbeat_secs && now_secs - heartbeat_secs > timeout_secs;
}

/* What is left of the capacity under the highest of the loads, rounded up; nothing unless healthy. */
uint32_t tvd_worker_effective_capacity(const struct tvd_worker_record *worker);

/* The order of workers that differ in nothing but their loads, the smallest first. */
uint64_t tvd_worker_load_order(const struct tvd_worker_record *worker);

enum {
    TVD_KNOWN_TAGS = TVD_WORKER_TAG_LINUX | TVD_WORKER_TAG_WINDOWS | TVD_WORKER_TAG_GPU |
                     TVD_WORKER_TAG_INTERNAL | TVD_WORKER_TAG_EXTERNAL
};

/* Refuse null members, then every other fault, in the contract's order; the first reads the worker ID. */
tvd_status tvd_worker_check_spec(const tvd_worker_spec *spec, struct tvd_id *worker_id, tvd_error *error);
tvd_status tvd_worker_check_observation(const tvd_worker_observation *observation, tvd_error *error);

size_t tvd_worker_record_size(size_t worker_id_size);

/* Fills a new record that is not yet admitted: generation 0, no links. */
void tvd_worker_init(struct tvd_worker_record *worker, const struct tvd_id *worker_id);

/* What only these two commands give a worker; the caller puts it where its rank says afterwards. */
void tvd_worker_take_spec(struct tvd_worker_record *worker, const tvd_worker_spec *spec);
void tvd_worker_take_observation(struct tvd_worker_record *worker, const tvd_worker_observation *observation);
void tvd_worker_take_offline(struct tvd_worker_record *worker);

/* Comparisons of the two maps: the key is a struct tvd_id, and a worker record. */
static inline int tvd_worker_compare_id(const void *key, const struct tvd_map_node *node)
{
    const struct tvd_id *id = key;

    return tvd_id_compare(id->bytes, id->size, tvd_worker_from_id_node(node)->worker_id);
}

static inline int tvd_worker_compare_preference(const void *key, const struct tvd_map_node *node)
{
    const struct tvd_worker_record *one = key;
    const struct tvd_worker_record *other = tvd_worker_from_preference_node(node);
    uint32_t slots_of_one =
        one->effective_capacity - one->current_tasks; /* whoever is ranked has a free slot */
    uint32_t slots_of_other = other->effective_capacity - other->current_tasks;

    if (slots_of_one != slots_of_other)
        return slots_of_one > slots_of_other ? -1 : 1;
    if (one->last_heartbeat_secs != other->last_heartbeat_secs)
        return one->last_heartbeat_secs > other->last_heartbeat_secs ? -1 : 1;
    if (one->load_order != other->load_order)
        return one->load_order < other->load_order ? -1 : 1;
    return tvd_id_compare(one->worker_id, one->worker_id_size, other->worker_id);
}

/* The latest heartbeat of a worker and those below it; summarise keeps it in newest_heartbeat_secs. */
uint64_t tvd_worker_newest_heartbeat(const struct tvd_worker_record *worker);
bool tvd_worker_summarise(struct tvd_map_node *node);

/* The first worker in workers_by_preference whose heartbeat is not stale, or null. O(log w). */
struct tvd_worker_record *tvd_worker_best(const struct tvd_map *by_preference, uint64_t now_secs,
                                          uint64_t timeout_secs);

void tvd_worker_report(const struct tvd_worker_record *worker, tvd_worker *report);

#endif
