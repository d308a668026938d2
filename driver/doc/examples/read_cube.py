# SPDX-License-Identifier: MIT
"""Reads a window of one time step of a cube as a NumPy array.

    python3 read_cube.py <store> <array> <time> <west> <south> <east> <north>
    python3 read_cube.py sea_surface_temperature_v3_rectilinear.zarr sst 0001-08-15 150 -20 200 20
"""

import sys

import numpy as np
from osgeo import gdal

gdal.UseExceptions()


def find_slice(values, low, high):
    """Returns the slice of a coordinate, in ascending or descending order, with the values in [low, high]."""
    (indices,) = np.nonzero((values >= low) & (values <= high))
    if indices.size == 0:
        raise SystemExit(f"no coordinate is between {low} and {high}")
    return slice(int(indices[0]), int(indices[-1]) + 1)


def find_time(time, wanted):
    """Returns the index of the time nearest to a date in ISO 8601. The unit is one of CF, such as "days since 2000-01-01"."""
    unit, _, epoch = time.GetUnit().partition(" since ")
    step = np.timedelta64(1, {"days": "D", "hours": "h", "minutes": "m", "seconds": "s"}[unit])
    wanted = (np.datetime64(wanted) - np.datetime64(epoch)) / step
    return int(np.abs(time.ReadAsArray() - wanted).argmin())


def read_window(store, name, wanted, west, south, east, north):
    """Returns the window of an array with the dimensions time, latitude and longitude; NaN where there is no value."""
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray(name)
    time, lat, lon = (dimension.GetIndexingVariable() for dimension in array.GetDimensions())
    rows = find_slice(lat.ReadAsArray(), south, north)
    columns = find_slice(lon.ReadAsArray(), west, east)
    start = [find_time(time, wanted), rows.start, columns.start]
    count = [1, rows.stop - rows.start, columns.stop - columns.start]
    # GetUnscaled() applies scale and offset, and turns nodata into NaN. Only chunks in the window are decoded.
    return array.GetUnscaled().ReadAsArray(array_start_idx=start, count=count)[0]


if __name__ == "__main__":
    if len(sys.argv) != 8:
        raise SystemExit(__doc__)
    window = read_window(*sys.argv[1:4], *map(float, sys.argv[4:]))
    print(window.shape, window.dtype, np.nanmean(window))
