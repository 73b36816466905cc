/*
 * Reading results does not hold the store's mutex while memory is asked for or given back: an allocator that waits
 * until another thread has used the store would otherwise wait forever, and the alarm would end the test.
 */
#include "harness.h"

#include <termivar/distributed.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that can be told to wait in its next call until the gate is opened. */
typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool armed, reached, open;
} gate;

static void pass(gate *at)
{
    pthread_mutex_lock(&at->mutex);
    if (at->armed) {
        at->armed = false;
        at->reached = true;
        pthread_cond_broadcast(&at->changed);
        while (!at->open)
            pthread_cond_wait(&at->changed, &at->mutex);
    }
    pthread_mutex_unlock(&at->mutex);
}

static void arm(gate *at)
{
    pthread_mutex_lock(&at->mutex);
    at->armed = true;
    at->reached = at->open = false;
    pthread_mutex_unlock(&at->mutex);
}

static void wait_until_reached(gate *at)
{
    pthread_mutex_lock(&at->mutex);
    while (!at->reached)
        pthread_cond_wait(&at->changed, &at->mutex);
    pthread_mutex_unlock(&at->mutex);
}

static void open_gate(gate *at)
{
    pthread_mutex_lock(&at->mutex);
    at->open = true;
    pthread_cond_broadcast(&at->changed);
    pthread_mutex_unlock(&at->mutex);
}

static void *gated_allocate(size_t size, void *context)
{
    pass(context);
    return malloc(size);
}

static void gated_release(void *pointer, size_t size, void *context)
{
    (void)size;
    pass(context);
    free(pointer);
}

typedef struct store {
    gate gate;
    tvd_result_aggregator *results;
    uint64_t revision;
    tvd_completion_receipt receipts[8]; /* Of completed tasks; the first so many are stored. */
    size_t stored;
    tvd_result *result;
    tvd_aggregate *aggregate;
} store;

static void complete_one(tvd_worker_pool *pool, tvd_task_queue *queue, tvd_cursor *cursor, size_t number,
                         tvd_completion_receipt *receipt)
{
    char task_id[24];
    const tvd_task_spec spec = {
        .task_id = task_id, .scan_id = "scan", .target_ref = "t", .target_ref_size = 1
    };
    tvd_completion_outcome outcome;
    tvd_task_lease lease;

    snprintf(task_id, sizeof task_id, "task-%zu", number);
    CHECK(tvd_task_queue_enqueue(queue, cursor, &spec, NULL, NULL) == TVD_OK);
    CHECK(tvd_worker_pool_assign_next_available(pool, cursor, 60, &lease, NULL) == TVD_OK);
    CHECK(tvd_worker_pool_start_task(pool, cursor, &lease, NULL, NULL) == TVD_OK);
    CHECK(tvd_worker_pool_complete_task(pool, cursor, &lease, &outcome, NULL) == TVD_OK);
    *receipt = outcome.receipt;
}

static void make_receipts(store *made)
{
    const tvd_worker_spec worker = { .worker_id = "worker", .capacity = 1 };
    tvd_cursor cursor = { 0 };
    tvd_worker_pool *pool;
    tvd_task_queue *queue;

    CHECK(tvd_worker_pool_create(NULL, NULL, &pool, NULL) == TVD_OK);
    queue = tvd_worker_pool_task_queue(pool);
    CHECK(tvd_worker_pool_register_worker(pool, &cursor, &worker, NULL, NULL) == TVD_OK);
    for (size_t i = 0; i < sizeof made->receipts / sizeof made->receipts[0]; i++)
        complete_one(pool, queue, &cursor, i, &made->receipts[i]);
    tvd_task_queue_release(queue);
    tvd_worker_pool_release(pool);
}

static void store_next(store *at)
{
    CHECK(tvd_result_aggregator_store_result(at->results, &at->revision, &at->receipts[at->stored], "result", 6,
                                             NULL, NULL) == TVD_OK);
    at->stored++;
}

static void *get_result(void *context)
{
    store *at = context;

    CHECK(tvd_result_aggregator_get_result(at->results, "task-0", &at->result, NULL) == TVD_OK);
    CHECK(tvd_result_size(at->result) == 6 && memcmp(tvd_result_bytes(at->result), "result", 6) == 0);
    return NULL;
}

static void *aggregate_results(void *context)
{
    static const char *const task_ids[] = { "task-1", "task-0" };
    store *at = context;

    CHECK(tvd_result_aggregator_aggregate_results(at->results, task_ids, 2, &at->aggregate, NULL) == TVD_OK);
    CHECK(tvd_aggregate_count(at->aggregate) == 2 && tvd_aggregate_size(at->aggregate, 1) == 6);
    CHECK(memcmp(tvd_aggregate_bytes(at->aggregate, 0), "result", 6) == 0);
    return NULL;
}

static void *free_result(void *context)
{
    tvd_result_free(((store *)context)->result);
    return NULL;
}

static void *free_aggregate(void *context)
{
    tvd_aggregate_free(((store *)context)->aggregate);
    return NULL;
}

/* While the other thread is inside the allocator, everything else is done with the same store. */
static void use_store_during(store *at, void *(*reader)(void *))
{
    tvd_result_aggregator *retained;
    tvd_result *result = NULL;
    pthread_t thread;

    arm(&at->gate);
    CHECK(pthread_create(&thread, NULL, reader, at) == 0);
    wait_until_reached(&at->gate);

    retained = tvd_result_aggregator_retain(at->results);
    store_next(at);
    CHECK(tvd_result_aggregator_get_result(retained, "task-1", &result, NULL) == TVD_OK);
    CHECK(tvd_result_size(result) == 6);
    tvd_result_free(result);
    CHECK(tvd_result_aggregator_result_count(retained) == at->stored);
    CHECK(tvd_result_aggregator_check_invariants(retained, NULL) == TVD_OK);
    tvd_result_aggregator_release(retained);

    open_gate(&at->gate);
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(void)
{
    store at = { .revision = 0 };
    const tvd_allocator gated = { gated_allocate, gated_release, &at.gate };

    harness_begin(0, 60);
    CHECK(pthread_mutex_init(&at.gate.mutex, NULL) == 0 && pthread_cond_init(&at.gate.changed, NULL) == 0);
    make_receipts(&at);
    CHECK(tvd_result_aggregator_create(NULL, &gated, &at.results, NULL) == TVD_OK);
    store_next(&at);
    store_next(&at);

    use_store_during(&at, get_result);
    use_store_during(&at, aggregate_results);
    use_store_during(&at, free_result);
    use_store_during(&at, free_aggregate);
    CHECK(at.stored == 6 && tvd_result_aggregator_total_bytes(at.results) == 36);

    tvd_result_aggregator_release(at.results);
    pthread_cond_destroy(&at.gate.changed);
    pthread_mutex_destroy(&at.gate.mutex);
    return 0;
}
