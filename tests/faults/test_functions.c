/*
 * Every public function while memory runs out: it says so, leaves everything as it was, and succeeds when there is memory
 * again. What needs no memory does not notice.
 */
#include "stage.h"

/* Each allocation that the call makes fails in turn, once alone and once with all that would follow. */
static void fail_each_allocation(const struct function *function, bool keep_failing)
{
    static struct stage stage;

    for (size_t n = 1; n <= function->allocations; n++) {
        stage_open(&stage, function);
        test_memory_fail(&stage.world.memory, n, keep_failing);
        expect(&stage, TVD_ERROR_OUT_OF_MEMORY);
        stage_refuse(&stage, function);
        test_memory_stop_failing(&stage.world.memory);
        stage_accept(&stage, function);
        stage_close(&stage);
    }
}

static void every_function_survives_the_failure_of_each_allocation(void **state)
{
    size_t allocating = 0;

    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        fail_each_allocation(function, false);
        fail_each_allocation(function, true);
        allocating += function->allocations > 0;
    }
    assert_int_equal(allocating, 8); /* three creations, enqueue, register, store, aggregate, get_result */
}

/* The failure waits behind the last allocation, or before any where there is none. */
static void every_function_succeeds_without_more_memory_than_it_needs(void **state)
{
    static struct stage stage;

    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        stage_open(&stage, function);
        test_memory_fail(&stage.world.memory, function->allocations + 1, true);
        stage_accept(&stage, function);
        stage_close(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_survives_the_failure_of_each_allocation),
        cmocka_unit_test(every_function_succeeds_without_more_memory_than_it_needs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
