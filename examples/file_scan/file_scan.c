/*
 * file_scan: counts lines, words and bytes of every regular file under the given paths with a pool of worker threads,
 * and prints a table like that of wc. All coordination goes through libtermivar_dist, with drills in which attempts
 * fail, leases run out and workers fall silent.
 *
 *   options      the command line
 *   file_list    the walk: which files
 *   batch        one coordinator: admission, threads, results
 *   worker       what a worker thread does with a lease
 *   maintenance  what the main thread does meanwhile: heartbeats, recovery, time
 *   commands     each command under the revision of the moment
 *   count        the work itself
 *   timing       how long leases and heartbeats last
 *
 * Memory. The list of files grows with their number. Everything else is bounded: by the size of a batch, the number
 * of workers, and one block of a file for each of them.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "batch.h"
#include "options.h"

/* One coordinator after the other. False: given up. */
static bool run_batches(struct scan *scan)
{
    size_t number = 1;

    for (size_t first = 0; first < scan->list->count; number++) {
        size_t left = scan->list->count - first;
        size_t count = left < scan->options->batch_files ? left : scan->options->batch_files;

        if (!batch_run(scan, number, first, count))
            return false;
        first += count;
    }
    return true;
}

static void print_summary(const struct scan *scan)
{
    const struct scan_totals *totals = &scan->totals;

    fprintf(stderr,
            "file_scan: %" PRIu64 " counted, %" PRIu64 " failed, %zu skipped; %" PRIu64
            " attempts failed, %" PRIu64 " leases expired, %" PRIu64 " workers lost, %" PRIu64 " back\n",
            totals->counted, totals->failed + scan->list->unreadable, scan->list->skipped,
            totals->attempts_failed, totals->leases_expired, totals->workers_lost, totals->workers_back);
}

/* True if every file could be counted and everything was written. */
static bool scan_files(const struct options *options, const struct file_list *list)
{
    struct scan scan = { .options = options,
                         .list = list,
                         .shows_progress = !options->quiet && isatty(STDERR_FILENO) };
    bool complete;

    if (!timeline_open(&scan.timeline, options->timeline))
        return false;
    host_clock_start(&scan.clock);
    table_begin(&scan.table, list);
    complete = run_batches(&scan);
    if (complete)
        complete = table_total(&scan.table) && scan.totals.failed == 0 && list->unreadable == 0;
    if (!timeline_close(&scan.timeline))
        complete = false;
    if (!options->quiet)
        print_summary(&scan);
    return complete;
}

int main(int argc, char **argv)
{
    struct options options;
    struct file_list list;
    enum options_answer answer = options_parse(argc, argv, &options);
    bool complete;

    if (answer != OPTIONS_RUN)
        return answer == OPTIONS_HELP_SHOWN ? 0 : 2;
    file_list_walk(&list, options.paths, options.path_count);
    complete = scan_files(&options, &list);
    file_list_free(&list);
    return complete ? EXIT_SUCCESS : EXIT_FAILURE;
}
