# SPDX-License-Identifier: MIT
"""Stores through GDAL's file systems: absence, failures, and numbers of requests."""

import json
import os
import shutil
import zipfile

import numpy as np
import pytest
from http_server import Server, list_links
from osgeo import gdal
from stores import open_array, open_group, write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(24, dtype="<i2").reshape(4, 6)


@pytest.fixture
def remote(server, tmp_path):
    """The name of a store of 4 chunks of DATA that GDAL has not seen before."""
    write_v3(str(tmp_path / "a.zarr"), DATA, (2, 3), fill=-1)
    return f'ZARR:"/vsicurl/{server.url}/a.zarr"'


class config:
    """Sets configuration options for a while."""

    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        for name, value in self.options.items():
            gdal.SetConfigOption(name, value)

    def __exit__(self, *_):
        for name in self.options:
            gdal.SetConfigOption(name, None)


# --- local, memory, archives ----------------------------------------------------------------------------------------


def test_chunk_that_is_not_there_is_the_fill_value(store):
    write_v3(store, DATA, (2, 3), fill=-1, skip=[(0, 1)])
    expected = DATA.copy()
    expected[0:2, 3:6] = -1
    assert open_array(store).ReadAsArray().tolist() == expected.tolist()


def test_chunk_below_a_file_is_not_there(store):
    write_v3(store, DATA, (2, 3), fill=-1)
    shutil.rmtree(f"{store}/c/0")
    write_bytes(f"{store}/c/0", b"a file, where a folder should be")
    assert open_array(store).ReadAsArray()[0:2].tolist() == [[-1] * 6] * 2


def test_chunk_that_is_a_folder_is_an_error(store):
    write_v3(store, DATA, (2, 3), skip=[(0, 0)])
    os.makedirs(f"{store}/c/0/0")
    with pytest.raises(RuntimeError, match="c/0/0: expected a file, got a folder"):
        open_array(store).ReadAsArray()


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not hold for root")
def test_chunk_that_may_not_be_read_is_an_error(store):
    write_v3(store, DATA, (2, 3))
    os.chmod(f"{store}/c/0/0", 0)
    with pytest.raises(RuntimeError, match="c/0/0: cannot (be opened|open): .*Permission denied"):
        open_array(store).ReadAsArray()


def test_symbolic_link_to_itself_is_an_error_and_not_absent(store):
    write_v3(store, DATA, (2, 3), skip=[(0, 0)])
    os.symlink("0", f"{store}/c/0/0")
    with pytest.raises(RuntimeError, match="c/0/0: cannot open: .*[Ss]ymbolic links"):
        open_array(store).ReadAsArray()


def test_symbolic_links_to_files_and_folders_are_followed(store, tmp_path):
    write_v3_group(store)
    write_v3(str(tmp_path / "elsewhere"), DATA)
    os.symlink(str(tmp_path / "elsewhere"), f"{store}/a")
    assert open_group(store).GetMDArrayNames() == ["a"]
    assert open_array(store).ReadAsArray().tolist() == DATA.tolist()


def test_the_path_of_a_store_may_be_relative(store, monkeypatch):
    write_v3(store, DATA)
    monkeypatch.chdir(os.path.dirname(store))
    assert open_array("test.zarr").ReadAsArray().tolist() == DATA.tolist()


def upload(folder, target):
    for path, _, names in os.walk(folder):
        there = target + path.removeprefix(folder)
        gdal.MkdirRecursive(there, 0o755)
        for name in names:
            with open(os.path.join(path, name), "rb") as f:
                gdal.FileFromMemBuffer(f"{there}/{name}", f.read())


def test_a_store_may_be_in_memory(store):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA, (2, 3), fill=7, skip=[(1, 1)])
    upload(store, "/vsimem/test.zarr")
    try:
        expected = DATA.copy()
        expected[2:, 3:] = 7
        assert open_group("/vsimem/test.zarr").GetMDArrayNames() == ["a"]
        assert open_array("/vsimem/test.zarr").ReadAsArray().tolist() == expected.tolist()
    finally:
        gdal.RmdirRecursive("/vsimem/test.zarr")


