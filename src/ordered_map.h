/*
 * A balanced search tree (AVL) whose nodes live in the records. Every index of the library is one of these. It
 * owns nothing and knows nothing of what it orders.
 *
 * A comparison must be a total order: no two nodes of one map may compare equal. A detached node has height 0;
 * inserting an attached node or removing a detached one is a mistake of this library and asserts.
 *
 * A map may keep a summary for each subtree in the records (the newest heartbeat below a worker, say): its
 * summarise function computes a node's from the node and its two children, and is called, children first,
 * whenever what lies below a node has changed.
 */
#ifndef TVD_ORDERED_MAP_H
#define TVD_ORDERED_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct tvd_map_node {
    struct tvd_map_node *parent;
    struct tvd_map_node *child[2]; /* the smaller ones, the larger ones */
    int height;                    /* 1 for a leaf, 0 for a detached node */
};

/* Negative, 0 or positive as the key is smaller than the node's, the same, or larger. */
typedef int tvd_map_compare(const void *key, const struct tvd_map_node *node);
typedef void tvd_map_summarise(struct tvd_map_node *node);

struct tvd_map {
    struct tvd_map_node *root;
    tvd_map_compare *compare;
    tvd_map_summarise *summarise; /* null: no summaries */
};

/* Where a key that was not found belongs. Any change of the map makes it useless. */
struct tvd_map_place {
    struct tvd_map_node *parent; /* null: the root */
    int side;
};

void tvd_map_init(struct tvd_map *map, tvd_map_compare *compare, tvd_map_summarise *summarise);

/* Finds the node with this key, or null and the place where it belongs. O(log n). */
struct tvd_map_node *tvd_map_find(const struct tvd_map *map, const void *key, struct tvd_map_place *place);

/* Inserts a detached node at the place that find gave for its key. O(log n), 1 amortised without summaries. */
void tvd_map_insert(struct tvd_map *map, const struct tvd_map_place *place, struct tvd_map_node *node);

void tvd_map_remove(struct tvd_map *map, struct tvd_map_node *node);

static inline bool tvd_map_is_attached(const struct tvd_map_node *node)
{
    return node->height != 0;
}

/* The smallest node, the next larger one, the smallest one that is larger than a key; null if there is none. */
struct tvd_map_node *tvd_map_first(const struct tvd_map *map);
struct tvd_map_node *tvd_map_next(const struct tvd_map_node *node);
struct tvd_map_node *tvd_map_after(const struct tvd_map *map, const void *key);

/* Whether the tree has exactly this many nodes and is linked and balanced. It does not look at the order. O(n). */
bool tvd_map_is_sound(const struct tvd_map *map, size_t count);

#endif
