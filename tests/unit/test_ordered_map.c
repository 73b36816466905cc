/*
 * The ordered map, played against a table that knows which keys are there.
 */
#include "damage.h"
#include "ordered_map.h"
#include "prng.h"
#include "test.h"

enum { ITEMS = 200 };

/* The key is the place among the items. The summary is the largest value of a subtree. */
struct item {
    struct tvd_map_node node;
    unsigned value;
    unsigned largest;
};

static struct tvd_map map;
static struct item items[ITEMS];

static struct item *item_of(const struct tvd_map_node *node)
{
    return (struct item *)((uintptr_t)node - offsetof(struct item, node));
}

static size_t key_of(const struct tvd_map_node *node)
{
    return (size_t)(item_of(node) - items);
}

static int compare(const void *key, const struct tvd_map_node *node)
{
    size_t wanted = *(const size_t *)key;

    return (wanted > key_of(node)) - (wanted < key_of(node));
}

static unsigned largest_at(const struct tvd_map_node *node)
{
    unsigned largest = item_of(node)->value;

    for (int side = 0; side < 2; side++) {
        if (node->child[side] != NULL && item_of(node->child[side])->largest > largest)
            largest = item_of(node->child[side])->largest;
    }
    return largest;
}

static bool summarise(struct tvd_map_node *node)
{
    unsigned before = item_of(node)->largest;

    item_of(node)->largest = largest_at(node);
    return item_of(node)->largest != before;
}

static struct tvd_map_node *find(size_t key)
{
    struct tvd_map_place place;

    return tvd_map_find(&map, &key, compare, &place);
}

static void insert(size_t key)
{
    struct tvd_map_place place;
    struct tvd_map_place other;

    /* Both searches give the same place. */
    assert_null(tvd_map_find(&map, &key, compare, &place));
    assert_null(tvd_map_find_place(&map, &key, compare, &other));
    assert_ptr_equal(other.parent, place.parent);
    assert_int_equal(other.side, place.side);
    tvd_map_insert(&map, &other, &items[key].node);
}

static void start(tvd_map_summarise *hook)
{
    tvd_map_init(&map, hook);
    for (size_t i = 0; i < ITEMS; i++)
        items[i] = (struct item){ 0 };
}

static size_t next_present(size_t key)
{
    while (key < ITEMS && !tvd_map_is_attached(&items[key].node))
        key++;
    return key;
}

/* The walk, what follows each key, the summaries, and the tree itself. */
static void assert_agrees(size_t count)
{
    struct tvd_map_node *node = tvd_map_first(&map);
    struct tvd_map_node *previous = NULL;
    size_t seen = 0;

    for (size_t key = next_present(0); key < ITEMS; key = next_present(key + 1)) {
        assert_ptr_equal(node, &items[key].node);
        assert_ptr_equal(tvd_map_previous(node), previous);
        if (map.summarise != NULL)
            assert_int_equal(items[key].largest, largest_at(node));
        previous = node;
        node = tvd_map_next(node);
        seen++;
    }
    assert_null(node);
    assert_int_equal(seen, count);
    assert_true(tvd_map_is_sound(&map, count));
    assert_false(tvd_map_is_sound(&map, count + 1));
    assert_false(count > 0 && tvd_map_is_sound(&map, count - 1));
}

static void assert_finds(size_t key)
{
    struct tvd_map_place place;
    bool present = tvd_map_is_attached(&items[key].node);
    size_t after = next_present(key + 1);

    assert_ptr_equal(find(key), present ? &items[key].node : NULL);
    assert_ptr_equal(tvd_map_find_place(&map, &key, compare, &place), find(key));
    assert_ptr_equal(tvd_map_after(&map, &key, compare), after == ITEMS ? NULL : &items[after].node);
}

/* Inserts what is absent; of what is present, half is removed and half gets another value. */
static void step(struct prng *prng, size_t range, size_t *count)
{
    size_t key = (size_t)prng_below(prng, range);
    struct item *item = &items[key];

    if (!tvd_map_is_attached(&item->node)) {
        item->value = (unsigned)prng_below(prng, 1000);
        insert(key);
        *count += 1;
        return;
    }
    tvd_map_remove(&map, &item->node);
    *count -= 1;
    if (prng_below(prng, 2) == 0) {
        item->value = (unsigned)prng_below(prng, 1000);
        insert(key);
        *count += 1;
    }
}

static void play(tvd_map_summarise *hook, size_t range, int steps)
{
    struct prng prng = { 0x5eed + range };
    size_t count = 0;

    start(hook);
    for (int i = 0; i < steps; i++) {
        step(&prng, range, &count);
        assert_finds((size_t)prng_below(&prng, range));
        assert_agrees(count);
    }
}

static void random_operations_agree_with_a_table(void **state)
{
    (void)state;
    play(NULL, ITEMS, 5000);
    play(NULL, 12, 5000);
}

