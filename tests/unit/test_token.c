/*
 * Tokens seen from outside: getters, ownership, and the same bytes from the same commands.
 */
#include "stage.h"

#include <string.h>

static struct stage *const stage = &shared_stage;

static void getters_of_a_lease_tell_its_eight_parts(void **state)
{
    const tvd_task_lease *lease = &stage->cast.failed; /* the second attempt */

    (void)state;
    assert_string_equal(tvd_task_lease_task_id(lease), "failed");
    assert_string_equal(tvd_task_lease_worker_id(lease), "able");
    assert_int_equal(tvd_task_lease_worker_generation(lease), 1);
    assert_int_equal(tvd_task_lease_task_generation(lease), 1);
    assert_int_equal(tvd_task_lease_attempt(lease), 2);
    assert_int_equal(tvd_task_lease_lease_id(lease), 5);
    assert_int_equal(tvd_task_lease_acquired_at_secs(lease), 50);
    assert_int_equal(tvd_task_lease_expires_at_secs(lease), 60);
}

static void getters_of_a_receipt_tell_its_seven_parts(void **state)
{
    const tvd_completion_receipt *receipt = &stage->cast.stored_receipt;

    (void)state;
    assert_string_equal(tvd_completion_receipt_task_id(receipt), "stored");
    assert_string_equal(tvd_completion_receipt_worker_id(receipt), "able");
    assert_int_equal(tvd_completion_receipt_worker_generation(receipt), 1);
    assert_int_equal(tvd_completion_receipt_task_generation(receipt), 0);
    assert_int_equal(tvd_completion_receipt_attempt(receipt), 1);
    assert_int_equal(tvd_completion_receipt_lease_id(receipt), 3);
    assert_int_equal(tvd_completion_receipt_record_version(receipt), 4);
}

static void getters_of_a_fence_tell_its_three_parts(void **state)
{
    const tvd_queued_task_fence *fence = tvd_task_ownership_fence(&stage->cast.queued);

    (void)state;
    assert_string_equal(tvd_queued_task_fence_task_id(fence), "queued-1");
    assert_int_equal(tvd_queued_task_fence_task_generation(fence), 0);
    assert_int_equal(tvd_queued_task_fence_record_version(fence), 1);
}

static void getters_of_null_answer_zero_or_nothing(void **state)
{
    (void)state;
    assert_string_equal(tvd_task_lease_task_id(NULL), "");
    assert_string_equal(tvd_task_lease_worker_id(NULL), "");
    assert_int_equal(tvd_task_lease_worker_generation(NULL), 0);
    assert_int_equal(tvd_task_lease_task_generation(NULL), 0);
    assert_int_equal(tvd_task_lease_attempt(NULL), 0);
    assert_int_equal(tvd_task_lease_lease_id(NULL), 0);
    assert_int_equal(tvd_task_lease_acquired_at_secs(NULL), 0);
    assert_int_equal(tvd_task_lease_expires_at_secs(NULL), 0);
    assert_string_equal(tvd_queued_task_fence_task_id(NULL), "");
    assert_int_equal(tvd_queued_task_fence_task_generation(NULL), 0);
    assert_int_equal(tvd_queued_task_fence_record_version(NULL), 0);
    assert_string_equal(tvd_completion_receipt_task_id(NULL), "");
    assert_string_equal(tvd_completion_receipt_worker_id(NULL), "");
    assert_int_equal(tvd_completion_receipt_worker_generation(NULL), 0);
    assert_int_equal(tvd_completion_receipt_task_generation(NULL), 0);
    assert_int_equal(tvd_completion_receipt_attempt(NULL), 0);
    assert_int_equal(tvd_completion_receipt_lease_id(NULL), 0);
    assert_int_equal(tvd_completion_receipt_record_version(NULL), 0);
    assert_int_equal(tvd_task_ownership_kind(NULL), TVD_OWNERSHIP_NONE);
    assert_null(tvd_task_ownership_fence(NULL));
    assert_null(tvd_task_ownership_lease(NULL));
}

