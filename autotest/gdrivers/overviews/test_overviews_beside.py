# SPDX-License-Identifier: MIT
"""Overviews of a store that is open for reading only are in a file beside its document, and never next to levels in the store."""

import glob

import numpy as np
import pytest
from osgeo import gdal


def make(store):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 200, 160, options=["FORMAT=ZARR_V3"])
    dataset.WriteArray(np.full((160, 200), 7, "u1"))


def list_files(store):
    return glob.glob(f"{store}/**/*.ovr*", recursive=True)


def list_sizes(store):
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    return [band.GetOverview(i).XSize for i in range(band.GetOverviewCount())]


def test_a_file_is_refused_where_the_store_has_levels(store):
    make(store)
    gdal.OpenEx(store, gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2, 4])
    with pytest.raises(RuntimeError, match="the store has overviews of this array"):
        gdal.Open(store).BuildOverviews("AVERAGE", [2, 4, 8])
    assert list_files(store) == [] and list_sizes(store) == [100, 50]


def test_levels_are_added_to_a_file(store):
    make(store)
    for factor in (2, 4):
        gdal.Open(store).BuildOverviews("AVERAGE", [factor])
    assert len(list_files(store)) == 1 and list_sizes(store) == [100, 50]
    gdal.Open(store).BuildOverviews("", [])
    assert list_files(store) == [] and list_sizes(store) == []
