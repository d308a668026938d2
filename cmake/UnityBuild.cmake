# SPDX-License-Identifier: MIT
# Compiles the files of a folder as one, so that each header is read once for all of them. Names in unnamed namespaces must
# therefore differ within a folder.
option(ZARR_UNITY_BUILD "Compile the files of a folder together: a clean build takes a fifth of the time" ON)

# To be called after all sources of the target are known. Files with definitions of their own are compiled by themselves.
function(zarr_unite_folders target)
  if(NOT ZARR_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "\\$<")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "in_${folder}" group)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It takes a file that is included for a header, whose types must not depend on unnamed namespaces.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
