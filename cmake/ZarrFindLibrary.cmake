# SPDX-License-Identifier: MIT
# Defines the target zarrlib::<library> for a C library that has no CMake package on all systems. The build uses it,
# and so do projects that link the installed zarrlib, because a static library needs its dependencies.
# Usage: zarr_find_library(<library> [<header>])      the header is only needed to compile code with it
function(zarr_find_library library)
  if(TARGET zarrlib::${library})
    return()
  endif()
  # On Windows, names differ: zlib, liblzma.
  find_library(ZARR_${library}_LIBRARY NAMES ${library} lib${library} ${library}lib)
  mark_as_advanced(ZARR_${library}_LIBRARY)
  if(NOT ZARR_${library}_LIBRARY)
    return()
  endif()
  if(ARGC GREATER 1)
    find_path(ZARR_${library}_INCLUDE_DIR ${ARGV1})
    mark_as_advanced(ZARR_${library}_INCLUDE_DIR)
    if(NOT ZARR_${library}_INCLUDE_DIR)
      return()
    endif()
  endif()
  add_library(zarrlib::${library} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(zarrlib::${library} PROPERTIES IMPORTED_LOCATION ${ZARR_${library}_LIBRARY})
  if(ARGC GREATER 1)
    target_include_directories(zarrlib::${library} INTERFACE ${ZARR_${library}_INCLUDE_DIR})
  endif()
endfunction()
