/*
 * Makes arguments out of a fuzzer's bytes. Every array has a heap block of exactly its size, so that a byte read
 * past it is seen by the address sanitizer. When the bytes are used up, everything comes out as zero.
 */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_BLOCKS = 160 };

typedef struct input {
    const uint8_t *bytes;
    size_t size;
    void *blocks[MAX_BLOCKS]; /* What input_free_blocks frees. */
    size_t block_count;
} input;

uint8_t input_byte(input *from);
/* Mostly a small number, at times one near the end of the range, or any. */
uint64_t input_number(input *from);
/* The next bytes, and zeros if there are not so many. */
void input_fill(input *from, void *bytes, size_t size);

/* A block of this size; not initialised. */
void *input_block(input *from, size_t size);
void input_free_blocks(input *from);

/* Mostly one of eight names that start with the letter; else empty, null, raw bytes, or as long as allowed and a
 * little longer, also without a NUL where the library must not read on. */
const char *input_identifier(input *from, char letter);

#endif
