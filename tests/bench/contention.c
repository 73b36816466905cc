/*
 * Lifecycles by several threads at once, in three ways: each thread with a cursor of its own, which takes the state's
 * revision from the error and tries again when another was faster; the same, but the revision is read before each
 * command; all with one cursor under a mutex of the host. And with or without work of their own between the commands,
 * about 1 us: without, the thread that has the mutex mostly gets it again, and conflicts are rare.
 */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>

enum { LIFECYCLES = 32768, MOST_THREADS = 4, WORKERS = 16, WORK = 1000 };

enum cursor_use { OWN, REFRESHED, SHARED };

struct contest {
    struct bench_pool pool;
    pthread_barrier_t ready;
    pthread_mutex_t mutex; /* guards pool.at if the cursor is shared */
    enum cursor_use use;
    size_t work; /* steps between the commands of one thread */
    size_t each; /* lifecycles of one thread */
};

struct contestant {
    struct contest *contest;
    size_t first_task;
    tvd_cursor own;
    tvd_cursor *at;
    tvd_error error;
    uint64_t conflicts;
    uint32_t worked;
    pthread_t thread;
};

/* The next step of the host's own program. */
static void work(struct contestant *contestant)
{
    volatile uint32_t *worked = &contestant->worked;
    uint32_t state = *worked;

    for (size_t i = 0; i < contestant->contest->work; i++)
        state = state * 1664525u + 1013904223u;
    *worked = state;
}

static void before(struct contestant *contestant)
{
    struct contest *contest = contestant->contest;

    if (contest->use == SHARED)
        pthread_mutex_lock(&contest->mutex);
    if (contest->use == REFRESHED)
        contestant->at->revision = tvd_worker_pool_revision(contest->pool.pool);
}

/* Whether the command has to be tried again. */
static bool after(struct contestant *contestant, tvd_status status)
{
    if (contestant->contest->use == SHARED)
        pthread_mutex_unlock(&contestant->contest->mutex);
    if (status != TVD_ERROR_REVISION_CONFLICT) {
        bench_must(status);
        work(contestant);
        return false;
    }
    contestant->conflicts += 1;
    contestant->at->revision = contestant->error.actual;
    return true;
}

static void live(struct contestant *contestant, const tvd_task_spec *spec)
{
    struct bench_pool *pool = &contestant->contest->pool;
    tvd_cursor *at = contestant->at;
    tvd_error *error = &contestant->error;
    tvd_completion_outcome outcome;
    tvd_task_lease lease;
    tvd_status status;

    do {
        before(contestant);
        status = tvd_task_queue_enqueue(pool->queue, at, spec, NULL, error);
    } while (after(contestant, status));
    do {
        before(contestant);
        status = tvd_worker_pool_assign_next_available(pool->pool, at, BENCH_LEASE_TTL_SECS, &lease, error);
    } while (after(contestant, status));
    do {
        before(contestant);
        status = tvd_worker_pool_start_task(pool->pool, at, &lease, NULL, error);
    } while (after(contestant, status));
    do {
        before(contestant);
        status = tvd_worker_pool_complete_task(pool->pool, at, &lease, &outcome, error);
    } while (after(contestant, status));
}

static void *compete(void *argument)
{
    struct contestant *contestant = argument;

    pthread_barrier_wait(&contestant->contest->ready);
    for (size_t i = 0; i < contestant->contest->each; i++)
        live(contestant, bench_spec(contestant->first_task + i));
    return NULL;
}

static void begin(struct contest *contest, struct contestant *contestants, size_t threads)
{
    bench_pool_open(&contest->pool, NULL);
    bench_pool_add_workers(&contest->pool, WORKERS, 4);
    pthread_mutex_init(&contest->mutex, NULL);
    pthread_barrier_init(&contest->ready, NULL, (unsigned)threads + 1);
    for (size_t i = 0; i < threads; i++) {
        struct contestant *contestant = &contestants[i];

        *contestant = (struct contestant){ .contest = contest, .first_task = i * contest->each };
        contestant->own = contest->pool.at;
        contestant->at = contest->use == SHARED ? &contest->pool.at : &contestant->own;
        if (pthread_create(&contestant->thread, NULL, compete, contestant) != 0)
            bench_fail(TVD_ERROR_OUT_OF_MEMORY);
    }
}

