# SPDX-License-Identifier: MIT
"""The number of requests and of round trips that reading takes."""

import subprocess
import time

import numpy as np
from osgeo import gdal
from plugin_in_use import python
from stores import consolidate_v2, consolidate_v3, write_sharded, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(64 * 64, dtype="<i4").reshape(64, 64)


def name_of(server, store="a.zarr"):
    return f'ZARR:"/vsicurl/{server.url}/{store}"'


def read(server, store="a.zarr"):
    """Opens a store, and forgets the requests for that."""
    dataset = gdal.Open(name_of(server, store))
    server.clear()
    return dataset


def test_a_window_of_16_chunks_takes_16_requests(tmp_path, slow_server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (16, 16))
    dataset = read(slow_server)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert slow_server.count() == 16
    assert {(command, span) for command, _, span, _ in slow_server.log} == {("GET", None)}
    assert slow_server.round_trips() <= 2


def test_16_chunks_take_little_longer_than_one(tmp_path, slow_server):
    """The fastest of five reads counts, since others have waited for other processes."""
    fastest = []
    for edge in (64, 16):
        times = []
        for store in (f"{edge}-{attempt}.zarr" for attempt in range(5)):
            write_v3(str(tmp_path / store), DATA, (edge, edge))
            dataset = read(slow_server, store)
            begin = time.monotonic()
            dataset.ReadAsArray()
            times.append(time.monotonic() - begin)
        fastest.append(min(times))
    print(f"one chunk {fastest[0] * 1e3:.0f} ms, 16 chunks {fastest[1] * 1e3:.0f} ms")
    assert fastest[1] < 2.5 * fastest[0]


def test_an_absent_chunk_takes_one_request(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32), fill=7, skip=[(0, 1)])
    dataset = read(server)
    assert (dataset.ReadAsArray(32, 0, 32, 32) == 7).all()
    assert server.log == [("GET", "/a.zarr/c/0/1", None, 404)]


def test_an_inner_chunk_of_a_new_shard_takes_two_requests(tmp_path, server):
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16))
    dataset = read(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(16, 16, 16, 16), DATA[16:32, 16:32])
    assert server.count() == 2
    assert all(span and status == 206 for _, _, span, status in server.log)
    server.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(48, 48, 16, 16), DATA[48:, 48:])
    assert server.count() == 1


def test_an_index_at_the_start_of_a_shard_takes_one_request(tmp_path, server):
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16), location="start")
    dataset = read(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(16, 16, 16, 16), DATA[16:32, 16:32])
    assert server.count() == 2


def test_a_large_chunk_takes_one_request(tmp_path, server):
    data = np.random.default_rng(1).integers(0, 1 << 30, (2048, 4096), "i4")
    write_v3(str(tmp_path / "a.zarr"), data, data.shape)
    dataset = read(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(), data)
    assert server.count() == 1


def test_1000_dates_of_a_pixel_take_1000_requests(tmp_path, slow_server):
    data = np.arange(1000, dtype="<i4").reshape(1000, 1, 1) + np.zeros((1, 2, 2), "<i4")
    write_v3(str(tmp_path / "a.zarr"), data, (1, 2, 2))
    array = gdal.OpenEx(name_of(slow_server), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
    slow_server.clear()
    begin = time.monotonic()
    values = array.ReadAsArray(array_start_idx=[0, 1, 1], count=[1000, 1, 1]).ravel()
    print(f"1,000 dates in {time.monotonic() - begin:.2f} s")
    assert values.tolist() == list(range(1000))
    assert slow_server.count() == 1000


def test_values_of_neighbouring_inner_chunks_take_one_request(tmp_path, server):
    """Gaps that cost less than a round trip are read over."""
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16))
    dataset = read(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert server.count() == 2


def test_a_second_handle_asks_for_nothing_but_what_may_have_changed(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    first = gdal.Open(name_of(server))
    np.testing.assert_array_equal(first.ReadAsArray(), DATA)
    server.clear()
    np.testing.assert_array_equal(first.ReadAsArray(), DATA)
    assert server.count() == 0


def test_opening_consolidated_metadata_takes_one_request(tmp_path, server):
    write_v3_group(str(tmp_path / "a.zarr"))
    write_v3(str(tmp_path / "a.zarr" / "t"), DATA, (16, 16))
    consolidate_v3(str(tmp_path / "a.zarr"))
    assert gdal.Open(name_of(server)).RasterXSize == 64
    assert server.log == [("GET", "/a.zarr/zarr.json", None, 200)]


def test_opening_consolidated_metadata_of_v2_takes_two_requests(tmp_path, slow_server):
    write_v2_group(str(tmp_path / "a.zarr"))
    write_v2(str(tmp_path / "a.zarr" / "t"), DATA, (16, 16))
    consolidate_v2(str(tmp_path / "a.zarr"))
    assert gdal.Open(name_of(slow_server)).RasterXSize == 64
    assert slow_server.count() <= 2


FORKS = """
import os, signal, sys
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.Open(sys.argv[1])
dataset.ReadAsArray(0, 0, 16, 16)
for i in range(20):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        good = dataset.ReadAsArray(16 * (i % 4), 16, 16, 16)[0, 0] == 16 * 64 + 16 * (i % 4)
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    dataset.ReadAsArray(16 * (i % 4), 32, 16, 16)
print("good")
"""


def test_the_child_of_a_fork_has_connections_of_its_own(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (16, 16))
    arguments = python(FORKS, name_of(server))
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
    assert result.stdout == "good\n", result.stderr
