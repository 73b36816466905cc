#include "journal.h"

#include "dump.h"
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct journal_entry {
    command played; /* Its tokens are copies. */
    tvd_task_ownership *given_token;
    tvd_completion_receipt *given_receipt;
    uint64_t revision;
    uint64_t digest;
};

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = bytes == NULL ? NULL : malloc(size);

    CHECK(bytes == NULL || copy != NULL);
    return copy == NULL ? NULL : memcpy(copy, bytes, size);
}

static bool has_receipt(const answer *answered)
{
    return tvd_completion_receipt_task_id(&answered->receipt)[0] != '\0';
}

static bool has_token(const answer *answered)
{
    return tvd_task_ownership_kind(&answered->token) != TVD_OWNERSHIP_NONE;
}

void journal_add(journal *written, const command *played, const answer *answered)
{
    struct journal_entry *entry;

    if (written->count == written->capacity) {
        written->capacity = written->capacity == 0 ? 64 : 2 * written->capacity;
        written->entries = realloc(written->entries, written->capacity * sizeof *written->entries);
        CHECK(written->entries != NULL);
    }
    entry = &written->entries[written->count++];
    *entry = (struct journal_entry){ *played, NULL, NULL, answered->revision, answered->digest };
    entry->played.token = copy_of(played->token, sizeof *played->token);
    entry->played.receipt = copy_of(played->receipt, sizeof *played->receipt);
    entry->given_token = copy_of(has_token(answered) ? &answered->token : NULL, sizeof answered->token);
    entry->given_receipt = copy_of(has_receipt(answered) ? &answered->receipt : NULL, sizeof answered->receipt);
}

void journal_free(journal *freed)
{
    for (size_t i = 0; i < freed->count; i++) {
        struct journal_entry *entry = &freed->entries[i];

        free((void *)(uintptr_t)entry->played.token);
        free((void *)(uintptr_t)entry->played.receipt);
        free(entry->given_token);
        free(entry->given_receipt);
    }
    free(freed->entries);
    *freed = (journal){ 0 };
}

/* All entries of one kind of revision, at the place that their revision gives them. */
typedef struct history {
    const struct journal_entry **by_revision; /* The first is revision 1's. */
    size_t count;
} history;

/* Every revision was reached by exactly one command: none was lost, none was accepted twice. */
static history gather(const journal *journals, size_t count, bool of_results, uint64_t last_revision)
{
    history all = { calloc((size_t)last_revision + 1, sizeof *all.by_revision), 0 };

    CHECK(all.by_revision != NULL);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < journals[i].count; j++) {
            const struct journal_entry *entry = &journals[i].entries[j];

            if ((entry->played.kind == COMMAND_STORE_RESULT) != of_results)
                continue;
            CHECK(entry->revision >= 1 && entry->revision <= last_revision);
            CHECK(all.by_revision[entry->revision - 1] == NULL);
            all.by_revision[entry->revision - 1] = entry;
            all.count++;
        }
    }
    CHECK(all.count == last_revision);
    return all;
}

static bool is_same(const void *one, const void *other, size_t size)
{
    return one == NULL || memcmp(one, other, size) == 0;
}

static void replay(const world *fresh, const history *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct journal_entry *entry = all->by_revision[i];
        answer answered;

        play_command(fresh, i, &entry->played, &answered);
        if (!answered.changed || answered.digest != entry->digest)
            fprintf(stderr, "revision %" PRIu64 " by %s: now %s\n", entry->revision,
                    command_kind_name(entry->played.kind), tvd_status_name(answered.status));
        CHECK(answered.changed);
        CHECK(answered.digest == entry->digest);
        CHECK(is_same(entry->given_token, &answered.token, sizeof answered.token));
        CHECK(is_same(entry->given_receipt, &answered.receipt, sizeof answered.receipt));
    }
}

static void check_same_text(char *one, char *other)
{
    CHECK(one != NULL && other != NULL);
    if (strcmp(one, other) != 0)
        dump_print_difference(one, other);
    CHECK(strcmp(one, other) == 0);
    free(one);
    free(other);
}

static void check_same_results(const world *at, const world *fresh, const history *stores)
{
    const char **task_ids = calloc(stores->count + 1, sizeof *task_ids);

    CHECK(task_ids != NULL);
    for (size_t i = 0; i < stores->count; i++)
        task_ids[i] = tvd_completion_receipt_task_id(stores->by_revision[i]->played.receipt);
    check_same_text(dump_results(at->results, task_ids, stores->count),
                    dump_results(fresh->results, task_ids, stores->count));
    free(task_ids);
}

void journals_verify(const journal *journals, size_t count, const world *at, const tvd_limits *limits)
{
    history commands = gather(journals, count, false, tvd_worker_pool_revision(at->pool));
    history stores = gather(journals, count, true, tvd_result_aggregator_revision(at->results));
    world fresh;

    world_create(&fresh, limits, NULL);
    replay(&fresh, &commands);
    replay(&fresh, &stores);
    check_same_text(dump_coordinator(at->pool, at->queue), dump_coordinator(fresh.pool, fresh.queue));
    check_same_results(at, &fresh, &stores);
    CHECK(tvd_worker_pool_check_invariants(at->pool, NULL) == TVD_OK);
    CHECK(tvd_result_aggregator_check_invariants(at->results, NULL) == TVD_OK);
    world_release(&fresh);
    free(commands.by_revision);
    free(stores.by_revision);
}
