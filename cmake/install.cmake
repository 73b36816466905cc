# What a host finds in a prefix. Everything belongs to the development part but the shared library itself.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/termivar_dist")

install(FILES ${header} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/termivar" COMPONENT development)

# One export file per kind, so that a prefix which lost one kind still serves the other.
foreach(kind IN ITEMS static shared)
    if(TARGET termivar_dist_${kind})
        install(TARGETS termivar_dist_${kind} EXPORT termivar_dist-${kind}
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
            LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT development
            INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
        install(EXPORT termivar_dist-${kind} DESTINATION "${package_dir}" COMPONENT development
            FILE termivar_dist-${kind}-targets.cmake
            NAMESPACE termivar_dist::)
    endif()
endforeach()

write_basic_package_version_file("${PROJECT_BINARY_DIR}/termivar_dist-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES cmake/termivar_dist-config.cmake "${PROJECT_BINARY_DIR}/termivar_dist-config-version.cmake"
    DESTINATION "${package_dir}" COMPONENT development)

# pkg-config. A relative library directory says where the prefix is, seen from the .pc file, and so the tree can
# be moved. An absolute one cannot, and is written as it is.
set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /)
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
    set(pc_${dir} "${CMAKE_INSTALL_${dir}}")
    if(NOT IS_ABSOLUTE "${pc_${dir}}")
        set(pc_${dir} "\${prefix}/${pc_${dir}}")
    endif()
endforeach()
# CMake's own variable for -pthread is empty where libc has the threads, so it is written out. Whoever links the
# archive needs it; the shared library brings its own.
set(pc_libs_private -pthread)
if(NOT TARGET termivar_dist_shared)
    set(pc_libs " -pthread")
    set(pc_libs_private "")
endif()
configure_file(cmake/termivar_dist.pc.in termivar_dist.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/termivar_dist.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
