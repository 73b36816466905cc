/*
 * The parts of the benchmark program. A workload prepares what it needs, measures one stretch of operations and
 * gives everything back; the program runs each of them several times and prints the median per operation.
 */
#ifndef TVD_BENCH_H
#define TVD_BENCH_H

#include "termivar/distributed.h"

/* One repetition of one workload. */
struct bench_run {
    const char *name;
    bool under_callgrind;
    uint64_t began_ns;
    double value;
};

struct bench_size {
    size_t tasks;   /* or results, or threads: what the workload says */
    size_t workers; /* likewise */
    size_t touched; /* how many of the tasks the measured command changes */
};

typedef void bench_workload_run(struct bench_run *run, const struct bench_size *size);

struct bench_workload {
    const char *name;
    const char *unit; /* "ns": is timed; any other: a number of its own */
    bench_workload_run *run;
    struct bench_size size;
};

/* The measured stretch. */
void bench_begin(struct bench_run *run);
void bench_end(struct bench_run *run, size_t operations);

/* The value of a workload that is not timed. */
void bench_number(struct bench_run *run, double value);

_Noreturn void bench_fail(tvd_status status);

/* A benchmark of commands that fail would measure something else. */
static inline void bench_must(tvd_status status)
{
    if (status != TVD_OK)
        bench_fail(status);
}

void *bench_allocate(size_t count, size_t size);

/* Each is an array that ends with a null name. */
extern const struct bench_workload bench_floor[];
extern const struct bench_workload bench_lifecycles[];
extern const struct bench_workload bench_maintenance[];
extern const struct bench_workload bench_workers[];
extern const struct bench_workload bench_assign[];
extern const struct bench_workload bench_tokens[];
extern const struct bench_workload bench_reads[];
extern const struct bench_workload bench_results[];
extern const struct bench_workload bench_contention[];
extern const struct bench_workload bench_memory[];

#endif
