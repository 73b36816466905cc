/*
 * The calls of the command fuzzer, and the arguments that it makes for them.
 */
#include "calls.h"

#include <string.h>

static void keep_ownership(fuzz *at, tvd_task_ownership ownership)
{
    at->ownerships[at->next_ownership++ % KEPT] = ownership;
}

static void keep_task(fuzz *at, const tvd_task *task)
{
    tvd_task_ownership ownership;

    if (tvd_task_ownership_of(task, &ownership))
        keep_ownership(at, ownership);
}

/* A token that the library gave, at times with a bit changed, at times only garbage. */
static void *read_token(input *in, const void *kept, size_t size)
{
    unsigned char *token = input_block(in, size);
    uint8_t selector = input_byte(in);

    memcpy(token, kept, size);
    if (selector >= 240) {
        memset(token, input_byte(in), size);
        input_fill(in, token + input_byte(in) % size, 16);
    } else if (selector >= 192) {
        uint16_t place;

        input_fill(in, &place, sizeof place);
        token[place % size] ^= (unsigned char)(1u << (selector % 8));
    }
    return token;
}

static const tvd_task_ownership *read_ownership(call *made)
{
    uint8_t selector = input_byte(&made->at->in);

    if (selector == 255)
        return NULL;
    return read_token(&made->at->in, &made->at->ownerships[selector % KEPT], sizeof(tvd_task_ownership));
}

static const tvd_task_lease *read_lease(call *made)
{
    const tvd_task_ownership *ownership = read_ownership(made);
    static const tvd_task_lease none;
    const tvd_task_lease *lease = tvd_task_ownership_lease(ownership);

    if (ownership == NULL)
        return NULL;
    return lease == NULL ? &none : lease;
}

static tvd_worker_spec read_worker_spec(input *in)
{
    tvd_worker_spec spec = { .worker_id = input_identifier(in, 'w') };

    spec.capacity = (uint32_t)input_number(in) % 5000u;
    spec.cpu_basis_points = (uint32_t)input_number(in) * 50u;
    spec.memory_basis_points = (uint32_t)input_number(in) * 50u;
    spec.network_basis_points = (uint32_t)input_number(in) * 50u;
    spec.tags = (uint32_t)input_number(in) % 36u;
    return spec;
}

/* A size may be too large for its block: the library must refuse it before it looks at the bytes. */
static size_t read_size(input *in, size_t maximum)
{
    uint8_t selector = input_byte(in);

    if (selector < 240)
        return selector % 48u;
    if (selector < 248)
        return maximum - selector % 2u;
    return selector < 252 ? maximum + 1 : SIZE_MAX - (selector - 252u);
}

static const void *read_bytes(input *in, size_t size, size_t maximum)
{
    size_t in_block = size <= maximum ? size : 1;
    void *block = input_block(in, in_block);

    input_fill(in, block, in_block);
    return block;
}

static tvd_task_spec read_task_spec(input *in)
{
    tvd_task_spec spec = { .task_id = input_identifier(in, 't') };

    spec.scan_id = input_identifier(in, 's');
    spec.target_ref_size = read_size(in, TVD_MAX_TARGET_REF_BYTES);
    spec.target_ref = read_bytes(in, spec.target_ref_size, TVD_MAX_TARGET_REF_BYTES);
    spec.phases_count = read_size(in, TVD_MAX_PHASES);
    spec.phases = read_bytes(in, spec.phases_count, TVD_MAX_PHASES);
    spec.priority = (tvd_task_priority)(input_byte(in) % 6u);
    if (input_byte(in) == 255)
        spec.target_ref = spec.phases = NULL;
    return spec;
}

static tvd_status register_worker(call *made)
{
    const tvd_worker_spec spec = read_worker_spec(&made->at->in);

    return tvd_worker_pool_register_worker(made->pool, made->cursor_argument, &spec, made->out,
                                           made->error_argument);
}

static tvd_status reactivate_worker(call *made)
{
    const tvd_worker_spec spec = read_worker_spec(&made->at->in);

    return tvd_worker_pool_reactivate_worker(made->pool, made->cursor_argument, input_number(&made->at->in),
                                             &spec, made->out, made->error_argument);
}

