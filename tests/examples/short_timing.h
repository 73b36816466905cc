/*
 * Put before examples/file_scan/timing.h, whose place it takes: leases and heartbeats so short that workers that are
 * at work lose theirs all the time. The maintenance sleeps until something is due, and never less.
 */
#ifndef FILE_SCAN_TIMING_H
#define FILE_SCAN_TIMING_H

#define TICK_MICROSECONDS 200
#define LEASE_TTL_SECS 2
#define HEARTBEAT_TIMEOUT_SECS 2
#define HEARTBEAT_SECS 5
#define PROGRESS_SECS 5

#endif
