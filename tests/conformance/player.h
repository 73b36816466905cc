/*
 * Plays recordings against the library and compares every outcome with the recorded one.
 */
#ifndef CONFORMANCE_PLAYER_H
#define CONFORMANCE_PLAYER_H

#include "trace_text.h"

#include <stdio.h>

typedef enum player_verdict {
    PLAYER_AGREES,
    PLAYER_DISAGREES, /* The library answered something else than the recording says. */
    PLAYER_DAMAGED    /* The file is no proper recording. */
} player_verdict;

/* Adds up over files. Start from a zeroed one. */
typedef struct player_totals {
    uint64_t traces;
    uint64_t commands; /* Outcomes that were compared. */
    uint64_t disagreements;
    uint64_t damaged_files;
} player_totals;

/*
 * Plays one file. The name is for the report, which says at which line what went wrong. A file whose lines are
 * not all well formed is not played at all. After a disagreement the rest of that trace means nothing: the
 * next trace is played.
 */
player_verdict player_play(const char *name, text file, player_totals *totals, FILE *report);

#endif
