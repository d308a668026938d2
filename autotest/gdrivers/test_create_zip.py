"""Stores that are made in ZIP archives: one archive, each name once, in it what a folder would hold."""

import http.server
import os
import subprocess
import sys
import threading
import urllib.parse
import zipfile

import numpy as np
import pytest
from osgeo import gdal, osr

from errors import collected_errors

FORMATS = ["ZARR_V1", "ZARR_V2", "ZARR_V3"]
WIDTH, HEIGHT = 70, 50
TRANSFORM = (500000, 10, 0, 5000000, 0, -10)
CHUNKS = ["BLOCKSIZE=16,32"]


def driver():
    return gdal.GetDriverByName("Zarr")


def values_of(bands=2, seed=3):
    return np.random.default_rng(seed).integers(1, 1000, (bands, HEIGHT, WIDTH), np.uint16)


def source_of(values):
    bands, height, width = values.shape
    dataset = gdal.GetDriverByName("MEM").Create("", width, height, bands, gdal.GDT_UInt16)
    dataset.WriteArray(values)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform(TRANSFORM)
    dataset.SetMetadataItem("made_by", "a test")
    for band in range(1, bands + 1):
        dataset.GetRasterBand(band).SetNoDataValue(0)
    return dataset


DOCUMENTS = {"zarr.json", ".zarray", ".zattrs", ".zgroup", ".zmetadata", "meta", "attrs"}


def files_in(archive, folder=""):
    """What the archive holds; no name stands in it twice, nothing is damaged, nothing lies between the files, and the
    metadata come last, beside the archive's directory."""
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
        assert len(set(names)) == len(names)
        assert opened.testzip() is None
        infos = sorted(opened.infolist(), key=lambda info: info.header_offset)
        end = 0
        for info in infos:
            assert info.header_offset == end
            assert info.compress_type == zipfile.ZIP_STORED
            end += 30 + len(info.filename.encode()) + info.file_size
        assert opened.start_dir == end
        is_document = [os.path.basename(info.filename) in DOCUMENTS for info in infos]
        assert is_document == sorted(is_document)
        assert all(name.startswith(folder) for name in names)
        return {name[len(folder) :]: opened.read(name) for name in names}


def files_under(folder):
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def names_in(folder):
    return sorted(os.listdir(folder))


def check(name, values):
    with collected_errors() as errors:
        dataset = gdal.Open(name)
        np.testing.assert_array_equal(dataset.ReadAsArray(), np.squeeze(values))
        assert dataset.GetGeoTransform() == TRANSFORM
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32633"
        assert dataset.GetRasterBand(1).GetNoDataValue() == 0
        assert dataset.GetMetadataItem("made_by") == "a test"
    assert errors == []


# --- what is made -------------------------------------------------------------------------------------------------

VARIANTS = {
    "default": [],
    "chunks": CHUNKS,
    "v1_name": ["ARRAY_NAME=other"],
    "not_consolidated": ["CREATE_CONSOLIDATED_METADATA=NO"],
    "all_conventions": ["GEOREFERENCING_CONVENTION=GDAL,CF,SPATIAL_PROJ"],
    "empty_chunks": ["STORE_EMPTY_CHUNKS=YES", *CHUNKS],
}


@pytest.mark.parametrize("options", [pytest.param(o, id=n) for n, o in VARIANTS.items()])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_an_archive_holds_what_a_folder_does(tmp_path, zarr_format, options):
    values = values_of()
    values[0, :16, :32] = 0
    options = [f"FORMAT={zarr_format}", *options]
    with collected_errors() as errors:
        for name in ("test.zarr", "test.zarr.zip"):
            assert driver().CreateCopy(str(tmp_path / name), source_of(values), options=options) is not None
    assert errors == []
    assert names_in(tmp_path) == ["test.zarr", "test.zarr.zip"]
    assert files_in(tmp_path / "test.zarr.zip") == files_under(tmp_path / "test.zarr")
    check(str(tmp_path / "test.zarr.zip"), values)


