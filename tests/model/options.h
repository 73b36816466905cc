/* What the programs' command lines have in common. */
#ifndef MODEL_OPTIONS_H
#define MODEL_OPTIONS_H

#include "model.h"

/* A decimal number; false for anything else, and for null. */
bool options_read_number(const char *text, uint64_t *value);
/* One of the wrong rules by its name: the enumerator's, in lower case. */
bool options_read_fault(const char *text, model_fault *fault);

#endif
