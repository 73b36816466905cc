#include "trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

text text_of(const char *string)
{
    return (text){ string, strlen(string) };
}

bool text_equals(text a, text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

bool text_is(text a, const char *string)
{
    return text_equals(a, text_of(string));
}

bool text_starts_with(text a, const char *prefix)
{
    size_t size = strlen(prefix);

    return a.size >= size && memcmp(a.bytes, prefix, size) == 0;
}

text text_take_until(text *rest, char separator)
{
    text taken = *rest;
    const char *found = rest->size ? memchr(rest->bytes, separator, rest->size) : NULL;

    if (!found) {
        *rest = (text){ NULL, 0 };
        return taken;
    }
    taken.size = (size_t)(found - rest->bytes);
    rest->bytes = found + 1;
    rest->size -= taken.size + 1;
    return taken;
}

bool text_to_u64(text value, uint64_t *number)
{
    uint64_t result = 0;

    if (value.size == 0 || (value.size > 1 && value.bytes[0] == '0'))
        return false;
    for (size_t i = 0; i < value.size; i++) {
        char byte = value.bytes[i];
        if (byte < '0' || byte > '9')
            return false;
        uint64_t digit = (uint64_t)(byte - '0');
        if (result > (UINT64_MAX - digit) / 10)
            return false;
        result = result * 10 + digit;
    }
    *number = result;
    return true;
}

/* The bytes that stand for themselves in a value. */
static bool is_plain(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr("-_.:/@", byte));
}

/* The value of a hexadecimal digit, whose letters count from first_letter, or -1. */
static int hex_digit(char byte, char first_letter)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= first_letter && byte < first_letter + 6)
        return byte - first_letter + 10;
    return -1;
}

static bool append_hex_pair(const char *pair, char first_letter, byte_buffer *out)
{
    int high = hex_digit(pair[0], first_letter);
    int low = hex_digit(pair[1], first_letter);

    if (high < 0 || low < 0)
        return false;
    unsigned char byte = (unsigned char)(high * 16 + low);
    buffer_append(out, &byte, 1);
    return true;
}

bool text_unescape(text value, byte_buffer *out)
{
    for (size_t i = 0; i < value.size; i++) {
        if (is_plain(value.bytes[i])) {
            buffer_append(out, &value.bytes[i], 1);
        } else {
            if (value.bytes[i] != '%' || value.size - i < 3 || !append_hex_pair(&value.bytes[i + 1], 'A', out))
                return false;
            i += 2;
        }
    }
    return true;
}

bool text_unhex(text value, byte_buffer *out)
{
    if (value.size % 2 != 0)
        return false;
    for (size_t i = 0; i < value.size; i += 2) {
        if (!append_hex_pair(&value.bytes[i], 'a', out))
            return false;
    }
    return true;
}

void buffer_clear(byte_buffer *buffer)
{
    buffer->size = 0;
}

void buffer_free(byte_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (byte_buffer){ 0 };
}

void buffer_reserve(byte_buffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size >= more)
        return;
    size_t capacity = buffer->size + more > 2 * buffer->capacity ? buffer->size + more : 2 * buffer->capacity;
    char *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) {
        fputs("out of memory\n", stderr);
        abort();
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
}

void buffer_append(byte_buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    buffer_reserve(buffer, size);
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

void buffer_append_string(byte_buffer *buffer, const char *string)
{
    buffer_append(buffer, string, strlen(string));
}

void buffer_append_u64(byte_buffer *buffer, uint64_t number)
{
    char digits[20];
    size_t first = sizeof digits;

    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    buffer_append(buffer, digits + first, sizeof digits - first);
}

void buffer_append_escaped(byte_buffer *buffer, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *input = bytes;

    for (size_t i = 0; i < size; i++) {
        if (is_plain((char)input[i])) {
            buffer_append(buffer, &input[i], 1);
        } else {
            char escape[3] = { '%', digits[input[i] >> 4], digits[input[i] & 15] };
            buffer_append(buffer, escape, sizeof escape);
        }
    }
}

void buffer_append_hex(byte_buffer *buffer, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *input = bytes;

    for (size_t i = 0; i < size; i++) {
        char pair[2] = { digits[input[i] >> 4], digits[input[i] & 15] };
        buffer_append(buffer, pair, sizeof pair);
    }
}

text buffer_text(const byte_buffer *buffer)
{
    return (text){ buffer->bytes, buffer->size };
}
