# SPDX-License-Identifier: MIT
"""Existing archives, archives that cannot be made, and archives on object stores."""

import contextlib
import gc
import http.server
import os
import subprocess
import threading
import urllib.parse
import zipfile

import numpy as np
import pytest
from archives import (
    CHUNKS,
    FORMATS,
    HEIGHT,
    WIDTH,
    archive,
    check_copy,
    get_driver,
    list_files,
    list_names,
    make_source,
    make_values,
)  # noqa: F401
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import python, run_program


# --- existing archives ---------------------------------------------------------------------------------------------


def only_error(function):
    """Returns the only error of a function that fails."""
    with pytest.raises(RuntimeError) as raised:
        function()
    return str(raised.value)


@pytest.mark.parametrize("kind", [gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER])
def test_an_archive_cannot_be_opened_for_update(archive, kind):
    message = only_error(lambda: gdal.OpenEx(archive, kind | gdal.OF_UPDATE | gdal.OF_VERBOSE_ERROR))
    assert message == (
        f"/vsizip/{archive}: a ZIP archive is written once, as a whole, and cannot be changed: unpack it to a folder, "
        "or make another archive"
    )


def test_no_array_is_added_to_an_archive(archive):
    options = ["APPEND_SUBDATASET=YES", "ARRAY_NAME=other"]
    for name in (archive, f"/vsizip/{archive}"):
        message = only_error(lambda: get_driver().Create(name, 10, 10, 1, gdal.GDT_Byte, options))
        assert "a ZIP archive is written once, as a whole" in message


def test_an_existing_archive_is_not_replaced(archive):
    name = f"/vsizip/{archive}/other.zarr"
    for create in (
        lambda: get_driver().CreateMultiDimensional(name),
        lambda: get_driver().Create(name, 10, 10, 1, gdal.GDT_Byte),
        lambda: get_driver().CreateCopy(name, make_source(make_values())),
    ):
        assert only_error(create).startswith(f"{archive}: the archive exists already, and archives are written only once")


def test_no_overviews_are_made_of_an_archive(archive):
    for mode in ([], ["-ro"]):
        run = run_program(["gdaladdo", "-q", *mode, archive, "2"], capture_output=True, text=True, check=False)
        assert run.returncode != 0
        assert "a ZIP archive is written once, as a whole, and cannot be changed: unpack it to a folder" in run.stderr
        assert run.stderr.count("ERROR") == 1


def test_statistics_are_not_kept_in_an_archive(archive):
    gdal.SetConfigOption("GDAL_PAM_ENABLED", "YES")
    try:
        dataset = gdal.Open(archive)
        assert dataset.GetRasterBand(1).GetStatistics(False, True)[0] >= 1
        dataset = gdal.OpenEx(archive, gdal.OF_MULTIDIM_RASTER)
        assert dataset.GetRootGroup().OpenMDArray("test").GetStatistics(False, True).min >= 1
        dataset = None
    finally:
        gdal.SetConfigOption("GDAL_PAM_ENABLED", None)


def test_a_copy_replaces_an_archive(archive, tmp_path):
    other = str(tmp_path / "other.zarr.zip")
    get_driver().CreateCopy(other, make_source(make_values(1, 1)), options=["FORMAT=ZARR_V3"])
    get_driver().CreateCopy(other, make_source(make_values(3, 2)))
    check_copy(other, make_values(3, 2))
    assert ".zattrs" in {name.split("/")[-1] for name in list_files(other)}
    os.unlink(other)


def test_archives_are_moved_copied_and_deleted_as_a_whole(tmp_path):
    first, second, third = (str(tmp_path / f"{name}.zarr.zip") for name in "abc")
    get_driver().CreateCopy(first, make_source(make_values()))
    assert get_driver().Rename(second, first) == gdal.CE_None
    assert get_driver().CopyFiles(third, second) == gdal.CE_None
    check_copy(second, make_values())
    check_copy(third, make_values())
    message = only_error(lambda: get_driver().Rename(str(tmp_path / "d.zarr"), second))
    assert "neither pack or unpack" in message
    assert get_driver().Delete(second) == gdal.CE_None
    assert list_names(tmp_path) == ["c.zarr.zip"]


def test_a_store_is_deleted_with_its_archive_if_it_is_alone(tmp_path):
    archive = str(tmp_path / "test.zip")
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("in/a.zarr/.zgroup", '{"zarr_format": 2}')
        opened.writestr("in/note.txt", "something else")
    message = only_error(lambda: get_driver().Delete(f"/vsizip/{archive}/in/a.zarr"))
    assert message.startswith(f"{archive}: the archive holds more than the store in/a.zarr")
    assert os.path.exists(archive)
    os.unlink(archive)
    get_driver().CreateCopy(f"/vsizip/{archive}/in/a.zarr", make_source(make_values()))
    assert get_driver().Delete(f"/vsizip/{archive}/in/a.zarr") == gdal.CE_None
    assert list_names(tmp_path) == []


