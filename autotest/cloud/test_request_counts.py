# SPDX-License-Identifier: MIT
"""What the driver tells about its requests: the metadata domain ZARR_REQUESTS, and ZARR_DEBUG=REQUESTS."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python
from stores import consolidate_v3, write_sharded, write_v3, write_v3_group

DATA = np.arange(64 * 64, dtype="<i4").reshape(64, 64)
DOMAIN = "ZARR_REQUESTS"


def name_of(server, store="a.zarr"):
    return f'ZARR:"/vsicurl/{server.url}/{store}"'


def counts_of(dataset):
    return {name: float(value) for name, value in dataset.GetMetadata(DOMAIN).items()}


def test_counts_are_those_of_the_server(tmp_path, slow_server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (16, 16), skip=[(0, 0)])
    dataset = gdal.Open(name_of(slow_server))
    opened = counts_of(dataset)
    assert opened["REQUESTS"] == slow_server.count() == 1 and opened["ROUND_TRIPS"] == 1
    assert opened["BYTES"] == os.path.getsize(tmp_path / "a.zarr" / "zarr.json")
    slow_server.clear()
    dataset.ReadAsArray()
    read = counts_of(dataset)
    assert read["REQUESTS"] - opened["REQUESTS"] == slow_server.count() == 16
    assert 1 <= read["ROUND_TRIPS"] - opened["ROUND_TRIPS"] <= 2  # on a busy machine, the last one may come late
    assert read["BYTES"] - opened["BYTES"] == 15 * 16 * 16 * 4 + len("<Error><Code>NoSuchKey</Code></Error>")
    assert read["RETRIES"] == 0
    assert 0.05 <= read["SECONDS"] - opened["SECONDS"] < 1


def test_requests_for_an_archive_are_counted(tmp_path, slow_server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (16, 16))
    shutil.make_archive(str(tmp_path / "a.zarr"), "zip", tmp_path / "a.zarr")
    dataset = gdal.Open(f'ZARR:"/vsizip/{{/vsicurl/{slow_server.url}/a.zarr.zip}}"')
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert 16 <= counts_of(dataset)["REQUESTS"] <= slow_server.count()  # GDAL sends some itself


def test_requests_that_wait_for_their_turn_are_further_round_trips(tmp_path, slow_server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (16, 16))
    dataset = gdal.Open(name_of(slow_server))
    before = counts_of(dataset)
    gdal.SetConfigOption("ZARR_HTTP_REQUESTS", "4")
    try:
        dataset.ReadAsArray()
    finally:
        gdal.SetConfigOption("ZARR_HTTP_REQUESTS", None)
    assert 4 <= counts_of(dataset)["ROUND_TRIPS"] - before["ROUND_TRIPS"] <= 6


@pytest.mark.parametrize(("edge", "trips"), [(32, 1), (256, 2)])
def test_a_shard_takes_two_round_trips_unless_it_is_small(tmp_path, slow_server, edge, trips):
    data = np.random.default_rng(0).integers(0, 1 << 30, (2 * edge, 2 * edge), "i4")
    write_sharded(str(tmp_path / "a.zarr"), data, (edge, edge), (edge // 2, edge // 2))
    dataset = gdal.Open(name_of(slow_server))
    before = counts_of(dataset)
    dataset.ReadAsArray()
    after = counts_of(dataset)
    assert after["REQUESTS"] - before["REQUESTS"] == 4 * trips
    assert trips <= after["ROUND_TRIPS"] - before["ROUND_TRIPS"] <= trips + 1


def test_retries(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    dataset = gdal.Open(name_of(server))
    server.fail("503", "/c/0/0", times=2)
    gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", "3")
    gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", "0.01")
    try:
        dataset.ReadAsArray()
    finally:
        gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", None)
        gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", None)
    counts = counts_of(dataset)
    assert (counts["REQUESTS"], counts["RETRIES"]) == (4, 2)


def test_the_multidimensional_api(tmp_path, server):
    write_v3_group(str(tmp_path / "a.zarr"))
    write_v3(str(tmp_path / "a.zarr" / "t"), DATA, (16, 16))
    consolidate_v3(str(tmp_path / "a.zarr"))
    dataset = gdal.OpenEx(name_of(server), gdal.OF_MULTIDIM_RASTER)
    assert DOMAIN in dataset.GetMetadataDomainList()
    dataset.GetRootGroup().OpenMDArray("t").ReadAsArray()
    assert int(dataset.GetMetadataItem("REQUESTS", DOMAIN)) == server.count() == 17


def test_requests_of_gdal_are_not_seen_but_what_they_read_is(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    gdal.SetConfigOption("ZARR_HTTP_CLIENT", "GDAL")
    try:
        dataset = gdal.Open(name_of(server))
        before = counts_of(dataset)
        dataset.ReadAsArray()
        after = counts_of(dataset)
    finally:
        gdal.SetConfigOption("ZARR_HTTP_CLIENT", None)
    assert after["REQUESTS"] == 0
    assert after["VALUES_READ_BY_GDAL"] - before["VALUES_READ_BY_GDAL"] == 4
    assert after["BYTES"] - before["BYTES"] == DATA.nbytes


@pytest.mark.parametrize("flags", [gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER])
def test_local_stores_have_no_such_domain(tmp_path, flags):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    dataset = gdal.OpenEx(str(tmp_path / "a.zarr"), flags)
    assert DOMAIN not in (dataset.GetMetadataDomainList() or [])
    assert not dataset.GetMetadata(DOMAIN)


def test_asking_takes_no_request(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    dataset = gdal.Open(name_of(server))
    server.clear()
    assert dataset.GetMetadata(DOMAIN) and dataset.GetMetadataItem("BYTES", DOMAIN)
    assert server.count() == 0


@pytest.mark.parametrize("driver", ["GTiff", "VRT", "Zarr"])
def test_copies_do_not_have_the_domain(tmp_path, server, driver):
    write_v3(str(tmp_path / "a.zarr"), DATA, (32, 32))
    source = gdal.Open(name_of(server))
    assert DOMAIN in source.GetMetadataDomainList()
    copy = str(tmp_path / "copy")
    gdal.Translate(copy, source, format=driver)
    files = [copy] if os.path.isfile(copy) else [os.path.join(w, f) for w, _, names in os.walk(copy) for f in names]
    for file in [*files, *(f for f in [f"{copy}.aux.xml"] if os.path.exists(f))]:
        with open(file, "rb") as f:
            assert b"ROUND_TRIPS" not in f.read()


def test_the_domain_cannot_be_set(tmp_path):
    store = str(tmp_path / "a.zarr")
    dataset = gdal.GetDriverByName("Zarr").Create(store, 8, 8)
    dataset.SetMetadata({"REQUESTS": "5"}, DOMAIN)
    dataset.SetMetadataItem("REQUESTS", "5", DOMAIN)
    del dataset
    assert not os.path.exists(f"{store}.aux.xml") and not gdal.Open(store).GetMetadata(DOMAIN)


# --- ZARR_DEBUG ---

READ = """
import sys
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.Open(sys.argv[1])
print(int(dataset.ReadAsArray().sum()))
"""


def read_in_process(server, **options):
    environment = {**os.environ, **options}
    arguments = python(READ, name_of(server))
    return subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False, env=environment)


def test_each_request_is_printed(tmp_path, server):
    data = np.random.default_rng(0).integers(0, 1 << 20, (256, 256), "i4")
    write_sharded(str(tmp_path / "a.zarr"), data, (256, 256), (64, 64))
    result = read_in_process(server, ZARR_DEBUG="REQUESTS")
    assert result.stdout == f"{data.sum()}\n"
    lines = result.stderr.splitlines()
    begin = re.escape(f"ZARR_DEBUG: /vsicurl/{server.url}/a.zarr: ")
    patterns = [
        r"GET zarr\.json: 200, \d+ bytes, \d+ ms",
        r"GET c/0/0 bytes=-65536: 206, 65536 bytes, \d+ ms",
        r"GET c/0/0 bytes=0-\d+: 206, \d+ bytes, \d+ ms",
        r"in all 3 requests in 3 round trips, 0 retries, 0\.\d+ s, \d+ bytes",
    ]
    assert len(lines) == len(patterns)
    for line, pattern in zip(lines, patterns):
        assert re.fullmatch(begin + pattern, line)


def test_failures_are_printed(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    server.fail("403", "/c/0/0")
    result = read_in_process(server, ZARR_DEBUG="REQUESTS")
    assert re.search(r"a\.zarr: GET c/0/0: 403, \d+ bytes", result.stderr)


def test_nothing_is_printed_without_the_option(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    result = read_in_process(server)
    assert (result.stdout, result.stderr) == (f"{DATA.sum()}\n", "")


def test_another_value_of_the_option_is_an_error(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    assert "ZARR_DEBUG: expected REQUESTS, got" in read_in_process(server, ZARR_DEBUG="request").stderr


def test_secrets_of_urls_are_not_printed(tmp_path, server):
    write_v3(str(tmp_path / "a.zarr"), DATA, (64, 64))
    url = server.url.replace("http://", "http://me:hidden@")
    arguments = python(READ, f'ZARR:"/vsicurl/{url}/a.zarr?hidden"')
    environment = {**os.environ, "ZARR_DEBUG": "REQUESTS"}
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True, env=environment)
    assert "GET c/0/0" in result.stderr and "hidden" not in result.stderr
