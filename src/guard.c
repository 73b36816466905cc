#include "guard.h"

bool tvd_guard_init(struct tvd_guard *guard)
{
    guard->handles = 0;
    return pthread_mutex_init(&guard->mutex, NULL) == 0;
}

void tvd_guard_destroy(struct tvd_guard *guard)
{
    assert(guard->handles == 0);
    pthread_mutex_destroy(&guard->mutex);
}

void tvd_guard_retain(struct tvd_guard *guard, size_t *handles_of_kind)
{
    tvd_guard_lock(guard);
    guard->handles += 1;
    *handles_of_kind += 1;
    tvd_guard_unlock(guard);
}

bool tvd_guard_release(struct tvd_guard *guard, size_t *handles_of_kind)
{
    bool last;

    tvd_guard_lock(guard);
    assert(*handles_of_kind > 0);
    guard->handles -= 1;
    *handles_of_kind -= 1;
    last = guard->handles == 0;
    tvd_guard_unlock(guard);
    return last;
}