def pack(folder, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for parent, _, names in os.walk(folder):
            for name in names:
                file = os.path.join(parent, name)
                archive.write(file, os.path.relpath(file, folder))


def test_a_store_may_be_in_a_zip_file(store, tmp_path):
    write_v2_group(store)
    write_v2(f"{store}/a", DATA, (2, 3), fill=7, skip=[(0, 0)])
    write_v2_group(f"{store}/g")
    path = str(tmp_path / "b.zip")
    pack(store, path)
    expected = DATA.copy()
    expected[:2, :3] = 7
    group = open_group(f"/vsizip/{path}")
    assert (group.GetMDArrayNames(), group.GetGroupNames()) == (["a"], ["g"])
    assert group.OpenMDArray("a").ReadAsArray().tolist() == expected.tolist()


def test_damaged_entry_of_a_zip_file_is_an_error(store, tmp_path):
    write_v2(store, np.zeros((100, 100), "<i4"))
    path = str(tmp_path / "b.zip")
    pack(store, path)
    with open(path, "rb") as f:
        data = bytearray(f.read())
    entry = zipfile.ZipFile(path).getinfo("0.0")
    start = entry.header_offset + 30 + len("0.0")
    data[start : start + 20] = b"\xff" * 20
    write_bytes(path, bytes(data))
    with pytest.raises(RuntimeError, match="0.0: "):
        open_array(f"/vsizip/{path}").ReadAsArray()


# --- network: absence or failure ------------------------------------------------------------------------------------


def test_a_store_may_be_on_a_web_server(remote):
    assert open_array(remote).ReadAsArray().tolist() == DATA.tolist()


def test_status_404_is_an_absent_chunk(remote, server, tmp_path):
    os.remove(tmp_path / "a.zarr" / "c" / "0" / "1")
    expected = DATA.copy()
    expected[:2, 3:] = -1
    array = open_array(remote)
    for _ in range(2):  # the second time from GDAL's cache
        assert array.ReadAsArray().tolist() == expected.tolist()


@pytest.mark.parametrize("status", [401, 403, 500, 503])
def test_other_statuses_of_a_chunk_are_errors(remote, server, status):
    server.failures["/c/0/1"] = status
    array = open_array(remote)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=f"a.zarr/c/0/1: cannot be opened: HTTP response code: {status}"):
            array.ReadAsArray()


@pytest.mark.parametrize("status", [403, 500])
def test_other_statuses_of_metadata_are_errors(remote, server, status):
    server.failures["/zarr.json"] = status
    with pytest.raises(RuntimeError, match=f"zarr.json: cannot be opened: HTTP response code: {status}"):
        open_group(remote)


def test_failure_that_has_passed_is_forgotten(remote, server):
    array = open_array(remote)
    server.failures["/c/1/0"] = 503
    with pytest.raises(RuntimeError, match="503"):
        array.ReadAsArray()
    server.failures.clear()
    assert array.ReadAsArray().tolist() == DATA.tolist()


