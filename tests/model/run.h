/* Playing of whole runs: a list of commands, or commands as they are made, on a fresh session, comparing after each. */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include "generate.h"

#include <stdio.h>

#define RUN_MAX_COMMANDS 3200
#define RUN_STATUSES (TVD_ERROR_MISSING_RESULT + 1)

/* What was met, so that a run which met too little can be told from a good one. */
typedef struct run_statistics {
    uint64_t runs;
    uint64_t commands;
    uint64_t skipped;
    uint64_t statuses[RUN_STATUSES];
    uint64_t successes[OP_COUNT];
} run_statistics;

/* Lives in memory that a child process shares with its parent, so that it outlives a crash. */
typedef struct run_record {
    uint64_t seed;
    session_options options;
    bool is_big;
    size_t count; /* Commands that were started. */
    bool failed;
    char why[512];
    run_statistics statistics;
    command commands[RUN_MAX_COMMANDS];
} run_record;

/* Makes and plays the run of a seed, but no more than so many commands. False, and record->failed, if the two
 * sides disagree. */
bool run_random(run_record *record, uint64_t seed, model_fault fault, uint64_t most);
/* Plays the record's commands again. After a disagreement count is how many were started. */
bool run_again(run_record *record);
/* Writes the record's commands as a script; the last one is not played on the library. */
void run_write_script(const run_record *record, FILE *file);

/* shrink.c: plays what fails, in child processes, with ever fewer commands. */
bool run_in_child(run_record *record, bool (*play)(run_record *record, void *context), void *context);
void shrink(run_record *record);
run_record *run_record_create(void);

#endif
