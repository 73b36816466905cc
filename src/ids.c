#include "ids.h"

#include <assert.h>
#include <string.h>

/* Spelled out because isalnum depends on the locale. */
static bool is_safe(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '.' || byte == '_' || byte == ':' || byte == '-';
}

enum tvd_id_fault tvd_id_check(const char *id, size_t *size)
{
    size_t length = 0;
    bool safe = true;

    while (length <= TVD_MAX_IDENTIFIER_BYTES && id[length] != '\0') {
        safe = safe && is_safe((unsigned char)id[length]);
        length++;
    }
    if (length == 0)
        return TVD_ID_EMPTY;
    if (length > TVD_MAX_IDENTIFIER_BYTES)
        return TVD_ID_TOO_LONG;
    if (!safe)
        return TVD_ID_UNSAFE;
    *size = length;
    return TVD_ID_VALID;
}

bool tvd_id_is_valid(const char *id)
{
    size_t size;

    return tvd_id_check(id, &size) == TVD_ID_VALID;
}

void tvd_id_copy(char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size)
{
    assert(size <= TVD_MAX_IDENTIFIER_BYTES);
    memcpy(field, id, size);
    memset(field + size, 0, TVD_MAX_IDENTIFIER_BYTES + 1 - size);
}

bool tvd_id_equals(const char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size)
{
    assert(size <= TVD_MAX_IDENTIFIER_BYTES && id[size] == '\0');
    return memcmp(field, id, size + 1) == 0;
}
