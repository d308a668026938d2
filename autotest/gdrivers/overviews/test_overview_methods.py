# SPDX-License-Identifier: MIT
"""Bands of overviews tell the resampling method in the layout, as in GDAL's other formats."""

import json

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import run_program
from pyramids import FORMATS, check_levels, compute_levels, create_store, make_image, read_attributes, read_levels
from stale_pyramids import get_stale


def list_methods(dataset, band=1):
    base = dataset.GetRasterBand(band)
    return [base.GetOverview(i).GetMetadataItem("RESAMPLING") for i in range(base.GetOverviewCount())]


def change_multiscales(store, change):
    document = json.load(open(f"{store}/zarr.json"))
    change(document["attributes"]["multiscales"])
    document.pop("consolidated_metadata", None)
    json.dump(document, open(f"{store}/zarr.json", "w"))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("given, told", [("near", "NEAREST"), ("average", "AVERAGE"), ("CUBIC", "CUBIC"), ("NONE", None)])
def test_overviews_tell_their_method(store, format, given, told):
    dataset = create_store(store, make_image(bands=2), format=format)
    dataset.BuildOverviews(given, [2, 4])
    for _ in range(2):
        assert [list_methods(dataset, band) for band in (1, 2)] == [[told] * 2] * 2
        expected = {"RESAMPLING": told} if told else {}
        assert dataset.GetRasterBand(2).GetOverview(1).GetMetadata() == expected
        assert dataset.GetRasterBand(2).GetMetadata() == {}
        dataset = None
        dataset = gdal.Open(store)


def test_levels_that_are_made_again_tell_the_new_method(store):
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("AVERAGE", [2, 4])
    assert list_methods(dataset) == ["AVERAGE", "AVERAGE"]
    dataset.BuildOverviews("MODE", [4])
    assert list_methods(dataset) == ["AVERAGE", "MODE"]


def test_levels_that_are_there_stay_as_they_are_if_none_are_computed(store):
    """As in GeoTIFF. Those that are stale stay so."""
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("AVERAGE", [2])
    before = read_levels(dataset)
    dataset.WriteRaster(10, 20, 30, 40, bytes(1200))
    dataset.BuildOverviews("NONE", [2, 4])
    dataset = None
    assert get_stale(store) == "20:60,10:40"
    dataset = gdal.Open(store)
    assert list_methods(dataset) == ["AVERAGE", None]
    np.testing.assert_array_equal(read_levels(dataset)[0], before[0])


def test_the_method_of_all_levels_is_that_of_each(store):
    create_store(store, make_image()).BuildOverviews("AVERAGE", [2, 4])

    def tell_once(multiscales):
        multiscales["resampling_method"] = "bilinear"
        del multiscales["layout"][1]["resampling_method"]

    change_multiscales(store, tell_once)
    assert list_methods(gdal.Open(store)) == ["BILINEAR", "AVERAGE"]


@pytest.mark.parametrize("method", ["mean of the valid pixels", 7, None])
def test_a_method_that_gdal_does_not_know_is_not_told(store, method):
    create_store(store, make_image()).BuildOverviews("AVERAGE", [2])
    change_multiscales(store, lambda multiscales: multiscales["layout"][1].update(resampling_method=method))
    assert list_methods(gdal.Open(store)) == [None]


def test_other_metadata_of_a_level_do_not_touch_its_method(store):
    dataset = create_store(store, make_image())
    dataset.BuildOverviews("AVERAGE", [2])
    level = dataset.GetRasterBand(1).GetOverview(0)
    level.SetMetadata({"a": "b", **level.GetMetadata()})
    assert level.GetMetadata() == {"a": "b", "RESAMPLING": "AVERAGE"}
    level.SetMetadata({"a": "c"})
    assert level.GetMetadata() == {"a": "c", "RESAMPLING": "AVERAGE"}
    level = dataset = None
    assert read_attributes(f"{store}/ovr_2x/a")["gdal:bands"] == [{"metadata": {"a": "c"}}]
    assert gdal.Open(store).GetRasterBand(1).GetOverview(0).GetMetadata() == {"a": "c", "RESAMPLING": "AVERAGE"}


@pytest.mark.skipif(int(gdal.VersionInfo()) < 3090000, reason="needs GDAL 3.9 or later")
def test_gdaladdo_uses_the_method_again(store):
    data = make_image()
    dataset = create_store(store, data)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset.GetRasterBand(1).GetOverview(0).Fill(0)
    dataset = None
    result = run_program(["gdaladdo", "-q", store], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    check_levels(gdal.Open(store), compute_levels(data, "AVERAGE", 1))