static void random_operations_keep_every_summary(void **state)
{
    (void)state;
    play(summarise, ITEMS, 5000);
    play(summarise, 12, 5000);
}

/* Each order makes other rotations. */
static void insert_and_remove_in_every_order(void **state)
{
    (void)state;
    for (size_t stride = 1; stride < ITEMS; stride += 2) {
        if (stride % 5 == 0)
            continue;
        start(summarise);
        for (size_t i = 0; i < ITEMS; i++)
            insert(i * stride % ITEMS);
        assert_agrees(ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            tvd_map_remove(&map, &items[i].node);
        assert_agrees(0);
    }
}

static int height_of(const struct tvd_map_node *node)
{
    int smaller;
    int larger;

    if (node == NULL)
        return 0;
    smaller = height_of(node->child[0]);
    larger = height_of(node->child[1]);
    return 1 + (smaller > larger ? smaller : larger);
}

static void a_tree_is_no_higher_than_an_avl_tree_may_be(void **state)
{
    (void)state;
    start(NULL);
    for (size_t i = 0; i < ITEMS; i++)
        insert(i);
    assert_true(height_of(map.root) <= 10); /* 1.44 log2(200) */
}

static void a_removed_node_is_detached(void **state)
{
    (void)state;
    start(NULL);
    insert(5);
    assert_true(tvd_map_is_attached(&items[5].node));
    tvd_map_remove(&map, &items[5].node);
    assert_false(tvd_map_is_attached(&items[5].node));
    assert_null(tvd_map_first(&map));
}

/* Nodes 0 to 6: 3 is the root, 1 and 5 are its children. */
static void start_with_seven(void)
{
    start(NULL);
    for (size_t i = 0; i < 7; i++)
        insert(i);
    assert_ptr_equal(map.root, &items[3].node);
}

static void assert_unsound(void *member, size_t size, uint64_t value)
{
    uint64_t old = damage_member(member, size, value);

    assert_false(tvd_map_is_sound(&map, 7));
    damage_member(member, size, old);
    assert_true(tvd_map_is_sound(&map, 7));
}

static void is_sound_notices_every_damage(void **state)
{
    struct tvd_map_node *root = &items[3].node;
    struct tvd_map_node *leaf = &items[6].node;

    (void)state;
    start_with_seven();
    assert_unsound(&root->parent, sizeof root->parent, 1);
    assert_unsound(&leaf->parent, sizeof leaf->parent, (uintptr_t)root);
    assert_unsound(&leaf->attached, sizeof leaf->attached, 0);
    assert_unsound(&leaf->lean, sizeof leaf->lean, 1);
    assert_unsound(&root->lean, sizeof root->lean, (uint64_t)-1);
    assert_unsound(&map.root, sizeof map.root, 0);
    for (int side = 0; side < 2; side++) {
        assert_unsound(&map.end[side], sizeof map.end[side], 0);
        assert_unsound(&map.end[side], sizeof map.end[side], (uintptr_t)root);
    }
}

/* As many nodes as there should be, and what the root says of them is true, but one side is two higher. */
static void is_sound_notices_too_much_of_a_lean(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        start_with_seven();
        map.root->child[side] = NULL;
        map.root->lean = side == 0 ? 2 : -2;
        map.end[side] = map.root;
        assert_false(tvd_map_is_sound(&map, 4));
    }
}

/* The root leans as if the other side, of which nothing is known, were one higher than none. */
static void is_sound_notices_a_broken_side_that_the_lean_hides(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        start_with_seven();
        map.root->child[!side] = NULL;
        map.root->child[side]->child[0] = NULL;
        map.root->child[side]->child[1] = NULL;
        map.root->child[side]->lean = 1;
        map.root->lean = side == 0 ? 1 : -1;
        map.end[side] = map.root->child[side];
        map.end[!side] = map.root;
        assert_false(tvd_map_is_sound(&map, 2));
    }
}

/* A chain, as long as no tree can be high. It is not followed to its end. */
static void is_sound_does_not_follow_a_chain(void **state)
{
    (void)state;
    start(NULL);
    insert(0);
    for (size_t i = 1; i < ITEMS; i++) {
        items[i].node.attached = true;
        items[i].node.parent = &items[i - 1].node;
        items[i - 1].node.child[1] = &items[i].node;
    }
    assert_false(tvd_map_is_sound(&map, ITEMS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_table),
        cmocka_unit_test(random_operations_keep_every_summary),
        cmocka_unit_test(insert_and_remove_in_every_order),
        cmocka_unit_test(a_tree_is_no_higher_than_an_avl_tree_may_be),
        cmocka_unit_test(a_removed_node_is_detached),
        cmocka_unit_test(is_sound_notices_every_damage),
        cmocka_unit_test(is_sound_notices_too_much_of_a_lean),
        cmocka_unit_test(is_sound_notices_a_broken_side_that_the_lean_hides),
        cmocka_unit_test(is_sound_does_not_follow_a_chain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
