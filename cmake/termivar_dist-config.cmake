# find_package(termivar_dist [COMPONENTS static|shared]) defines
#   termivar_dist::termivar_dist_static   the archive, if it is installed
#   termivar_dist::termivar_dist_shared   the shared library, if it is installed
#   termivar_dist::termivar_dist          one of them: the component asked for, else what BUILD_SHARED_LIBS
#                                         prefers, else the archive, else what there is
include(CMakeFindDependencyMacro)
find_dependency(Threads)

# A kind is here if its library is: packagers like to delete one and leave the rest. This file lies in
# <library directory>/cmake/termivar_dist.
set(_termivar_dist_library_static libtermivar_dist.a)
set(_termivar_dist_library_shared libtermivar_dist.so)
foreach(_termivar_dist_kind IN ITEMS static shared)
    set(termivar_dist_${_termivar_dist_kind}_FOUND FALSE)
    if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/termivar_dist-${_termivar_dist_kind}-targets.cmake"
            AND EXISTS "${CMAKE_CURRENT_LIST_DIR}/../../${_termivar_dist_library_${_termivar_dist_kind}}")
        set(termivar_dist_${_termivar_dist_kind}_FOUND TRUE)
    endif()
endforeach()

# What keeps the package from being found.
set(_termivar_dist_reason "")
if(NOT termivar_dist_static_FOUND AND NOT termivar_dist_shared_FOUND)
    set(_termivar_dist_reason "neither the archive nor the shared library is installed here")
endif()
foreach(_termivar_dist_kind IN LISTS termivar_dist_FIND_COMPONENTS)
    if(termivar_dist_FIND_REQUIRED_${_termivar_dist_kind} AND NOT termivar_dist_${_termivar_dist_kind}_FOUND)
        set(_termivar_dist_reason "its component '${_termivar_dist_kind}' is not installed here")
    endif()
endforeach()

# The kinds in the order in which they are wanted; the first that is here gets the name without a suffix.
set(_termivar_dist_wanted ${termivar_dist_FIND_COMPONENTS} static shared)
if(BUILD_SHARED_LIBS)
    set(_termivar_dist_wanted ${termivar_dist_FIND_COMPONENTS} shared static)
endif()
if(_termivar_dist_reason)
    set(termivar_dist_FOUND FALSE)
    set(termivar_dist_NOT_FOUND_MESSAGE "${_termivar_dist_reason}")
else()
    foreach(_termivar_dist_kind IN LISTS _termivar_dist_wanted)
        if(termivar_dist_${_termivar_dist_kind}_FOUND)
            include("${CMAKE_CURRENT_LIST_DIR}/termivar_dist-${_termivar_dist_kind}-targets.cmake")
            if(NOT TARGET termivar_dist::termivar_dist)
                add_library(termivar_dist::termivar_dist ALIAS
                    termivar_dist::termivar_dist_${_termivar_dist_kind})
            endif()
        endif()
    endforeach()
endif()

unset(_termivar_dist_kind)
unset(_termivar_dist_library_static)
unset(_termivar_dist_library_shared)
unset(_termivar_dist_reason)
unset(_termivar_dist_wanted)
