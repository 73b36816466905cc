/*
 * An allocator that counts, that can be told to fail, and that notices what the library must never do: give a block
 * back under another size, give back what it was not given, or rely on memory being zero or still there.
 */
#ifndef TEST_ALLOCATOR_H
#define TEST_ALLOCATOR_H

#include "test.h"

struct test_memory {
    tvd_allocator allocator; /* to hand to the library; its context is this struct, which must not move */
    size_t calls;            /* of allocate, failed ones too */
    size_t releases;
    size_t blocks; /* not given back */
    size_t bytes;  /* in them */
    size_t mistakes;

    size_t fail_at;    /* the number of the call that returns null; 0: none */
    bool keep_failing; /* and every later one */

    void (*watch)(void *watched); /* called first by allocate and by release; may be null */
    void *watched;
};

void test_memory_init(struct test_memory *memory);

/* Lets the n-th call from now fail, alone or with all that follow. */
void test_memory_fail(struct test_memory *memory, size_t n, bool keep_failing);
void test_memory_stop_failing(struct test_memory *memory);

/* Everything was given back, in the sizes it was taken. */
void test_memory_assert_balanced(const struct test_memory *memory);

#endif
