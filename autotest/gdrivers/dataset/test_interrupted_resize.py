# SPDX-License-Identifier: MIT
"""A process was interrupted while it resized arrays that share a dimension, so their lengths differ."""

import json

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal

LENGTH = 4


@pytest.fixture(params=["ZARR_V2", "ZARR_V3"])
def arrays(request, store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(
        store, [], [f"FORMAT={request.param}", "CREATE_CONSOLIDATED_METADATA=NO"]
    )
    root = dataset.GetRootGroup()
    time, x = root.CreateDimension("time", "", "", LENGTH), root.CreateDimension("x", "", "", 3)
    for name, dimensions in (("data", [time, x]), ("time", [time]), ("other", [x])):
        array = root.CreateMDArray(name, dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int32))
        array.Write(np.ones([d.GetSize() for d in dimensions], "i4"))
    return store, "zarr.json" if request.param == "ZARR_V3" else ".zarray"


def set_length(arrays, name, length):
    store, document = arrays
    path = f"{store}/{name}/{document}"
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    content["shape"][0] = length
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)


def open_all(store):
    """Returns the warnings of each way to open the store."""
    with collect_errors() as of_raster:
        dataset = gdal.Open(f'ZARR:"{store}":/data')
        assert dataset.ReadAsArray() is not None
    with collect_errors() as of_arrays:
        root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
        for name in root.GetMDArrayNames():
            root.OpenMDArray(name)
        root.OpenMDArray("data").GetDimensions()
    return of_raster, of_arrays


@pytest.mark.parametrize("name, length", [("time", 7), ("time", 2), ("data", 7), ("data", 2)])
def test_arrays_of_different_lengths_are_told(arrays, name, length):
    set_length(arrays, name, length)
    lengths = {"data": LENGTH, "time": LENGTH, name: length}
    for errors in open_all(arrays[0]):
        assert len(errors) == 1
        level, message = errors[0]
        assert level == gdal.CE_Warning
        assert f"array /data has {lengths['data']} elements along dimension time" in message
        assert f"its coordinates, array /time, are {lengths['time']}" in message


def test_arrays_of_one_length_are_not(arrays):
    assert open_all(arrays[0]) == ([], [])


def test_an_array_that_is_no_coordinate_may_have_any_length(arrays):
    set_length(arrays, "other", 9)
    assert open_all(arrays[0]) == ([], [])
