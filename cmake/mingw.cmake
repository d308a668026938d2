# SPDX-License-Identifier: MIT
# A toolchain file: builds for 64-bit Windows with mingw-w64, and runs what it has built under wine.
# Usage: cmake -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DZARR_WINDOWS_DIR=... ...      cmake/windows.sh does so.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

set(ZARR_WINDOWS_DIR "$ENV{HOME}/.cache/zarr-windows" CACHE PATH "Where cmake/windows.sh keeps libraries and wine's files")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZARR_WINDOWS_DIR)
set(CMAKE_FIND_ROOT_PATH ${ZARR_WINDOWS_DIR}/prefix /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Objects of C++ pass between GDAL's library, its plugins and programs: they share one library of the compiler's, whose
# files are in bin/. The script wine.sh, which cmake/windows.sh makes, lets wine find them.
set(CMAKE_CROSSCOMPILING_EMULATOR ${ZARR_WINDOWS_DIR}/wine.sh)
