# SPDX-License-Identifier: MIT
"""Writing parts of chunks: where it is refused, and the option for chunks of the fill value."""

import pytest
from osgeo import gdal
from writer_team import LAYOUTS, SIZE, expect_rows, list_files, make_raster


@pytest.mark.parametrize("layout", ["v2", "shards"])
def test_partial_writes_can_be_refused(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["PARTIAL_WRITES=ERROR"])
    dataset.WriteRaster(0, 0, SIZE, 10, b"\x01" * 10 * SIZE)
    with pytest.raises(RuntimeError, match="only a part of the chunk"):
        dataset.FlushCache()
    dataset = None
    assert not gdal.OpenEx(path).ReadAsArray().any()


@pytest.mark.parametrize("layout", ["v2", "shards"])
def test_whole_chunks_are_written_where_partial_ones_are_refused(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["PARTIAL_WRITES=ERROR"])
    for y in range(SIZE):  # row by row: a chunk is whole in the end
        dataset.WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
    dataset = None
    expect_rows(path)


def test_an_array_is_created_to_refuse_partial_writes(tmp_path):
    options = ["BLOCKSIZE=64,64", "PARTIAL_WRITES=ERROR"]
    dataset = gdal.GetDriverByName("Zarr").Create(str(tmp_path / "a.zarr"), SIZE, SIZE, 1, gdal.GDT_Byte, options)
    dataset.WriteRaster(0, 0, SIZE, 10, b"\x01" * 10 * SIZE)
    with pytest.raises(RuntimeError, match="only a part of the chunk"):
        dataset.FlushCache()


def test_an_update_can_store_chunks_of_the_fill_value(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS["v2"])
    before = list_files(path)
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["STORE_EMPTY_CHUNKS=YES"])
    dataset.WriteRaster(0, 0, SIZE, SIZE, bytes(SIZE * SIZE))
    dataset = None
    assert len(list_files(path)) == len(before) + 9