static tvd_status update_worker(call *made)
{
    input *in = &made->at->in;
    const char *worker_id = input_identifier(in, 'w');
    uint64_t generation = input_number(in);
    const tvd_worker_observation observation = {
        .status = (tvd_worker_status)(input_byte(in) % 6u),
        .cpu_basis_points = (uint32_t)input_number(in) * 50u,
        .memory_basis_points = (uint32_t)input_number(in) * 50u,
        .network_basis_points = (uint32_t)input_number(in) * 50u,
    };

    return tvd_worker_pool_update_worker(made->pool, made->cursor_argument, worker_id, generation, &observation,
                                         made->out, made->error_argument);
}

static tvd_status deregister_worker(call *made)
{
    const char *worker_id = input_identifier(&made->at->in, 'w');

    return tvd_worker_pool_deregister_worker(made->pool, made->cursor_argument, worker_id,
                                             input_number(&made->at->in), made->out, made->error_argument);
}

static tvd_status prune_dead_workers(call *made)
{
    return tvd_worker_pool_prune_dead_workers(made->pool, made->cursor_argument, made->out,
                                              made->error_argument);
}

static tvd_status recover_expired_leases(call *made)
{
    return tvd_worker_pool_recover_expired_leases(made->pool, made->cursor_argument, made->out,
                                                  made->error_argument);
}

static tvd_status expire_old_tasks(call *made)
{
    return tvd_worker_pool_expire_old_tasks(made->pool, made->cursor_argument, input_number(&made->at->in),
                                            made->out, made->error_argument);
}

static tvd_status enqueue(call *made)
{
    const tvd_task_spec spec = read_task_spec(&made->at->in);
    tvd_status status =
        tvd_task_queue_enqueue(made->queue, made->cursor_argument, &spec, made->out, made->error_argument);

    if (status == TVD_OK && made->out != NULL)
        keep_task(made->at, &made->written.task);
    return status;
}

static tvd_status keep_lease(call *made, tvd_status status)
{
    if (status == TVD_OK)
        keep_ownership(made->at, tvd_task_ownership_from_lease(&made->written.lease));
    return status;
}

static tvd_status assign_task(call *made)
{
    const char *task_id = input_identifier(&made->at->in, 't');
    const char *worker_id = input_identifier(&made->at->in, 'w');

    return keep_lease(made, tvd_worker_pool_assign_task(made->pool, made->cursor_argument, task_id, worker_id,
                                                        input_number(&made->at->in), made->out,
                                                        made->error_argument));
}

static tvd_status assign_next(call *made)
{
    const char *worker_id = input_identifier(&made->at->in, 'w');

    return keep_lease(made, tvd_worker_pool_assign_next(made->pool, made->cursor_argument, worker_id,
                                                        input_number(&made->at->in), made->out,
                                                        made->error_argument));
}

static tvd_status assign_next_available(call *made)
{
    return keep_lease(made, tvd_worker_pool_assign_next_available(made->pool, made->cursor_argument,
                                                                  input_number(&made->at->in), made->out,
                                                                  made->error_argument));
}

static tvd_status start_task(call *made)
{
    return tvd_worker_pool_start_task(made->pool, made->cursor_argument, read_lease(made), made->out,
                                      made->error_argument);
}

static tvd_status complete_task(call *made)
{
    tvd_status status = tvd_worker_pool_complete_task(made->pool, made->cursor_argument, read_lease(made),
                                                      made->out, made->error_argument);

    if (status == TVD_OK && made->out != NULL)
        made->at->receipts[made->at->next_receipt++ % KEPT] = made->written.completed.receipt;
    return status;
}

static tvd_status fail_task(call *made)
{
    return tvd_worker_pool_fail_task(made->pool, made->cursor_argument, read_lease(made), made->out,
                                     made->error_argument);
}

static tvd_status cancel_task(call *made)
{
    return tvd_worker_pool_cancel_task(made->pool, made->cursor_argument, read_ownership(made), made->out,
                                       made->error_argument);
}

static tvd_status store_result(call *made)
{
    input *in = &made->at->in;
    uint8_t selector = input_byte(in);
    const tvd_completion_receipt *receipt =
        read_token(in, &made->at->receipts[selector % KEPT], sizeof *receipt);
    size_t size = read_size(in, TVD_MAX_RESULT_BYTES);
    /* The largest that the limits here can allow: beyond it nothing may be read. */
    const void *bytes = read_bytes(in, size, 96);

    return tvd_result_aggregator_store_result(made->results, made->revision_argument,
                                              selector == 255 ? NULL : receipt, selector == 254 ? NULL : bytes,
                                              size, made->out, made->error_argument);
}