@pytest.mark.parametrize("zarr_format", FORMATS)
@pytest.mark.parametrize("form", ["/vsizip/{}/in/a.zarr", "/vsizip/{{{}}}/in/a.zarr", 'ZARR:"/vsizip/{}/in/a.zarr"'])
def test_a_store_in_a_folder_of_an_archive(tmp_path, form, zarr_format):
    name = form.format(tmp_path / "test.zip")
    values = values_of()
    with collected_errors() as errors:
        driver().CreateCopy(name, source_of(values), options=[f"FORMAT={zarr_format}", *CHUNKS])
    assert errors == []
    assert len(files_in(tmp_path / "test.zip", "in/a.zarr/")) > 12
    check(name, values)


def test_an_archive_in_memory():
    values = values_of()
    driver().CreateCopy("/vsizip//vsimem/zipped/test.zip/a.zarr", source_of(values))
    check("/vsizip//vsimem/zipped/test.zip/a.zarr", values)
    check("/vsizip/vsimem/zipped/test.zip/a.zarr", values)
    assert gdal.ReadDir("/vsimem/zipped") == ["test.zip"]
    gdal.Unlink("/vsimem/zipped/test.zip")


@pytest.mark.parametrize("options", [[], ["SINGLE_ARRAY=NO"], ["INTERLEAVE=PIXEL"]])
def test_zarr_python_reads_it(tmp_path, options):
    zarr = pytest.importorskip("zarr")
    values = values_of()
    driver().CreateCopy(str(tmp_path / "test.zarr.zip"), source_of(values), options=["FORMAT=ZARR_V2", *CHUNKS, *options])
    store = zarr.storage.ZipStore(str(tmp_path / "test.zarr.zip"), mode="r")
    group = zarr.open_consolidated(store, mode="r")
    names = ["test"] if "SINGLE_ARRAY=NO" not in options else ["test_band1", "test_band2"]
    assert sorted(group) == sorted([*names, "X", "Y", "spatial_ref"])
    if len(names) == 2:
        read = np.stack([group[name][:] for name in names])
    else:
        read = group["test"][:]
    np.testing.assert_array_equal(np.moveaxis(read, -1, 0) if options == ["INTERLEAVE=PIXEL"] else read, values)
    assert group[names[0]].attrs["made_by"] == "a test"
    store.close()


def test_archive_of_v1(tmp_path):
    values = values_of()
    driver().CreateCopy(str(tmp_path / "test.zarr.zip"), source_of(values), options=["FORMAT=ZARR_V1", *CHUNKS])
    files = files_in(tmp_path / "test.zarr.zip")
    assert {"meta", "attrs"} < set(files)
    check(str(tmp_path / "test.zarr.zip"), values)


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_windows_in_any_order(tmp_path, zarr_format):
    """Parts of chunks, flushed in between, replaced later, and read before the archive is complete."""
    path = str(tmp_path / "test.zarr.zip")
    values = values_of(1)[0]
    random = np.random.default_rng(7)
    with collected_errors() as errors:
        dataset = driver().Create(path, WIDTH, HEIGHT, 1, gdal.GDT_UInt16, [f"FORMAT={zarr_format}", *CHUNKS])
        dataset.WriteArray(np.full((HEIGHT, WIDTH), 5000, np.uint16))
        for number, (x, y) in enumerate(random.permutation([(x, y) for x in range(0, 70, 7) for y in range(0, 50, 5)])):
            dataset.WriteArray(values[y : y + 5, x : x + 7], int(x), int(y))
            if number % 20 == 7:
                dataset.FlushCache()
                np.testing.assert_array_equal(dataset.ReadAsArray(int(x), int(y), 7, 5), values[y : y + 5, x : x + 7])
        dataset.SetGeoTransform(TRANSFORM)
        np.testing.assert_array_equal(dataset.ReadAsArray(), values)
        assert names_in(tmp_path)[0].startswith(".zarr-tmp-") and not os.path.exists(path)
        dataset = None
    assert errors == []
    assert names_in(tmp_path) == ["test.zarr.zip"]
    files_in(path)
    dataset = gdal.Open(path)
    np.testing.assert_array_equal(dataset.ReadAsArray(), values)
    assert dataset.GetGeoTransform() == TRANSFORM


