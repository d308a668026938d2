# SPDX-License-Identifier: MIT
"""GDALGetDataCoverageStatus: which parts of a band are stored."""

import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_sharded, write_v2, write_v3

DATA = gdal.GDAL_DATA_COVERAGE_STATUS_DATA
EMPTY = gdal.GDAL_DATA_COVERAGE_STATUS_EMPTY
UNKNOWN = gdal.GDAL_DATA_COVERAGE_STATUS_UNIMPLEMENTED | DATA
VALUES = np.arange(1, 41, dtype="u1").reshape(4, 10)


def get_status(dataset, *window, band=1):
    return tuple(dataset.GetRasterBand(band).GetDataCoverageStatus(*window))


@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_chunks_that_are_not_stored_are_empty(store, write):
    write(f"{store}/a", VALUES, [2, 5], fill=0, skip=[(0, 1)])
    dataset = gdal.Open(f"{store}/a")
    assert get_status(dataset, 0, 0, 10, 4) == (DATA | EMPTY, 75)
    assert get_status(dataset, 0, 0, 5, 4) == (DATA, 100)
    assert get_status(dataset, 6, 0, 3, 2) == (EMPTY, 0)
    assert get_status(dataset, 4, 0, 4, 1) == (DATA | EMPTY, 25)


def test_inner_chunks_that_are_not_stored_are_empty(store):
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a", "BLOCKSIZE=2,5", "SHARD_SHAPE=4,10"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 10, 4, options=options)
    dataset.WriteArray(VALUES[:, :5])
    dataset = None
    assert get_status(gdal.Open(store), 0, 0, 10, 4) == (DATA | EMPTY, 50)


def test_each_band_has_its_own(store):
    write_v3(f"{store}/a", np.stack([VALUES, VALUES]), [1, 4, 10], skip=[(1, 0, 0)])
    dataset = gdal.Open(f"{store}/a")
    assert get_status(dataset, 0, 0, 10, 4, band=1) == (DATA, 100)
    assert get_status(dataset, 0, 0, 10, 4, band=2) == (EMPTY, 0)


@pytest.mark.parametrize("nodata, expected", [(None, (UNKNOWN, 100)), (7, (UNKNOWN, 100)), (9, (EMPTY, 0))])
def test_a_fill_value_is_empty_only_if_it_is_nodata(store, nodata, expected):
    attributes = {} if nodata is None else {"_FillValue": nodata}
    write_v3(f"{store}/a", VALUES, [4, 10], fill=9, attributes=attributes, skip=[(0, 0)])
    dataset = gdal.OpenEx(f"{store}/a", open_options=["FILL_VALUE_AS_NODATA=NO"])
    assert get_status(dataset, 0, 0, 10, 4) == expected


def test_what_is_not_saved_yet_counts(store):
    write_v3(f"{store}/a", VALUES, [2, 5], skip=[(0, 0), (0, 1), (1, 0), (1, 1)])
    dataset = gdal.OpenEx(f"{store}/a", gdal.OF_UPDATE)
    assert get_status(dataset, 0, 0, 10, 4) == (EMPTY, 0)
    dataset.WriteArray(VALUES[:2, :5], 0, 0)
    assert get_status(dataset, 0, 0, 10, 4) == (DATA | EMPTY, 25)


def test_a_damaged_index_is_an_error_and_not_empty(store):
    write_sharded(f"{store}/a", VALUES, [4, 10], [2, 5])
    path = next(os.path.join(folder, name) for folder, _, names in os.walk(f"{store}/a/c") for name in names)
    with open(path, "wb") as f:
        f.write(b"x" * 5)
    dataset = gdal.Open(f"{store}/a")
    with pytest.raises(RuntimeError, match="c/0/0: expected a shard"):
        get_status(dataset, 0, 0, 10, 4)


def test_a_sparse_array_is_translated_to_sparse_tiff(store):
    """GDAL's GTiff driver asks for the status when it makes a sparse copy."""
    write_v3(f"{store}/a", VALUES, [2, 5], skip=[(0, 1)])
    copy = f"{store}/a.tif"
    gdal.Translate(copy, f"{store}/a", creationOptions=["SPARSE_OK=YES"])
    expected = VALUES.copy()
    expected[:2, 5:] = 0
    assert np.array_equal(gdal.Open(copy).ReadAsArray(), expected)
