/*
 * The benchmark program.
 *
 *   bench [--json] [--repetitions N] [--callgrind] [PREFIX...]
 *
 * Prints "name value unit" for each workload whose name begins with one of the prefixes (all, if there are none).
 * Values are medians over repetitions, per operation. Repetitions go round over all workloads, so that a slow moment
 * of the machine strikes none of them alone. --callgrind runs each timed workload that has no threads once and dumps
 * the counts of its measured stretch under its name, for tests/bench/run --instructions.
 */
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef TVD_HAVE_CALLGRIND
#include <valgrind/callgrind.h>
#endif

enum { MOST_WORKLOADS = 128, MOST_REPETITIONS = 99, DEFAULT_REPETITIONS = 9 };

struct measured {
    const struct bench_workload *workload;
    double values[MOST_REPETITIONS];
};

struct options {
    bool json;
    bool under_callgrind;
    size_t repetitions;
    char **prefixes; /* ends with null */
};

static struct measured measured[MOST_WORKLOADS];
static size_t measured_count;

void bench_fail(tvd_status status)
{
    fprintf(stderr, "bench: a command answered %s\n", tvd_status_name(status));
    exit(1);
}

void *bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL)
        bench_fail(TVD_ERROR_OUT_OF_MEMORY);
    return memory;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#ifdef TVD_HAVE_CALLGRIND

static void start_counting(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
}

static void stop_counting(const char *name, size_t operations)
{
    char label[128];

    CALLGRIND_TOGGLE_COLLECT;
    snprintf(label, sizeof label, "%s %zu", name, operations);
    CALLGRIND_DUMP_STATS_AT(label);
    CALLGRIND_STOP_INSTRUMENTATION;
}

#else

static void start_counting(void)
{
    fprintf(stderr, "bench: built without valgrind/callgrind.h\n");
    exit(2);
}

static void stop_counting(const char *name, size_t operations)
{
    (void)name;
    (void)operations;
}

#endif

void bench_begin(struct bench_run *run)
{
    run->began_ns = now_ns();
    if (run->under_callgrind)
        start_counting();
}

void bench_end(struct bench_run *run, size_t operations)
{
    if (run->under_callgrind)
        stop_counting(run->name, operations);
    run->value = (double)(now_ns() - run->began_ns) / (double)operations;
}

void bench_number(struct bench_run *run, double value)
{
    run->value = value;
}

static bool is_timed(const struct bench_workload *workload)
{
    return strcmp(workload->unit, "ns") == 0;
}

static bool is_wanted(const struct bench_workload *workload, const struct options *options)
{
    if (options->under_callgrind && !is_timed(workload))
        return false;
    if (options->prefixes[0] == NULL)
        return true;
    for (size_t i = 0; options->prefixes[i] != NULL; i++) {
        if (strncmp(workload->name, options->prefixes[i], strlen(options->prefixes[i])) == 0)
            return true;
    }
    return false;
}

static void choose(const struct options *options)
{
    const struct bench_workload *const groups[] = {
        bench_floor,       bench_lifecycles, bench_assign,  bench_tokens,     bench_workers,
        bench_maintenance, bench_reads,      bench_results, bench_contention, bench_memory,
    };

    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        /* Instructions of threads that wait for each other would say nothing. */
        if (options->under_callgrind && groups[i] == bench_contention)
            continue;
        for (const struct bench_workload *workload = groups[i]; workload->name != NULL; workload++) {
            if (is_wanted(workload, options))
                measured[measured_count++].workload = workload;
        }
    }
}

static void measure(const struct options *options)
{
    for (size_t repetition = 0; repetition < options->repetitions; repetition++) {
        for (size_t i = 0; i < measured_count; i++) {
            const struct bench_workload *workload = measured[i].workload;
            struct bench_run run = { .name = workload->name, .under_callgrind = options->under_callgrind };

            workload->run(&run, &workload->size);
            measured[i].values[repetition] = run.value;
        }
    }
}

static int compare_values(const void *one, const void *other)
{
    const double *first = one;
    const double *second = other;

    return (*first > *second) - (*first < *second);
}

static double median(const double *values, size_t count)
{
    double sorted[MOST_REPETITIONS];

    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, compare_values);
    return sorted[count / 2];
}

static void print(const char *name, double value, const char *unit, bool json)
{
    static bool printed;

    if (json)
        printf("%s{\"name\": \"%s\", \"value\": %.3f, \"unit\": \"%s\"}", printed ? ",\n " : "[", name, value,
               unit);
    else
        printf("%s %.3f %s\n", name, value, unit);
    printed = true;
}

static const struct measured *find(const char *name)
{
    for (size_t i = 0; i < measured_count; i++) {
        if (strcmp(measured[i].workload->name, name) == 0)
            return &measured[i];
    }
    return NULL;
}

/* The median of the ratios of neighbours in time. */
static void print_ratio(const char *name, const char *above_name, const char *floor_name,
                        const struct options *options)
{
    const struct measured *floor = find(floor_name);
    const struct measured *above = find(above_name);
    double ratios[MOST_REPETITIONS];

    if (floor == NULL || above == NULL)
        return;
    for (size_t i = 0; i < options->repetitions; i++)
        ratios[i] = above->values[i] / floor->values[i];
    print(name, median(ratios, options->repetitions), "ratio", options->json);
}

static void print_all(const struct options *options)
{
    for (size_t i = 0; i < measured_count; i++)
        print(measured[i].workload->name, median(measured[i].values, options->repetitions),
              measured[i].workload->unit, options->json);
    print_ratio("lifecycle_over_floor.w1.t4096", "lifecycle.w1.t4096", "floor.lifecycle.t4096", options);
    print_ratio("lifecycle_over_floor.w4096.t4096", "lifecycle.w4096.t4096", "floor.lifecycle.t4096", options);
    print_ratio("lifecycle_over_floor.w1.t65536", "lifecycle.w1.t65536", "floor.lifecycle.t65536", options);
    if (options->json)
        printf("]\n");
}

static bool parse(char **arguments, struct options *options)
{
    *options = (struct options){ .repetitions = DEFAULT_REPETITIONS };
    for (; arguments[0] != NULL && strncmp(arguments[0], "--", 2) == 0; arguments++) {
        if (strcmp(arguments[0], "--json") == 0) {
            options->json = true;
        } else if (strcmp(arguments[0], "--callgrind") == 0) {
            options->under_callgrind = true;
        } else if (strcmp(arguments[0], "--repetitions") == 0 && arguments[1] != NULL) {
            options->repetitions = strtoul(arguments[1], NULL, 10);
            arguments++;
        } else {
            return false;
        }
    }
    options->prefixes = arguments;
    if (options->under_callgrind)
        options->repetitions = 1;
    return options->repetitions >= 1 && options->repetitions <= MOST_REPETITIONS;
}

int main(int argc, char **argv)
{
    struct options options;

    if (argc < 1 || !parse(argv + 1, &options)) {
        fprintf(stderr, "usage: bench [--json] [--repetitions 1..99] [--callgrind] [PREFIX...]\n");
        return 2;
    }
    bench_prepare_texts();
    choose(&options);
    if (measured_count == 0) {
        fprintf(stderr, "bench: no workload begins like that\n");
        return 2;
    }
    measure(&options);
    if (!options.under_callgrind)
        print_all(&options);
    return 0;
}
