# SPDX-License-Identifier: MIT
"""A failure of a server is never taken for data: it is an error that names the URL and the status, and once it has
passed, the next read is right."""

import contextlib
import json
import os
import shutil
import threading

import numpy as np
import pytest
from fault_server import FAULTS, OF_PARTS, RIGHT
from osgeo import gdal
from stores import consolidate_v2, consolidate_v3, write_sharded, write_v2, write_v2_group, write_v3, write_v3_group

RIGHT_FOR_WHOLE = RIGHT | OF_PARTS
NOT_RETRIED = {"403", "302"}
DATA = np.arange(1, 64 * 64 + 1, dtype="<i4").reshape(64, 64)


@pytest.fixture(autouse=True)
def short_timeout(settings):
    """A server that sends nothing more ends a request soon."""
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", "1")


def name_of(server, store="a.zarr"):
    return f'ZARR:"/vsicurl/{server.url}/{store}"'


def read_raster(dataset):
    return dataset.ReadAsArray()


def read_array(dataset):
    group = dataset.GetRootGroup()
    return group.OpenMDArray(group.GetMDArrayNames()[0]).ReadAsArray()


APIS = {"raster": (gdal.OF_RASTER, read_raster), "multidimensional": (gdal.OF_MULTIDIM_RASTER, read_array)}


@pytest.fixture(params=APIS)
def api(request):
    return APIS[request.param]


@pytest.fixture(params=FAULTS)
def fault(request):
    return request.param


WRITERS = {
    "chunks": lambda store: write_v3(store, DATA, (32, 32)),
    "compressed chunks": lambda store: write_v3(store, DATA, (32, 32), compress=True),
    "chunks of v2": lambda store: write_v2(store, DATA, (32, 32), compressor={"id": "zlib", "level": 1}),
    "shards": lambda store: write_sharded(store, DATA, (32, 32), (16, 16)),
    "shards with the index first": lambda store: write_sharded(store, DATA, (32, 32), (16, 16), location="start"),
}
LAST_CHUNK = {"chunks of v2": "/1.1"}


@contextlib.contextmanager
def retries(count):
    gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", str(count))
    gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", "0.01")
    yield
    gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", None)
    gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", None)


def check_failure(read, server, fault, key):
    """Reads while the server fails: either the values are right, or there is an error that tells why."""
    try:
        values = read()
    except RuntimeError as error:
        assert fault not in RIGHT
        text = str(error)
        assert key in text and f"{server.url}/a.zarr{key}" in text
        if fault != "reset":
            assert f"HTTP response code: {fault if fault.isdigit() else 20}" in text
        return
    # Parts of a shard may be whole in a cut body.
    assert fault in RIGHT_FOR_WHOLE or fault in ("short", "broken pieces")
    np.testing.assert_array_equal(values, DATA)


@pytest.mark.parametrize("writer", WRITERS)
def test_faults_of_chunks(tmp_path, server, api, fault, writer):
    WRITERS[writer](str(tmp_path / "a.zarr"))
    flags, read = api
    dataset = gdal.OpenEx(name_of(server), flags)
    key = LAST_CHUNK.get(writer, "/c/1/1")
    server.fail(fault, key)
    for _ in range(2):
        check_failure(lambda: read(dataset), server, fault, key)
    server.heal()
    np.testing.assert_array_equal(read(dataset), DATA)
    np.testing.assert_array_equal(read(gdal.OpenEx(name_of(server), flags)), DATA)


def test_faults_between_index_and_chunks(tmp_path, server, fault):
    """The second request for a shard fails."""
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16))
    dataset = gdal.Open(name_of(server))
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, 16, 16), DATA[:16, :16])
    server.fail(fault, "/c/0/0")
    try:
        values = dataset.ReadAsArray(48, 48, 16, 16)
        assert fault in RIGHT
        np.testing.assert_array_equal(values, DATA[48:, 48:])
    except RuntimeError as error:
        assert fault not in RIGHT and "/c/0/0" in str(error)
    server.heal()
    np.testing.assert_array_equal(dataset.ReadAsArray(48, 48, 16, 16), DATA[48:, 48:])


