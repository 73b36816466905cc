#include "input.h"

#include <stdlib.h>
#include <string.h>

uint8_t input_byte(input *from)
{
    if (from->size == 0)
        return 0;
    from->size--;
    return *from->bytes++;
}

void input_fill(input *from, void *bytes, size_t size)
{
    size_t there = size < from->size ? size : from->size;

    memset(bytes, 0, size);
    if (there > 0)
        memcpy(bytes, from->bytes, there);
    from->bytes += there;
    from->size -= there;
}

uint64_t input_number(input *from)
{
    uint8_t selector = input_byte(from);
    uint64_t number = 0;

    if (selector < 208)
        return selector;
    if (selector < 224)
        return UINT64_MAX - (selector - 208u);
    input_fill(from, &number, selector < 240 ? 2 : sizeof number);
    return number;
}

void *input_block(input *from, size_t size)
{
    void *block = malloc(size > 0 ? size : 1);

    if (block == NULL || from->block_count == MAX_BLOCKS)
        abort();
    return from->blocks[from->block_count++] = block;
}

void input_free_blocks(input *from)
{
    while (from->block_count > 0)
        free(from->blocks[--from->block_count]);
}

static const char *raw_identifier(input *from)
{
    size_t size = input_byte(from) % 48u;
    char *block = input_block(from, size + 1);

    input_fill(from, block, size);
    block[size] = '\0';
    return block;
}

static const char *long_identifier(input *from, size_t size, bool terminated)
{
    char *block = input_block(from, size + terminated);

    memset(block, 'x', size);
    if (terminated)
        block[size] = '\0';
    return block;
}

const char *input_identifier(input *from, char letter)
{
    uint8_t selector = input_byte(from);
    char *block;

    if (selector >= 250)
        return NULL;
    if (selector >= 240)
        return long_identifier(from, 257, false); /* The library must not read a 258th byte. */
    if (selector >= 224)
        return long_identifier(from, 254u + selector % 4u, true);
    if (selector >= 192)
        return raw_identifier(from);
    block = input_block(from, 3);
    block[0] = letter;
    block[1] = (char)('0' + selector % 8);
    block[2] = '\0';
    return block;
}
