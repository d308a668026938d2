# SPDX-License-Identifier: MIT
"""Names with a backslash, which GDAL's files in memory and readers of ZIP archives take for a slash."""

import numpy as np
import pytest
from osgeo import gdal
from stores import open_group

INT = gdal.ExtendedDataType.Create(gdal.GDT_Int32)
MDIM = gdal.OF_MULTIDIM_RASTER


def make_array(group, name):
    return group.CreateMDArray(name, [group.CreateDimension(f"of {name}", "", "", 3)], INT)


@pytest.fixture(params=["/vsimem/backslashes.zarr", "/vsizip/{}/a.zip"])
def place(request, tmp_path):
    yield request.param.format(tmp_path)
    if request.param.startswith("/vsimem/"):
        gdal.RmdirRecursive(request.param)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_they_are_refused(place, zarr_format):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(place, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    for call in (make_array, type(root).CreateGroup):
        with pytest.raises(RuntimeError, match="a name in .* cannot have"):
            call(root, "a\\b")
    make_array(root, "c").Write(np.arange(3, dtype="i4"))
    del root, dataset
    assert open_group(place).GetMDArrayNames() == ["c"]
    assert not open_group(place).GetGroupNames()


@pytest.mark.parametrize("consolidated", ["YES", "NO"])
def test_they_open_no_other_node_in_memory(consolidated):
    options = ["FORMAT=ZARR_V3", f"CREATE_CONSOLIDATED_METADATA={consolidated}"]
    path = "/vsimem/backslashes.zarr"
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], options)
    make_array(dataset.GetRootGroup().CreateGroup("a"), "b").Write(np.arange(3, dtype="i4"))
    del dataset
    try:
        root = gdal.OpenEx(path, MDIM | gdal.OF_UPDATE).GetRootGroup()
        for opener in (root.OpenMDArray, root.OpenGroup):
            with pytest.raises(RuntimeError, match="expected .*, got none"):
                opener("a\\b")
        del root, opener
    finally:
        gdal.RmdirRecursive(path)
