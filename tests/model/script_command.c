/* Writes commands and the setup lines in the trace format, and says which commands the format can hold. */
#include "script_fields.h"

#include <string.h>

void script_write_limits(script_writer *w, const tvd_limits *l)
{
    script_put_number(w, "max_task_records", l->max_task_records);
    script_put_number(w, "max_active_tasks", l->max_active_tasks);
    script_put_number(w, "max_queued_tasks", l->max_queued_tasks);
    script_put_number(w, "max_terminal_tasks", l->max_terminal_tasks);
    script_put_number(w, "max_workers", l->max_workers);
    script_put_number(w, "max_retries", l->max_retries);
    script_put_number(w, "max_lease_ttl_secs", l->max_lease_ttl_secs);
    script_put_number(w, "max_task_ttl_secs", l->max_task_ttl_secs);
    script_put_number(w, "heartbeat_timeout_secs", l->heartbeat_timeout_secs);
}

void script_write_result_limits(script_writer *w, const tvd_result_limits *l)
{
    script_put_number(w, "max_results", l->max_results);
    script_put_number(w, "max_result_bytes", l->max_result_bytes);
    script_put_number(w, "max_total_bytes", l->max_total_bytes);
    script_put_number(w, "max_aggregate_items", l->max_aggregate_items);
    script_put_number(w, "max_aggregate_bytes", l->max_aggregate_bytes);
}

void script_write_head(script_writer *w, const char *name, const session_options *options)
{
    script_put(w, "trace %s\nlimits", name);
    script_write_limits(w, &options->limits);
    script_put(w, "\nresult_limits");
    script_write_result_limits(w, &options->result_limits);
    script_put(w, "\npools count=%u\n", options->pool_count);
}

static bool output_is_optional(operation op)
{
    switch (op) {
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
    case OP_UPDATE_WORKER:
    case OP_ENQUEUE:
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
    case OP_DEREGISTER_WORKER:
    case OP_RECOVER_EXPIRED_LEASES:
    case OP_PRUNE_DEAD_WORKERS:
    case OP_EXPIRE_OLD_TASKS:
    case OP_STORE_RESULT:
        return true;
    default:
        return false;
    }
}

void script_simplify(command *c)
{
    c->nulls &= ~(unsigned)NULL_ERROR;
    if (output_is_optional(c->op))
        c->nulls &= ~(unsigned)NULL_OUTPUT;
}

static bool spec_is_expressible(const tvd_task_spec *spec)
{
    return spec->task_id != NULL && spec->scan_id != NULL && spec->target_ref_size <= 4096 &&
           (spec->target_ref != NULL || spec->target_ref_size == 0) && spec->phases_count <= 4096 &&
           (spec->phases != NULL || spec->phases_count == 0) &&
           (unsigned)spec->priority <= TVD_TASK_PRIORITY_CRITICAL;
}

static bool ids_are_expressible(const command *c)
{
    if (c->request_count > 4096 || (c->request_is_null && c->request_count > 0))
        return false;
    for (size_t i = 0; i < c->request_count; i++) {
        if (command_task_ids(c)[i] == NULL)
            return false;
    }
    return true;
}

bool script_can_express(const command *c, const outcome *expected)
{
    bool plain_token = c->token.serial != 0 && c->token.alteration == ALTERATION_NONE;
    if (c->nulls != 0 || expected->error.status == TVD_ERROR_INVALID_ARGUMENT)
        return false;
    switch (c->op) {
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
        return c->worker_spec.worker_id != NULL && c->worker_spec.tags <= 31;
    case OP_UPDATE_WORKER:
        return (unsigned)c->observation.status <= TVD_WORKER_STATUS_OFFLINE;
    case OP_ENQUEUE:
        return spec_is_expressible(&c->task_spec);
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
    case OP_CANCEL_TASK:
        return plain_token;
    case OP_STORE_RESULT:
        return plain_token && c->bytes_size <= 65536;
    case OP_AGGREGATE_RESULTS:
        return ids_are_expressible(c);
    case OP_TASKS:
    case OP_WORKERS:
    case OP_SNAPSHOT:
    case OP_NEXT_DUE:
        return false;
    default:
        return true;
    }
}

static void put_name(script_writer *w, const char *key, char kind, uint32_t serial)
{
    const uint32_t *names = kind == 'R' ? w->receipts : w->owners;
    size_t count = kind == 'R' ? w->receipt_count : w->owner_count;
    for (size_t i = 0; i < count; i++) {
        if (names[i] == serial) {
            script_put(w, " %s=%c%zu", key, kind, i);
            return;
        }
    }
    script_put(w, " %s=%c?", key, kind);
}

