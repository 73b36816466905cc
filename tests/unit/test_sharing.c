/*
 * Inputs that lie where an output goes: a call must answer as if they lay elsewhere. The errors tests try the same with
 * the error.
 */
#include "sharing.h"

#include <stdlib.h>
#include <string.h>

/* Where a function writes, if it has such a parameter. */
struct writable {
    size_t offset; /* within struct stage, of the pointer */
    size_t size;
    bool is_object; /* a pointer to something new, which differs from call to call */
};

#define ARGUMENT(member) offsetof(struct stage, arguments.member)
#define OUTPUT(member) ARGUMENT(member), sizeof(((struct outputs *)NULL)->member)

static const struct writable writables[] = {
    { OUTPUT(worker), false },       { OUTPUT(workers), false },       { OUTPUT(task), false },
    { OUTPUT(tasks), false },        { OUTPUT(found), false },         { OUTPUT(count), false },
    { OUTPUT(expired), false },      { OUTPUT(page_revision), false }, { OUTPUT(new_lease), false },
    { OUTPUT(start), false },        { OUTPUT(completion), false },    { OUTPUT(failure), false },
    { OUTPUT(cancellation), false }, { OUTPUT(summary), false },       { OUTPUT(snapshot), false },
    { OUTPUT(next), false },         { OUTPUT(store), false },         { OUTPUT(new_pool), true },
    { OUTPUT(new_queue), true },     { OUTPUT(new_aggregator), true }, { OUTPUT(aggregate), true },
    { OUTPUT(result), true },
};

/* What one call leaves: the bytes where the output goes, and the state. */
struct effect {
    unsigned char written[sizeof(struct outputs)];
    struct dump dump;
};

static bool writes_object(const struct function *function, const struct writable *writable)
{
    for (size_t i = 0; function->required[i].detail != TVD_DETAIL_NONE; i++) {
        if (function->required[i].offset == writable->offset)
            return true;
    }
    return false;
}

/* Calls on a stage of its own, with the output in a room of garbage, and the input there too unless it is null. */
static void try_call(const struct function *function, const struct writable *writable,
                     const struct readable *readable, int garbage, struct effect *effect)
{
    static struct stage stage;
    void *room = malloc(sizeof stage.outputs);
    void *home;

    assert_non_null(room);
    memset(room, garbage, sizeof stage.outputs);
    stage_open(&stage, function);
    memcpy(&home, (char *)&stage + writable->offset, sizeof home);
    memcpy((char *)&stage + writable->offset, &room, sizeof room);
    if (readable != NULL)
        stage_move(&stage, readable, room);
    assert_ok(function->call(&stage.arguments, NULL));
    memcpy(effect->written, room, sizeof effect->written);
    dump_take(&stage.world, &effect->dump);
    if (writable->is_object && writes_object(function, writable))
        memcpy(home, room, writable->size);
    stage_give_back(&stage);
    free(room);
    stage_close(&stage);
}

/* The bytes that a call writes are those that are the same over two kinds of garbage. */
static size_t find_written(const struct effect *over_zeros, const struct effect *over_ones, bool *is_written,
                           size_t size)
{
    size_t count = 0;

    for (size_t i = 0; i < size; i++) {
        is_written[i] = over_zeros->written[i] == over_ones->written[i];
        count += is_written[i];
    }
    return count;
}

/* Gives whether the function has this output. */
static bool share(const struct function *function, const struct writable *writable)
{
    static struct effect over_zeros;
    static struct effect over_ones;
    static struct effect shared;
    static bool is_written[sizeof(struct outputs)];
    size_t compared = writable->is_object ? 0 : writable->size;

    if (writable->is_object && !writes_object(function, writable))
        return false;
    try_call(function, writable, NULL, 0, &over_zeros);
    try_call(function, writable, NULL, 0xff, &over_ones);
    if (find_written(&over_zeros, &over_ones, is_written, compared) == 0 && !writable->is_object)
        return false;
    for (const struct readable *readable = readables; readable->name != NULL; readable++) {
        try_call(function, writable, readable, 0xff, &shared);
        dump_assert_same(&over_zeros.dump, &shared.dump);
        for (size_t i = 0; i < compared; i++) {
            if (is_written[i] && shared.written[i] != over_zeros.written[i])
                fail_msg("%s with its %s in its output: byte %zu differs", function->name, readable->name, i);
        }
    }
    return true;
}

static void every_function_answers_alike_when_an_input_lies_where_an_output_goes(void **state)
{
    bool is_known[COUNT_OF(writables)] = { false };

    (void)state;
    for (const struct function *function = functions; function->name != NULL; function++) {
        for (size_t i = 0; i < COUNT_OF(writables); i++)
            is_known[i] |= share(function, &writables[i]);
    }
    for (size_t i = 0; i < COUNT_OF(writables); i++)
        assert_true(is_known[i]);
}

/* As a host pages: the ID after which to go on lies in the page that is filled. */
static void a_listing_goes_on_after_the_last_of_the_page_that_it_fills(void **state)
{
    struct stage *stage = &shared_stage;
    tvd_task tasks[2];
    const char *after = NULL;
    char seen[200] = "";
    size_t count;

    (void)state;
    do {
        assert_ok(tvd_task_queue_tasks(stage->world.queue, after, tasks, 2, &count, NULL, NULL));
        for (size_t i = 0; i < count; i++)
            strcat(strcat(seen, " "), tasks[i].task_id);
        after = tasks[1].task_id;
    } while (count == 2);
    assert_string_equal(seen, " cancelled completed empty expired failed held leased queued-1 queued-2 running "
                              "stored");
}

static void an_ownership_is_made_of_what_lies_in_it(void **state)
{
    const tvd_task task = world_task(&shared_stage.world, "leased");
    const tvd_task_ownership expected = shared_stage.cast.owned;
    union {
        tvd_task task;
        tvd_task_ownership ownership;
    } shared = { .task = task };

    (void)state;
    assert_true(tvd_task_ownership_of(&shared.task, &shared.ownership));
    assert_memory_equal(&shared.ownership, &expected, sizeof expected);
    shared.ownership = tvd_task_ownership_from_lease(tvd_task_ownership_lease(&shared.ownership));
    assert_memory_equal(&shared.ownership, &expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_answers_alike_when_an_input_lies_where_an_output_goes),
        cmocka_unit_test_setup_teardown(a_listing_goes_on_after_the_last_of_the_page_that_it_fills,
                                        shared_stage_setup, shared_stage_teardown),
        cmocka_unit_test_setup_teardown(an_ownership_is_made_of_what_lies_in_it, shared_stage_setup,
                                        shared_stage_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
