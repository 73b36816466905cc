/* Turns the lines of recordings into commands, and plays them on both sides. */
#include "recordings.h"

#include "../conformance/trace.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>

static const char limit_keys[] =
    "max_task_records max_active_tasks max_queued_tasks max_terminal_tasks max_workers "
    "max_retries max_lease_ttl_secs max_task_ttl_secs heartbeat_timeout_secs";
static const char result_limit_keys[] =
    "max_results max_result_bytes max_total_bytes max_aggregate_items max_aggregate_bytes";

/* The fields of each command that a recording can hold. */
static const char *const keys[OP_COUNT] = {
    [OP_TRY_LIMITS] = limit_keys,
    [OP_TRY_RESULT_LIMITS] = result_limit_keys,
    [OP_REGISTER_WORKER] = "rev now worker capacity cpu memory network tags",
    [OP_REACTIVATE_WORKER] = "rev now worker generation capacity cpu memory network tags",
    [OP_UPDATE_WORKER] = "rev now worker generation status cpu memory network",
    [OP_GET_AVAILABLE_WORKER] = "now",
    [OP_GET_WORKER] = "worker",
    [OP_ENQUEUE] = "rev now task scan target phases priority",
    [OP_ASSIGN_TASK] = "rev now task worker ttl",
    [OP_ASSIGN_NEXT] = "rev now worker ttl",
    [OP_ASSIGN_NEXT_AVAILABLE] = "rev now ttl",
    [OP_START_TASK] = "rev now lease",
    [OP_COMPLETE_TASK] = "rev now lease",
    [OP_FAIL_TASK] = "rev now lease",
    [OP_CANCEL_TASK] = "rev now ownership",
    [OP_DEREGISTER_WORKER] = "rev now worker generation",
    [OP_RECOVER_EXPIRED_LEASES] = "rev now",
    [OP_PRUNE_DEAD_WORKERS] = "rev now",
    [OP_EXPIRE_OLD_TASKS] = "rev now ttl",
    [OP_GET_TASK] = "task",
    [OP_PEEK_NEXT] = "",
    [OP_OWNERSHIP] = "task",
    [OP_STORE_RESULT] = "rev receipt bytes",
    [OP_AGGREGATE_RESULTS] = "count task*",
    [OP_GET_RESULT] = "task",
};

/* A trace while it is played. */
typedef struct playing {
    session_options options;
    session s;
    bool is_open;
    unsigned pool;
    uint32_t serial;
    script_writer writer; /* Writes what the model answers. */
    char *written;
    size_t written_size;
    trace_arguments arguments;
    outcome expected;
    outcome actual;
    char why[512];
    recordings_totals *totals;
} playing;

static bool complain(const trace_step *step, const char *what, const char *detail)
{
    printf("line %zu: %.*s\n  %s: %s\n", step->line.number, (int)step->line.text.size, step->line.text.bytes,
           what, detail);
    return false;
}

/* The operation that a word names; OP_COUNT if none. */
static operation find_op(text word)
{
    for (unsigned i = 0; i < OP_COUNT; i++) {
        if (keys[i] != NULL && text_is(word, script_op_name((operation)i)))
            return (operation)i;
    }
    return OP_COUNT;
}

/* Says which command gave the token of a name. */
static uint32_t serial_of(const playing *p, operation op)
{
    const trace_arguments *a = &p->arguments;
    if (op == OP_STORE_RESULT)
        return a->receipt < p->writer.receipt_count ? p->writer.receipts[a->receipt] : UINT32_MAX;
    return a->ownership < p->writer.owner_count ? p->writer.owners[a->ownership] : UINT32_MAX;
}

static bool names_ownership(text recorded)
{
    for (size_t i = 0; i + 11 <= recorded.size; i++) {
        if (memcmp(recorded.bytes + i, " ownership=", 11) == 0)
            return true;
    }
    return false;
}

static command make_command(playing *p, operation op, text recorded)
{
    const trace_arguments *a = &p->arguments;
    command c = { .op = op, .serial = ++p->serial, .pool = p->pool, .is_settled = true };
    c.revision = a->rev;
    c.now = a->now;
    c.task_id = a->task;
    c.worker_id = a->worker;
    c.generation = a->generation;
    c.ttl = a->ttl;
    c.wants_ownership = names_ownership(recorded);
    c.token.serial = serial_of(p, op);
    c.task_spec = (tvd_task_spec){
        a->task,        a->scan,    a->target.bytes, a->target.size, (const uint8_t *)a->phases.bytes,
        a->phases.size, a->priority
    };
    c.worker_spec = (tvd_worker_spec){ a->worker, a->capacity, a->cpu, a->memory, a->network, a->tags };
    c.observation = (tvd_worker_observation){ a->status, a->cpu, a->memory, a->network };
    c.bytes = (const unsigned char *)a->bytes.bytes;
    c.bytes_size = a->bytes.size;
    c.long_request = a->items;
    c.request_is_null = a->items == NULL && a->item_count > 0;
    c.request_count = a->item_count;
    c.limits = a->limits;
    c.result_limits = a->result_limits;
    return c;
}