# --- failures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["{}/test.zarr.zip", "/vsizip/{}/test.zip/in/a.zarr"])
def test_a_copy_that_is_cancelled_leaves_nothing(tmp_path, name):
    source = make_source(make_values())
    with pytest.raises(RuntimeError):
        get_driver().CreateCopy(name.format(tmp_path), source, options=CHUNKS, callback=lambda part, *_: part < 0.4)
    assert list_names(tmp_path) == []


def make_multidim_source():
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    group = source.GetRootGroup()
    dimensions = [group.CreateDimension(name, "", "", 64) for name in "yx"]
    for name in "abc":
        array = group.CreateMDArray(name, dimensions, gdal.ExtendedDataType.Create(gdal.GDT_UInt16))
        array.Write(np.ones((64, 64), np.uint16))
    return source


@pytest.mark.parametrize("name", ["{}/test.zarr.zip", "/vsizip/{}/test.zip/in/a.zarr"])
def test_a_copy_of_arrays_that_is_cancelled_leaves_nothing(tmp_path, name):
    source = make_multidim_source()
    with contextlib.suppress(RuntimeError):  # some versions of GDAL report no error
        assert not get_driver().CreateCopy(name.format(tmp_path), source, callback=lambda part, *_: part < 0.4)
    assert list_names(tmp_path) == []


@pytest.mark.parametrize("options", [["BLOCKSIZE=0,0"], ["COMPRESS=NONSENSE"], ["ARRAY_NAME=a/b/c"]])
def test_a_creation_that_fails_leaves_nothing(tmp_path, options):
    only_error(lambda: get_driver().Create(str(tmp_path / "test.zarr.zip"), 10, 10, 1, gdal.GDT_Byte, options))
    assert list_names(tmp_path) == []


def test_a_missing_folder_is_an_error(tmp_path):
    path = tmp_path / "missing" / "test.zarr.zip"
    message = only_error(lambda: get_driver().Create(str(path), 10, 10, 1, gdal.GDT_Byte))
    assert message.startswith(f"{path}: cannot be created: ") and message.endswith("No such file or directory")


@pytest.mark.parametrize("name", ["/vsizip/{}/test.dat/a.zarr", "/vsizip/{{{}/test.zip/a.zarr"])
def test_other_names_are_no_archives(tmp_path, name):
    name = name.format(tmp_path)
    message = only_error(lambda: get_driver().Create(name, 10, 10, 1, gdal.GDT_Byte))
    expected = "a brace is not closed" if "{" in name else "expected the path of an archive whose name ends in .zip"
    assert message == f"{name}: {expected}"


def test_no_archive_is_made_in_an_archive(tmp_path):
    name = f"/vsizip//vsizip/{tmp_path}/a.zip/b.zip/c.zarr"
    message = only_error(lambda: get_driver().Create(name, 10, 10, 1, gdal.GDT_Byte))
    assert "an archive in an archive can be read, but not written" in message
    assert list_names(tmp_path) == []

FULL_DISK = """
import resource, signal, sys
import numpy as np
from osgeo import gdal
gdal.DontUseExceptions()  # with exceptions, GDAL 3.10 closes twice if closing fails
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
dataset = gdal.GetDriverByName("Zarr").Create(
    sys.argv[1], 256, 256, 1, gdal.GDT_UInt16, ["COMPRESS=NONE", "BLOCKSIZE=64,64", f"FORMAT={sys.argv[2]}"])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
print(dataset.WriteArray(np.ones((256, 256), np.uint16)))
if hasattr(dataset, "Close"):
    print(dataset.Close())
dataset = None
"""


@pytest.mark.parametrize("limit", [50000, 16 * (64 * 64 * 2 + 60)], ids=["chunks", "end"])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_a_disk_that_is_full_is_told_and_leaves_no_archive(tmp_path, zarr_format, limit):
    command = python(FULL_DISK, tmp_path / "test.zarr.zip", zarr_format, limit)
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "cannot be written: File too large" in run.stdout + run.stderr
    if hasattr(gdal.Dataset, "Close"):
        assert str(gdal.CE_Failure) in run.stdout.split()
    assert list_names(tmp_path) == []


# --- object stores ------------------------------------------------------------------------------------------------


