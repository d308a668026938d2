#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs Debian's QGIS where it is missing (some 300 MB), builds the plugin, and runs the tests with QGIS, without a screen.
# The picture of a rectilinear grid goes to build/chunks.png; --keep-picture puts it where driver/doc/install.md shows it.
# Usage: autotest/qgis/run.sh [--keep-picture]
set -euo pipefail
cd "$(dirname "$0")/../.."

export ZARR_PICTURE=$PWD/build/chunks.png
case "${1:-}" in
  "") ;;
  --keep-picture) ZARR_PICTURE=$PWD/autotest/data/readme/chunks.png ;;
  *) echo "run.sh: unknown option $1" >&2; exit 2 ;;
esac

bash cmake/deps.sh build test qgis
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null
ninja -C build --quiet gdal_Zarr
export GDAL_DRIVER_PATH=$PWD/build/gdalplugins
# Not the Python that may come first on the PATH: the bindings are those of Debian's.
/usr/bin/python3 -m pytest -q -rs -p no:cacheprovider autotest/qgis
