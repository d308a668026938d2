# SPDX-License-Identifier: MIT
"""A read returns the present content of the store that was named, whoever else has it open."""

import os
import shutil
import tarfile
import zipfile

import numpy as np
import pytest
from osgeo import gdal

from http_server import Server, Tenants, list_links
from stores import open_array, write_bytes, write_json, write_sharded, write_v2, write_v3, write_v3_group

OLD = np.arange(64, dtype="<i2").reshape(8, 8)
NEW = OLD + 1000
CHUNK = (4, 4)


def write_shards(path, data):
    write_sharded(path, data, (4, 4), (2, 2))


def write_chunks(path, data):
    write_v3(path, data, CHUNK)


def write_compressed(path, data):
    write_v3(path, data, CHUNK, compress=True)


WRITERS = [write_chunks, write_compressed, write_shards]


def read(name, *options):
    return gdal.OpenEx(name, gdal.OF_RASTER, allowed_drivers=["Zarr"], open_options=list(options)).ReadAsArray()


# --- replaced from outside ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("prefix", ["", "/vsimem/fresh"])
def test_replaced_chunks_are_seen(store, write, prefix):
    write(store, OLD)
    name = prefix + store
    copy(store, name)
    try:
        older = gdal.Open(name)
        assert older.ReadAsArray().tolist() == OLD.tolist()
        write(store, NEW)
        copy(store, name)
        assert read(name).tolist() == NEW.tolist()
        os.remove(f"{store}/c/0/0")
        if prefix:
            gdal.Unlink(f"{name}/c/0/0")
        expected = NEW.copy()
        expected[:4, :4] = 0
        assert read(name).tolist() == expected.tolist()
        older = None
    finally:
        if prefix:
            gdal.RmdirRecursive("/vsimem/fresh")


def copy(folder, target):
    if folder == target:
        return
    for parent, _, names in os.walk(folder):
        there = target + parent.removeprefix(folder)
        gdal.MkdirRecursive(there, 0o755)
        for name in names:
            with open(f"{parent}/{name}", "rb") as f:
                gdal.FileFromMemBuffer(f"{there}/{name}", f.read())


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_a_store_that_was_made_again_is_seen(store, form):
    driver = gdal.GetDriverByName("Zarr")

    def create(value):
        dataset = driver.Create(store, 20, 20, 1, gdal.GDT_Byte, [f"FORMAT={form}", "BLOCKSIZE=10,10"])
        dataset.GetRasterBand(1).Fill(value)

    create(1)
    handles = [gdal.Open(store)]
    assert handles[0].ReadAsArray().max() == 1
    for value in range(2, 8):
        shutil.rmtree(store)  # as another process may do
        create(value)
        handles.append(gdal.Open(store))
        assert (handles[-1].ReadAsArray() == value).all()


@pytest.mark.parametrize("suffix", ["zip", "tar"])
def test_a_replaced_archive_is_seen(store, tmp_path, suffix):
    path = str(tmp_path / f"a.{suffix}")

    def pack(data):
        write_chunks(store, data)
        for parent, _, names in os.walk(store):
            for name in names:
                os.utime(f"{parent}/{name}", (1e9, 1e9))
        if suffix == "tar":
            with tarfile.open(path + ".new", "w") as archive:
                archive.add(store, "a.zarr")
        else:
            with zipfile.ZipFile(path + ".new", "w") as archive:
                for parent, _, names in os.walk(store):
                    for name in names:
                        archive.write(f"{parent}/{name}", "a.zarr/" + os.path.relpath(f"{parent}/{name}", store))
        os.replace(path + ".new", path)

    pack(OLD)
    name = f"/vsi{suffix}/{path}/a.zarr"
    older = gdal.Open(name)
    assert older.ReadAsArray().tolist() == OLD.tolist()
    pack(NEW)
    os.utime(path, (2e9, 2e9))
    assert read(name).tolist() == NEW.tolist()


def test_replaced_references_are_seen(tmp_path):
    write_chunks(str(tmp_path / "a.zarr"), OLD)
    refs = {"zarr.json": open(tmp_path / "a.zarr" / "zarr.json").read()}
    for i in range(2):
        for j in range(2):
            refs[f"c/{i}/{j}"] = [f"a.zarr/c/{i}/{j}", 0, 32]
    write_json(str(tmp_path / "refs.json"), refs)
    name = f'ZARR:"{tmp_path}/refs.json"'
    older = gdal.Open(name)
    assert older.ReadAsArray().tolist() == OLD.tolist()
    write_chunks(str(tmp_path / "a.zarr"), NEW)
    assert read(name).tolist() == NEW.tolist()
    older = None


