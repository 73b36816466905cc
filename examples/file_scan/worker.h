/* What a worker thread does. */
#ifndef FILE_SCAN_WORKER_H
#define FILE_SCAN_WORKER_H

/* The body of a thread; the argument is its struct worker. */
void *worker_main(void *argument);

#endif
