# SPDX-License-Identifier: MIT
# Sets the warnings, and on request the sanitizers, for all targets of this project.
find_package(Threads REQUIRED)

find_program(ZARR_CCACHE ccache)
if(ZARR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With precompiled headers, ccache needs these; and GCC an option, see PrecompiledHeaders.cmake. Clones share their objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${ZARR_CCACHE})
endif()

function(zarr_set_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: wrong for std::string's operator+
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(ZARR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ZARR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ZARR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${ZARR_SANITIZE})
  endif()
endfunction()
