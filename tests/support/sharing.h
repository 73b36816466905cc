/*
 * Inputs that lie where a call writes: every place through which a public function reads what it does not write, and a
 * way to move it.
 */
#ifndef TEST_SHARING_H
#define TEST_SHARING_H

#include "stage.h"

struct readable {
    const char *name;
    size_t offset; /* within struct stage, of the pointer */
    size_t size;   /* of what it points to; 0: as far as its NUL */
};

/* Ends with a null name. */
extern const struct readable readables[];

/* Copies what the pointer points to, and lets it point to the copy; gives what it pointed to. Null stays null. The room
 * must be as large as struct outputs, which is more than anything takes. */
const void *stage_move(struct stage *stage, const struct readable *readable, void *room);
void stage_move_back(struct stage *stage, const struct readable *readable, const void *old);

/* Calls the function once for each readable, which lies in the error that the call fills: it must fail as
 * stage->expected says, and change nothing. */
void stage_refuse_sharing(struct stage *stage, const struct function *function);

#endif
