#define _POSIX_C_SOURCE 200809L
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES 65536

struct tally {
    struct counts counts;
    bool in_word; /* at the end of the block before */
};

static void count_bytes(struct tally *tally, const unsigned char *block, size_t size)
{
    (void)block;
    tally->counts.bytes += size;
}

static void count_lines(struct tally *tally, const unsigned char *block, size_t size)
{
    const unsigned char *end = block + size;
    const unsigned char *newline;

    while ((newline = memchr(block, '\n', (size_t)(end - block))) != NULL) {
        tally->counts.lines++;
        block = newline + 1;
    }
}

/* isspace() of the C locale, written out: it is asked for every byte. */
static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void count_words(struct tally *tally, const unsigned char *block, size_t size)
{
    bool in_word = tally->in_word;
    uint64_t words = 0;

    for (size_t i = 0; i < size; i++) {
        bool space = is_space(block[i]);

        words += !in_word && !space;
        in_word = !space;
    }
    tally->counts.words += words;
    tally->in_word = in_word;
}

static int run_phase(uint8_t phase, struct tally *tally, const unsigned char *block, size_t size)
{
    switch (phase) {
    case PHASE_BYTES:
        count_bytes(tally, block, size);
        return 0;
    case PHASE_LINES:
        count_lines(tally, block, size);
        return 0;
    case PHASE_WORDS:
        count_words(tally, block, size);
        return 0;
    default:
        return EINVAL;
    }
}

static int run_phases(int descriptor, const uint8_t *phases, size_t phases_count, struct tally *tally)
{
    unsigned char block[BLOCK_BYTES];
    ssize_t size;

    while ((size = read(descriptor, block, sizeof block)) != 0) {
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return errno;
        for (size_t i = 0; i < phases_count; i++) {
            int reason = run_phase(phases[i], tally, block, (size_t)size);

            if (reason != 0)
                return reason;
        }
    }
    return 0;
}

/* The path may have become something else since the walk. */
static int check_regular(int descriptor)
{
    struct stat about;

    if (fstat(descriptor, &about) != 0)
        return errno;
    return S_ISREG(about.st_mode) ? 0 : EINVAL;
}

int count_file(const char *path, const uint8_t *phases, size_t phases_count, struct counts *counts)
{
    struct tally tally = { 0 };
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* a pipe must not block */
    int reason;

    if (descriptor < 0)
        return errno;
    reason = check_regular(descriptor);
    if (reason == 0)
        reason = run_phases(descriptor, phases, phases_count, &tally);
    close(descriptor);
    if (reason == 0)
        *counts = tally.counts;
    return reason;
}

void counts_add(struct counts *sum, const struct counts *counts)
{
    sum->lines += counts->lines;
    sum->words += counts->words;
    sum->bytes += counts->bytes;
}
