# SPDX-License-Identifier: MIT
"""Copies of rasters whose geotransform gives pixels and lines."""

import pytest
from errors import collect_errors
from osgeo import gdal

PIXELS = (0, 1, 0, 0, 0, 1)


def make_source(transform, bands=1):
    source = gdal.GetDriverByName("MEM").Create("", 6, 4, bands)
    if transform:
        source.SetGeoTransform(transform)
    return source


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("convention", ["GDAL", "CF", "GDAL,CF", "SPATIAL_PROJ"])
@pytest.mark.parametrize("transform", [PIXELS, (0, 1, 0, 0, 0, -1), None])
def test_a_copy_has_the_transform_of_its_source(store, version, convention, transform):
    options = [f"FORMAT={version}", f"GEOREFERENCING_CONVENTION={convention}"]
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, make_source(transform), options=options)
        assert gdal.Open(store).GetGeoTransform(can_return_null=True) == transform
        gdal.Translate(f"{store}.zarr", store, format="Zarr")
        assert gdal.Open(f"{store}.zarr").GetGeoTransform(can_return_null=True) == transform
    assert errors == []


def test_bands_that_are_arrays_have_it_too(store):
    gdal.GetDriverByName("Zarr").CreateCopy(store, make_source(PIXELS, 2), options=["SINGLE_ARRAY=NO", "ARRAY_NAME=a"])
    dataset = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    assert (dataset.RasterCount, dataset.GetGeoTransform()) == (2, PIXELS)


def test_it_removes_the_transform_of_a_raster(store):
    gdal.GetDriverByName("Zarr").CreateCopy(store, make_source((10, 1, 0, 50, 0, -1)))
    gdal.Open(store, gdal.GA_Update).SetGeoTransform(PIXELS)
    assert gdal.Open(store).GetGeoTransform(can_return_null=True) is None
