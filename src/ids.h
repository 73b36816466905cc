/*
 * Identifiers: the alphabet, the bounds and copies that cannot overrun. Contract: section 3.
 */
#ifndef TVD_IDS_H
#define TVD_IDS_H

#include "termivar/distributed.h"

/* What is wrong with an identifier, in the order in which a spec reports it. */
enum tvd_id_fault { TVD_ID_VALID, TVD_ID_EMPTY, TVD_ID_TOO_LONG, TVD_ID_UNSAFE };

/* Reads at most 257 bytes of id. Gives its size without the NUL when it is valid. */
enum tvd_id_fault tvd_id_check(const char *id, size_t *size);

/* Whether id, which may have no end, is a valid identifier; reads at most 257 bytes. */
bool tvd_id_is_valid(const char *id);

/* Copies a valid identifier of the given size and zeroes the rest of the field. */
void tvd_id_copy(char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size);

/* Whether a token's field, which may hold any bytes, is exactly this valid identifier. */
bool tvd_id_equals(const char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size);

#endif
