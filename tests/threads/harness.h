/*
 * What the thread tests share: a check that works in any thread, seeded randomness, threads that start together.
 */
#ifndef THREADS_HARNESS_H
#define THREADS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka's assertions jump back to where the test began, which another thread cannot. This ends the process. */
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

_Noreturn void check_failed(const char *file, int line, const char *condition);

/* Reads the seed from TVD_THREADS_SEED, if it is set; a failed check prints it. Call it once, first. A process that
 * hangs is ended by an alarm, so that a deadlock is a failure too. */
uint64_t harness_begin(uint64_t default_seed, unsigned hang_secs);

/* A number of rounds from the environment, or the default. */
uint64_t harness_rounds(const char *variable, uint64_t default_rounds);

typedef struct prng {
    uint64_t state;
} prng;

/* Different streams of one seed share nothing. */
prng prng_of(uint64_t seed, uint64_t stream);
uint64_t prng_next(prng *random);
uint64_t prng_below(prng *random, uint64_t bound);

enum { MAX_THREADS = 8 };

/* Runs one thread for each of count contexts, of context_size bytes each. None starts before all are there. */
void run_together(void (*body)(void *context), void *contexts, size_t context_size, size_t count);

#endif