@pytest.mark.parametrize("write", WRITERS)
def test_replaced_chunks_on_a_server_are_seen(tmp_path, write):
    path = str(tmp_path / "a.zarr")
    write(path, OLD)
    with Server(str(tmp_path)).serve() as server:
        name = f'ZARR:"/vsicurl/{server.url}/a.zarr"'
        older = gdal.Open(name)
        assert older.ReadAsArray().tolist() == OLD.tolist()
        write(path, NEW)
        gdal.VSICurlClearCache()
        assert read(name).tolist() == NEW.tolist()
        older = None


# --- one store, however it is spelled -------------------------------------------------------------------------------


def spellings(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    os.symlink(tmp_path / "real", tmp_path / "link")
    monkeypatch.chdir(tmp_path)
    absolute = f"{tmp_path}/real/a.zarr"
    return absolute, [
        f"{tmp_path}/./real/a.zarr",
        f"{tmp_path}//real/a.zarr",
        f"{tmp_path}/link/../real/a.zarr",
        f"{tmp_path}/link/a.zarr",
        "real/a.zarr",
        "./link/a.zarr/",
    ]


def test_write_through_one_spelling_is_seen_through_all(tmp_path, monkeypatch):
    absolute, others = spellings(tmp_path, monkeypatch)
    dataset = gdal.GetDriverByName("Zarr").Create(others[3], 8, 8, 1, gdal.GDT_Byte)
    dataset.GetRasterBand(1).Fill(1)
    dataset = None
    readers = [open_array(name) for name in [absolute, *others]]
    for value in range(2, 10):
        for reader in readers:
            assert reader.ReadAsArray().max() == value - 1
        dataset = gdal.Open(([absolute] + others)[value % 7], gdal.GA_Update)
        dataset.GetRasterBand(1).Fill(value)
        dataset = None
    for reader in readers:
        assert reader.ReadAsArray().min() == 9


def test_write_to_a_store_is_seen_through_a_node_of_it(store):
    write_v3_group(store)
    write_chunks(f"{store}/a", OLD)
    reader = open_array(f"{store}/a")
    assert reader.ReadAsArray().tolist() == OLD.tolist()
    dataset = gdal.Open(f'ZARR:"{store}":/a', gdal.GA_Update)
    dataset.GetRasterBand(1).Fill(3)
    dataset = None
    assert reader.ReadAsArray().tolist() == [[3] * 8] * 8


def test_write_in_memory_is_seen_through_other_spellings():
    try:
        dataset = gdal.GetDriverByName("Zarr").Create("/vsimem/s/a.zarr", 8, 8, 1, gdal.GDT_Byte)
        dataset.GetRasterBand(1).Fill(1)
        dataset = None
        reader = open_array("/vsimem//s/a.zarr")
        assert reader.ReadAsArray().max() == 1
        dataset = gdal.Open("/vsimem/s/a.zarr", gdal.GA_Update)
        dataset.GetRasterBand(1).Fill(2)
        dataset = None
        assert reader.ReadAsArray().min() == 2
    finally:
        gdal.RmdirRecursive("/vsimem/s")


# --- other stores are kept apart ------------------------------------------------------------------------------------


def test_a_changed_link_leads_to_its_new_target(tmp_path):
    """An open dataset stays with the store that it was opened for."""
    for name, data in ("one", OLD), ("two", NEW):
        write_chunks(str(tmp_path / name), data)
    os.symlink(tmp_path / "one", tmp_path / "latest")
    linked = open_array(str(tmp_path / "latest"))
    assert linked.ReadAsArray([0, 0], [4, 4]).tolist() == OLD[:4, :4].tolist()
    os.remove(tmp_path / "latest")
    os.symlink(tmp_path / "two", tmp_path / "latest")
    one = open_array(str(tmp_path / "one"))
    assert read(str(tmp_path / "latest")).tolist() == NEW.tolist()
    assert linked.ReadAsArray().tolist() == OLD.tolist()
    assert one.ReadAsArray().tolist() == OLD.tolist()


def test_query_of_a_url_tells_stores_apart(tmp_path):
    for tenant, data in ("a", OLD), ("b", NEW):
        write_chunks(str(tmp_path / tenant / "x.zarr"), data)
    with Tenants(str(tmp_path), lambda path, query, headers: query).serve() as server:
        a, b = (open_array(f'ZARR:"/vsicurl/{server.url}/x.zarr?{tenant}"') for tenant in "ab")
        for _ in range(2):
            assert a.ReadAsArray().tolist() == OLD.tolist()
            assert b.ReadAsArray().tolist() == NEW.tolist()


@pytest.mark.parametrize("option", ["GDAL_HTTP_HEADERS", "GDAL_HTTP_USERPWD", "GDAL_HTTP_BEARER"])
@pytest.mark.parametrize("thread_local", [False, True])
def test_credentials_tell_stores_apart(tmp_path, option, thread_local):
    if option == "GDAL_HTTP_BEARER" and int(gdal.VersionInfo()) < 3090000:
        pytest.skip("needs GDAL 3.9 or later")
    values = {
        "GDAL_HTTP_HEADERS": ("X-Tenant: a", "X-Tenant: b"),
        "GDAL_HTTP_USERPWD": ("a:a", "b:b"),
        "GDAL_HTTP_BEARER": ("a", "b"),
    }[option]
    seen = {"X-Tenant: a": "a", "X-Tenant: b": "b"}
    for tenant, data in ("a", OLD), ("b", NEW):
        write_chunks(str(tmp_path / tenant / "x.zarr"), data)

    def tenant_of(path, query, headers):
        told = headers.get("X-Tenant") or headers.get("Authorization", "")
        return "b" if told in ("b", "Basic Yjpi", "Bearer b") else "a"

    set_option = gdal.SetThreadLocalConfigOption if thread_local else gdal.SetConfigOption
    with Tenants(str(tmp_path), tenant_of).serve() as server:
        name = f'ZARR:"/vsicurl/{server.url}/x.zarr"'
        extra = ["GDAL_HTTP_AUTH"] if option in ("GDAL_HTTP_USERPWD", "GDAL_HTTP_BEARER") else []
        try:
            for key in extra:
                set_option(key, "BEARER" if option == "GDAL_HTTP_BEARER" else "BASIC")
            set_option(option, values[0])
            a = open_array(name)
            assert a.ReadAsArray().tolist() == OLD.tolist()
            set_option(option, values[1])
            b = open_array(name)
            assert b.ReadAsArray().tolist() == NEW.tolist()
            assert a.ReadAsArray().tolist() == OLD.tolist()
            set_option(option, values[0])
            assert open_array(name).ReadAsArray().tolist() == OLD.tolist()
        finally:
            for key in [option, *extra]:
                set_option(key, None)
    assert seen


def test_what_is_read_with_other_settings_is_not_kept_for_the_first(tmp_path):
    """Like all of GDAL, a handle reads with the settings in force. Its data are not given to users with other
    settings."""
    for tenant, data in ("a", OLD), ("b", NEW):
        write_chunks(str(tmp_path / tenant / "x.zarr"), data)
    with Tenants(str(tmp_path), lambda path, query, headers: headers.get("X-Tenant", "a")).serve() as server:
        name = f'ZARR:"/vsicurl/{server.url}/x.zarr"'
        try:
            gdal.SetConfigOption("GDAL_HTTP_HEADERS", "X-Tenant: a")
            first, second = open_array(name), open_array(name)
            gdal.SetConfigOption("GDAL_HTTP_HEADERS", "X-Tenant: b")
            assert first.ReadAsArray().tolist() == NEW.tolist()
            gdal.SetConfigOption("GDAL_HTTP_HEADERS", "X-Tenant: a")
            assert second.ReadAsArray().tolist() == OLD.tolist()
            assert first.ReadAsArray().tolist() == OLD.tolist()
        finally:
            gdal.SetConfigOption("GDAL_HTTP_HEADERS", None)


@pytest.mark.parametrize("path_specific", [False, True])
def test_endpoints_tell_stores_apart(tmp_path, path_specific):
    if path_specific and not hasattr(gdal, "SetPathSpecificOption"):
        pytest.skip("GDAL's bindings for Python have no SetPathSpecificOption here")
    options = {"AWS_NO_SIGN_REQUEST": "YES", "AWS_HTTPS": "NO", "AWS_VIRTUAL_HOSTING": "FALSE"}
    for tenant, data in ("a", OLD), ("b", NEW):
        write_chunks(str(tmp_path / tenant / "bucket" / "x.zarr"), data)

    def set_endpoint(server):
        endpoint = server and server.url.removeprefix("http://")
        if path_specific:
            gdal.SetPathSpecificOption("/vsis3/bucket", "AWS_S3_ENDPOINT", endpoint)
        else:
            gdal.SetConfigOption("AWS_S3_ENDPOINT", endpoint)

    with Server(str(tmp_path / "a")).serve() as one, Server(str(tmp_path / "b")).serve() as two:
        try:
            for key, value in options.items():
                gdal.SetConfigOption(key, value)
            set_endpoint(one)
            a = open_array("/vsis3/bucket/x.zarr")
            assert a.ReadAsArray().tolist() == OLD.tolist()
            set_endpoint(two)
            b = open_array("/vsis3/bucket/x.zarr")
            assert b.ReadAsArray().tolist() == NEW.tolist()
            assert a.ReadAsArray().tolist() == OLD.tolist()
        finally:
            set_endpoint(None)
            for key in options:
                gdal.SetConfigOption(key, None)


def test_handles_with_another_order_do_not_share_chunks(store):
    """zarr 1.x declares order F for data that it wrote in order C."""
    data = np.arange(192, dtype="u1").reshape(8, 8, 3)
    meta = {"zarr_format": 1, "shape": [8, 8, 3], "chunks": [8, 8, 3], "dtype": "|u1", "compression": None}
    write_json(f"{store}/meta", {**meta, "compression_opts": None, "fill_value": 0, "order": "F"})
    write_json(f"{store}/attrs", {})
    write_bytes(f"{store}/0.0.0", data.tobytes())
    written = open_array(store, None, "V1_ORDER=AS_WRITTEN")
    declared = open_array(store, None, "V1_ORDER=AS_DECLARED")
    for band in range(3):
        band_of = {"array_start_idx": [0, 0, band], "count": [8, 8, 1]}
        assert written.ReadAsArray(**band_of)[..., 0].tolist() == data[..., band].tolist()
        expected = data.reshape(3, 8, 8).T[..., band]
        assert declared.ReadAsArray(**band_of)[..., 0].tolist() == expected.tolist()


# --- CACHE_TILE_PRESENCE --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_tile_presence_loses_nothing_that_others_have_written(store, form):
    dataset = gdal.GetDriverByName("Zarr").Create(
        store, 64, 64, 1, gdal.GDT_Byte, [f"FORMAT={form}", "BLOCKSIZE=64,64"]
    )
    dataset = None
    updated = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["CACHE_TILE_PRESENCE=YES"])
    assert updated.ReadAsArray().max() == 0
    other = gdal.Open(store, gdal.GA_Update)
    other.GetRasterBand(1).Fill(7)
    other = None
    updated.WriteRaster(0, 0, 8, 8, bytes([9] * 64), 8, 8)
    updated = None
    values = read(store)
    assert (values == 9).sum() == 64 and (values == 7).sum() == 64 * 64 - 64


@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_tile_presence_sees_later_chunks_of_a_folder(store, write):
    write(store, OLD, CHUNK, skip=[(0, 0), (1, 1)])
    array = open_array(store, None, "CACHE_TILE_PRESENCE=YES")
    assert array.ReadAsArray()[:4, :4].max() == 0
    write(store, OLD, CHUNK)
    assert array.ReadAsArray().tolist() == OLD.tolist()


def test_tile_presence_lists_anew_for_each_handle(tmp_path):
    write_v2(str(tmp_path / "a.zarr"), OLD, CHUNK, skip=[(0, 0)])
    with Server(str(tmp_path)).serve() as server:
        server.index_page = list_links
        name = f'ZARR:"/vsicurl/{server.url}/a.zarr"'
        older = open_array(name, None, "CACHE_TILE_PRESENCE=YES")
        assert older.ReadAsArray()[:4, :4].max() == 0
        assert server.find_requests("/0.0") == []
        write_v2(str(tmp_path / "a.zarr"), OLD, CHUNK)
        assert open_array(name, None, "CACHE_TILE_PRESENCE=YES").ReadAsArray().tolist() == OLD.tolist()
