/*
 * The second half of the reader: which kind of value each key has, and where it goes. A key means the same in
 * every command.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef bool value_decoder(text value, trace_arguments *arguments, size_t offset);

typedef struct key {
    const char *name;
    value_decoder *decode;
    size_t offset; /* Of what it sets in trace_arguments. */
} key;

typedef struct name_value {
    const char *name;
    uint32_t value;
} name_value;

/* The names are written out here, so that the library's own name functions are not trusted to read what they
 * are compared with. */
static const name_value priorities[] = { { "low", TVD_TASK_PRIORITY_LOW },
                                         { "normal", TVD_TASK_PRIORITY_NORMAL },
                                         { "high", TVD_TASK_PRIORITY_HIGH },
                                         { "critical", TVD_TASK_PRIORITY_CRITICAL },
                                         { NULL, 0 } };
static const name_value statuses[] = { { "healthy", TVD_WORKER_STATUS_HEALTHY },
                                       { "busy", TVD_WORKER_STATUS_BUSY },
                                       { "degraded", TVD_WORKER_STATUS_DEGRADED },
                                       { "offline", TVD_WORKER_STATUS_OFFLINE },
                                       { NULL, 0 } };
static const name_value tags[] = {
    { "linux", TVD_WORKER_TAG_LINUX },       { "windows", TVD_WORKER_TAG_WINDOWS },
    { "gpu", TVD_WORKER_TAG_GPU },           { "internal", TVD_WORKER_TAG_INTERNAL },
    { "external", TVD_WORKER_TAG_EXTERNAL }, { NULL, 0 }
};

static const name_value *find_name(const name_value *names, text name)
{
    while (names->name && !text_is(name, names->name))
        names++;
    return names->name ? names : NULL;
}

static void store(trace_arguments *arguments, size_t offset, const void *value, size_t size)
{
    memcpy((char *)arguments + offset, value, size);
}

static bool decode_u64(text value, trace_arguments *arguments, size_t offset)
{
    uint64_t number;

    if (!text_to_u64(value, &number))
        return false;
    store(arguments, offset, &number, sizeof number);
    return true;
}

static bool decode_u32(text value, trace_arguments *arguments, size_t offset)
{
    uint64_t number;

    if (!text_to_u64(value, &number) || number > UINT32_MAX)
        return false;
    uint32_t narrow = (uint32_t)number;
    store(arguments, offset, &narrow, sizeof narrow);
    return true;
}

/* The name of a token: its letter and its number. */
static bool decode_token(text value, char letter, trace_arguments *arguments, size_t offset)
{
    if (value.size == 0 || value.bytes[0] != letter)
        return false;
    return decode_u64((text){ value.bytes + 1, value.size - 1 }, arguments, offset);
}

static bool decode_ownership(text value, trace_arguments *arguments, size_t offset)
{
    return decode_token(value, 'O', arguments, offset);
}

static bool decode_receipt(text value, trace_arguments *arguments, size_t offset)
{
    return decode_token(value, 'R', arguments, offset);
}

/*
 * An identifier becomes a C string, and that cannot hold the byte 0. Another byte outside the alphabet stands in
 * for it, one for one: the answer to a bad identifier depends on its length and on whether all its bytes are
 * allowed, and never shows them.
 */
static const char *decode_string(text value, trace_arguments *arguments)
{
    byte_buffer *strings = &arguments->strings;
    size_t start = strings->size;

    if (!text_unescape(value, strings))
        return NULL;
    for (size_t i = start; i < strings->size; i++) {
        if (strings->bytes[i] == '\0')
            strings->bytes[i] = '\x01';
    }
    buffer_append(strings, "", 1);
    return strings->bytes + start;
}

static bool decode_identifier(text value, trace_arguments *arguments, size_t offset)
{
    const char *string = decode_string(value, arguments);

    store(arguments, offset, &string, sizeof string);
    return string != NULL;
}

static bool decode_item(text value, trace_arguments *arguments, size_t offset)
{
    const char *string = decode_string(value, arguments);

    (void)offset;
    if (arguments->item_count == arguments->item_capacity) {
        size_t capacity = 2 * arguments->item_capacity + 16;
        const char **items = realloc(arguments->items, capacity * sizeof *items);
        if (!items)
            return false;
        arguments->items = items;
        arguments->item_capacity = capacity;
    }
    arguments->items[arguments->item_count++] = string;
    return string != NULL;
}