static void put_task_spec(script_writer *w, const tvd_task_spec *spec)
{
    script_put_text(w, "task", spec->task_id);
    script_put_text(w, "scan", spec->scan_id);
    script_put_bytes(w, "target", spec->target_ref, spec->target_ref_size);
    script_put_list(w, "phases", spec->phases, spec->phases_count);
    tvd_task_priority priority = spec->priority == 0 ? TVD_TASK_PRIORITY_NORMAL : spec->priority;
    script_put(w, " priority=%s", tvd_task_priority_name(priority));
}

static void put_worker_spec(script_writer *w, const command *c)
{
    const tvd_worker_spec *spec = &c->worker_spec;
    script_put_text(w, "worker", spec->worker_id);
    if (c->op == OP_REACTIVATE_WORKER)
        script_put_number(w, "generation", c->generation);
    script_put_number(w, "capacity", spec->capacity);
    script_put_loads(w, spec->cpu_basis_points, spec->memory_basis_points, spec->network_basis_points);
    script_put_tags(w, spec->tags);
}

static void put_observation(script_writer *w, const command *c)
{
    script_put_text(w, "worker", c->worker_id);
    script_put_number(w, "generation", c->generation);
    script_put(w, " status=%s", tvd_worker_status_name(c->observation.status));
    script_put_loads(w, c->observation.cpu_basis_points, c->observation.memory_basis_points,
                     c->observation.network_basis_points);
}

static void put_ids(script_writer *w, const command *c)
{
    script_put_number(w, "count", c->request_count);
    for (size_t i = 0; i < c->request_count; i++)
        script_put_text(w, "task", command_task_ids(c)[i]);
}

static void put_assignment(script_writer *w, const command *c)
{
    if (c->op == OP_ASSIGN_TASK)
        script_put_text(w, "task", c->task_id);
    if (c->op != OP_ASSIGN_NEXT_AVAILABLE)
        script_put_text(w, "worker", c->worker_id);
    script_put_number(w, "ttl", c->ttl);
}

void script_write_command(script_writer *w, const command *c, const outcome *expected)
{
    bool no_offer = c->op == OP_OWNERSHIP && !expected->has_ownership;
    script_put(w, "%s", script_op_name(no_offer ? OP_GET_TASK : c->op));
    if (script_changes_state(c->op))
        script_put_number(w, "rev", c->revision);
    if ((script_changes_state(c->op) && c->op != OP_STORE_RESULT) || c->op == OP_GET_AVAILABLE_WORKER)
        script_put_number(w, "now", c->now);
    switch (c->op) {
    case OP_TRY_LIMITS:
        script_write_limits(w, &c->limits);
        break;
    case OP_TRY_RESULT_LIMITS:
        script_write_result_limits(w, &c->result_limits);
        break;
    case OP_REGISTER_WORKER:
    case OP_REACTIVATE_WORKER:
        put_worker_spec(w, c);
        break;
    case OP_UPDATE_WORKER:
        put_observation(w, c);
        break;
    case OP_ENQUEUE:
        put_task_spec(w, &c->task_spec);
        break;
    case OP_ASSIGN_TASK:
    case OP_ASSIGN_NEXT:
    case OP_ASSIGN_NEXT_AVAILABLE:
        put_assignment(w, c);
        break;
    case OP_START_TASK:
    case OP_COMPLETE_TASK:
    case OP_FAIL_TASK:
        put_name(w, "lease", 'O', c->token.serial);
        break;
    case OP_CANCEL_TASK:
        put_name(w, "ownership", 'O', c->token.serial);
        break;
    case OP_DEREGISTER_WORKER:
        script_put_text(w, "worker", c->worker_id);
        script_put_number(w, "generation", c->generation);
        break;
    case OP_EXPIRE_OLD_TASKS:
        script_put_number(w, "ttl", c->ttl);
        break;
    case OP_GET_TASK:
    case OP_OWNERSHIP:
    case OP_GET_RESULT:
        script_put_text(w, "task", c->task_id);
        break;
    case OP_GET_WORKER:
        script_put_text(w, "worker", c->worker_id);
        break;
    case OP_STORE_RESULT:
        put_name(w, "receipt", 'R', c->token.serial);
        script_put_hex(w, c->bytes, c->bytes_size);
        break;
    case OP_AGGREGATE_RESULTS:
        put_ids(w, c);
        break;
    default:
        break;
    }
    script_put(w, "\n");
}
