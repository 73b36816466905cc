/*
 * Several threads play every command against one coordinator and one result store, with tokens from each other, and
 * read in between, while handles come and go. No update is lost: what was accepted, replayed in the order of the
 * revisions by one thread, gives the same tokens and the same state.
 */
#include "harness.h"
#include "journal.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 160, WORKERS = 6, KEPT = 12, PAGE = 7 };

typedef struct player {
    world at; /* Handles of its own. */
    prng random;
    uint64_t commands;
    journal written;
    uint64_t accepted[COMMAND_KINDS], refused, conflicts;
    tvd_task_ownership tokens[KEPT]; /* Its own former ones, mostly stale by now. */
    tvd_completion_receipt receipts[KEPT];
} player;

static uint64_t draw(player *self, uint64_t bound)
{
    return prng_below(&self->random, bound);
}

static void draw_task_id(player *self, char task_id[24])
{
    snprintf(task_id, 24, "task-%03u", (unsigned)draw(self, TASKS));
}

static void draw_worker_id(player *self, char worker_id[24])
{
    snprintf(worker_id, 24, "worker-%u", (unsigned)draw(self, WORKERS));
}

/* How often each command is drawn. */
static const unsigned weights[COMMAND_KINDS] = {
    [COMMAND_REGISTER_WORKER] = 4,
    [COMMAND_REACTIVATE_WORKER] = 6,
    [COMMAND_UPDATE_WORKER] = 12,
    [COMMAND_DEREGISTER_WORKER] = 2,
    [COMMAND_PRUNE_DEAD_WORKERS] = 1,
    [COMMAND_ENQUEUE] = 18,
    [COMMAND_ASSIGN_TASK] = 8,
    [COMMAND_ASSIGN_NEXT] = 8,
    [COMMAND_ASSIGN_NEXT_AVAILABLE] = 14,
    [COMMAND_START_TASK] = 18,
    [COMMAND_COMPLETE_TASK] = 14,
    [COMMAND_FAIL_TASK] = 10,
    [COMMAND_CANCEL_TASK] = 5,
    [COMMAND_RECOVER_EXPIRED_LEASES] = 3,
    [COMMAND_EXPIRE_OLD_TASKS] = 1,
    [COMMAND_STORE_RESULT] = 12,
};

static command_kind draw_kind(player *self)
{
    unsigned total = 0;
    uint64_t drawn;
    unsigned kind = 0;

    for (unsigned i = 0; i < COMMAND_KINDS; i++)
        total += weights[i];
    drawn = draw(self, total);
    while (drawn >= weights[kind])
        drawn -= weights[kind++];
    return (command_kind)kind;
}

/* A task in one of the statuses that bits tell, as any thread can read it; a few tries must do. */
static bool draw_task(player *self, unsigned status_bits, tvd_task *task)
{
    char task_id[24];
    bool found;

    for (int tries = 0; tries < 8; tries++) {
        draw_task_id(self, task_id);
        CHECK(tvd_task_queue_get_task(self->at.queue, task_id, task, &found, NULL) == TVD_OK);
        if (found && (status_bits >> task->status & 1) != 0)
            return true;
    }
    return false;
}

/* The token that a held task has now, or one of the player's former ones. */
static void draw_token(player *self, tvd_task_ownership *token)
{
    tvd_task task;

    if (draw(self, 4) > 0 &&
        draw_task(self, 1u << TVD_TASK_STATUS_LEASED | 1u << TVD_TASK_STATUS_RUNNING, &task))
        CHECK(tvd_task_ownership_of(&task, token));
    else
        *token = self->tokens[draw(self, KEPT)];
}

/* Of the worker as it is now, or one that is wrong. */
static uint64_t draw_generation(player *self, const char *worker_id)
{
    tvd_worker worker = { 0 };
    bool found;

    CHECK(tvd_worker_pool_get_worker(self->at.pool, worker_id, &worker, &found, NULL) == TVD_OK);
    return draw(self, 8) == 0 ? draw(self, 3) : worker.generation;
}

static bool needs_lease(command_kind kind)
{
    return kind == COMMAND_START_TASK || kind == COMMAND_COMPLETE_TASK || kind == COMMAND_FAIL_TASK;
}

