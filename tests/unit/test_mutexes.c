/*
 * Each state has one mutex, which goes with it.
 */
#include "world.h"

#include <pthread.h>

static size_t made;
static size_t destroyed;

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);

/* The linker puts these two in the place of the system's functions. */
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    made += 1;
    return __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    int error = __real_pthread_mutex_destroy(mutex);

    destroyed += error == 0;
    return error;
}

static void a_state_takes_its_mutex_along(void **state)
{
    const tvd_limits limits = tiny_limits();
    struct world world;

    (void)state;
    world_open(&world, &limits);
    assert_int_equal(made, 2); /* the coordinator's, behind two handles, and the aggregator's */
    assert_int_equal(destroyed, 0);
    world_close(&world);
    assert_int_equal(made, 2);
    assert_int_equal(destroyed, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_state_takes_its_mutex_along) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