def test_failure_that_gdal_met_before_is_no_absence(remote, server):
    server.failures["/c/0/0"] = 403
    array = open_array(remote)
    with config(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR"):
        assert gdal.VSIStatL(f"/vsicurl/{server.url}/a.zarr/c/0/0") is None
    with pytest.raises(RuntimeError, match="HTTP response code: 403"):
        array.ReadAsArray()


def test_server_that_is_gone_is_an_error(tmp_path):
    with Server(str(tmp_path)).serve() as server:
        write_v3(str(tmp_path / "a.zarr"), DATA, (2, 3), fill=-1)
        array = open_array(f'ZARR:"/vsicurl/{server.url}/a.zarr"')
    with pytest.raises(RuntimeError, match="cannot be opened: .*[Cc]onnect"):
        array.ReadAsArray()


def test_connection_that_breaks_is_an_error(remote, server):
    server.failures["/c/0/0"] = "cut"
    with pytest.raises(RuntimeError, match="c/0/0"):
        open_array(remote).ReadAsArray()


def test_errors_of_gdal_reach_nobody_when_all_goes_well(remote, server, tmp_path):
    os.remove(tmp_path / "a.zarr" / "c" / "0" / "1")
    seen = []
    gdal.PushErrorHandler(lambda *error: seen.append(error))
    try:
        open_array(remote).ReadAsArray()
        assert gdal.GetLastErrorMsg() == ""
    finally:
        gdal.PopErrorHandler()
    assert seen == []


def test_one_failure_is_one_error(remote, server):
    server.failures["/c/0/1"] = 500
    seen = []
    array = open_array(remote)
    gdal.PushErrorHandler(lambda level, number, message: seen.append(message))
    gdal.DontUseExceptions()
    try:
        array.Read()
    finally:
        gdal.UseExceptions()
        gdal.PopErrorHandler()
    assert len(seen) == 1


# --- network: numbers of requests -----------------------------------------------------------------------------------


def test_value_costs_one_request(remote, server):
    open_array(remote).ReadAsArray()
    assert server.find_requests("/c/1/1") == ["GET"]
    assert server.find_requests("zarr.json") == ["GET"]


def test_absent_chunk_costs_one_request(remote, server, tmp_path):
    os.remove(tmp_path / "a.zarr" / "c" / "0" / "1")
    open_array(remote).ReadAsArray()
    assert server.find_requests("/c/0/1") == ["GET"]


def test_nothing_is_asked_for_outside_the_store(server, tmp_path):
    write_v3_group(str(tmp_path / "deep" / "a.zarr"))
    write_v3(str(tmp_path / "deep" / "a.zarr" / "v"), DATA, names=["y", "x"])
    write_v3(str(tmp_path / "deep" / "x"), np.arange(6.0), names=["x"])
    array = open_group(f'ZARR:"/vsicurl/{server.url}/deep/a.zarr"').OpenMDArray("v")
    assert [d.GetIndexingVariable() for d in array.GetDimensions()] == [None, None]
    assert {path.startswith("/deep/a.zarr/") for _, path in server.log} == {True}


def test_consolidated_metadata_spare_all_other_metadata(server, tmp_path):
    path = str(tmp_path / "a.zarr")
    write_v3_group(path)
    for name, data, names in [("v", DATA, ["y", "x"]), ("y", np.arange(4.0), ["y"]), ("x", np.arange(6.0), ["x"])]:
        write_v3(f"{path}/{name}", data, names=names)
    metadata = {n: json.load(open(f"{path}/{n}/zarr.json")) for n in "vyx"}
    group = {"zarr_format": 3, "node_type": "group", "attributes": {}}
    group["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": metadata}
    write_json(f"{path}/zarr.json", group)
    root = open_group(f'ZARR:"/vsicurl/{server.url}/a.zarr"')
    assert root.GetMDArrayNames() == ["v", "x", "y"]
    array = root.OpenMDArray("v")
    assert [d.GetIndexingVariable().GetName() for d in array.GetDimensions()] == ["y", "x"]
    assert {path for _, path in server.log} == {"/a.zarr/zarr.json"}


def test_query_of_a_url_is_kept(server, tmp_path):
    write_v3(str(tmp_path / "a.zarr"), DATA, (2, 3))
    server.required_query = "token=1&x=2"
    array = open_array(f'ZARR:"/vsicurl/{server.url}/a.zarr?token=1&x=2"')
    assert array.GetName() == "a"
    assert array.ReadAsArray().tolist() == DATA.tolist()


def test_url_of_a_store_is_found_without_a_prefix(remote):
    assert open_array(remote[len('ZARR:"') : -1]).ReadAsArray().tolist() == DATA.tolist()


# --- threads --------------------------------------------------------------------------------------------------------


def test_options_of_the_calling_thread_hold_on_all_threads(remote, server):
    server.required_header = "X-Key"
    gdal.SetThreadLocalConfigOption("GDAL_HTTP_HEADERS", "X-Key: secret")
    try:
        with config(GDAL_NUM_THREADS="4"):
            assert open_array(remote).ReadAsArray().tolist() == DATA.tolist()
    finally:
        gdal.SetThreadLocalConfigOption("GDAL_HTTP_HEADERS", None)
    assert len([1 for _, path in server.log if "/c/" in path]) >= 4


# --- listing of chunks ----------------------------------------------------------------------------------------------


def test_tile_presence_spares_requests_for_absent_chunks(tmp_path, server):
    path = str(tmp_path / "a.zarr")
    write_v2(path, DATA, (2, 3), fill=-1, skip=[(0, 1), (1, 0)])
    expected = DATA.copy()
    expected[:2, 3:] = expected[2:, :3] = -1
    server.index_page = list_links
    array = open_array(f'ZARR:"/vsicurl/{server.url}/a.zarr"', None, "CACHE_TILE_PRESENCE=YES")
    assert array.ReadAsArray().tolist() == expected.tolist()
    # The listing was made before this chunk.
    write_bytes(f"{path}/0.1", DATA[:2, 3:].tobytes())
    assert array.ReadAsArray(array_start_idx=[0, 3], count=[2, 3]).tolist() == [[-1] * 3] * 2
    assert server.find_requests("/0.1") == []


def test_tile_presence_falls_back_where_nothing_can_be_listed(remote):
    assert open_array(remote, None, "CACHE_TILE_PRESENCE=YES").ReadAsArray().tolist() == DATA.tolist()


@pytest.mark.parametrize("page", [list_links, lambda path, names: "<html><title>Welcome</title></html>"])
@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_tile_presence_works_with_pages_for_folders(tmp_path, server, page, write):
    server.index_page = page
    write(str(tmp_path / "a.zarr"), DATA, (2, 3), skip=[(0, 1)])
    expected = DATA.copy()
    expected[:2, 3:] = 0
    array = open_array(f'ZARR:"/vsicurl/{server.url}/a.zarr"', None, "CACHE_TILE_PRESENCE=YES")
    assert array.ReadAsArray().tolist() == expected.tolist()
    absent = "/0.1" if write is write_v2 else "/c/0/1"
    assert server.find_requests(absent) == ([] if page is list_links else ["GET"])
