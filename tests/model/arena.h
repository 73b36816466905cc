/*
 * An allocator that hands out one block of memory from its start and takes nothing back. A coordinator frees no
 * record before its last handle goes, so all it consists of lies in that block: copying the block away and back
 * brings an earlier state back, and a refused command must leave every byte of it as it was.
 */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include <termivar/distributed.h>

typedef struct arena {
    unsigned char *bytes;
    size_t size;
    size_t used;
} arena;

typedef struct arena_image {
    unsigned char *bytes;
    size_t used;
} arena_image;

bool arena_open(arena *a, arena_image *images, unsigned image_count);
void arena_close(arena *a, arena_image *images, unsigned image_count);
tvd_allocator arena_allocator(arena *a);
void arena_save(const arena *a, arena_image *image);
void arena_restore(arena *a, const arena_image *image);
bool arena_equals(const arena *a, const arena_image *image);

#endif
