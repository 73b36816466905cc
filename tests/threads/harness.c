#include "harness.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t seed_in_use;

void check_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: failed: %s\nTVD_THREADS_SEED=%" PRIu64 " (the schedule is not repeated by it)\n",
            file, line, condition, seed_in_use);
    fflush(stderr);
    _Exit(1);
}

uint64_t harness_rounds(const char *variable, uint64_t default_rounds)
{
    const char *given = getenv(variable);

    return given == NULL ? default_rounds : strtoull(given, NULL, 10);
}

uint64_t harness_begin(uint64_t default_seed, unsigned hang_secs)
{
    seed_in_use = harness_rounds("TVD_THREADS_SEED", default_seed);
    alarm(hang_secs);
    return seed_in_use;
}

/* SplitMix64. */
uint64_t prng_next(prng *random)
{
    uint64_t mixed = random->state += 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

prng prng_of(uint64_t seed, uint64_t stream)
{
    prng random = { seed };

    random.state = prng_next(&random) + stream;
    random.state = prng_next(&random);
    return random;
}

uint64_t prng_below(prng *random, uint64_t bound)
{
    return prng_next(random) % bound;
}

struct starter {
    pthread_t thread;
    pthread_barrier_t *barrier;
    void (*body)(void *context);
    void *context;
};

static void *start(void *argument)
{
    struct starter *starter = argument;

    pthread_barrier_wait(starter->barrier);
    starter->body(starter->context);
    return NULL;
}

void run_together(void (*body)(void *context), void *contexts, size_t context_size, size_t count)
{
    struct starter starters[MAX_THREADS];
    pthread_barrier_t barrier;

    CHECK(count > 0 && count <= MAX_THREADS);
    CHECK(pthread_barrier_init(&barrier, NULL, (unsigned)count) == 0);
    for (size_t i = 0; i < count; i++) {
        starters[i] = (struct starter){ .barrier = &barrier, .body = body };
        starters[i].context = (char *)contexts + i * context_size;
        CHECK(pthread_create(&starters[i].thread, NULL, start, &starters[i]) == 0);
    }
    for (size_t i = 0; i < count; i++)
        CHECK(pthread_join(starters[i].thread, NULL) == 0);
    pthread_barrier_destroy(&barrier);
}
