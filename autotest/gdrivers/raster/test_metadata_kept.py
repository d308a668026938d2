# SPDX-License-Identifier: MIT
"""Metadata and values of bands that are set again, or stand in a side file already."""

import os

import pytest
from osgeo import gdal


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