@pytest.mark.parametrize("location", ["start", "end"])
def test_faults_of_large_shards(tmp_path, server, fault, location):
    """More than comes with an index."""
    noise = np.random.default_rng(0).integers(0, 1 << 30, (256, 256), "i4")
    write_sharded(str(tmp_path / "a.zarr"), noise, (256, 256), (64, 64), location=location)
    dataset = gdal.Open(name_of(server))
    server.fail(fault, "/c/0/0")
    for window in ((0, 0, 16, 16), (192, 192, 16, 16), (0, 0, 256, 256)):
        x, y, width, height = window
        try:
            np.testing.assert_array_equal(dataset.ReadAsArray(*window), noise[y : y + height, x : x + width])
        except RuntimeError as error:
            assert fault not in RIGHT and "/c/0/0" in str(error)
    server.heal()
    np.testing.assert_array_equal(dataset.ReadAsArray(), noise)


def test_faults_of_metadata(tmp_path, server, api, fault):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    flags, read = api
    server.fail(fault, "/zarr.json")
    check_failure(lambda: read(gdal.OpenEx(name_of(server), flags)), server, fault, "/zarr.json")
    server.heal()
    np.testing.assert_array_equal(read(gdal.OpenEx(name_of(server), flags)), DATA)


def test_a_retry_gives_the_right_values(tmp_path, server, api, fault):
    """As GDAL's options say."""
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32), compress=True)
    flags, read = api
    dataset = gdal.OpenEx(name_of(server), flags)
    with retries(2):
        server.fail(fault, "/c/1/1", times=2)
        if fault in NOT_RETRIED:
            with pytest.raises(RuntimeError, match="/c/1/1"):
                read(dataset)
            server.heal()
        np.testing.assert_array_equal(read(dataset), DATA)


def test_a_retry_gives_the_right_shards(tmp_path, server, fault):
    """The answer that is wrong may be the one with the index, or the one with the inner chunks."""
    write_sharded(str(tmp_path / "a.zarr"), DATA, (64, 64), (16, 16))
    with retries(3):
        for right in (0, 1):
            dataset = gdal.Open(name_of(server))
            if right:
                dataset.ReadAsArray(0, 0, 16, 16)
            server.fail(fault, "/c/0/0", times=1 if fault in NOT_RETRIED else 2)
            if fault in NOT_RETRIED:
                with pytest.raises(RuntimeError, match=fault):
                    dataset.ReadAsArray()
            np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
            server.heal()


def test_a_retry_gives_the_right_part_of_a_chunk(tmp_path, server, fault):
    """A pixel of a chunk that is stored as it is takes a request for a range."""
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    dataset = gdal.Open(name_of(server))
    with retries(2):
        server.fail(fault, "/c/0/0", times=1 if fault in NOT_RETRIED else 2)
        if fault in NOT_RETRIED:
            with pytest.raises(RuntimeError, match=fault):
                dataset.ReadAsArray(40, 41, 1, 1)
        assert dataset.ReadAsArray(40, 41, 1, 1) == DATA[41, 40]


@pytest.mark.parametrize("fault", ["short", "page", "cut range", "part as whole"])
def test_a_retry_reads_an_archive(tmp_path, server, fault):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32), compress=True)
    shutil.make_archive(str(tmp_path / "a.zarr"), "zip", tmp_path / "a.zarr")
    name = f'ZARR:"/vsizip/{{/vsicurl/{server.url}/a.zarr.zip}}"'
    with retries(2):
        server.fail(fault, "/a.zarr.zip", times=2)
        np.testing.assert_array_equal(gdal.Open(name).ReadAsArray(), DATA)


@pytest.mark.parametrize("fault", ["short", "page", "cut range", "part as whole"])
def test_a_retry_reads_what_references_lead_to(tmp_path, server, fault):
    write_v2(str(tmp_path / "a.zarr"), DATA, (64, 64), compressor={"id": "zlib", "level": 1})
    references = {".zarray": (tmp_path / "a.zarr/.zarray").read_text(), "0.0": [f"{server.url}/a.zarr/0.0"]}
    (tmp_path / "a.json").write_text(json.dumps({"version": 1, "refs": references}))
    with retries(2):
        dataset = gdal.Open(f'ZARR:"{tmp_path}/a.json"')
        server.fail(fault, "/0.0", times=2)
        np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)


