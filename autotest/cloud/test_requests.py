# SPDX-License-Identifier: MIT
"""The number of requests and of round trips that reading takes."""

import subprocess
import time

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python
from stores import consolidate_v2, consolidate_v3, write_sharded, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(64 * 64, dtype="<i4").reshape(64, 64)
# Shards of 1 MB, of 64 inner chunks of about 16 kB.
NOISE = np.random.default_rng(0).integers(0, 1 << 30, (512, 512), "i4")


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


@pytest.fixture(params=["start", "end"])
def location(request):
    """Where the index of a shard is."""
    return request.param


def test_an_inner_chunk_of_a_new_shard_takes_two_requests(tmp_path, server, location):
    write_sharded(str(tmp_path / "a.zarr"), NOISE, (512, 512), (64, 64), location=location)
    dataset = read(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(256, 256, 64, 64), NOISE[256:320, 256:320])
    assert server.count() == 2
    assert all(span and status == 206 for _, _, span, status in server.log)
    server.clear()
    np.testing.assert_array_equal(dataset.ReadAsArray(320, 320, 64, 64), NOISE[320:384, 320:384])
    assert server.count() == 1


def test_an_inner_chunk_next_to_the_index_comes_with_it(tmp_path, server, location):
    write_sharded(str(tmp_path / "a.zarr"), NOISE, (512, 512), (64, 64), location=location)
    dataset = read(server)
    place = 0 if location == "start" else 448
    np.testing.assert_array_equal(dataset.ReadAsArray(place, place, 64, 64), NOISE[place : place + 64, place : place + 64])
    assert server.count() == 1


@pytest.mark.parametrize("nested", [None, (32, 32)])
def test_a_small_shard_takes_one_request(tmp_path, server, location, nested):
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16), location=location, nested=nested)
    for window in ((16, 16, 16, 16), (0, 0, 64, 64)):
        dataset = read(server)
        x, y, width, height = window
        np.testing.assert_array_equal(dataset.ReadAsArray(*window), DATA[y : y + height, x : x + width])
        assert server.count() == 1


def test_a_large_index_comes_without_anything_else(tmp_path, server, location):
    """4,900 inner chunks have an index of 78 kB."""
    data = np.random.default_rng(1).integers(0, 256, (70, 70), "u1")
    write_sharded(str(tmp_path / "a.zarr"), data, (70, 70), (1, 1), location=location)
    dataset = read(server)
    assert dataset.ReadAsArray(3, 4, 1, 1) == data[4, 3]
    spans = [span for _, _, span, _ in server.log]
    assert len(spans) == 2
    assert spans[0] == ("bytes=0-78399" if location == "start" else "bytes=-78400")


def test_bytes_that_came_with_an_index_are_not_requested_again(tmp_path, server):
    write_sharded(str(tmp_path / "a.zarr"), NOISE, (512, 512), (64, 64))
    size = (tmp_path / "a.zarr/c/0/0").stat().st_size
    np.testing.assert_array_equal(read(server).ReadAsArray(), NOISE)
    spans = [span for _, _, span, _ in server.log]
    assert len(spans) == 2 and spans[0] == "bytes=-65536"
    begin, end = map(int, spans[1].removeprefix("bytes=").split("-"))
    assert (begin, end) == (0, size - 65536 - 1)


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
    write_sharded(str(tmp_path / "a.zarr"), NOISE, (512, 512), (64, 64))
    dataset = read(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, 192, 64), NOISE[:64, :192])
    np.testing.assert_array_equal(dataset.ReadAsArray(64, 192, 256, 64), NOISE[192:256, 64:320])
    assert server.count() == 3


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