/* Whether what was written since the last rewind is the recorded outcome with its dump lines. */
static bool matches(playing *p, const trace_step *step)
{
    fflush(p->writer.file);
    text rest = { p->written, (size_t)ftell(p->writer.file) };
    trace_reader dump = step->dump;
    trace_line recorded = step->outcome;
    for (size_t i = 0; i <= step->dump_lines; i++) {
        text line = text_take_until(&rest, '\n');
        if (!text_equals(recorded.text, line)) {
            printf("recorded: %.*s\nmodel:    %.*s\n", (int)recorded.text.size, recorded.text.bytes,
                   (int)line.size, line.bytes);
            return complain(step, "the model disagrees with the recording", "");
        }
        if (i < step->dump_lines)
            recorded = trace_next_dump_line(&dump);
    }
    return rest.size == 0 || complain(step, "the model lists more than the recording", "");
}

static bool play_command(playing *p, const trace_step *step, operation op)
{
    command c = make_command(p, op, step->outcome.text);
    verdict v = session_play(&p->s, &c, &p->expected, &p->actual, p->why, sizeof p->why);
    if (v == VERDICT_SKIPPED)
        return complain(step, "it names a token that nobody gave", "");
    rewind(p->writer.file);
    script_write_outcome(&p->writer, &c, &p->expected);
    outcome_release(&p->expected);
    outcome_release(&p->actual);
    bool agree = v == VERDICT_AGREE && (!p->is_open || state_agrees(&p->s, c.pool, p->why, sizeof p->why));
    if (!agree)
        return complain(step, "the library disagrees with the model", p->why);
    return matches(p, step);
}

static bool play_report(playing *p, const trace_step *step)
{
    rewind(p->writer.file);
    if (text_is(step->word, "dump"))
        script_write_dump(&p->writer, p->s.pools[p->pool].m);
    else
        script_write_totals(&p->writer, p->s.ma);
    if (!invariants_hold(&p->s, p->why, sizeof p->why) || !results_agree(&p->s, p->why, sizeof p->why))
        return complain(step, "the library's state is wrong", p->why);
    return matches(p, step);
}

/* Setup lines. False for a line that is none. */
static bool set_up(playing *p, const trace_step *step, trace_fault *fault, bool *done)
{
    *done = true;
    if (text_is(step->word, "limits")) {
        *done = trace_decode(step, limit_keys, &p->arguments, fault);
        p->options.limits = p->arguments.limits;
    } else if (text_is(step->word, "result_limits")) {
        *done = trace_decode(step, result_limit_keys, &p->arguments, fault);
        p->options.result_limits = p->arguments.result_limits;
    } else if (text_is(step->word, "pools")) {
        *done = trace_decode(step, "count", &p->arguments, fault);
        p->options.pool_count = (unsigned)p->arguments.count;
    } else if (text_is(step->word, "use")) {
        *done = trace_decode(step, "pool", &p->arguments, fault);
        p->pool = (unsigned)p->arguments.pool;
    } else {
        return false;
    }
    return true;
}

/* The two sides are made at the first command that needs them: all limits are known then. */
static bool open_both(playing *p, text word)
{
    if (p->is_open || text_starts_with(word, "try_"))
        return true;
    p->is_open = session_open(&p->s, &p->options);
    return p->is_open;
}

static bool play_step(playing *p, const trace_step *step)
{
    trace_fault fault = { 0, "" };
    bool done;
    if (set_up(p, step, &fault, &done))
        return done || complain(step, "a damaged line", fault.message);
    if (!open_both(p, step->word))
        return complain(step, "it cannot be set up", "");
    p->totals->commands += 1;
    if (text_is(step->word, "dump") || text_is(step->word, "result_totals"))
        return play_report(p, step);
    operation op = find_op(step->word);
    if (op == OP_COUNT || !trace_decode(step, keys[op], &p->arguments, &fault))
        return complain(step, "a damaged line", fault.message);
    return play_command(p, step, op);
}

static bool play_trace(trace_reader *reader, recordings_totals *totals)
{
    playing *p = calloc(1, sizeof *p);
    trace_fault fault;
    trace_step step;
    bool fine = p != NULL;
    if (p == NULL)
        return false;
    p->totals = totals;
    p->options.limits = tvd_limits_default();
    p->options.result_limits = tvd_result_limits_default();
    p->options.pool_count = 1;
    p->writer.file = open_memstream(&p->written, &p->written_size);
    while (p->writer.file != NULL && trace_next_step(reader, &step, &fault) == TRACE_STEP_COMMAND)
        fine = fine && play_step(p, &step);
    totals->traces += 1;
    if (p->is_open)
        fine = session_close(&p->s) && fine;
    if (p->writer.file != NULL)
        fclose(p->writer.file);
    script_writer_free(&p->writer);
    trace_arguments_free(&p->arguments);
    free(p->written);
    free(p);
    return fine;
}

bool recordings_play(const char *bytes, size_t size, recordings_totals *totals)
{
    trace_reader reader = trace_reader_of(bytes, size);
    trace_fault fault = { 0, "" };
    trace_step step;
    bool fine = true;
    trace_step_kind kind;
    while ((kind = trace_next_step(&reader, &step, &fault)) == TRACE_STEP_BEGIN)
        fine = play_trace(&reader, totals) && fine;
    if (kind == TRACE_STEP_EOF)
        return fine;
    printf("line %zu: %s\n", fault.line, fault.message);
    return false;
}
