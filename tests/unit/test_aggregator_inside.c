/*
 * Results with the inside laid open: each thing that their invariant check looks at is damaged, and the revision comes to
 * its end.
 */
#include "aggregator_inside.h"
#include "damage.h"
#include "stage.h"

static void assert_broken(tvd_result_aggregator *aggregator, tvd_detail detail)
{
    tvd_error error;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(tvd_result_aggregator_check_invariants(aggregator, &error), TVD_ERROR_STATE_INVARIANT);
        assert_string_equal(tvd_detail_name(error.detail), tvd_detail_name(detail));
    }
}

static void notice(tvd_result_aggregator *aggregator, void *member, size_t size, uint64_t value,
                   tvd_detail detail)
{
    uint64_t old = damage_member(member, size, value);

    assert_broken(aggregator, detail);
    damage_member(member, size, old);
    assert_ok(tvd_result_aggregator_check_invariants(aggregator, NULL));
}

static struct stage *const stage = &shared_stage;

static void check_invariants_notices_bounds_that_do_not_hold(void **state)
{
    struct aggregator_inside inside = aggregator_inside(stage->world.results, "stored");

    (void)state;
    notice(stage->world.results, inside.results, sizeof *inside.results, 5, TVD_DETAIL_BOUND_EXCEEDED);
    notice(stage->world.results, inside.total_bytes, sizeof *inside.total_bytes, 17, TVD_DETAIL_BOUND_EXCEEDED);
    notice(stage->world.results, inside.size, sizeof *inside.size, 9, TVD_DETAIL_BOUND_EXCEEDED);
}

static void check_invariants_notices_counts_that_disagree(void **state)
{
    struct aggregator_inside inside = aggregator_inside(stage->world.results, "stored");

    (void)state;
    notice(stage->world.results, inside.revision, sizeof *inside.revision, 1, TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    notice(stage->world.results, &inside.guard->handles, sizeof inside.guard->handles, 0,
           TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    notice(stage->world.results, &inside.guard->handles, sizeof inside.guard->handles, 2,
           TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    notice(stage->world.results, inside.handles, sizeof *inside.handles, 2, TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    notice(stage->world.results, inside.retained_bytes, sizeof *inside.retained_bytes,
           *inside.retained_bytes + 1, TVD_DETAIL_COUNT_DISAGREES);
    notice(stage->world.results, inside.total_bytes, sizeof *inside.total_bytes, 4, TVD_DETAIL_COUNT_DISAGREES);
    notice(stage->world.results, inside.size, sizeof *inside.size, 2, TVD_DETAIL_COUNT_DISAGREES);
}

/* Nobody holds it, and yet somebody asks. */
static void check_invariants_notices_that_nobody_has_a_handle(void **state)
{
    struct aggregator_inside inside = aggregator_inside(stage->world.results, "stored");

    (void)state;
    inside.guard->handles = 0;
    *inside.handles = 0;
    assert_broken(stage->world.results, TVD_DETAIL_COUNTER_OUT_OF_RANGE);
    inside.guard->handles = 1;
    *inside.handles = 1;
}

/* The other stored task is "empty", which comes first. */
static void check_invariants_notices_a_broken_index(void **state)
{
    struct aggregator_inside inside = aggregator_inside(stage->world.results, "stored");
    const tvd_detail broken = TVD_DETAIL_RESULT_INDEX_BROKEN;

    (void)state;
    notice(stage->world.results, inside.results, sizeof *inside.results, 1, broken);
    notice(stage->world.results, &inside.by_task_id->root, sizeof inside.by_task_id->root, 0, broken);
    notice(stage->world.results, &inside.task_id[0], 1, 'a', broken);
    notice(stage->world.results, &inside.task_id[2], 1, '!', broken);
    notice(stage->world.results, inside.task_id_size, sizeof *inside.task_id_size, 5, broken);
    notice(stage->world.results, &inside.worker_id[1], 1, '\0', broken);
    notice(stage->world.results, &inside.worker_id[1], 1, '!', broken);
    notice(stage->world.results, inside.worker_id_size, sizeof *inside.worker_id_size, 3, broken);
}

/* Both identifiers have one word, so that no size disagrees. */
static void check_invariants_notices_two_results_of_one_task(void **state)
{
    struct aggregator_inside inside = aggregator_inside(stage->world.results, "stored");

    (void)state;
    memcpy(inside.task_id, "empty\0\0", TVD_ID_WORD);
    *inside.task_id_size = 5;
    assert_broken(stage->world.results, TVD_DETAIL_RESULT_INDEX_BROKEN);
    memcpy(inside.task_id, "stored\0", TVD_ID_WORD);
    *inside.task_id_size = 6;
}

/* Every earlier check must pass for this one to answer; memory is not asked for. */
static void store_result_at_the_last_revision_is_refused(void **state)
{
    const struct function *function = function_named("result_aggregator_store_result");
    uint64_t *revision = aggregator_inside(stage->world.results, "stored").revision;

    (void)state;
    *revision = UINT64_MAX - 1;
    stage->inputs.revision = UINT64_MAX - 1;
    stage_accept(stage, function);
    assert_int_equal(stage->inputs.revision, UINT64_MAX);

    stage->inputs.receipt.private_task_id[0] = 'x';
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_RESULT_REVISION);
    stage_refuse(stage, function);
    stage->arguments.size = 9;
    expect_excess(stage, TVD_ERROR_RESULT_TOO_LARGE, TVD_DETAIL_NONE, 9, 8);
    stage_refuse(stage, function);
}

static void a_replay_at_the_last_revision_still_succeeds(void **state)
{
    const struct aggregator_inside inside = aggregator_inside(stage->world.results, "stored");
    tvd_store_outcome outcome;
    uint64_t revision = UINT64_MAX;

    (void)state;
    *inside.revision = UINT64_MAX;
    assert_ok(tvd_result_aggregator_store_result(stage->world.results, &revision, &stage->cast.stored_receipt,
                                                 "abc", 3, &outcome, NULL));
    assert_int_equal(outcome, TVD_ALREADY_STORED);
    assert_int_equal(revision, UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_invariants_notices_bounds_that_do_not_hold, shared_stage_setup,
                                        shared_stage_teardown),
        cmocka_unit_test_setup_teardown(check_invariants_notices_counts_that_disagree, shared_stage_setup,
                                        shared_stage_teardown),
        cmocka_unit_test_setup_teardown(check_invariants_notices_that_nobody_has_a_handle, shared_stage_setup,
                                        shared_stage_teardown),
        cmocka_unit_test_setup_teardown(check_invariants_notices_a_broken_index, shared_stage_setup,
                                        shared_stage_teardown),
        cmocka_unit_test_setup_teardown(check_invariants_notices_two_results_of_one_task, shared_stage_setup,
                                        shared_stage_teardown),
        cmocka_unit_test_setup_teardown(store_result_at_the_last_revision_is_refused, shared_stage_setup,
                                        shared_stage_teardown),
        cmocka_unit_test_setup_teardown(a_replay_at_the_last_revision_still_succeeds, shared_stage_setup,
                                        shared_stage_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
