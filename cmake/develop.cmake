# How the project itself is compiled. All of it holds for this directory and those below, and none of it is
# exported to a host.

# At top level only: a host that makes its warnings errors should not trip over ours.
if(PROJECT_IS_TOP_LEVEL)
    set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wstrict-prototypes -Wcast-qual
        -Wwrite-strings)
    if(TERMIVAR_DIST_WERROR)
        list(APPEND warnings -Werror)
    endif()
    add_compile_options("$<$<COMPILE_LANG_AND_ID:C,GNU,Clang>:${warnings}>")

    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
    endif()
endif()

if(TERMIVAR_DIST_SANITIZE)
    add_compile_options(-fsanitize=${TERMIVAR_DIST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TERMIVAR_DIST_SANITIZE})
endif()

if(TERMIVAR_DIST_COVERAGE)
    # Without assertions: their false side is never taken, and would count as an untested branch.
    add_compile_options(--coverage -O0 -DNDEBUG -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
