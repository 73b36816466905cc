/*
 * Writing text into a caller's buffer by snprintf's rule: what does not fit is counted but not written, and the
 * text is always ended if there is any room at all.
 */
#ifndef TVD_TEXT_H
#define TVD_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct tvd_text {
    char *buffer;
    size_t size;
    size_t length; /* of the whole text, also of what did not fit */
};

/* A null buffer counts as one without room. */
void tvd_text_begin(struct tvd_text *text, char *buffer, size_t size);
void tvd_text_bytes(struct tvd_text *text, const char *bytes, size_t size);
void tvd_text_string(struct tvd_text *text, const char *string);
/* A string that ends with its field at the latest. */
void tvd_text_field(struct tvd_text *text, const char *field, size_t field_size);
void tvd_text_number(struct tvd_text *text, uint64_t number);

#endif
