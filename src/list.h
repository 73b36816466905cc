/*
 * A doubly linked list whose links live in the records. It owns nothing and knows nothing of what it links.
 * A detached link is null on both sides; attaching an attached link or detaching a detached one is a mistake of
 * this library and asserts.
 */
#ifndef TVD_LIST_H
#define TVD_LIST_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

struct tvd_link {
    struct tvd_link *previous;
    struct tvd_link *next;
};

/* A ring through the head, so that no end is a special case. */
struct tvd_list {
    struct tvd_link head;
};

static inline void tvd_list_init(struct tvd_list *list)
{
    list->head.previous = &list->head;
    list->head.next = &list->head;
}

static inline bool tvd_link_is_attached(const struct tvd_link *link)
{
    return link->next != NULL;
}

static inline struct tvd_link *tvd_list_next(const struct tvd_list *list, const struct tvd_link *link)
{
    return link->next == &list->head ? NULL : link->next;
}

static inline struct tvd_link *tvd_list_first(const struct tvd_list *list)
{
    return tvd_list_next(list, &list->head);
}

static inline void tvd_list_append(struct tvd_list *list, struct tvd_link *link)
{
    assert(!tvd_link_is_attached(link));
    link->previous = list->head.previous;
    link->next = &list->head;
    list->head.previous->next = link;
    list->head.previous = link;
}

static inline void tvd_list_remove(struct tvd_link *link)
{
    assert(tvd_link_is_attached(link));
    link->previous->next = link->next;
    link->next->previous = link->previous;
    link->previous = NULL;
    link->next = NULL;
}

#endif
