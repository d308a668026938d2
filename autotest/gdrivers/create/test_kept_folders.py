# SPDX-License-Identifier: MIT
"""An empty folder that a user has made for a store stays if the store is not made."""

import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3, write_v3_group


def make_raster(bands=1):
    source = gdal.GetDriverByName("MEM").Create("", 600, 600, bands)
    for band in range(bands):
        source.GetRasterBand(band + 1).WriteArray(np.ones((600, 600), "u1"))
    return source


def stop_copy(path):
    gdal.GetDriverByName("Zarr").CreateCopy(path, make_raster(), callback=lambda done, *_: done < 0.5)


def stop_translation(path):
    gdal.Translate(path, make_raster(), format="Zarr", callback=lambda done, *_: done < 0.5)


def stop_single_arrays(path):
    options = ["SINGLE_ARRAY=NO"]
    gdal.GetDriverByName("Zarr").CreateCopy(path, make_raster(2), options=options, callback=lambda done, *_: done < 0.5)


def refuse_array(path):
    source = path + "_source.zarr"
    write_v3_group(source)
    write_v3(f"{source}/a", np.zeros((20, 30), "u1"), [7, 11], names=["y", "x"])
    gdal.MultiDimTranslate(path, source, format="Zarr", creationOptions=["ARRAY:COMPRESS=FOO"])


def refuse_later(path):
    """The store is taken back when it is closed."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [])
    group = dataset.GetRootGroup()
    dimension = group.CreateDimension("x", "", "", 10)
    try:
        group.CreateMDArray("a", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte), ["COMPRESS=FOO"])
    except RuntimeError as error:
        message = str(error)
    del group, dimension, dataset  # which a traceback would keep open
    raise RuntimeError(message)


WAYS = [stop_copy, stop_translation, stop_single_arrays, refuse_array, refuse_later]


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("fail", WAYS)
def test_an_empty_folder_stays(store, fail, is_there):
    if is_there:
        os.mkdir(store)
        os.chmod(store, 0o750)
    with pytest.raises(RuntimeError):
        fail(store)
    assert os.path.isdir(store) == is_there
    if is_there:
        assert os.listdir(store) == []
        assert os.stat(store).st_mode & 0o777 == 0o750


def test_a_store_in_an_empty_folder_can_be_deleted(store):
    os.mkdir(store)
    gdal.GetDriverByName("Zarr").CreateCopy(store, make_raster())
    gdal.GetDriverByName("Zarr").Delete(store)
    assert not os.path.exists(store)
