/*
 * Reads the trace format (FORMAT.md) from memory: first the steps of a file, then the fields of a step.
 *
 * The reader knows how lines make steps and how values are written, but not which commands there are; whoever
 * plays a trace gives the keys that a command has. It must answer any bytes whatever with steps or with a
 * fault, and it never writes to what it reads. A command without an outcome is a step too, so that scripts
 * (commands only) can be read; a player of recordings refuses it.
 */
#ifndef CONFORMANCE_TRACE_H
#define CONFORMANCE_TRACE_H

#include "trace_text.h"

#include <termivar/distributed.h>

/* What is wrong with a file, and where. */
typedef struct trace_fault {
    size_t line; /* From 1; the line after the last one if something is missing at the end. */
    char message[160];
} trace_fault;

typedef struct trace_line {
    size_t number; /* From 1. */
    text text;     /* Without its newline. */
} trace_line;

/* A place in a file. Copies of it read on independently. */
typedef struct trace_reader {
    text rest;
    size_t lines_read;
    size_t traces_read;
    bool in_trace;
} trace_reader;

typedef enum trace_step_kind {
    TRACE_STEP_BEGIN,   /* "trace NAME"; fields is the name. */
    TRACE_STEP_COMMAND, /* Anything between, setup lines too. */
    TRACE_STEP_END,     /* "end" */
    TRACE_STEP_EOF,     /* The file is over, and was whole. */
    TRACE_STEP_FAULT    /* The file is damaged here; the fault says how. */
} trace_step_kind;

/* Texts point into the file. */
typedef struct trace_step {
    trace_step_kind kind;
    trace_line line;
    text word;          /* Its first word. */
    text fields;        /* What follows the word and its space. */
    bool has_fields;    /* Whether there was a space after the word. */
    trace_line outcome; /* The "=" line; its number is 0 if there is none. */
    trace_reader dump;  /* Where the "|" lines start. */
    size_t dump_lines;  /* How many there are. */
} trace_step;

/* The fields of one line, decoded. Strings are NUL-terminated and live until the next decoding. */
typedef struct trace_arguments {
    uint64_t rev, now, generation, ttl, count, pool, ownership, receipt;
    uint32_t capacity, cpu, memory, network, tags;
    const char *task, *scan, *worker;
    text target, phases, bytes;
    tvd_task_priority priority;
    tvd_worker_status status;
    tvd_limits limits;
    tvd_result_limits result_limits;
    const char **items; /* The repeated field "task*". */
    size_t item_count;

    byte_buffer strings;  /* Holds the decoded bytes. */
    size_t item_capacity; /* Of items. */
} trace_arguments;

trace_reader trace_reader_of(const void *bytes, size_t size);

/* Reads the next step. After TRACE_STEP_EOF or TRACE_STEP_FAULT there is none. */
trace_step_kind trace_next_step(trace_reader *reader, trace_step *step, trace_fault *fault);

/* Reads the next of a step's dump lines; *dump starts as a copy of step->dump. Never call it more than
 * step->dump_lines times. */
trace_line trace_next_dump_line(trace_reader *dump);

/*
 * Decodes a step's fields. keys names the ones it must have, separated by spaces, each exactly once and in any
 * order; a last key with a star ("task*") may come any number of times, and then the field count must say how
 * many. Fails, and fills *fault, if anything is missing, repeated, unknown or badly written.
 */
bool trace_decode(const trace_step *step, const char *keys, trace_arguments *arguments, trace_fault *fault);

void trace_arguments_free(trace_arguments *arguments);

/* Fills a fault with a message and a piece of the file that it is about; always false. */
bool trace_fail(trace_fault *fault, size_t line, const char *message, text about);

#endif
