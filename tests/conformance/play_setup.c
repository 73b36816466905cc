/*
 * Setup lines, and the trials of limits.
 */
#include "commands.h"
#include "outcome.h"

/* --- setup ------------------------------------------------------------------------------------------------ */

void play_limits(play_session *session, const command_input *input)
{
    if (session->has_limits || session->pool_count > 0)
        session_refuse(session, "the limits are set already");
    else if (tvd_limits_validate(&input->arguments->limits, NULL) != TVD_OK)
        session_refuse(session, "no pool can have these limits");
    session->limits = input->arguments->limits;
    session->has_limits = true;
}

void play_result_limits(play_session *session, const command_input *input)
{
    if (session->results)
        session_refuse(session, "the result limits are set already");
    else if (tvd_result_aggregator_create(&input->arguments->result_limits, NULL, &session->results, NULL) !=
             TVD_OK)
        session_refuse(session, "no result aggregator can have these limits");
}

/* Either handle can be the first one and give the other; even pools start from one and odd ones from the other. */
static bool create_pool(const tvd_limits *limits, bool queue_first, session_pool *pool)
{
    if (queue_first) {
        if (tvd_task_queue_create(limits, NULL, &pool->queue, NULL) != TVD_OK)
            return false;
        pool->pool = tvd_task_queue_worker_pool(pool->queue);
    } else {
        if (tvd_worker_pool_create(limits, NULL, &pool->pool, NULL) != TVD_OK)
            return false;
        pool->queue = tvd_worker_pool_task_queue(pool->pool);
    }
    return true;
}

void play_pools(play_session *session, const command_input *input)
{
    uint64_t count = input->arguments->count;

    if (session->pool_count > 0)
        session_refuse(session, "the pools are there already");
    else if (!session->has_limits)
        session_refuse(session, "pools without limits");
    else if (count == 0 || count > SESSION_MAX_POOLS)
        session_refuse(session, "no such number of pools is played");
    while (!session->refusal && session->pool_count < count) {
        session_pool *pool = &session->pools[session->pool_count];
        if (create_pool(&session->limits, session->pool_count % 2 != 0, pool))
            session->pool_count++;
        else
            session_refuse(session, "a pool could not be created");
    }
}

void play_use(play_session *session, const command_input *input)
{
    if (input->arguments->pool < session->pool_count)
        session->current = (size_t)input->arguments->pool;
    else
        session_refuse(session, "there is no such pool");
}

/* --- trials of limits ------------------------------------------------------------------------------------- */

typedef tvd_status limits_trial(const command_input *input, tvd_error *error);

static tvd_status try_validate(const command_input *input, tvd_error *error)
{
    return tvd_limits_validate(&input->arguments->limits, error);
}

static tvd_status try_pool(const command_input *input, tvd_error *error)
{
    tvd_worker_pool *pool = NULL;
    tvd_status status = tvd_worker_pool_create(&input->arguments->limits, NULL, &pool, error);

    tvd_worker_pool_release(pool);
    return status;
}

static tvd_status try_queue(const command_input *input, tvd_error *error)
{
    tvd_task_queue *queue = NULL;
    tvd_status status = tvd_task_queue_create(&input->arguments->limits, NULL, &queue, error);

    tvd_task_queue_release(queue);
    return status;
}

static tvd_status try_validate_results(const command_input *input, tvd_error *error)
{
    return tvd_result_limits_validate(&input->arguments->result_limits, error);
}

static tvd_status try_aggregator(const command_input *input, tvd_error *error)
{
    tvd_result_aggregator *results = NULL;
    tvd_status status = tvd_result_aggregator_create(&input->arguments->result_limits, NULL, &results, error);

    tvd_result_aggregator_release(results);
    return status;
}

/* Limits are refused alike by each function that takes them. */
static void play_trials(play_session *session, const command_input *input, limits_trial *const *trials)
{
    byte_buffer outcome = { 0 };

    for (size_t i = 0; trials[i]; i++) {
        tvd_error error = { 0 };
        buffer_clear(&outcome);
        if (trials[i](input, &error) == TVD_OK)
            buffer_append_string(&outcome, "= ok");
        else
            outcome_error(&outcome, &error);
        if (i == 0)
            buffer_append(&session->actual, outcome.bytes, outcome.size);
        else if (!text_equals(buffer_text(&outcome), buffer_text(&session->actual)))
            session_violated(session, "validation and creation disagree on these limits");
    }
    buffer_free(&outcome);
}

void play_try_limits(play_session *session, const command_input *input)
{
    static limits_trial *const trials[] = { try_validate, try_pool, try_queue, NULL };

    play_trials(session, input, trials);
}

void play_try_result_limits(play_session *session, const command_input *input)
{
    static limits_trial *const trials[] = { try_validate_results, try_aggregator, NULL };

    play_trials(session, input, trials);
}
