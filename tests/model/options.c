/* Reading of numbers and of the names of faults. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const fault_names[MODEL_FAULT_COUNT] = {
    "none",
    "lease_lives_longer",
    "prune_too_early",
    "requeue_keeps_place",
    "fence_ignores_version",
    "capacity_rounds_down",
    "network_tie_ignored",
    "recovery_in_task_order",
    "recovery_keeps_proof",
    "replay_moves_time",
    "refusal_moves_time",
    "completed_forgotten",
    "terminal_room_unchecked",
    "empty_result_refused",
    "last_retry_lost",
};

bool options_read_number(const char *text, uint64_t *value)
{
    char *end = NULL;
    if (text == NULL || *text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

bool options_read_fault(const char *text, model_fault *fault)
{
    for (unsigned i = 0; text != NULL && i < MODEL_FAULT_COUNT; i++) {
        if (strcmp(text, fault_names[i]) == 0) {
            *fault = (model_fault)i;
            return true;
        }
    }
    return false;
}