def test_chosen_statuses_are_tried_again(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    dataset = gdal.Open(name_of(server))
    gdal.SetConfigOption("GDAL_HTTP_RETRY_CODES", "403")
    try:
        with retries(1):
            server.fail("403", "/c/0/0", times=1)
            np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
            server.fail("500", "/c/0/0", times=1)
            with pytest.raises(RuntimeError, match="500"):
                gdal.Open(name_of(server)).ReadAsArray()
    finally:
        gdal.SetConfigOption("GDAL_HTTP_RETRY_CODES", None)


# --- places ---------------------------------------------------------------------------------------------------------


def write_with_place(store):
    write_v3_group(store)
    write_v3(f"{store}/t", DATA, (32, 32), names=["lat", "lon"])
    for name, units in (("lat", "degrees_north"), ("lon", "degrees_east")):
        values = np.linspace(50, 40, 64) if name == "lat" else np.linspace(10, 20, 64)
        write_v3(f"{store}/{name}", values, names=[name], attributes={"units": units, "standard_name": name + "itude"})
    consolidate_v3(store)


def get_place(server):
    dataset = gdal.Open(name_of(server))
    return dataset.GetGeoTransform(can_return_null=True)


@pytest.mark.parametrize("key", ["/lat/c/0", "/lon/c/0"])
def test_faults_of_coordinates_are_errors_and_not_lost_places(tmp_path, server, fault, key):
    write_with_place(str(tmp_path / "a.zarr"))
    expected = pytest.approx((9.92063, 0.15873, 0, 50.07937, 0, -0.15873), abs=1e-4)
    server.fail(fault, key)
    try:
        assert get_place(server) == expected and fault in RIGHT_FOR_WHOLE
    except RuntimeError as error:
        assert key in str(error)
        assert f"{server.url}/a.zarr{key}" in str(error)
        if fault != "reset":
            assert f"HTTP response code: {fault if fault.isdigit() else 200}" in str(error) or fault == "wrong range"
    server.heal()
    assert get_place(server) == expected


@pytest.mark.parametrize("key", ["/lat/zarr.json", "/lon/zarr.json"])
def test_faults_of_the_metadata_of_coordinates_are_errors(tmp_path, server, fault, key):
    """In a store without consolidated metadata, each coordinate has a document to be asked for."""
    store = str(tmp_path / "a.zarr")
    write_with_place(store)
    write_v3_group(store)  # without the consolidated metadata
    expected = pytest.approx((9.92063, 0.15873, 0, 50.07937, 0, -0.15873), abs=1e-4)
    name = name_of(server) + ":/t"
    server.fail(fault, key)
    try:
        assert gdal.Open(name).GetGeoTransform(can_return_null=True) == expected and fault in RIGHT_FOR_WHOLE
    except RuntimeError as error:
        assert key in str(error)
    server.heal()
    assert gdal.Open(name).GetGeoTransform(can_return_null=True) == expected


def test_faults_of_consolidated_metadata_of_v2_are_errors(tmp_path, server, api, fault):
    """A web server lists no folders: without them, the group would seem to be empty."""
    store = str(tmp_path / "a.zarr")
    write_v2_group(store)
    write_v2(f"{store}/t", DATA, (32, 32))
    consolidate_v2(store)
    flags, read = api
    server.fail(fault, "/.zmetadata")
    check_failure(lambda: read(gdal.OpenEx(name_of(server), flags)), server, fault, "/.zmetadata")
    server.heal()
    np.testing.assert_array_equal(read(gdal.OpenEx(name_of(server), flags)), DATA)


@pytest.mark.parametrize("key", ["/.zgroup", "/t/.zarray", "/t/.zattrs"])
def test_faults_of_v2_documents_are_errors(tmp_path, server, fault, key):
    store = str(tmp_path / "a.zarr")
    write_v2_group(store)
    write_v2(f"{store}/t", DATA, (32, 32), attributes={"units": "m"})
    name = name_of(server) + ":/t"
    server.fail(fault, key)
    try:
        dataset = gdal.Open(name)
        assert fault in RIGHT_FOR_WHOLE and dataset.GetRasterBand(1).GetUnitType() == "m"
    except RuntimeError as error:
        assert key in str(error)
    server.heal()
    dataset = gdal.Open(name)
    assert dataset.GetRasterBand(1).GetUnitType() == "m"
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)


