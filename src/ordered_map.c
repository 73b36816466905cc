#include "ordered_map.h"

#include <assert.h>

/* No AVL tree of 2^32 nodes is higher than this. */
enum { MAX_HEIGHT = 48 };

void tvd_map_init(struct tvd_map *map, tvd_map_summarise *summarise)
{
    map->root = NULL;
    map->end[0] = NULL;
    map->end[1] = NULL;
    map->summarise = summarise;
}

/* On which side of its parent a node is. */
static int side_of(const struct tvd_map_node *node)
{
    return node->parent->child[1] == node;
}

static int sign_of(int side)
{
    return side == 0 ? -1 : 1;
}

/* Recomputes the summaries from a node up to the root, or as far as the change is felt. */
static void summarise_upwards(const struct tvd_map *map, struct tvd_map_node *node)
{
    if (map->summarise == NULL)
        return;
    while (node != NULL && map->summarise(node))
        node = node->parent;
}

/* The same for a node that is new in its place: the nodes above never knew of it, whatever it says itself. */
static void summarise_from(const struct tvd_map *map, struct tvd_map_node *node)
{
    if (map->summarise == NULL)
        return;
    map->summarise(node);
    summarise_upwards(map, node->parent);
}

/* Puts a subtree, which may be empty, in the place of a node below the node's parent. */
static void replace(struct tvd_map *map, const struct tvd_map_node *node, struct tvd_map_node *subtree)
{
    struct tvd_map_node *parent = node->parent;

    if (parent == NULL)
        map->root = subtree;
    else
        parent->child[side_of(node)] = subtree;
    if (subtree != NULL)
        subtree->parent = parent;
}

/* Makes the child on one side the root of the subtree, and the node its child on the other. */
static struct tvd_map_node *rotate(struct tvd_map *map, struct tvd_map_node *node, int side)
{
    struct tvd_map_node *child = node->child[side];
    struct tvd_map_node *between = child->child[!side];
    int sign = sign_of(side);
    int lean = sign * node->lean - 1 - (sign * child->lean > 0 ? sign * child->lean : 0);

    child->lean = child->lean - sign + sign * (lean < 0 ? lean : 0);
    node->lean = sign * lean;

    replace(map, node, child);
    node->child[side] = between;
    if (between != NULL)
        between->parent = node;
    child->child[!side] = node;
    node->parent = child;
    if (map->summarise != NULL) {
        map->summarise(node);
        map->summarise(child);
    }
    return child;
}

/* Rotates a node that leans by two; returns the new root of the subtree. */
static struct tvd_map_node *balance(struct tvd_map *map, struct tvd_map_node *node)
{
    int side = node->lean > 0;

    if (node->child[side]->lean == -sign_of(side))
        rotate(map, node->child[side], !side);
    return rotate(map, node, side);
}

void tvd_map_insert(struct tvd_map *map, const struct tvd_map_place *place, struct tvd_map_node *node)
{
    assert(!tvd_map_is_attached(node));
    node->parent = place->parent;
    node->child[0] = NULL;
    node->child[1] = NULL;
    node->lean = 0;
    node->attached = true;
    if (place->parent == NULL) {
        assert(map->root == NULL);
        map->root = node;
    } else {
        assert(place->parent->child[place->side] == NULL);
        place->parent->child[place->side] = node;
    }
    if (place->parent == map->end[0] && (place->parent == NULL || place->side == 0))
        map->end[0] = node;
    if (place->parent == map->end[1] && (place->parent == NULL || place->side == 1))
        map->end[1] = node;
    summarise_from(map, node);

    /* The subtree below node has grown, until one that grows leaned the other way, or is rotated. */
    while (node->parent != NULL) {
        int sign = sign_of(side_of(node));

        node = node->parent;
        node->lean += sign;
        if (node->lean == 0)
            return;
        if (node->lean != sign) {
            balance(map, node);
            return;
        }
    }
}

