/*
 * The commands of a coordinator: each calls the library once and writes what it answered.
 */
#include "commands.h"
#include "outcome.h"

/* " word" */
static void append_word(play_session *session, const char *word)
{
    buffer_append_string(&session->actual, " ");
    buffer_append_string(&session->actual, word);
}

/* " key=O1": gives the token its number and says it. */
static void append_ownership(play_session *session, const char *key, const tvd_task_ownership *ownership)
{
    append_word(session, key);
    buffer_append_string(&session->actual, "=O");
    buffer_append_u64(&session->actual, session_keep_ownership(session, ownership));
}

/* --- workers ---------------------------------------------------------------------------------------------- */

static tvd_worker_spec worker_spec_of(const trace_arguments *arguments)
{
    return (tvd_worker_spec){ .worker_id = arguments->worker,
                              .capacity = arguments->capacity,
                              .cpu_basis_points = arguments->cpu,
                              .memory_basis_points = arguments->memory,
                              .network_basis_points = arguments->network,
                              .tags = arguments->tags };
}

static void end_with_worker(api_call *call, tvd_status status, const tvd_worker *worker)
{
    if (!call_end(call, status))
        return;
    call_ok(call);
    append_word(call->session, "");
    outcome_worker(&call->session->actual, worker);
}

void play_register_worker(play_session *session, const command_input *input)
{
    tvd_worker worker;
    tvd_worker_spec spec = worker_spec_of(input->arguments);
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &worker, sizeof worker);
    tvd_status status = tvd_worker_pool_register_worker(session_worker_pool(session), &call.cursor, &spec,
                                                        &worker, &call.error);

    end_with_worker(&call, status, &worker);
}

void play_reactivate_worker(play_session *session, const command_input *input)
{
    tvd_worker worker;
    tvd_worker_spec spec = worker_spec_of(input->arguments);
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &worker, sizeof worker);
    tvd_status status = tvd_worker_pool_reactivate_worker(
        session_worker_pool(session), &call.cursor, input->arguments->generation, &spec, &worker, &call.error);

    end_with_worker(&call, status, &worker);
}

void play_update_worker(play_session *session, const command_input *input)
{
    const trace_arguments *arguments = input->arguments;
    tvd_worker worker;
    tvd_worker_observation observation = { .status = arguments->status,
                                           .cpu_basis_points = arguments->cpu,
                                           .memory_basis_points = arguments->memory,
                                           .network_basis_points = arguments->network };
    api_call call = call_begin(session, CALL_COMMAND, arguments, &worker, sizeof worker);
    tvd_status status =
        tvd_worker_pool_update_worker(session_worker_pool(session), &call.cursor, arguments->worker,
                                      arguments->generation, &observation, &worker, &call.error);

    end_with_worker(&call, status, &worker);
}

/* What the reads of one worker fill. */
typedef struct found_worker {
    tvd_worker worker;
    bool found;
} found_worker;

static void end_with_found_worker(api_call *call, tvd_status status, const found_worker *output)
{
    if (status == TVD_OK && !output->found) {
        call_end(call, status);
        buffer_append_string(&call->session->actual, "= none");
    } else {
        end_with_worker(call, status, &output->worker);
    }
}

void play_get_available_worker(play_session *session, const command_input *input)
{
    found_worker output;
    api_call call = call_begin(session, CALL_READ, input->arguments, &output, sizeof output);
    tvd_status status = tvd_worker_pool_get_available_worker(
        session_worker_pool(session), input->arguments->now, &output.worker, &output.found, &call.error);

    end_with_found_worker(&call, status, &output);
}

void play_get_worker(play_session *session, const command_input *input)
{
    found_worker output;
    api_call call = call_begin(session, CALL_READ, input->arguments, &output, sizeof output);
    tvd_status status = tvd_worker_pool_get_worker(session_worker_pool(session), input->arguments->worker,
                                                   &output.worker, &output.found, &call.error);

    end_with_found_worker(&call, status, &output);
}

/* --- tasks ------------------------------------------------------------------------------------------------ */

/* Whether the last field of a recorded outcome is the name of an ownership. */
static bool names_ownership(text recorded)
{
    text field = { NULL, 0 };

    while (recorded.size > 0)
        field = text_take_until(&recorded, ' ');
    return text_starts_with(field, "ownership=");
}

