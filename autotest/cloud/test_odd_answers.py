# SPDX-License-Identifier: MIT
"""Answers of servers that keep to HTTP, or nearly, and hold something else than a reader expects."""

import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_sharded, write_v3

DATA = np.arange(1, 64 * 64 + 1, dtype="<i4").reshape(64, 64)


def open_store(server):
    return gdal.Open(f'ZARR:"/vsicurl/{server.url}/a.zarr"')


def read_error(server):
    with pytest.raises(RuntimeError) as raised:
        open_store(server).ReadAsArray()
    return str(raised.value)


@pytest.fixture(params=["start", "end"])
def shard(request, tmp_path):
    """The one shard of a store, whose index is at one of its ends."""
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16), location=request.param)
    return tmp_path / "a.zarr/c/0/0"


def test_a_garbled_document_is_not_asked_for_by_its_tag(tmp_path, server):
    """Its brackets are whole, so that only its reader finds that it is broken."""
    store = tmp_path / "a.zarr"
    write_v3(str(store), DATA)
    os.utime(store / "zarr.json", (1.6e9, 1.6e9))
    server.edit_body = lambda body: body.replace(b"\"data_type\":", b"\"data_type\"")
    with pytest.raises(RuntimeError, match="invalid JSON"):
        open_store(server)
    server.edit_body = None
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


def test_a_shard_without_a_byte_is_an_error(server, shard):
    shard.write_bytes(b"")
    assert "/c/0/0" in read_error(server)


@pytest.mark.parametrize("kept", [1, 100, 300, -1])
def test_a_shard_that_was_cut_off_is_an_error(server, shard, kept):
    """Its index tells of inner chunks that are beyond its end, or is not whole itself."""
    shard.write_bytes(shard.read_bytes()[:kept])
    assert "/c/0/0" in read_error(server)


def test_a_shard_that_was_cut_off_while_it_is_open_is_an_error(server, shard):
    content = shard.read_bytes()
    dataset = open_store(server)
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, 16, 16), DATA[:16, :16])
    shard.write_bytes(content[:200])
    with pytest.raises(RuntimeError, match="/c/0/0"):
        dataset.ReadAsArray(48, 48, 16, 16)
    shard.write_bytes(content)
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


@pytest.mark.parametrize(
    "text", ["", "bytes", "bytes nonsense", "bytes */4096", "bytes 5-3/100", "bytes 0-99999999999999999999/*", "items 0-15/16"]
)
def test_a_part_without_a_place_is_an_error(server, shard, text):
    server.edit_range = lambda _: text
    assert "/c/0/0" in read_error(server)
    server.edit_range = None
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


def test_a_shard_that_is_only_an_index_may_come_whole(tmp_path, server):
    """A server that ignores ranges sends what a proxy would send that hides that an answer is a part."""
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16), fill=7)
    (tmp_path / "a.zarr/c/0/0").write_bytes(b"\xff" * 256)
    server.fail("whole", "/c/0/0")
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), np.full((64, 64), 7))


@pytest.mark.parametrize("location", ["start", "end"])
def test_an_index_of_a_wrong_answer_is_not_kept(tmp_path, server, location):
    """A proxy says that the part of a shard is all of it."""
    noise = np.random.default_rng(0).integers(0, 1 << 30, (256, 256), "i4")
    write_sharded(str(tmp_path / "a.zarr"), noise, (256, 256), (64, 64), location=location)
    dataset = open_store(server)
    for window in ((0, 0, 16, 16), (0, 0, 256, 256)):
        server.fail("part as whole", "/c/0/0")
        with pytest.raises(RuntimeError, match="/c/0/0.*HTTP response code: 200"):
            dataset.ReadAsArray(*window)
        server.heal()
    np.testing.assert_array_equal(dataset.ReadAsArray(), noise)


def test_a_page_in_place_of_a_document_is_not_kept(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    server.fail("page", "/zarr.json")
    with pytest.raises(RuntimeError, match="/zarr.json.*HTTP response code: 200, for http"):
        open_store(server)
    server.heal()
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


def test_a_part_may_leave_the_size_of_the_value_open(server, shard):
    server.edit_range = lambda text: text.partition("/")[0] + "/*"
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


def test_a_part_that_ends_before_its_value_is_an_error(server, shard):
    """The server keeps silent about the size, and sends less than was asked for."""
    server.edit_range = lambda text: text.partition("/")[0] + "/*"
    server.fail("cut range", "/c/0/0")
    assert "/c/0/0" in read_error(server)
    server.heal()
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


@pytest.mark.parametrize("fault", [None, "pieces"])
def test_a_document_beyond_the_limit_is_an_error(tmp_path, server, fault):
    """The server tells its length, or sends it in pieces without one."""
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32), attributes={"long": "x" * 20000})
    if fault:
        server.fail(fault, "/zarr.json")
    gdal.SetConfigOption("ZARR_MAX_CONSOLIDATED_SIZE", "10000")
    try:
        with pytest.raises(RuntimeError, match="zarr.json.*10000"):
            open_store(server)
    finally:
        gdal.SetConfigOption("ZARR_MAX_CONSOLIDATED_SIZE", None)
    np.testing.assert_array_equal(open_store(server).ReadAsArray(), DATA)


def test_a_chunk_beyond_its_size_is_an_error(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    chunk = tmp_path / "a.zarr/c/0/0"
    chunk.write_bytes(chunk.read_bytes() + os.urandom(1 << 20))
    assert "/c/0/0" in read_error(server)
