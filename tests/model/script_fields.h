/* What the two halves of the script writer share. */
#ifndef MODEL_SCRIPT_FIELDS_H
#define MODEL_SCRIPT_FIELDS_H

#include "script.h"

void script_put(script_writer *w, const char *format, ...);
void script_put_number(script_writer *w, const char *key, uint64_t value);
void script_put_optional(script_writer *w, const char *key, bool present, uint64_t value);
void script_put_bytes(script_writer *w, const char *key, const void *value, size_t size);
void script_put_text(script_writer *w, const char *key, const char *value);
void script_put_hex(script_writer *w, const unsigned char *bytes, size_t size);
void script_put_list(script_writer *w, const char *key, const uint8_t *values, size_t count);
void script_put_tags(script_writer *w, uint32_t tags);
void script_put_loads(script_writer *w, uint32_t cpu, uint32_t memory, uint32_t network);
/* Writes a field with the next name of its kind, O or R, which stands for the token of that command. */
void script_new_name(script_writer *w, const char *key, char kind, uint32_t serial);
/* Whether a command carries the expected revision. */
bool script_changes_state(operation op);

#endif
