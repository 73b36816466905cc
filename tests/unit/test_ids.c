/*
 * Identifiers: the alphabet, the bounds, the order.
 */
#include "ids.h"
#include "page.h"
#include "prng.h"
#include "test.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-";

static void read_takes_each_byte_of_the_alphabet_and_no_other(void **state)
{
    struct tvd_id id;

    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = { 'a', (char)byte, 'z', '\0' };
        bool safe = strchr(alphabet, byte) != NULL;

        assert_int_equal(tvd_id_read(&id, text), safe ? TVD_ID_VALID : TVD_ID_UNSAFE);
    }
}

static void read_takes_1_to_256_bytes(void **state)
{
    char text[TVD_MAX_IDENTIFIER_BYTES + 2];
    struct tvd_id id;

    (void)state;
    assert_int_equal(tvd_id_read(&id, ""), TVD_ID_EMPTY);
    for (size_t size = 1; size < sizeof text; size++) {
        memset(text, 'x', size);
        text[size] = '\0';
        if (size > TVD_MAX_IDENTIFIER_BYTES) {
            assert_int_equal(tvd_id_read(&id, text), TVD_ID_TOO_LONG);
        } else {
            assert_int_equal(tvd_id_read(&id, text), TVD_ID_VALID);
            assert_int_equal(id.size, size);
            assert_string_equal(id.bytes, text);
        }
    }
}

static void too_long_is_reported_before_unsafe(void **state)
{
    struct page page;
    struct tvd_id id;

    (void)state;
    page_open(&page);
    assert_int_equal(tvd_id_read(&id, page_put_run(&page, '/', TVD_MAX_IDENTIFIER_BYTES + 1)), TVD_ID_TOO_LONG);
    page_close(&page);
}

static void read_pads_with_zeros_to_a_whole_word(void **state)
{
    static const char text[] = "abcdefghijklmnopq";
    struct tvd_id id;

    (void)state;
    for (size_t size = 1; size <= 17; size++) {
        memset(&id, 0xff, sizeof id);
        assert_int_equal(tvd_id_read(&id, &text[17 - size]), TVD_ID_VALID);
        assert_in_range(tvd_id_padded_size(size), size + 1, size + TVD_ID_WORD);
        assert_int_equal(tvd_id_padded_size(size) % TVD_ID_WORD, 0);
        for (size_t i = size; i < tvd_id_padded_size(size); i++)
            assert_int_equal(id.bytes[i], 0);
    }
}

static void read_random(struct tvd_id *id, struct prng *prng)
{
    char text[24];
    size_t size = 1 + (size_t)prng_below(prng, sizeof text - 1);

    for (size_t i = 0; i < size; i++)
        text[i] = prng_below(prng, 8) == 0 ? alphabet[prng_below(prng, sizeof alphabet - 1)] : 'm';
    text[size] = '\0';
    assert_int_equal(tvd_id_read(id, text), TVD_ID_VALID);
}

static int sign_of(int order)
{
    return (order > 0) - (order < 0);
}

static void compare_orders_as_strcmp_does(void **state)
{
    struct prng prng = { 0x1d };
    struct tvd_id one;
    struct tvd_id other;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        read_random(&one, &prng);
        read_random(&other, &prng);
        assert_int_equal(sign_of(tvd_id_compare(one.bytes, one.size, other.bytes)),
                         sign_of(strcmp(one.bytes, other.bytes)));
        assert_int_equal(tvd_id_compare(one.bytes, one.size, one.bytes), 0);
    }
}

/* Where one ends within the first word, at its end, and behind it. */
static void a_prefix_comes_first(void **state)
{
    static const char text[] = "abcdefghijklmnopq";
    struct tvd_id shorter;
    struct tvd_id longer;
    char prefix[sizeof text];

    (void)state;
    assert_int_equal(tvd_id_read(&longer, text), TVD_ID_VALID);
    for (size_t size = 1; size < sizeof text - 1; size++) {
        memcpy(prefix, text, size);
        prefix[size] = '\0';
        assert_int_equal(tvd_id_read(&shorter, prefix), TVD_ID_VALID);
        assert_true(tvd_id_compare(shorter.bytes, shorter.size, longer.bytes) < 0);
        assert_true(tvd_id_compare(longer.bytes, longer.size, shorter.bytes) > 0);
    }
}

static void copy_zeroes_the_rest_of_the_field(void **state)
{
    char room[TVD_MAX_IDENTIFIER_BYTES + 2]; /* a field, and a byte that is not its own */
    char *field = room;
    char longest[TVD_MAX_IDENTIFIER_BYTES];

    (void)state;
    memset(room, 'x', sizeof room);
    tvd_id_copy(field, "task", 4);
    assert_string_equal(field, "task");
    for (size_t i = 4; i <= TVD_MAX_IDENTIFIER_BYTES; i++)
        assert_int_equal(field[i], 0);
    memset(longest, 'y', sizeof longest);
    tvd_id_copy(field, longest, sizeof longest);
    assert_memory_equal(field, longest, sizeof longest);
    assert_int_equal(field[sizeof longest], 0);
    assert_int_equal(room[sizeof room - 1], 'x');
}

static void equals_wants_the_whole_identifier_and_its_end(void **state)
{
    char field[TVD_MAX_IDENTIFIER_BYTES + 1] = "task-1";

    (void)state;
    assert_true(tvd_id_equals(field, "task-1", 6));
    assert_false(tvd_id_equals(field, "task-2", 6));
    assert_false(tvd_id_equals(field, "task-", 5));
    assert_false(tvd_id_equals(field, "task-11", 7));
    field[sizeof field - 1] = 'x'; /* behind the end, where anything may stand */
    assert_true(tvd_id_equals(field, "task-1", 6));
    memset(field, 'x', sizeof field);
    assert_false(tvd_id_equals(field, "task-1", 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_takes_each_byte_of_the_alphabet_and_no_other),
        cmocka_unit_test(read_takes_1_to_256_bytes),
        cmocka_unit_test(too_long_is_reported_before_unsafe),
        cmocka_unit_test(read_pads_with_zeros_to_a_whole_word),
        cmocka_unit_test(compare_orders_as_strcmp_does),
        cmocka_unit_test(a_prefix_comes_first),
        cmocka_unit_test(copy_zeroes_the_rest_of_the_field),
        cmocka_unit_test(equals_wants_the_whole_identifier_and_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
