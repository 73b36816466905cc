/*
 * The command "dump": the snapshot, every task and every worker. It is also where everything is checked that
 * can be looked at but is not recorded.
 */
#include "commands.h"
#include "outcome.h"

#include <stdlib.h>
#include <string.h>

/* A listing must be the same however it is cut into pages. */
static const size_t page_sizes[] = { 64, 1, 2, 7, 256 };
enum { PAGE_SIZES = sizeof page_sizes / sizeof page_sizes[0], LARGEST_PAGE = 256 };

/* Storage for one page of either kind. */
typedef struct listing_page {
    tvd_task tasks[LARGEST_PAGE];
    tvd_worker workers[LARGEST_PAGE];
} listing_page;

static bool list_tasks(play_session *session, listing_page *page, size_t page_size,
                       const tvd_state_snapshot *snapshot, byte_buffer *out)
{
    char last_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    const char *after = NULL;
    uint64_t listed = 0;
    size_t count;

    do {
        uint64_t revision = snapshot->revision + 1;
        if (tvd_task_queue_tasks(session_task_queue(session), after, page->tasks, page_size, &count, &revision,
                                 NULL) != TVD_OK)
            return false;
        listed += count;
        if (count > page_size || listed > snapshot->task_records || revision != snapshot->revision)
            return false;
        for (size_t i = 0; i < count; i++) {
            buffer_append_string(out, "| ");
            outcome_task(out, &page->tasks[i]);
            buffer_append_string(out, "\n");
        }
        if (count > 0)
            after = memcpy(last_id, page->tasks[count - 1].task_id, sizeof last_id);
    } while (count == page_size);
    return listed == snapshot->task_records;
}

static bool list_workers(play_session *session, listing_page *page, size_t page_size,
                         const tvd_state_snapshot *snapshot, byte_buffer *out)
{
    char last_id[TVD_MAX_IDENTIFIER_BYTES + 1];
    const char *after = NULL;
    uint64_t listed = 0;
    size_t count;

    do {
        uint64_t revision = snapshot->revision + 1;
        if (tvd_worker_pool_workers(session_worker_pool(session), after, page->workers, page_size, &count,
                                    &revision, NULL) != TVD_OK)
            return false;
        listed += count;
        if (count > page_size || listed > snapshot->workers || revision != snapshot->revision)
            return false;
        for (size_t i = 0; i < count; i++) {
            buffer_append_string(out, "| ");
            outcome_worker(out, &page->workers[i]);
            buffer_append_string(out, "\n");
        }
        if (count > 0)
            after = memcpy(last_id, page->workers[count - 1].worker_id, sizeof last_id);
    } while (count == page_size);
    return listed == snapshot->workers;
}

/* Fills session->listing, once for each page size. */
static void list_everything(play_session *session, const tvd_state_snapshot *snapshot)
{
    byte_buffer again = { 0 };
    listing_page *page = malloc(sizeof *page);

    for (size_t i = 0; page && i < PAGE_SIZES; i++) {
        byte_buffer *out = i == 0 ? &session->listing : &again;
        buffer_clear(out);
        if (!list_tasks(session, page, page_sizes[i], snapshot, out) ||
            !list_workers(session, page, page_sizes[i], snapshot, out))
            session_violated(session, "a listing failed, or is not of the snapshot's revision and size");
        if (i > 0 && !text_equals(buffer_text(&again), buffer_text(&session->listing)))
            session_violated(session, "listings in pages of different sizes differ");
    }
    if (!page)
        session_violated(session, "no memory for a listing");
    free(page);
    buffer_free(&again);
}

/* Both handles see one state. */
static void check_other_handle(play_session *session, const tvd_state_snapshot *snapshot)
{
    tvd_state_snapshot other;
    byte_buffer texts[2] = { { 0 }, { 0 } };

    if (tvd_task_queue_snapshot(session_task_queue(session), &other, NULL) != TVD_OK) {
        session_violated(session, "the snapshot by the queue failed");
        return;
    }
    outcome_snapshot(&texts[0], snapshot);
    outcome_snapshot(&texts[1], &other);
    if (!text_equals(buffer_text(&texts[0]), buffer_text(&texts[1])))
        session_violated(session, "the snapshots by pool and by queue differ");
    if (tvd_worker_pool_revision(session_worker_pool(session)) != snapshot->revision)
        session_violated(session, "the revision is not that of the snapshot");
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
}

/* Of all pools: what is done to one must not hurt another. */
static void check_invariants(play_session *session)
{
    for (size_t i = 0; i < session->pool_count; i++) {
        if (tvd_worker_pool_check_invariants(session->pools[i].pool, NULL) != TVD_OK)
            session_violated(session, "an invariant of a pool is broken");
    }
    if (session->results && tvd_result_aggregator_check_invariants(session->results, NULL) != TVD_OK)
        session_violated(session, "an invariant of the result aggregator is broken");
}

void play_dump(play_session *session, const command_input *input)
{
    tvd_state_snapshot snapshot;
    api_call call = call_begin(session, CALL_READ, input->arguments, &snapshot, sizeof snapshot);

    if (!call_end(&call, tvd_worker_pool_snapshot(session_worker_pool(session), &snapshot, &call.error)))
        return;
    call_ok(&call);
    buffer_append_string(&session->actual, " ");
    outcome_snapshot(&session->actual, &snapshot);
    list_everything(session, &snapshot);
    check_other_handle(session, &snapshot);
    check_invariants(session);
}