static tvd_status get_result(call *made)
{
    const char *task_id = input_identifier(&made->at->in, 't');
    tvd_result *result = NULL;
    tvd_status status = tvd_result_aggregator_get_result(made->results, task_id, &result, made->error_argument);

    CHECK(status == TVD_OK || result == NULL);
    CHECK(result == NULL || tvd_result_bytes(result) != NULL);
    tvd_result_free(result);
    return status;
}

static tvd_status aggregate_results(call *made)
{
    input *in = &made->at->in;
    size_t count = input_byte(in) % 8u;
    const char **task_ids = input_block(in, count * sizeof *task_ids);
    tvd_aggregate *aggregate = NULL;
    tvd_status status;

    for (size_t i = 0; i < count; i++)
        task_ids[i] = input_identifier(in, 't');
    status = tvd_result_aggregator_aggregate_results(made->results, task_ids, count, &aggregate,
                                                     made->error_argument);
    CHECK((status == TVD_OK) == (aggregate != NULL));
    CHECK(aggregate == NULL || tvd_aggregate_count(aggregate) == count);
    for (size_t i = 0; i < tvd_aggregate_count(aggregate); i++) {
        CHECK(strcmp(tvd_aggregate_task_id(aggregate, i), task_ids[i]) == 0);
        CHECK(tvd_aggregate_bytes(aggregate, i) != NULL);
    }
    tvd_aggregate_free(aggregate);
    return status;
}

static tvd_status get_task(call *made)
{
    tvd_status status = tvd_task_queue_get_task(made->queue, input_identifier(&made->at->in, 't'), made->out,
                                                &made->found, made->error_argument);

    if (status == TVD_OK && made->found)
        keep_task(made->at, &made->written.task);
    return status;
}

static tvd_status peek_next(call *made)
{
    tvd_status status = tvd_task_queue_peek_next(made->queue, made->out, &made->found, made->error_argument);

    if (status == TVD_OK && made->found)
        keep_task(made->at, &made->written.task);
    return status;
}

static tvd_status get_worker(call *made)
{
    return tvd_worker_pool_get_worker(made->pool, input_identifier(&made->at->in, 'w'), made->out, &made->found,
                                      made->error_argument);
}

static tvd_status get_available_worker(call *made)
{
    return tvd_worker_pool_get_available_worker(made->pool, made->given.now_secs, made->out, &made->found,
                                                made->error_argument);
}

static tvd_status next_due(call *made)
{
    return tvd_worker_pool_next_due(made->pool, input_number(&made->at->in), made->out, made->error_argument);
}

static tvd_status list_tasks(call *made)
{
    size_t count = 0;
    tvd_status status =
        tvd_task_queue_tasks(made->queue, input_identifier(&made->at->in, 't'), made->out,
                             input_byte(&made->at->in) % 4u, &count, NULL, made->error_argument);

    CHECK(count <= 3);
    return status;
}

static tvd_status list_workers(call *made)
{
    size_t count = 0;
    tvd_status status =
        tvd_worker_pool_workers(made->pool, input_identifier(&made->at->in, 'w'), made->out,
                                input_byte(&made->at->in) % 4u, &count, NULL, made->error_argument);

    CHECK(count <= 3);
    return status;
}

static const entry entries[] = {
    { register_worker, false },
    { reactivate_worker, false },
    { update_worker, false },
    { deregister_worker, false },
    { prune_dead_workers, false },
    { recover_expired_leases, false },
    { expire_old_tasks, false },
    { enqueue, false },
    { assign_task, false },
    { assign_next, false },
    { assign_next_available, false },
    { start_task, false },
    { complete_task, false },
    { fail_task, false },
    { cancel_task, false },
    { store_result, true },
    { get_result, true },
    { aggregate_results, true },
    { get_task, false },
    { peek_next, false },
    { get_worker, false },
    { get_available_worker, false },
    { list_tasks, false },
    { list_workers, false },
    { next_due, false },
};

const entry *read_entry(input *in)
{
    return &entries[input_byte(in) % (sizeof entries / sizeof entries[0])];
}
