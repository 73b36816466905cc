#include "prng.h"

uint64_t prng_next(struct prng *prng)
{
    prng->state ^= prng->state >> 12;
    prng->state ^= prng->state << 25;
    prng->state ^= prng->state >> 27;
    return prng->state * UINT64_C(2685821657736338717);
}

uint64_t prng_below(struct prng *prng, uint64_t bound)
{
    return (prng_next(prng) >> 11) % bound;
}

void prng_fill(struct prng *prng, void *bytes, size_t size)
{
    unsigned char *byte = bytes;

    for (size_t i = 0; i < size; i++)
        byte[i] = (unsigned char)(prng_next(prng) >> 56);
}
