/*
 * A small generator of pseudo-random numbers (splitmix64): the same seed gives the same numbers everywhere, which
 * the C library's own generator does not promise.
 */
#ifndef MODEL_PRNG_H
#define MODEL_PRNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prng {
    uint64_t state;
} prng;

static inline uint64_t prng_next(prng *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number from 0 to bound - 1. The bias of the remainder does not matter here. */
static inline uint64_t prng_below(prng *random, uint64_t bound)
{
    return prng_next(random) % bound;
}

static inline uint64_t prng_between(prng *random, uint64_t least, uint64_t most)
{
    return least + prng_below(random, most - least + 1);
}

static inline bool prng_percent(prng *random, unsigned percent)
{
    return prng_below(random, 100) < percent;
}

#endif
