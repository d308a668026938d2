# SPDX-License-Identifier: MIT
"""Failures of archives, and of other files that wrap stores, do not count as absence."""

import ctypes
import ctypes.util
import gzip
import os
import tarfile

import numpy as np
import pytest
from http_server import Server, Tenants
from osgeo import gdal
from stores import open_array, write_bytes, write_v3

OLD = np.arange(64, dtype="<i2").reshape(8, 8)
CHUNK = (4, 4)


def write_chunks(path, data):
    write_v3(path, data, CHUNK)


def read(name):
    return gdal.OpenEx(name, gdal.OF_RASTER, allowed_drivers=["Zarr"]).ReadAsArray()


# --- /vsitar/ --------------------------------------------------------------------------------------------------------

@pytest.fixture
def tar(tmp_path):
    write_chunks(str(tmp_path / "a.zarr"), OLD)
    os.remove(tmp_path / "a.zarr" / "c" / "1" / "1")
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(tmp_path / "a.zarr" / "zarr.json", "a.zarr/zarr.json")
        archive.add(tmp_path / "a.zarr" / "c", "a.zarr/c")
    return str(tmp_path / "a.tar")


def expected_without_last():
    expected = OLD.copy()
    expected[4:, 4:] = 0
    return expected.tolist()


def test_a_chunk_may_be_absent_from_a_tar_file(tar):
    assert read(f"/vsitar/{tar}/a.zarr").tolist() == expected_without_last()
    assert read(f"/vsitar/{{{tar}}}/a.zarr").tolist() == expected_without_last()


def test_a_chunk_may_be_absent_from_a_tar_file_on_a_server(tar, tmp_path):
    with Server(str(tmp_path)).serve() as server:
        assert read(f"/vsitar//vsicurl/{server.url}/a.tar/a.zarr").tolist() == expected_without_last()


@pytest.mark.parametrize("status", [403, 500, "gone"])
def test_a_failing_server_of_a_tar_file_is_an_error(tar, tmp_path, status):
    with Server(str(tmp_path)).serve() as server:
        array = open_array(f"/vsitar//vsicurl/{server.url}/a.tar/a.zarr")
        gdal.VSICurlClearCache()
        if status != "gone":
            server.failures["a.tar"] = status
            with pytest.raises(RuntimeError, match="c/0/0"):
                array.ReadAsArray()
    if status == "gone":
        with pytest.raises(RuntimeError, match="c/0/0"):
            array.ReadAsArray()


@pytest.mark.parametrize("content", [b"", b"no archive at all", "cut"])
def test_a_tar_file_that_was_damaged_is_an_error(tar, content):
    name = f"/vsitar/{tar}/a.zarr"
    array = open_array(name)
    with open(tar, "rb") as f:
        data = f.read()
    write_bytes(tar, data[:1000] if content == "cut" else content)
    with pytest.raises(RuntimeError):
        array.ReadAsArray()


def test_a_tar_file_that_is_cut_off_is_an_error(tar):
    """The chunk may have been in the part that was cut off."""
    with open(tar, "rb") as f:
        data = f.read()
    with tarfile.open(tar) as archive:
        last = [member for member in archive.getmembers() if member.isfile()][-1]
    write_bytes(tar, data[: last.offset + 100])
    with pytest.raises(RuntimeError):
        read(f"/vsitar/{tar}/a.zarr")


def test_a_tar_file_that_was_read_in_part_is_an_error(tmp_path):
    """GDAL uses the headers that it could read, and caches them."""
    data = np.arange(1, 4097, dtype="<i2").reshape(64, 64)
    write_chunks(str(tmp_path / "a.zarr"), data)
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(tmp_path / "a.zarr" / "zarr.json", "a.zarr/zarr.json")
        archive.add(tmp_path / "a.zarr" / "c", "a.zarr/c")
    fails = [True]

    def tenant_of(path, query, headers):
        span = headers.get("Range", "bytes=0-")
        return "nowhere" if fails[0] and int(span.removeprefix("bytes=").split("-")[0]) >= 16384 else "."

    with Tenants(str(tmp_path), tenant_of).serve() as server:
        name = f"/vsitar//vsicurl/{server.url}/a.tar/a.zarr"
        with pytest.raises(RuntimeError):
            read(name)
        fails[0] = False
        gdal.VSICurlClearCache()
        try:
            values = read(name)
        except RuntimeError as error:
            assert "c/" in str(error)
        else:
            assert values.tolist() == data.tolist()


# --- /vsigzip/, /vsi7z/, /vsicrypt/ -----------------------------------------------------------------------------------


