/* Recordings (tests/conformance/FORMAT.md) played on the model and the library at once. */
#ifndef MODEL_RECORDINGS_H
#define MODEL_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct recordings_totals {
    uint64_t traces;
    uint64_t commands;
} recordings_totals;

/* False at a disagreement, which is printed. */
bool recordings_play(const char *bytes, size_t size, recordings_totals *totals);

#endif