# --- many threads, changed settings -----------------------------------------------------------------------------------


def test_many_threads_share_connections(tmp_path, server):
    """Each thread gets the answers to its own requests, and none waits for ever."""
    data = np.arange(256 * 64, dtype="<i4").reshape(256, 64)
    write_v3(str(tmp_path / "a.zarr"), data, (4, 8))
    bad = []

    def work(i):
        try:
            read_rows(i)
        except RuntimeError as error:
            bad.append(str(error))

    def read_rows(i):
        array = gdal.OpenEx(name_of(server), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
        for j in range(10):
            row = (i * 37 + j * 13) % 250
            values = array.ReadAsArray(array_start_idx=[row, j], count=[5, 40])
            if not (values == data[row : row + 5, j : j + 40]).all():
                bad.append(row)

    gdal.SetConfigOption("ZARR_CACHE_SIZE", "0")
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", "60")  # the server has much to do
    threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gdal.SetConfigOption("ZARR_CACHE_SIZE", None)
    assert not bad


def test_the_client_can_be_switched_off(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    gdal.SetConfigOption("ZARR_HTTP_CLIENT", "GDAL")
    try:
        np.testing.assert_array_equal(gdal.Open(name_of(server)).ReadAsArray(), DATA)
        assert "HEAD" in {entry[0] for entry in server.log}
    finally:
        gdal.SetConfigOption("ZARR_HTTP_CLIENT", None)


def test_an_unknown_client_is_an_error(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    gdal.SetConfigOption("ZARR_HTTP_CLIENT", "curl")
    try:
        with pytest.raises(RuntimeError, match="ZARR_HTTP_CLIENT: expected OWN or GDAL, got curl"):
            gdal.Open(name_of(server))
    finally:
        gdal.SetConfigOption("ZARR_HTTP_CLIENT", None)


# --- faults at random -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flavour", APIS)
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_at_random(tmp_path, server, fault, flavour):
    """Some of the requests fail, whatever they are for. ZARR_FAULT_RUNS says how often this is tried."""
    flags, _ = APIS[flavour]
    store = str(tmp_path / "a.zarr")
    write_with_place(store)
    write_sharded(f"{store}/s", DATA, (32, 32), (16, 16), names=["lat", "lon"])
    consolidate_v3(store)
    expected = pytest.approx((9.92063, 0.15873, 0, 50.07937, 0, -0.15873), abs=1e-4)
    random = np.random.default_rng(sum(map(ord, fault + flavour)))

    def read(name):
        if flags == gdal.OF_RASTER:
            dataset = gdal.Open(f"{name_of(server)}:/{name}")
            assert dataset.GetGeoTransform(can_return_null=True) == expected
            return dataset.ReadAsArray()
        group = gdal.OpenEx(name_of(server), flags).GetRootGroup()
        array = group.OpenMDArray(name)
        values = array.GetDimensions()[1].GetIndexingVariable().ReadAsArray()
        np.testing.assert_array_equal(values, np.linspace(10, 20, 64))
        return array.ReadAsArray()

    keys = ["zarr.json", "/lat/c/0", "/lon/c/0", *(f"/{n}/c/{i}/{j}" for n in "ts" for i in (0, 1) for j in (0, 1))]
    for _ in range(int(os.environ.get("ZARR_FAULT_RUNS", "5"))):
        name = random.choice(["t", "s"])
        for key in random.choice(keys, random.integers(1, 4), replace=False):
            server.fail(fault, key, times=int(random.integers(1, 4)))
        with contextlib.suppress(RuntimeError):
            np.testing.assert_array_equal(read(name), DATA)
        server.heal()
        np.testing.assert_array_equal(read(name), DATA)
