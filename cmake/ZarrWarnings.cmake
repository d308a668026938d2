# SPDX-License-Identifier: MIT
# Sets the warnings, and on request the sanitizers, for all targets of this project.
find_package(Threads REQUIRED)

find_program(ZARR_CCACHE ccache)
if(ZARR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With precompiled headers, ccache needs these; and GCC an option, see PrecompiledHeaders.cmake. Clones do not share their
  # objects (CCACHE_BASEDIR): such a header names the files of the clone that compiled it, which are not those of another.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ZARR_CCACHE})
endif()

function(zarr_set_compile_options target)
  if(MSVC)
    target_compile_options(${target} PRIVATE /EHsc /utf-8 /permissive- /bigobj)
    target_compile_definitions(${target} PRIVATE _CRT_SECURE_NO_WARNINGS)  # for std::getenv
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
    # Or ccache would take none of another clone's objects, where they have information for debuggers.
    target_compile_options(${target} PRIVATE -fdebug-prefix-map=${CMAKE_SOURCE_DIR}=.)
  endif()
  if(WIN32)
    target_compile_definitions(${target} PRIVATE NOMINMAX WIN32_LEAN_AND_MEAN)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: wrong for std::string's operator+
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
    if(CMAKE_CROSSCOMPILING OR CMAKE_SIZEOF_VOID_P EQUAL 4)
      target_compile_options(${target} PRIVATE -Wno-stringop-overread)  # the same, in compilers for other systems
    endif()
  endif()
  if(ZARR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<IF:$<CXX_COMPILER_ID:MSVC>,/WX,-Werror>)
  endif()
  if(ZARR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ZARR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${ZARR_SANITIZE})
  endif()
endfunction()

# Lets a program take its arguments, and write its output, as UTF-8 on Windows.
function(zarr_use_utf8 target)
  if(MSVC)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/zarrlib/tools/windows/utf8.manifest)
  elseif(WIN32)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/zarrlib/tools/windows/utf8.rc)
  endif()
endfunction()