/* Stores the bytes that were decoded from start on. */
static void store_decoded(trace_arguments *arguments, size_t offset, size_t start)
{
    text decoded = { arguments->strings.bytes + start, arguments->strings.size - start };

    store(arguments, offset, &decoded, sizeof decoded);
}

static bool decode_bytes(text value, trace_arguments *arguments, size_t offset)
{
    size_t start = arguments->strings.size;
    bool valid = text_unescape(value, &arguments->strings);

    store_decoded(arguments, offset, start);
    return valid;
}

static bool decode_hex(text value, trace_arguments *arguments, size_t offset)
{
    size_t start = arguments->strings.size;
    bool valid = text_unhex(value, &arguments->strings);

    store_decoded(arguments, offset, start);
    return valid;
}

static bool decode_phases(text value, trace_arguments *arguments, size_t offset)
{
    size_t start = arguments->strings.size;
    bool more = !text_is(value, "-");

    while (more) {
        uint64_t number;
        text item = text_take_until(&value, ',');
        if (!text_to_u64(item, &number) || number > UINT8_MAX)
            return false;
        unsigned char phase = (unsigned char)number;
        buffer_append(&arguments->strings, &phase, 1);
        more = value.bytes != NULL;
    }
    store_decoded(arguments, offset, start);
    return true;
}

static bool decode_tags(text value, trace_arguments *arguments, size_t offset)
{
    uint32_t set = 0;
    bool more = !text_is(value, "-");

    while (more) {
        const name_value *tag = find_name(tags, text_take_until(&value, ','));
        if (!tag || (set & tag->value) != 0)
            return false;
        set |= tag->value;
        more = value.bytes != NULL;
    }
    store(arguments, offset, &set, sizeof set);
    return true;
}

static bool decode_priority(text value, trace_arguments *arguments, size_t offset)
{
    const name_value *found = find_name(priorities, value);

    (void)offset;
    if (found)
        arguments->priority = (tvd_task_priority)found->value;
    return found != NULL;
}

static bool decode_status(text value, trace_arguments *arguments, size_t offset)
{
    const name_value *found = find_name(statuses, value);

    (void)offset;
    if (found)
        arguments->status = (tvd_worker_status)found->value;
    return found != NULL;
}

static const key keys[] = {
    { "rev", decode_u64, offsetof(trace_arguments, rev) },
    { "now", decode_u64, offsetof(trace_arguments, now) },
    { "generation", decode_u64, offsetof(trace_arguments, generation) },
    { "ttl", decode_u64, offsetof(trace_arguments, ttl) },
    { "count", decode_u64, offsetof(trace_arguments, count) },
    { "pool", decode_u64, offsetof(trace_arguments, pool) },
    { "lease", decode_ownership, offsetof(trace_arguments, ownership) },
    { "ownership", decode_ownership, offsetof(trace_arguments, ownership) },
    { "receipt", decode_receipt, offsetof(trace_arguments, receipt) },
    { "capacity", decode_u32, offsetof(trace_arguments, capacity) },
    { "cpu", decode_u32, offsetof(trace_arguments, cpu) },
    { "memory", decode_u32, offsetof(trace_arguments, memory) },
    { "network", decode_u32, offsetof(trace_arguments, network) },
    { "tags", decode_tags, offsetof(trace_arguments, tags) },
    { "task", decode_identifier, offsetof(trace_arguments, task) },
    { "task*", decode_item, 0 },
    { "scan", decode_identifier, offsetof(trace_arguments, scan) },
    { "worker", decode_identifier, offsetof(trace_arguments, worker) },
    { "target", decode_bytes, offsetof(trace_arguments, target) },
    { "phases", decode_phases, offsetof(trace_arguments, phases) },
    { "bytes", decode_hex, offsetof(trace_arguments, bytes) },
    { "priority", decode_priority, 0 },
    { "status", decode_status, 0 },
    { "max_task_records", decode_u64, offsetof(trace_arguments, limits.max_task_records) },
    { "max_active_tasks", decode_u64, offsetof(trace_arguments, limits.max_active_tasks) },
    { "max_queued_tasks", decode_u64, offsetof(trace_arguments, limits.max_queued_tasks) },
    { "max_terminal_tasks", decode_u64, offsetof(trace_arguments, limits.max_terminal_tasks) },
    { "max_workers", decode_u64, offsetof(trace_arguments, limits.max_workers) },
    { "max_retries", decode_u32, offsetof(trace_arguments, limits.max_retries) },
    { "max_lease_ttl_secs", decode_u64, offsetof(trace_arguments, limits.max_lease_ttl_secs) },
    { "max_task_ttl_secs", decode_u64, offsetof(trace_arguments, limits.max_task_ttl_secs) },
    { "heartbeat_timeout_secs", decode_u64, offsetof(trace_arguments, limits.heartbeat_timeout_secs) },
    { "max_results", decode_u64, offsetof(trace_arguments, result_limits.max_results) },
    { "max_result_bytes", decode_u64, offsetof(trace_arguments, result_limits.max_result_bytes) },
    { "max_total_bytes", decode_u64, offsetof(trace_arguments, result_limits.max_total_bytes) },
    { "max_aggregate_items", decode_u64, offsetof(trace_arguments, result_limits.max_aggregate_items) },
    { "max_aggregate_bytes", decode_u64, offsetof(trace_arguments, result_limits.max_aggregate_bytes) },
};

