# SPDX-License-Identifier: MIT
"""Chunks of large grids under keys whose letter a file system has changed: C/0/0."""

import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3

EDGE = 2048
STATUS_DATA = 2


@pytest.fixture
def renamed(store):
    """An array of 64 x 64 chunks, of which few are stored."""
    data = np.zeros((EDGE, EDGE), "<i2")
    data[100:164, 100:164] = 7
    empty = [(i, j) for i in range(64) for j in range(64) if not (3 <= i <= 5 and 3 <= j <= 5)]
    write_v3(store, data, [32, 32], skip=empty)
    os.rename(f"{store}/c", f"{store}/C")
    return gdal.OpenEx(store, gdal.OF_RASTER, open_options=["DIM_SEPARATOR=C/0/0"]), data


def test_data_are_seen_in_all_of_it(renamed):
    dataset, data = renamed
    status, percent = dataset.GetRasterBand(1).GetDataCoverageStatus(0, 0, EDGE, EDGE)
    assert status & STATUS_DATA and percent > 0


def test_a_sparse_copy_has_the_values(renamed, tmp_path):
    dataset, data = renamed
    copy = str(tmp_path / "copy.tif")
    options = ["SPARSE_OK=YES", "TILED=YES", "BLOCKXSIZE=1024", "BLOCKYSIZE=1024"]
    assert np.array_equal(gdal.Translate(copy, dataset, creationOptions=options).ReadAsArray(), data)
