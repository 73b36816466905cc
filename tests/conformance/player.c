#include "player.h"

#include "commands.h"

/* What the parts of the player share while a file is played. */
typedef struct file_player {
    const char *name;
    trace_arguments arguments;
    player_totals *totals;
    FILE *report;
} file_player;

/* --- reports ---------------------------------------------------------------------------------------------- */

/* A line of a report. Nobody reads a megabyte to find one digit. */
static void report_text(const file_player *player, const char *label, text line)
{
    enum { LONGEST = 4000 };
    size_t shown = line.size < LONGEST ? line.size : LONGEST;

    fprintf(player->report, "  %-9s ", label);
    if (shown > 0)
        fwrite(line.bytes, 1, shown, player->report);
    if (shown < line.size)
        fprintf(player->report, " ... (%zu bytes more)", line.size - shown);
    fputc('\n', player->report);
}

static void report_position(const file_player *player, text recorded, text actual)
{
    size_t at = 0;

    while (at < recorded.size && at < actual.size && recorded.bytes[at] == actual.bytes[at])
        at++;
    fprintf(player->report, "  they differ from byte %zu on\n", at + 1);
}

static bool disagree(const file_player *player, const trace_step *step, size_t line, text recorded, text actual)
{
    fprintf(player->report, "%s:%zu: disagree (the command is in line %zu)\n", player->name, line,
            step->line.number);
    report_text(player, "command", step->line.text);
    report_text(player, "recorded", recorded);
    report_text(player, "actual", actual);
    if (!text_equals(recorded, actual))
        report_position(player, recorded, actual);
    return false;
}

static player_verdict damaged(const file_player *player, const trace_fault *fault)
{
    fprintf(player->report, "%s:%zu: damaged: %s\n", player->name, fault->line, fault->message);
    player->totals->damaged_files++;
    return PLAYER_DAMAGED;
}

/* --- checking a file -------------------------------------------------------------------------------------- */

static bool check_command(file_player *player, const trace_step *step, trace_fault *fault)
{
    const command *entry = command_find(step->word);
    bool has_outcome = step->outcome.number > 0;

    if (!entry)
        return trace_fail(fault, step->line.number, "an unknown command", step->word);
    if (!trace_decode(step, entry->keys, &player->arguments, fault))
        return false;
    if (entry->kind == COMMAND_SETUP && has_outcome)
        return trace_fail(fault, step->outcome.number, "an outcome without a command", step->outcome.text);
    if (entry->kind != COMMAND_SETUP && !has_outcome)
        return trace_fail(fault, step->line.number, "a command without an outcome", step->line.text);
    if (entry->kind != COMMAND_DUMP && step->dump_lines > 0)
        return trace_fail(fault, step->outcome.number + 1, "a dump line without a dump", step->line.text);
    return true;
}

static bool check_file(file_player *player, text file, trace_fault *fault)
{
    trace_reader reader = trace_reader_of(file.bytes, file.size);
    trace_step step;

    for (;;) {
        trace_step_kind kind = trace_next_step(&reader, &step, fault);
        if (kind == TRACE_STEP_FAULT || kind == TRACE_STEP_EOF)
            return kind == TRACE_STEP_EOF;
        if (kind == TRACE_STEP_COMMAND && !check_command(player, &step, fault))
            return false;
    }
}

/* --- playing it ------------------------------------------------------------------------------------------- */

/* Compares the dump lines one by one; also the number of them. */
static bool compare_listing(const file_player *player, const trace_step *step, const play_session *session)
{
    static const text none = { "(no line)", 9 };
    trace_reader dump = step->dump;
    text rest = buffer_text(&session->listing);
    trace_line recorded = step->outcome;

    for (size_t i = 0; i < step->dump_lines; i++) {
        recorded = trace_next_dump_line(&dump);
        text actual = rest.size > 0 ? text_take_until(&rest, '\n') : none;
        if (!text_equals(recorded.text, actual))
            return disagree(player, step, recorded.number, recorded.text, actual);
    }
    if (rest.size > 0)
        return disagree(player, step, recorded.number, none, text_take_until(&rest, '\n'));
    return true;
}

static bool compare(const file_player *player, const trace_step *step, const play_session *session,
                    bool is_dump)
{
    text recorded = step->outcome.text;
    text actual = buffer_text(&session->actual);

    if (!text_equals(recorded, actual) || session->violation) {
        disagree(player, step, step->outcome.number, recorded, actual);
        if (session->violation)
            report_text(player, "promise", text_of(session->violation));
        return false;
    }
    return !is_dump || compare_listing(player, step, session);
}

/* Whether what a command needs has been set up. */
static bool is_ready(const play_session *session, const command *entry)
{
    switch (entry->kind) {
    case COMMAND_SETUP:
    case COMMAND_TRIAL:
        return true;
    case COMMAND_POOL:
    case COMMAND_DUMP:
        return session->pool_count > 0;
    case COMMAND_RESULT:
        return session->results != NULL;
    }
    return false;
}

static player_verdict play_command(file_player *player, const trace_step *step, play_session *session,
                                   trace_fault *fault)
{
    const command *entry = command_find(step->word);
    command_input input = { &player->arguments, step->outcome.text };

    if (!trace_decode(step, entry->keys, &player->arguments, fault))
        return PLAYER_DAMAGED;
    if (!is_ready(session, entry)) {
        trace_fail(fault, step->line.number, "the setup line that this command needs is missing", step->word);
        return PLAYER_DAMAGED;
    }
    buffer_clear(&session->actual);
    entry->play(session, &input);
    if (session->refusal) {
        trace_fail(fault, step->line.number, session->refusal, step->line.text);
        return PLAYER_DAMAGED;
    }
    if (entry->kind == COMMAND_SETUP)
        return PLAYER_AGREES;
    player->totals->commands++;
    return compare(player, step, session, entry->kind == COMMAND_DUMP) ? PLAYER_AGREES : PLAYER_DISAGREES;
}

/* Plays to the end of a trace; after a disagreement it only reads on. */
static player_verdict play_trace(file_player *player, trace_reader *reader, trace_fault *fault)
{
    play_session session = { 0 };
    player_verdict verdict = PLAYER_AGREES;
    trace_step step;

    while (verdict != PLAYER_DAMAGED && trace_next_step(reader, &step, fault) == TRACE_STEP_COMMAND) {
        if (verdict == PLAYER_AGREES)
            verdict = play_command(player, &step, &session, fault);
    }
    session_free(&session);
    player->totals->traces++;
    player->totals->disagreements += verdict == PLAYER_DISAGREES;
    return verdict;
}

static player_verdict play_file(file_player *player, text file)
{
    trace_reader reader = trace_reader_of(file.bytes, file.size);
    player_verdict verdict = PLAYER_AGREES;
    trace_fault fault;
    trace_step step;

    if (!check_file(player, file, &fault))
        return damaged(player, &fault);
    while (trace_next_step(&reader, &step, &fault) == TRACE_STEP_BEGIN) {
        player_verdict of_trace = play_trace(player, &reader, &fault);
        if (of_trace == PLAYER_DAMAGED)
            return damaged(player, &fault);
        if (of_trace == PLAYER_DISAGREES)
            verdict = PLAYER_DISAGREES;
    }
    return verdict;
}

player_verdict player_play(const char *name, text file, player_totals *totals, FILE *report)
{
    file_player player = { .name = name, .totals = totals, .report = report };
    player_verdict verdict = play_file(&player, file);

    trace_arguments_free(&player.arguments);
    return verdict;
}
