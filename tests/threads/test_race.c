/*
 * Two threads act on the same expected revision at the same time, round after round. Each of the two commands would
 * be accepted if it were alone; exactly one of them is, and the other is told both revisions and changes nothing.
 */
#include "harness.h"
#include "journal.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RACERS = 2 };

/* What a racer tells the other about its round. */
typedef struct finish {
    bool won;
    tvd_task_ownership token;
    tvd_completion_receipt receipt;
} finish;

typedef struct race {
    world at;
    uint64_t rounds;
    pthread_barrier_t barrier;
    finish finishes[2][RACERS]; /* Those of the last round are read while those of this one are written. */
} race;

typedef struct racer {
    race *race;
    size_t lane;
    journal written;
    uint64_t won;
    /* What the round before left behind, the same for both racers. */
    uint64_t revision, result_revision;
    tvd_task_ownership token;
    tvd_completion_receipt receipt;
} racer;

/* The steps of a task's life, so that both racers always have something acceptable to do. */
enum step { STEP_ENQUEUE, STEP_HEARTBEAT, STEP_ASSIGN, STEP_START, STEP_END, STEP_STORE, STEP_MAINTAIN, STEPS };

static command_kind kind_of(const racer *self, uint64_t round)
{
    static const command_kind maintenance[] = { COMMAND_RECOVER_EXPIRED_LEASES, COMMAND_PRUNE_DEAD_WORKERS,
                                                COMMAND_EXPIRE_OLD_TASKS };
    uint64_t cycle = round / STEPS;

    switch ((enum step)(round % STEPS)) {
    case STEP_ENQUEUE:
        return COMMAND_ENQUEUE;
    case STEP_HEARTBEAT:
        return COMMAND_UPDATE_WORKER;
    case STEP_ASSIGN:
        return (cycle + self->lane) % 2 == 0 ? COMMAND_ASSIGN_NEXT : COMMAND_ASSIGN_NEXT_AVAILABLE;
    case STEP_START:
        return COMMAND_START_TASK;
    case STEP_END:
        if ((cycle + self->lane) % 2 == 0)
            return COMMAND_COMPLETE_TASK;
        return cycle % 4 < 2 ? COMMAND_FAIL_TASK : COMMAND_CANCEL_TASK;
    case STEP_STORE:
        if (tvd_completion_receipt_task_id(&self->receipt)[0] != '\0')
            return COMMAND_STORE_RESULT;
        break;
    case STEP_MAINTAIN:
    case STEPS:
        break;
    }
    return maintenance[(cycle + self->lane) % 3];
}

static command command_of(const racer *self, uint64_t round)
{
    command chosen = {
        .kind = kind_of(self, round),
        .now_secs = 1 + round / 1000,
        .generation = 1,
        .ttl_secs = TVD_MAX_LEASE_TTL_SECS,
        /* Healthy and without load, other sizes and bytes in each lane. */
        .variety = 7 + 8 * (round % 5) + self->lane,
        .token = &self->token,
        .receipt = &self->receipt,
    };

    snprintf(chosen.task_id, sizeof chosen.task_id, "task-%zu-%" PRIu64, self->lane, round);
    snprintf(chosen.worker_id, sizeof chosen.worker_id, "worker-%zu", self->lane);
    return chosen;
}

static void check_lost(const answer *answered, uint64_t expected_revision)
{
    CHECK(answered->status == TVD_ERROR_REVISION_CONFLICT);
    CHECK(answered->error.expected == expected_revision);
    CHECK(answered->error.actual == expected_revision + 1);
    CHECK(answered->revision == expected_revision);
}

static void take_over(racer *self, const finish *winner, bool stored)
{
    if (stored) {
        self->result_revision++;
        return;
    }
    self->revision++;
    if (tvd_task_ownership_kind(&winner->token) == TVD_OWNERSHIP_LEASE)
        self->token = winner->token;
    self->receipt = winner->receipt;
}

static void run_round(racer *self, uint64_t round)
{
    finish *finishes = self->race->finishes[round % 2];
    finish *own = &finishes[self->lane];
    const command chosen = command_of(self, round);
    bool stores = chosen.kind == COMMAND_STORE_RESULT;
    uint64_t revision = stores ? self->result_revision : self->revision;
    answer answered;

    pthread_barrier_wait(&self->race->barrier);
    play_command(&self->race->at, revision, &chosen, &answered);
    *own = (finish){ answered.changed, answered.token, answered.receipt };
    if (answered.changed)
        journal_add(&self->written, &chosen, &answered);
    else
        check_lost(&answered, revision);
    self->won += answered.changed;

    pthread_barrier_wait(&self->race->barrier);
    CHECK(finishes[0].won != finishes[1].won);
    take_over(self, &finishes[finishes[0].won ? 0 : 1], stores);
}

static void run_racer(void *context)
{
    racer *self = context;

    for (uint64_t round = 0; round < self->race->rounds; round++)
        run_round(self, round);
}

/* A worker for each lane, with room for every lease. */
static uint64_t admit_workers(const world *at, journal *written)
{
    command admission = { .kind = COMMAND_REGISTER_WORKER, .now_secs = 1, .variety = 7 };
    answer answered;

    for (unsigned lane = 0; lane < RACERS; lane++) {
        snprintf(admission.worker_id, sizeof admission.worker_id, "worker-%u", lane);
        play_command(at, lane, &admission, &answered);
        CHECK(answered.changed);
        journal_add(written, &admission, &answered);
    }
    return answered.revision;
}

int main(void)
{
    tvd_limits limits = tvd_limits_default();
    race run = { .rounds = harness_rounds("TVD_THREADS_RACES", 100000) };
    racer racers[RACERS] = { 0 };
    journal journals[RACERS];

    harness_begin(0, 600);
    limits.max_task_records = TVD_MAX_TASK_RECORDS;
    limits.max_terminal_tasks = TVD_MAX_TERMINAL_TASKS;
    limits.max_active_tasks = TVD_MAX_ACTIVE_TASKS;
    limits.max_queued_tasks = TVD_MAX_QUEUED_TASKS;
    limits.max_lease_ttl_secs = TVD_MAX_LEASE_TTL_SECS;
    limits.max_task_ttl_secs = TVD_MAX_TASK_TTL_SECS;
    limits.heartbeat_timeout_secs = TVD_MAX_HEARTBEAT_TIMEOUT_SECS;
    world_create(&run.at, &limits, NULL);
    CHECK(pthread_barrier_init(&run.barrier, NULL, RACERS) == 0);
    for (size_t lane = 0; lane < RACERS; lane++)
        racers[lane] = (racer){ .race = &run, .lane = lane };
    racers[0].revision = racers[1].revision = admit_workers(&run.at, &racers[0].written);

    run_together(run_racer, racers, sizeof racers[0], RACERS);

    for (size_t lane = 0; lane < RACERS; lane++)
        journals[lane] = racers[lane].written;
    CHECK(racers[0].won + racers[1].won == run.rounds);
    journals_verify(journals, RACERS, &run.at, &limits);
    printf("%" PRIu64 " rounds, won by the one %" PRIu64 ", by the other %" PRIu64 "\n", run.rounds,
           racers[0].won, racers[1].won);
    for (size_t lane = 0; lane < RACERS; lane++)
        journal_free(&journals[lane]);
    pthread_barrier_destroy(&run.barrier);
    world_release(&run.at);
    return 0;
}
