# The helpers that the C tests share. They look inside the library, and so do the tests that use them.
include_guard(GLOBAL)

add_library(test_support STATIC
    ${CMAKE_CURRENT_LIST_DIR}/allocator.c
    ${CMAKE_CURRENT_LIST_DIR}/damage.c
    ${CMAKE_CURRENT_LIST_DIR}/dump.c
    ${CMAKE_CURRENT_LIST_DIR}/faults.c
    ${CMAKE_CURRENT_LIST_DIR}/functions.c
    ${CMAKE_CURRENT_LIST_DIR}/page.c
    ${CMAKE_CURRENT_LIST_DIR}/prng.c
    ${CMAKE_CURRENT_LIST_DIR}/sharing.c
    ${CMAKE_CURRENT_LIST_DIR}/stage.c
    ${CMAKE_CURRENT_LIST_DIR}/world.c)
set_target_properties(test_support PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_compile_definitions(test_support PRIVATE _POSIX_C_SOURCE=200809L)
target_include_directories(test_support PUBLIC "${CMAKE_CURRENT_LIST_DIR}" PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(test_support PUBLIC termivar_dist_static termivar_dist_cmocka Threads::Threads)
