/*
 * Commands made of any bytes, against two coordinators and a result store with tiny limits: identifiers, specs,
 * null pointers and tokens that may be stale, of the other coordinator, damaged or garbage, and allocations that
 * fail. After each, the invariants hold, and what was not accepted has changed nothing at all.
 */
#include "../threads/dump.h"
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_STEPS = 256, PATTERN = 0xa5 };

void check_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, condition);
    abort();
}

/* --- memory ---------------------------------------------------------------------------------------------- */

static void *allocate(size_t size, void *context)
{
    memory *from = context;
    void *pointer = from->fails ? NULL : malloc(size);

    CHECK(size > 0);
    if (pointer != NULL)
        from->bytes_in_use += size;
    return pointer;
}

static void release(void *pointer, size_t size, void *context)
{
    CHECK(pointer != NULL);
    ((memory *)context)->bytes_in_use -= size;
    free(pointer);
}

/* --- the state ------------------------------------------------------------------------------------------- */

static uint64_t at_most(uint64_t number, uint64_t bound)
{
    return number < bound ? number : bound;
}

static tvd_limits read_limits(input *in)
{
    tvd_limits limits = tvd_limits_default();

    limits.max_task_records = 1u + input_byte(in) % 12u;
    limits.max_active_tasks = at_most(1u + input_byte(in) % 12u, limits.max_task_records);
    limits.max_queued_tasks = at_most(1u + input_byte(in) % 12u, limits.max_active_tasks);
    limits.max_terminal_tasks = limits.max_active_tasks;
    limits.max_terminal_tasks +=
        at_most(input_byte(in) % 12u, limits.max_task_records - limits.max_active_tasks);
    limits.max_workers = 1u + input_byte(in) % 5u;
    limits.max_retries = input_byte(in) % 4u;
    limits.max_lease_ttl_secs = 1u + input_byte(in);
    limits.max_task_ttl_secs = 1u + input_byte(in);
    limits.heartbeat_timeout_secs = 1u + input_byte(in) % 64u;
    return limits;
}

static tvd_result_limits read_result_limits(input *in)
{
    tvd_result_limits limits = { .max_results = 1u + input_byte(in) % 6u };

    limits.max_result_bytes = 1u + input_byte(in) % 32u;
    limits.max_total_bytes = limits.max_result_bytes + input_byte(in) % 64u;
    limits.max_aggregate_items = 1u + input_byte(in) % 6u;
    limits.max_aggregate_bytes = 1u + input_byte(in) % 64u;
    return limits;
}

static char *dump_of_results(const fuzz *at)
{
    static const char *const task_ids[] = { "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7" };

    return dump_results(at->results, task_ids, sizeof task_ids / sizeof task_ids[0]);
}

static void begin(fuzz *at)
{
    const tvd_allocator allocator = { allocate, release, &at->memory };
    const tvd_result_limits result_limits = read_result_limits(&at->in);

    for (size_t i = 0; i < POOLS; i++) {
        coordinator *one = &at->coordinators[i];
        const tvd_limits limits = read_limits(&at->in);

        CHECK(tvd_worker_pool_create(&limits, &allocator, &one->pool, NULL) == TVD_OK);
        one->queue = tvd_worker_pool_task_queue(one->pool);
        one->max_retained_bytes = tvd_limits_max_retained_bytes(&limits);
        one->dump = dump_coordinator(one->pool, one->queue);
        CHECK(one->dump != NULL);
    }
    CHECK(tvd_result_aggregator_create(&result_limits, &allocator, &at->results, NULL) == TVD_OK);
    at->results_dump = dump_of_results(at);
    CHECK(at->results_dump != NULL);
}

static void check_dump(char **kept, char *now, bool may_have_changed)
{
    CHECK(now != NULL);
    if (!may_have_changed && strcmp(*kept, now) != 0) {
        dump_print_difference(*kept, now);
        CHECK(strcmp(*kept, now) == 0);
    }
    free(*kept);
    *kept = now;
}

static void end(fuzz *at)
{
    for (size_t i = 0; i < POOLS; i++) {
        coordinator *one = &at->coordinators[i];

        /* Nothing that happened to the other one has reached it. */
        check_dump(&one->dump, dump_coordinator(one->pool, one->queue), false);
        tvd_worker_pool_release(one->pool);
        tvd_task_queue_release(one->queue);
        free(one->dump);
    }
    tvd_result_aggregator_release(at->results);
    free(at->results_dump);
    CHECK(at->memory.bytes_in_use == 0);
}

/* --- one call -------------------------------------------------------------------------------------------- */

static bool is_untouched(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;

    return byte[0] == PATTERN && memcmp(byte, byte + 1, size - 1) == 0;
}

