# Debian packages by CPack: the shared library, if it is built, and what developers need.
set(maintainer "The libtermivar_dist authors <authors@termivar.invalid>")
set(revision 1)
set(documentation "${CMAKE_INSTALL_DATAROOTDIR}/doc")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME termivar-dist)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# CPack puts the project's description above these.
set(description "It keeps a queue of tasks, hands them to workers under leases and takes
them back from workers that are lost. It does so within fixed bounds, and has
no clock, threads or network of its own.
This package has the")

set(CPACK_COMPONENTS_ALL development)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtermivar-dist-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${description} header, the library and what build systems ask for.")

if(TARGET termivar_dist_shared)
    list(APPEND CPACK_COMPONENTS_ALL runtime)
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtermivar-dist${abi_version})
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${description} shared library.")
    set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/debian/triggers")
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
        "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (= ${PROJECT_VERSION}-${revision})")
endif()

# What Debian wants beside the files of a package; an installation without packages leaves it out.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/debian/changelog.Debian" @ONLY CONTENT
"termivar-dist (@PROJECT_VERSION@-@revision@) unstable; urgency=medium

  * Version @PROJECT_VERSION@.

 -- @maintainer@  @date@
")
find_program(TERMIVAR_DIST_GZIP gzip)
mark_as_advanced(TERMIVAR_DIST_GZIP)
if(TERMIVAR_DIST_GZIP)
    execute_process(COMMAND "${TERMIVAR_DIST_GZIP}" -9nkf "${PROJECT_BINARY_DIR}/debian/changelog.Debian")
endif()
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(directory "${documentation}/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
    install(FILES LICENSE DESTINATION "${directory}" RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES "${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz" DESTINATION "${directory}"
        COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
