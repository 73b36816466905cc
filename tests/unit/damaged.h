/*
 * The scene in which the invariant checks are tried: second 50. Workers "able" (8 slots, holds "leased" and "running"),
 * "full" (1 slot, holds "held"), "ranked-a" and "ranked-b" (the same but for their memory load) and "gone" (offline).
 * Leases end in the order of their IDs. Tasks have ended as "completed", "failed" (by its holder), "lost" (failed by
 * recovery), "cancelled" and "cancelled-held".
 */
#ifndef TEST_DAMAGED_H
#define TEST_DAMAGED_H

#include "world.h"

/* A fixture: *state is the world. */
int damaged_setup(void **state);

/* What check_invariants says is broken, or TVD_DETAIL_NONE. */
tvd_detail find_broken(struct world *world);

/* Asks twice, since looking must not mend. */
void assert_broken(struct world *world, tvd_detail detail);

#endif
