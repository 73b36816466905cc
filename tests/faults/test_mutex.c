/*
 * The system has no memory for a mutex: creation says so and leaves nothing behind.
 */
#include "stage.h"

#include <errno.h>
#include <pthread.h>

static bool fail_next;

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);

/* The linker puts this in the place of the system's function. */
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    if (fail_next) {
        fail_next = false;
        return ENOMEM;
    }
    return __real_pthread_mutex_init(mutex, attributes);
}

static void creation_without_a_mutex_is_out_of_memory(void **state)
{
    static const char *const names[] = { "worker_pool_create", "task_queue_create",
                                         "result_aggregator_create" };
    static struct stage stage;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct function *function = function_named(names[i]);
        size_t blocks;

        stage_open(&stage, function);
        blocks = stage.world.memory.blocks;
        expect(&stage, TVD_ERROR_OUT_OF_MEMORY);
        fail_next = true;
        stage_refuse(&stage, function);
        assert_false(fail_next);
        assert_int_equal(stage.world.memory.blocks, blocks);
        stage_accept(&stage, function);
        stage_close(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(creation_without_a_mutex_is_out_of_memory) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
