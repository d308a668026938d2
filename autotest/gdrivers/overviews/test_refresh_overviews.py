# SPDX-License-Identifier: MIT
"""Overviews are built where some exist: levels are added or refreshed, and other arrays have pyramids."""

import glob
import json
import os
import shutil

import numpy as np
import pytest
from conventions import MULTISCALES
from osgeo import gdal
from plugin_in_use import run_program
from pyramids import (
    FORMATS,
    HEIGHT,
    METHODS,
    WIDTH,
    check_levels,
    compute_levels,
    create_store,
    halve,
    list_assets,
    list_sizes,
    make_image,
    read_attributes,
    read_levels,
)
from stores import write_v3, write_v3_group


# --- several calls ----------------------------------------------------------------------------------------------


def test_levels_are_added(store):
    data = make_image()
    dataset = create_store(store, data)
    dataset.BuildOverviews("NEAREST", [4])
    assert list_assets(store) == [("a", None), ("ovr_4x", "a")]
    dataset.BuildOverviews("AVERAGE", [2])
    dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [8])
    assert list_sizes(dataset) == [(102, 76), (51, 38), (26, 19)]
    assert list_assets(store) == [("a", None), ("ovr_2x", "a"), ("ovr_4x", "a"), ("ovr_8x", "a")]
    np.testing.assert_array_equal(read_levels(dataset)[0], halve(data, "AVERAGE"))


@pytest.mark.parametrize("format", FORMATS)
def test_levels_are_refreshed(store, format):
    data = make_image()
    dataset = create_store(store, data, format=format)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    band = dataset.GetRasterBand(1).GetOverview(0)  # the old one, with blocks in GDAL's cache
    np.testing.assert_array_equal(band.ReadAsArray(), halve(data, "AVERAGE")[0])
    other = make_image(seed=5)
    dataset.GetRasterBand(1).WriteArray(other[0])
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, compute_levels(other, "AVERAGE", 2))
    np.testing.assert_array_equal(band.ReadAsArray(), halve(other, "AVERAGE")[0])
    dataset = band = None
    check_levels(gdal.Open(store), compute_levels(other, "AVERAGE", 2))


def test_blocks_that_wait_are_part_of_the_levels(store):
    data = make_image()
    dataset = create_store(store, data)
    data[0, 3:9, 5:99] = 111
    block = dataset.GetRasterBand(1).ReadRaster(0, 0, 48, 32)
    assert block
    dataset.WriteRaster(5, 3, 94, 6, data[0, 3:9, 5:99].tobytes())
    dataset.BuildOverviews("NEAREST", [2])
    check_levels(dataset, [halve(data, "NEAREST")])


def write_alpha(dataset, band, size, at):
    values = np.where(np.random.default_rng(size).random((size, size)) < 0.4, 0, 255)
    dataset.GetRasterBand(band).WriteArray(values.astype("u1"), at, at)


def check_refreshed(store, method, write):
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.BuildOverviews(method, [2, 4])
    dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
    write(dataset)
    dataset = None
    refreshed = read_levels(gdal.Open(store))
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.BuildOverviews(method, [2, 4])
    check_levels(dataset, refreshed)


@pytest.mark.parametrize("bands", [2, 4])
@pytest.mark.parametrize("method", METHODS)
def test_levels_of_all_bands_follow_a_changed_alpha_band(store, method, bands):
    """GDAL only counts those pixels of the other bands that are opaque."""
    dataset = create_store(store, make_image(bands), "BLOCKSIZE=1,32,32")
    dataset.GetRasterBand(bands).SetColorInterpretation(gdal.GCI_AlphaBand)
    write_alpha(dataset, bands, 151, 0)
    dataset = None
    check_refreshed(store, method, lambda dataset: write_alpha(dataset, bands, 40, 30))


@pytest.mark.parametrize("before, after", [(gdal.GCI_Undefined, gdal.GCI_AlphaBand), (gdal.GCI_AlphaBand, gdal.GCI_Undefined)])
def test_levels_follow_a_band_that_becomes_alpha_or_ceases_to_be(store, before, after):
    dataset = create_store(store, make_image(2), "BLOCKSIZE=1,32,32")
    dataset.GetRasterBand(2).SetColorInterpretation(before)
    write_alpha(dataset, 2, 151, 0)
    dataset = None
    check_refreshed(store, "AVERAGE", lambda dataset: dataset.GetRasterBand(2).SetColorInterpretation(after))


