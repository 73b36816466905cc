#define _POSIX_C_SOURCE 200809L
#include "host_clock.h"

#include "timing.h"

void host_clock_start(struct host_clock *clock)
{
    *clock = (struct host_clock){ 0 };
    clock_gettime(CLOCK_MONOTONIC, &clock->started);
}

uint64_t host_clock_microseconds(const struct host_clock *clock)
{
    struct timespec now;
    int64_t microseconds;

    clock_gettime(CLOCK_MONOTONIC, &now);
    microseconds = (int64_t)(now.tv_sec - clock->started.tv_sec) * 1000000;
    microseconds += (now.tv_nsec - clock->started.tv_nsec) / 1000;
    return (uint64_t)microseconds;
}

uint64_t host_clock_now_secs(const struct host_clock *clock)
{
    return clock->skipped_secs + host_clock_microseconds(clock) / TICK_MICROSECONDS;
}

struct timespec host_clock_time_of(const struct host_clock *clock, uint64_t secs)
{
    uint64_t microseconds = (secs - clock->skipped_secs) * TICK_MICROSECONDS;
    struct timespec time = clock->started;

    time.tv_sec += (time_t)(microseconds / 1000000);
    time.tv_nsec += (long)(microseconds % 1000000) * 1000;
    if (time.tv_nsec >= 1000000000L) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000L;
    }
    return time;
}

void host_clock_skip_to(struct host_clock *clock, uint64_t secs)
{
    uint64_t now_secs = host_clock_now_secs(clock);

    if (now_secs < secs)
        clock->skipped_secs += secs - now_secs;
}
