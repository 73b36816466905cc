/*
 * A task's life: the only code that writes a task's status, and with it the lists, indexes and counts that follow
 * from the status. Nothing here can fail: the commands have checked everything before. Contract: section 1.
 */
#ifndef TVD_LIFECYCLE_H
#define TVD_LIFECYCLE_H

#include "coordinator.h"

/* A new record enters the queue. The caller has put it into tasks_by_id. */
void tvd_lifecycle_admit_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                                uint64_t now_secs);

/* A queued task is leased to a worker with a free slot. */
void tvd_lifecycle_lease_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                                struct tvd_worker_record *worker, uint64_t now_secs, uint64_t lease_ttl_secs);

/* A leased task runs. */
void tvd_lifecycle_start_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                                uint64_t now_secs);

/* A leased or running task waits in the queue again, if retries are left. */
bool tvd_lifecycle_may_retry(const struct tvd_coordinator *coordinator, const struct tvd_task_record *task);
void tvd_lifecycle_requeue_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task);

/* An active task ends; proof says what a replay is compared with. */
void tvd_lifecycle_end_locked(struct tvd_coordinator *coordinator, struct tvd_task_record *task,
                              tvd_task_status terminal, enum tvd_proof proof, uint64_t now_secs);

#endif
