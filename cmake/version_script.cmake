# The shared library exports the functions in termivar_dist.symbols and nothing else, whatever its objects hold.
set(symbols_file "${CMAKE_CURRENT_LIST_DIR}/termivar_dist.symbols")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${symbols_file}")
file(STRINGS "${symbols_file}" symbols)
list(JOIN symbols ";\n    " symbols)

set(version_script "${PROJECT_BINARY_DIR}/termivar_dist.map")
file(CONFIGURE OUTPUT "${version_script}" @ONLY CONTENT
"TERMIVAR_DIST_@abi_version@ {
global:
    @symbols@;
local:
    *;
};
")
target_link_options(termivar_dist_shared PRIVATE "LINKER:--version-script=${version_script}")
set_property(TARGET termivar_dist_shared APPEND PROPERTY LINK_DEPENDS "${version_script}")
