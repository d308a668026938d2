# SPDX-License-Identifier: MIT
"""Consolidated metadata follow removals, renames and resizes, even if the process stops right after them. Files keep
their permissions."""

import json
import os
import stat
import subprocess

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import python
from stores import write_v2, write_v2_group
from versions import GDAL_VERSION

FORMATS = ["ZARR_V2", "ZARR_V3"]

MAKE = """
import os, sys
from osgeo import gdal
gdal.UseExceptions()
store, form, change = sys.argv[1:]
dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=" + form])
root = dataset.GetRootGroup()
byte = gdal.ExtendedDataType.Create(gdal.GDT_Byte)
group = root.CreateGroup("group")
for parent in (root, group):
    for name in ("one", "two"):
        n = parent.CreateDimension("n_" + name, None, None, 6)
        parent.CreateMDArray(name, [n], byte, ["BLOCKSIZE=2"]).Write(b"abcdef")
        del n
del parent, group, root, dataset
dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
root = dataset.GetRootGroup()
eval(change)
os.kill(os.getpid(), 9)
"""


def stopped_after(store, form, change):
    subprocess.run(python(MAKE, store, form, change), check=False)


def consolidated(store, form):
    """Returns the arrays in consolidated metadata: path -> shape."""
    name = "zarr.json" if form == "ZARR_V3" else ".zmetadata"
    with open(os.path.join(store, name)) as f:
        document = json.load(f)
    if form == "ZARR_V3":
        members = document["consolidated_metadata"]["metadata"]
        return {path: node["shape"] for path, node in members.items() if node["node_type"] == "array"}
    members = document["metadata"]
    return {key[: -len("/.zarray")]: node["shape"] for key, node in members.items() if key.endswith("/.zarray")}


ALL = {"one": [6], "two": [6], "group/one": [6], "group/two": [6]}
CHANGES = {
    "root.DeleteMDArray('one')": ["two", "group/one", "group/two"],
    "root.OpenGroup('group').DeleteMDArray('two')": ["one", "two", "group/one"],
    "root.DeleteGroup('group')": ["one", "two"],
    "root.OpenMDArray('one').Rename('three')": ["three", "two", "group/one", "group/two"],
    "root.OpenGroup('group').Rename('other')": ["one", "two", "other/one", "other/two"],
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_removed_or_renamed_array_is_gone_from_consolidated_metadata(store, form, change):
    if GDAL_VERSION < 308:
        pytest.skip("DeleteMDArray, DeleteGroup and Rename are there since GDAL 3.8")
    stopped_after(store, form, change)
    assert consolidated(store, form) == {path: [6] for path in CHANGES[change]}
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    for path in CHANGES[change]:
        assert root.OpenMDArrayFromFullname("/" + path).Read() == b"abcdef"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("length", [3, 20])
def test_a_resized_array_is_resized_in_consolidated_metadata(store, form, length):
    if GDAL_VERSION < 307:
        pytest.skip("Resize is there since GDAL 3.7")
    stopped_after(store, form, f"root.OpenMDArray('one').Resize([{length}])")
    assert consolidated(store, form) == {**ALL, "one": [length]}
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("one")
    assert bytes(array.Read()).rstrip(b"\0") == b"abcdef"[:length]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_files_keep_their_permissions(store, mode):
    driver = gdal.GetDriverByName("Zarr")
    dataset = driver.Create(store, 4, 4, 1, gdal.GDT_Byte, ["FORMAT=ZARR_V3", "BLOCKSIZE=2,2", "ARRAY_NAME=data"])
    dataset.WriteArray(np.ones((4, 4), "u1"))
    dataset = None
    files = [os.path.join(folder, name) for folder, _, names in os.walk(store) for name in names]
    for name in files:
        os.chmod(name, mode)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/data', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.WriteArray(np.full((4, 4), 2, "u1"))
    dataset.SetMetadata({"A": "1"})
    dataset = None
    assert {stat.S_IMODE(os.stat(name).st_mode) for name in files} == {mode}


def test_a_bare_nan_of_another_array_does_not_get_into_consolidated_metadata(store):
    """It is not JSON, and strict readers would lose the whole store."""

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    write_v2_group(store)
    write_v2(f"{store}/lat", np.arange(3, dtype="<f4"), fill="NaN", attributes={"_ARRAY_DIMENSIONS": ["lat"]})
    write_v2(f"{store}/t", np.ones((3, 3), "<f4"), attributes={"_ARRAY_DIMENSIONS": ["lat", "lon"]})
    metadata = {}
    for name in (".zgroup", "lat/.zarray", "lat/.zattrs", "t/.zarray", "t/.zattrs"):
        with open(f"{store}/{name}") as file:
            metadata[name] = json.load(file)
    with open(f"{store}/.zmetadata", "w") as file:
        json.dump({"zarr_consolidated_format": 1, "metadata": metadata}, file)
    with open(f"{store}/lat/.zarray", "w") as file:
        file.write(json.dumps(metadata["lat/.zarray"]).replace('"NaN"', "NaN"))
    with collect_errors() as errors:
        dataset = gdal.OpenEx(f'ZARR:"{store}":/t', gdal.OF_UPDATE)
        dataset.SetMetadataItem("item", "7")
        del dataset
        gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("lat")
    assert errors == []
    with open(f"{store}/.zmetadata") as file:
        listed = json.load(file, parse_constant=refuse)["metadata"]
    assert listed["lat/.zarray"]["fill_value"] == "NaN" and listed["t/.zattrs"]["item"] == "7"
