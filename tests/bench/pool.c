#include "pool.h"

#include <stdio.h>
#include <stdlib.h>

struct task_text {
    char task_id[14];
    char scan_id[10];
    char target_ref[32];
};

static struct task_text task_texts[BENCH_FULL_TASKS];
static tvd_task_spec specs[BENCH_FULL_TASKS];
static char worker_ids[BENCH_FULL_WORKERS][12];

static const uint8_t phases[] = { 1, 2, 3 };

void bench_prepare_texts(void)
{
    for (unsigned i = 0; i < BENCH_FULL_TASKS; i++) {
        struct task_text *text = &task_texts[i];

        snprintf(text->task_id, sizeof text->task_id, "task-%08u", i);
        snprintf(text->scan_id, sizeof text->scan_id, "scan-%04u", i / 4096);
        snprintf(text->target_ref, sizeof text->target_ref, "https://target.example/%08u", i);
        specs[i] = (tvd_task_spec){
            .task_id = text->task_id,
            .scan_id = text->scan_id,
            .target_ref = text->target_ref,
            .target_ref_size = sizeof text->target_ref - 1,
            .phases = phases,
            .phases_count = sizeof phases,
        };
    }
    for (unsigned i = 0; i < BENCH_FULL_WORKERS; i++)
        snprintf(worker_ids[i], sizeof worker_ids[i], "worker-%04u", i);
}

const tvd_task_spec *bench_spec(size_t number)
{
    return &specs[number];
}

const char *bench_worker_id(size_t number)
{
    return worker_ids[number];
}

uint32_t bench_scatter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

void bench_shuffle(size_t *numbers, size_t count)
{
    uint32_t state = 1;

    for (size_t i = 0; i < count; i++)
        numbers[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t other = bench_scatter(&state) % i;
        size_t number = numbers[i - 1];

        numbers[i - 1] = numbers[other];
        numbers[other] = number;
    }
}

void bench_pool_open(struct bench_pool *pool, const tvd_allocator *allocator)
{
    const tvd_limits limits = {
        .max_task_records = TVD_MAX_TASK_RECORDS,
        .max_active_tasks = TVD_MAX_ACTIVE_TASKS,
        .max_queued_tasks = TVD_MAX_QUEUED_TASKS,
        .max_terminal_tasks = TVD_MAX_TERMINAL_TASKS,
        .max_workers = TVD_MAX_WORKERS,
        .max_lease_ttl_secs = TVD_MAX_LEASE_TTL_SECS,
        .max_task_ttl_secs = TVD_MAX_TASK_TTL_SECS,
        .heartbeat_timeout_secs = BENCH_HEARTBEAT_TIMEOUT_SECS,
        .max_retries = 3,
    };

    *pool = (struct bench_pool){ .at = { .now_secs = 1 } };
    bench_must(tvd_worker_pool_create(&limits, allocator, &pool->pool, NULL));
    pool->queue = tvd_worker_pool_task_queue(pool->pool);
}

void bench_pool_close(struct bench_pool *pool)
{
    tvd_task_queue_release(pool->queue);
    tvd_worker_pool_release(pool->pool);
}

void bench_pool_add_workers(struct bench_pool *pool, size_t count, uint32_t capacity)
{
    for (size_t i = 0; i < count; i++) {
        const tvd_worker_spec spec = { .worker_id = bench_worker_id(i), .capacity = capacity };

        bench_must(tvd_worker_pool_register_worker(pool->pool, &pool->at, &spec, NULL, &pool->error));
    }
}

void bench_pool_enqueue(struct bench_pool *pool)
{
    bench_must(tvd_task_queue_enqueue(pool->queue, &pool->at, bench_spec(pool->tasks), NULL, &pool->error));
    pool->tasks += 1;
}

void bench_pool_assign(struct bench_pool *pool, uint64_t lease_ttl_secs, tvd_task_lease *lease)
{
    bench_must(
        tvd_worker_pool_assign_next_available(pool->pool, &pool->at, lease_ttl_secs, lease, &pool->error));
}

void bench_pool_start(struct bench_pool *pool, const tvd_task_lease *lease)
{
    bench_must(tvd_worker_pool_start_task(pool->pool, &pool->at, lease, NULL, &pool->error));
}

void bench_pool_complete(struct bench_pool *pool, const tvd_task_lease *lease)
{
    tvd_completion_outcome outcome;

    bench_must(tvd_worker_pool_complete_task(pool->pool, &pool->at, lease, &outcome, &pool->error));
}

void bench_pool_run_tasks(struct bench_pool *pool, size_t count)
{
    tvd_task_lease lease;

    for (size_t i = 0; i < count; i++) {
        bench_pool_enqueue(pool);
        bench_pool_assign(pool, BENCH_LEASE_TTL_SECS, &lease);
        bench_pool_start(pool, &lease);
        bench_pool_complete(pool, &lease);
    }
}

void bench_pool_lease_tasks(struct bench_pool *pool, size_t count, tvd_task_lease *leases)
{
    tvd_task_lease lease;

    for (size_t i = 0; i < count; i++) {
        bench_pool_enqueue(pool);
        bench_pool_assign(pool, BENCH_LEASE_TTL_SECS, leases == NULL ? &lease : &leases[i]);
    }
}

void bench_pool_open_full(struct bench_pool *pool)
{
    tvd_task_lease lease;

    bench_pool_open(pool, NULL);
    bench_pool_add_workers(pool, BENCH_FULL_WORKERS, 8);
    bench_pool_run_tasks(pool, BENCH_FULL_TASKS - BENCH_FULL_ACTIVE);
    for (size_t i = 0; i < BENCH_FULL_ACTIVE; i++) {
        bench_pool_enqueue(pool);
        bench_pool_assign(pool, BENCH_LEASE_TTL_SECS, &lease);
        if (i % 2 == 0)
            bench_pool_start(pool, &lease);
    }
}