/* The subtree on one side of a node has become one lower. */
static void shrink(struct tvd_map *map, struct tvd_map_node *node, int side)
{
    while (node != NULL) {
        struct tvd_map_node *parent = node->parent;
        int parent_side = parent == NULL ? 0 : side_of(node);
        int sign = sign_of(side);

        node->lean -= sign;
        if (node->lean == -sign)
            return; /* as high as before */
        if (node->lean != 0 && balance(map, node)->lean != 0)
            return; /* the same after a rotation */
        node = parent;
        side = parent_side;
    }
}

/* Removes a node with two children: the next larger node, which has no smaller child, takes its place. */
static void remove_inner(struct tvd_map *map, struct tvd_map_node *node)
{
    struct tvd_map_node *heir = tvd_map_next(node);
    bool is_child = heir->parent == node;
    struct tvd_map_node *changed = is_child ? heir : heir->parent;

    replace(map, heir, heir->child[1]);
    heir->child[0] = node->child[0];
    heir->child[0]->parent = heir;
    heir->child[1] = node->child[1];
    if (heir->child[1] != NULL)
        heir->child[1]->parent = heir;
    heir->lean = node->lean;
    replace(map, node, heir);
    summarise_upwards(map, changed);
    summarise_from(map, heir);
    shrink(map, changed, is_child);
}

void tvd_map_remove(struct tvd_map *map, struct tvd_map_node *node)
{
    struct tvd_map_node *parent = node->parent;

    assert(tvd_map_is_attached(node));
    if (node == map->end[0])
        map->end[0] = tvd_map_next(node);
    if (node == map->end[1])
        map->end[1] = tvd_map_previous(node);
    if (node->child[0] != NULL && node->child[1] != NULL) {
        remove_inner(map, node);
    } else {
        int side = parent == NULL ? 0 : side_of(node);

        replace(map, node, node->child[node->child[0] == NULL]);
        summarise_upwards(map, parent);
        shrink(map, parent, side);
    }
    node->attached = false;
}

/* The neighbour of a node in the order, on one side. */
static struct tvd_map_node *neighbour_of(const struct tvd_map_node *node, int side)
{
    struct tvd_map_node *neighbour = node->child[side];

    if (neighbour != NULL) {
        while (neighbour->child[!side] != NULL)
            neighbour = neighbour->child[!side];
        return neighbour;
    }
    while (node->parent != NULL && side_of(node) == side)
        node = node->parent;
    return node->parent;
}

struct tvd_map_node *tvd_map_previous(const struct tvd_map_node *node)
{
    return neighbour_of(node, 0);
}

struct tvd_map_node *tvd_map_next(const struct tvd_map_node *node)
{
    return neighbour_of(node, 1);
}

/* The height of a subtree, counting its nodes down from *left; negative at the first thing that is wrong. */
static int sound_height(const struct tvd_map_node *node, const struct tvd_map_node *parent, int depth,
                        size_t *left)
{
    int smaller;
    int larger;

    if (node == NULL)
        return 0;
    if (*left == 0 || depth > MAX_HEIGHT || node->parent != parent || !node->attached)
        return -1;
    *left -= 1;
    smaller = sound_height(node->child[0], node, depth + 1, left);
    larger = sound_height(node->child[1], node, depth + 1, left);
    if (smaller < 0 || larger < 0 || larger - smaller != node->lean || node->lean < -1 || node->lean > 1)
        return -1;
    return 1 + (smaller > larger ? smaller : larger);
}

/* The last node on one side of the root. */
static const struct tvd_map_node *outermost(const struct tvd_map *map, int side)
{
    const struct tvd_map_node *node = map->root;

    while (node != NULL && node->child[side] != NULL)
        node = node->child[side];
    return node;
}

bool tvd_map_is_sound(const struct tvd_map *map, size_t count)
{
    return sound_height(map->root, NULL, 1, &count) >= 0 && count == 0 && map->end[0] == outermost(map, 0) &&
           map->end[1] == outermost(map, 1);
}
