/* The random command stream: what a run is like (its limits, weights and habits), and its next command. */
#ifndef MODEL_GENERATE_H
#define MODEL_GENERATE_H

#include "prng.h"
#include "session.h"

#define PLAN_MAX_IDS 512

typedef struct plan {
    prng random;
    session_options options;
    unsigned length;   /* Commands of the run. */
    bool is_big;       /* The whole state is compared now and then only. */
    unsigned hostile;  /* Percent of commands with a bad argument. */
    unsigned restless; /* Percent of commands at which time moves. */
    uint64_t first_now;
    unsigned weights[OP_COUNT];
    unsigned weight_sum;
    unsigned task_ids; /* How many of the identifiers are in use. */
    unsigned worker_ids;
} plan;

/* Fills the constants that commands point to. Once, before everything else. */
void generate_prepare(void);
plan plan_make(uint64_t seed, model_fault fault);
/* The next command, from what the model's state makes interesting. Its pointers are to constants. */
command plan_next(plan *p, const session *s, uint32_t serial);
/* Whether the run is over before its length: every task that may be admitted has ended. */
bool plan_is_over(plan *p, const session *s);

/* identifiers.c: identifiers that are easily taken for each other, and some that are none. */
void identifiers_prepare(void);
const char *identifier_of_task(unsigned index);
const char *identifier_of_worker(unsigned index);
const char *identifier_invalid(uint64_t pick);

#endif
