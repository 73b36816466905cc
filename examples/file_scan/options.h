/* The command line. */
#ifndef FILE_SCAN_OPTIONS_H
#define FILE_SCAN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
    size_t workers;
    size_t kill_workers;
    size_t batch_files;
    uint64_t seed;
    uint32_t fail_percent;
    uint32_t stall_percent;
    uint32_t retries;
    bool quiet;
    const char *timeline; /* null: none */
    char **paths;
    size_t path_count;
};

/* What main does with what options_parse() found. */
enum options_answer { OPTIONS_RUN, OPTIONS_HELP_SHOWN, OPTIONS_WRONG };

/* Fills *options. After OPTIONS_WRONG the reason and the usage are on stderr. */
enum options_answer options_parse(int argc, char **argv, struct options *options);

#endif
