/*
 * replay FILE...
 *
 * Gives files to a fuzz target, without a fuzzer: what was once found worth keeping stays tested by every compiler.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *name)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(name, "rb");
    size_t size;

    if (file == NULL) {
        perror(name);
        return -1;
    }
    size = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || !feof(file)) {
        fprintf(stderr, "%s: cannot be read, or is larger than %zu bytes\n", name, sizeof bytes);
        fclose(file);
        return -1;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        if (replay(argv[i]) != 0)
            return 2;
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
