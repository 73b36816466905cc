/* Comparison of outcomes, member by member: a disagreement names the member and both values. */
#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct judge {
    char *why;
    size_t size;
    const char *what;
    bool agree;
} judge;

/* The first difference is the one that is told. */
static void numbers(judge *j, const char *member, uint64_t expected, uint64_t actual)
{
    if (!j->agree || expected == actual)
        return;
    j->agree = false;
    snprintf(j->why, j->size, "%s %s: the model says %" PRIu64 ", the library %" PRIu64, j->what, member,
             expected, actual);
}

static void texts(judge *j, const char *member, const char *expected, const char *actual)
{
    if (!j->agree || strcmp(expected, actual) == 0)
        return;
    j->agree = false;
    snprintf(j->why, j->size, "%s %s: the model says \"%s\", the library \"%s\"", j->what, member, expected,
             actual);
}

static void blocks(judge *j, const char *member, const void *expected, size_t expected_size, const void *actual,
                   size_t actual_size)
{
    numbers(j, member, expected_size, actual_size);
    if (!j->agree || expected_size == 0 || memcmp(expected, actual, expected_size) == 0)
        return;
    j->agree = false;
    snprintf(j->why, j->size, "%s %s: other bytes", j->what, member);
}

static void judge_tasks(judge *j, const tvd_task *e, const tvd_task *a)
{
    texts(j, "task_id", e->task_id, a->task_id);
    texts(j, "scan_id", e->scan_id, a->scan_id);
    texts(j, "assigned_to", e->assigned_to, a->assigned_to);
    blocks(j, "target_ref", e->target_ref, e->target_ref_size, a->target_ref, a->target_ref_size);
    blocks(j, "phases", e->phases, e->phases_count, a->phases, a->phases_count);
    numbers(j, "status", e->status, a->status);
    numbers(j, "priority", e->priority, a->priority);
    numbers(j, "retry_count", e->retry_count, a->retry_count);
    numbers(j, "attempt", e->attempt, a->attempt);
    numbers(j, "task_generation", e->task_generation, a->task_generation);
    numbers(j, "record_version", e->record_version, a->record_version);
    numbers(j, "created_at_secs", e->created_at_secs, a->created_at_secs);
    numbers(j, "has_started_at", e->has_started_at, a->has_started_at);
    numbers(j, "has_completed_at", e->has_completed_at, a->has_completed_at);
    numbers(j, "started_at_secs", e->started_at_secs, a->started_at_secs);
    numbers(j, "completed_at_secs", e->completed_at_secs, a->completed_at_secs);
    numbers(j, "lease_id", e->lease_id, a->lease_id);
    numbers(j, "lease_worker_generation", e->lease_worker_generation, a->lease_worker_generation);
    numbers(j, "lease_acquired_at_secs", e->lease_acquired_at_secs, a->lease_acquired_at_secs);
    numbers(j, "lease_expires_at_secs", e->lease_expires_at_secs, a->lease_expires_at_secs);
}

static void judge_workers(judge *j, const tvd_worker *e, const tvd_worker *a)
{
    texts(j, "worker_id", e->worker_id, a->worker_id);
    numbers(j, "status", e->status, a->status);
    numbers(j, "generation", e->generation, a->generation);
    numbers(j, "completed_tasks", e->completed_tasks, a->completed_tasks);
    numbers(j, "last_heartbeat_secs", e->last_heartbeat_secs, a->last_heartbeat_secs);
    numbers(j, "capacity", e->capacity, a->capacity);
    numbers(j, "current_tasks", e->current_tasks, a->current_tasks);
    numbers(j, "effective_capacity", e->effective_capacity, a->effective_capacity);
    numbers(j, "available_slots", e->available_slots, a->available_slots);
    numbers(j, "cpu_basis_points", e->cpu_basis_points, a->cpu_basis_points);
    numbers(j, "memory_basis_points", e->memory_basis_points, a->memory_basis_points);
    numbers(j, "network_basis_points", e->network_basis_points, a->network_basis_points);
    numbers(j, "tags", e->tags, a->tags);
}

bool compare_tasks(const tvd_task *expected, const tvd_task *actual, char *why, size_t size)
{
    judge j = { why, size, "task", true };
    judge_tasks(&j, expected, actual);
    return j.agree;
}

bool compare_workers(const tvd_worker *expected, const tvd_worker *actual, char *why, size_t size)
{
    judge j = { why, size, "worker", true };
    judge_workers(&j, expected, actual);
    return j.agree;
}

