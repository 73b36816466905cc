/*
 * Slices of a trace file, the values written in them, and a buffer that grows: what the reader and the writer
 * of the trace format share. Knows nothing of the library.
 */
#ifndef CONFORMANCE_TRACE_TEXT_H
#define CONFORMANCE_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes inside somebody else's memory; not NUL-terminated. */
typedef struct text {
    const char *bytes;
    size_t size;
} text;

/* Bytes of its own. A zeroed one is empty. */
typedef struct byte_buffer {
    char *bytes;
    size_t size;
    size_t capacity;
} byte_buffer;

text text_of(const char *string);
bool text_equals(text a, text b);
bool text_is(text a, const char *string);
bool text_starts_with(text a, const char *prefix);

/* Takes what stands before the first separator out of *rest, and the separator with it; all of it, if there
 * is none. */
text text_take_until(text *rest, char separator);

/* A decimal number has one spelling: no sign, no leading zero, no overflow. */
bool text_to_u64(text value, uint64_t *number);

/* Each appends the bytes that the value stands for and says whether it was well formed. */
bool text_unescape(text value, byte_buffer *out);
bool text_unhex(text value, byte_buffer *out);

void buffer_clear(byte_buffer *buffer);
void buffer_free(byte_buffer *buffer);
/* Makes room for more bytes, so that appending these does not move the ones there are. */
void buffer_reserve(byte_buffer *buffer, size_t more);
void buffer_append(byte_buffer *buffer, const void *bytes, size_t size);
void buffer_append_string(byte_buffer *buffer, const char *string);
void buffer_append_u64(byte_buffer *buffer, uint64_t number);
void buffer_append_escaped(byte_buffer *buffer, const void *bytes, size_t size);
void buffer_append_hex(byte_buffer *buffer, const void *bytes, size_t size);
text buffer_text(const byte_buffer *buffer);

#endif
