/* Memory for a program that can only stop when there is none. */
#ifndef FILE_SCAN_MEMORY_H
#define FILE_SCAN_MEMORY_H

#include <stddef.h>

/* Both return memory or end the program with status 1. */
void *allocate(size_t size);
void *reallocate(void *pointer, size_t count, size_t element_size);

/* The next capacity of a growing array. */
size_t grown(size_t capacity);

#endif
