# SPDX-License-Identifier: MIT
"""Groups and their content, and arrays that cannot be opened or read."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, open_group, write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(35, dtype="<i2").reshape(5, 7)


@pytest.mark.parametrize("group, write", [(write_v2_group, write_v2), (write_v3_group, write_v3)], ids=["v2", "v3"])
def test_groups_and_arrays_are_listed(store, group, write):
    group(store)
    group(f"{store}/g")
    group(f"{store}/g/h")
    write(f"{store}/a", DATA)
    write(f"{store}/g/h/b", DATA)
    root = open_group(store)
    assert (root.GetName(), root.GetFullName()) == ("/", "/")
    assert (root.GetMDArrayNames(), root.GetGroupNames()) == (["a"], ["g"])
    inner = root.OpenGroup("g").OpenGroup("h")
    assert (inner.GetName(), inner.GetFullName()) == ("h", "/g/h")
    array = root.OpenMDArrayFromFullname("/g/h/b")
    assert (array.GetName(), array.GetFullName()) == ("b", "/g/h/b")
    assert array.ReadAsArray().tolist() == DATA.tolist()
    assert root.GetStructuralInfo()["ZARR_FORMAT"] == ("2" if write is write_v2 else "3")


@pytest.mark.parametrize("name", ["nothing", "", ".", "..", "a/b", "../test.zarr"])
def test_a_missing_name_is_an_error(store, name):
    write_v3_group(store)
    root = open_group(store)
    gdal.ErrorReset()
    for open_it in (root.OpenMDArray, root.OpenGroup):
        try:
            assert open_it(name) is None
        except RuntimeError as error:  # GDAL's bindings raise one for a null pointer
            assert "expected " in str(error) and ("got none" in str(error) or f'got "{name}"' in str(error))


def test_array_at_the_root_is_called_as_the_store(tmp_path):
    path = str(tmp_path / "sea.temperature.zarr")
    write_v3(path, DATA)
    root = open_group(path)
    assert (root.GetMDArrayNames(), root.GetGroupNames()) == (["sea.temperature"], None) or root.GetGroupNames() == []
    assert root.OpenMDArrayFromFullname("/sea.temperature").GetFullName() == "/sea.temperature"
    assert [d.GetFullName() for d in open_array(path).GetDimensions()] == ["dim0", "dim1"]


def test_arrays_and_groups_outlive_their_dataset(store):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    root = dataset.GetRootGroup()
    del dataset
    array = root.OpenMDArray("v")
    del root
    dimension = array.GetDimensions()[1]
    assert array.ReadAsArray().tolist() == DATA.tolist()
    del array
    assert dimension.GetIndexingVariable().ReadAsArray().tolist() == list(range(7))


def test_broken_array_is_listed_and_told_of(store):
    write_v3_group(store)
    write_v3(f"{store}/good", DATA)
    write_bytes(f"{store}/bad/zarr.json", b'{"zarr_format": 3, "node_type": "array"}')
    root = open_group(store)
    assert root.GetMDArrayNames() == ["bad", "good"]
    with pytest.raises(RuntimeError, match="bad/zarr.json: "):
        root.OpenMDArray("bad")
    assert root.OpenMDArray("good").ReadAsArray().tolist() == DATA.tolist()


def test_an_array_of_an_unknown_codec_is_described_and_not_read(store):
    write_v2(store, DATA, compressor={"id": "zlib", "level": 1}, attributes={"units": "m"})
    meta = json.load(open(f"{store}/.zarray"))
    write_json(f"{store}/.zarray", {**meta, "compressor": {"id": "no_such_codec"}})
    array = open_array(store)
    assert [d.GetSize() for d in array.GetDimensions()] == [5, 7]
    assert array.GetUnit() == "m"
    with pytest.raises(RuntimeError, match="no_such_codec"):
        array.ReadAsArray()


def test_chunk_of_more_than_2_gib_is_only_read_when_that_is_allowed(store):
    size = 2**31 + 1
    write_v2(store, np.zeros(1, "u1"), compressor={"id": "zlib", "level": 1})
    meta = json.load(open(f"{store}/.zarray"))
    write_json(f"{store}/.zarray", {**meta, "shape": [size], "chunks": [size]})
    array = open_array(store)
    with pytest.raises(RuntimeError, match=f"{size}"):
        array.ReadAsArray(array_start_idx=[0], count=[1])
    gdal.SetConfigOption("ZARR_ALLOW_BIG_TILE_SIZE", "YES")
    try:
        with pytest.raises(RuntimeError, match="zlib"):  # now the chunk is read, and is too short
            array.ReadAsArray(array_start_idx=[0], count=[1])
    finally:
        gdal.SetConfigOption("ZARR_ALLOW_BIG_TILE_SIZE", None)


def test_damaged_chunk_is_named(store):
    write_v3(store, DATA, (2, 3), compress=True)
    write_bytes(f"{store}/c/1/2", b"no gzip stream")
    array = open_array(store)
    with pytest.raises(RuntimeError, match=r"test.zarr/c/1/2: .*gzip.*chunk \[1,2\]"):
        array.ReadAsArray()
    assert array.ReadAsArray(array_start_idx=[0, 0], count=[2, 7]).tolist() == DATA[:2].tolist()


# --- consolidated metadata ------------------------------------------------------------------------------------------


def write_consolidated_v2(store):
    """Makes the consolidated copy of an attribute differ, to show which one is read."""
    write_v2_group(store)
    write_v2(f"{store}/a", DATA, attributes={"source": "own"})
    metadata = {".zgroup": {"zarr_format": 2}, "a/.zattrs": {"source": "consolidated"}}
    metadata["a/.zarray"] = json.load(open(f"{store}/a/.zarray"))
    write_json(f"{store}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": metadata})


@pytest.mark.parametrize(
    "options, expected",
    [
        ([], "consolidated"),
        (["USE_CONSOLIDATED_METADATA=YES"], "consolidated"),
        (["USE_CONSOLIDATED_METADATA=NO"], "own"),
        (["USE_ZMETADATA=NO"], "own"),
    ],
)
def test_consolidated_metadata_are_used(store, options, expected):
    write_consolidated_v2(store)
    root = open_group(store, *options)
    assert root.OpenMDArray("a").GetAttribute("source").ReadAsString() == expected
    assert root.GetStructuralInfo().get("CONSOLIDATED") == ("YES" if expected == "consolidated" else None)


@pytest.mark.skipif(not hasattr(gdal.Group, "SubsetDimensionFromSelection"), reason="GDAL 3.8 has selections")
def test_a_selection_along_a_dimension(store):
    write_v3_group(store)
    write_v3(f"{store}/y", np.array([10.0, 20, 30]), names=["y"])
    write_v3(f"{store}/v", np.arange(12.0).reshape(3, 4), names=["y", "x"])
    selected = open_group(store).SubsetDimensionFromSelection("/y=20")
    assert selected.OpenMDArray("v").ReadAsArray().tolist() == [[4, 5, 6, 7]]


@pytest.mark.parametrize("is_v1", [True, False])
def test_a_store_that_is_an_array_has_no_attributes_of_a_group(store, is_v1):
    options = ["FORMAT=ZARR_V1"] if is_v1 else ["FORMAT=ZARR_V3", "ARRAY_NAME=a"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, 1, gdal.GDT_Byte, options)
    dataset.GetRasterBand(1).SetUnitType("m")
    dataset = None
    name = store if is_v1 else f"{store}/a"
    dataset = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    group = dataset.GetRootGroup()
    for attribute in ("units", "title"):
        with pytest.raises(RuntimeError, match="is an array"):
            group.CreateAttribute(attribute, [], gdal.ExtendedDataType.CreateString())
    group = dataset = None
    group = open_group(name)
    (array_name,) = group.GetMDArrayNames()
    assert group.OpenMDArray(array_name).GetUnit() == "m"
