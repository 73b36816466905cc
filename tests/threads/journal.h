/*
 * What the threads did, and the proof that one thread could have done the same: the commands that were accepted,
 * played in the order of their revisions on fresh handles, give the same answers, tokens and final state.
 */
#ifndef THREADS_JOURNAL_H
#define THREADS_JOURNAL_H

#include "command.h"

/* One thread's. A zeroed one is empty. It keeps copies of the tokens. */
typedef struct journal {
    struct journal_entry *entries;
    size_t count;
    size_t capacity;
} journal;

/* Writes down a command that was accepted and changed something. */
void journal_add(journal *written, const command *played, const answer *answered);

/* Checks the journals of all threads against what their commands left behind in the world. */
void journals_verify(const journal *journals, size_t count, const world *at, const tvd_limits *limits);

void journal_free(journal *freed);

#endif
