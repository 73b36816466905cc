#include "guard.h"

#include <assert.h>
#include <errno.h>

bool tvd_guard_init(struct tvd_guard *guard)
{
    guard->handles = 1;
    return pthread_mutex_init(&guard->mutex, NULL) == 0;
}

void tvd_guard_destroy(struct tvd_guard *guard)
{
    assert(guard->handles == 0);
    pthread_mutex_destroy(&guard->mutex);
}

/* A default mutex that is used as here can neither fail to lock nor to unlock. */
void tvd_guard_lock(struct tvd_guard *guard)
{
    int result = pthread_mutex_lock(&guard->mutex);

    assert(result == 0);
    (void)result;
}

void tvd_guard_unlock(struct tvd_guard *guard)
{
    int result = pthread_mutex_unlock(&guard->mutex);

    assert(result == 0);
    (void)result;
}

void tvd_guard_assert_locked(struct tvd_guard *guard)
{
    assert(pthread_mutex_trylock(&guard->mutex) == EBUSY);
    (void)guard;
}

void tvd_guard_retain(struct tvd_guard *guard)
{
    tvd_guard_lock(guard);
    assert(guard->handles > 0);
    guard->handles += 1;
    tvd_guard_unlock(guard);
}

bool tvd_guard_release(struct tvd_guard *guard)
{
    bool last;

    tvd_guard_lock(guard);
    assert(guard->handles > 0);
    guard->handles -= 1;
    last = guard->handles == 0;
    tvd_guard_unlock(guard);
    return last;
}