static void text_without_an_end_is_shown_as_empty(void **state)
{
    tvd_task_lease lease;
    tvd_queued_task_fence fence;
    tvd_completion_receipt receipt;

    (void)state;
    memset(&lease, 'x', sizeof lease);
    memset(&fence, 'x', sizeof fence);
    memset(&receipt, 'x', sizeof receipt);
    assert_string_equal(tvd_task_lease_task_id(&lease), "");
    assert_string_equal(tvd_task_lease_worker_id(&lease), "");
    assert_string_equal(tvd_queued_task_fence_task_id(&fence), "");
    assert_string_equal(tvd_completion_receipt_task_id(&receipt), "");
    assert_string_equal(tvd_completion_receipt_worker_id(&receipt), "");
    lease.private_task_id[TVD_MAX_IDENTIFIER_BYTES] = '\0';
    assert_int_equal(strlen(tvd_task_lease_task_id(&lease)), TVD_MAX_IDENTIFIER_BYTES);
}

static void ownership_holds_one_token_and_zeros_behind_it(void **state)
{
    static const unsigned char zeros[sizeof(tvd_task_ownership)];
    const tvd_task_ownership of_lease = tvd_task_ownership_from_lease(&stage->cast.running);
    const tvd_task_ownership of_fence =
        tvd_task_ownership_from_fence(tvd_task_ownership_fence(&stage->cast.queued));
    const tvd_task_ownership none = tvd_task_ownership_from_lease(NULL);
    const tvd_task_ownership no_fence = tvd_task_ownership_from_fence(NULL);

    (void)state;
    assert_int_equal(tvd_task_ownership_kind(&of_lease), TVD_OWNERSHIP_LEASE);
    assert_memory_equal(tvd_task_ownership_lease(&of_lease), &stage->cast.running, sizeof stage->cast.running);
    assert_null(tvd_task_ownership_fence(&of_lease));
    assert_int_equal(tvd_task_ownership_kind(&of_fence), TVD_OWNERSHIP_QUEUED_FENCE);
    assert_memory_equal(&of_fence, &stage->cast.queued, sizeof of_fence);
    assert_null(tvd_task_ownership_lease(&of_fence));
    assert_memory_equal((const char *)&of_fence + offsetof(tvd_task_ownership, private_token) +
                            sizeof(tvd_queued_task_fence),
                        zeros, sizeof(tvd_task_lease) - sizeof(tvd_queued_task_fence));
    assert_memory_equal(&none, zeros, sizeof none);
    assert_memory_equal(&no_fence, zeros, sizeof no_fence);
    assert_int_equal(tvd_task_ownership_kind(&none), TVD_OWNERSHIP_NONE);
}

/* To the last byte: the lease of the report is the lease that assigning gave. */
static void ownership_of_a_report_is_what_the_task_offers(void **state)
{
    static const struct {
        const char *task_id;
        tvd_ownership_kind kind;
    } cases[] = {
        { "queued-1", TVD_OWNERSHIP_QUEUED_FENCE }, { "leased", TVD_OWNERSHIP_LEASE },
        { "running", TVD_OWNERSHIP_LEASE },         { "completed", TVD_OWNERSHIP_NONE },
        { "failed", TVD_OWNERSHIP_NONE },           { "cancelled", TVD_OWNERSHIP_NONE },
        { "expired", TVD_OWNERSHIP_NONE },
    };
    tvd_task_ownership ownership;
    tvd_task task;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        memset(&ownership, 0, sizeof ownership);
        task = world_task(&stage->world, cases[i].task_id);
        assert_int_equal(tvd_task_ownership_of(&task, &ownership), cases[i].kind != TVD_OWNERSHIP_NONE);
        assert_int_equal(tvd_task_ownership_kind(&ownership), cases[i].kind);
        assert_false(tvd_task_ownership_of(&task, NULL));
    }
    ownership = world_ownership(&stage->world, "running");
    assert_memory_equal(tvd_task_ownership_lease(&ownership), &stage->cast.running, sizeof stage->cast.running);
    task.status = (tvd_task_status)99;
    assert_false(tvd_task_ownership_of(&task, &ownership));
    assert_false(tvd_task_ownership_of(NULL, &ownership));
}

