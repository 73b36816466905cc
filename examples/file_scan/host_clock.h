/* The host's clock: it says what logical second it is. The library reads no clock. */
#ifndef FILE_SCAN_HOST_CLOCK_H
#define FILE_SCAN_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

struct host_clock {
    struct timespec started;
    uint64_t skipped_secs; /* changed only while every other thread waits; the batch's mutex publishes it */
};

void host_clock_start(struct host_clock *clock);

/* Real time since the start. */
uint64_t host_clock_microseconds(const struct host_clock *clock);

/* Logical time since the start. It never runs backwards, whichever thread asks. */
uint64_t host_clock_now_secs(const struct host_clock *clock);

/* When, by CLOCK_MONOTONIC, a logical second begins that was not skipped. */
struct timespec host_clock_time_of(const struct host_clock *clock, uint64_t secs);

/* Skips logical time in which nothing can happen. */
void host_clock_skip_to(struct host_clock *clock, uint64_t secs);

#endif
