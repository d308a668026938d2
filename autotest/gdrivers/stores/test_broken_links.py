# SPDX-License-Identifier: MIT
"""Symbolic links that lead to nothing, such as those of an annex that was not fetched: no value is absent for that."""

import os
import shutil

import numpy as np
import pytest
from osgeo import gdal

DATA = np.arange(1, 1601, dtype="i2").reshape(40, 40)
BROKEN = "a symbolic link that leads to nothing"


def break_link(path):
    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    os.symlink("/nonexistent/target", path)


@pytest.fixture(params=["ZARR_V2", "ZARR_V3"])
def raster(store, request):
    options = [f"FORMAT={request.param}", "BLOCKSIZE=20,20", "ARRAY_NAME=a"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 40, 40, 1, gdal.GDT_Int16, options)
    dataset.WriteArray(DATA)
    dataset.SetMetadataItem("key", "value")
    return store


def chunk_of(store):
    return next(p for p in (f"{store}/a/1.1", f"{store}/a/c/1/1") if os.path.exists(p))


def test_a_chunk_is_neither_read_as_fill_nor_replaced(raster):
    chunk = chunk_of(raster)
    break_link(chunk)
    with pytest.raises(RuntimeError, match=f"{chunk}: expected a file, got {BROKEN}"):
        gdal.Open(raster).ReadAsArray()
    dataset = gdal.Open(raster, gdal.GA_Update)
    with pytest.raises(RuntimeError, match=BROKEN):
        dataset.GetRasterBand(1).WriteArray(np.full((5, 5), 7, "i2"), 30, 30)
        dataset.FlushCache()
    dataset = None
    assert os.path.islink(chunk)


def test_a_folder_of_chunks_is_not_read_as_fill(store):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=20,20", "ARRAY_NAME=a"]
    gdal.GetDriverByName("Zarr").Create(store, 40, 40, 1, gdal.GDT_Int16, options).WriteArray(DATA)
    break_link(f"{store}/a/c/1")
    with pytest.raises(RuntimeError, match=f"{store}/a/c/1/0: expected a folder, got {BROKEN}"):
        gdal.Open(store).ReadAsArray()


@pytest.mark.parametrize(
    "version, folder", [("ZARR_V3", "c"), ("ZARR_V3", "c/2"), ("ZARR_V2", "2")], ids=lambda text: text.replace("/", "-")
)
@pytest.mark.parametrize("window", [(0, 0, 600, 4), (0, 2, 600, 1), (100, 1, 300, 3)], ids=str)
def test_a_folder_of_many_chunks_that_is_listed_is_not_read_as_fill(store, version, folder, window):
    options = [f"FORMAT={version}", "BLOCKSIZE=1,1", "ARRAY_NAME=a", "DIM_SEPARATOR=/", "COMPRESS=NONE"]
    gdal.GetDriverByName("Zarr").Create(store, 600, 4, 1, gdal.GDT_Byte, options).WriteArray(np.ones((4, 600), "u1"))
    break_link(f"{store}/a/{folder}")
    with pytest.raises(RuntimeError, match=f"expected a folder, got {BROKEN}: {store}/a/{folder}$"):
        gdal.Open(store).ReadAsArray(*window)


def test_a_fill_value_is_not_lost_in_a_folder_that_is_away(store, tmp_path):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=20,20", "ARRAY_NAME=a"]
    gdal.GetDriverByName("Zarr").Create(store, 40, 40, 1, gdal.GDT_Int16, options).WriteArray(DATA)
    break_link(f"{store}/a/c/1")
    dataset = gdal.Open(store, gdal.GA_Update)
    with pytest.raises(RuntimeError, match=BROKEN):
        dataset.GetRasterBand(1).WriteArray(np.zeros((20, 40), "i2"), 0, 20)
        dataset.FlushCache()
    dataset = None


def test_attributes_are_neither_missing_nor_replaced(raster):
    document = next(p for p in (f"{raster}/a/.zattrs", f"{raster}/a/zarr.json") if os.path.exists(p))
    break_link(document)
    with pytest.raises(RuntimeError, match=BROKEN):
        dataset = gdal.OpenEx(raster, gdal.OF_UPDATE, open_options=["USE_CONSOLIDATED_METADATA=NO"])
        dataset.SetMetadataItem("another", "1")
        dataset.FlushCache()
    dataset = None
    assert os.path.islink(document)


def test_the_store_can_be_deleted(raster):
    break_link(chunk_of(raster))
    assert gdal.GetDriverByName("Zarr").Delete(raster) == gdal.CE_None
    assert not os.path.exists(raster)
