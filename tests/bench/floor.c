/*
 * The floor: what a lifecycle cannot do without. Four times lock and unlock, one allocation with the copies of the
 * text, one validation, the links of two lists, one insertion into a hash table and one look-up, a lease and a
 * receipt filled. No checks, no order, no replies to mistakes. Ratios to it mean something on a noisy machine.
 */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct link {
    struct link *previous;
    struct link *next;
};

struct task {
    struct link link; /* first, so that a link is a task */
    struct task *next_in_bucket;
    uint64_t numbers[24];
    char text[]; /* task ID, NUL, scan ID, NUL, target reference, phases */
};

struct floor {
    pthread_mutex_t mutex;
    struct task **buckets;
    size_t bucket_count;
    struct link head;
    tvd_task_lease lease;
    tvd_completion_receipt receipt;
};

static bool is_valid(const char *id)
{
    size_t length = 0;

    for (; id[length] != '\0'; length++) {
        if (id[length] < '-' || id[length] > 'z')
            return false;
    }
    return length > 0 && length <= TVD_MAX_IDENTIFIER_BYTES;
}

static struct task **bucket_of(struct floor *floor, const char *id)
{
    uint32_t hash = 2166136261u;

    for (; *id != '\0'; id++)
        hash = (hash ^ (unsigned char)*id) * 16777619u;
    return &floor->buckets[hash % floor->bucket_count];
}

static struct task *make_task(const tvd_task_spec *spec, size_t id_size, size_t scan_size)
{
    struct task *task = malloc(sizeof *task + id_size + scan_size + spec->target_ref_size + spec->phases_count);

    if (task == NULL)
        bench_fail(TVD_ERROR_OUT_OF_MEMORY);
    memset(task, 0, sizeof *task);
    memcpy(task->text, spec->task_id, id_size);
    memcpy(task->text + id_size, spec->scan_id, scan_size);
    memcpy(task->text + id_size + scan_size, spec->target_ref, spec->target_ref_size);
    memcpy(task->text + id_size + scan_size + spec->target_ref_size, spec->phases, spec->phases_count);
    return task;
}

static void append(struct link *head, struct link *link)
{
    link->previous = head->previous;
    link->next = head;
    head->previous->next = link;
    head->previous = link;
}

static void take_out(struct link *link)
{
    link->previous->next = link->next;
    link->next->previous = link->previous;
}

static void enqueue(struct floor *floor, const tvd_task_spec *spec)
{
    struct task **bucket;
    struct task *task;

    if (!is_valid(spec->task_id))
        bench_fail(TVD_ERROR_INVALID_TASK);
    pthread_mutex_lock(&floor->mutex);
    task = make_task(spec, strlen(spec->task_id) + 1, strlen(spec->scan_id) + 1);
    bucket = bucket_of(floor, spec->task_id);
    task->next_in_bucket = *bucket;
    *bucket = task;
    append(&floor->head, &task->link);
    pthread_mutex_unlock(&floor->mutex);
}

static struct task *assign(struct floor *floor, const char *worker_id)
{
    struct task *task;

    pthread_mutex_lock(&floor->mutex);
    task = (struct task *)floor->head.next;
    take_out(&task->link);
    append(&floor->head, &task->link);
    memset(&floor->lease, 0, sizeof floor->lease);
    strcpy(floor->lease.private_task_id, task->text);
    strcpy(floor->lease.private_worker_id, worker_id);
    pthread_mutex_unlock(&floor->mutex);
    return task;
}

static void start(struct floor *floor)
{
    struct task *task;

    pthread_mutex_lock(&floor->mutex);
    task = *bucket_of(floor, floor->lease.private_task_id);
    while (strcmp(task->text, floor->lease.private_task_id) != 0)
        task = task->next_in_bucket;
    task->numbers[0] = 1;
    pthread_mutex_unlock(&floor->mutex);
}

static void complete(struct floor *floor, struct task *task)
{
    pthread_mutex_lock(&floor->mutex);
    task->numbers[0] = 2;
    take_out(&task->link);
    memset(&floor->receipt, 0, sizeof floor->receipt);
    strcpy(floor->receipt.private_task_id, task->text);
    strcpy(floor->receipt.private_worker_id, floor->lease.private_worker_id);
    pthread_mutex_unlock(&floor->mutex);
}

static void free_all(struct floor *floor)
{
    for (size_t i = 0; i < floor->bucket_count; i++) {
        while (floor->buckets[i] != NULL) {
            struct task *task = floor->buckets[i];

            floor->buckets[i] = task->next_in_bucket;
            free(task);
        }
    }
    pthread_mutex_destroy(&floor->mutex);
    free(floor->buckets);
    free(floor);
}

static void lifecycle(struct bench_run *run, const struct bench_size *size)
{
    struct floor *floor = bench_allocate(1, sizeof *floor);

    floor->bucket_count = 2 * size->tasks;
    floor->buckets = bench_allocate(floor->bucket_count, sizeof *floor->buckets);
    pthread_mutex_init(&floor->mutex, NULL);
    floor->head.previous = floor->head.next = &floor->head;
    bench_begin(run);
    for (size_t i = 0; i < size->tasks; i++) {
        struct task *task;

        enqueue(floor, bench_spec(i));
        task = assign(floor, bench_worker_id(0));
        start(floor);
        complete(floor, task);
    }
    bench_end(run, size->tasks);
    free_all(floor);
}

static void lock_unlock(struct bench_run *run, const struct bench_size *size)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

    bench_begin(run);
    for (size_t i = 0; i < size->tasks; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    bench_end(run, size->tasks);
    pthread_mutex_destroy(&mutex);
}

const struct bench_workload bench_floor[] = {
    { "floor.lifecycle.t4096", "ns", lifecycle, { .tasks = 4096 } },
    { "floor.lifecycle.t65536", "ns", lifecycle, { .tasks = 65536 } },
    { "floor.lock_unlock", "ns", lock_unlock, { .tasks = 4096 } },
    { .name = NULL },
};
