/*
 * A balanced search tree (AVL) whose nodes live in the records. Every index of the library is one of these. It
 * owns nothing and knows nothing of what it orders.
 *
 * A comparison must be a total order, and always the same one for a map: no two nodes of one map may compare equal. A
 * zeroed node is a detached one; inserting an attached node or removing a detached one is a mistake of this library
 * and asserts.
 *
 * A map may keep a summary for each subtree in the records (the newest heartbeat below a worker, say): its
 * summarise function computes a node's from the node and its two children, and is called, children first, wherever
 * what lies below has changed. Whoever changes what a node's own summary depends on removes the node before.
 */
#ifndef TVD_ORDERED_MAP_H
#define TVD_ORDERED_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct tvd_map_node {
    struct tvd_map_node *parent;
    struct tvd_map_node *child[2]; /* the smaller ones, the larger ones */
    int lean;                      /* how much higher the larger side is: -1, 0 or 1 */
    bool attached;
};

/* Negative, 0 or positive as the key is smaller than the node's, the same, or larger. */
typedef int tvd_map_compare(const void *key, const struct tvd_map_node *node);

/* Recomputes a node's summary; returns whether it has changed. */
typedef bool tvd_map_summarise(struct tvd_map_node *node);

struct tvd_map {
    struct tvd_map_node *root;
    struct tvd_map_node *end[2];  /* the smallest and the largest node */
    tvd_map_summarise *summarise; /* null: no summaries */
};

/* Where a key that was not found belongs. Any change of the map makes it useless. */
struct tvd_map_place {
    struct tvd_map_node *parent; /* null: the root */
    int side;
};

void tvd_map_init(struct tvd_map *map, tvd_map_summarise *summarise);

/* Finds the node with this key, or null and the place where it belongs. O(log n). The two searches are inline so that
 * the comparison is, too: that halves their cost. */
static inline struct tvd_map_node *tvd_map_find(const struct tvd_map *map, const void *key,
                                                tvd_map_compare *compare, struct tvd_map_place *place)
{
    struct tvd_map_node *node = map->root;

    place->parent = NULL;
    place->side = 0;
    while (node != NULL) {
        int order = compare(key, node);

        if (order == 0)
            break;
        place->parent = node;
        place->side = order > 0;
        node = node->child[place->side];
    }
    return node;
}

/* The same for a key that is about to be inserted. It looks at the largest node first, because new IDs and new
 * deadlines are most often the largest: that saves a tenth of a task's whole cost. */
static inline struct tvd_map_node *tvd_map_find_place(const struct tvd_map *map, const void *key,
                                                      tvd_map_compare *compare, struct tvd_map_place *place)
{
    struct tvd_map_node *largest = map->end[1];

    if (largest == NULL || compare(key, largest) <= 0)
        return tvd_map_find(map, key, compare, place);
    place->parent = largest;
    place->side = 1;
    return NULL;
}

/* The smallest node that is larger than a key, or null. O(log n). */
static inline struct tvd_map_node *tvd_map_after(const struct tvd_map *map, const void *key,
                                                 tvd_map_compare *compare)
{
    struct tvd_map_node *node = map->root;
    struct tvd_map_node *after = NULL;

    while (node != NULL) {
        bool larger = compare(key, node) < 0;

        if (larger)
            after = node;
        node = node->child[!larger];
    }
    return after;
}

/* Inserts a detached node at the place that either search gave for its key. O(log n). */
void tvd_map_insert(struct tvd_map *map, const struct tvd_map_place *place, struct tvd_map_node *node);

/* Removes an attached node. O(log n). */
void tvd_map_remove(struct tvd_map *map, struct tvd_map_node *node);

static inline bool tvd_map_is_attached(const struct tvd_map_node *node)
{
    return node->attached;
}

/* The smallest node, or null. O(1). */
static inline struct tvd_map_node *tvd_map_first(const struct tvd_map *map)
{
    return map->end[0];
}

/* The next smaller or larger node, or null. O(log n), O(1) on average of a walk. */
struct tvd_map_node *tvd_map_previous(const struct tvd_map_node *node);
struct tvd_map_node *tvd_map_next(const struct tvd_map_node *node);

/* Whether the tree has exactly this many nodes and is linked and balanced. It does not look at the order. O(n). */
bool tvd_map_is_sound(const struct tvd_map *map, size_t count);

#endif
