#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds in an active environment of conda (environment.yml) on Linux, macOS or Windows, and runs the tests. On Windows,
# Visual Studio's compiler has to be on the path, and bash is that of Git.
# Usage: cmake/conda/test.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${CONDA_PREFIX:?test.sh: activate an environment of conda first}"

prefix=$CONDA_PREFIX
options=(-DZARR_CODEC_ZFP=OFF)
case "$(uname -s)" in
  MINGW* | MSYS* | CYGWIN*)
    prefix=$(cygpath -m "$CONDA_PREFIX")/Library
    options+=(-DCMAKE_CXX_COMPILER=cl -DZARR_PRECOMPILED_HEADERS=OFF) ;;
esac
cmake --preset dev -DCMAKE_PREFIX_PATH="$prefix" "${options[@]}"
cmake --build build
ctest --test-dir build --output-on-failure --no-tests=error
GDAL_DRIVER_PATH=$PWD/build/gdalplugins python -m pytest -q -rs -p no:cacheprovider --numprocesses auto --dist loadfile autotest/gdrivers
