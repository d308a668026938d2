# SPDX-License-Identifier: MIT
"""A copy by GDAL's multidimensional functions has what GDAL's drivers hide or cannot open, or says that it is left out."""

import json

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal

FLOAT = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
TEXT = gdal.ExtendedDataType.CreateString()


def copy(source, target, options=()):
    with collect_errors() as errors:
        made = gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=["FORMAT=ZARR_V3", *options])
    assert made
    return [text for _, text in errors]


def read_document(store, name):
    with open(f"{store}/{name}/zarr.json", encoding="utf-8") as f:
        return json.load(f)


@pytest.fixture
def netcdf(tmp_path):
    if gdal.GetDriverByName("netCDF") is None:
        pytest.skip("GDAL was built without netCDF")
    return str(tmp_path / "a.nc")


def test_names_in_capitals_are_kept(netcdf, store):
    dataset = gdal.GetDriverByName("netCDF").CreateMultiDimensional(netcdf)
    root = dataset.GetRootGroup()
    array = root.CreateMDArray("v", [root.CreateDimension("x", "", "", 3)], FLOAT)
    wanted = {"UNITS": "K", "Scale_Factor": "2", "Grid_Mapping": "albers", "MISSING_VALUE": "-1"}
    for name, value in wanted.items():
        array.CreateAttribute(name, [], TEXT).Write(value)
    array.Write(np.arange(3.0))
    del array, root, dataset
    assert copy(netcdf, store) == []
    assert read_document(store, "v")["attributes"] == wanted


@pytest.mark.parametrize(
    "option, codecs",
    [("COMPRESS=NONE", ["bytes"]), ("COMPRESS=GZIP", ["bytes", "gzip"]), ("IF(NAME=height):COMPRESS=GZIP", ["bytes", "gzip"]),
     ("IF(DIM=0):COMPRESS=NONE", ["bytes"]), ("IF(DIM=1):COMPRESS=NONE", ["bytes", "blosc"]), ("BLOCKSIZE=2", ["bytes", "blosc"])],
)  # fmt: skip
def test_options_are_those_of_arrays_without_dimensions_too(netcdf, store, option, codecs):
    dataset = gdal.GetDriverByName("netCDF").CreateMultiDimensional(netcdf)
    root = dataset.GetRootGroup()
    root.CreateMDArray("v", [root.CreateDimension("x", "", "", 3)], FLOAT).Write(np.arange(3.0))
    root.CreateMDArray("height", [], FLOAT).Write(np.array(2.0))
    del root, dataset
    assert copy(netcdf, store, ["ARRAY:" + option]) == []
    assert [codec["name"] for codec in read_document(store, "height")["codecs"]] == codecs


def test_arrays_that_cannot_be_opened_are_named(tmp_path, store):
    h5py = pytest.importorskip("h5py", reason="python3-h5py makes the file; it is not installed")
    source = str(tmp_path / "a.h5")
    with h5py.File(source, "w") as f:
        f["plain"] = np.arange(3)
        f["g/references"] = np.array([f["plain"].ref], dtype=h5py.ref_dtype)
    if gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER) is None:
        pytest.skip("GDAL was built without HDF5")
    group = gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenGroup("g")
    listed = group.GetMDArrayNames() or []
    expected = [f"/g/{name} is not copied: GDAL cannot open it" for name in listed]
    assert [text for text in copy(source, store) if "is not copied" in text] == expected
