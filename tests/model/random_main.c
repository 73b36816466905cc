/*
 * Random differential test: seeded command streams play on the library and on the model; every outcome and, after
 * every command, the whole visible state must agree.
 *
 *   test_model_random [--commands N] [--seed S] [--fault NAME] [--script FILE]
 *
 * TVD_MODEL_COMMANDS and TVD_MODEL_SEED override the first two. Run k has the seed S + k; a failure prints the seed
 * of its run, and TVD_MODEL_SEED with TVD_MODEL_COMMANDS=1 repeats that run alone. --fault plays against a model
 * with one deliberately wrong rule, which must be found. --script writes the shortened script of a failure to a
 * file, too. Exit status: 0 if all agree, 1 if not, 2 for a wrong call.
 */
#include "options.h"
#include "run.h"

#include "script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH_COMMANDS = 100000 /* From here on every answer must have been met. */
};

typedef struct settings {
    uint64_t commands;
    uint64_t seed;
    model_fault fault;
    const char *script;
} settings;

static bool read_environment(settings *set)
{
    const char *commands = getenv("TVD_MODEL_COMMANDS");
    const char *seed = getenv("TVD_MODEL_SEED");
    return (commands == NULL || options_read_number(commands, &set->commands)) &&
           (seed == NULL || options_read_number(seed, &set->seed));
}

static bool read_arguments(settings *set, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool fine = value != NULL;
        if (strcmp(argv[i], "--commands") == 0)
            fine = options_read_number(value, &set->commands);
        else if (strcmp(argv[i], "--seed") == 0)
            fine = options_read_number(value, &set->seed);
        else if (strcmp(argv[i], "--fault") == 0)
            fine = options_read_fault(value, &set->fault);
        else if (strcmp(argv[i], "--script") == 0)
            set->script = value;
        else
            fine = false;
        if (!fine)
            return false;
    }
    return true;
}

static bool play_all(run_record *record, void *context)
{
    const settings *set = context;
    for (uint64_t seed = set->seed; record->statistics.commands < set->commands; seed++) {
        if (!run_random(record, seed, set->fault, RUN_MAX_COMMANDS))
            return false;
    }
    return true;
}

static bool print_script(run_record *record, void *context)
{
    run_write_script(record, context);
    return fflush(context) == 0;
}

static void report(run_record *record, const settings *set)
{
    printf("seed %" PRIu64 ": disagreement at command %zu: %s\n", record->seed, record->count, record->why);
    printf("repeat it: TVD_MODEL_SEED=%" PRIu64 " TVD_MODEL_COMMANDS=1\n", record->seed);
    shrink(record);
    printf("shortened to %zu commands: %s\n\n", record->count, record->why);
    (void)run_in_child(record, print_script, stdout);
    printf("\n");
    FILE *file = set->script != NULL ? fopen(set->script, "w") : NULL;
    if (file == NULL)
        return;
    (void)run_in_child(record, print_script, file);
    fclose(file);
}

/* A status that cannot be met: success of everything would be as suspicious as these. */
static bool is_met_by_damage_only(unsigned status)
{
    return status == TVD_ERROR_OUT_OF_MEMORY || status == TVD_ERROR_STATE_INVARIANT;
}

static bool everything_was_met(const run_statistics *statistics)
{
    bool all = true;
    for (unsigned i = 0; i < RUN_STATUSES; i++) {
        if (statistics->statuses[i] == 0 && !is_met_by_damage_only(i)) {
            printf("never answered: %s\n", tvd_status_name((tvd_status)i));
            all = false;
        }
    }
    for (unsigned i = 0; i < OP_COUNT; i++) {
        if (statistics->successes[i] == 0) {
            printf("never succeeded: %s\n", script_op_name((operation)i));
            all = false;
        }
    }
    return all;
}

static void print_statistics(const run_statistics *statistics)
{
    uint64_t succeeded = statistics->statuses[TVD_OK];
    printf("%" PRIu64 " runs, %" PRIu64 " commands, %" PRIu64 " succeeded, %" PRIu64 " refused, 0 disagree\n",
           statistics->runs, statistics->commands, succeeded, statistics->commands - succeeded);
}

int main(int argc, char **argv)
{
    settings set = { .commands = 100000, .seed = 1 };
    run_record *record = run_record_create();
    if (!read_arguments(&set, argc, argv) || !read_environment(&set) || record == NULL) {
        fprintf(stderr, "usage: %s [--commands N] [--seed S] [--fault NAME] [--script FILE]\n", argv[0]);
        return 2;
    }
    generate_prepare();
    if (!run_in_child(record, play_all, &set)) {
        report(record, &set);
        return 1;
    }
    print_statistics(&record->statistics);
    return set.commands < ENOUGH_COMMANDS || everything_was_met(&record->statistics) ? 0 : 1;
}