def test_much_that_is_replaced_late(tmp_path):
    """More than what waits in memory."""
    path = str(tmp_path / "test.zarr.zip")
    size, edge = 4096, 512
    rows = np.arange(size, dtype=np.uint16)[:, None] + np.zeros(size, np.uint16)
    options = ["COMPRESS=NONE", "BLOCKSIZE=512,512"]
    dataset = driver().Create(path, size, size, 1, gdal.GDT_UInt16, options)
    dataset.WriteArray(rows)
    rows[: edge + 10] += 7
    dataset.WriteArray(rows[: edge + 10])
    dataset.FlushCache()
    np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, size, edge * 2), rows[: edge * 2])
    dataset = None
    assert sum(len(value) for name, value in files_in(path).items() if name.startswith("test/")) < size * size * 2 + 9999
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), rows)
    assert names_in(tmp_path) == ["test.zarr.zip"]


def test_shards_that_are_filled_in_parts(tmp_path):
    path = str(tmp_path / "test.zarr.zip")
    values = values_of(1)[0]
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16", "SHARD_SHAPE=32,64"]
    dataset = driver().Create(path, WIDTH, HEIGHT, 1, gdal.GDT_UInt16, options)
    for y in range(0, HEIGHT, 10):
        dataset.WriteArray(values[y : y + 10], 0, y)
        dataset.FlushCache()
        np.testing.assert_array_equal(dataset.ReadAsArray(0, 0, WIDTH, y + 10), values[: y + 10])
    dataset = None
    files_in(path)
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), values)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_overviews_of_a_store_that_is_being_made(tmp_path, zarr_format):
    paths = [str(tmp_path / name) for name in ("test.zarr", "test.zarr.zip")]
    for path in paths:
        copy = driver().CreateCopy(path, source_of(values_of()), options=[f"FORMAT={zarr_format}", *CHUNKS])
        copy.BuildOverviews("AVERAGE", [2, 4])
        copy = None
    assert files_in(paths[1]) == files_under(paths[0])
    assert gdal.Open(paths[1]).GetRasterBand(1).GetOverviewCount() == 2


def test_an_array_for_each_band(tmp_path):
    paths = [str(tmp_path / name) for name in ("test.zarr", "test.zarr.zip")]
    for path in paths:
        driver().CreateCopy(path, source_of(values_of(3)), options=["SINGLE_ARRAY=NO", "FORMAT=ZARR_V3"])
    assert files_in(paths[1]) == files_under(paths[0])


def test_more_files_than_a_small_directory_counts(tmp_path):
    """65536 files and more need the fields of ZIP64."""
    path = str(tmp_path / "test.zarr.zip")
    values = np.arange(300 * 300, dtype=np.uint16).reshape(300, 300) % 999 + 1
    dataset = driver().Create(path, 300, 300, 1, gdal.GDT_UInt16, ["BLOCKSIZE=1,1", "COMPRESS=NONE"])
    dataset.WriteArray(values)
    dataset = None
    assert len(files_in(path)) > 90000
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(0, 150, 300, 2), values[150:152])


# --- programs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_warp_of_sources_that_overlap(tmp_path, zarr_format):
    left, right = source_of(values_of(1, 1)), source_of(values_of(1, 2))
    right.SetGeoTransform((500350, 10, 0, 4999800, 0, -10))
    options = {"format": "Zarr", "creationOptions": [f"FORMAT={zarr_format}", *CHUNKS]}
    with collected_errors() as errors:
        for name in ("test.zarr", "test.zarr.zip"):
            gdal.Warp(str(tmp_path / name), [left, right], **options)
    assert errors == []
    expected = gdal.Open(str(tmp_path / "test.zarr")).ReadAsArray()
    assert expected[0, 0] == values_of(1, 1)[0, 0, 0] and expected[-1, -1] == values_of(1, 2)[0, -1, -1]
    np.testing.assert_array_equal(gdal.Open(str(tmp_path / "test.zarr.zip")).ReadAsArray(), expected)
    files_in(tmp_path / "test.zarr.zip")


