/*
 * Every reachable state of small worlds, breadth first: from each, every command with every token that was ever
 * given on the way to it.
 *
 *   test_model_explore quick|long [--states N] [--fault NAME]
 *
 * --states bounds the states of one world, and so does TVD_MODEL_STATES; a world that stays below it is explored to
 * the fixed point. --fault plays against a model with one deliberately wrong rule, which must be found. Exit status: 0 if all agree, 1 if not, 2 for a wrong call.
 */
#include "explore.h"
#include "options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    const world *worlds;
    unsigned count;
    uint64_t most_states;
    model_fault fault;
} job;

static void print_exploration(const world *w, const exploration *e)
{
    printf("%s: %" PRIu64 " states, %" PRIu64 " transitions, %" PRIu64 " accepted, %" PRIu64
           " refused with a touch of memory, depth %u, %s\n",
           w->name, e->states, e->transitions, e->accepted, e->touching, e->depth,
           e->is_complete ? "fixed point" : "stopped");
    fflush(stdout);
}

static bool explore_all(run_record *record, void *context)
{
    const job *j = context;
    exploration sum = { .is_complete = true };
    for (unsigned i = 0; i < j->count; i++) {
        exploration e;
        if (!explore(&j->worlds[i], j->fault, j->most_states, &e, record)) {
            printf("%s: disagreement at depth %u: %s\n", j->worlds[i].name, e.depth, record->why);
            return false;
        }
        print_exploration(&j->worlds[i], &e);
        sum.states += e.states;
        sum.transitions += e.transitions;
    }
    printf("%" PRIu64 " states, %" PRIu64 " transitions, 0 disagree\n", sum.states, sum.transitions);
    return true;
}

static bool print_script(run_record *record, void *context)
{
    run_write_script(record, context);
    return true;
}

static bool play_path(run_record *record, void *context)
{
    (void)context;
    return run_again(record);
}

static bool read_arguments(job *j, int argc, char **argv)
{
    const char *states = getenv("TVD_MODEL_STATES");
    bool is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    if (argc < 2 || argc % 2 != 0 || (!is_long && strcmp(argv[1], "quick") != 0))
        return false;
    j->worlds = is_long ? worlds_long : worlds_quick;
    j->count = is_long ? worlds_long_count : worlds_quick_count;
    for (int i = 2; i < argc; i += 2) {
        bool fine = false;
        if (strcmp(argv[i], "--states") == 0)
            fine = options_read_number(argv[i + 1], &j->most_states);
        else if (strcmp(argv[i], "--fault") == 0)
            fine = options_read_fault(argv[i + 1], &j->fault);
        if (!fine)
            return false;
    }
    return states == NULL || options_read_number(states, &j->most_states);
}

int main(int argc, char **argv)
{
    job j = { .most_states = 300000 };
    run_record *record = run_record_create();
    if (record == NULL || !read_arguments(&j, argc, argv)) {
        fprintf(stderr, "usage: %s quick|long [--states N] [--fault NAME]\n", argv[0]);
        return 2;
    }
    if (run_in_child(record, explore_all, &j))
        return 0;
    printf("%s\n", record->why);
    if (run_in_child(record, play_path, NULL))
        printf("the path alone does not repeat it\n");
    shrink(record);
    printf("shortened to %zu commands: %s\n\n", record->count, record->why);
    (void)run_in_child(record, print_script, stdout);
    return 1;
}
