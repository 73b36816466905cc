/*
 * Damaging a structure and mending it again: what the invariant checks must notice.
 */
#ifndef TEST_DAMAGE_H
#define TEST_DAMAGE_H

#include "test.h"

/* Writes an integer member of 1, 2, 4 or 8 bytes; gives its old value. */
uint64_t damage_member(void *member, size_t size, uint64_t value);

#endif
