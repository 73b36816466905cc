/*
 * Memory that ends where the next byte cannot be read: what must not be read past is put at its end.
 */
#ifndef TEST_PAGE_H
#define TEST_PAGE_H

#include "test.h"

struct page {
    char *start;
    size_t size; /* readable and writable; as much again behind it is neither */
};

void page_open(struct page *page);
void page_close(struct page *page);

/* Copies bytes to the end of the page; gives where they start. */
void *page_put(const struct page *page, const void *bytes, size_t size);

/* A run of one byte that no NUL ends. */
char *page_put_run(const struct page *page, char byte, size_t size);

#endif
