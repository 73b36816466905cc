#include "allocator.h"

#include <stdlib.h>
#include <string.h>

/* Stands before each block, and keeps malloc's alignment. */
union header {
    struct {
        size_t size;
        const struct test_memory *owner;
    } block;
    max_align_t alignment;
};

static bool must_fail(const struct test_memory *memory)
{
    if (memory->fail_at == 0)
        return false;
    return memory->calls == memory->fail_at || (memory->keep_failing && memory->calls > memory->fail_at);
}

static void *allocate(size_t size, void *context)
{
    struct test_memory *memory = context;
    union header *header;

    if (memory->watch != NULL)
        memory->watch(memory->watched);
    memory->calls += 1;
    memory->mistakes += size == 0;
    if (must_fail(memory))
        return NULL;
    header = malloc(sizeof *header + size);
    assert_non_null(header);
    header->block.size = size;
    header->block.owner = memory;
    memory->blocks += 1;
    memory->bytes += size;
    return memset(header + 1, 0xa5, size);
}

static void release(void *pointer, size_t size, void *context)
{
    struct test_memory *memory = context;
    union header *header = (union header *)pointer - 1;

    if (memory->watch != NULL)
        memory->watch(memory->watched);
    memory->releases += 1;
    if (header->block.owner != memory || header->block.size != size) {
        memory->mistakes += 1;
        return;
    }
    memory->blocks -= 1;
    memory->bytes -= size;
    memset(header, 0xdd, sizeof *header + size);
    free(header);
}

void test_memory_init(struct test_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    memory->allocator = (tvd_allocator){ .allocate = allocate, .release = release, .context = memory };
}

void test_memory_fail(struct test_memory *memory, size_t n, bool keep_failing)
{
    memory->fail_at = memory->calls + n;
    memory->keep_failing = keep_failing;
}

void test_memory_stop_failing(struct test_memory *memory)
{
    memory->fail_at = 0;
    memory->keep_failing = false;
}

void test_memory_assert_balanced(const struct test_memory *memory)
{
    assert_int_equal(memory->mistakes, 0);
    assert_int_equal(memory->blocks, 0);
    assert_int_equal(memory->bytes, 0);
}
