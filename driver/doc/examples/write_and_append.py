# SPDX-License-Identifier: MIT
"""Creates a georeferenced cube in Zarr v3, and appends time steps to it.

    python3 write_and_append.py rain.zarr 2024-02-29 2.5    appends a day on which all values are 2.5
"""

import os
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
EPOCH, DAYS, ROWS, COLUMNS = np.datetime64("2024-01-01"), 366, 180, 360


def create(store):
    """Creates a cube with room for a year. Chunks that are not written need no space and are read as nodata."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    axes = [
        ("time", gdal.DIM_TYPE_TEMPORAL, "", f"days since {EPOCH}", np.full(DAYS, np.nan)),
        ("lat", gdal.DIM_TYPE_HORIZONTAL_Y, "NORTH", "degrees_north", 89.5 - np.arange(ROWS)),
        ("lon", gdal.DIM_TYPE_HORIZONTAL_X, "EAST", "degrees_east", np.arange(COLUMNS) - 179.5),
    ]
    dimensions = []
    for name, kind, direction, unit, values in axes:
        dimensions.append(root.CreateDimension(name, kind, direction, len(values)))
        variable = root.CreateMDArray(name, dimensions[-1:], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
        variable.SetUnit(unit)
        variable.WriteArray(values)
    # A chunk holds one day, so that appending a day never rewrites another one.
    options = ["BLOCKSIZE=1,180,360", "COMPRESS=ZSTD"]
    rain = root.CreateMDArray("rain", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Float32), options)
    rain.SetNoDataValueDouble(-1)
    rain.SetUnit("mm")
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(4326)
    rain.SetSpatialRef(crs)
    dataset.FlushCache()


def append(store, date, values):
    """Writes the values of a day after the last day of the cube."""
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    rain, time = (dataset.GetRootGroup().OpenMDArray(name) for name in ("rain", "time"))
    index = int(np.count_nonzero(~np.isnan(time.ReadAsArray())))
    if index == time.GetDimensions()[0].GetSize():
        rain.Resize([index + 1, ROWS, COLUMNS])  # also lengthens "time"; needs GDAL 3.7
    time.WriteArray(np.array([(np.datetime64(date) - EPOCH).astype(float)]), array_start_idx=[index])
    rain.WriteArray(values[np.newaxis], array_start_idx=[index, 0, 0])
    dataset.FlushCache()  # raises errors; errors on closing a dataset are only printed


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    if not os.path.exists(sys.argv[1]):
        create(sys.argv[1])
    append(sys.argv[1], sys.argv[2], np.full((ROWS, COLUMNS), float(sys.argv[3]), "f4"))
