/*
 * Random numbers that are the same in every run (xorshift64*).
 */
#ifndef TEST_PRNG_H
#define TEST_PRNG_H

#include <stddef.h>
#include <stdint.h>

struct prng {
    uint64_t state; /* the seed at first; never 0 */
};

uint64_t prng_next(struct prng *prng);
uint64_t prng_below(struct prng *prng, uint64_t bound);
void prng_fill(struct prng *prng, void *bytes, size_t size);

#endif
