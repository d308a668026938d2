# SPDX-License-Identifier: MIT
"""Values that are so large that they are uploaded in parts: an upload that fails is aborted, so that the server keeps
nothing of it."""

import numpy as np
import pytest
from azurite import Azurite
from memory_s3 import MemoryS3
from osgeo import gdal
from server_fixtures import run_or_skip

LARGE = np.random.default_rng(0).integers(1, 60000, (2048, 4608), "uint16")  # three parts
SHARD = "a.zarr/a/c/0/0"


@pytest.fixture
def s3():
    """A server to which GDAL uploads in parts of 8 MB, the least that it takes."""
    with MemoryS3().serve() as running, running.configure():
        gdal.SetConfigOption("VSIS3_CHUNK_SIZE", "8")
        yield running
        gdal.SetConfigOption("VSIS3_CHUNK_SIZE", None)


def create(s3):
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=2048,4608", "SHARD_CHUNK_SHAPE=256,256", "COMPRESS=NONE"]
    return gdal.GetDriverByName("Zarr").Create(f"{s3.root}/a.zarr", 4608, 2048, 1, gdal.GDT_UInt16, options)


def write(s3):
    dataset = create(s3)
    dataset.WriteArray(LARGE)
    dataset.FlushCache()


def read(s3):
    gdal.VSICurlClearCache()
    return gdal.Open(f"{s3.root}/a.zarr").ReadAsArray()


def list_uploads(s3):
    return [method for method, key, _ in s3.log if key == SHARD and method in ("POST", "PUT", "DELETE")]


def test_a_large_shard_is_one_upload(s3):
    write(s3)
    assert s3.uploads.begun == 1 and not s3.uploads.open
    assert list_uploads(s3) == ["POST", "PUT", "PUT", "PUT", "POST"]
    np.testing.assert_array_equal(read(s3), LARGE)


def test_parts_are_sent_at_the_same_time(s3):
    """Each part waits until two others are there."""
    s3.uploads.gather = 3
    write(s3)
    assert not s3.uploads.open
    np.testing.assert_array_equal(read(s3), LARGE)


def test_a_value_of_one_part_is_one_request(s3):
    gdal.SetConfigOption("VSIS3_CHUNK_SIZE", "20")
    write(s3)
    assert list_uploads(s3) == ["PUT"] and s3.uploads.begun == 0
    np.testing.assert_array_equal(read(s3), LARGE)


def test_credentials_of_a_thread_are_used(s3):
    """GDAL's threads would not have them."""
    settings = s3.settings()
    for name, value in settings.items():
        gdal.SetConfigOption(name, None)
        gdal.SetThreadLocalConfigOption(name, value)
    try:
        write(s3)
        assert s3.uploads.begun == 1 and not s3.uploads.open
        np.testing.assert_array_equal(read(s3), LARGE)
    finally:
        for name in settings:
            gdal.SetThreadLocalConfigOption(name, None)


def test_other_objects_below_a_key_do_not_move_its_value(s3):
    """GDAL takes the key for a folder."""
    dataset = create(s3)
    s3.uploads.put(f"{SHARD}/other", b"foreign")
    dataset.WriteArray(LARGE)
    dataset.FlushCache()
    assert len(s3.objects[SHARD]) > LARGE.nbytes and s3.objects[f"{SHARD}/other"] == b"foreign"
    assert [key for key in s3.objects if key.startswith(SHARD)] == [f"{SHARD}/other", SHARD]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_server_that_forbids_to_look_takes_uploads(s3, method):
    dataset = create(s3)
    s3.fail(method, "/c/0/0", "403")
    s3.fail("GET", "c%2F0%2F0", "403")
    dataset.WriteArray(LARGE)
    dataset.FlushCache()
    s3.heal()
    np.testing.assert_array_equal(read(s3), LARGE)


@pytest.mark.parametrize("fault", ["500", "503", "dropped", "500 after"])
@pytest.mark.parametrize("part", [1, 2, 3])
def test_an_upload_of_which_a_part_fails_is_aborted(s3, part, fault):
    s3.fail("PUT", f"partNumber={part}", fault)
    with pytest.raises(RuntimeError, match="/c/0/0: cannot be written"):
        write(s3)
    assert s3.uploads.begun == 1 and not s3.uploads.open
    assert list_uploads(s3)[-1] == "DELETE" and SHARD not in s3.objects


def test_an_upload_that_cannot_begin_is_an_error(s3):
    s3.fail("POST", "uploads")
    with pytest.raises(RuntimeError, match="/c/0/0: cannot be written"):
        write(s3)
    assert s3.uploads.begun == 0


@pytest.mark.parametrize("fault", ["500", "dropped"])
def test_an_upload_that_cannot_be_completed_is_aborted(s3, fault):
    s3.fail("POST", "uploadId", fault)
    with pytest.raises(RuntimeError, match="/c/0/0: cannot be written"):
        write(s3)
    assert s3.uploads.begun == 1 and not s3.uploads.open


def overwrite(s3, values):
    dataset = gdal.OpenEx(f"{s3.root}/a.zarr", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    dataset.GetRootGroup().OpenMDArray("a").Write(values)


def test_a_failed_upload_leaves_what_was_there(s3):
    write(s3)
    s3.fail("PUT", "partNumber=2")
    with pytest.raises(RuntimeError, match="/c/0/0: cannot be written"):
        overwrite(s3, LARGE + 1)
    s3.heal()
    np.testing.assert_array_equal(read(s3), LARGE)
    overwrite(s3, LARGE + 1)
    np.testing.assert_array_equal(read(s3), LARGE + 1)
    assert s3.uploads.begun == 3 and not s3.uploads.open


@pytest.fixture
def azure(tmp_path):
    for server in run_or_skip(lambda: Azurite(tmp_path)):
        with server.configure():
            yield server


def test_a_large_shard_appears_whole_on_azure(azure):
    """Its blocks are uploaded, and then made a value by one request. Appended ones would be seen one after the other."""
    write(azure)
    np.testing.assert_array_equal(read(azure), LARGE)  # the log has the answers before
    assert azure.list_answers("PUT", "/c/0/0?blockid=") == [201] * 3
    assert azure.list_answers("PUT", "/c/0/0?comp=blocklist") == [201]
    assert azure.list_answers("PUT", "comp=appendblock") == []
