# SPDX-License-Identifier: MIT
"""Colour interpretation, colour tables and categories."""

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3

DATA = np.zeros((2, 3), "u1")


def open_store(store, attributes, data=DATA):
    write_v3(store, data, attributes=attributes)
    return gdal.Open(store)


def colors(band):
    table = band.GetColorTable()
    return [table.GetColorEntry(i) for i in range(table.GetCount())] if table else None


def test_one_band_has_an_interpretation(store):
    dataset = open_store(store, {"COLOR_INTERPRETATION": "Gray"})
    band = dataset.GetRasterBand(1)
    assert band.GetColorInterpretation() == gdal.GCI_GrayIndex
    assert dataset.GetMetadataItem("COLOR_INTERPRETATION") is None


def test_each_band_has_an_interpretation(store):
    data = np.zeros((4, 2, 3), "u1")
    write_v3(store, data, attributes={"COLOR_INTERPRETATION": ["Red", "Green", 5]})
    dataset = gdal.Open(store)
    interpretations = [dataset.GetRasterBand(i).GetColorInterpretation() for i in (1, 2, 3, 4)]
    assert interpretations == [gdal.GCI_RedBand, gdal.GCI_GreenBand, gdal.GCI_Undefined, gdal.GCI_Undefined]


def test_a_color_table_is_read(store):
    dataset = open_store(store, {"COLOR_TABLE": [[0, 0, 0], [255, 128, 0, 64], "?", [1, 2, 3]]})
    band = dataset.GetRasterBand(1)
    assert band.GetColorInterpretation() == gdal.GCI_PaletteIndex
    assert colors(band) == [(0, 0, 0, 255), (255, 128, 0, 64), (0, 0, 0, 0), (1, 2, 3, 255)]


@pytest.mark.parametrize("text", ["#ff0000 #00FF00 #0000ff", ["ff0000", "#00ff00", "#0000FFFF"]])
def test_flag_colors_are_a_color_table(store, text):
    dataset = open_store(store, {"flag_values": [0, 2, 3], "flag_meanings": "sea ice land", "flag_colors": text})
    band = dataset.GetRasterBand(1)
    assert colors(band) == [(255, 0, 0, 255), (0, 0, 0, 0), (0, 255, 0, 255), (0, 0, 255, 255)]
    assert band.GetCategoryNames() == ["sea", "", "ice", "land"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"COLOR_TABLE": "red"},
        {"COLOR_TABLE": []},
        {"COLOR_TABLE": [[0, 0, 256], [0, 0], [-1, 0, 0]]},
        {"flag_values": [0, 1], "flag_colors": "#ff0000"},
        {"flag_values": [0, 1], "flag_colors": "red blue"},
        {"flag_values": [-1], "flag_colors": "#ff0000"},
        {"flag_colors": "#ff0000"},
    ],
)
def test_a_wrong_color_table_is_ignored(store, attributes):
    dataset = open_store(store, attributes)
    band = dataset.GetRasterBand(1)
    assert colors(band) is None
    assert band.GetColorInterpretation() == gdal.GCI_Undefined


def test_flags_of_numbers_with_fractions_are_no_colors(store):
    dataset = open_store(store, {"flag_values": [1], "flag_colors": "#010203"}, DATA.astype("<f4"))
    assert colors(dataset.GetRasterBand(1)) is None


def test_interpretation_goes_before_the_color_table(store):
    dataset = open_store(store, {"COLOR_TABLE": [[0, 0, 0]], "COLOR_INTERPRETATION": "Gray"})
    band = dataset.GetRasterBand(1)
    assert band.GetColorInterpretation() == gdal.GCI_GrayIndex


def test_masks_of_one_bit_are_categories(store):
    dataset = open_store(store, {"flag_masks": [1, 2, 4], "flag_meanings": "cloud snow water"})
    band = dataset.GetRasterBand(1)
    assert band.GetCategoryNames() == ["", "cloud", "snow", "", "water"]


@pytest.mark.parametrize(
    "masks, values, names",
    [
        ([1, 2, 6], None, None),  # a mask of two bits is a field of its own
        ([3, 3, 3], [0, 1, 2], ["a", "b", "c"]),  # one field
        ([1, 6, 6], [1, 2, 4], None),  # two fields
        ([0, 1, 2], None, None),
    ],
)
def test_masks_of_fields_give_names_only_if_they_are_one_field(store, masks, values, names):
    attributes = {"flag_masks": masks, "flag_meanings": "a b c"}
    if values:
        attributes["flag_values"] = values
    dataset = open_store(store, attributes)
    band = dataset.GetRasterBand(1)
    assert band.GetCategoryNames() == names
    assert dataset.GetMetadataItem("flag_meanings") == "a b c"


@pytest.mark.parametrize("copies", [False, True])
def test_numbers_that_are_no_integers_keep_their_colors(store, copies):
    source = gdal.GetDriverByName("MEM").Create("", 3, 2, 1, gdal.GDT_Float32)
    table = gdal.ColorTable()
    table.SetColorEntry(1, (255, 128, 0, 255))
    if copies:
        source.GetRasterBand(1).SetColorTable(table)
        gdal.GetDriverByName("Zarr").CreateCopy(store, source)
    else:
        dataset = gdal.GetDriverByName("Zarr").Create(store, 3, 2, 1, gdal.GDT_Float32)
        dataset.GetRasterBand(1).SetColorTable(table)
        assert colors(dataset.GetRasterBand(1))[1] == (255, 128, 0, 255)
        del dataset
    dataset = gdal.Open(store)
    assert colors(dataset.GetRasterBand(1))[1] == (255, 128, 0, 255)


@pytest.mark.parametrize("new", [None, gdal.ColorTable()])
def test_colors_of_flags_can_be_removed(store, new):
    open_store(store, {"flag_values": [0, 1], "flag_meanings": "a b", "flag_colors": "#ff0000 #00ff00"})
    dataset = gdal.Open(store, gdal.GA_Update)
    assert colors(dataset.GetRasterBand(1))
    dataset.GetRasterBand(1).SetColorTable(new)
    assert not colors(dataset.GetRasterBand(1)) and dataset.GetMetadataItem("flag_colors") is None
    dataset = None
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert not colors(band) and band.GetCategoryNames() == ["a", "b"]
