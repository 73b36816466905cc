#include "guard.h"

#include <assert.h>

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
