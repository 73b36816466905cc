/* Misfortune on order. */
#ifndef FILE_SCAN_DRILLS_H
#define FILE_SCAN_DRILLS_H

#include <stdint.h>

#include "options.h"

enum drill { DRILL_NONE, DRILL_FAIL, DRILL_STALL };

/*
 * What happens to an attempt. It follows from the seed, the file and the attempt alone, whichever thread makes the
 * attempt and whenever, so that a seed repeats a run.
 */
enum drill drill_of(const struct options *options, uint64_t file_number, uint32_t attempt);

#endif
