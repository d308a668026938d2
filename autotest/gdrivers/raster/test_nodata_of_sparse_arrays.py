# SPDX-License-Identifier: MIT
"""Setting the nodata value of an array some of whose chunks are not stored changes no value."""

import json
import os

import numpy as np
import pytest
from config_options import set_config_option
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v3


def write(store, version, shape, fill, stored):
    """Writes an array with chunks of one element, of which only `stored` are there, with the value 5."""
    skip = set(np.ndindex(*shape)) - set(stored)
    (write_v2 if version == 2 else write_v3)(store, np.full(shape, 5, "<i2"), [1, 1], fill=fill, skip=skip)


def set_nodata(store, value):
    with collect_errors() as errors:
        dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
        assert dataset.GetRasterBand(1).SetNoDataValue(value) == gdal.CE_None
        dataset = None
    return [text for _, text in errors]


def count_chunks(store):
    return sum(len(names) for _, _, names in os.walk(store)) - 1


def check(store, before, nodata):
    dataset = gdal.Open(store)
    assert np.array_equal(dataset.ReadAsArray(), before)
    assert dataset.GetRasterBand(1).GetNoDataValue() == nodata


@pytest.mark.parametrize("version, fill", [(2, None), (2, 0), (2, 3), (3, 0), (3, 3)])
def test_few_missing_chunks_are_written(store, version, fill):
    write(store, version, (2, 3), fill, [(0, 1)])
    before = gdal.Open(store).ReadAsArray()
    assert set_nodata(store, 7) == []
    check(store, before, 7)
    assert count_chunks(store) == 6


def test_an_array_without_values_gets_a_fill_value(store):
    write(store, 2, (2, 3), None, [])
    assert set_nodata(store, 7) == []
    check(store, np.full((2, 3), 7), 7)
    assert count_chunks(store) == 0


def test_many_missing_chunks_of_v3_stay_missing(store):
    write(store, 3, (40, 40), 3, [(0, 1)])
    before = gdal.Open(store).ReadAsArray()
    assert set_nodata(store, 7) == []
    check(store, before, 7)
    assert count_chunks(store) == 1
    with open(os.path.join(store, "zarr.json")) as f:
        metadata = json.load(f)
    assert (metadata["fill_value"], metadata["attributes"]) == (3, {"_FillValue": 7})


def test_many_missing_chunks_of_v2_are_written_with_a_warning(store):
    write(store, 2, (40, 40), 3, [(0, 1)])
    before = gdal.Open(store).ReadAsArray()
    (warning,) = set_nodata(store, 7)
    assert "1599 missing chunks" in warning
    check(store, before, 7)


def test_a_value_that_is_refused_does_not_fail_the_flush(store):
    write(store, 2, (3, 3), 0, [(0, 1)])
    with set_config_option("ZARR_MAX_LOOKS", "3"):
        dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
        with pytest.raises(RuntimeError, match="chunks"):
            dataset.GetRasterBand(1).SetNoDataValue(7)
        dataset.WriteArray(np.full((3, 3), 6, "i2"))
        dataset.FlushCache()
        dataset = None
    check(store, np.full((3, 3), 6), 0)


def make_sharded(store, filled):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=64,64", "SHARD_SHAPE=128,128"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 200, 150, 1, gdal.GDT_Byte, options)
    dataset.GetRasterBand(1).SetNoDataValue(3)
    dataset.GetRasterBand(1).WriteArray(np.full((filled, 200), 5, "u1"))
    dataset = None


def read_metadata(store):
    names = [name for name in os.listdir(store) if os.path.isdir(f"{store}/{name}")]
    with open(os.path.join(store, names[0], "zarr.json")) as f:
        return json.load(f)


def test_shards_with_all_chunks_of_the_raster_get_another_fill_value(store):
    make_sharded(store, 150)
    before = gdal.Open(store).ReadAsArray()
    assert set_nodata(store, 7) == []
    with collect_errors() as errors:
        check(store, before, 7)
    assert errors == []
    assert read_metadata(store)["fill_value"] == 7


def test_the_nodata_value_of_complete_shards_can_be_removed(store):
    make_sharded(store, 150)
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    assert dataset.GetRasterBand(1).DeleteNoDataValue() == gdal.CE_None
    dataset = None
    check(store, np.full((150, 200), 5), None)


def test_shards_with_missing_chunks_keep_their_fill_value(store):
    make_sharded(store, 100)
    before = gdal.Open(store).ReadAsArray()
    assert set_nodata(store, 7) == []
    check(store, before, 7)
    assert read_metadata(store)["fill_value"] == 3


OPTIONS = [["FORMAT=ZARR_V2"], ["FORMAT=ZARR_V3"], ["FORMAT=ZARR_V3", "BLOCKSIZE=1,3", "SHARD_SHAPE=2,3"]]


def write_elsewhere(store, values):
    """As another process does, to which the path has been given after a flush. Zeros leave no chunk."""
    other = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    other.GetRasterBand(1).WriteArray(np.array(values, "i2"))
    other.FlushCache()
    other = None


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("values, nodata", [([[0, 0, 0], [0, 0, 0]], 0), ([[0, 0, 0], [4, 0, 5]], None)])
def test_values_of_others_in_a_new_raster_are_kept(store, options, values, nodata):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 3, 2, 1, gdal.GDT_Int16, [option for option in options if "BLOCK" not in option] + ["BLOCKSIZE=1,3"])
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    dataset.FlushCache()
    write_elsewhere(store, values)
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset = None
    check(store, np.array(values), 7)


@pytest.mark.parametrize("version", [2, 3])
def test_values_of_others_in_a_new_array_are_kept(store, version):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT=ZARR_V{version}"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, None, None, size) for name, size in (("y", 2), ("x", 3))]
    array = root.CreateMDArray("a", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int16))
    array.SetNoDataValueDouble(0)
    dataset.FlushCache()
    write_elsewhere(store, np.zeros((2, 3)))
    array.SetNoDataValueDouble(7)
    del array, dimensions, root, dataset
    check(store, np.zeros((2, 3)), 7)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("flushes", [False, True])
def test_what_was_not_written_in_a_new_raster_has_no_value(store, options, flushes):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 3, 2, 1, gdal.GDT_Int16, options)
    band = dataset.GetRasterBand(1)
    for value in (5, None, 7):
        if flushes and value == 5:
            dataset.FlushCache()
        band.DeleteNoDataValue() if value is None else band.SetNoDataValue(value)
    del band, dataset
    check(store, np.full((2, 3), 7), 7)
