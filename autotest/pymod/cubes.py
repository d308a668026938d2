# SPDX-License-Identifier: MIT
"""Writes groups of arrays with coordinates, and opens slices of them."""

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group

TIMES = 6
LEVELS = (1000.0, 850.0, 500.0)
HOURS = {"units": "hours since 2024-07-01 00:00:00", "calendar": "proleptic_gregorian"}


def write_arrays(version, store, arrays):
    """Writes a group of v2 or v3. `arrays` has data, names of dimensions and attributes for each name."""
    (write_v2_group if version == "v2" else write_v3_group)(store)
    for name, (data, dimensions, attributes) in arrays.items():
        data = np.asarray(data)
        if version == "v2":
            attributes = {"_ARRAY_DIMENSIONS": list(dimensions), **attributes}
            write_v2(f"{store}/{name}", data, attributes=attributes)
        else:
            write_v3(f"{store}/{name}", data, names=list(dimensions), attributes=attributes)
    return store


def make_cube(**coordinates):
    """An array v(time, level, y, x), whose elements are 10 * time + level, and coordinates."""
    values = 10 * np.arange(TIMES).reshape(-1, 1, 1, 1) + np.arange(len(LEVELS)).reshape(1, -1, 1, 1)
    data = np.broadcast_to(values, (TIMES, len(LEVELS), 2, 3)).astype("<i2").copy()
    arrays = {"v": (data, ["time", "level", "y", "x"], {})}
    for name, (values, attributes) in coordinates.items():
        arrays[name] = (values, [name], attributes)
    return arrays


def make_weather():
    """Six-hourly times, and levels that fall."""
    return make_cube(time=(np.arange(TIMES, dtype="<i4") * 6, HOURS), level=(np.array(LEVELS, "<f4"), {}))


def read_values(dataset):
    """The value of each band, which is one number everywhere."""
    data = dataset.ReadAsArray().reshape(dataset.RasterCount, -1)
    assert (data == data[:, :1]).all()
    return data[:, 0].tolist()


def select(store, selection, array="v"):
    """Opens by the option and by the name, which must agree."""
    by_option = gdal.OpenEx(f'ZARR:"{store}":/{array}', gdal.OF_RASTER, open_options=[f"SELECT={selection}"])
    by_name = gdal.Open(f'ZARR:"{store}":/{array}:{selection}')
    assert read_values(by_option) == read_values(by_name)
    return read_values(by_name)


def refusal(store, selection, array="v"):
    with pytest.raises(RuntimeError) as by_name:
        gdal.Open(f'ZARR:"{store}":/{array}:{selection}')
    with pytest.raises(RuntimeError) as by_option:
        gdal.OpenEx(f'ZARR:"{store}":/{array}', gdal.OF_RASTER, open_options=[f"SELECT={selection}"])
    assert str(by_name.value) == str(by_option.value)
    return str(by_name.value)