def test_gdal_create(tmp_path):
    path = str(tmp_path / "test.zarr.zip")
    command = ["gdal_create", "-q", "-of", "Zarr", "-outsize", "70", "50", "-burn", "7", "-a_nodata", "0"]
    run = subprocess.run([*command, "-a_srs", "EPSG:32633", path], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert gdal.Open(path).ReadAsArray().tolist() == [[7] * 70] * 50
    files_in(path)


# --- many arrays --------------------------------------------------------------------------------------------------


def fill(root):
    root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).Write("first")
    root.GetAttribute("title").Write("second")
    group = root.CreateGroup("inner").CreateGroup("most")
    y = group.CreateDimension("y", "", "", 50)
    x = group.CreateDimension("x", "", "", 70)
    array = group.CreateMDArray("data", [y, x], gdal.ExtendedDataType.Create(gdal.GDT_UInt16), ["BLOCKSIZE=16,32"])
    array.WriteArray(values_of(1)[0])
    array.SetUnit("m")
    array.CreateAttribute("levels", [3], gdal.ExtendedDataType.Create(gdal.GDT_Int32)).Write([1, 2, 3])
    root.CreateMDArray("gone", [x], gdal.ExtendedDataType.Create(gdal.GDT_Byte)).Write(b"1" * 70)
    if hasattr(root, "DeleteMDArray"):
        root.DeleteMDArray("gone")
    return array


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_groups_arrays_and_attributes(tmp_path, zarr_format):
    paths = [str(tmp_path / name) for name in ("test.zarr", "test.zarr.zip")]
    with collected_errors() as errors:
        for path in paths:
            dataset = driver().CreateMultiDimensional(path, [], [f"FORMAT={zarr_format}"])
            fill(dataset.GetRootGroup())
            dataset = None
    assert errors == []
    assert files_in(paths[1]) == files_under(paths[0])
    root = gdal.OpenEx(paths[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetAttribute("title").Read() == "second"
    array = root.OpenMDArrayFromFullname("/inner/most/data")
    np.testing.assert_array_equal(array.ReadAsArray(), values_of(1)[0])
    assert array.GetUnit() == "m"


def test_arrays_may_outlive_their_dataset(tmp_path):
    """The archive is complete when nobody can write to it any more."""
    path = str(tmp_path / "test.zarr.zip")
    root = driver().CreateMultiDimensional(path).GetRootGroup()
    array = fill(root)
    root = None
    array.WriteArray(values_of(1, 9)[0])
    np.testing.assert_array_equal(array.ReadAsArray(), values_of(1, 9)[0])
    assert not os.path.exists(path)
    array = None
    assert names_in(tmp_path) == ["test.zarr.zip"]
    files_in(path)
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    np.testing.assert_array_equal(root.OpenMDArrayFromFullname("/inner/most/data").ReadAsArray(), values_of(1, 9)[0])


@pytest.mark.skipif(not hasattr(gdal.Dataset, "Close"), reason="needs GDAL 3.8")
def test_closing_completes_the_archive(tmp_path):
    copy = driver().CreateCopy(str(tmp_path / "a.zarr.zip"), source_of(values_of()))
    copy.Close()
    files_in(tmp_path / "a.zarr.zip")
    dataset = driver().CreateMultiDimensional(str(tmp_path / "b.zarr.zip"))
    fill(dataset.GetRootGroup())
    dataset.Close()
    files_in(tmp_path / "b.zarr.zip")


# --- archives that are there --------------------------------------------------------------------------------------


@pytest.fixture
def archive(tmp_path):
    """An archive, of which nothing may have changed in the end."""
    path = str(tmp_path / "test.zarr.zip")
    driver().CreateCopy(path, source_of(values_of()), options=CHUNKS)
    with open(path, "rb") as file:
        before = (file.read(), os.fstat(file.fileno()).st_mtime_ns)
    yield path
    with open(path, "rb") as file:
        assert (file.read(), os.fstat(file.fileno()).st_mtime_ns) == before
    assert names_in(tmp_path) == ["test.zarr.zip"]


def only_error(function):
    """What a function that fails says."""
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
        message = only_error(lambda: driver().Create(name, 10, 10, 1, gdal.GDT_Byte, options))
        assert "a ZIP archive is written once, as a whole" in message


def test_a_store_in_an_archive_that_is_there(archive):
    name = f"/vsizip/{archive}/other.zarr"
    for create in (
        lambda: driver().CreateMultiDimensional(name),
        lambda: driver().Create(name, 10, 10, 1, gdal.GDT_Byte),
        lambda: driver().CreateCopy(name, source_of(values_of())),
    ):
        assert only_error(create).startswith(f"{archive}: there is an archive already, and one is written once")


def test_no_overviews_are_made_of_an_archive(archive):
    for mode in ([], ["-ro"]):
        run = subprocess.run(["gdaladdo", "-q", *mode, archive, "2"], capture_output=True, text=True, check=False)
        assert run.returncode != 0
        assert "overviews would go to a file beside the array's metadata, and none can be written there" in run.stderr
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
    driver().CreateCopy(other, source_of(values_of(1, 1)), options=["FORMAT=ZARR_V3"])
    driver().CreateCopy(other, source_of(values_of(3, 2)))
    check(other, values_of(3, 2))
    assert ".zattrs" in {name.split("/")[-1] for name in files_in(other)}
    os.unlink(other)


def test_archives_are_moved_copied_and_deleted_as_a_whole(tmp_path):
    first, second, third = (str(tmp_path / f"{name}.zarr.zip") for name in "abc")
    driver().CreateCopy(first, source_of(values_of()))
    assert driver().Rename(second, first) == gdal.CE_None
    assert driver().CopyFiles(third, second) == gdal.CE_None
    check(second, values_of())
    check(third, values_of())
    message = only_error(lambda: driver().Rename(str(tmp_path / "d.zarr"), second))
    assert "does not pack or unpack" in message
    assert driver().Delete(second) == gdal.CE_None
    assert names_in(tmp_path) == ["c.zarr.zip"]


def test_a_store_is_deleted_with_its_archive_if_it_is_alone(tmp_path):
    archive = str(tmp_path / "test.zip")
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("in/a.zarr/.zgroup", '{"zarr_format": 2}')
        opened.writestr("in/note.txt", "something else")
    message = only_error(lambda: driver().Delete(f"/vsizip/{archive}/in/a.zarr"))
    assert message.startswith(f"{archive}: the archive has more in it than the store in/a.zarr")
    assert os.path.exists(archive)
    os.unlink(archive)
    driver().CreateCopy(f"/vsizip/{archive}/in/a.zarr", source_of(values_of()))
    assert driver().Delete(f"/vsizip/{archive}/in/a.zarr") == gdal.CE_None
    assert names_in(tmp_path) == []


# --- what fails ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["{}/test.zarr.zip", "/vsizip/{}/test.zip/in/a.zarr"])
def test_a_copy_that_is_cancelled_leaves_nothing(tmp_path, name):
    source = source_of(values_of())
    with pytest.raises(RuntimeError):
        driver().CreateCopy(name.format(tmp_path), source, options=CHUNKS, callback=lambda part, *_: part < 0.4)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("options", [["BLOCKSIZE=0,0"], ["COMPRESS=NONSENSE"], ["ARRAY_NAME=a/b/c"]])
def test_a_creation_that_fails_leaves_nothing(tmp_path, options):
    only_error(lambda: driver().Create(str(tmp_path / "test.zarr.zip"), 10, 10, 1, gdal.GDT_Byte, options))
    assert names_in(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path):
    path = tmp_path / "missing" / "test.zarr.zip"
    message = only_error(lambda: driver().Create(str(path), 10, 10, 1, gdal.GDT_Byte))
    assert message.startswith(f"{path}: cannot be created: ") and message.endswith("No such file or directory")


@pytest.mark.parametrize("name", ["/vsizip/{}/test.dat/a.zarr", "/vsizip/{{{}/test.zip/a.zarr"])
def test_names_of_no_archive(tmp_path, name):
    name = name.format(tmp_path)
    message = only_error(lambda: driver().Create(name, 10, 10, 1, gdal.GDT_Byte))
    expected = "a brace is not closed" if "{" in name else "expected the path of an archive whose name ends in .zip"
    assert message == f"{name}: {expected}"


def test_no_archive_is_made_in_an_archive(tmp_path):
    name = f"/vsizip//vsizip/{tmp_path}/a.zip/b.zip/c.zarr"
    message = only_error(lambda: driver().Create(name, 10, 10, 1, gdal.GDT_Byte))
    assert "an archive in an archive can be read, but not written" in message
    assert names_in(tmp_path) == []


FULL_DISK = """
import resource, signal, sys
import numpy as np
from osgeo import gdal
gdal.DontUseExceptions()  # with them, GDAL 3.10 closes twice what could not be closed
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
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "test.zarr.zip"), zarr_format, str(limit)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "cannot be written: File too large" in run.stdout + run.stderr
    if hasattr(gdal.Dataset, "Close"):
        assert str(gdal.CE_Failure) in run.stdout.split()
    assert names_in(tmp_path) == []


# --- object stores ------------------------------------------------------------------------------------------------


class ObjectStore(http.server.BaseHTTPRequestHandler):
    """As much of S3 as writing, reading and looking for one object takes."""

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


def test_an_archive_on_an_object_store(object_store, tmp_path):
    """It is written elsewhere, since it is read before it is complete, and sent as one object."""
    values = values_of(1)
    gdal.SetConfigOption("CPL_TMPDIR", str(tmp_path))
    try:
        with collected_errors() as errors:
            dataset = driver().Create("/vsizip//vsis3/bucket/test.zarr.zip", WIDTH, HEIGHT, 1, gdal.GDT_UInt16, CHUNKS)
            for y in range(0, HEIGHT, 10):
                dataset.WriteArray(values[0, y : y + 10], 0, y)
                dataset.FlushCache()
            np.testing.assert_array_equal(dataset.ReadAsArray(), values[0])
            assert list(object_store) == []
            assert names_in(tmp_path) != []
            dataset = None
        assert errors == []
    finally:
        gdal.SetConfigOption("CPL_TMPDIR", None)
    assert names_in(tmp_path) == []
    assert list(object_store) == ["/bucket/test.zarr.zip"]
    (tmp_path / "test.zarr.zip").write_bytes(object_store["/bucket/test.zarr.zip"])
    files_in(tmp_path / "test.zarr.zip")
    np.testing.assert_array_equal(gdal.Open(str(tmp_path / "test.zarr.zip")).ReadAsArray(), values[0])


def test_an_object_store_that_refuses_an_archive(object_store, tmp_path):
    ObjectStore.refuses = True
    gdal.SetConfigOption("CPL_TMPDIR", str(tmp_path))
    gdal.DontUseExceptions()
    try:
        with collected_errors() as errors:
            dataset = driver().Create("/vsizip//vsis3/bucket/test.zarr.zip", WIDTH, HEIGHT, 1, gdal.GDT_UInt16, CHUNKS)
            dataset.WriteArray(values_of(1)[0])
            dataset = None
    finally:
        gdal.UseExceptions()
        gdal.SetConfigOption("CPL_TMPDIR", None)
    assert len(errors) == 1
    assert errors[0][1].startswith("/vsizip//vsis3/bucket/test.zarr.zip: cannot be written: ")
    assert names_in(tmp_path) == [] and list(object_store) == []
