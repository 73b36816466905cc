#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "page.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void page_open(struct page *page)
{
    void *mapped;

    page->size = (size_t)sysconf(_SC_PAGESIZE);
    mapped = mmap(NULL, 2 * page->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(mapped != MAP_FAILED);
    page->start = mapped;
    assert_int_equal(mprotect(page->start + page->size, page->size, PROT_NONE), 0);
}

void page_close(struct page *page)
{
    assert_int_equal(munmap(page->start, 2 * page->size), 0);
}

void *page_put(const struct page *page, const void *bytes, size_t size)
{
    assert_true(size <= page->size);
    return memcpy(page->start + page->size - size, bytes, size);
}

char *page_put_run(const struct page *page, char byte, size_t size)
{
    assert_true(size <= page->size);
    return memset(page->start + page->size - size, byte, size);
}
