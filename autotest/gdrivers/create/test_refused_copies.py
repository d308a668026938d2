# SPDX-License-Identifier: MIT
"""GDAL goes on with a copy of a group when an array is refused; the driver does not."""

import json
import os
import shutil

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group


def make_source(path):
    write_v3_group(path)
    write_v3_group(f"{path}/below")
    write_v3(f"{path}/x", np.arange(30.0), [30], names=["x"])
    write_v3(f"{path}/a", np.zeros((20, 30), "u1"), [7, 11], names=["y", "x"])
    write_v3(f"{path}/below/b", np.zeros((20, 30), "u1"), [7, 11], names=["y", "x"])


def copy(target, source, creation_options, **arguments):
    return gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=creation_options, **arguments)


@pytest.mark.parametrize("option", ["COMPRESS=FOO", "SHARD_SHAPE=14,22", "IF(NAME=b):COMPRESS=FOO"])
@pytest.mark.parametrize("suffix", ["", ".zip"])
def test_a_copy_with_a_refused_array_is_taken_back(store, tmp_path, option, suffix):
    source = str(tmp_path / "source.zarr")
    make_source(source)
    with pytest.raises(RuntimeError, match="Zarr: the copy is not made, .*/b"):
        copy(store + suffix, source, [f"ARRAY:{option}"])
    assert os.listdir(tmp_path) == ["source.zarr"]


def test_a_strict_copy_is_taken_back(store, tmp_path):
    source = str(tmp_path / "source.zarr")
    make_source(source)
    with pytest.raises(RuntimeError):
        copy(store, source, ["ARRAY:COMPRESS=FOO"], options=["-strict"])
    assert os.listdir(tmp_path) == ["source.zarr"]


def test_what_is_left_out_is_not_asked_for(store, tmp_path):
    source = str(tmp_path / "source.zarr")
    make_source(source)
    assert copy(store, source, ["ARRAY:IF(NAME=b):COMPRESS=FOO"], arraySpecs=["a"])
    assert sorted(gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()) == ["a", "x"]


@pytest.mark.parametrize("broken", ["a/zarr.json", "below/zarr.json", "below/b/zarr.json"])
@pytest.mark.parametrize("suffix", ["", ".zip"])
def test_a_copy_of_what_cannot_be_read_is_taken_back(store, tmp_path, broken, suffix):
    source = str(tmp_path / "source.zarr")
    make_source(source)
    opened = gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER)
    os.remove(f"{source}/{broken}")
    os.symlink("zarr.json", f"{source}/{broken}")  # to itself
    gdal.DontUseExceptions()  # which are raised for a copy that is made with an error, too
    try:
        made = copy(store + suffix, opened, [])
        text = gdal.GetLastErrorMsg()
    finally:
        gdal.UseExceptions()
    assert made is None
    assert "the copy is not made, because nodes of the source cannot be read: /" in text
    assert os.listdir(tmp_path) == ["source.zarr"]
    assert copy(store, opened, [], arraySpecs=["x"])


def test_what_cannot_be_read_is_named_once(store, tmp_path):
    source = str(tmp_path / "one.zarr")
    write_v3(source, np.zeros(4, "u1"), [4])
    with open(f"{source}/zarr.json") as document:
        array = json.load(document) | {"storage_transformers": [{"name": "x"}]}
    with open(f"{source}/zarr.json", "w") as document:
        json.dump(array, document)
    gdal.DontUseExceptions()
    try:
        with collect_errors() as errors:
            assert copy(store, source, []) is None
    finally:
        gdal.UseExceptions()
    naming = [text for _, text in errors if "/one" in text.replace(source, "")]
    assert len(naming) == 1 and naming[0].count("/one") == 1, naming


@pytest.mark.parametrize("suffix", ["", ".zip"])
def test_a_new_store_whose_only_array_is_refused_is_taken_back(store, tmp_path, suffix):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store + suffix)
    root = dataset.GetRootGroup()
    byte = gdal.ExtendedDataType.Create(gdal.GDT_Byte)
    with pytest.raises(RuntimeError, match="COMPRESS"):
        root.CreateMDArray("a", [], byte, ["COMPRESS=FOO"])
    del root, dataset
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("filling", ["array", "group", "attribute", "nothing"])
def test_a_store_that_holds_something_or_was_meant_to_be_empty_stays(store, filling):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store)
    root = dataset.GetRootGroup()
    byte = gdal.ExtendedDataType.Create(gdal.GDT_Byte)
    if filling != "nothing":
        with pytest.raises(RuntimeError, match="COMPRESS"):
            root.CreateMDArray("a", [], byte, ["COMPRESS=FOO"])
    if filling == "array":
        root.CreateMDArray("a", [], byte)
    if filling == "group":
        root.CreateGroup("g")
    if filling == "attribute":
        root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).WriteString("t")
    del root, dataset
    assert gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER) is not None


# --- chunks as in the source --------------------------------------------------------------------------------------


@pytest.mark.parametrize("write, write_group", [(write_v2, write_v2_group), (write_v3, write_v3_group)])
def test_v2_takes_regular_chunks_of_the_source(store, tmp_path, write, write_group):
    source = str(tmp_path / "source.zarr")
    write_group(source)
    values = np.arange(600, dtype="u2").reshape(20, 30)
    write(f"{source}/a", values, [7, 11])
    copy(store, source, ["FORMAT=ZARR_V2", "ARRAY:CHUNK_EDGES=SOURCE"])
    assert json.load(open(f"{store}/a/.zarray"))["chunks"] == [7, 11]
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/a').ReadAsArray(), values)


def test_v2_refuses_uneven_chunks_of_the_source(store, tmp_path):
    source = str(tmp_path / "source.zarr")
    write_v3_group(source)
    write_v3(f"{source}/a", np.zeros((20, 30), "u1"), edges=[[5, 15], [30]])
    with pytest.raises(RuntimeError, match="CHUNK_EDGES"):
        copy(store, source, ["FORMAT=ZARR_V2", "ARRAY:CHUNK_EDGES=SOURCE"])
    assert os.listdir(tmp_path) == ["source.zarr"]


def test_a_dimension_beyond_what_gdal_can_copy_is_refused(store, tmp_path):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", np.zeros(4, "u1"), [4])
    path = os.path.join(source, "a", ".zarray")
    with open(path) as f:
        document = json.load(f)
    document["shape"] = [2**64 - 1]
    with open(path, "w") as f:
        json.dump(document, f)
    with pytest.raises(RuntimeError, match="expected at most 9223372036854775807 elements .* got 18446744073709551615"):
        copy(store, source, [])
    assert os.listdir(tmp_path) == ["source.zarr"]


def test_a_copy_says_why_it_failed_if_its_store_is_open_elsewhere(store, tmp_path):
    """The dataset is of an older store of that name, whose folder is gone."""
    gdal.GetDriverByName("Zarr").Create(store, 256, 256).FlushCache()
    older = gdal.Open(store)
    shutil.rmtree(store)
    source = str(tmp_path / "a.tif")
    gdal.GetDriverByName("GTiff").Create(source, 256, 256).WriteRaster(0, 0, 256, 256, bytes(256 * 256))
    os.truncate(source, 20_000)
    for closes in (False, True):
        if closes:
            older = None
        with pytest.raises(RuntimeError, match="IReadBlock failed|Read error|TIFF"):
            gdal.GetDriverByName("Zarr").CreateCopy(store, gdal.Open(source), 0)
        assert (older is None) == closes and os.listdir(tmp_path) == ["a.tif"]
