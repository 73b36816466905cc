/*
 * conformance FILE...
 *
 * Plays recordings and says whether the library agrees with them. Exit status: 0 if it does, 1 if it does not,
 * 2 if a file could not be read or is damaged.
 */
#include "player.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool read_file(const char *name, byte_buffer *contents)
{
    FILE *file = fopen(name, "rb");
    size_t got = 1;

    if (!file)
        return false;
    buffer_clear(contents);
    while (got > 0) {
        buffer_reserve(contents, 65536);
        got = fread(contents->bytes + contents->size, 1, 65536, file);
        contents->size += got;
    }
    bool whole = !ferror(file);
    int error = errno;
    fclose(file);
    errno = error;
    return whole;
}

static void play_named(const char *name, player_totals *totals)
{
    byte_buffer contents = { 0 };

    if (read_file(name, &contents)) {
        player_play(name, buffer_text(&contents), totals, stdout);
    } else {
        printf("%s:1: cannot be read: %s\n", name, strerror(errno));
        totals->damaged_files++;
    }
    buffer_free(&contents);
}

int main(int argc, char **argv)
{
    player_totals totals = { 0 };

    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        play_named(argv[i], &totals);

    if (totals.damaged_files > 0)
        printf("%" PRIu64 " of %d files cannot be played\n", totals.damaged_files, argc - 1);
    printf("%" PRIu64 " traces, %" PRIu64 " commands, %" PRIu64 " disagree\n", totals.traces, totals.commands,
           totals.disagreements);
    if (fflush(stdout) != 0)
        return 2;
    if (totals.damaged_files > 0)
        return 2;
    return totals.disagreements > 0 ? 1 : 0;
}
