# SPDX-License-Identifier: MIT
"""Reads stores from a server that fails at random, and again when the fault has passed. Prints for each kind of fault how
many reads were right, gave an error, gave wrong values or a wrong place, and were not right again afterwards.

    /usr/bin/python3 autotest/cloud/random_faults.py [SEED [RUNS]]      (1, and 200 of each kind)

Exits with 1 if anything was wrong."""

import os
import random
import sys
import tempfile

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(_ROOT, "build", "gdalplugins"))
sys.path.insert(0, os.path.join(_ROOT, "autotest", "pymod"))

import numpy as np  # noqa: E402
import plugin_in_use  # noqa: E402
import stores  # noqa: E402
from fault_server import FAULTS, FaultServer  # noqa: E402
from osgeo import gdal  # noqa: E402

SIZE = 64
DATA = np.arange(SIZE * SIZE, dtype="<i4").reshape(SIZE, SIZE)
LATITUDES, LONGITUDES = np.linspace(50, 40, SIZE), np.linspace(10, 20, SIZE)
PLACE = (10 - 5 / 63, 10 / 63, 0, 50 + 5 / 63, 0, -10 / 63)
MAPPING = {
    "grid_mapping_name": "latitude_longitude",
    "semi_major_axis": 6378137.0,
    "inverse_flattening": 298.257223563,
}
# The ends of the paths for which the server fails; "" is that of all.
ENDS = ("/c/0/0", "/c/1/1", "zarr.json", ".zarray", ".zattrs", ".zmetadata", "0.0", "1.1", "/lat/0", "/lat/c/0", "")


def write_v3(store, consolidated, sharded):
    stores.write_v3_group(store)
    if sharded:
        stores.write_sharded(f"{store}/t", DATA, (64, 64), (16, 16), names=["lat", "lon"])
    else:
        attributes = {"grid_mapping": "crs"}
        stores.write_v3(f"{store}/t", DATA, (16, 16), names=["lat", "lon"], attributes=attributes)
    for name, values, unit in (("lat", LATITUDES, "degrees_north"), ("lon", LONGITUDES, "degrees_east")):
        stores.write_v3(f"{store}/{name}", values, names=[name], attributes={"units": unit})
    stores.write_v3(f"{store}/crs", np.array(0, "<i4"), attributes=MAPPING)
    if consolidated:
        stores.consolidate_v3(store)


def write_v2(store, consolidated, _):
    stores.write_v2_group(store)
    attributes = {"_ARRAY_DIMENSIONS": ["lat", "lon"], "grid_mapping": "crs"}
    stores.write_v2(f"{store}/t", DATA, (16, 16), attributes=attributes)
    for name, values, unit in (("lat", LATITUDES, "degrees_north"), ("lon", LONGITUDES, "degrees_east")):
        stores.write_v2(f"{store}/{name}", values, attributes={"_ARRAY_DIMENSIONS": [name], "units": unit})
    stores.write_v2(f"{store}/crs", np.array(0, "<i4"), attributes={"_ARRAY_DIMENSIONS": [], **MAPPING})
    if consolidated:
        stores.consolidate_v2(store)


def read_raster(path, column, row, width, height):
    dataset = gdal.Open(f'ZARR:"{path}":/t')
    values = dataset.ReadAsArray(column, row, width, height)
    place = dataset.GetGeoTransform(can_return_null=True)
    return (
        np.array_equal(values, DATA[row : row + height, column : column + width])
        and place is not None
        and np.allclose(place, PLACE, rtol=0, atol=1e-9)
    )


def read_multidim(path, column, row, width, height):
    group = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = group.OpenMDArray("t")
    values = array.ReadAsArray([row, column], [height, width])
    axes = [dimension.GetIndexingVariable() for dimension in array.GetDimensions()]
    return (
        np.array_equal(values, DATA[row : row + height, column : column + width])
        and all(axes)
        and np.array_equal(axes[0].ReadAsArray(), LATITUDES)
        and np.array_equal(axes[1].ReadAsArray(), LONGITUDES)
    )


def run_once(server, kind, names, chance):
    """Returns the result while the server fails, and the one afterwards: "right", "error" or "wrong"."""
    path = f"/vsicurl/{server.url}/{chance.choice(names)}"
    read = chance.choice((read_raster, read_multidim))
    column, row = chance.randrange(SIZE - 16), chance.randrange(SIZE - 16)
    window = (column, row, chance.randrange(1, SIZE - column), chance.randrange(1, SIZE - row))
    results = []
    server.fail(kind, chance.choice(ENDS), times=chance.choice((1, 2, None)))
    for _ in range(2):
        try:
            results.append("right" if read(path, *window) else "wrong")
        except RuntimeError:
            results.append("error")
        server.heal()
    return results


def main():
    seed, runs = (int(text) for text in (sys.argv[1:] + ["1", "200"][len(sys.argv) - 1 :]))
    gdal.UseExceptions()
    plugin_in_use.check()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", "1")
    gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
    chance = random.Random(seed)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for write, consolidated, sharded in (
            *((write_v3, *pair) for pair in ((True, False), (False, False), (True, True), (False, True))),
            *((write_v2, consolidated, False) for consolidated in (True, False)),
        ):
            names.append(f"{len(names)}.zarr")
            write(os.path.join(folder, names[-1]), consolidated, sharded)
        print(f"{'fault':16}{'right':>8}{'error':>8}{'wrong':>8}{'wrong afterwards':>18}")
        with FaultServer(folder).serve() as server:
            for kind in FAULTS:
                results = [run_once(server, kind, names, chance) for _ in range(runs)]
                first = [result for result, _ in results]
                later = sum(after != "right" for _, after in results)
                bad += first.count("wrong") + later
                counts = "".join(f"{first.count(name):8}" for name in ("right", "error", "wrong"))
                print(f"{kind:16}{counts}{later:18}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