def test_files_of_a_folder_may_be_gzipped(tmp_path):
    write_chunks(str(tmp_path / "a.zarr"), OLD)
    os.remove(tmp_path / "a.zarr" / "c" / "1" / "1")
    for parent, _, names in os.walk(tmp_path / "a.zarr"):
        for name in names:
            with open(f"{parent}/{name}", "rb") as f:
                data = f.read()
            write_bytes(f"{parent}/{name}", gzip.compress(data))
    with Server(str(tmp_path)).serve() as server:
        name = f'ZARR:"/vsigzip//vsicurl/{server.url}/a.zarr"'
        assert read(f"/vsigzip/{tmp_path}/a.zarr").tolist() == expected_without_last()
        array = open_array(name)
        assert array.ReadAsArray().tolist() == expected_without_last()
        gdal.VSICurlClearCache()
        server.failures["/c/1/1"] = 500
        with pytest.raises(RuntimeError, match="c/1/1"):
            open_array(name).ReadAsArray()


def make_7z(path, folder, names):
    """Uses libarchive, as GDAL does to read such archives."""
    library = ctypes.CDLL(ctypes.util.find_library("archive"))
    for function in ("archive_write_new", "archive_entry_new"):
        getattr(library, function).restype = ctypes.c_void_p
    library.archive_write_data.restype = ctypes.c_ssize_t
    library.archive_write_data.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    archive = ctypes.c_void_p(library.archive_write_new())
    assert library.archive_write_set_format_7zip(archive) == 0
    assert library.archive_write_open_filename(archive, os.fsencode(path)) == 0
    for name in names:
        with open(f"{folder}/{name}", "rb") as f:
            data = f.read()
        entry = ctypes.c_void_p(library.archive_entry_new())
        library.archive_entry_set_pathname(entry, os.fsencode(name))
        library.archive_entry_set_size(entry, ctypes.c_int64(len(data)))
        library.archive_entry_set_filetype(entry, 0o100000)
        library.archive_entry_set_perm(entry, 0o644)
        assert library.archive_write_header(archive, entry) == 0
        assert library.archive_write_data(archive, data, len(data)) == len(data)
        library.archive_entry_free(entry)
    assert library.archive_write_close(archive) == 0
    library.archive_write_free(archive)


def files_below(folder):
    return sorted(os.path.relpath(f"{parent}/{name}", folder) for parent, _, names in os.walk(folder) for name in names)


@pytest.fixture
def seven_zip(tmp_path):
    if "/vsi7z/" not in gdal.GetFileSystemsPrefixes():
        pytest.skip("this GDAL is built without the library that reads 7z archives")
    folder = str(tmp_path / "in")
    write_chunks(f"{folder}/a.zarr", OLD)
    os.remove(f"{folder}/a.zarr/c/1/1")
    make_7z(str(tmp_path / "a.7z"), folder, files_below(folder))
    return str(tmp_path / "a.7z")


def test_a_chunk_may_be_absent_from_a_7z_archive(seven_zip, tmp_path):
    assert read(f"/vsi7z/{seven_zip}/a.zarr").tolist() == expected_without_last()
    with Server(str(tmp_path)).serve() as server:
        assert read(f"/vsi7z//vsicurl/{server.url}/a.7z/a.zarr").tolist() == expected_without_last()


@pytest.mark.parametrize("status", [403, 500])
def test_a_failing_server_of_a_7z_archive_is_an_error(seven_zip, tmp_path, status):
    with Server(str(tmp_path)).serve() as server:
        array = open_array(f"/vsi7z//vsicurl/{server.url}/a.7z/a.zarr")
        gdal.VSICurlClearCache()
        server.failures["a.7z"] = status
        with pytest.raises(RuntimeError, match="c/[01]/[01]"):
            array.ReadAsArray()


@pytest.fixture
def encrypted(tmp_path, monkeypatch):
    """A store whose files are encrypted. One chunk is missing."""
    folder = str(tmp_path / "a.zarr")
    write_chunks(folder, OLD)
    os.remove(f"{folder}/c/1/1")
    monkeypatch.setenv("VSICRYPT_KEY", "0123456789ABCDEF")
    for name in files_below(folder):
        with open(f"{folder}/{name}", "rb") as f:
            data = f.read()
        try:
            target = gdal.VSIFOpenL(f"/vsicrypt/{folder}/{name}", "wb")
        except RuntimeError:
            target = None
        if target is None:
            pytest.skip("this GDAL is built without the library that encrypts files")
        gdal.VSIFWriteL(data, 1, len(data), target)
        gdal.VSIFCloseL(target)
    return folder


def test_encrypted_files_are_read(encrypted, tmp_path):
    assert read(f"/vsicrypt/{encrypted}").tolist() == expected_without_last()
    with Server(str(tmp_path)).serve() as server:
        name = f'ZARR:"/vsicrypt//vsicurl/{server.url}/a.zarr"'
        assert read(name).tolist() == expected_without_last()
        gdal.VSICurlClearCache()
        server.failures["/c/1/1"] = 500
        with pytest.raises(RuntimeError, match="c/1/1"):
            open_array(name).ReadAsArray()
