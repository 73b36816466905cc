/*
 * Lifecycles by several threads at once. Each with a cursor of its own, which takes the state's revision from the
 * error and tries again when another thread was faster; or all with one cursor under a mutex of the host.
 */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>

enum { LIFECYCLES = 65536, MOST_THREADS = 4, WORKERS = 16 };

struct contest {
    struct bench_pool pool;
    pthread_barrier_t ready;
    pthread_mutex_t mutex; /* guards pool.at if the cursor is shared */
    bool cursor_is_shared;
    size_t each; /* lifecycles of one thread */
};

struct contestant {
    struct contest *contest;
    size_t first_task;
    tvd_cursor own;
    tvd_cursor *at;
    tvd_error error;
    uint64_t conflicts;
    pthread_t thread;
};

static void before(struct contestant *contestant)
{
    if (contestant->contest->cursor_is_shared)
        pthread_mutex_lock(&contestant->contest->mutex);
}

/* Whether the command has to be tried again. */
static bool after(struct contestant *contestant, tvd_status status)
{
    if (contestant->contest->cursor_is_shared)
        pthread_mutex_unlock(&contestant->contest->mutex);
    if (status != TVD_ERROR_REVISION_CONFLICT) {
        bench_must(status);
        return false;
    }
    contestant->conflicts += 1;
    contestant->at->revision = contestant->error.actual;
    return true;
}

static void live(struct contestant *contestant, const tvd_task_spec *spec)
{
    struct bench_pool *pool = &contestant->contest->pool;
    tvd_completion_outcome outcome;
    tvd_task_lease lease;
    tvd_status status;

    do {
        before(contestant);
        status = tvd_task_queue_enqueue(pool->queue, contestant->at, spec, NULL, &contestant->error);
    } while (after(contestant, status));
    do {
        before(contestant);
        status = tvd_worker_pool_assign_next_available(pool->pool, contestant->at, BENCH_LEASE_TTL_SECS, &lease,
                                                       &contestant->error);
    } while (after(contestant, status));
    do {
        before(contestant);
        status = tvd_worker_pool_start_task(pool->pool, contestant->at, &lease, NULL, &contestant->error);
    } while (after(contestant, status));
    do {
        before(contestant);
        status =
            tvd_worker_pool_complete_task(pool->pool, contestant->at, &lease, &outcome, &contestant->error);
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
        contestant->at = contest->cursor_is_shared ? &contest->pool.at : &contestant->own;
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

/* Tasks are the threads. The time is of all together, over all lifecycles. */
static uint64_t run_contest(struct bench_run *run, size_t threads, bool cursor_is_shared)
{
    struct contest contest = { .cursor_is_shared = cursor_is_shared, .each = LIFECYCLES / threads };
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
    run_contest(run, size->tasks, false);
}

static void shared_cursor(struct bench_run *run, const struct bench_size *size)
{
    run_contest(run, size->tasks, true);
}

static void conflicts(struct bench_run *run, const struct bench_size *size)
{
    bench_number(run, (double)run_contest(run, size->tasks, false) / LIFECYCLES);
}

const struct bench_workload bench_contention[] = {
    { "contended_own_cursors.t1", "ns", own_cursors, { .tasks = 1 } },
    { "contended_own_cursors.t2", "ns", own_cursors, { .tasks = 2 } },
    { "contended_own_cursors.t4", "ns", own_cursors, { .tasks = 4 } },
    { "contended_shared_cursor.t1", "ns", shared_cursor, { .tasks = 1 } },
    { "contended_shared_cursor.t2", "ns", shared_cursor, { .tasks = 2 } },
    { "contended_shared_cursor.t4", "ns", shared_cursor, { .tasks = 4 } },
    { "conflicts_per_lifecycle.t1", "conflicts", conflicts, { .tasks = 1 } },
    { "conflicts_per_lifecycle.t2", "conflicts", conflicts, { .tasks = 2 } },
    { "conflicts_per_lifecycle.t4", "conflicts", conflicts, { .tasks = 4 } },
    { .name = NULL },
};
