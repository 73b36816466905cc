/*
 * Small worlds: tiny limits, a few tasks and workers, and every command that makes sense in them. The state of a
 * world has a canonical form that leaves out what makes no difference to what can happen (the revision, counters,
 * generations, how long ago things beyond their limit were), so that there are finitely many.
 */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include "session.h"

#define WORLD_MAX_TASKS 3
#define WORLD_MAX_WORKERS 2
#define WORLD_MAX_MOVES 2048
#define WORLD_KEY_BYTES 32

typedef struct world {
    const char *name;
    tvd_limits limits;
    unsigned tasks;
    tvd_task_priority priorities[WORLD_MAX_TASKS];
    unsigned workers;
    uint32_t capacities[WORLD_MAX_WORKERS];
    unsigned observations; /* How many of the kinds of heartbeat are sent. */
    unsigned lease_ttls;   /* Leases run 1 to so many seconds. */
    uint64_t task_ttl;     /* What expire_old_tasks is asked for. */
    unsigned steps;        /* A command acts at most so many seconds after the last. */
} world;

/* A command in eight bytes. */
typedef struct move {
    uint8_t op;
    uint8_t task;
    uint8_t worker;
    uint8_t choice; /* Of a lease's time, of an observation or of what is wrong with the command. */
    uint8_t step;
    uint8_t wrong; /* A bad argument: 1 the revision, 2 the second, 3 the generation, 4 the lifetime. */
    uint16_t token;
} move;

extern const world worlds_quick[];
extern const unsigned worlds_quick_count;
extern const world worlds_long[];
extern const unsigned worlds_long_count;

session_options world_options(const world *w, model_fault fault, const tvd_allocator *allocator);
/* Every command in this state: with every token that was ever given. */
unsigned world_moves(const world *w, const session *s, move *moves);
command world_command(const world *w, const session *s, const move *m, uint32_t serial);
/* The command that asks for the fence or lease of a task. */
command world_ownership(const world *w, unsigned task, uint32_t serial);
void world_key(const world *w, const model *m, unsigned char *key);

#endif
