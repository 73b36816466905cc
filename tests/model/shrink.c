/*
 * Delta debugging: leaves out commands as long as the rest still fails, larger pieces first. Each attempt runs in a
 * child process, so that a crash or an endless loop of the library is a failure like any other.
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECS = 20, CHILD_DISAGREES = 3, PAIRS_UP_TO = 40 };

run_record *run_record_create(void)
{
    FILE *file = tmpfile();
    if (file == NULL || ftruncate(fileno(file), (off_t)sizeof(run_record)) != 0)
        return NULL;
    void *memory = mmap(NULL, sizeof(run_record), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    fclose(file);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Calls play in a child process. False if it returned false, or never returned. */
bool run_in_child(run_record *record, bool (*play)(run_record *record, void *context), void *context)
{
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    if (child == 0) {
        bool fine = play(record, context);
        fflush(stdout);
        _exit(fine ? 0 : CHILD_DISAGREES);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        fprintf(stderr, "no child process\n");
        exit(2);
    }
    bool disagrees = WIFEXITED(status) && WEXITSTATUS(status) == CHILD_DISAGREES;
    if (status != 0 && !disagrees) {
        record->failed = true;
        snprintf(record->why, sizeof record->why, "it crashed (wait status %d)", status);
    }
    return status == 0;
}

static bool play_again(run_record *record, void *context)
{
    (void)context;
    alarm(CHILD_SECS);
    if (freopen("/dev/null", "w", stderr) == NULL)
        return true;
    return run_again(record);
}

/* Copies all of the record's commands but those from first on, so many, to the end of the attempt's. */
static void copy_without(const run_record *record, run_record *attempt, size_t first, size_t many)
{
    memcpy(attempt->commands, record->commands, first * sizeof record->commands[0]);
    memcpy(attempt->commands + first, record->commands + first + many,
           (record->count - first - many) * sizeof record->commands[0]);
    attempt->count = record->count - many;
}

/* Takes the attempt over into the record if it fails, too. */
static bool keep_if_it_fails(run_record *record, run_record *attempt)
{
    attempt->seed = record->seed;
    attempt->options = record->options;
    attempt->is_big = false;
    attempt->failed = false;
    if (run_in_child(attempt, play_again, NULL))
        return false;
    memcpy(record->commands, attempt->commands, attempt->count * sizeof record->commands[0]);
    record->count = attempt->count;
    record->is_big = false;
    memcpy(record->why, attempt->why, sizeof record->why);
    return true;
}

static bool leave_out(run_record *record, run_record *attempt, size_t first, size_t many)
{
    copy_without(record, attempt, first, many);
    return keep_if_it_fails(record, attempt);
}

static bool leave_out_two(run_record *record, run_record *attempt, size_t first, size_t second)
{
    copy_without(record, attempt, first, 1);
    memmove(attempt->commands + second - 1, attempt->commands + second,
            (attempt->count - second) * sizeof attempt->commands[0]);
    attempt->count -= 1;
    return keep_if_it_fails(record, attempt);
}

static bool pass(run_record *record, run_record *attempt, size_t many)
{
    bool any = false;
    for (size_t end = record->count; end > 0;) {
        size_t first = end > many ? end - many : 0;
        if (end <= record->count && leave_out(record, attempt, first, end - first))
            any = true;
        end = first < record->count ? first : record->count;
    }
    return any;
}

/* Two commands may only go together: a worker's leaving and its coming back, for example. */
static bool pass_pairs(run_record *record, run_record *attempt)
{
    bool any = false;
    if (record->count > PAIRS_UP_TO)
        return false;
    for (size_t first = 0; first < record->count; first++) {
        for (size_t second = first + 1; second < record->count; second++) {
            if (leave_out_two(record, attempt, first, second))
                any = true;
        }
    }
    return any;
}

/* Prefers commands that the trace format has words for, if they fail as well. */
static void straighten(run_record *record, run_record *attempt)
{
    for (size_t i = 0; i < record->count; i++) {
        copy_without(record, attempt, 0, 0);
        command *c = &attempt->commands[i];
        if (c->nulls == 0 && c->token.alteration == ALTERATION_NONE)
            continue;
        c->nulls = 0;
        c->token.alteration = ALTERATION_NONE;
        (void)keep_if_it_fails(record, attempt);
    }
}

void shrink(run_record *record)
{
    run_record *attempt = run_record_create();
    if (attempt == NULL)
        return;
    for (size_t many = record->count / 2 + 1; many > 1; many = many / 2)
        (void)pass(record, attempt, many);
    while (pass(record, attempt, 1) || pass_pairs(record, attempt)) {
    }
    straighten(record, attempt);
    (void)munmap(attempt, sizeof *attempt);
}
