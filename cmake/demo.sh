#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds the plugin and zarrkit, and shows what they do with the stores in autotest/data/demo:
# GDAL's own programs describe each, turn it into a GeoTIFF, and make a picture of it. Works on a bare Debian 12 or later,
# as root or with sudo. Takes some minutes to build the first time, and seconds when run again.
# Usage: cmake/demo.sh
# GeoTIFFs and pictures are put into build/demo.
set -euo pipefail
trap 'echo "demo.sh: failed at line $LINENO" >&2' ERR
cd "$(dirname "$0")/.."
. cmake/progress.sh

case "${1:-}" in
  "") ;;
  --help | -h) show_usage cmake/demo.sh; exit 0 ;;
  *) echo "demo.sh: unknown option $1" >&2; exit 2 ;;
esac

bash cmake/deps.sh build test
echo "== Building the plugin and zarrkit"
mkdir -p build/demo
cmake -S . -B build -G Ninja >build/demo/configure.log 2>&1 || { cat build/demo/configure.log >&2; exit 1; }
build build gdal_Zarr zarrkit zarrkit_gdal
export GDAL_DRIVER_PATH=$PWD/build/gdalplugins
export GDAL_PAM_ENABLED=NO

data=autotest/data/demo
out=build/demo

cat >"$out/relief.txt" <<'COLOURS'
-9000 8 20 60
-5000 20 62 120
-3000 40 105 165
-200 130 190 220
-1 185 222 235
0 70 125 70
300 120 160 85
1000 200 185 125
2500 150 110 75
4500 200 195 195
6500 255 255 255
COLOURS
cat >"$out/sea.txt" <<'COLOURS'
nv 225 225 225
-3 40 25 110
5 40 110 190
12 60 180 190
18 140 210 150
24 245 215 90
28 235 110 50
33 140 20 30
COLOURS

echo "== Who reads Zarr: $(gdalinfo --version | cut -d, -f1)"
gdalinfo --format Zarr | grep ZARRLIB_VERSION ||
  { echo "demo.sh: GDAL did not load the plugin in $GDAL_DRIVER_PATH" >&2; exit 1; }

# Compares the values that GDAL wrote to a GeoTIFF with the expected ones.
compare() {
  /usr/bin/python3 - "$1" "$2" <<'PYTHON'
import sys
import numpy
from osgeo import gdal
gdal.UseExceptions()
expected = numpy.load(sys.argv[2])
got = gdal.Open(sys.argv[1]).ReadAsArray()
if not numpy.array_equal(got, expected, equal_nan=expected.dtype.kind == "f"):
    sys.exit("  values: NOT as expected")
print(f"  values: all {expected.size} as expected")
PYTHON
}

# Makes a picture of a band, in colours, 1080 x 540: one Earth, north up. The grids of the relief are so already. That of
# the sea begins at 20 degrees east, in the south.
picture() {
  local store=$1 colours=$2 band=$3 result=$4
  gdaldem color-relief -q -b "$band" "$store" "$colours" "$out/picture.tif"
  if [ "$(basename "$colours")" = sea.txt ]; then
    gdalwarp -q -te -180 -90 180 90 -ts 1080 540 -of PNG "$out/picture.tif" "$result"
  else
    gdal_translate -q -of PNG "$out/picture.tif" "$result"
  fi
  rm "$out/picture.tif"
  echo "  picture: $PWD/$result"
}

# Shows one store. Arguments: its name, the name of its expected values, that of its colours, the band of the picture.
show() {
  local store=$data/$1.zarr result=$out/$1
  echo "== $store"
  rm -f "$result".*
  if ! { gdalinfo "$store" >"$result.txt" && gdal_translate -q "$store" "$result.tif"; } 2>"$out/errors.txt"; then
    sed 's/^/  /' "$out/errors.txt"
    grep -q 'not implemented' "$out/errors.txt" || return 1
    echo "  This store cannot be read yet."
    return 0
  fi
  grep -E '^(Driver|Size is|Origin|Pixel Size|  ID\[)|^Band 1 ' "$result.txt" | sed 's/^/  /'
  compare "$result.tif" "$data/expected_$2.npy"
  picture "$store" "$out/$3.txt" "$4" "$result.png"
}

for store in relief_v1 relief_v2 relief_v3 relief_v3_sharded relief_v3_rectilinear; do
  show "$store" relief relief 1
done
show sea_surface_temperature_v3_rectilinear sst sea 8

echo "== zarrkit info $data/relief_v3_sharded.zarr"
build/zarrlib/tools/zarrkit info "$data/relief_v3_sharded.zarr" | sed 's/^/  /'
echo "== Done in $SECONDS s: all values are as expected. GeoTIFFs and pictures are in $PWD/$out"
