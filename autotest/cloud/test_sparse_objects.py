# SPDX-License-Identifier: MIT
"""Arrays in an object store of which few chunks are stored: how few requests it takes to know that."""

import numpy as np
import pytest
from osgeo import gdal
from s3_server import count_methods

DATA = np.arange(64 * 64, dtype="uint16").reshape(64, 64) + 1


def test_an_absent_chunk_is_told_by_one_list(s3_bucket, path):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16"]
    dataset = gdal.GetDriverByName("Zarr").Create(path, 512, 512, 1, gdal.GDT_UInt16, options)
    dataset.WriteArray(DATA, 256, 256)
    dataset = None
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path)
    with s3_bucket.record() as requests:
        values = dataset.ReadAsArray()
    print(count_methods(requests))
    assert count_methods(requests)["LIST"] == 1
    # 64 are under way when the eighth has found nothing; 16 chunks are stored.
    assert len(requests) < 110
    np.testing.assert_array_equal(values[256:320, 256:320], DATA)
    assert (values[:256] == 0).all()


@pytest.fixture
def sparse(s3_bucket, path, version):
    """An array of 1,024 chunks, one of which is stored."""
    options = [f"FORMAT={version}", "BLOCKSIZE=16,16"]
    dataset = gdal.GetDriverByName("Zarr").Create(path, 512, 512, 1, gdal.GDT_UInt16, options)
    dataset.WriteArray(DATA[:16, :16], 256, 256)
    dataset = None
    gdal.VSICurlClearCache()
    return f'ZARR:"{path}"'


SPARSE = np.zeros((512, 512), "uint16")
SPARSE[256:272, 256:272] = DATA[:16, :16]


def read_blocks(dataset, rows):
    """Reads rows of GDAL's blocks, each of which has 4 x 4 chunks."""
    band = dataset.GetRasterBand(1)
    assert band.GetBlockSize() == [64, 64]
    blocks = [[np.frombuffer(band.ReadBlock(x, y), "uint16").reshape(64, 64) for x in range(8)] for y in rows]
    return np.block(blocks)


def test_blocks_of_a_sparse_array_take_one_list(s3_bucket, sparse):
    dataset = gdal.Open(sparse)
    with s3_bucket.record() as requests:
        np.testing.assert_array_equal(read_blocks(dataset, range(8)), SPARSE)
    # The first block, and the chunk that is there.
    assert count_methods(requests) == {"GET": 16 + 1, "LIST": 1}


def test_the_checksum_of_a_sparse_array_takes_one_list(s3_bucket, sparse):
    dataset = gdal.Open(sparse)
    with s3_bucket.record() as requests:
        dataset.GetRasterBand(1).Checksum()
    assert count_methods(requests)["LIST"] <= 2  # on a busy machine a list may be out of date before the end
    assert len(requests) < 100


def test_the_coverage_of_a_sparse_array_takes_one_list(s3_bucket, sparse):
    dataset = gdal.Open(sparse)
    band = dataset.GetRasterBand(1)
    with s3_bucket.record() as requests:
        flags, percent = band.GetDataCoverageStatus(0, 0, 512, 512)
    assert flags == gdal.GDAL_DATA_COVERAGE_STATUS_DATA | gdal.GDAL_DATA_COVERAGE_STATUS_EMPTY
    assert percent == 100 / 1024
    assert count_methods(requests) == {"LIST": 1}


def copy_object(source, target):
    file = gdal.VSIFOpenL(source, "rb")
    value = gdal.VSIFReadL(1, 1 << 20, file)
    gdal.VSIFCloseL(file)
    file = gdal.VSIFOpenL(target, "wb")
    gdal.VSIFWriteL(value, 1, len(value), file)
    gdal.VSIFCloseL(file)


@pytest.mark.parametrize("by_blocks", [True, False])
def test_a_chunk_that_was_absent_is_looked_for_anew(s3_bucket, sparse, version, by_blocks):
    """Another process, which has caches of its own, puts it."""

    def read():
        return read_blocks(dataset, range(1)) if by_blocks else dataset.ReadAsArray(0, 0, 512, 64)

    dataset = gdal.Open(sparse)
    stored = dataset.GetRasterBand(1).ReadRaster(256, 256, 16, 16)
    assert read().max() == 0
    name = "c/2/3" if version == "ZARR_V3" else "2.3"
    source = "c/16/16" if version == "ZARR_V3" else "16.16"
    copy_object(f"{s3_bucket.root}/a.zarr/a/{source}", f"{s3_bucket.root}/a.zarr/a/{name}")
    dataset.GetRasterBand(1).FlushCache()
    assert read()[32:48, 48:64].tobytes() == stored


def test_a_chunk_that_this_process_writes_is_seen_at_once(s3_bucket, sparse):
    dataset = gdal.Open(sparse)
    assert read_blocks(dataset, range(1)).max() == 0
    writer = gdal.Open(sparse, gdal.GA_Update)
    writer.WriteArray(DATA[:16, :16], 320, 320)
    writer = None
    # This one was not read before.
    np.testing.assert_array_equal(dataset.ReadAsArray(320, 320, 16, 16), DATA[:16, :16])


def test_tile_presence_lists_an_array_once(s3_bucket, sparse):
    dataset = gdal.OpenEx(sparse, open_options=["CACHE_TILE_PRESENCE=YES"])
    with s3_bucket.record() as requests:
        np.testing.assert_array_equal(dataset.ReadAsArray(), SPARSE)
        np.testing.assert_array_equal(dataset.ReadAsArray(), SPARSE)
    assert count_methods(requests) == {"LIST": 1, "GET": 1}


def test_tile_presence_lists_an_array_without_chunks_once(s3_bucket, path, version):
    options = [f"FORMAT={version}", "BLOCKSIZE=16,16"]
    gdal.GetDriverByName("Zarr").Create(path, 512, 512, 1, gdal.GDT_UInt16, options)
    gdal.VSICurlClearCache()
    dataset = gdal.OpenEx(f'ZARR:"{path}"', open_options=["CACHE_TILE_PRESENCE=YES"])
    with s3_bucket.record() as requests:
        assert dataset.ReadAsArray().max() == 0
    assert count_methods(requests) == {"LIST": 1}


def test_tile_presence_without_the_permission_to_list(s3_bucket, sparse):
    s3_bucket.fail("LIST", "", status=403)
    dataset = gdal.OpenEx(sparse, open_options=["CACHE_TILE_PRESENCE=YES"])
    with s3_bucket.record() as requests:
        np.testing.assert_array_equal(dataset.ReadAsArray(), SPARSE)
    assert count_methods(requests)["GET"] == 1024
    assert count_methods(requests)["LIST"] < 200


def test_a_list_that_breaks_off_tells_no_absence(s3_bucket, path):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16"]
    dataset = gdal.GetDriverByName("Zarr").Create(path, 512, 512, 1, gdal.GDT_UInt16, options)
    dataset.WriteArray(np.ones((512, 512), "uint16"))
    dataset.GetRasterBand(1).WriteArray(np.zeros((256, 512), "uint16"), 0, 0)
    dataset = None
    gdal.VSICurlClearCache()
    gdal.SetConfigOption("AWS_MAX_KEYS", "50")
    try:
        dataset = gdal.Open(path)
        s3_bucket.fail("LIST", "a.zarr", skip=2)
        values = dataset.ReadAsArray()
    finally:
        gdal.SetConfigOption("AWS_MAX_KEYS", None)
    assert (values[256:] == 1).all()
    assert (values[:256] == 0).all()
