#include "text.h"

#include "ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void tvd_text_begin(struct tvd_text *text, char *buffer, size_t size)
{
    text->buffer = buffer;
    text->size = buffer == NULL ? 0 : size;
    text->length = 0;
    if (text->size > 0)
        buffer[0] = '\0';
}

void tvd_text_bytes(struct tvd_text *text, const char *bytes, size_t size)
{
    if (text->length + 1 < text->size) {
        size_t room = text->size - text->length - 1;
        size_t fitting = size < room ? size : room;

        memcpy(text->buffer + text->length, bytes, fitting);
        text->buffer[text->length + fitting] = '\0';
    }
    text->length += size;
}

void tvd_text_string(struct tvd_text *text, const char *string)
{
    tvd_text_bytes(text, string, strlen(string));
}

void tvd_text_identifier(struct tvd_text *text, const char *field)
{
    for (size_t i = 0; i <= TVD_MAX_IDENTIFIER_BYTES && field[i] != '\0'; i++)
        tvd_text_bytes(text, tvd_id_is_safe(field[i]) ? &field[i] : "?", 1);
}

void tvd_text_number(struct tvd_text *text, uint64_t number)
{
    char digits[sizeof "18446744073709551615"];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);

    tvd_text_bytes(text, digits, (size_t)length);
}
