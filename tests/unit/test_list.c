/*
 * The list: a ring through its head, links in the records.
 */
#include "list.h"
#include "test.h"

struct item {
    struct tvd_link link;
};

static struct tvd_list list;
static struct item items[3];

static int setup(void **state)
{
    (void)state;
    tvd_list_init(&list);
    for (size_t i = 0; i < COUNT_OF(items); i++) {
        items[i].link = (struct tvd_link){ 0 };
        tvd_list_append(&list, &items[i].link);
    }
    return 0;
}

/* Forwards by next, then backwards by the links alone. */
static void assert_order(struct item *const *expected, size_t count)
{
    struct tvd_link *link = tvd_list_first(&list);

    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(link, &expected[i]->link);
        link = tvd_list_next(&list, link);
    }
    assert_null(link);
    link = &list.head;
    for (size_t i = count; i-- > 0;) {
        link = link->previous;
        assert_ptr_equal(link, &expected[i]->link);
    }
    assert_ptr_equal(link->previous, &list.head);
}

static void an_empty_list_has_no_first(void **state)
{
    struct tvd_list empty;

    (void)state;
    tvd_list_init(&empty);
    assert_null(tvd_list_first(&empty));
}

static void append_keeps_the_order(void **state)
{
    (void)state;
    assert_order((struct item *const[]){ &items[0], &items[1], &items[2] }, 3);
}

static void remove_takes_out_the_first_the_last_and_one_between(void **state)
{
    (void)state;
    tvd_list_remove(&items[1].link);
    assert_order((struct item *const[]){ &items[0], &items[2] }, 2);
    tvd_list_remove(&items[0].link);
    assert_order((struct item *const[]){ &items[2] }, 1);
    tvd_list_remove(&items[2].link);
    assert_order(NULL, 0);
}

static void a_removed_link_is_detached_and_can_be_appended_again(void **state)
{
    (void)state;
    assert_true(tvd_link_is_attached(&items[0].link));
    tvd_list_remove(&items[0].link);
    assert_false(tvd_link_is_attached(&items[0].link));
    assert_null(items[0].link.previous);
    tvd_list_append(&list, &items[0].link);
    assert_order((struct item *const[]){ &items[1], &items[2], &items[0] }, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_has_no_first),
        cmocka_unit_test_setup(append_keeps_the_order, setup),
        cmocka_unit_test_setup(remove_takes_out_the_first_the_last_and_one_between, setup),
        cmocka_unit_test_setup(a_removed_link_is_detached_and_can_be_appended_again, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
