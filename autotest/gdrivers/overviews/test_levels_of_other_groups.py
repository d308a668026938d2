# SPDX-License-Identifier: MIT
"""Pyramids whose levels are groups that the group above declares, as in Sentinel-2's products, stay as they are."""

import shutil

import numpy as np
import pytest
from conventions import MULTISCALES
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v3, write_v3_group

BASE = np.arange(24 * 24, dtype="<u2").reshape(24, 24)
LEVELS = {"r10m": BASE, "r20m": BASE[::2, ::2].copy(), "r60m": BASE[::6, ::6].copy()}


def write_pyramid(store, base="r10m"):
    layout = [{"asset": "r10m"}, {"asset": "r20m", "derived_from": "r10m"}, {"asset": "r60m", "derived_from": "r10m"}]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": layout}})
    for name, values in LEVELS.items():
        write_v3_group(f"{store}/{name}")
        write_v3(f"{store}/{name}/b", values, names=["Y", "X"])
    return f'ZARR:"{store}":/{base}/b'


def list_levels(name):
    dataset = gdal.Open(name)
    band = dataset.GetRasterBand(1)
    return [band.GetOverview(i).XSize for i in range(band.GetOverviewCount())]


@pytest.mark.parametrize("factors", [[2], [2, 6], [4]])
@pytest.mark.parametrize("base, levels", [("r10m", [12, 4]), ("r20m", [4])])
def test_overviews_that_would_hide_them_are_refused(store, factors, base, levels):
    name = write_pyramid(store, base)
    assert list_levels(name) == levels
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="another program has declared overviews"):
        dataset.BuildOverviews("AVERAGE", factors)
    del dataset
    assert list_levels(name) == levels


def test_a_warning_tells_that_they_keep_their_place(store):
    name = write_pyramid(store)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    with collect_errors() as errors:
        dataset.SetSpatialRef(srs)
        dataset.SetGeoTransform((600000, 10, 0, 6000000, 0, -10))
    assert [text for level, text in errors] == ["/r10m/b: its overviews keep their georeferencing, because another program has made them"]


@pytest.mark.parametrize("finest", ["r10m", "r20m"])
def test_writes_to_the_finest_array_make_them_stale(store, finest):
    """A band may begin at a coarser resolution than others."""
    name = write_pyramid(store, finest)
    if finest == "r20m":
        shutil.rmtree(f"{store}/r10m/b")
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.WriteRaster(1, 2, 3, 4, bytes(3 * 4 * 2))
    dataset = None
    assert gdal.Open(name).GetMetadataItem("OVERVIEWS_STALE") == "2:6,1:4"
