/* What random commands are made of. */
#ifndef MODEL_PICK_H
#define MODEL_PICK_H

#include "generate.h"

bool plan_is_hostile(plan *p);
const char *plan_any_task_id(plan *p);
const char *plan_any_worker_id(plan *p);
/* A known task with a status from first to last, if there is one. */
const model_task *plan_pick_task(plan *p, const model *m, tvd_task_status first, tvd_task_status last);
/* A known worker, mostly of the wanted kind: offline or not. */
const tvd_worker *plan_pick_worker(plan *p, const model *m, bool offline);
/* The constant that holds a known worker's name: commands must not point into the model. */
const char *plan_constant_worker_id(const plan *p, const char *worker_id);
const char *plan_constant_task_id(const plan *p, const char *task_id);
/* An identifier that is not in use yet, if there is one. */
const char *plan_fresh_task_id(plan *p, model *m);
const char *plan_fresh_worker_id(plan *p, model *m);

#endif
