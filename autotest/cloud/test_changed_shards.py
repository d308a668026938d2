# SPDX-License-Identifier: MIT
"""Shards that are replaced while they are open: what one read takes from a shard is of one version."""

import contextlib
import threading

import numpy as np
import pytest
from osgeo import gdal
from stores import write_sharded

DATA = np.arange(1, 64 * 64 + 1, dtype="<i4").reshape(64, 64)
ABSENT = (2**64 - 1, 2**64 - 1)


def name_of(server):
    return f'ZARR:"/vsicurl/{server.url}/a.zarr"'


def open_raster(server):
    return gdal.Open(name_of(server)).ReadAsArray


def open_array(server):
    array = gdal.OpenEx(name_of(server), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
    return lambda x=0, y=0, width=64, height=64: array.ReadAsArray([y, x], [height, width])


def remove_inner_chunks(shard, missing):
    """Makes inner chunks of the shard of 16 inner chunks absent."""
    content = shard.read_bytes()
    index = np.frombuffer(content[-256:], "<u8").reshape(16, 2).copy()
    index[missing] = ABSENT
    shard.write_bytes(content[:-256] + index.tobytes())


@pytest.mark.parametrize("tags", [True, False])
@pytest.mark.parametrize("open_store", [open_raster, open_array])
def test_fills_and_values_are_of_one_version(tmp_path, server, open_store, tags):
    """The old version lacks inner chunks, and one of its others is in the cache."""
    server.tags = tags
    store = str(tmp_path / "a.zarr")
    write_sharded(store, np.full((64, 64), 1, "<i4"), (64, 64), (16, 16))
    remove_inner_chunks(tmp_path / "a.zarr/c/0/0", [5, 9])
    read = open_store(server)
    read(0, 0, 16, 16)
    noise = np.random.default_rng(1).integers(100, 1 << 30, (64, 64), "i4")
    write_sharded(store, noise, (64, 64), (16, 16))
    np.testing.assert_array_equal(read(0, 0, 64, 64), noise)


def test_inner_chunks_of_several_requests_are_of_one_version(tmp_path, server):
    """The one in the cache is read again, too. The index of the new version is read once."""
    random = np.random.default_rng(0)
    old, new = (random.integers(0, 1 << 30, (2048, 2048), "i4") for _ in range(2))
    store = str(tmp_path / "a.zarr")
    write_sharded(store, old, (2048, 2048), (1024, 1024))
    dataset = gdal.Open(name_of(server))
    for _ in range(2):
        np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, 512, 512), old[:512, :512])
    write_sharded(store, new, (2048, 2048), (1024, 1024))
    server.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(), new)
    assert [span for _, _, span, _ in server.log].count("bytes=-65536") == 1


@pytest.mark.parametrize("tags", [True, False])
def test_a_shard_that_is_replaced_while_open_is_read_anew(tmp_path, server, tags):
    """Its index and its chunks are of one version."""
    server.tags = tags
    store = str(tmp_path / "a.zarr")
    noise = np.random.default_rng(1).integers(0, 1 << 30, (64, 64), "i4")
    write_sharded(store, DATA, (64, 64), (16, 16))
    dataset = gdal.Open(name_of(server))
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, 16, 16), DATA[:16, :16])
    write_sharded(store, noise, (64, 64), (16, 16))
    np.testing.assert_array_equal(dataset.ReadAsArray(48, 48, 16, 16), noise[48:, 48:])


def test_shards_that_are_replaced_all_the_time(tmp_path, server):
    """Every read gives values of one version, or an error."""
    store = str(tmp_path / "a.zarr")
    versions = [np.full((64, 64), value, "<i4") + np.arange(64, dtype="<i4") % (value + 1) for value in range(1, 6)]
    write_sharded(store, versions[0], (64, 64), (32, 32))
    dataset = gdal.OpenEx(name_of(server), gdal.OF_MULTIDIM_RASTER)
    array = dataset.GetRootGroup().OpenMDArray("a")
    stop = threading.Event()

    def replace():
        i = 0
        while not stop.is_set():
            i += 1
            write_sharded(f"{store}.new", versions[i % 5], (64, 64), (32, 32))
            (tmp_path / "a.zarr.new" / "c" / "0" / "0").rename(tmp_path / "a.zarr" / "c" / "0" / "0")

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        for _ in range(100):
            with contextlib.suppress(RuntimeError):
                part = array.ReadAsArray(array_start_idx=[3, 0], count=[4, 32])
                assert any((part == version[3:7, :32]).all() for version in versions)
    finally:
        stop.set()
        thread.join()
