# SPDX-License-Identifier: MIT
# The first cache of a build for those who change this project:
#
#   cmake -C cmake/dev.cmake -S . -B build -G Ninja
#
# Values that are given on the command line go before these, in whatever order.
set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON CACHE BOOL "Write compile_commands.json, for editors and clang-tidy")
set(ZARR_WARNINGS_AS_ERRORS ON CACHE BOOL "Treat compiler warnings as errors")
set(ZARR_BUILD_DRIVER ON CACHE BOOL "Build the GDAL plugin (needs GDAL's headers)")
set(ZARR_BUILD_TESTS ON CACHE BOOL "Build and register the tests")
