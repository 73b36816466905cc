#include "faults.h"

#include "sharing.h"

static size_t count_of(fault *const *faults)
{
    size_t count = 0;

    while (faults[count] != NULL)
        count++;
    return count;
}

/* The later fault would be answered alone; the earlier one must be. */
static void refuse_both(const struct function *function, fault *earlier, fault *later)
{
    static struct stage stage;

    stage_open(&stage, function);
    if (later != earlier)
        later(&stage);
    earlier(&stage);
    stage_refuse(&stage, function);
    if (later == earlier)
        stage_refuse_sharing(&stage, function);
    stage_close(&stage);
}

static void refuse_null_before(const struct function *function, const struct required *required, fault *later)
{
    static struct stage stage;

    stage_open(&stage, function);
    later(&stage);
    stage_nullify(&stage, required);
    stage_refuse(&stage, function);
    stage_close(&stage);
}

void walk_faults(const char *function_name, fault *const *faults)
{
    const struct function *function = function_named(function_name);
    size_t count = count_of(faults);

    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++)
            refuse_both(function, faults[i], faults[j]);
        for (size_t k = 0; function->required[k].detail != TVD_DETAIL_NONE; k++)
            refuse_null_before(function, &function->required[k], faults[i]);
    }
}

void revision_conflict(struct stage *stage)
{
    uint64_t revision = stage->world.coordinator->now.revision;

    stage->inputs.cursor.revision = revision - 1;
    expect_conflict(stage, TVD_ERROR_REVISION_CONFLICT, revision - 1, revision);
}

void time_regression(struct stage *stage)
{
    stage->inputs.cursor.now_secs = 99;
    expect_conflict(stage, TVD_ERROR_LOGICAL_TIME_REGRESSION, 99, 100);
}

void revision_exhausted(struct stage *stage)
{
    stage->world.coordinator->now.revision = UINT64_MAX;
    stage->inputs.cursor.revision = UINT64_MAX;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_REVISION);
}

void no_memory(struct stage *stage)
{
    test_memory_fail(&stage->world.memory, 1, true);
    expect(stage, TVD_ERROR_OUT_OF_MEMORY);
}

void task_id_invalid(struct stage *stage)
{
    stage->arguments.task_id = "no good";
    expect_detail(stage, TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
}

void worker_id_invalid(struct stage *stage)
{
    stage->arguments.worker_id = "";
    stage->inputs.worker_spec.worker_id = "";
    expect_detail(stage, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID);
}

void worker_unknown(struct stage *stage)
{
    stage->arguments.worker_id = "nobody";
    stage->inputs.worker_spec.worker_id = "nobody";
    expect_identifier(stage, TVD_ERROR_WORKER_NOT_FOUND, "nobody");
}

void worker_of_other_generation(struct stage *stage)
{
    stage->arguments.worker_id = "gone";
    stage->inputs.worker_spec.worker_id = "gone";
    stage->arguments.generation = 7;
    expect_conflict(stage, TVD_ERROR_WORKER_GENERATION_CONFLICT, 7, 2);
}

void queue_full(struct stage *stage)
{
    struct tvd_coordinator *coordinator = stage->world.coordinator;

    coordinator->limits.max_queued_tasks = coordinator->now.queued_tasks;
    expect_limit(stage, TVD_ERROR_QUEUED_TASK_CAPACITY_REACHED, coordinator->now.queued_tasks);
}

void ordinals_exhausted(struct stage *stage)
{
    stage->world.coordinator->limits.max_queued_tasks = stage->world.limits.max_active_tasks;
    stage->world.coordinator->next_enqueue_ordinal = UINT64_MAX;
    expect_detail(stage, TVD_ERROR_COUNTER_EXHAUSTED, TVD_DETAIL_ENQUEUE_ORDINAL);
}
