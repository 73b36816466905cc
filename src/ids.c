#include "ids.h"

#include "error.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* A table because it halves the cost of reading; spelled out because isalnum depends on the locale. */
/* clang-format off */
static const bool is_safe[UCHAR_MAX + 1] = {
    ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1,
    ['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1,
    ['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1,
    ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1,
    ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1,
    ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1,
    ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
    ['.'] = 1, ['_'] = 1, [':'] = 1, ['-'] = 1,
};
/* clang-format on */

bool tvd_id_is_safe(char byte)
{
    return is_safe[(unsigned char)byte];
}

enum tvd_id_fault tvd_id_read(struct tvd_id *id, const char *text)
{
    size_t size = 0;
    size_t end;

    while (size <= TVD_MAX_IDENTIFIER_BYTES && is_safe[(unsigned char)text[size]]) {
        id->bytes[size] = text[size];
        size++;
    }
    end = size;
    while (end <= TVD_MAX_IDENTIFIER_BYTES && text[end] != '\0')
        end++;
    if (end == 0)
        return TVD_ID_EMPTY;
    if (end > TVD_MAX_IDENTIFIER_BYTES)
        return TVD_ID_TOO_LONG;
    if (end > size)
        return TVD_ID_UNSAFE;
    id->size = size;
    memset(id->bytes + size, 0, TVD_ID_WORD);
    return TVD_ID_VALID;
}

tvd_status tvd_id_read_task(struct tvd_id *id, const char *text, tvd_error *error)
{
    if (tvd_id_read(id, text) != TVD_ID_VALID)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_TASK, TVD_DETAIL_TASK_ID_INVALID);
    return TVD_OK;
}

tvd_status tvd_id_read_worker(struct tvd_id *id, const char *text, tvd_error *error)
{
    if (tvd_id_read(id, text) != TVD_ID_VALID)
        return tvd_fail_detail(error, TVD_ERROR_INVALID_WORKER, TVD_DETAIL_WORKER_ID_INVALID);
    return TVD_OK;
}

void tvd_id_copy(char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size)
{
    assert(size <= TVD_MAX_IDENTIFIER_BYTES);
    memcpy(field, id, size);
    memset(field + size, 0, TVD_MAX_IDENTIFIER_BYTES + 1 - size);
}