@pytest.mark.parametrize("method", METHODS)
def test_levels_of_all_bands_follow_one_if_all_tell_the_nodata_pixels(store, method):
    dataset = create_store(store, make_image(2), "BLOCKSIZE=1,32,32")
    dataset.SetMetadataItem("NODATA_VALUES", "0 0")
    write_alpha(dataset, 2, 90, 0)
    dataset = None
    check_refreshed(store, method, lambda dataset: write_alpha(dataset, 1, 60, 10))


def test_nodata_that_has_changed_is_that_of_refreshed_levels(store):
    dataset = create_store(store, make_image(), nodata=0)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset.BuildOverviews("AVERAGE", [2])
    np.testing.assert_array_equal(read_levels(dataset)[0], halve(make_image(), "AVERAGE", nodata=7))
    assert dataset.GetRasterBand(1).GetOverview(0).GetNoDataValue() == 7
    dataset = None
    assert gdal.Open(store).GetRasterBand(1).GetOverview(0).GetNoDataValue() == 7


def test_some_bands_are_refreshed(store):
    """gdaladdo can choose bands; the bindings always ask for all."""
    data, other = make_image(bands=3), make_image(bands=3, seed=4)

    def add(*options):
        return run_program(["gdaladdo", "-q", *options, store, "2"], capture_output=True, text=True)

    create_store(store, data).FlushCache()
    result = add("-b", "2")
    assert result.returncode != 0 and "some of the bands were left out" in result.stderr
    assert list_sizes(gdal.Open(store)) == []
    assert add().returncode == 0
    gdal.OpenEx(store, gdal.OF_UPDATE).WriteArray(other)
    assert add("-b", "2").returncode == 0
    before, after = halve(data, "NEAREST"), halve(other, "NEAREST")
    np.testing.assert_array_equal(read_levels(gdal.Open(store))[0], [before[0], after[1], before[2]])


def test_some_bands_are_not_refreshed_once_nodata_has_changed(store):
    """The levels would have to be made anew, without the other bands."""
    dataset = create_store(store, make_image(bands=2), nodata=0)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset = None
    before = read_levels(gdal.Open(store))
    result = run_program(["gdaladdo", "-q", "-b", "1", store, "2"], capture_output=True, text=True)
    assert result.returncode != 0 and "some of the bands were left out" in result.stderr
    np.testing.assert_array_equal(read_levels(gdal.Open(store)), before)


def test_a_band_is_regenerated_by_the_caller(store):
    """From 3.8 on, GDAL's programs refresh parts of levels in this way."""
    data = make_image()
    dataset = create_store(store, data)
    dataset.BuildOverviews("NEAREST", [2])
    band = dataset.GetRasterBand(1)
    assert gdal.RegenerateOverview(band, band.GetOverview(0), "AVERAGE") == gdal.CE_None
    check_levels(dataset, [halve(data, "AVERAGE")])
    dataset = band = None
    check_levels(gdal.Open(store), [halve(data, "AVERAGE")])


def test_overview_bands_can_be_written_to(store):
    """Some programs compute levels, or parts of them, themselves."""
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("NEAREST", [2])
    band = dataset.GetRasterBand(1).GetOverview(0)
    expected = band.ReadAsArray()
    expected[10:30, 20:70] = 99
    assert band.WriteArray(expected[10:30, 20:70], 20, 10) == gdal.CE_None
    dataset = band = None
    np.testing.assert_array_equal(read_levels(gdal.Open(store))[0][0], expected)


# --- several arrays ---------------------------------------------------------------------------------------------


def add_array(store, data, name, format):
    create_options = [f"FORMAT={format}", f"ARRAY_NAME={name}", "APPEND_SUBDATASET=YES", "BLOCKSIZE=32,32"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, WIDTH, HEIGHT, len(data), gdal.GDT_Byte, create_options)
    dataset.WriteArray(data)
    return dataset


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("reopened", [True, False])
def test_two_arrays_of_a_group_have_their_own_levels(store, format, reopened):
    first, second = make_image(), make_image(seed=3)
    dataset = create_store(store, first, format=format)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    other = add_array(store, second, "b", format)
    assert list_sizes(other) == []
    if reopened:
        other = None
        other = gdal.OpenEx(f'ZARR:"{store}":/b', gdal.OF_UPDATE)
    other.BuildOverviews("NEAREST", [2, 4, 8])
    check_levels(other, compute_levels(second, "NEAREST", 3))
    other = None
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE)
    check_levels(dataset, compute_levels(first, "AVERAGE", 2))
    dataset.BuildOverviews("NEAREST", [2])
    check_levels(dataset, [halve(first, "NEAREST"), compute_levels(first, "AVERAGE", 2)[1]])
    dataset = None
    check_levels(gdal.Open(f'ZARR:"{store}":/b'), compute_levels(second, "NEAREST", 3))
    pyramid_of_b = [("b", None), ("ovr_2x/b", "b"), ("ovr_4x/b", "ovr_2x/b"), ("ovr_8x/b", "ovr_4x/b")]
    assert list_assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a"), *pyramid_of_b]

    for name in "ab":
        dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE)
        assert dataset.BuildOverviews("", []) == gdal.CE_None
        assert list_sizes(dataset) == []
        dataset = None
        assert not glob.glob(f"{store}/ovr_*/{name}")
        if name == "a":
            check_levels(gdal.Open(f'ZARR:"{store}":/b'), compute_levels(second, "NEAREST", 3))
            assert list_assets(store) == [("b", None), ("ovr_2x", "b"), ("ovr_4x", "ovr_2x"), ("ovr_8x", "ovr_4x")]
    assert not glob.glob(f"{store}/ovr_*")
    assert read_attributes(store) == {}
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/b').ReadAsArray(), second[0])