static void judge_due(judge *j, const char *member, const tvd_due *e, const tvd_due *a)
{
    numbers(j, member, e->ever, a->ever);
    numbers(j, member, e->at_secs, a->at_secs);
}

static void judge_next_due(judge *j, const tvd_next_due *e, const tvd_next_due *a)
{
    judge_due(j, "lease_recovery", &e->lease_recovery, &a->lease_recovery);
    judge_due(j, "worker_pruning", &e->worker_pruning, &a->worker_pruning);
    judge_due(j, "task_expiry", &e->task_expiry, &a->task_expiry);
}

bool compare_next_due(const tvd_next_due *expected, const tvd_next_due *actual, char *why, size_t size)
{
    judge j = { why, size, "next due", true };
    judge_next_due(&j, expected, actual);
    return j.agree;
}

static void judge_errors(judge *j, const tvd_error *e, const tvd_error *a)
{
    texts(j, "status", tvd_status_name(e->status), tvd_status_name(a->status));
    numbers(j, "status", e->status, a->status);
    texts(j, "detail", tvd_detail_name(e->detail), tvd_detail_name(a->detail));
    numbers(j, "detail", e->detail, a->detail);
    numbers(j, "expected", e->expected, a->expected);
    numbers(j, "actual", e->actual, a->actual);
    numbers(j, "limit", e->limit, a->limit);
    numbers(j, "task_status", e->task_status, a->task_status);
    numbers(j, "operation", e->operation, a->operation);
    texts(j, "identifier", e->identifier, a->identifier);
}

static void judge_leases(judge *j, const model_lease *e, const model_lease *a)
{
    texts(j, "task_id", e->task_id, a->task_id);
    texts(j, "worker_id", e->worker_id, a->worker_id);
    numbers(j, "worker_generation", e->worker_generation, a->worker_generation);
    numbers(j, "task_generation", e->task_generation, a->task_generation);
    numbers(j, "attempt", e->attempt, a->attempt);
    numbers(j, "lease_id", e->lease_id, a->lease_id);
    numbers(j, "acquired_at", e->acquired_at, a->acquired_at);
    numbers(j, "expires_at", e->expires_at, a->expires_at);
}

static void judge_ownerships(judge *j, const outcome *e, const outcome *a)
{
    numbers(j, "has_ownership", e->has_ownership, a->has_ownership);
    if (!j->agree || !e->has_ownership)
        return;
    numbers(j, "ownership kind", e->ownership.kind, a->ownership.kind);
    if (e->ownership.kind == TVD_OWNERSHIP_LEASE) {
        judge_leases(j, &e->ownership.lease, &a->ownership.lease);
        return;
    }
    texts(j, "fence task_id", e->ownership.fence.task_id, a->ownership.fence.task_id);
    numbers(j, "fence task_generation", e->ownership.fence.task_generation, a->ownership.fence.task_generation);
    numbers(j, "fence record_version", e->ownership.fence.record_version, a->ownership.fence.record_version);
}

static void judge_completions(judge *j, const model_completion *e, const model_completion *a)
{
    numbers(j, "kind", e->kind, a->kind);
    texts(j, "receipt task_id", e->receipt.task_id, a->receipt.task_id);
    texts(j, "receipt worker_id", e->receipt.worker_id, a->receipt.worker_id);
    numbers(j, "receipt task_generation", e->receipt.task_generation, a->receipt.task_generation);
    numbers(j, "receipt attempt", e->receipt.attempt, a->receipt.attempt);
    numbers(j, "receipt lease_id", e->receipt.lease_id, a->receipt.lease_id);
    numbers(j, "receipt worker_generation", e->receipt.worker_generation, a->receipt.worker_generation);
    numbers(j, "receipt record_version", e->receipt.record_version, a->receipt.record_version);
}

static void judge_failures(judge *j, const tvd_failure_outcome *e, const tvd_failure_outcome *a)
{
    numbers(j, "kind", e->kind, a->kind);
    numbers(j, "retry_count", e->retry_count, a->retry_count);
    numbers(j, "task_generation", e->task_generation, a->task_generation);
    numbers(j, "record_version", e->record_version, a->record_version);
}

static void judge_recoveries(judge *j, const tvd_recovery_summary *e, const tvd_recovery_summary *a)
{
    numbers(j, "workers_affected", e->workers_affected, a->workers_affected);
    numbers(j, "tasks_requeued", e->tasks_requeued, a->tasks_requeued);
    numbers(j, "tasks_failed", e->tasks_failed, a->tasks_failed);
}

