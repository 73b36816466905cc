/*
 * The allocator of a coordinator or an aggregator: the host's, or malloc and free.
 */
#ifndef TVD_MEMORY_H
#define TVD_MEMORY_H

#include "termivar/distributed.h"

/* Copies the host's allocator, or the default for null; refuses one that lacks a function. */
tvd_status tvd_memory_choose(const tvd_allocator *given, tvd_allocator *chosen, tvd_error *error);

static inline void *tvd_memory_allocate(const tvd_allocator *allocator, size_t size)
{
    return allocator->allocate(size, allocator->context);
}

static inline void tvd_memory_release(const tvd_allocator *allocator, void *pointer, size_t size)
{
    allocator->release(pointer, size, allocator->context);
}

#endif