static uint64_t read_now(input *in, uint64_t logical_time_secs)
{
    uint8_t selector = input_byte(in);

    if (selector < 224)
        return logical_time_secs + selector % 32u;
    return selector < 240 ? logical_time_secs + input_number(in) : input_number(in);
}

/* Most calls are made with everything that they need; a few lack some of it. */
static void take_some_away(call *made)
{
    uint8_t kept = input_byte(&made->at->in);

    if (kept & 1)
        made->pool = NULL;
    if (kept & 2)
        made->queue = NULL;
    if (kept & 4)
        made->results = NULL;
    if (kept & 8)
        made->cursor_argument = NULL;
    if (kept & 16)
        made->revision_argument = NULL;
    if (kept & 32)
        made->out = NULL;
    if (kept & 64)
        made->error_argument = NULL;
    made->at->memory.fails = (kept & 128) != 0;
}

static void call_begin(call *made, fuzz *at, bool of_results)
{
    uint8_t selector = input_byte(&at->in);
    tvd_state_snapshot snapshot;

    *made = (call){ .at = at, .on = &at->coordinators[selector % POOLS], .results = at->results };
    made->pool = made->on->pool;
    made->queue = made->on->queue;
    made->cursor_argument = &made->cursor;
    made->revision_argument = &made->cursor.revision;
    made->out = &made->written;
    made->error_argument = &made->error;
    CHECK(tvd_worker_pool_snapshot(made->pool, &snapshot, NULL) == TVD_OK);
    made->given.revision = of_results ? tvd_result_aggregator_revision(at->results) : snapshot.revision;
    if (selector >= 248)
        made->given.revision = input_number(&at->in);
    made->given.now_secs = read_now(&at->in, snapshot.logical_time_secs);
    made->cursor = made->given;
    memset(&made->error, PATTERN, sizeof made->error);
    memset(&made->written, PATTERN, sizeof made->written);
    if (selector % 16 == 15)
        take_some_away(made);
}

/* Any error can be said in a sentence, whatever room there is for it. */
static void check_error(const call *made, tvd_status status)
{
    char text[1024], small[8];
    size_t length;

    CHECK(made->error.status == status);
    CHECK(memchr(made->error.identifier, '\0', sizeof made->error.identifier) != NULL);
    length = tvd_error_format(&made->error, text, sizeof text);
    CHECK(length > 0 && length < sizeof text && strlen(text) == length);
    CHECK(tvd_error_format(&made->error, small, sizeof small) == length);
    CHECK(strlen(small) == at_most(length, sizeof small - 1) && strncmp(small, text, strlen(small)) == 0);
}

/* What is said to be retained is what was asked of the allocator, and within what the limits allow. */
static void check_retained(const fuzz *at)
{
    uint64_t retained = tvd_result_aggregator_retained_bytes(at->results);

    for (size_t i = 0; i < POOLS; i++) {
        uint64_t by_one = tvd_worker_pool_retained_bytes(at->coordinators[i].pool);

        CHECK(by_one <= at->coordinators[i].max_retained_bytes);
        retained += by_one;
    }
    CHECK(retained == at->memory.bytes_in_use);
}

/* Looks at the call from outside: what it may have written, and what it may have changed. */
static void call_end(call *made, tvd_status status, bool of_results)
{
    bool changed = made->cursor.revision != made->given.revision;

    made->at->memory.fails = false;
    CHECK(made->cursor.now_secs == made->given.now_secs);
    CHECK(!changed || (status == TVD_OK && made->cursor.revision == made->given.revision + 1));
    if (status == TVD_OK) {
        CHECK(is_untouched(&made->error, sizeof made->error));
    } else {
        CHECK(is_untouched(&made->written, sizeof made->written));
        if (made->error_argument != NULL)
            check_error(made, status);
    }
    check_retained(made->at);
    CHECK(tvd_worker_pool_check_invariants(made->on->pool, NULL) == TVD_OK);
    check_dump(&made->on->dump, dump_coordinator(made->on->pool, made->on->queue), changed && !of_results);
    CHECK(tvd_result_aggregator_check_invariants(made->at->results, NULL) == TVD_OK);
    check_dump(&made->at->results_dump, dump_of_results(made->at), changed && of_results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz at = { .in = { .bytes = data, .size = size } };

    begin(&at);
    for (int step = 0; step < MAX_STEPS && at.in.size > 0; step++) {
        const entry *chosen = read_entry(&at.in);
        call made;

        call_begin(&made, &at, chosen->of_results);
        call_end(&made, chosen->function(&made), chosen->of_results);
        input_free_blocks(&at.in);
    }
    end(&at);
    return 0;
}
