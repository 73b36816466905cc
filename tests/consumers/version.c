/* Prints the version, if everything in the library and the header agrees on it. */
#include <stdio.h>
#include <string.h>
#include <termivar/distributed.h>

int main(void)
{
    char text[32];

    snprintf(text, sizeof text, "%d.%d.%d", TVD_VERSION_MAJOR, TVD_VERSION_MINOR, TVD_VERSION_PATCH);
    if (strcmp(text, tvd_version_string()) != 0 || tvd_version_number() != TVD_VERSION_NUMBER)
        return 1;
    puts(text);
    return 0;
}