/* The ownership that a task offers, if it is asked for and there is one. */
static void append_offered_ownership(play_session *session, const tvd_task *task, bool asked)
{
    tvd_task_ownership ownership;

    if (asked && tvd_task_ownership_of(task, &ownership))
        append_ownership(session, "ownership", &ownership);
}

void play_enqueue(play_session *session, const command_input *input)
{
    const trace_arguments *arguments = input->arguments;
    tvd_task task;
    tvd_task_spec spec = { .task_id = arguments->task,
                           .scan_id = arguments->scan,
                           .target_ref = arguments->target.bytes,
                           .target_ref_size = arguments->target.size,
                           .phases = (const uint8_t *)arguments->phases.bytes,
                           .phases_count = arguments->phases.size,
                           .priority = arguments->priority };
    api_call call = call_begin(session, CALL_COMMAND, arguments, &task, sizeof task);

    if (!call_end(&call,
                  tvd_task_queue_enqueue(session_task_queue(session), &call.cursor, &spec, &task, &call.error)))
        return;
    call_ok(&call);
    append_word(session, "");
    outcome_task(&session->actual, &task);
    append_offered_ownership(session, &task, names_ownership(input->recorded));
}

/* What the reads of one task fill. */
typedef struct found_task {
    tvd_task task;
    bool found;
} found_task;

static void end_with_found_task(api_call *call, tvd_status status, const found_task *output, bool ownership)
{
    play_session *session = call->session;

    if (!call_end(call, status))
        return;
    if (!output->found) {
        buffer_append_string(&session->actual, "= none");
        return;
    }
    call_ok(call);
    append_word(session, "");
    outcome_task(&session->actual, &output->task);
    append_offered_ownership(session, &output->task, ownership);
}

void play_get_task(play_session *session, const command_input *input)
{
    found_task output;
    api_call call = call_begin(session, CALL_READ, input->arguments, &output, sizeof output);
    tvd_status status = tvd_task_queue_get_task(session_task_queue(session), input->arguments->task,
                                                &output.task, &output.found, &call.error);

    end_with_found_task(&call, status, &output, false);
}

void play_ownership(play_session *session, const command_input *input)
{
    found_task output;
    api_call call = call_begin(session, CALL_READ, input->arguments, &output, sizeof output);
    tvd_status status = tvd_task_queue_get_task(session_task_queue(session), input->arguments->task,
                                                &output.task, &output.found, &call.error);

    end_with_found_task(&call, status, &output, true);
}

void play_peek_next(play_session *session, const command_input *input)
{
    found_task output;
    api_call call = call_begin(session, CALL_READ, input->arguments, &output, sizeof output);
    tvd_status status =
        tvd_task_queue_peek_next(session_task_queue(session), &output.task, &output.found, &call.error);

    end_with_found_task(&call, status, &output, false);
}

/* --- assignment ------------------------------------------------------------------------------------------- */

static void end_with_lease(api_call *call, tvd_status status, const tvd_task_lease *lease)
{
    play_session *session = call->session;
    tvd_task_ownership ownership;

    if (!call_end(call, status))
        return;
    call_ok(call);
    append_word(session, "");
    outcome_lease(&session->actual, lease);
    ownership = tvd_task_ownership_from_lease(lease);
    append_ownership(session, "as", &ownership);
}

void play_assign_task(play_session *session, const command_input *input)
{
    const trace_arguments *arguments = input->arguments;
    tvd_task_lease lease;
    api_call call = call_begin(session, CALL_COMMAND, arguments, &lease, sizeof lease);
    tvd_status status = tvd_worker_pool_assign_task(session_worker_pool(session), &call.cursor, arguments->task,
                                                    arguments->worker, arguments->ttl, &lease, &call.error);

    end_with_lease(&call, status, &lease);
}

void play_assign_next(play_session *session, const command_input *input)
{
    tvd_task_lease lease;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &lease, sizeof lease);
    tvd_status status =
        tvd_worker_pool_assign_next(session_worker_pool(session), &call.cursor, input->arguments->worker,
                                    input->arguments->ttl, &lease, &call.error);

    end_with_lease(&call, status, &lease);
}

void play_assign_next_available(play_session *session, const command_input *input)
{
    tvd_task_lease lease;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &lease, sizeof lease);
    tvd_status status = tvd_worker_pool_assign_next_available(session_worker_pool(session), &call.cursor,
                                                              input->arguments->ttl, &lease, &call.error);

    end_with_lease(&call, status, &lease);
}

/* --- what a holder may do --------------------------------------------------------------------------------- */

