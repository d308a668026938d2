# SPDX-License-Identifier: MIT
"""Several processes change what each band of one array has for itself: nothing is lost."""

import os
import shutil

import pytest
from osgeo import gdal
from writer_team import ROUNDS


def get_items(band):
    """The items that were set: an array of version 1 tells the index of a band, too."""
    return {name: value for name, value in band.GetMetadata().items() if not name.startswith("DIM_")}


# What a process sets of a band, and how it is told.
CHANGES = {
    "item": ('band.SetMetadataItem(f"k{number}", "v")', lambda band, k: band.GetMetadataItem(f"k{k}") == "v"),
    "items": ('band.SetMetadata({f"k{number}": "v"})', lambda band, k: get_items(band) == {f"k{k}": "v"}),
    "statistics": (
        "band.SetStatistics(number, number + 10, number + 5, 1)",
        lambda band, k: band.GetStatistics(False, False) == [k, k + 10, k + 5, 1],
    ),
    "text_as_statistic": (
        'band.SetMetadataItem("STATISTICS_MEAN", f"about {number}")',
        lambda band, k: band.GetMetadataItem("STATISTICS_MEAN") == f"about {k}",
    ),
    "description": ('band.SetDescription(f"n{number}")', lambda band, k: band.GetDescription() == f"n{k}"),
    "categories": (
        'band.SetCategoryNames(["", f"x{number}"])',
        lambda band, k: band.GetCategoryNames() == ["", f"x{k}"],
    ),
    "colour": (
        "band.SetColorInterpretation(gdal.GCI_RedBand + number)",
        lambda band, k: band.GetColorInterpretation() == gdal.GCI_RedBand + k,
    ),
}


@pytest.fixture(params=["ZARR_V1", "ZARR_V2", "ZARR_V3"])
def make(tmp_path, request):
    path = str(tmp_path / "a.zarr")

    def make_raster(bands):
        if os.path.exists(path):
            shutil.rmtree(path)
        options = [f"FORMAT={request.param}"]
        gdal.GetDriverByName("Zarr").Create(path, 8, 8, bands, gdal.GDT_Byte, options).FlushCache()
        return path

    return make_raster


def open_update(path):
    return gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)


def call(code, dataset, band, number):
    exec(code, {"gdal": gdal, "band": dataset.GetRasterBand(band), "number": number})


@pytest.mark.parametrize("what", CHANGES)
def test_processes_that_change_different_bands_keep_all(make, team, what):
    code, is_told = CHANGES[what]
    for _ in range(ROUNDS):
        path = make(4)
        team.run("calls", path, code="band = dataset.GetRasterBand(number + 1)\n" + code)
        dataset = gdal.Open(path)
        assert all(is_told(dataset.GetRasterBand(k + 1), k) for k in range(4))


@pytest.mark.parametrize("bands", [1, 3])
def test_processes_that_set_items_of_one_band_keep_all(make, team, bands):
    for _ in range(ROUNDS):
        path = make(bands)
        team.run("calls", path, code=f"band = dataset.GetRasterBand({bands})\n" + CHANGES["item"][0])
        assert get_items(gdal.Open(path).GetRasterBand(bands)) == {f"k{k}": "v" for k in range(4)}


@pytest.mark.parametrize("what", CHANGES)
def test_a_handle_keeps_what_another_process_sets_of_a_band(make, other, what):
    code, is_told = CHANGES[what]
    path = make(3)
    dataset = open_update(path)
    dataset.GetRasterBand(2).GetMetadata()
    other(path, "band = dataset.GetRasterBand(1); number = 0\n" + code)
    call(code, dataset, 2, 1)
    dataset.FlushCache()
    dataset = gdal.Open(path)
    assert is_told(dataset.GetRasterBand(1), 0)
    assert is_told(dataset.GetRasterBand(2), 1)


def test_a_handle_that_removes_all_items_keeps_those_of_others(make, other):
    path = make(2)
    dataset = open_update(path)
    for band in (1, 2):
        dataset.GetRasterBand(band).SetMetadata({"a": "1", "b": "2"})
        dataset.GetRasterBand(band).SetStatistics(0, 1, 0.5, 0.25)
    dataset.FlushCache()
    dataset = open_update(path)
    assert len(get_items(dataset.GetRasterBand(1))) == 6
    other(path, "for band in (1, 2): dataset.GetRasterBand(band).SetMetadataItem('c', '3')")
    dataset.GetRasterBand(1).SetMetadata(None)
    dataset.FlushCache()
    dataset = gdal.Open(path)
    assert get_items(dataset.GetRasterBand(1)) == {"c": "3"}
    assert dataset.GetRasterBand(2).GetMetadata().keys() >= {"a", "b", "c", "STATISTICS_MEAN"}


def test_a_handle_that_sets_all_items_changes_those_that_differ(make, other):
    path = make(2)
    dataset = open_update(path)
    dataset.GetRasterBand(2).SetMetadata({"a": "1", "b": "2", "c": "3"})
    dataset.FlushCache()
    dataset = open_update(path)
    items = dataset.GetRasterBand(2).GetMetadata()
    other(path, "dataset.GetRasterBand(2).SetMetadata({'a': '10', 'b': '20', 'd': '4'})")
    items["b"] = "200"
    dataset.GetRasterBand(2).SetMetadata(items)
    dataset.FlushCache()
    assert get_items(gdal.Open(path).GetRasterBand(2)) == {"a": "10", "b": "200", "d": "4"}


def test_a_removed_item_of_the_last_band_leaves_those_of_others(make, other):
    path = make(2)
    dataset = open_update(path)
    dataset.GetRasterBand(1).SetMetadataItem("a", "1")
    dataset.GetRasterBand(1).SetDescription("first")
    dataset.FlushCache()
    dataset = open_update(path)
    other(path, "dataset.GetRasterBand(2).SetDescription('second')")
    dataset.GetRasterBand(1).SetMetadataItem("a", None)
    dataset.GetRasterBand(1).SetDescription("")
    dataset.FlushCache()
    dataset = gdal.Open(path)
    assert [dataset.GetRasterBand(band).GetDescription() for band in (1, 2)] == ["", "second"]
    assert get_items(dataset.GetRasterBand(1)) == {}


def test_a_list_of_the_user_is_changed_as_a_whole(make, other):
    path = make(1)
    dataset = open_update(path)
    dataset.SetMetadataItem("list", "{1,2,3}")
    dataset.FlushCache()
    dataset = open_update(path)
    other(path, "dataset.SetMetadataItem('list', '{7,8,9,10}')")
    dataset.SetMetadataItem("list", "{1,2,4}")
    dataset.FlushCache()
    assert gdal.Open(path).GetMetadataItem("list") == "{1,2,4}"


def test_an_item_is_set_though_it_was_the_one_before(make, other):
    path = make(1)
    dataset = open_update(path)
    dataset.SetMetadataItem("item", "old")
    dataset.GetRasterBand(1).SetMetadataItem("item", "old")
    dataset.FlushCache()
    dataset = open_update(path)
    other(path, "dataset.SetMetadataItem('item', 'new'); dataset.GetRasterBand(1).SetMetadataItem('item', 'new')")
    dataset.SetMetadataItem("item", "old")
    dataset.GetRasterBand(1).SetMetadataItem("item", "old")
    dataset.FlushCache()
    dataset = gdal.Open(path)
    assert dataset.GetMetadataItem("item") == "old"
    assert dataset.GetRasterBand(1).GetMetadataItem("item") == "old"
