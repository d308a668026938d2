# SPDX-License-Identifier: MIT
"""Alpha bands next to bands with what an array has once for all its bands: a colour table, a scale and an offset."""

import itertools

import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array

VERSIONS = pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
COLORS = gdal.ColorTable()
COLORS.SetColorEntry(1, (1, 2, 3, 255))


def show(dataset):
    bands = [dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount)]
    names = [gdal.GetColorInterpretationName(band.GetColorInterpretation()) for band in bands]
    table = bands[0].GetColorTable()
    return names, table and table.GetColorEntry(1)


EXPECTED = (["Palette", "Alpha"], (1, 2, 3, 255))


@VERSIONS
@pytest.mark.parametrize("order", itertools.permutations(["table", "alpha"]))
@pytest.mark.parametrize("closes", [False, True])
def test_a_table_makes_the_band_a_palette(store, version, order, closes):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, 2, options=[f"FORMAT={version}"])
    with collect_errors() as errors:
        for step in order:
            if step == "table":
                dataset.GetRasterBand(1).SetColorTable(COLORS)
            else:
                dataset.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
            if closes:
                dataset = None
                dataset = gdal.Open(store, gdal.GA_Update)
        assert show(dataset) == EXPECTED
        dataset = None
    assert show(gdal.Open(store)) == EXPECTED
    # A table that is set before there is an alpha band is that of all bands.
    assert errors == [] or (closes and order[0] == "table" and "is that of all" in errors[0][1])


def make_paletted():
    source = gdal.GetDriverByName("MEM").Create("", 4, 4, 2)
    source.GetRasterBand(1).SetColorTable(COLORS)
    source.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
    return source


@VERSIONS
def test_a_copy_keeps_the_table_next_to_an_alpha_band(store, version):
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, make_paletted(), 1, [f"FORMAT={version}"])
        gdal.GetDriverByName("Zarr").CreateCopy(f"{store}.zarr", gdal.Open(store), 1)
    assert errors == []
    assert show(gdal.Open(store)) == EXPECTED and show(gdal.Open(f"{store}.zarr")) == EXPECTED
    colored = gdal.Translate("", store, options="-of MEM -expand rgba -b 1")
    assert colored.RasterCount == 4


@VERSIONS
def test_a_table_of_one_of_two_plain_bands_is_still_left_out(store, version):
    source = make_paletted()
    source.GetRasterBand(2).SetColorInterpretation(gdal.GCI_Undefined)
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, 0, [f"FORMAT={version}"])
    assert "colour table" in errors[0][1]


def warp(store, source, version):
    with collect_errors() as errors:
        options = [f"FORMAT={version}"]
        gdal.Warp(store, source, format="Zarr", dstAlpha=True, dstSRS="EPSG:4326", creationOptions=options)
    return [text for _, text in errors]


def make_place(bands, **files):
    source = gdal.GetDriverByName("GTiff" if files else "MEM").Create(files.get("path", ""), 4, 4, bands)
    source.SetGeoTransform((10, 1, 0, 50, 0, -1))
    source.SetProjection("EPSG:4326")
    return source


@VERSIONS
def test_warping_with_alpha_keeps_the_palette(store, version):
    source = make_place(1)
    source.GetRasterBand(1).SetColorTable(COLORS)
    assert warp(store, source, version) == []
    assert show(gdal.Open(store)) == EXPECTED


@VERSIONS
@pytest.mark.parametrize("scale, offset", [(1, 0), (2, 0), (1, 5)])
def test_warping_with_alpha_warns_only_of_numbers_that_change_values(store, tmp_path, version, scale, offset):
    source = make_place(3, path=str(tmp_path / "a.tif"))
    for band in (1, 2, 3):
        source.GetRasterBand(band).SetScale(scale)
        source.GetRasterBand(band).SetOffset(offset)
    source = None
    errors = warp(store, str(tmp_path / "a.tif"), version)
    assert ["through 3 of 4 bands" in text for text in errors] == [True] * ((scale != 1) + (offset != 0))
    array = open_array(store, "test")
    assert (array.GetScale(), array.GetOffset()) == (scale if scale != 1 else None, offset if offset != 0 else None)


def test_a_scale_of_one_replaces_another(store):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 4, 1)
    dataset.GetRasterBand(1).SetScale(2)
    dataset.GetRasterBand(1).SetOffset(5)
    dataset = None
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetScale(1)
    dataset.GetRasterBand(1).SetOffset(0)
    dataset = None
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert (band.GetScale() or 1, band.GetOffset() or 0) == (1, 0)


@VERSIONS
@pytest.mark.parametrize("names", [["Alpha", "Palette"], ["Palette", "Alpha"], ["Alpha", "Palette", "Palette"]])
def test_a_table_is_copied_wherever_the_alpha_band_is(store, version, names):
    source = gdal.GetDriverByName("MEM").Create("", 4, 4, len(names))
    for i, name in enumerate(names):
        band = source.GetRasterBand(i + 1)
        band.SetColorInterpretation(gdal.GCI_AlphaBand if name == "Alpha" else gdal.GCI_PaletteIndex)
        if name == "Palette":
            band.SetColorTable(COLORS)
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={version}"])
        assert show(gdal.Open(store)) == (names, (1, 2, 3, 255))
    assert errors == []
