#include "memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *allocate(size_t size)
{
    return reallocate(NULL, size, 1);
}

void *reallocate(void *pointer, size_t count, size_t element_size)
{
    void *memory = count <= SIZE_MAX / element_size ? realloc(pointer, count * element_size) : NULL;

    if (memory == NULL) {
        fputs("file_scan: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

size_t grown(size_t capacity)
{
    return capacity == 0 ? 64 : capacity * 2;
}
