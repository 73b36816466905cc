/* Plays runs and compares both sides after every command. */
#include "run.h"

#include "script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INVARIANT_INTERVAL = 8, BIG_INTERVAL = 64 };

/* Big runs are compared in full now and then only; others always, both coordinators and all results. */
static bool state_is_fine(session *s, const run_record *record, char *why, size_t size)
{
    bool in_full = !record->is_big || record->count % BIG_INTERVAL == 0;
    for (unsigned i = 0; i < s->pool_count; i++) {
        bool fine = in_full ? state_agrees(s, i, why, size) : state_digest_agrees(s, i, why, size);
        if (!fine)
            return false;
    }
    if (in_full && !results_agree(s, why, size))
        return false;
    return record->count % (record->is_big ? BIG_INTERVAL : INVARIANT_INTERVAL) != 0 ||
           invariants_hold(s, why, size);
}

static void count_outcome(run_statistics *statistics, const command *c, const outcome *o)
{
    statistics->commands += 1;
    statistics->statuses[o->error.status] += 1;
    if (o->error.status == TVD_OK)
        statistics->successes[c->op] += 1;
}

/* Plays one command of a run; false at a disagreement. */
static bool step(session *s, run_record *record, const command *c)
{
    static outcome expected;
    static outcome actual;
    verdict v = session_play(s, c, &expected, &actual, record->why, sizeof record->why);
    if (v == VERDICT_SKIPPED) {
        record->statistics.skipped += 1;
        return true;
    }
    count_outcome(&record->statistics, c, &expected);
    outcome_release(&expected);
    outcome_release(&actual);
    record->failed = v == VERDICT_DISAGREE || !state_is_fine(s, record, record->why, sizeof record->why);
    return !record->failed;
}

static void finish(session *s, run_record *record)
{
    if (!record->failed)
        record->failed = !results_agree(s, record->why, sizeof record->why) ||
                         !invariants_hold(s, record->why, sizeof record->why);
    if (!session_close(s) && !record->failed) {
        record->failed = true;
        snprintf(record->why, sizeof record->why, "the library kept memory after the last release");
    }
    record->statistics.runs += 1;
}

static void open_session(session *s, const run_record *record)
{
    if (session_open(s, &record->options))
        return;
    fprintf(stderr, "a session could not be opened\n");
    abort();
}

bool run_random(run_record *record, uint64_t seed, model_fault fault, uint64_t most)
{
    plan p = plan_make(seed, fault);
    session s;
    record->seed = seed;
    record->options = p.options;
    record->is_big = p.is_big;
    record->count = 0;
    record->failed = false;
    open_session(&s, record);
    uint64_t length = p.length < most ? p.length : most;
    while (!record->failed && record->count < length && !plan_is_over(&p, &s)) {
        command *c = &record->commands[record->count];
        *c = plan_next(&p, &s, (uint32_t)(record->count + 1));
        record->count += 1;
        (void)step(&s, record, c);
    }
    finish(&s, record);
    return !record->failed;
}

bool run_again(run_record *record)
{
    session s;
    size_t count = record->count;
    record->failed = false;
    open_session(&s, record);
    for (record->count = 0; !record->failed && record->count < count;) {
        const command *c = &record->commands[record->count];
        record->count += 1;
        (void)step(&s, record, c);
    }
    finish(&s, record);
    return !record->failed;
}

static void write_remark(FILE *file, const command *c, const outcome *expected)
{
    fprintf(file, "# The format has no words for: %s, nulls %u, token alteration %d; the model answers %s %s\n",
            script_op_name(c->op), c->nulls, (int)c->token.alteration, tvd_status_name(expected->error.status),
            tvd_detail_name(expected->error.detail));
}

/* Plays a command for the script: the last one only on the model, as the library may crash at it. */
static bool play_for_script(session *s, const command *c, bool is_last, outcome *expected)
{
    static outcome actual;
    if (!is_last) {
        char why[512];
        bool played = session_play(s, c, expected, &actual, why, sizeof why) != VERDICT_SKIPPED;
        if (played)
            outcome_release(&actual);
        return played;
    }
    resolved_token t;
    if (!token_resolve(s, c, &t))
        return false;
    play_model(s, c, &t, expected);
    return true;
}

static void write_end(script_writer *w, session *s, unsigned pool)
{
    static outcome expected;
    command peek = { .op = OP_PEEK_NEXT, .pool = pool };
    command best = { .op = OP_GET_AVAILABLE_WORKER, .pool = pool, .now = s->pools[pool].m->logical_time };
    fprintf(w->file, "dump\n");
    script_write_dump(w, s->pools[pool].m);
    fprintf(w->file, "result_totals\n");
    script_write_totals(w, s->ma);
    const command *reads[] = { &peek, &best };
    for (unsigned i = 0; i < 2; i++) {
        play_model(s, reads[i], NULL, &expected);
        script_write_command(w, reads[i], &expected);
        script_write_outcome(w, reads[i], &expected);
    }
    fprintf(w->file, "end\n");
}

void run_write_script(const run_record *record, FILE *file)
{
    static outcome expected;
    script_writer w = { .file = file };
    char name[64];
    session s;
    unsigned pool = 0;
    open_session(&s, record);
    snprintf(name, sizeof name, "model-%" PRIu64, record->seed);
    script_write_head(&w, name, &record->options);
    for (size_t i = 0; i < record->count; i++) {
        command c = session_settle(&s, &record->commands[i]);
        script_simplify(&c);
        if (!play_for_script(&s, &c, i + 1 == record->count, &expected))
            continue;
        if (c.pool != pool)
            fprintf(file, "use pool=%u\n", c.pool);
        pool = c.pool;
        if (script_can_express(&c, &expected)) {
            script_write_command(&w, &c, &expected);
            script_write_outcome(&w, &c, &expected);
        } else {
            write_remark(file, &c, &expected);
        }
        outcome_release(&expected);
    }
    write_end(&w, &s, pool);
    script_writer_free(&w);
    (void)session_close(&s);
}
