/*
 * Handles are released while other threads use other handles on the same state; states are made and given back by
 * every thread at once. The state lives exactly as long as its last handle, and nothing is leaked.
 */
#include "command.h"
#include "harness.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4 };

/* Relaxed, so that counting does not order the threads and hide a race of the library's. */
static atomic_size_t bytes_in_use;

static void *counting_allocate(size_t size, void *context)
{
    void *memory = malloc(size);

    (void)context;
    if (memory != NULL)
        atomic_fetch_add_explicit(&bytes_in_use, size, memory_order_relaxed);
    return memory;
}

static void counting_release(void *pointer, size_t size, void *context)
{
    (void)context;
    atomic_fetch_sub_explicit(&bytes_in_use, size, memory_order_relaxed);
    free(pointer);
}

static const tvd_allocator counting = { counting_allocate, counting_release, NULL };

typedef struct user {
    world at;
    prng random;
    unsigned number;
    unsigned accepted;
} user;

/* Admits a task of its own; a lost race is no matter here. */
static void use(user *self, const world *at)
{
    const unsigned char target = 1;
    char task_id[32];
    tvd_task_spec spec = {
        .task_id = task_id, .scan_id = "scan", .target_ref = &target, .target_ref_size = sizeof target
    };
    tvd_cursor cursor = { tvd_worker_pool_revision(at->pool), 0 };
    tvd_status status;

    snprintf(task_id, sizeof task_id, "task-%u-%u", self->number, self->accepted);
    status = tvd_task_queue_enqueue(at->queue, &cursor, &spec, NULL, NULL);
    CHECK(status == TVD_OK || status == TVD_ERROR_REVISION_CONFLICT);
    self->accepted += status == TVD_OK;
}

/* Retains and releases in every order, and ends with nothing. */
static void come_and_go(void *context)
{
    user *self = context;
    world held[4] = { self->at };
    size_t count = 1;

    for (unsigned i = 0; i < 200; i++) {
        const world *one = &held[prng_below(&self->random, count)];

        use(self, one);
        if (count < 4 && prng_below(&self->random, 2) == 0) {
            held[count] = world_retain(one);
            count++;
        } else if (count > 1) {
            world_release(&held[--count]);
        }
    }
    while (count > 0)
        world_release(&held[--count]);
}

/* The creator's own handle goes before the threads start; one handle keeps the state until all have ended. */
static void release_under_use(uint64_t seed, uint64_t round)
{
    tvd_limits limits = tvd_limits_default();
    user users[THREADS];
    world at, kept;
    tvd_state_snapshot snapshot;
    uint64_t accepted = 0;

    world_create(&at, &limits, &counting);
    kept = world_retain(&at);
    for (unsigned i = 0; i < THREADS; i++)
        users[i] = (user){ world_retain(&at), prng_of(seed, round * THREADS + i), i, 0 };
    world_release(&at);
    run_together(come_and_go, users, sizeof users[0], THREADS);

    for (unsigned i = 0; i < THREADS; i++)
        accepted += users[i].accepted;
    CHECK(tvd_task_queue_snapshot(kept.queue, &snapshot, NULL) == TVD_OK);
    CHECK(snapshot.task_records == accepted && snapshot.revision == accepted);
    CHECK(tvd_worker_pool_check_invariants(kept.pool, NULL) == TVD_OK);
    CHECK(atomic_load(&bytes_in_use) > 0);
    tvd_worker_pool_release(kept.pool);
    CHECK(tvd_task_queue_snapshot(kept.queue, &snapshot, NULL) == TVD_OK);
    tvd_task_queue_release(kept.queue);
    tvd_result_aggregator_release(kept.results);
    CHECK(atomic_load(&bytes_in_use) == 0);
}

/* Nobody keeps a handle: whichever thread releases last frees the state. */
static void last_one_frees(uint64_t seed, uint64_t round)
{
    tvd_limits limits = tvd_limits_default();
    user users[THREADS];
    world at;

    world_create(&at, &limits, &counting);
    for (unsigned i = 0; i < THREADS; i++)
        users[i] = (user){ world_retain(&at), prng_of(seed, round * THREADS + i), i, 0 };
    world_release(&at);
    run_together(come_and_go, users, sizeof users[0], THREADS);
    CHECK(atomic_load(&bytes_in_use) == 0);
}

/* Every thread makes states of its own and gives them back. */
static void churn(void *context)
{
    tvd_limits limits = tvd_limits_default();
    user *self = context;

    for (unsigned i = 0; i < 100; i++) {
        world own;

        world_create(&own, &limits, &counting);
        use(self, &own);
        CHECK(self->accepted == i + 1);
        world_release(&own);
    }
}

static void churn_together(uint64_t seed)
{
    user users[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        users[i] = (user){ { 0 }, prng_of(seed, i), i, 0 };
    run_together(churn, users, sizeof users[0], THREADS);
    CHECK(atomic_load(&bytes_in_use) == 0);
}

int main(void)
{
    uint64_t seed = harness_begin(42, 600);
    uint64_t rounds = harness_rounds("TVD_THREADS_ROUNDS", 20);

    for (uint64_t round = 0; round < rounds; round++) {
        release_under_use(seed, round);
        last_one_frees(seed, round);
        churn_together(seed);
    }
    printf("%" PRIu64 " rounds, nothing left behind\n", rounds);
    return 0;
}
