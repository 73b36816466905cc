/*
 * Writes what the library answered in the syntax of the traces, so that recorded and actual outcomes are
 * compared as texts: whatever differs in any field differs there.
 */
#ifndef CONFORMANCE_OUTCOME_H
#define CONFORMANCE_OUTCOME_H

#include "trace_text.h"

#include <termivar/distributed.h>

/* " key=number", the form of every numeric field. */
void outcome_number(byte_buffer *out, const char *key, uint64_t number);

void outcome_task(byte_buffer *out, const tvd_task *task);
void outcome_worker(byte_buffer *out, const tvd_worker *worker);
void outcome_lease(byte_buffer *out, const tvd_task_lease *lease);
void outcome_receipt(byte_buffer *out, const tvd_completion_receipt *receipt);
void outcome_recovery(byte_buffer *out, const tvd_recovery_summary *summary);
void outcome_snapshot(byte_buffer *out, const tvd_state_snapshot *snapshot);
void outcome_aggregate(byte_buffer *out, const tvd_aggregate *aggregate);

/* The whole line: "= error KIND field=value ...". */
void outcome_error(byte_buffer *out, const tvd_error *error);

/* Whether every member that this kind of error does not have is 0, as the header promises. */
bool outcome_error_is_exact(const tvd_error *error);

#endif
