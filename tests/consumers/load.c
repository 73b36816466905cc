/* Loads each library that it is given and calls its plugin_run, in one process. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int call(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    int (*run)(void) = NULL;

    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    void *symbol = dlsym(library, "plugin_run");
    memcpy(&run, &symbol, sizeof run); /* ISO C has no cast from a data pointer to this */
    return symbol == NULL || run() != 0;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;

    for (int i = 1; i < argc; i++)
        failed |= call(argv[i]);
    return failed;
}
