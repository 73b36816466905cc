#include "termivar/distributed.h"

#define QUOTE(text) #text
#define VERSION_TEXT(major, minor, patch) QUOTE(major) "." QUOTE(minor) "." QUOTE(patch)

uint32_t tvd_version_number(void)
{
    return TVD_VERSION_NUMBER;
}

const char *tvd_version_string(void)
{
    return VERSION_TEXT(TVD_VERSION_MAJOR, TVD_VERSION_MINOR, TVD_VERSION_PATCH);
}
