# SPDX-License-Identifier: MIT
"""Metadata and values of bands that are set again, or stand in a side file already."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v3


@pytest.fixture(params=["ZARR_V1", "ZARR_V2", "ZARR_V3"])
def raster(store, request):
    gdal.GetDriverByName("Zarr").Create(store, 2, 2, 1, gdal.GDT_Byte, [f"FORMAT={request.param}"])
    return store


def test_items_of_the_side_file_move_into_the_store(raster, side_files):
    dataset = gdal.Open(raster)
    dataset.SetMetadataItem("A", "1")
    dataset = None
    dataset = gdal.Open(raster, gdal.GA_Update)
    dataset.SetMetadata({**dataset.GetMetadata(), "B": "2"})
    dataset = None
    metadata = gdal.Open(raster).GetMetadata()
    assert (metadata["A"], metadata["B"]) == ("1", "2")


def test_case_counts(raster):
    for value in ("abc", "ABC"):
        dataset = gdal.Open(raster, gdal.GA_Update)
        dataset.SetMetadata({"A": value})
        dataset = None
    assert gdal.Open(raster).GetMetadataItem("A") == "ABC"


@pytest.mark.parametrize(
    "change, ask, values",
    [
        ("SetUnitType", "GetUnitType", ("m", "ft")),
        ("SetScale", "GetScale", (2, 3)),
        ("SetOffset", "GetOffset", (4, 5)),
    ],
)
def test_the_last_setting_holds(raster, change, ask, values):
    first, second = (gdal.Open(raster, gdal.GA_Update) for _ in range(2))
    for dataset, value in ((first, values[0]), (second, values[1]), (first, values[0])):
        getattr(dataset.GetRasterBand(1), change)(value)
        dataset.FlushCache()
    first = second = None
    dataset = gdal.Open(raster)
    assert getattr(dataset.GetRasterBand(1), ask)() == values[0]


def test_the_progress_function_cannot_change_the_overviews(raster):
    name = raster
    if os.path.exists(f"{raster}/meta"):
        return  # v1 has no overviews
    errors = []

    def progress(*_):
        other = gdal.Open(name, gdal.GA_Update)
        try:
            other.BuildOverviews("NEAREST", [4])
        except RuntimeError as error:
            errors.append(str(error))
        return 1

    dataset = gdal.Open(name, gdal.GA_Update)
    dataset.BuildOverviews("NEAREST", [2], callback=progress)
    assert errors and all("the function that is told the progress cannot change the overviews" in e for e in errors)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 1


# Names and colours of values are shown by functions of bands and as items of the dataset.
FLAGS = {"flag_values": [0, 2], "flag_meanings": "water land", "flag_colors": "#0000ff #00ff00"}
TEXTS = {"flag_values": "{0,2}", "flag_meanings": "water land", "flag_colors": "#0000ff #00ff00"}


def read_colors(dataset):
    table = dataset.GetRasterBand(1).GetColorTable()
    return [table.GetColorEntry(i) for i in range(table.GetCount())] if table else None


def get_flags(store):
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    return band.GetCategoryNames(), band.GetColorTable().GetColorEntry(2) if band.GetColorTable() else None


@pytest.mark.parametrize("shape", [(2, 3), (3, 2, 3)])
@pytest.mark.parametrize("metadata", [{}, {"a": "c"}, {"flag_meanings": "water land"}])
@pytest.mark.parametrize("asks_before", [False, True])
def test_items_that_are_set_remove_no_categories(store, shape, metadata, asks_before):
    write_v3(store, np.zeros(shape, "u1"), attributes={"a": "b", **FLAGS})
    dataset = gdal.Open(store, gdal.GA_Update)
    if asks_before:
        assert dataset.GetRasterBand(1).GetCategoryNames() == ["water", "", "land"]
    dataset.SetMetadata(metadata)
    for _ in range(2):
        assert dataset.GetMetadata() == {**TEXTS, **metadata}
        dataset = None
        dataset = gdal.Open(store)
    assert get_flags(store) == (["water", "", "land"], (0, 255, 0, 255))


def test_masks_stay_as_well(store):
    write_v3(store, np.zeros((2, 3), "u1"), attributes={"flag_masks": [1, 2], "flag_meanings": "a b"})
    gdal.Open(store, gdal.GA_Update).SetMetadata({"c": "d"})
    assert get_flags(store)[0] == ["", "a", "b"]


def test_flags_that_name_nothing_are_items_like_others(store):
    write_v3(store, np.zeros((2, 3), "f4"), attributes=FLAGS)
    gdal.Open(store, gdal.GA_Update).SetMetadata({"c": "d"})
    assert gdal.Open(store).GetMetadata() == {"c": "d"}


def test_categories_are_removed_by_their_function_or_item(store):
    write_v3(store, np.zeros((2, 3), "u1"), attributes={"a": "b", **FLAGS})
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.SetMetadataItem("flag_colors", None)
    dataset.GetRasterBand(1).SetCategoryNames(["x", "y"])
    assert dataset.GetMetadata() == {"a": "b", "flag_values": "{0,1}", "flag_meanings": "x y"}
    dataset.SetMetadata({})
    dataset.FlushCache()
    assert get_flags(store) == (["x", "y"], None)
    dataset.GetRasterBand(1).SetCategoryNames([])
    dataset.SetMetadata({"c": "d", **dataset.GetMetadata()})
    dataset = None
    assert gdal.Open(store).GetMetadata() == {"c": "d"}
    assert get_flags(store) == (None, None)


def test_the_names_of_one_band_are_not_those_of_others(store):
    write_v3(store, np.zeros((3, 2, 2), "u1"), attributes=FLAGS)
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetCategoryNames(["x", "y"])
    dataset = None
    dataset = gdal.Open(store)
    assert [dataset.GetRasterBand(i).GetCategoryNames() for i in (1, 2, 3)] == [["x", "y"], *[["water", "", "land"]] * 2]


@pytest.mark.parametrize("names", [["x", "y"], ["with space", "y"]])
def test_new_names_take_the_place_of_masks(store, names):
    write_v3(store, np.zeros((2, 2), "u1"), attributes={"flag_masks": [1, 2, 4], "flag_meanings": "red green blue"})
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetCategoryNames(names)
    dataset = None
    assert get_flags(store)[0] == names
    assert "flag_masks" not in gdal.Open(store).GetMetadata()


@pytest.mark.parametrize("dtype", ["u1", "f4"])
def test_one_band_has_no_names_any_more(store, dtype):
    write_v3(store, np.zeros((3, 2, 2), dtype), attributes=FLAGS)
    for removed in (1, 3):
        dataset = gdal.Open(store, gdal.GA_Update)
        assert dataset.GetRasterBand(removed).SetCategoryNames([]) == gdal.CE_None
        assert dataset.GetRasterBand(removed).GetCategoryNames() is None
        dataset = None
    dataset = gdal.Open(store)
    names = [dataset.GetRasterBand(i).GetCategoryNames() for i in (1, 2, 3)]
    assert names == [None, ["water", "", "land"] if dtype == "u1" else None, None]


def get_attributes(store):
    with open(f"{store}/zarr.json") as file:
        return json.load(file)["attributes"]


@pytest.mark.parametrize("names", [["a", "b", "c"], ["a", "b"], ["with space", "b"], []])
def test_colors_do_not_depend_on_the_names(store, names):
    """As many colours as flags are expected, so that those of other flags are moved to a colour table."""
    write_v3(store, np.zeros((2, 2), "u1"), attributes=FLAGS)
    dataset = gdal.Open(store, gdal.GA_Update)
    colors = read_colors(dataset)
    dataset.GetRasterBand(1).SetCategoryNames(names)
    assert (read_colors(dataset), dataset.GetMetadataItem("flag_colors")) == (colors, None)
    dataset = None
    with collect_errors() as errors:
        dataset = gdal.Open(store)
    assert (errors, read_colors(dataset), dataset.GetRasterBand(1).GetCategoryNames()) == ([], colors, names or None)
    assert "flag_colors" not in get_attributes(store)


def test_colors_of_flags_stay_with_other_names_of_the_same(store):
    write_v3(store, np.zeros((2, 2), "u1"), attributes=FLAGS)
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetCategoryNames(["sea", "", "land"])
    dataset = None
    assert get_attributes(store) == {**FLAGS, "flag_meanings": "sea land"}


def test_colors_that_are_stored_in_two_ways_are_those_of_the_table(store):
    write_v3(store, np.zeros((2, 2), "u1"), attributes={**FLAGS, "COLOR_TABLE": [[1, 2, 3]]})
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetCategoryNames(["a", "b", "c"])
    dataset = None
    kept = {"flag_values": [0, 1, 2], "flag_meanings": "a b c", "COLOR_TABLE": [[1, 2, 3]]}
    assert get_attributes(store) == kept
