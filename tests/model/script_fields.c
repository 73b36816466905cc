/* The fields of which lines are made, and the names of operations and tokens. */
#include "script_fields.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *script_op_name(operation op)
{
    static const char *const names[OP_COUNT] = {
        [OP_TRY_LIMITS] = "try_limits",
        [OP_TRY_RESULT_LIMITS] = "try_result_limits",
        [OP_REGISTER_WORKER] = "register_worker",
        [OP_REACTIVATE_WORKER] = "reactivate_worker",
        [OP_UPDATE_WORKER] = "update_worker",
        [OP_GET_AVAILABLE_WORKER] = "get_available_worker",
        [OP_GET_WORKER] = "get_worker",
        [OP_WORKERS] = "workers",
        [OP_ENQUEUE] = "enqueue",
        [OP_ASSIGN_TASK] = "assign_task",
        [OP_ASSIGN_NEXT] = "assign_next",
        [OP_ASSIGN_NEXT_AVAILABLE] = "assign_next_available",
        [OP_START_TASK] = "start_task",
        [OP_COMPLETE_TASK] = "complete_task",
        [OP_FAIL_TASK] = "fail_task",
        [OP_CANCEL_TASK] = "cancel_task",
        [OP_DEREGISTER_WORKER] = "deregister_worker",
        [OP_RECOVER_EXPIRED_LEASES] = "recover_expired_leases",
        [OP_PRUNE_DEAD_WORKERS] = "prune_dead_workers",
        [OP_EXPIRE_OLD_TASKS] = "expire_old_tasks",
        [OP_GET_TASK] = "get_task",
        [OP_PEEK_NEXT] = "peek_next",
        [OP_OWNERSHIP] = "ownership",
        [OP_TASKS] = "tasks",
        [OP_SNAPSHOT] = "snapshot",
        [OP_NEXT_DUE] = "next_due",
        [OP_STORE_RESULT] = "store_result",
        [OP_AGGREGATE_RESULTS] = "aggregate_results",
        [OP_GET_RESULT] = "get_result",
    };
    return names[op];
}

void script_writer_free(script_writer *w)
{
    free(w->owners);
    free(w->receipts);
}

bool script_changes_state(operation op)
{
    switch (op) {
    case OP_TRY_LIMITS:
    case OP_TRY_RESULT_LIMITS:
    case OP_GET_AVAILABLE_WORKER:
    case OP_GET_WORKER:
    case OP_WORKERS:
    case OP_GET_TASK:
    case OP_PEEK_NEXT:
    case OP_OWNERSHIP:
    case OP_TASKS:
    case OP_SNAPSHOT:
    case OP_NEXT_DUE:
    case OP_AGGREGATE_RESULTS:
    case OP_GET_RESULT:
        return false;
    default:
        return true;
    }
}

void script_put(script_writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(w->file, format, arguments);
    va_end(arguments);
}

void script_put_number(script_writer *w, const char *key, uint64_t value)
{
    script_put(w, " %s=%" PRIu64, key, value);
}

void script_put_optional(script_writer *w, const char *key, bool present, uint64_t value)
{
    if (present)
        script_put_number(w, key, value);
    else
        script_put(w, " %s=-", key);
}

void script_put_bytes(script_writer *w, const char *key, const void *value, size_t size)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:/@";
    const unsigned char *bytes = value;
    script_put(w, " %s=", key);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\0' && strchr(plain, bytes[i]) != NULL)
            fputc(bytes[i], w->file);
        else
            script_put(w, "%%%02X", bytes[i]);
    }
}

void script_put_text(script_writer *w, const char *key, const char *value)
{
    script_put_bytes(w, key, value, strlen(value));
}

void script_put_hex(script_writer *w, const unsigned char *bytes, size_t size)
{
    script_put(w, " bytes=");
    for (size_t i = 0; i < size; i++)
        script_put(w, "%02x", bytes[i]);
}

void script_put_list(script_writer *w, const char *key, const uint8_t *values, size_t count)
{
    script_put(w, " %s=%s", key, count == 0 ? "-" : "");
    for (size_t i = 0; i < count; i++)
        script_put(w, "%s%u", i > 0 ? "," : "", values[i]);
}

void script_put_tags(script_writer *w, uint32_t tags)
{
    static const char *const names[] = { "linux", "windows", "gpu", "internal", "external" };
    script_put(w, " tags=%s", tags == 0 ? "-" : "");
    bool first = true;
    for (unsigned i = 0; i < 5; i++) {
        if ((tags & (1u << i)) == 0)
            continue;
        script_put(w, "%s%s", first ? "" : ",", names[i]);
        first = false;
    }
}

void script_put_loads(script_writer *w, uint32_t cpu, uint32_t memory, uint32_t network)
{
    script_put_number(w, "cpu", cpu);
    script_put_number(w, "memory", memory);
    script_put_number(w, "network", network);
}

void script_new_name(script_writer *w, const char *key, char kind, uint32_t serial)
{
    uint32_t **names = kind == 'R' ? &w->receipts : &w->owners;
    size_t *count = kind == 'R' ? &w->receipt_count : &w->owner_count;
    uint32_t *grown = realloc(*names, (*count + 1) * sizeof *grown);
    if (grown == NULL)
        abort();
    *names = grown;
    (*names)[(*count)++] = serial;
    script_put(w, " %s=%c%zu", key, kind, *count - 1);
}