/* The command, without its time; the token and the receipt are kept in the caller's storage. */
static void draw_command(player *self, command *drawn, tvd_task_ownership *token,
                         tvd_completion_receipt *receipt)
{
    tvd_task task;

    *drawn = (command){ .kind = draw_kind(self), .variety = prng_next(&self->random) };
    draw_task_id(self, drawn->task_id);
    if (drawn->kind == COMMAND_ASSIGN_TASK && draw_task(self, 1u << TVD_TASK_STATUS_QUEUED, &task))
        memcpy(drawn->task_id, task.task_id, sizeof drawn->task_id);
    draw_worker_id(self, drawn->worker_id);
    drawn->generation = draw_generation(self, drawn->worker_id);
    drawn->ttl_secs = 1 + draw(self, 60);
    if (drawn->kind == COMMAND_EXPIRE_OLD_TASKS)
        drawn->ttl_secs += 60;

    draw_token(self, token);
    if (needs_lease(drawn->kind) && tvd_task_ownership_kind(token) != TVD_OWNERSHIP_LEASE)
        drawn->kind = COMMAND_CANCEL_TASK;
    if (drawn->kind == COMMAND_CANCEL_TASK || needs_lease(drawn->kind))
        drawn->token = token;
    *receipt = self->receipts[draw(self, KEPT)];
    if (drawn->kind == COMMAND_STORE_RESULT)
        drawn->receipt = receipt;
}

static void keep(player *self, const answer *answered)
{
    if (tvd_task_ownership_kind(&answered->token) != TVD_OWNERSHIP_NONE)
        self->tokens[draw(self, KEPT)] = answered->token;
    if (tvd_completion_receipt_task_id(&answered->receipt)[0] != '\0')
        self->receipts[draw(self, KEPT)] = answered->receipt;
}

/* A thread that lost a race reads the state again, and acts on what it then is. */
static void act(player *self)
{
    tvd_task_ownership token;
    tvd_completion_receipt receipt;
    command drawn;
    answer answered;
    uint64_t passed_secs = draw(self, 20) == 0 ? draw(self, 20) : 0;

    draw_command(self, &drawn, &token, &receipt);
    do {
        tvd_state_snapshot snapshot;
        uint64_t revision;

        CHECK(tvd_task_queue_snapshot(self->at.queue, &snapshot, NULL) == TVD_OK);
        drawn.now_secs = snapshot.logical_time_secs + passed_secs;
        revision = drawn.kind == COMMAND_STORE_RESULT ? tvd_result_aggregator_revision(self->at.results)
                                                      : snapshot.revision;
        /* Another thread may act now; a time slice is long enough for thousands of commands. */
        if (draw(self, 2) == 0)
            sched_yield();
        play_command(&self->at, revision, &drawn, &answered);
        self->conflicts += answered.status == TVD_ERROR_REVISION_CONFLICT;
        CHECK(answered.status != TVD_ERROR_REVISION_CONFLICT || answered.error.actual > revision);
    } while (answered.status == TVD_ERROR_REVISION_CONFLICT);
    CHECK(answered.status != TVD_ERROR_STATE_INVARIANT && answered.status != TVD_ERROR_OUT_OF_MEMORY);
    if (answered.changed) {
        journal_add(&self->written, &drawn, &answered);
        self->accepted[drawn.kind]++;
    }
    self->refused += answered.status != TVD_OK;
    keep(self, &answered);
}

/* Pages in the order of their IDs; the counts of one moment agree with each other. */
static void read_listings(player *self)
{
    tvd_task tasks[PAGE];
    tvd_worker workers[PAGE];
    tvd_state_snapshot snapshot;
    uint64_t revision;
    size_t count;
    char after[24];

    draw_task_id(self, after);
    CHECK(tvd_task_queue_tasks(self->at.queue, after, tasks, PAGE, &count, &revision, NULL) == TVD_OK);
    for (size_t i = 0; i < count; i++)
        CHECK(strcmp(i == 0 ? after : tasks[i - 1].task_id, tasks[i].task_id) < 0);
    CHECK(tvd_worker_pool_snapshot(self->at.pool, &snapshot, NULL) == TVD_OK);
    CHECK(snapshot.revision >= revision);
    CHECK(snapshot.active_tasks + snapshot.terminal_tasks == snapshot.task_records);
    CHECK(snapshot.queued_tasks <= snapshot.active_tasks);
    CHECK(tvd_worker_pool_workers(self->at.pool, NULL, workers, PAGE, &count, &revision, NULL) == TVD_OK);
    CHECK(count >= snapshot.workers && revision >= snapshot.revision);
    for (size_t i = 0; i < count; i++)
        CHECK(workers[i].current_tasks <= workers[i].capacity);
}

static void read_heads(player *self)
{
    tvd_next_due next;
    tvd_worker worker;
    tvd_task task;
    bool found;
    tvd_status status;

    CHECK(tvd_task_queue_peek_next(self->at.queue, &task, &found, NULL) == TVD_OK);
    CHECK(!found || task.status == TVD_TASK_STATUS_QUEUED);
    status = tvd_worker_pool_get_available_worker(self->at.pool, UINT64_MAX, &worker, &found, NULL);
    CHECK(status == TVD_OK && !found); /* Then every heartbeat is stale. */
    CHECK(tvd_worker_pool_next_due(self->at.pool, 60, &next, NULL) == TVD_OK);
    CHECK(next.lease_recovery.ever || next.lease_recovery.at_secs == 0);
    CHECK(tvd_worker_pool_retained_bytes(self->at.pool) > 0);
}

