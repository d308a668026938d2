# SPDX-License-Identifier: MIT
"""Attributes, items and properties that are set one by one are collected, and put once, when the dataset is flushed; till
then all handles of the dataset tell them. The tests count puts: no clock decides."""

import json
import os
import shutil

import pytest
from osgeo import gdal
from put_counter import PutCounter

COUNT = 200
TEXT = gdal.ExtendedDataType.CreateString()
DRIVER = gdal.GetDriverByName("Zarr")
VERSIONS = ["ZARR_V2", "ZARR_V3"]


@pytest.fixture(params=VERSIONS)
def version(request):
    return request.param


@pytest.fixture(params=["YES", "NO"])
def options(request, version):
    return [f"FORMAT={version}", f"CREATE_CONSOLIDATED_METADATA={request.param}"]


def open_raster(path):
    return gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)


def open_multidim(path):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    return dataset, dataset.GetRootGroup()


def make_raster(store, options, bands=1):
    DRIVER.Create(store, 4, 2, bands, gdal.GDT_Byte, options).FlushCache()
    return store


def make_array(store, options):
    dataset = DRIVER.CreateMultiDimensional(store, [], options)
    root = dataset.GetRootGroup()
    root.CreateMDArray("a", [root.CreateDimension("x", None, None, 4)], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    del root
    dataset.FlushCache()
    del dataset
    return store


def get_array_folder(store):
    return os.path.join(store, "a") if os.path.isdir(os.path.join(store, "a")) else store


def count_document_puts(counter):
    """The most that one document was put."""
    return max(counter.take().values(), default=0)


BAND_SETTERS = {
    "item": lambda band, i: band.SetMetadataItem(f"k{i}", f"{i}"),
    "items": lambda band, i: band.SetMetadata({"k": f"{i}"}),
    "description": lambda band, i: band.SetDescription(f"band {i}"),
    "statistics": lambda band, i: band.SetStatistics(0, i, 1, 1),
    "colour": lambda band, i: band.SetColorInterpretation(gdal.GCI_RedBand if i % 2 else gdal.GCI_GreenBand),
    "categories": lambda band, i: band.SetCategoryNames(["", f"a {i}"]),
    "unit": lambda band, i: band.SetUnitType("K"),
    "scale": lambda band, i: band.SetScale(2),
    "offset": lambda band, i: band.SetOffset(3),
}
BAND_GETTERS = {
    "item": lambda band, i: band.GetMetadataItem(f"k{i}") == f"{i}",
    "items": lambda band, i: band.GetMetadataItem("k") == f"{i}",
    "description": lambda band, i: band.GetDescription() == f"band {i}",
    "statistics": lambda band, i: band.GetStatistics(False, False) == [0, i, 1, 1],
    "colour": lambda band, i: band.GetColorInterpretation() == (gdal.GCI_RedBand if i % 2 else gdal.GCI_GreenBand),
    "categories": lambda band, i: band.GetCategoryNames() == ["", f"a {i}"],
    "unit": lambda band, i: band.GetUnitType() == "K",
    "scale": lambda band, i: band.GetScale() == 2,
    "offset": lambda band, i: band.GetOffset() == 3,
}


@pytest.mark.parametrize("what", BAND_SETTERS)
def test_what_bands_get_is_told_at_once_and_put_once(store, options, what):
    make_raster(store, options, COUNT)
    dataset = open_raster(store)
    folder = os.path.join(store, os.path.basename(store)[:-5])
    with PutCounter(folder) as array, PutCounter(store) as root:
        for i in range(COUNT):
            BAND_SETTERS[what](dataset.GetRasterBand(i + 1), i)
            assert BAND_GETTERS[what](dataset.GetRasterBand(i + 1), i)
        assert (array.take(), root.take()) == ({}, {})
        dataset.FlushCache()
        assert count_document_puts(array) == 1 and count_document_puts(root) <= 1
        del dataset
        assert (array.take(), root.take()) == ({}, {})
    dataset = gdal.Open(store)
    assert all(BAND_GETTERS[what](dataset.GetRasterBand(i + 1), i) for i in range(COUNT))


def test_a_nodata_value_that_all_bands_get_is_put_once(store, options):
    make_raster(store, options, COUNT)
    dataset = open_raster(store)
    with PutCounter(os.path.join(store, os.path.basename(store)[:-5])) as array:
        for i in range(COUNT):
            dataset.GetRasterBand(i + 1).SetDescription(f"band {i}")
            dataset.GetRasterBand(i + 1).SetNoDataValue(7)
        dataset.FlushCache()
        assert count_document_puts(array) <= 3
    assert gdal.Open(store).GetRasterBand(COUNT).GetNoDataValue() == 7


@pytest.mark.parametrize("on", ["dataset", "band"])
def test_items_of_one_node_are_put_once(store, options, on):
    make_raster(store, options)
    dataset = open_raster(store)
    target = dataset if on == "dataset" else dataset.GetRasterBand(1)
    with PutCounter(os.path.join(store, os.path.basename(store)[:-5])) as array:
        for i in range(COUNT):
            target.SetMetadataItem(f"k{i}", f"{i}")
            assert target.GetMetadataItem(f"k{i}") == f"{i}"
        for i in range(0, COUNT, 2):
            target.SetMetadataItem(f"k{i}", None)
        assert array.take() == {}
        dataset.FlushCache()
        assert count_document_puts(array) == 1
    del target, dataset
    dataset = gdal.Open(store)
    target = dataset if on == "dataset" else dataset.GetRasterBand(1)
    assert target.GetMetadata() == {f"k{i}": f"{i}" for i in range(1, COUNT, 2)}


@pytest.mark.parametrize("on", ["group", "array"])
def test_attributes_of_one_node_are_put_once(store, options, on):
    make_array(store, options)
    dataset, root = open_multidim(store)
    node = root if on == "group" else root.OpenMDArray("a")
    other = root if on == "group" else root.OpenMDArray("a")
    with PutCounter(store if on == "group" else os.path.join(store, "a")) as documents:
        for i in range(COUNT):
            node.CreateAttribute(f"k{i}", [], TEXT).Write(f"{i}")
            assert other.GetAttribute(f"k{i}").Read() == f"{i}"
        assert documents.take() == {}
        dataset.FlushCache()
        # The root of v3 has its attributes and the consolidated metadata in one document.
        assert count_document_puts(documents) <= 2
        assert sorted(a.GetName() for a in other.GetAttributes()) == sorted(f"k{i}" for i in range(COUNT))
    del node, other, root, dataset
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    node = root if on == "group" else root.OpenMDArray("a")
    assert {a.GetName(): a.Read() for a in node.GetAttributes()} == {f"k{i}": f"{i}" for i in range(COUNT)}


@pytest.mark.parametrize("on", ["group", "array"])
def test_handles_that_are_closed_and_opened_again_put_nothing(store, options, on):
    make_array(store, options)
    dataset, root = open_multidim(store)
    with PutCounter(store if on == "group" else os.path.join(store, "a")) as documents:
        for i in range(COUNT):
            node = dataset.GetRootGroup() if on == "group" else root.OpenMDArray("a")
            node.CreateAttribute(f"k{i}", [], TEXT).Write(f"{i}")
            del node
        assert documents.take() == {}


def test_a_new_dataset_puts_attributes_once(store, options):
    dataset = DRIVER.CreateMultiDimensional(store, [], options)
    root = dataset.GetRootGroup()
    group = root.CreateGroup("g")
    array = root.CreateMDArray("a", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    dataset.FlushCache()  # makes their folders
    nodes = {"g": group, "a": array}
    for name, node in nodes.items():
        with PutCounter(os.path.join(store, name)) as documents:
            for i in range(COUNT):
                node.CreateAttribute(f"k{i}", [], TEXT).Write(f"{i}")
            dataset.FlushCache()
            assert count_document_puts(documents) == 1


def read_items(path):
    return {k: v for k, v in gdal.OpenEx(path, gdal.OF_RASTER).GetMetadata().items() if k in "abc"}


def test_another_reader_sees_the_old_items_till_the_flush(store, options, other):
    make_raster(store, options)
    dataset = open_raster(store)
    dataset.SetMetadataItem("a", "1")
    dataset.SetMetadataItem("b", "2")
    other(store, "assert 'a' not in dataset.GetMetadata() and 'b' not in dataset.GetMetadata()")
    dataset.FlushCache()
    other(store, "assert dataset.GetMetadataItem('a') == '1' and dataset.GetMetadataItem('b') == '2'")


def test_items_of_others_that_come_meanwhile_stay(store, version, other):
    make_raster(store, [f"FORMAT={version}"])
    dataset = open_raster(store)
    dataset.SetMetadataItem("a", "1")
    other(store, "dataset.SetMetadataItem('b', '2'); dataset.SetMetadataItem('a', '0')")
    assert dataset.GetMetadataItem("a") == "1"
    dataset.SetMetadataItem("c", "3")
    dataset.FlushCache()
    assert read_items(store) == {"a": "1", "b": "2", "c": "3"}


def test_what_waits_is_put_with_another_change_of_the_node(store, version):
    make_raster(store, [f"FORMAT={version}", "CREATE_CONSOLIDATED_METADATA=NO"])
    dataset = open_raster(store)
    dataset.SetMetadataItem("a", "1")
    dataset.SetGeoTransform((10, 1, 0, 50, 0, -1))
    dataset.SetMetadataItem("b", "2")
    dataset.GetRasterBand(1).SetNoDataValue(7)
    assert read_items(store) == {"a": "1", "b": "2"}
    dataset.SetMetadataItem("c", "3")
    assert dataset.GetMetadata()["a"] == "1"
    del dataset
    assert read_items(store) == {"a": "1", "b": "2", "c": "3"}


def test_members_of_an_object_that_others_set_stay(store, version, other):
    make_array(store, [f"FORMAT={version}"])
    dataset, root = open_multidim(store)
    json_type = gdal.ExtendedDataType.CreateString(0, gdal.GEDTST_JSON)
    for node in (root, root.OpenMDArray("a")):
        node.CreateAttribute("o", [], json_type).Write('{"x": 1, "y": 2}')
    dataset.FlushCache()
    code = """
from osgeo import gdal
root = gdal.OpenEx(dataset.GetDescription(), gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
for node in (root, root.OpenMDArray("a")):
    node.GetAttribute("o").Write('{"x": 1, "y": 3, "z": 4}')
"""
    array = root.OpenMDArray("a")
    for node in (root, array):
        node.GetAttribute("o").Write('{"x": 5, "y": 2}')
    other(store, code)
    dataset.FlushCache()
    del node, array, root, dataset
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    for node in (root, root.OpenMDArray("a")):
        assert json.loads(node.GetAttribute("o").ReadAsString()) == {"x": 5, "y": 3, "z": 4}


def test_a_failure_is_told_by_each_flush(store, version):
    make_array(store, [f"FORMAT={version}"])
    dataset, root = open_multidim(store)
    array = root.OpenMDArray("a")
    array.CreateAttribute("k", [], TEXT).Write("v")
    root.CreateAttribute("k", [], TEXT).Write("v")
    shutil.move(os.path.join(store, "a"), store + ".away")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="removed or renamed|expected a node, got none"):
            dataset.FlushCache()
    shutil.move(store + ".away", os.path.join(store, "a"))
    assert dataset.FlushCache() in (None, gdal.CE_None)
    del array, root, dataset
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetAttribute("k").Read() == "v"
    assert root.OpenMDArray("a").GetAttribute("k").Read() == "v"


def test_properties_follow_their_attributes(store, version):
    make_array(store, [f"FORMAT={version}"])
    dataset, root = open_multidim(store)
    array = root.OpenMDArray("a")
    array.SetUnit("K")
    assert array.GetUnit() == "K"
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    array.CreateAttribute("scale_factor", [], number).Write(2.5)
    assert array.GetScale() == 2.5
    dataset.FlushCache()
    assert (array.GetUnit(), array.GetScale()) == ("K", 2.5)
    assert array.SetUnit("") == gdal.CE_None
    assert array.GetUnit() == ""
