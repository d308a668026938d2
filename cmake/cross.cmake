# SPDX-License-Identifier: MIT
# A toolchain file: builds for another processor with Debian's cross compiler, against the libraries in a Debian root of
# that architecture, and runs in the root what it has built. cmake/platforms.sh makes roots and uses it.
#   ZARR_CROSS_ROOT     the root, in which a link with its own path leads to its top
#   ZARR_CROSS_TARGET   such as aarch64-linux-gnu
set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${ZARR_CROSS_TARGET})
set(CMAKE_C_COMPILER ${ZARR_CROSS_TARGET}-gcc)
set(CMAKE_CXX_COMPILER ${ZARR_CROSS_TARGET}-g++)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZARR_CROSS_ROOT ZARR_CROSS_TARGET)

set(CMAKE_SYSROOT ${ZARR_CROSS_ROOT})
# GDAL needs libraries that are found by links with absolute paths; they are for the root alone.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--allow-shlib-undefined)
set(CMAKE_FIND_ROOT_PATH ${ZARR_CROSS_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE ${ZARR_CROSS_TARGET})
set(CMAKE_CROSSCOMPILING_EMULATOR chroot ${ZARR_CROSS_ROOT})
