/*
 * Identifiers: the alphabet, the bounds, and the order. Contract: section 3.
 *
 * What a caller gives is read into a checked copy. Copy and record pad an identifier with zeros to whole words,
 * at least one zero, so that two are compared word by word, inline: measured, that is half the cost of strcmp.
 */
#ifndef TVD_IDS_H
#define TVD_IDS_H

#include "termivar/distributed.h"

#include <assert.h>
#include <string.h>

enum { TVD_ID_WORD = sizeof(uint64_t), TVD_ID_ROOM = TVD_MAX_IDENTIFIER_BYTES + TVD_ID_WORD };

/* A valid identifier. */
struct tvd_id {
    size_t size; /* without any zero */
    char bytes[TVD_ID_ROOM];
};

/* Whether a byte may be in an identifier. */
bool tvd_id_is_safe(char byte);

/* What is wrong with an identifier, in the order in which a spec reports it. */
enum tvd_id_fault { TVD_ID_VALID, TVD_ID_EMPTY, TVD_ID_TOO_LONG, TVD_ID_UNSAFE };

/* Reads at most 257 bytes of text, which may have no end. id means something only if it is valid. */
enum tvd_id_fault tvd_id_read(struct tvd_id *id, const char *text);

/* The same for the identifier of a command. */
tvd_status tvd_id_read_task(struct tvd_id *id, const char *text, tvd_error *error);
tvd_status tvd_id_read_worker(struct tvd_id *id, const char *text, tvd_error *error);

/* Bytes of an identifier with its padding. */
static inline size_t tvd_id_padded_size(size_t size)
{
    return (size / TVD_ID_WORD + 1) * TVD_ID_WORD;
}

/* The next bytes as a number that is ordered as they are. Compilers make one load of this, but not of a loop. */
static inline uint64_t tvd_id_word(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;

    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 | (uint64_t)bytes[2] << 40 |
           (uint64_t)bytes[3] << 32 | (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
           (uint64_t)bytes[6] << 8 | (uint64_t)bytes[7];
}

/* The byte order of two padded identifiers, the first of this size: negative, 0 or positive. */
static inline int tvd_id_compare(const char *one, size_t size_of_one, const char *other)
{
    for (size_t i = 0; i <= size_of_one; i += TVD_ID_WORD) {
        uint64_t word = tvd_id_word(one + i);
        uint64_t other_word = tvd_id_word(other + i);

        if (word != other_word)
            return word < other_word ? -1 : 1;
    }
    return 0;
}

/* Fills a field of a token with a valid identifier, and its rest with zeros. */
void tvd_id_copy(char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size);

/* Whether a token's field, which may hold any bytes, is exactly this valid identifier. */
static inline bool tvd_id_equals(const char field[TVD_MAX_IDENTIFIER_BYTES + 1], const char *id, size_t size)
{
    assert(size <= TVD_MAX_IDENTIFIER_BYTES && id[size] == '\0');
    return memcmp(field, id, size + 1) == 0;
}

#endif