static void judge_snapshots(judge *j, const tvd_state_snapshot *e, const tvd_state_snapshot *a)
{
    numbers(j, "revision", e->revision, a->revision);
    numbers(j, "logical_time_secs", e->logical_time_secs, a->logical_time_secs);
    numbers(j, "task_records", e->task_records, a->task_records);
    numbers(j, "active_tasks", e->active_tasks, a->active_tasks);
    numbers(j, "queued_tasks", e->queued_tasks, a->queued_tasks);
    numbers(j, "terminal_tasks", e->terminal_tasks, a->terminal_tasks);
    numbers(j, "workers", e->workers, a->workers);
}

static void judge_items(judge *j, const outcome *e, const outcome *a)
{
    if (a->aggregate == NULL) {
        numbers(j, "result found", e->found, a->result != NULL);
        if (j->agree && e->found) {
            blocks(j, "bytes", e->items[0].bytes, e->items[0].size, tvd_result_bytes(a->result),
                   tvd_result_size(a->result));
            numbers(j, "bytes are not null", 1, tvd_result_bytes(a->result) != NULL);
        }
        return;
    }
    numbers(j, "aggregate count", e->count, tvd_aggregate_count(a->aggregate));
    for (size_t i = 0; j->agree && i < e->count; i++) {
        texts(j, "aggregate task_id", e->items[i].task_id, tvd_aggregate_task_id(a->aggregate, i));
        blocks(j, "aggregate bytes", e->items[i].bytes, e->items[i].size, tvd_aggregate_bytes(a->aggregate, i),
               tvd_aggregate_size(a->aggregate, i));
        numbers(j, "aggregate bytes are not null", 1, tvd_aggregate_bytes(a->aggregate, i) != NULL);
    }
}

static void judge_pages(judge *j, const outcome *e, const outcome *a)
{
    numbers(j, "page count", e->count, a->count);
    numbers(j, "page revision", e->page_revision, a->page_revision);
    for (size_t i = 0; j->agree && i < e->count; i++) {
        if (e->shape == SHAPE_TASK_PAGE)
            judge_tasks(j, &e->tasks[i], &a->tasks[i]);
        else
            judge_workers(j, &e->workers[i], &a->workers[i]);
    }
}

static void judge_contents(judge *j, const outcome *e, const outcome *a)
{
    switch (e->shape) {
    case SHAPE_NOTHING:
        break;
    case SHAPE_TASK:
        numbers(j, "found", e->found, a->found);
        if (e->found)
            judge_tasks(j, &e->task, &a->task);
        judge_ownerships(j, e, a);
        break;
    case SHAPE_WORKER:
        numbers(j, "found", e->found, a->found);
        if (e->found)
            judge_workers(j, &e->worker, &a->worker);
        break;
    case SHAPE_LEASE:
        judge_leases(j, &e->lease, &a->lease);
        break;
    case SHAPE_START:
        numbers(j, "kind", e->start.kind, a->start.kind);
        numbers(j, "record_version", e->start.record_version, a->start.record_version);
        break;
    case SHAPE_COMPLETION:
        judge_completions(j, &e->completion, &a->completion);
        break;
    case SHAPE_FAILURE:
        judge_failures(j, &e->failure, &a->failure);
        break;
    case SHAPE_CANCELLATION:
        numbers(j, "kind", e->cancellation.kind, a->cancellation.kind);
        numbers(j, "record_version", e->cancellation.record_version, a->cancellation.record_version);
        break;
    case SHAPE_RECOVERY:
        judge_recoveries(j, &e->recovery, &a->recovery);
        break;
    case SHAPE_EXPIRED:
        numbers(j, "expired", e->expired, a->expired);
        break;
    case SHAPE_STORE:
        numbers(j, "outcome", e->store, a->store);
        break;
    case SHAPE_ITEMS:
        judge_items(j, e, a);
        break;
    case SHAPE_TASK_PAGE:
    case SHAPE_WORKER_PAGE:
        judge_pages(j, e, a);
        break;
    case SHAPE_NEXT_DUE:
        judge_next_due(j, &e->next_due, &a->next_due);
        break;
    case SHAPE_SNAPSHOT:
        judge_snapshots(j, &e->snapshot, &a->snapshot);
        break;
    }
}

bool compare_outcomes(const outcome *expected, const outcome *actual, char *why, size_t size)
{
    judge j = { why, size, "outcome", true };
    judge_errors(&j, &expected->error, &actual->error);
    numbers(&j, "revision afterwards", expected->revision, actual->revision);
    if (j.agree && actual->fault != NULL) {
        j.agree = false;
        snprintf(why, size, "%s", actual->fault);
    }
    if (j.agree && expected->error.status == TVD_OK)
        judge_contents(&j, expected, actual);
    return j.agree;
}
