#include "trace.h"

#include <stdio.h>
#include <string.h>

bool trace_fail(trace_fault *fault, size_t line, const char *message, text about)
{
    int shown = about.size < 60 ? (int)about.size : 60;
    size_t used;

    fault->line = line;
    snprintf(fault->message, sizeof fault->message, "%s%s", message, shown > 0 ? ": " : "");
    used = strlen(fault->message);
    for (int i = 0; i < shown && used + 1 < sizeof fault->message; i++) {
        char byte = about.bytes[i];
        fault->message[used++] = byte >= ' ' && byte <= '~' ? byte : '?';
    }
    fault->message[used] = '\0';
    return false;
}

trace_reader trace_reader_of(const void *bytes, size_t size)
{
    return (trace_reader){ .rest = { bytes, size } };
}

typedef enum taken { TAKEN_LINE, TAKEN_EOF, TAKEN_FAULT } taken;

/* Takes the next line that is no remark. */
static taken take_line(trace_reader *reader, trace_line *line, trace_fault *fault)
{
    while (reader->rest.size > 0) {
        size_t number = ++reader->lines_read;
        const char *newline = memchr(reader->rest.bytes, '\n', reader->rest.size);
        if (!newline) {
            trace_fail(fault, number, "the file ends in the middle of a line", reader->rest);
            return TAKEN_FAULT;
        }
        line->number = number;
        line->text = text_take_until(&reader->rest, '\n');
        if (line->text.size > 0 && memchr(line->text.bytes, '\0', line->text.size)) {
            trace_fail(fault, number, "a NUL byte in the line", line->text);
            return TAKEN_FAULT;
        }
        if (line->text.size == 0) {
            trace_fail(fault, number, "an empty line", line->text);
            return TAKEN_FAULT;
        }
        if (line->text.bytes[0] != '#')
            return TAKEN_LINE;
    }
    return TAKEN_EOF;
}

/* Whether the next line starts with the mark. A fault is left for whoever takes that line. */
static bool next_line_is(const trace_reader *reader, char mark)
{
    trace_reader ahead = *reader;
    trace_line line;
    trace_fault ignored;

    return take_line(&ahead, &line, &ignored) == TAKEN_LINE && line.text.bytes[0] == mark;
}

trace_line trace_next_dump_line(trace_reader *dump)
{
    trace_line line = { 0 };
    trace_fault ignored;

    take_line(dump, &line, &ignored);
    return line;
}

/* An outcome is "= ok", "= none" or "= error", what follows is for the player to compare. */
static bool is_outcome(text line)
{
    text equals = text_take_until(&line, ' ');
    text answer = text_take_until(&line, ' ');

    return text_is(equals, "=") &&
           (text_is(answer, "ok") || text_is(answer, "none") || text_is(answer, "error"));
}

/* Takes the outcome and the dump lines that belong to a command, if they are there. */
static bool take_outcome(trace_reader *reader, trace_step *step, trace_fault *fault)
{
    step->outcome = (trace_line){ 0 };
    step->dump_lines = 0;
    if (!next_line_is(reader, '='))
        return true;
    take_line(reader, &step->outcome, fault);
    if (!is_outcome(step->outcome.text))
        return trace_fail(fault, step->outcome.number, "an outcome of no known kind", step->outcome.text);
    step->dump = *reader;
    while (next_line_is(reader, '|')) {
        trace_next_dump_line(reader);
        step->dump_lines++;
    }
    return true;
}

/* Says what kind of step a line starts and whether it may stand here. */
static bool classify(trace_reader *reader, trace_step *step, trace_fault *fault)
{
    text line = step->line.text;
    size_t number = step->line.number;

    if (line.bytes[0] == '=')
        return trace_fail(fault, number, "an outcome without a command", line);
    if (line.bytes[0] == '|')
        return trace_fail(fault, number, "a dump line without a dump", line);
    if (text_is(step->word, "trace")) {
        if (reader->in_trace)
            return trace_fail(fault, number, "a trace starts before the one before it has ended", line);
        step->kind = TRACE_STEP_BEGIN;
        reader->in_trace = true;
        return true;
    }
    if (!reader->in_trace)
        return trace_fail(fault, number, "text outside a trace", line);
    if (text_is(step->word, "end")) {
        step->kind = TRACE_STEP_END;
        reader->in_trace = false;
        reader->traces_read++;
        return !step->has_fields || trace_fail(fault, number, "text after end", line);
    }
    step->kind = TRACE_STEP_COMMAND;
    return true;
}

/* A trace has a name of one word. */
static bool check_name(const trace_step *step, trace_fault *fault)
{
    byte_buffer name = { 0 };
    bool valid = step->fields.size > 0 && text_unescape(step->fields, &name);

    buffer_free(&name);
    return valid || trace_fail(fault, step->line.number, "a trace without a proper name", step->line.text);
}

static bool at_end(const trace_reader *reader, trace_fault *fault)
{
    text nothing = { NULL, 0 };

    if (reader->in_trace)
        return trace_fail(fault, reader->lines_read + 1, "the file ends before the trace does", nothing);
    if (reader->traces_read == 0)
        return trace_fail(fault, reader->lines_read + 1, "no trace in the file", nothing);
    return true;
}

static bool read_step(trace_reader *reader, trace_step *step, trace_fault *fault)
{
    switch (take_line(reader, &step->line, fault)) {
    case TAKEN_FAULT:
        return false;
    case TAKEN_EOF:
        step->kind = TRACE_STEP_EOF;
        return at_end(reader, fault);
    case TAKEN_LINE:
        break;
    }
    step->fields = step->line.text;
    step->word = text_take_until(&step->fields, ' ');
    step->has_fields = step->word.size < step->line.text.size;
    if (!classify(reader, step, fault))
        return false;
    if (step->kind == TRACE_STEP_BEGIN)
        return check_name(step, fault);
    return step->kind != TRACE_STEP_COMMAND || take_outcome(reader, step, fault);
}

trace_step_kind trace_next_step(trace_reader *reader, trace_step *step, trace_fault *fault)
{
    *step = (trace_step){ .kind = TRACE_STEP_FAULT };
    if (!read_step(reader, step, fault))
        step->kind = TRACE_STEP_FAULT;
    return step->kind;
}
