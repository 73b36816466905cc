/*
 * The commands of a result aggregator.
 */
#include "commands.h"
#include "outcome.h"

/* --- results ---------------------------------------------------------------------------------------------- */

void play_store_result(play_session *session, const command_input *input)
{
    const tvd_completion_receipt *receipt = session_receipt(session, input->arguments->receipt);
    text bytes = input->arguments->bytes;
    tvd_store_outcome outcome;
    api_call call = call_begin(session, CALL_STORE, input->arguments, &outcome, sizeof outcome);

    if (!receipt ||
        !call_end(&call, tvd_result_aggregator_store_result(session->results, &call.cursor.revision, receipt,
                                                            bytes.bytes, bytes.size, &outcome, &call.error)))
        return;
    call_ok(&call);
    buffer_append_string(&session->actual, " ");
    buffer_append_string(&session->actual, tvd_store_outcome_name(outcome));
}

void play_aggregate_results(play_session *session, const command_input *input)
{
    const trace_arguments *arguments = input->arguments;
    tvd_aggregate *aggregate;
    api_call call = call_begin(session, CALL_READ, arguments, &aggregate, sizeof aggregate);

    if (!call_end(&call,
                  tvd_result_aggregator_aggregate_results(session->results, arguments->items,
                                                          arguments->item_count, &aggregate, &call.error)))
        return;
    call_ok(&call);
    outcome_aggregate(&session->actual, aggregate);
    tvd_aggregate_free(aggregate);
}

void play_get_result(play_session *session, const command_input *input)
{
    tvd_result *result;
    api_call call = call_begin(session, CALL_READ, input->arguments, &result, sizeof result);

    if (!call_end(&call, tvd_result_aggregator_get_result(session->results, input->arguments->task, &result,
                                                          &call.error)))
        return;
    if (result) {
        call_ok(&call);
        buffer_append_string(&session->actual, " bytes=");
        buffer_append_hex(&session->actual, tvd_result_bytes(result), tvd_result_size(result));
    } else {
        buffer_append_string(&session->actual, "= none");
    }
    tvd_result_free(result);
}

void play_result_totals(play_session *session, const command_input *input)
{
    (void)input;
    buffer_append_string(&session->actual, "= ok");
    outcome_number(&session->actual, "revision", tvd_result_aggregator_revision(session->results));
    outcome_number(&session->actual, "results", tvd_result_aggregator_result_count(session->results));
    outcome_number(&session->actual, "total_bytes", tvd_result_aggregator_total_bytes(session->results));
}
