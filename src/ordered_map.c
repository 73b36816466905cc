#include "ordered_map.h"

#include <assert.h>

/* No AVL tree of 2^32 nodes is higher than this. */
enum { MAX_HEIGHT = 48 };

void tvd_map_init(struct tvd_map *map, tvd_map_summarise *summarise)
{
    map->root = NULL;
    map->first = NULL;
    map->summarise = summarise;
}

static int height_of(const struct tvd_map_node *node)
{
    return node == NULL ? 0 : node->height;
}

/* How much higher the larger side is. */
static int lean_of(const struct tvd_map_node *node)
{
    return height_of(node->child[1]) - height_of(node->child[0]);
}

/* Recomputes what a node says of its subtree; returns whether that has changed. */
static inline bool refresh(const struct tvd_map *map, struct tvd_map_node *node)
{
    int height = node->height;
    int smaller = height_of(node->child[0]);
    int larger = height_of(node->child[1]);
    bool changed = map->summarise != NULL && map->summarise(node);

    node->height = 1 + (smaller > larger ? smaller : larger);
    return changed || node->height != height;
}

/* Puts a subtree, which may be empty, in the place of a node below the node's parent. */
static void replace(struct tvd_map *map, const struct tvd_map_node *node, struct tvd_map_node *subtree)
{
    struct tvd_map_node *parent = node->parent;

    if (parent == NULL)
        map->root = subtree;
    else
        parent->child[parent->child[1] == node] = subtree;
    if (subtree != NULL)
        subtree->parent = parent;
}

/* Makes the child on one side the root of the subtree, and the node its child on the other. */
static struct tvd_map_node *rotate(struct tvd_map *map, struct tvd_map_node *node, int side)
{
    struct tvd_map_node *child = node->child[side];
    struct tvd_map_node *between = child->child[!side];

    replace(map, node, child);
    node->child[side] = between;
    if (between != NULL)
        between->parent = node;
    child->child[!side] = node;
    node->parent = child;
    refresh(map, node);
    refresh(map, child);
    return child;
}

/* Rotates a node whose sides differ by two; returns the new root of the subtree. */
static struct tvd_map_node *balance(struct tvd_map *map, struct tvd_map_node *node)
{
    int side = lean_of(node) > 0;

    if (lean_of(node->child[side]) == (side ? -1 : 1))
        rotate(map, node->child[side], !side);
    return rotate(map, node, side);
}

/* Mends everything from a node whose subtree changed up to the root, or as far as the change is felt. */
static void retrace(struct tvd_map *map, struct tvd_map_node *node)
{
    bool changed = true;

    while (node != NULL && changed) {
        int height = node->height;
        int lean = lean_of(node);

        if (lean < -1 || lean > 1) {
            node = balance(map, node);
            changed = node->height != height || map->summarise != NULL;
        } else {
            changed = refresh(map, node);
        }
        node = node->parent;
    }
}

void tvd_map_insert(struct tvd_map *map, const struct tvd_map_place *place, struct tvd_map_node *node)
{
    assert(!tvd_map_is_attached(node));
    node->parent = place->parent;
    node->child[0] = NULL;
    node->child[1] = NULL;
    if (place->parent == NULL) {
        assert(map->root == NULL);
        map->root = node;
    } else {
        assert(place->parent->child[place->side] == NULL);
        place->parent->child[place->side] = node;
    }
    if (place->parent == map->first && place->side == 0)
        map->first = node;
    retrace(map, node);
}

/* Removes a node with two children: the next larger node, which has no smaller child, takes its place. */
static void remove_inner(struct tvd_map *map, struct tvd_map_node *node)
{
    struct tvd_map_node *heir = tvd_map_next(node);
    struct tvd_map_node *changed = heir->parent == node ? heir : heir->parent;

    replace(map, heir, heir->child[1]);
    heir->child[0] = node->child[0];
    heir->child[0]->parent = heir;
    heir->child[1] = node->child[1];
    if (heir->child[1] != NULL)
        heir->child[1]->parent = heir;
    heir->height = node->height;
    replace(map, node, heir);
    retrace(map, changed);

    /* The heir's summary differs from the removed node's even where nothing below has changed. */
    if (map->summarise != NULL) {
        map->summarise(heir);
        retrace(map, heir->parent);
    }
}

void tvd_map_remove(struct tvd_map *map, struct tvd_map_node *node)
{
    assert(tvd_map_is_attached(node));
    if (node == map->first)
        map->first = tvd_map_next(node);
    if (node->child[0] != NULL && node->child[1] != NULL) {
        remove_inner(map, node);
    } else {
        replace(map, node, node->child[node->child[0] == NULL]);
        retrace(map, node->parent);
    }
    node->height = 0;
}

struct tvd_map_node *tvd_map_next(const struct tvd_map_node *node)
{
    struct tvd_map_node *next = node->child[1];

    if (next != NULL) {
        while (next->child[0] != NULL)
            next = next->child[0];
        return next;
    }
    while (node->parent != NULL && node->parent->child[1] == node)
        node = node->parent;
    return node->parent;
}

/* Counts the nodes of a subtree down from *left; false at the first thing that is wrong. */
static bool subtree_is_sound(const struct tvd_map_node *node, const struct tvd_map_node *parent, size_t *left)
{
    int lean;

    if (node == NULL)
        return true;
    if (*left == 0 || node->parent != parent || node->height < 1 || node->height > MAX_HEIGHT)
        return false;
    *left -= 1;
    for (int side = 0; side < 2; side++) {
        if (height_of(node->child[side]) >= node->height || !subtree_is_sound(node->child[side], node, left))
            return false;
    }
    lean = lean_of(node);
    return lean >= -1 && lean <= 1 && node->height == 1 + height_of(node->child[lean > 0]);
}

/* The first node must be at the end of the smaller sides. */
static bool first_is_sound(const struct tvd_map *map)
{
    const struct tvd_map_node *node = map->root;

    while (node != NULL && node->child[0] != NULL)
        node = node->child[0];
    return map->first == node;
}

bool tvd_map_is_sound(const struct tvd_map *map, size_t count)
{
    return subtree_is_sound(map->root, NULL, &count) && count == 0 && first_is_sound(map);
}
