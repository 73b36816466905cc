/*
 * What can be wrong with a call, each as a function that spoils the stage and says what the answer must be. A list of
 * them in the order of a declaration's "Errors:" is walked: each alone, also with the inputs lying in the error, each before
 * every later one, and each null pointer before all of them.
 */
#ifndef TEST_FAULTS_H
#define TEST_FAULTS_H

#include "stage.h"

typedef void fault(struct stage *stage);

/* The list ends with null. Faults are applied last to first, so that an earlier one undoes what a later one of the same
 * argument did. */
void walk_faults(const char *function_name, fault *const *faults);

/* The preflight's three. */
fault revision_conflict;
fault time_regression;
fault revision_exhausted;

/* The last check of what allocates. */
fault no_memory;

/* Bad identifiers of commands, and unknown ones. */
fault task_id_invalid;
fault worker_id_invalid;
fault worker_unknown;
fault worker_of_other_generation;

/* Full queue and last ordinal, when leases are to be requeued. */
fault queue_full;
fault ordinals_exhausted;

#endif
