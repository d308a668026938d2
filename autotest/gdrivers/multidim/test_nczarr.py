# SPDX-License-Identifier: MIT
"""Stores of NCZarr, whose groups list their dimensions, arrays and groups for netCDF-C."""
import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_json, write_v2, write_v2_group, write_v3, write_v3_group
from versions import GDAL_VERSION

LISTS = {"dimensions": {"x": 4}, "arrays": ["a"], "groups": ["g"]}
REFUSAL = "netCDF-C would not find them"


def write_dialect(store, dialect):
    if dialect == "v3":
        write_v3_group(store, {"_nczarr_group": LISTS})
        write_v3_group(f"{store}/g", {"_nczarr_group": {"dimensions": {}, "arrays": [], "groups": []}})
        write_v3(f"{store}/a", np.arange(4), names=["x"])
        return
    write_v2_group(store, {"_nczarr_group": LISTS} if dialect == "attribute" else {})
    write_v2_group(f"{store}/g", {})
    if dialect == "member":
        write_json(f"{store}/.zgroup", {"zarr_format": 2, "_NCZARR_GROUP": LISTS})
    write_v2(f"{store}/a", np.arange(4), attributes={"_ARRAY_DIMENSIONS": ["x"], "_nczarr_array": {"dimension_references": ["/x"]}})


def read_files(store):
    names = [os.path.join(folder, name) for folder, _, found in os.walk(store) for name in found]
    contents = {}
    for name in names:
        with open(name, "rb") as f:
            contents[os.path.relpath(name, store)] = f.read()
    return contents


def open_root(store):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()


def create_array(root):
    root.CreateMDArray("b", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))


CHANGES = {
    "create an array": create_array,
    "create a group": lambda root: root.CreateGroup("h"),
    "rename a group": lambda root: root.OpenGroup("g").Rename("h"),
    "rename an array": lambda root: root.OpenMDArray("a").Rename("b"),
    "rename a dimension": lambda root: root.OpenMDArray("a").GetDimensions()[0].Rename("z"),
    "delete a group": lambda root: root.DeleteGroup("g"),
    "delete an array": lambda root: root.DeleteMDArray("a"),
    "resize": lambda root: root.OpenMDArray("a").Resize([6]),
}


@pytest.mark.parametrize("dialect", ["attribute", "member", "v3"])
@pytest.mark.parametrize("change", CHANGES)
def test_changes_of_what_is_listed_are_refused(store, dialect, change):
    if not change.startswith("create") and GDAL_VERSION < 308:
        pytest.skip("needs GDAL 3.8 or later")
    write_dialect(store, dialect)
    before = read_files(store)
    root = open_root(store)
    with pytest.raises(RuntimeError, match=REFUSAL):
        CHANGES[change](root)
    del root
    assert read_files(store) == before


@pytest.mark.parametrize("dialect", ["attribute", "member", "v3"])
def test_values_and_attributes_are_changed(store, dialect):
    write_dialect(store, dialect)
    root = open_root(store)
    array = root.OpenMDArray("a")
    array.WriteArray(np.array([5, 6, 7, 8]))
    array.CreateAttribute("note", [], gdal.ExtendedDataType.CreateString()).Write("text")
    root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).Write("text")
    del array, root
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.OpenMDArray("a").ReadAsArray().tolist() == [5, 6, 7, 8]
    assert root.GetAttribute("title").Read() == "text"


def test_groups_without_lists_in_the_same_store_are_changed(store):
    write_dialect(store, "attribute")
    group = open_root(store).OpenGroup("g")
    assert group.CreateGroup("h") is not None
