# SPDX-License-Identifier: MIT
"""A product with the structure of Sentinel-2's: the right place and the right pyramid for each band."""

import numpy as np
import pytest
import sentinel2
from conventions import read_code
from errors import collect_errors
from osgeo import gdal
from sentinel2 import EXTENT, FIRST_LEVELS, LEVELS, NORTH, REFLECTANCE, WEST


@pytest.fixture
def product(store):
    sentinel2.write_product(store)
    return store


def open_array(product, path):
    with collect_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{product}":/{path}')
        dataset.GetRasterBand(1).GetOverviewCount()
    assert errors == []
    return dataset


def test_a_product_lists_its_bands(product):
    names = [name.split(":")[-1] for name, _ in gdal.Open(product).GetSubDatasets()]
    bands = [f"/{REFLECTANCE}/{level}/{band}" for band in FIRST_LEVELS for level in sentinel2.list_levels(band)]
    assert sorted(names) == sorted([*bands, "/quality/l2a_quicklook/r10m/tci"])


@pytest.mark.parametrize("band", FIRST_LEVELS)
def test_each_level_lies_at_its_place(product, band):
    for level in sentinel2.list_levels(band):
        dataset = open_array(product, f"{REFLECTANCE}/{level}/{band}")
        pixel = LEVELS[level]
        assert dataset.GetGeoTransform() == (WEST, pixel, 0, NORTH, 0, -pixel)
        assert dataset.RasterXSize * pixel == EXTENT
        assert read_code(dataset) == sentinel2.CODE
        assert np.array_equal(dataset.ReadAsArray(), sentinel2.make_band(band, level))


@pytest.mark.parametrize("band", FIRST_LEVELS)
def test_coarser_levels_are_overviews(product, band):
    first, *coarser = sentinel2.list_levels(band)
    dataset = open_array(product, f"{REFLECTANCE}/{first}/{band}")
    raster_band = dataset.GetRasterBand(1)
    overviews = [raster_band.GetOverview(i) for i in range(raster_band.GetOverviewCount())]
    assert [o.XSize for o in overviews] == [sentinel2.get_size(level) for level in coarser]
    for overview, level in zip(overviews, coarser):
        assert np.array_equal(overview.ReadAsArray(), sentinel2.make_band(band, level))


def test_the_quicklook_has_three_bands(product):
    dataset = open_array(product, "quality/l2a_quicklook/r10m/tci")
    assert dataset.RasterCount == 3
    assert dataset.GetGeoTransform() == (WEST, 10, 0, NORTH, 0, -10)
    assert read_code(dataset) == sentinel2.CODE


def test_the_folder_of_a_level_is_a_part_of_the_product(product):
    dataset = gdal.Open(f"{product}/{REFLECTANCE}/r20m/b05")
    assert dataset.GetGeoTransform() == (WEST, 20, 0, NORTH, 0, -20)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 3
