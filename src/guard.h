/*
 * What makes a state safe to share: one mutex, and the counts of the handles that keep the state alive.
 */
#ifndef TVD_GUARD_H
#define TVD_GUARD_H

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct tvd_guard {
    pthread_mutex_t mutex;
    size_t handles; /* of every kind; guarded by the mutex */
};

/* Starts without a handle; false if the system has no memory for a mutex. */
bool tvd_guard_init(struct tvd_guard *guard);
void tvd_guard_destroy(struct tvd_guard *guard);

/* A default mutex that is used as here can neither fail to lock nor to unlock. */
static inline void tvd_guard_lock(struct tvd_guard *guard)
{
    int result = pthread_mutex_lock(&guard->mutex);

    assert(result == 0);
    (void)result;
}

static inline void tvd_guard_unlock(struct tvd_guard *guard)
{
    int result = pthread_mutex_unlock(&guard->mutex);

    assert(result == 0);
    (void)result;
}

static inline void tvd_guard_assert_locked(struct tvd_guard *guard)
{
    assert(pthread_mutex_trylock(&guard->mutex) == EBUSY);
    (void)guard;
}

/*
 * One more handle of a kind, or one less; release tells whether it was the last of all, so that the caller must
 * destroy the state. Each kind is counted on its own so that releasing one kind too often is noticed while another
 * keeps the state alive.
 */
void tvd_guard_retain(struct tvd_guard *guard, size_t *handles_of_kind);
bool tvd_guard_release(struct tvd_guard *guard, size_t *handles_of_kind);

#endif
