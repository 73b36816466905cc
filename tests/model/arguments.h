/* The arguments of random commands. */
#ifndef MODEL_ARGUMENTS_H
#define MODEL_ARGUMENTS_H

#include "generate.h"

/* Fills in the arguments that the command's operation takes. */
void arguments_make(plan *p, const session *s, command *c);
/* Limits that can be created. */
tvd_limits arguments_limits(prng *r, bool big);
tvd_result_limits arguments_result_limits(prng *r);

#endif
