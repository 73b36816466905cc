/*
 * The shortest honest host: one worker and one task, from admission to the aggregated result. The target is a
 * text, and the work is to count its letters.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <termivar/distributed.h>

static int report(const tvd_error *error)
{
    char sentence[1024];

    tvd_error_format(error, sentence, sizeof sentence);
    fprintf(stderr, "quickstart: %s\n", sentence);
    return 1;
}

/* The work itself: the host's business, of which the library knows nothing. */
static unsigned char count_letters(const char *text)
{
    unsigned char letters = 0;

    for (; *text != '\0'; text++) {
        if (isalpha((unsigned char)*text))
            letters++;
    }
    return letters;
}

static int run(tvd_worker_pool *pool, tvd_task_queue *queue, tvd_result_aggregator *results)
{
    static const char target[] = "many hands make light work";
    const char *task_id = "task-001";
    tvd_worker_spec worker = { .worker_id = "worker-a", .capacity = 4 };
    tvd_task_spec task = {
        .task_id = task_id, .scan_id = "scan-001", .target_ref = target, .target_ref_size = strlen(target)
    };
    tvd_cursor at = { .now_secs = 1 }; /* the host's clock; each accepted command moves the revision */
    uint64_t results_revision = 0;
    tvd_task_lease lease;
    tvd_completion_outcome done;
    tvd_aggregate *aggregate = NULL;
    tvd_error error;

    if (tvd_worker_pool_register_worker(pool, &at, &worker, NULL, &error) ||
        tvd_task_queue_enqueue(queue, &at, &task, NULL, &error) ||
        tvd_worker_pool_assign_next_available(pool, &at, 30, &lease, &error) ||
        tvd_worker_pool_start_task(pool, &at, &lease, NULL, &error))
        return report(&error);

    unsigned char letters = count_letters(target);
    at.now_secs += 5; /* the work took five seconds, and the lease lasts thirty */

    if (tvd_worker_pool_complete_task(pool, &at, &lease, &done, &error) ||
        tvd_result_aggregator_store_result(results, &results_revision, &done.receipt, &letters, sizeof letters,
                                           NULL, &error) ||
        tvd_result_aggregator_aggregate_results(results, &task_id, 1, &aggregate, &error))
        return report(&error);

    printf("%s, attempt %" PRIu32 " by %s: %d letters\n", tvd_aggregate_task_id(aggregate, 0),
           tvd_completion_receipt_attempt(&done.receipt), tvd_completion_receipt_worker_id(&done.receipt),
           *(const unsigned char *)tvd_aggregate_bytes(aggregate, 0));
    tvd_aggregate_free(aggregate);
    return 0;
}

int main(void)
{
    tvd_worker_pool *pool = NULL;
    tvd_task_queue *queue = NULL;
    tvd_result_aggregator *results = NULL;
    tvd_error error;
    int exit_status;

    if (tvd_worker_pool_create(NULL, NULL, &pool, &error) ||
        tvd_result_aggregator_create(NULL, NULL, &results, &error)) {
        exit_status = report(&error);
    } else {
        queue = tvd_worker_pool_task_queue(pool); /* the other handle on the same state */
        exit_status = run(pool, queue, results);
    }
    tvd_result_aggregator_release(results);
    tvd_task_queue_release(queue);
    tvd_worker_pool_release(pool);
    return exit_status;
}