def test_smaller_array_beside_is_no_overview(store):
    write_v3_group(store)
    write_v3(f"{store}/a", make_image()[0], [64, 64])
    write_v3(f"{store}/b", make_image()[0, :76, :102], [64, 64])
    for name in "ab":
        gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE).BuildOverviews("NEAREST", [2])
    assert list_sizes(gdal.Open(f'ZARR:"{store}":/a')) == [(102, 76)]
    assert list_sizes(gdal.Open(f'ZARR:"{store}":/b')) == [(51, 38)]
    assert open_level(store, "ovr_2x/a").shape == (76, 102)
    # GDAL's own driver would take /b for a level of /a if the layout had an entry for it.
    assert list_assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_2x/b", "b")]


@pytest.mark.parametrize("convert", [lambda data: data.astype("i2"), lambda data: np.stack([data, data])])
def test_an_array_of_another_kind_is_no_entry_of_the_layout(store, convert):
    """GDAL's own driver would warn of it."""
    write_v3_group(store)
    write_v3(f"{store}/a", make_image()[0], [64, 64])
    write_v3(f"{store}/b", convert(make_image()[0]))
    for name in "ab":
        gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE).BuildOverviews("NEAREST", [2])
    assert list_assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_2x/b", "b")]
    for name in "ab":
        assert list_sizes(gdal.Open(f'ZARR:"{store}":/{name}')) == [(102, 76)]


def test_each_pyramid_begins_with_its_base(store):
    write_v3_group(store)
    for name in "abc":
        write_v3(f"{store}/{name}", make_image()[0], [64, 64])
        gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE).BuildOverviews("NEAREST", [2])
    pyramids = [[(name, None), (f"ovr_2x/{name}", name)] for name in "abc"]
    assert list_assets(store) == sum(pyramids, [])
    gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE).BuildOverviews("", [])
    assert list_assets(store) == sum(pyramids[1:], [])
    for name, sizes in (("a", []), ("b", [(102, 76)]), ("c", [(102, 76)])):
        assert list_sizes(gdal.Open(f'ZARR:"{store}":/{name}')) == sizes


def open_level(store, path):
    return gdal.Open(f'ZARR:"{store}":/{path}').ReadAsArray()


def gdal_layout(*levels):
    items = [{"asset": a} if not f else {"asset": a, "derived_from": f, "transform": {"scale": [2, 2]}} for a, f in levels]
    return {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": items}, "title": "kept"}


def test_pyramid_as_gdal_writes_it_is_extended(store):
    """Its levels are groups, which may hold levels of several arrays."""
    write_v3_group(store, gdal_layout(("a", None), ("ovr_2x", "a")))
    write_v3_group(f"{store}/ovr_2x")
    for name in "ab":
        write_v3(f"{store}/{name}", make_image()[0], [64, 64])
        write_v3(f"{store}/ovr_2x/{name}", np.zeros((76, 102), "u1"), [64, 64])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE)
    assert list_sizes(dataset) == [(102, 76)]
    dataset.BuildOverviews("NEAREST", [2, 4])
    check_levels(dataset, compute_levels(make_image(), "NEAREST", 2))
    dataset = None
    pyramid_of_b = [("b", None), ("ovr_2x/b", "b")]
    assert list_assets(store) == [("a", None), ("ovr_2x/a", "a"), ("ovr_4x/a", "ovr_2x/a"), *pyramid_of_b]
    assert read_attributes(store)["title"] == "kept"
    assert list_sizes(gdal.Open(f'ZARR:"{store}":/b')) == [(102, 76)]
    assert not open_level(store, "ovr_2x/b").any()


