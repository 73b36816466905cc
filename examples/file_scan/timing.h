/* How long everything lasts, in one place. */
#ifndef FILE_SCAN_TIMING_H
#define FILE_SCAN_TIMING_H

#include <termivar/distributed.h>

/* A logical second is a twentieth of a real one. */
#define TICK_MICROSECONDS 50000

/*
 * There is no renewal of a lease, so it must be longer than the longest run: the longest there is, more than an hour
 * of real time. Drills do not wait for it, since time in which nothing can happen is skipped.
 */
#define LEASE_TTL_SECS TVD_MAX_LEASE_TTL_SECS

/* A minute of real time: a loaded machine is not a dead worker. */
#define HEARTBEAT_TIMEOUT_SECS 1200

/* The longest between two heartbeats of a worker: two may be missed. */
#define HEARTBEAT_SECS (HEARTBEAT_TIMEOUT_SECS / 3)

/* How old the progress line may be: a quarter of a real second. */
#define PROGRESS_SECS 5

#endif
