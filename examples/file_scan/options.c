#define _POSIX_C_SOURCE 200809L
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include <termivar/distributed.h>

#define MAX_WORKERS 256

#define USAGE "Usage: file_scan [OPTIONS] [PATH...]"

static const char help_text[] = USAGE
    "\n"
    "Counts lines, words and bytes of every regular file under the paths (default: the current directory;\n"
    "with examples/run, the repository and its build/).\n"
    "Symbolic links are followed where they are named as a PATH, not where they are found below one.\n"
    "\n"
    "  --workers N         worker threads, 1 to 256 (default 4)\n"
    "  --retries R         retries of a file after its first attempt, 0 to 32 (default 3)\n"
    "  --batch N           files that one coordinator is given, 1 to 16384 (default 16384)\n"
    "  --quiet             no progress line and no summary on stderr\n"
    "  --timeline FILE     write the leases of each worker as Chrome trace events\n"
    "  --help              show this text\n"
    "\n"
    "Drills (the counts stay the same as long as the retries last):\n"
    "  --fail-percent P    this share of the attempts reports a failure, 0 to 100\n"
    "  --stall-percent P   this share of the attempts takes its lease and never reports, 0 to 100\n"
    "  --kill-workers K    in each batch so many workers fall silent with leases, and come back later\n"
    "  --seed S            choose which attempts fail and stall (default 1)\n"
    "\n"
    "Exit status: 0 if every file was counted, 1 if any could not be or the scan broke off, 2 for wrong "
    "usage.\n"
    "A file whose path is longer than 1024 bytes is named and skipped; that alone does not change the "
    "status.\n";

enum option_code {
    OPTION_WORKERS = 256, /* above every character: getopt_long() gives '?' for an option it does not know */
    OPTION_RETRIES,
    OPTION_BATCH,
    OPTION_QUIET,
    OPTION_TIMELINE,
    OPTION_HELP,
    OPTION_FAIL_PERCENT,
    OPTION_STALL_PERCENT,
    OPTION_KILL_WORKERS,
    OPTION_SEED
};

static const struct option long_options[] = {
    { "workers", required_argument, NULL, OPTION_WORKERS },
    { "retries", required_argument, NULL, OPTION_RETRIES },
    { "batch", required_argument, NULL, OPTION_BATCH },
    { "quiet", no_argument, NULL, OPTION_QUIET },
    { "timeline", required_argument, NULL, OPTION_TIMELINE },
    { "help", no_argument, NULL, OPTION_HELP },
    { "fail-percent", required_argument, NULL, OPTION_FAIL_PERCENT },
    { "stall-percent", required_argument, NULL, OPTION_STALL_PERCENT },
    { "kill-workers", required_argument, NULL, OPTION_KILL_WORKERS },
    { "seed", required_argument, NULL, OPTION_SEED },
    { NULL, 0, NULL, 0 },
};

static bool parse_number(const char *option, const char *text, uint64_t lowest, uint64_t highest,
                         uint64_t *value)
{
    char *end = NULL;
    unsigned long long number;

    errno = 0;
    number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < lowest || number > highest) {
        fprintf(stderr, "file_scan: --%s: '%s' is not a number from %llu to %llu\n", option, text,
                (unsigned long long)lowest, (unsigned long long)highest);
        return false;
    }
    *value = number;
    return true;
}

static bool parse_size(const char *option, const char *text, size_t lowest, size_t highest, size_t *value)
{
    uint64_t number;

    if (!parse_number(option, text, lowest, highest, &number))
        return false;
    *value = (size_t)number;
    return true;
}

static bool parse_u32(const char *option, const char *text, uint32_t highest, uint32_t *value)
{
    uint64_t number;

    if (!parse_number(option, text, 0, highest, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool take_option(int code, const char *value, struct options *options)
{
    switch (code) {
    case OPTION_WORKERS:
        return parse_size("workers", value, 1, MAX_WORKERS, &options->workers);
    case OPTION_RETRIES:
        return parse_u32("retries", value, TVD_MAX_RETRIES, &options->retries);
    case OPTION_BATCH:
        return parse_size("batch", value, 1, TVD_MAX_ACTIVE_TASKS, &options->batch_files);
    case OPTION_QUIET:
        options->quiet = true;
        return true;
    case OPTION_TIMELINE:
        options->timeline = value;
        return true;
    case OPTION_FAIL_PERCENT:
        return parse_u32("fail-percent", value, 100, &options->fail_percent);
    case OPTION_STALL_PERCENT:
        return parse_u32("stall-percent", value, 100, &options->stall_percent);
    case OPTION_KILL_WORKERS:
        return parse_size("kill-workers", value, 0, MAX_WORKERS, &options->kill_workers);
    case OPTION_SEED:
        return parse_number("seed", value, 0, UINT64_MAX, &options->seed);
    default:
        return false; /* getopt_long() has said what is wrong */
    }
}

static bool agree(const struct options *options)
{
    if (options->kill_workers <= options->workers)
        return true;
    fprintf(stderr, "file_scan: --kill-workers %zu: there are only %zu workers\n", options->kill_workers,
            options->workers);
    return false;
}

static enum options_answer refuse(void)
{
    fputs(USAGE "; see --help\n", stderr);
    return OPTIONS_WRONG;
}

enum options_answer options_parse(int argc, char **argv, struct options *options)
{
    static char current_directory[] = ".";
    static char *default_paths[] = { current_directory };
    int code;

    *options = (struct options){ .workers = 4, .retries = 3, .batch_files = TVD_MAX_ACTIVE_TASKS, .seed = 1 };
    while ((code = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (code == OPTION_HELP) {
            fputs(help_text, stdout);
            return OPTIONS_HELP_SHOWN;
        }
        if (!take_option(code, optarg, options))
            return refuse();
    }
    if (!agree(options))
        return refuse();
    options->paths = optind < argc ? argv + optind : default_paths;
    options->path_count = optind < argc ? (size_t)(argc - optind) : 1;
    return OPTIONS_RUN;
}
