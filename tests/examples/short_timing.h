/*
 * Put before examples/file_scan/timing.h, whose place it takes: leases and heartbeats so short that workers that are
 * at work lose theirs all the time.
 */
#ifndef FILE_SCAN_TIMING_H
#define FILE_SCAN_TIMING_H

#define TICK_MICROSECONDS 200
#define LEASE_TTL_SECS 2
#define HEARTBEAT_TIMEOUT_SECS 2
#define ROUND_MILLISECONDS 1

#endif
