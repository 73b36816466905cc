/*
 * The commands as any thread may send them: under the revision of the moment, and again if another thread's command was
 * accepted in between. So what a command_ function returns is never TVD_ERROR_REVISION_CONFLICT.
 */
#ifndef FILE_SCAN_COMMANDS_H
#define FILE_SCAN_COMMANDS_H

#include "batch.h"
#include "count.h"

tvd_status command_assign(struct batch *batch, const char *worker_id, tvd_task_lease *lease, tvd_error *error);
tvd_status command_start(struct batch *batch, const tvd_task_lease *lease, tvd_error *error);
tvd_status command_complete(struct batch *batch, const tvd_task_lease *lease, tvd_completion_outcome *outcome,
                            tvd_error *error);
tvd_status command_fail(struct batch *batch, const tvd_task_lease *lease, tvd_failure_outcome *outcome,
                        tvd_error *error);
tvd_status command_heartbeat(struct batch *batch, const char *worker_id, uint64_t generation, tvd_error *error);
tvd_status command_reactivate(struct batch *batch, const char *worker_id, uint64_t generation,
                              tvd_worker *worker, tvd_error *error);
tvd_status command_prune(struct batch *batch, tvd_recovery_summary *summary, tvd_error *error);
tvd_status command_recover(struct batch *batch, tvd_recovery_summary *summary, tvd_error *error);
tvd_status command_store(struct batch *batch, const tvd_completion_receipt *receipt,
                         const struct counts *counts, tvd_error *error);

/*
 * Reads, which expect no revision. Records are kept as long as their coordinator, so that one that is not there is an
 * error here.
 */
tvd_status read_task(struct batch *batch, const char *task_id, tvd_task *task, tvd_error *error);
tvd_status read_worker(struct batch *batch, const char *worker_id, tvd_worker *worker, tvd_error *error);

#endif