def test_levels_of_other_names_are_refreshed_in_their_place(store):
    write_v3_group(store, gdal_layout(("0", None), ("1", None)))
    write_v3(f"{store}/0", make_image()[0], [64, 64])
    write_v3(f"{store}/1", np.zeros((76, 102), "u1"), [64, 64])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/0', gdal.OF_UPDATE)
    dataset.BuildOverviews("AVERAGE", [2, 4])
    check_levels(dataset, compute_levels(make_image(), "AVERAGE", 2))
    dataset = None
    assert list_assets(store) == [("0", None), ("1", "0"), ("ovr_4x/0", "1")]
    with pytest.raises(RuntimeError, match="level of another one's pyramid"):
        gdal.OpenEx(f'ZARR:"{store}":/1', gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2])


def test_pyramid_of_the_group_above_is_neither_removed_nor_hidden(store):
    write_v3_group(store, gdal_layout(("r10", None), ("r20", "r10")))
    for group, data in (("r10", make_image()[0]), ("r20", make_image()[0, ::2, ::2].copy())):
        write_v3_group(f"{store}/{group}")
        write_v3(f"{store}/{group}/a", data, [64, 64])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/r10/a', gdal.OF_UPDATE)
    for factors in ([], [2, 4]):
        with pytest.raises(RuntimeError, match="another program"):
            dataset.BuildOverviews("AVERAGE" if factors else "", factors)
        assert list_sizes(dataset) == [(102, 76)]
    np.testing.assert_array_equal(open_level(store, "r20/a"), make_image()[0, ::2, ::2])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("remains", ["whole group", "levels without coordinates"])
def test_what_a_stopped_process_left_is_replaced(store, format, remains):
    data = make_image()
    dataset = create_store(store, data, format=format)
    dataset.FlushCache()
    kept = shutil.copytree(store, store + ".before")
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    shutil.move(f"{store}/ovr_2x", f"{kept}/ovr_2x")
    document = "zarr.json" if format == "ZARR_V3" else ".zgroup"
    if remains == "levels without coordinates":  # consolidated metadata lack them
        for name in os.listdir(f"{kept}/ovr_2x"):
            if name not in ("a", document):
                shutil.rmtree(f"{kept}/ovr_2x/{name}")
    # While levels are being made, an attribute of their group names them.
    unfinished = {"unfinished_overviews": ["a"]}
    if format == "ZARR_V3":
        unfinished = {"zarr_format": 3, "node_type": "group", "attributes": unfinished}
    with open(f"{kept}/ovr_2x/{document if format == 'ZARR_V3' else '.zattrs'}", "w") as f:
        json.dump(unfinished, f)
    dataset = gdal.OpenEx(kept, gdal.OF_UPDATE)
    assert list_sizes(dataset) == []
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    check_levels(gdal.Open(kept), compute_levels(data, "AVERAGE", 2))
    assert gdal.Open(f'ZARR:"{kept}":/ovr_2x/a').GetGeoTransform()[1] == pytest.approx(2030 / 102)
    gdal.OpenEx(kept, gdal.OF_UPDATE).BuildOverviews("", [])
    assert not glob.glob(f"{kept}/ovr_*")


def test_refreshed_levels_of_a_palette_are_those_that_are_built(store, tmp_path):
    colors = gdal.ColorTable()
    for index, color in enumerate(np.random.default_rng(9).integers(0, 255, (40, 3)).tolist()):
        colors.SetColorEntry(index, (*color, 255))
    data = np.random.default_rng(3).integers(0, 40, (128, 128)).astype("u1")

    def make(path):
        dataset = gdal.GetDriverByName("Zarr").Create(path, 128, 128, 1, gdal.GDT_Byte, ["BLOCKSIZE=64,64"])
        band = dataset.GetRasterBand(1)
        band.SetColorTable(colors)
        band.SetColorInterpretation(gdal.GCI_PaletteIndex)
        band.WriteArray(data)
        dataset.BuildOverviews("AVERAGE", [2, 4])

    make(store)
    data[20:50, 30:71] = np.random.default_rng(5).integers(0, 40, (30, 41))
    refreshing = gdal.OpenEx(store, gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
    refreshing.WriteArray(data[20:50, 30:71], 30, 20)
    del refreshing
    anew = str(tmp_path / "anew.zarr")
    make(anew)
    for level, expected in zip(read_levels(gdal.Open(store)), read_levels(gdal.Open(anew))):
        np.testing.assert_array_equal(level, expected)