/* Memory is filled with garbage in both, so that every byte of a token was written. */
static void the_same_commands_give_the_same_bytes(void **state)
{
    static struct stage other;

    (void)state;
    stage_open(&other, function_named("worker_pool_start_task"));
    assert_memory_equal(&other.cast, &stage->cast, sizeof stage->cast);
    stage_close(&other);
}

struct tokens {
    tvd_task_lease lease;
    tvd_completion_outcome completion;
    tvd_task_ownership waiting; /* a fence */
};

/* Filled with this byte before the commands fill them. */
static void make_tokens(struct tokens *tokens, int garbage)
{
    const tvd_limits limits = tiny_limits();
    struct world world;
    tvd_task task;

    memset(tokens, garbage, sizeof *tokens);
    world_open(&world, &limits);
    world_register(&world, "able", 1);
    world_enqueue(&world, "done");
    world_enqueue(&world, "waiting");
    assert_ok(tvd_worker_pool_assign_task(world.pool, &world.at, "done", "able", 10, &tokens->lease, NULL));
    world_start(&world, &tokens->lease);
    assert_ok(tvd_worker_pool_complete_task(world.pool, &world.at, &tokens->lease, &tokens->completion, NULL));
    task = world_task(&world, "waiting");
    assert_true(tvd_task_ownership_of(&task, &tokens->waiting));
    world_close(&world);
}

static void every_byte_of_a_token_is_written_the_last_ones_as_zeros(void **state)
{
    static const char zeros[sizeof(tvd_task_lease)];
    struct tokens tokens;
    struct tokens others;

    (void)state;
    make_tokens(&tokens, 0);
    make_tokens(&others, 0xff);
    assert_memory_equal(&tokens.lease, &others.lease, sizeof tokens.lease);
    assert_memory_equal(&tokens.completion.receipt, &others.completion.receipt,
                        sizeof tokens.completion.receipt);
    assert_memory_equal(&tokens.waiting, &others.waiting, sizeof tokens.waiting);
    assert_int_equal(tokens.lease.private_hint, 0); /* the first record, and the second */
    assert_int_equal(tvd_task_ownership_fence(&tokens.waiting)->private_hint, 1);
    assert_memory_equal(tokens.lease.private_zero, zeros, sizeof tokens.lease.private_zero);
    assert_memory_equal(tokens.completion.receipt.private_zero, zeros,
                        sizeof tokens.completion.receipt.private_zero);
    assert_memory_equal(tvd_task_ownership_fence(&tokens.waiting)->private_zero, zeros,
                        sizeof(((tvd_queued_task_fence *)NULL)->private_zero));
}

#define token_test(function)                                                                                   \
    cmocka_unit_test_setup_teardown(function, shared_stage_setup, shared_stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        token_test(getters_of_a_lease_tell_its_eight_parts),
        token_test(getters_of_a_receipt_tell_its_seven_parts),
        token_test(getters_of_a_fence_tell_its_three_parts),
        cmocka_unit_test(getters_of_null_answer_zero_or_nothing),
        cmocka_unit_test(text_without_an_end_is_shown_as_empty),
        token_test(ownership_holds_one_token_and_zeros_behind_it),
        token_test(ownership_of_a_report_is_what_the_task_offers),
        token_test(the_same_commands_give_the_same_bytes),
        cmocka_unit_test(every_byte_of_a_token_is_written_the_last_ones_as_zeros),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