void play_start_task(play_session *session, const command_input *input)
{
    const tvd_task_lease *lease = session_lease(session, input->arguments->ownership);
    tvd_start_outcome outcome;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &outcome, sizeof outcome);

    if (!lease || !call_end(&call, tvd_worker_pool_start_task(session_worker_pool(session), &call.cursor, lease,
                                                              &outcome, &call.error)))
        return;
    call_ok(&call);
    append_word(session, tvd_start_kind_name(outcome.kind));
    outcome_number(&session->actual, "record_version", outcome.record_version);
}

void play_complete_task(play_session *session, const command_input *input)
{
    const tvd_task_lease *lease = session_lease(session, input->arguments->ownership);
    tvd_completion_outcome outcome;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &outcome, sizeof outcome);

    if (!lease || !call_end(&call, tvd_worker_pool_complete_task(session_worker_pool(session), &call.cursor,
                                                                 lease, &outcome, &call.error)))
        return;
    call_ok(&call);
    append_word(session, tvd_completion_kind_name(outcome.kind));
    append_word(session, "");
    outcome_receipt(&session->actual, &outcome.receipt);
    append_word(session, "as=R");
    buffer_append_u64(&session->actual, session_keep_receipt(session, &outcome.receipt));
}

void play_fail_task(play_session *session, const command_input *input)
{
    const tvd_task_lease *lease = session_lease(session, input->arguments->ownership);
    tvd_failure_outcome outcome;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &outcome, sizeof outcome);

    if (!lease || !call_end(&call, tvd_worker_pool_fail_task(session_worker_pool(session), &call.cursor, lease,
                                                             &outcome, &call.error)))
        return;
    call_ok(&call);
    append_word(session, tvd_failure_kind_name(outcome.kind));
    if (outcome.kind == TVD_REQUEUED)
        outcome_number(&session->actual, "task_generation", outcome.task_generation);
    outcome_number(&session->actual, "retry_count", outcome.retry_count);
    outcome_number(&session->actual, "record_version", outcome.record_version);
}

void play_cancel_task(play_session *session, const command_input *input)
{
    const tvd_task_ownership *ownership = session_ownership(session, input->arguments->ownership);
    tvd_cancellation_outcome outcome;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &outcome, sizeof outcome);

    if (!ownership || !call_end(&call, tvd_worker_pool_cancel_task(session_worker_pool(session), &call.cursor,
                                                                   ownership, &outcome, &call.error)))
        return;
    call_ok(&call);
    append_word(session, tvd_cancellation_kind_name(outcome.kind));
    outcome_number(&session->actual, "record_version", outcome.record_version);
}

/* --- recovery --------------------------------------------------------------------------------------------- */

static void end_with_recovery(api_call *call, tvd_status status, const tvd_recovery_summary *summary)
{
    if (!call_end(call, status))
        return;
    call_ok(call);
    append_word(call->session, "");
    outcome_recovery(&call->session->actual, summary);
}

void play_recover_expired_leases(play_session *session, const command_input *input)
{
    tvd_recovery_summary summary;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &summary, sizeof summary);
    tvd_status status = tvd_worker_pool_recover_expired_leases(session_worker_pool(session), &call.cursor,
                                                               &summary, &call.error);

    end_with_recovery(&call, status, &summary);
}

void play_deregister_worker(play_session *session, const command_input *input)
{
    tvd_recovery_summary summary;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &summary, sizeof summary);
    tvd_status status =
        tvd_worker_pool_deregister_worker(session_worker_pool(session), &call.cursor, input->arguments->worker,
                                          input->arguments->generation, &summary, &call.error);

    end_with_recovery(&call, status, &summary);
}

void play_prune_dead_workers(play_session *session, const command_input *input)
{
    tvd_recovery_summary summary;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &summary, sizeof summary);
    tvd_status status =
        tvd_worker_pool_prune_dead_workers(session_worker_pool(session), &call.cursor, &summary, &call.error);

    end_with_recovery(&call, status, &summary);
}

void play_expire_old_tasks(play_session *session, const command_input *input)
{
    size_t expired;
    api_call call = call_begin(session, CALL_COMMAND, input->arguments, &expired, sizeof expired);

    if (!call_end(&call, tvd_worker_pool_expire_old_tasks(session_worker_pool(session), &call.cursor,
                                                          input->arguments->ttl, &expired, &call.error)))
        return;
    call_ok(&call);
    outcome_number(&session->actual, "expired", expired);
}
