/* The identifiers of the random streams. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

enum { SPECIAL = 14 };

static char task_names[PLAN_MAX_IDS][MODEL_ID_SIZE];
static char worker_names[PLAN_MAX_IDS][MODEL_ID_SIZE];
static char too_long[MODEL_ID_SIZE + 64];

/* Prefixes of each other, other cases, the ends of the alphabet, the longest, and the longest but for one byte. */
static const char *const special[SPECIAL - 3] = {
    "a", "A", "ab", "a.", "a-", "a:", "a_", "t0", "t00", "z", "0",
};

static void name(char *place, unsigned index, char letter)
{
    memset(place, 0, MODEL_ID_SIZE);
    if (index < SPECIAL - 3) {
        strcpy(place, special[index]);
    } else if (index < SPECIAL) {
        memset(place, 'm', TVD_MAX_IDENTIFIER_BYTES - (index == SPECIAL - 3 ? 1 : 0));
        if (index == SPECIAL - 1)
            place[TVD_MAX_IDENTIFIER_BYTES - 1] = 'n';
    } else {
        snprintf(place, MODEL_ID_SIZE, "%c%u", letter, index * 7u % PLAN_MAX_IDS);
    }
}

void identifiers_prepare(void)
{
    for (unsigned i = 0; i < PLAN_MAX_IDS; i++) {
        name(task_names[i], i, 't');
        name(worker_names[i], i, 'w');
    }
    memset(too_long, 'l', sizeof too_long - 1);
}

const char *identifier_of_task(unsigned index)
{
    return task_names[index % PLAN_MAX_IDS];
}

/* Tasks and workers share some names: they must not be confused. */
const char *identifier_of_worker(unsigned index)
{
    return worker_names[index % PLAN_MAX_IDS];
}

const char *identifier_invalid(uint64_t pick)
{
    static const char *const invalid[] = { "",  "a b", "a/b", "\xc3\xa9", "a\n", "@",
                                           "[", "`",   "{",   ",",        ";",   "~" };
    uint64_t count = sizeof invalid / sizeof invalid[0];
    pick %= count + 2;
    if (pick < count)
        return invalid[pick];
    return pick == count ? too_long : too_long + 63; /* Over-long, and over-long by one byte. */
}
