/*
 * Every error that the header lists for the commands and reads of workers, in its order.
 */
#include "faults.h"

static void capacity_zero(struct stage *stage)
{
    stage->inputs.worker_spec.capacity = 0;
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_CAPACITY_ZERO);
}

static void capacity_too_large(struct stage *stage)
{
    stage->inputs.worker_spec.capacity = TVD_MAX_WORKER_CAPACITY + 1;
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_CAPACITY_TOO_LARGE);
}

static void overloaded_by(struct stage *stage, uint32_t cpu, uint32_t memory, uint32_t network)
{
    stage->inputs.worker_spec.cpu_basis_points = cpu;
    stage->inputs.worker_spec.memory_basis_points = memory;
    stage->inputs.worker_spec.network_basis_points = network;
    stage->inputs.observation.cpu_basis_points = cpu;
    stage->inputs.observation.memory_basis_points = memory;
    stage->inputs.observation.network_basis_points = network;
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_UTILIZATION_TOO_LARGE);
}

static void cpu_overloaded(struct stage *stage)
{
    overloaded_by(stage, TVD_MAX_BASIS_POINTS + 1, 0, 0);
}

static void memory_overloaded(struct stage *stage)
{
    overloaded_by(stage, 0, TVD_MAX_BASIS_POINTS + 1, 0);
}

static void network_overloaded(struct stage *stage)
{
    overloaded_by(stage, 0, 0, UINT32_MAX);
}

static void tags_unknown(struct stage *stage)
{
    stage->inputs.worker_spec.tags = TVD_WORKER_TAG_GPU | 32;
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_TAGS_INVALID);
}

static void worker_known(struct stage *stage)
{
    stage->inputs.worker_spec.worker_id = "gone";
    expect_identifier(stage, TVD_ERROR_WORKER_ALREADY_EXISTS, "gone");
}

static void workers_full(struct stage *stage)
{
    stage->world.coordinator->limits.max_workers = 5;
    expect_limit(stage, TVD_ERROR_WORKER_CAPACITY_REACHED, 5);
}

static void register_worker_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        worker_id_invalid,  capacity_zero,
        capacity_too_large, cpu_overloaded,
        memory_overloaded,  network_overloaded,
        tags_unknown,       revision_conflict,
        time_regression,    revision_exhausted,
        worker_known,       workers_full,
        no_memory,          NULL,
    };

    (void)state;
    walk_faults("worker_pool_register_worker", faults);
}

static void worker_online(struct stage *stage)
{
    stage->inputs.worker_spec.worker_id = "busy";
    stage->arguments.generation = 1;
    expect_identifier(stage, TVD_ERROR_WORKER_UNAVAILABLE, "busy");
}

static void generation_exhausted_while_offline(struct stage *stage)
{
    world_worker_record(&stage->world, "gone")->generation = UINT64_MAX;
    stage->arguments.generation = UINT64_MAX;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);
}

/* Whatever its generation is by now. */
static void gone_of_other_generation(struct stage *stage)
{
    uint64_t generation = world_worker_record(&stage->world, "gone")->generation;

    stage->inputs.worker_spec.worker_id = "gone";
    stage->arguments.generation = 1;
    expect_conflict(stage, TVD_ERROR_WORKER_GENERATION_CONFLICT, 1, generation);
}

static void reactivate_worker_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        worker_id_invalid,
        capacity_zero,
        capacity_too_large,
        cpu_overloaded,
        tags_unknown,
        revision_conflict,
        time_regression,
        revision_exhausted,
        worker_unknown,
        gone_of_other_generation,
        worker_online,
        generation_exhausted_while_offline,
        NULL,
    };

    (void)state;
    walk_faults("worker_pool_reactivate_worker", faults);
}

static void status_offline(struct stage *stage)
{
    stage->inputs.observation.status = TVD_WORKER_STATUS_OFFLINE;
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_STATUS_OFFLINE);
}

static void status_unknown(struct stage *stage)
{
    stage->inputs.observation.status = (tvd_worker_status)4;
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_STATUS_INVALID);
}

