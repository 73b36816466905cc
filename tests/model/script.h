/* Commands and outcomes in the text format of tests/conformance/FORMAT.md. */
#ifndef MODEL_SCRIPT_H
#define MODEL_SCRIPT_H

#include "session.h"

#include <stdio.h>

/* The names of tokens: the number of a token is its index here, the value the command that gave it. */
typedef struct script_writer {
    FILE *file;
    uint32_t *owners;
    size_t owner_count;
    uint32_t *receipts;
    size_t receipt_count;
} script_writer;

void script_writer_free(script_writer *w);
void script_write_head(script_writer *w, const char *name, const session_options *options);
/* Leaves out what the format cannot say and what makes no difference to the coordinator. */
void script_simplify(command *c);
/* False if the format has no words for a command: null pointers, altered tokens, pages and the like. */
bool script_can_express(const command *c, const outcome *expected);
void script_write_command(script_writer *w, const command *c, const outcome *expected);
void script_write_outcome(script_writer *w, const command *c, const outcome *expected);
void script_write_dump(script_writer *w, model *m);
void script_write_totals(script_writer *w, const model_aggregator *a);
void script_write_limits(script_writer *w, const tvd_limits *limits);
void script_write_result_limits(script_writer *w, const tvd_result_limits *limits);
const char *script_op_name(operation op);

#endif