static uint64_t finish(struct contest *contest, struct contestant *contestants, size_t threads)
{
    uint64_t conflicts = 0;

    for (size_t i = 0; i < threads; i++) {
        pthread_join(contestants[i].thread, NULL);
        conflicts += contestants[i].conflicts;
    }
    pthread_barrier_destroy(&contest->ready);
    pthread_mutex_destroy(&contest->mutex);
    return conflicts;
}

/* The time is of all threads together, over all lifecycles. */
static uint64_t run_contest(struct bench_run *run, const struct bench_size *size, enum cursor_use use)
{
    size_t threads = size->tasks;
    struct contest contest = { .use = use, .work = size->touched, .each = LIFECYCLES / threads };
    struct contestant contestants[MOST_THREADS];
    uint64_t conflicts;

    begin(&contest, contestants, threads);
    bench_begin(run);
    pthread_barrier_wait(&contest.ready);
    conflicts = finish(&contest, contestants, threads);
    bench_end(run, LIFECYCLES);
    bench_pool_close(&contest.pool);
    return conflicts;
}

static void own_cursors(struct bench_run *run, const struct bench_size *size)
{
    run_contest(run, size, OWN);
}

static void refreshed_cursors(struct bench_run *run, const struct bench_size *size)
{
    run_contest(run, size, REFRESHED);
}

static void shared_cursor(struct bench_run *run, const struct bench_size *size)
{
    run_contest(run, size, SHARED);
}

static void own_conflicts(struct bench_run *run, const struct bench_size *size)
{
    bench_number(run, (double)run_contest(run, size, OWN) / LIFECYCLES);
}

static void refreshed_conflicts(struct bench_run *run, const struct bench_size *size)
{
    bench_number(run, (double)run_contest(run, size, REFRESHED) / LIFECYCLES);
}

/* The sizes: tasks are the threads, touched is the work. */
const struct bench_workload bench_contention[] = {
    { "contended_own.t1", "ns", own_cursors, { .tasks = 1 } },
    { "contended_own.t2", "ns", own_cursors, { .tasks = 2 } },
    { "contended_own.t4", "ns", own_cursors, { .tasks = 4 } },
    { "contended_refreshed.t1", "ns", refreshed_cursors, { .tasks = 1 } },
    { "contended_refreshed.t2", "ns", refreshed_cursors, { .tasks = 2 } },
    { "contended_refreshed.t4", "ns", refreshed_cursors, { .tasks = 4 } },
    { "contended_shared.t1", "ns", shared_cursor, { .tasks = 1 } },
    { "contended_shared.t2", "ns", shared_cursor, { .tasks = 2 } },
    { "contended_shared.t4", "ns", shared_cursor, { .tasks = 4 } },
    { "conflicts_own.t2", "conflicts", own_conflicts, { .tasks = 2 } },
    { "conflicts_own.t4", "conflicts", own_conflicts, { .tasks = 4 } },
    { "conflicts_refreshed.t2", "conflicts", refreshed_conflicts, { .tasks = 2 } },
    { "conflicts_refreshed.t4", "conflicts", refreshed_conflicts, { .tasks = 4 } },
    { "contended_own_working.t1", "ns", own_cursors, { .tasks = 1, .touched = WORK } },
    { "contended_own_working.t2", "ns", own_cursors, { .tasks = 2, .touched = WORK } },
    { "contended_own_working.t4", "ns", own_cursors, { .tasks = 4, .touched = WORK } },
    { "contended_refreshed_working.t1", "ns", refreshed_cursors, { .tasks = 1, .touched = WORK } },
    { "contended_refreshed_working.t2", "ns", refreshed_cursors, { .tasks = 2, .touched = WORK } },
    { "contended_refreshed_working.t4", "ns", refreshed_cursors, { .tasks = 4, .touched = WORK } },
    { "contended_shared_working.t1", "ns", shared_cursor, { .tasks = 1, .touched = WORK } },
    { "contended_shared_working.t2", "ns", shared_cursor, { .tasks = 2, .touched = WORK } },
    { "contended_shared_working.t4", "ns", shared_cursor, { .tasks = 4, .touched = WORK } },
    { "conflicts_own_working.t2", "conflicts", own_conflicts, { .tasks = 2, .touched = WORK } },
    { "conflicts_own_working.t4", "conflicts", own_conflicts, { .tasks = 4, .touched = WORK } },
    { "conflicts_refreshed_working.t2", "conflicts", refreshed_conflicts, { .tasks = 2, .touched = WORK } },
    { "conflicts_refreshed_working.t4", "conflicts", refreshed_conflicts, { .tasks = 4, .touched = WORK } },
    { .name = NULL },
};
