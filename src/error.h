/*
 * Failing: each function fills the caller's error, if there is one, and returns the status, so that a check
 * reads "return tvd_fail(...)". Names and sentences of every status are in one table in error.c.
 */
#ifndef TVD_ERROR_H
#define TVD_ERROR_H

#include "termivar/distributed.h"

tvd_status tvd_fail(tvd_error *error, tvd_status status);
tvd_status tvd_fail_detail(tvd_error *error, tvd_status status, tvd_detail detail);
tvd_status tvd_fail_argument(tvd_error *error, tvd_detail parameter);
tvd_status tvd_fail_conflict(tvd_error *error, tvd_status status, uint64_t expected, uint64_t actual);
tvd_status tvd_fail_limit(tvd_error *error, tvd_status status, uint64_t limit);
tvd_status tvd_fail_excess(tvd_error *error, tvd_status status, tvd_detail detail, uint64_t actual,
                           uint64_t limit);
/* The identifier must be valid or empty. */
tvd_status tvd_fail_identifier(tvd_error *error, tvd_status status, const char *identifier);
tvd_status tvd_fail_task_status(tvd_error *error, tvd_status status, const char *task_id,
                                tvd_task_status task_status, tvd_operation operation);

/* Whether a required pointer argument is there; fails for its parameter otherwise. */
static inline bool tvd_given(const void *argument, tvd_detail parameter, tvd_error *error)
{
    if (argument == NULL)
        tvd_fail_argument(error, parameter);
    return argument != NULL;
}

#endif