static void worker_offline(struct stage *stage)
{
    stage->arguments.worker_id = "gone";
    stage->arguments.generation = 2;
    expect_identifier(stage, TVD_ERROR_WORKER_UNAVAILABLE, "gone");
}

static void update_worker_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        worker_id_invalid,
        status_offline,
        status_unknown,
        cpu_overloaded,
        memory_overloaded,
        network_overloaded,
        revision_conflict,
        time_regression,
        revision_exhausted,
        worker_unknown,
        worker_of_other_generation,
        worker_offline,
        NULL,
    };

    (void)state;
    walk_faults("worker_pool_update_worker", faults);
}

static void asked_too_early(struct stage *stage)
{
    stage->arguments.now_secs = 99;
    expect_conflict(stage, TVD_ERROR_LOGICAL_TIME_REGRESSION, 99, 100);
}

static void after_id_invalid(struct stage *stage)
{
    stage->arguments.after_id = "\xff";
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID);
}

static void reads_of_workers_answer_each_error(void **state)
{
    (void)state;
    walk_faults("worker_pool_get_available_worker", (fault *const[]){ asked_too_early, NULL });
    walk_faults("worker_pool_get_worker", (fault *const[]){ worker_id_invalid, NULL });
    walk_faults("worker_pool_workers", (fault *const[]){ after_id_invalid, NULL });
}

/* The worker goes into its last generation, and so do the leases it holds. */
static void generation_exhausted(struct stage *stage)
{
    stage->arguments.worker_id = "able";
    stage->arguments.generation = UINT64_MAX;
    world_worker_record(&stage->world, "able")->generation = UINT64_MAX;
    world_task_record(&stage->world, "leased")->lease_worker_generation = UINT64_MAX;
    world_task_record(&stage->world, "running")->lease_worker_generation = UINT64_MAX;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_WORKER_GENERATION);
}

static void deregister_worker_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        worker_id_invalid,
        revision_conflict,
        time_regression,
        revision_exhausted,
        worker_unknown,
        worker_of_other_generation,
        worker_offline,
        generation_exhausted,
        queue_full,
        ordinals_exhausted,
        NULL,
    };

    (void)state;
    walk_faults("worker_pool_deregister_worker", faults);
}

/* By then every worker that was online is dead, and every lease is over. */
static void much_later(struct stage *stage)
{
    if (stage->inputs.cursor.now_secs == 100)
        stage->inputs.cursor.now_secs = 150;
}

static void a_dead_workers_generation_exhausted(struct stage *stage)
{
    much_later(stage);
    generation_exhausted(stage);
}

static void queue_full_later(struct stage *stage)
{
    much_later(stage);
    queue_full(stage);
}

static void ordinals_exhausted_later(struct stage *stage)
{
    much_later(stage);
    ordinals_exhausted(stage);
}

static void prune_dead_workers_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        revision_conflict,
        time_regression,
        revision_exhausted,
        a_dead_workers_generation_exhausted,
        queue_full_later,
        ordinals_exhausted_later,
        NULL,
    };

    (void)state;
    walk_faults("worker_pool_prune_dead_workers", faults);
}

static void recover_expired_leases_answers_each_error_in_order(void **state)
{
    static fault *const faults[] = {
        revision_conflict, time_regression,          revision_exhausted,
        queue_full_later,  ordinals_exhausted_later, NULL,
    };

    (void)state;
    walk_faults("worker_pool_recover_expired_leases", faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(register_worker_answers_each_error_in_order),
        cmocka_unit_test(reactivate_worker_answers_each_error_in_order),
        cmocka_unit_test(update_worker_answers_each_error_in_order),
        cmocka_unit_test(reads_of_workers_answer_each_error),
        cmocka_unit_test(deregister_worker_answers_each_error_in_order),
        cmocka_unit_test(prune_dead_workers_answers_each_error_in_order),
        cmocka_unit_test(recover_expired_leases_answers_each_error_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
