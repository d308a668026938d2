#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes stores with zarrlib's encoders, and through GDAL, and reads them with other libraries: those of Python that are
# installed, and zarrita.js where npm is. Compares GRIB messages with ecCodes.
# Usage: autotest/interop/run.sh <build folder>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
stores=$build/interop-stores
rm -rf "$stores"
mkdir -p "$stores"
"$build/autotest/interop/write_stores" "$stores"
gdal_stores=$build/interop-gdal-stores
rm -rf "$gdal_stores"
GDAL_DRIVER_PATH=$build/gdalplugins /usr/bin/python3 "$here/write_gdal_stores.py" "$gdal_stores"
status=0
/usr/bin/python3 "$here/check_gdal_stores.py" "$gdal_stores" || status=1

if /usr/bin/python3 -c 'import zarr' 2>/dev/null; then
  /usr/bin/python3 "$here/check_stores.py" "$stores" || status=1
else
  echo "left out: zarr-python is not installed (python3-zarr)"
fi

GDAL_DRIVER_PATH=$build/gdalplugins /usr/bin/python3 "$here/check_grib.py" || status=1

if command -v npm >/dev/null; then
  mkdir -p "$build/interop-node"
  cp "$here/package.json" "$here/check_stores.mjs" "$here/check_gdal_stores.mjs" "$build/interop-node/"
  if (cd "$build/interop-node" && { [ -d node_modules/@earthmover/icechunk ] || npm install --no-audit --no-fund --loglevel=error; }); then
    (cd "$build/interop-node" && node check_stores.mjs "$stores") || status=1
    (cd "$build/interop-node" && node check_gdal_stores.mjs "$gdal_stores") || status=1
  else
    echo "left out: zarrita.js could not be installed"
  fi
else
  echo "left out: zarrita.js needs npm"
fi
exit $status
