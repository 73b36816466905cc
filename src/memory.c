#include "memory.h"

#include "error.h"

#include <stdlib.h>

static void *allocate_by_malloc(size_t size, void *context)
{
    (void)context;
    return malloc(size);
}

static void release_by_free(void *pointer, size_t size, void *context)
{
    (void)size;
    (void)context;
    free(pointer);
}

tvd_status tvd_memory_choose(const tvd_allocator *given, tvd_allocator *chosen, tvd_error *error)
{
    if (given == NULL) {
        *chosen = (tvd_allocator){ .allocate = allocate_by_malloc, .release = release_by_free };
        return TVD_OK;
    }
    if (given->allocate == NULL)
        return tvd_fail_argument(error, TVD_DETAIL_ALLOCATE);
    if (given->release == NULL)
        return tvd_fail_argument(error, TVD_DETAIL_RELEASE);
    *chosen = *given;
    return TVD_OK;
}
