/*
 * What is taken from the system goes back to it: a mutex that was locked after each call; with the state the mutex
 * itself, and memory where no allocator is given.
 */
#include "stage.h"

#include <pthread.h>
#include <stdlib.h>

static size_t mutexes_made;
static size_t mutexes_destroyed;
static size_t locked; /* now, of all mutexes: nothing needs two at a time */
static size_t locks;
static size_t lock_mistakes;
static size_t blocks_taken;
static size_t blocks_given_back;

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void __real_free(void *pointer);
void __wrap_free(void *pointer);

/* The linker puts these in the place of the system's functions. */
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    mutexes_made += 1;
    return __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    int error = __real_pthread_mutex_destroy(mutex);

    mutexes_destroyed += error == 0;
    return error;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    lock_mistakes += locked != 0;
    locked += 1;
    locks += 1;
    return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    lock_mistakes += locked != 1;
    locked -= 1;
    return __real_pthread_mutex_unlock(mutex);
}

void *__wrap_malloc(size_t size)
{
    blocks_taken += 1;
    return __real_malloc(size);
}

void __wrap_free(void *pointer)
{
    blocks_given_back += 1;
    __real_free(pointer);
}

/* All that look at a state, and those that cannot fail. */
static void every_call_locks_and_then_unlocks(void **state)
{
    static struct stage stage;

    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        stage_open(&stage, function);
        stage_accept(&stage, function);
        stage_close(&stage);
        assert_int_equal(locked, 0);
    }
    stage_open(&stage, function_named("worker_pool_start_task"));
    locks = 0;
    tvd_worker_pool_revision(stage.world.pool);
    tvd_worker_pool_retained_bytes(stage.world.pool);
    tvd_result_aggregator_revision(stage.world.results);
    tvd_result_aggregator_result_count(stage.world.results);
    tvd_result_aggregator_total_bytes(stage.world.results);
    tvd_result_aggregator_retained_bytes(stage.world.results);
    assert_int_equal(locks, 6);
    stage_close(&stage);
    assert_int_equal(locked, 0);
    assert_int_equal(lock_mistakes, 0);
}

static void a_state_takes_its_mutex_along(void **state)
{
    const tvd_limits limits = tiny_limits();
    struct world world;

    (void)state;
    mutexes_made = 0;
    mutexes_destroyed = 0;
    world_open(&world, &limits);
    assert_int_equal(mutexes_made, 2); /* the coordinator's, behind two handles, and the aggregator's */
    assert_int_equal(mutexes_destroyed, 0);
    world_close(&world);
    assert_int_equal(mutexes_made, 2);
    assert_int_equal(mutexes_destroyed, 2);
}

static void a_state_without_an_allocator_gives_its_memory_back(void **state)
{
    const tvd_limits limits = tiny_limits();
    tvd_worker_pool *pool = NULL;
    size_t taken;
    size_t given_back;

    (void)state;
    blocks_taken = 0;
    blocks_given_back = 0;
    assert_ok(tvd_worker_pool_create(&limits, NULL, &pool, NULL));
    taken = blocks_taken;
    tvd_worker_pool_release(pool);
    given_back = blocks_given_back;
    assert_int_equal(taken, 1);
    assert_int_equal(given_back, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_locks_and_then_unlocks),
        cmocka_unit_test(a_state_takes_its_mutex_along),
        cmocka_unit_test(a_state_without_an_allocator_gives_its_memory_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
