# find_package(termivar_dist [COMPONENTS static|shared]) defines
#   termivar_dist::termivar_dist_static   the archive, if it is installed
#   termivar_dist::termivar_dist_shared   the shared library, if it is installed
#   termivar_dist::termivar_dist          one of them: the component asked for, else what BUILD_SHARED_LIBS
#                                         says, else the archive, else what there is
include(CMakeFindDependencyMacro)
find_dependency(Threads)

# A kind counts when its library is still there: packagers like to delete one of them.
set(_termivar_dist_file_static libtermivar_dist.a)
set(_termivar_dist_file_shared libtermivar_dist.so)
foreach(_termivar_dist_kind IN ITEMS static shared)
    set(termivar_dist_${_termivar_dist_kind}_FOUND FALSE)
    set(_termivar_dist_targets "${CMAKE_CURRENT_LIST_DIR}/termivar_dist-${_termivar_dist_kind}-targets.cmake")
    if(EXISTS "${_termivar_dist_targets}"
            AND EXISTS "${CMAKE_CURRENT_LIST_DIR}/../../${_termivar_dist_file_${_termivar_dist_kind}}")
        include("${_termivar_dist_targets}")
        set(termivar_dist_${_termivar_dist_kind}_FOUND TRUE)
    endif()
endforeach()

# The kinds in the order in which they are wanted.
set(_termivar_dist_wanted static shared)
if(BUILD_SHARED_LIBS)
    set(_termivar_dist_wanted shared static)
endif()
foreach(_termivar_dist_kind IN LISTS termivar_dist_FIND_COMPONENTS _termivar_dist_wanted)
    if(termivar_dist_${_termivar_dist_kind}_FOUND)
        if(NOT TARGET termivar_dist::termivar_dist)
            add_library(termivar_dist::termivar_dist ALIAS termivar_dist::termivar_dist_${_termivar_dist_kind})
        endif()
    elseif(termivar_dist_FIND_REQUIRED_${_termivar_dist_kind})
        set(termivar_dist_FOUND FALSE)
        set(termivar_dist_NOT_FOUND_MESSAGE "The component '${_termivar_dist_kind}' is not installed here.")
    endif()
endforeach()

if(NOT TARGET termivar_dist::termivar_dist)
    set(termivar_dist_FOUND FALSE)
    set(termivar_dist_NOT_FOUND_MESSAGE "Neither the archive nor the shared library is installed here.")
endif()

unset(_termivar_dist_kind)
unset(_termivar_dist_wanted)
unset(_termivar_dist_targets)
unset(_termivar_dist_file_static)
unset(_termivar_dist_file_shared)
