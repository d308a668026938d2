# SPDX-License-Identifier: MIT
# Headers that most files of a target include are compiled once for it. Sources include what they use all the same: the
# build of cmake/lint.sh has no such headers.
option(ZARR_PRECOMPILED_HEADERS "Compile the headers that most files include once" ON)

set(zarr_standard_headers
  <algorithm> <array> <atomic> <charconv> <cmath> <cstddef> <cstdint> <cstring> <functional> <limits> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# Further arguments: headers besides those of the standard library.
function(zarr_precompile_headers target)
  if(NOT ZARR_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${zarr_standard_headers} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # so that ccache sees which header it is
  endif()
endfunction()