static const key *find_key(text name)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (text_is(name, keys[i].name))
            return &keys[i];
    }
    return NULL;
}

/* Finds a field's name among the keys of a command: its place there, and its name with the star if it has one. */
static bool find_place(const char *wanted_keys, text name, unsigned *place, text *full_name)
{
    text rest = text_of(wanted_keys);

    for (*place = 0; rest.size > 0; ++*place) {
        *full_name = text_take_until(&rest, ' ');
        text plain = *full_name;
        plain.size -= plain.bytes[plain.size - 1] == '*';
        if (text_equals(plain, name))
            return true;
    }
    return false;
}

/* The places of the keys that must be there, as bits. */
static uint64_t required_places(const char *wanted_keys)
{
    uint64_t places = 0;
    text rest = text_of(wanted_keys);

    for (unsigned place = 0; rest.size > 0; place++) {
        text name = text_take_until(&rest, ' ');
        if (name.bytes[name.size - 1] != '*')
            places |= UINT64_C(1) << place;
    }
    return places;
}

static bool decode_field(const trace_step *step, text field, const char *wanted_keys, uint64_t *seen,
                         trace_arguments *arguments, trace_fault *fault)
{
    text value = field;
    text name = text_take_until(&value, '=');
    text full_name;
    unsigned place;

    if (name.size == field.size)
        return trace_fail(fault, step->line.number, "a field that is no key=value", field);
    if (!find_place(wanted_keys, name, &place, &full_name))
        return trace_fail(fault, step->line.number, "a field that this command has not", field);

    bool repeatable = full_name.size > name.size;
    uint64_t bit = UINT64_C(1) << place;
    if ((*seen & bit) != 0 && !repeatable)
        return trace_fail(fault, step->line.number, "a repeated field", field);
    *seen |= bit;

    const key *found = find_key(full_name);
    if (!found || !found->decode(value, arguments, found->offset))
        return trace_fail(fault, step->line.number, "a bad value", field);
    return true;
}

bool trace_decode(const trace_step *step, const char *wanted_keys, trace_arguments *arguments,
                  trace_fault *fault)
{
    uint64_t required = required_places(wanted_keys);
    uint64_t seen = 0;
    text rest = step->fields;
    bool more = step->has_fields;

    /* A value is never longer decoded than written, and the "=" pays for its NUL: with this the strings stay
     * where they are. */
    buffer_clear(&arguments->strings);
    buffer_reserve(&arguments->strings, step->line.text.size + 1);
    arguments->item_count = 0;

    while (more) {
        text field = text_take_until(&rest, ' ');
        more = rest.bytes != NULL;
        if (!decode_field(step, field, wanted_keys, &seen, arguments, fault))
            return false;
    }
    if ((seen & required) != required)
        return trace_fail(fault, step->line.number, "a field is missing", step->line.text);
    if (strchr(wanted_keys, '*') && arguments->count != arguments->item_count)
        return trace_fail(fault, step->line.number, "count is not the number of items", step->line.text);
    return true;
}

void trace_arguments_free(trace_arguments *arguments)
{
    buffer_free(&arguments->strings);
    free(arguments->items);
    *arguments = (trace_arguments){ 0 };
}