static void read_results(player *self)
{
    const char *task_ids[2] = { tvd_completion_receipt_task_id(&self->receipts[0]),
                                tvd_completion_receipt_task_id(&self->receipts[1]) };
    tvd_result *result = NULL;
    tvd_aggregate *aggregate = NULL;

    if (task_ids[0][0] == '\0')
        return;
    CHECK(tvd_result_aggregator_get_result(self->at.results, task_ids[0], &result, NULL) == TVD_OK);
    CHECK(are_result_bytes(tvd_result_bytes(result), tvd_result_size(result)));
    tvd_result_free(result);
    if (tvd_result_aggregator_aggregate_results(self->at.results, task_ids, 2, &aggregate, NULL) == TVD_OK) {
        CHECK(tvd_aggregate_count(aggregate) == 2);
        for (size_t i = 0; i < 2; i++) {
            CHECK(strcmp(tvd_aggregate_task_id(aggregate, i), task_ids[i]) == 0);
            CHECK(are_result_bytes(tvd_aggregate_bytes(aggregate, i), tvd_aggregate_size(aggregate, i)));
        }
        tvd_aggregate_free(aggregate);
    }
}

static void check_invariants(player *self)
{
    CHECK(tvd_worker_pool_check_invariants(self->at.pool, NULL) == TVD_OK);
    CHECK(tvd_result_aggregator_check_invariants(self->at.results, NULL) == TVD_OK);
}

/* The player goes on with new handles on the same state, and gives its former ones back. */
static void change_handles(player *self)
{
    world next = { tvd_task_queue_worker_pool(self->at.queue), tvd_worker_pool_task_queue(self->at.pool),
                   tvd_result_aggregator_retain(self->at.results) };

    world_release(&self->at);
    self->at = next;
}

static void play(void *context)
{
    static void (*const others[])(player *) = { read_listings, read_heads, read_results, check_invariants,
                                                change_handles };
    player *self = context;

    for (uint64_t i = 0; i < self->commands; i++) {
        act(self);
        if (draw(self, 3) == 0)
            others[draw(self, sizeof others / sizeof others[0])](self);
    }
    world_release(&self->at);
}

static tvd_limits draw_limits(prng *random)
{
    tvd_limits limits = tvd_limits_default();

    limits.max_active_tasks = 8 + prng_below(random, 60);
    limits.max_queued_tasks = 1 + prng_below(random, limits.max_active_tasks);
    limits.max_retries = (uint32_t)prng_below(random, 4);
    limits.heartbeat_timeout_secs = 1 + prng_below(random, 120);
    limits.max_lease_ttl_secs = 60;
    return limits;
}

typedef struct tally {
    uint64_t accepted[COMMAND_KINDS], refused, conflicts;
} tally;

static void add_up(tally *total, const player *done)
{
    for (size_t kind = 0; kind < COMMAND_KINDS; kind++)
        total->accepted[kind] += done->accepted[kind];
    total->refused += done->refused;
    total->conflicts += done->conflicts;
}

static void run(uint64_t seed, uint64_t number, tally *total)
{
    prng random = prng_of(seed, number);
    tvd_limits limits = draw_limits(&random);
    size_t threads = (size_t)(2 + number % (MAX_THREADS - 1));
    player *players = calloc(MAX_THREADS, sizeof *players);
    journal journals[MAX_THREADS];
    world at;

    CHECK(players != NULL);
    world_create(&at, &limits, NULL);
    for (size_t i = 0; i < threads; i++) {
        players[i].at = world_retain(&at);
        players[i].random = prng_of(seed, (number + 1) * 1000 + i);
        players[i].commands = 2400 / threads;
    }
    run_together(play, players, sizeof *players, threads);
    for (size_t i = 0; i < threads; i++) {
        journals[i] = players[i].written;
        add_up(total, &players[i]);
    }
    journals_verify(journals, threads, &at, &limits);
    for (size_t i = 0; i < threads; i++)
        journal_free(&journals[i]);
    world_release(&at);
    free(players);
}

int main(void)
{
    uint64_t seed = harness_begin(20250101, 900);
    uint64_t rounds = harness_rounds("TVD_THREADS_ROUNDS", 21);
    tally total = { 0 };

    for (uint64_t i = 0; i < rounds; i++)
        run(seed, i, &total);
    printf("%" PRIu64 " rounds of 2 to 8 threads: %" PRIu64 " commands refused, %" PRIu64
           " conflicts; accepted:\n",
           rounds, total.refused, total.conflicts);
    for (size_t kind = 0; kind < COMMAND_KINDS; kind++) {
        printf("%8" PRIu64 " %s\n", total.accepted[kind], command_kind_name((command_kind)kind));
        CHECK(total.accepted[kind] > 0); /* Otherwise the test does not do what it says. */
    }
    return 0;
}
