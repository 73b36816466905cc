/* Breadth-first search of every state of a small world. */
#ifndef MODEL_EXPLORE_H
#define MODEL_EXPLORE_H

#include "run.h"
#include "world.h"

typedef struct exploration {
    uint64_t states;
    uint64_t transitions; /* Commands applied, refused ones and replays too. */
    uint64_t accepted;    /* Of these, the ones that changed the state. */
    uint64_t touching;    /* Refused ones that left bytes of the coordinator's memory different. */
    unsigned depth;       /* Of the deepest state. */
    bool is_complete;     /* The fixed point was reached: there are no other states. */
} exploration;

/* Visits at most so many states. False at a disagreement: then the record holds the path, to be shortened. */
bool explore(const world *w, model_fault fault, uint64_t most_states, exploration *result, run_record *record);

#endif
