/* One block of memory that can be copied away and back. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 1 << 18, ALIGNMENT = 64 };

bool arena_open(arena *a, arena_image *images, unsigned image_count)
{
    bool complete = true;
    a->size = ARENA_BYTES;
    a->used = 0;
    a->bytes = aligned_alloc(ALIGNMENT, ARENA_BYTES);
    if (a->bytes != NULL)
        memset(a->bytes, 0, ARENA_BYTES);
    else
        complete = false;
    for (unsigned i = 0; i < image_count; i++) {
        images[i].bytes = malloc(ARENA_BYTES);
        images[i].used = 0;
        complete = complete && images[i].bytes != NULL;
    }
    return complete;
}

void arena_close(arena *a, arena_image *images, unsigned image_count)
{
    free(a->bytes);
    for (unsigned i = 0; i < image_count; i++)
        free(images[i].bytes);
}

static void *take(size_t size, void *context)
{
    arena *a = context;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded < size || rounded > a->size - a->used)
        return NULL;
    void *block = a->bytes + a->used;
    a->used += rounded;
    return block;
}

static void give_back(void *block, size_t size, void *context)
{
    (void)block;
    (void)size;
    (void)context;
}

tvd_allocator arena_allocator(arena *a)
{
    tvd_allocator allocator = { take, give_back, a };
    return allocator;
}

void arena_save(const arena *a, arena_image *image)
{
    memcpy(image->bytes, a->bytes, a->used);
    image->used = a->used;
}

void arena_restore(arena *a, const arena_image *image)
{
    memcpy(a->bytes, image->bytes, image->used);
    a->used = image->used;
}

bool arena_equals(const arena *a, const arena_image *image)
{
    return a->used == image->used && memcmp(a->bytes, image->bytes, a->used) == 0;
}
