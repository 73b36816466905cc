#include "sharing.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENT(member, size) #member, offsetof(struct stage, arguments.member), size
#define INPUT(member, size) #member, offsetof(struct stage, inputs.member), size

const struct readable readables[] = {
    { ARGUMENT(limits, sizeof(tvd_limits)) },
    { ARGUMENT(result_limits, sizeof(tvd_result_limits)) },
    { ARGUMENT(allocator, sizeof(tvd_allocator)) },
    { ARGUMENT(worker_spec, sizeof(tvd_worker_spec)) },
    { ARGUMENT(task_spec, sizeof(tvd_task_spec)) },
    { ARGUMENT(observation, sizeof(tvd_worker_observation)) },
    { ARGUMENT(lease, sizeof(tvd_task_lease)) },
    { ARGUMENT(ownership, sizeof(tvd_task_ownership)) },
    { ARGUMENT(receipt, sizeof(tvd_completion_receipt)) },
    { ARGUMENT(task_ids, sizeof(((struct inputs *)NULL)->task_ids)) },
    { ARGUMENT(worker_id, 0) },
    { ARGUMENT(task_id, 0) },
    { ARGUMENT(after_id, 0) },
    { ARGUMENT(bytes, 0) },
    { INPUT(worker_spec.worker_id, 0) },
    { INPUT(task_spec.task_id, 0) },
    { INPUT(task_spec.scan_id, 0) },
    { INPUT(task_spec.target_ref, 0) },
    { INPUT(task_spec.phases, 0) },
    { INPUT(task_ids[0], 0) },
    { INPUT(task_ids[1], 0) },
    { INPUT(task_ids[2], 0) },
    { 0 },
};

static const void *pointer_of(const struct stage *stage, const struct readable *readable)
{
    const void *pointer;

    memcpy(&pointer, (const char *)stage + readable->offset, sizeof pointer);
    return pointer;
}

void stage_move_back(struct stage *stage, const struct readable *readable, const void *old)
{
    memcpy((char *)stage + readable->offset, &old, sizeof old);
}

const void *stage_move(struct stage *stage, const struct readable *readable, void *room)
{
    const void *old = pointer_of(stage, readable);

    if (old != NULL) {
        size_t size = readable->size == 0 ? strlen(old) + 1 : readable->size;

        assert_true(size <= sizeof stage->outputs);
        memcpy(room, old, size);
        stage_move_back(stage, readable, room);
    }
    return old;
}

void stage_refuse_sharing(struct stage *stage, const struct function *function)
{
    static struct dump before;
    static struct dump after;
    static struct inputs inputs;
    tvd_error *error = malloc(sizeof stage->outputs);

    assert_non_null(error);
    memcpy(&inputs, &stage->inputs, sizeof inputs);
    dump_take(&stage->world, &before);
    for (const struct readable *readable = readables; readable->name != NULL; readable++) {
        const void *old = stage_move(stage, readable, error);

        assert_int_equal(function->call(&stage->arguments, error), stage->expected.status);
        stage_move_back(stage, readable, old);
        stage_assert_error(stage, error);
    }
    dump_take(&stage->world, &after);
    dump_assert_same(&before, &after);
    assert_memory_equal(&stage->inputs, &inputs, sizeof inputs);
    free(error);
}
