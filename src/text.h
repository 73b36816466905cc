/*
 * Writing text into a caller's buffer by snprintf's rule: what does not fit is counted but not written, and the
 * text is always ended if there is any room at all.
 */
#ifndef TVD_TEXT_H
#define TVD_TEXT_H

#include "termivar/distributed.h"

struct tvd_text {
    char *buffer;
    size_t size;
    size_t length; /* of the whole text, also of what did not fit */
};

/* A null buffer counts as one without room. */
void tvd_text_begin(struct tvd_text *text, char *buffer, size_t size);
void tvd_text_bytes(struct tvd_text *text, const char *bytes, size_t size);
void tvd_text_string(struct tvd_text *text, const char *string);
/* An identifier of a field that may hold any bytes: it ends with its field at the latest, and a byte that no identifier
 * has is written as "?", so that no line of a log can be forged. */
void tvd_text_identifier(struct tvd_text *text, const char *field);
void tvd_text_number(struct tvd_text *text, uint64_t number);

#endif
