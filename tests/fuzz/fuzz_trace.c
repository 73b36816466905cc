/*
 * The trace reader and the player on any bytes: every file is read to its end or to a fault, is not written to, and
 * what it makes the library do breaks none of the promises that the player watches.
 */
#include "commands.h"
#include "player.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__LINE__, #condition))

static _Noreturn void check_failed(int line, const char *condition)
{
    fprintf(stderr, "fuzz_trace.c:%d: failed: %s\n", line, condition);
    abort();
}

static bool is_within(text piece, text file)
{
    return piece.size == 0 || (piece.bytes >= file.bytes && piece.bytes + piece.size <= file.bytes + file.size);
}

static void check_step(const trace_step *step, text file, trace_arguments *arguments)
{
    const command *entry = command_find(step->word);
    trace_reader dump = step->dump;
    trace_fault fault = { 0 };

    CHECK(is_within(step->line.text, file) && is_within(step->word, file) && is_within(step->fields, file));
    CHECK(is_within(step->outcome.text, file));
    for (size_t i = 0; i < step->dump_lines; i++) {
        trace_line line = trace_next_dump_line(&dump);

        CHECK(line.number > 0 && line.text.bytes[0] == '|' && is_within(line.text, file));
    }
    if (entry != NULL && !trace_decode(step, entry->keys, arguments, &fault))
        CHECK(fault.line == step->line.number && fault.message[0] != '\0');
}

/* Whether the reader comes to a proper end. */
static bool read_all(text file)
{
    trace_reader reader = trace_reader_of(file.bytes, file.size);
    trace_arguments arguments = { 0 };
    trace_fault fault = { 0 };
    trace_step step;

    while (trace_next_step(&reader, &step, &fault) == TRACE_STEP_COMMAND || step.kind == TRACE_STEP_BEGIN ||
           step.kind == TRACE_STEP_END) {
        CHECK(step.line.number > 0);
        if (step.kind == TRACE_STEP_COMMAND)
            check_step(&step, file, &arguments);
    }
    CHECK(step.kind == TRACE_STEP_EOF || (fault.line > 0 && fault.message[0] != '\0'));
    trace_arguments_free(&arguments);
    return step.kind == TRACE_STEP_EOF;
}

static void play(text file, bool is_proper)
{
    player_totals totals = { 0 };
    char *report = NULL;
    size_t report_size;
    FILE *out = open_memstream(&report, &report_size);
    player_verdict verdict;

    CHECK(out != NULL);
    verdict = player_play("input", file, &totals, out);
    CHECK(fclose(out) == 0);
    CHECK(is_proper || verdict == PLAYER_DAMAGED);
    CHECK(totals.damaged_files == (verdict == PLAYER_DAMAGED));
    /* A recording may disagree with the library; only this line says that the library broke a promise. */
    if (strstr(report, "\n  promise ") != NULL) {
        fputs(report, stderr);
        CHECK(strstr(report, "\n  promise ") == NULL);
    }
    free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes =
        malloc(size > 0 ? size : 1); /* A copy of exactly this size, so that no byte past it is read. */
    text file = { bytes, size };

    CHECK(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    play(file, read_all(file));
    CHECK(size == 0 || memcmp(bytes, data, size) == 0);
    free(bytes);
    return 0;
}
