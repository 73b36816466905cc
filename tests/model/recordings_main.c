/*
 * Plays recordings on the naive model (and on the library beside it): the model must give every recorded outcome.
 * What the model says of commands that were never recorded deserves belief only because of that.
 *
 *   test_model_recordings FILE...
 */
#include "recordings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file, to be freed; null if it cannot be read. */
static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        return NULL;
    char *bytes = NULL;
    size_t capacity = 0;
    size_t got = 1;
    for (*size = 0; got > 0; *size += got) {
        if (*size == capacity) {
            capacity = capacity * 2 + 65536;
            char *grown = realloc(bytes, capacity);
            if (grown == NULL)
                abort();
            bytes = grown;
        }
        got = fread(bytes + *size, 1, capacity - *size, file);
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    recordings_totals totals = { 0, 0 };
    int disagree = 0;
    for (int i = 1; i < argc; i++) {
        size_t size = 0;
        char *bytes = read_file(argv[i], &size);
        if (bytes == NULL || !recordings_play(bytes, size, &totals)) {
            printf("in %s\n", argv[i]);
            disagree += 1;
        }
        free(bytes);
    }
    printf("%" PRIu64 " traces, %" PRIu64 " commands, %d files disagree\n", totals.traces, totals.commands,
           disagree);
    return disagree == 0 && totals.commands > 0 ? 0 : 1;
}