class ObjectStore(http.server.BaseHTTPRequestHandler):
    """The part of S3 that writing, reading and finding one object needs."""

    protocol_version = "HTTP/1.1"
    objects = {}
    refuses = False

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.refuses:
            return self.answer(403, b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>")
        self.objects[self.path] = body
        return self.answer(200)

    def do_GET(self):
        if "?" in self.path:
            prefix = urllib.parse.parse_qs(self.path.split("?")[1])["prefix"][0]
            return self.answer(200, f"<ListBucketResult><Prefix>{prefix}</Prefix></ListBucketResult>".encode())
        body = self.objects.get(self.path)
        if body is None:
            return self.answer(404, b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>")
        first, last = 0, len(body) - 1
        if "Range" in self.headers:
            first, last = (int(n) for n in self.headers["Range"].split("=")[1].split("-"))
        part = body[first : last + 1]
        headers = [("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(body)}")]
        return self.answer(206 if "Range" in self.headers else 200, part, headers if "Range" in self.headers else [])

    def do_HEAD(self):
        body = self.objects.get(self.path)
        self.answer(404 if body is None else 200, body or b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def object_store():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ObjectStore)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = {
        "AWS_S3_ENDPOINT": f"127.0.0.1:{server.server_port}",
        "AWS_HTTPS": "NO",
        "AWS_VIRTUAL_HOSTING": "FALSE",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "here",
    }
    for name, value in options.items():
        gdal.SetConfigOption(name, value)
    ObjectStore.objects.clear()
    ObjectStore.refuses = False
    yield ObjectStore.objects
    for name in options:
        gdal.SetConfigOption(name, None)
    server.shutdown()
    server.server_close()


def test_an_object_store_gets_the_archive_as_one_object(object_store, tmp_path):
    """It is written to another file first, because it is read before it is complete, and sent as one object."""
    values = make_values(1)
    gdal.SetConfigOption("CPL_TMPDIR", str(tmp_path))
    try:
        with collect_errors() as errors:
            dataset = get_driver().Create("/vsizip//vsis3/bucket/test.zarr.zip", WIDTH, HEIGHT, 1, gdal.GDT_UInt16, CHUNKS)
            for y in range(0, HEIGHT, 10):
                dataset.WriteArray(values[0, y : y + 10], 0, y)
                dataset.FlushCache()
            np.testing.assert_array_equal(dataset.ReadAsArray(), values[0])
            assert list(object_store) == []
            assert list_names(tmp_path) != []
            dataset = None
        assert errors == []
    finally:
        gdal.SetConfigOption("CPL_TMPDIR", None)
    assert list_names(tmp_path) == []
    assert list(object_store) == ["/bucket/test.zarr.zip"]
    (tmp_path / "test.zarr.zip").write_bytes(object_store["/bucket/test.zarr.zip"])
    list_files(tmp_path / "test.zarr.zip")
    np.testing.assert_array_equal(gdal.Open(str(tmp_path / "test.zarr.zip")).ReadAsArray(), values[0])


def test_an_object_store_may_refuse_an_archive(object_store, tmp_path):
    ObjectStore.refuses = True
    gdal.SetConfigOption("CPL_TMPDIR", str(tmp_path))
    gdal.DontUseExceptions()
    try:
        with collect_errors() as errors:
            dataset = get_driver().Create("/vsizip//vsis3/bucket/test.zarr.zip", WIDTH, HEIGHT, 1, gdal.GDT_UInt16, CHUNKS)
            dataset.WriteArray(make_values(1)[0])
            dataset = None
    finally:
        gdal.UseExceptions()
        gdal.SetConfigOption("CPL_TMPDIR", None)
    assert len(errors) == 1
    assert errors[0][1].startswith("/vsizip//vsis3/bucket/test.zarr.zip: cannot be written: ")
    assert list_names(tmp_path) == [] and list(object_store) == []


# --- other processes -----------------------------------------------------------------------------------------------


def test_names_of_temporary_files_cannot_be_guessed(tmp_path):
    """Files that someone else puts under names that this process might use are not overwritten."""
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(2000):
        (folder / f".zarr-tmp-{os.getpid()}-{number}").symlink_to(victim)
    values = make_values()
    get_driver().CreateCopy(str(folder / "test.zarr.zip"), make_source(values), options=CHUNKS)
    assert victim.read_text() == "untouched"
    check_copy(str(folder / "test.zarr.zip"), values)


def test_a_copy_is_in_place_when_it_is_returned(tmp_path):
    """It can still be read. A write reports that the archive is complete."""
    path = str(tmp_path / "test.zarr.zip")
    values = make_values()
    copy = get_driver().CreateCopy(path, make_source(values), options=CHUNKS)
    assert list_names(tmp_path) == ["test.zarr.zip"]
    check_copy(path, values)
    np.testing.assert_array_equal(copy.ReadAsArray(), values)
    message = only_error(lambda: copy.SetMetadataItem("name", "value") or copy.FlushCache())
    assert "the archive is complete, and cannot be changed" in message
    copy = None
    gc.collect()  # the error that was caught keeps the copy, which reports one more when it is closed
    check_copy(path, values)
