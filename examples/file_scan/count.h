/* The work itself: three phases over the bytes of a file. */
#ifndef FILE_SCAN_COUNT_H
#define FILE_SCAN_COUNT_H

#include <stddef.h>
#include <stdint.h>

/* The numbers that a task's phases hold. */
enum phase { PHASE_BYTES = 1, PHASE_LINES, PHASE_WORDS };

/* What the phases find; also the bytes of a task's result, which never leave this process. */
struct counts {
    uint64_t lines; /* newlines */
    uint64_t words; /* runs of bytes that isspace() of the C locale does not match */
    uint64_t bytes;
};

/*
 * Runs the phases over the file, block by block, so that it is read once and however large it is. Returns 0, or an
 * errno value and leaves *counts alone.
 */
int count_file(const char *path, const uint8_t *phases, size_t phases_count, struct counts *counts);

void counts_add(struct counts *sum, const struct counts *counts);

#endif
