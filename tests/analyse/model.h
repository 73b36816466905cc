/*
 * For the analysers only, which look at one file at a time: what the functions of error.h return is the status that
 * they were given, and so never TVD_OK. Without it they follow paths on which a check fails and yet succeeds.
 */
#include "error.h"

#define tvd_fail(error, status) (tvd_fail((error), (status)), (status))
#define tvd_fail_detail(error, status, detail) (tvd_fail_detail((error), (status), (detail)), (status))
#define tvd_fail_argument(error, parameter)                                                                    \
    (tvd_fail_argument((error), (parameter)), TVD_ERROR_INVALID_ARGUMENT)
#define tvd_fail_conflict(error, status, expected, actual)                                                     \
    (tvd_fail_conflict((error), (status), (expected), (actual)), (status))
#define tvd_fail_limit(error, status, limit) (tvd_fail_limit((error), (status), (limit)), (status))
#define tvd_fail_excess(error, status, detail, actual, limit)                                                  \
    (tvd_fail_excess((error), (status), (detail), (actual), (limit)), (status))
#define tvd_fail_identifier(error, status, identifier)                                                         \
    (tvd_fail_identifier((error), (status), (identifier)), (status))
#define tvd_fail_task_status(error, status, task_id, task_status, operation)                                   \
    (tvd_fail_task_status((error), (status), (task_id), (task_status), (operation)), (status))
