/*
 * What every test of this tree includes: cmocka with what it needs first, and the public interface.
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "termivar/distributed.h"

/* A macro, so that a failure names the line of the test. */
#define assert_ok(call) assert_int_equal((call), TVD_OK)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
