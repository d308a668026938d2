# SPDX-License-Identifier: MIT
"""Commits to Icechunk repositories on S3: the server compares and replaces the repo info file in one step."""

import contextlib
import multiprocessing
import os

import numpy as np
import pytest
from closing import close
from errors import collect_errors
from osgeo import gdal
from s3_server import count_methods

OPTIONS = ["FORMAT=ICECHUNK", "BLOCKSIZE=8,8", "ARRAY_NAME=a", "COMPRESS=NONE"]
VALUES = np.arange(24 * 40, dtype="int16").reshape(24, 40)


@contextlib.contextmanager
def changing(path, *options):
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=list(options))
    yield dataset
    close(dataset)


def make_repository(path):
    dataset = gdal.GetDriverByName("Zarr").Create(path, 40, 24, 1, gdal.GDT_Int16, OPTIONS)
    dataset.WriteArray(VALUES)
    close(dataset)


def read(path):
    return gdal.Open(path).ReadAsArray()


@pytest.fixture
def repository(s3_bucket):
    path = f"{s3_bucket.root}/a.icechunk"
    make_repository(path)
    return path


def test_a_repository_is_made_and_changed(repository, s3_bucket):
    assert (read(repository) == VALUES).all()
    with changing(repository, "COMMIT_MESSAGE=second") as dataset:
        dataset.GetRasterBand(1).WriteArray(np.full((8, 8), -1, "int16"))
        assert (read(f"ICECHUNK:{repository}") == VALUES).all()
    assert (read(repository)[:8, :8] == -1).all() and (read(repository)[8:] == VALUES[8:]).all()
    keys = [key for key in s3_bucket.keys() if key.startswith("a.icechunk/snapshots/")]
    assert len(keys) == 3 and sum(key.startswith("a.icechunk/overwritten/") for key in s3_bucket.keys()) == 1


def test_a_change_of_others_between_reading_and_replacing_is_not_lost(repository, s3_bucket):
    """The other change is made when the repo info file has been read, and not replaced yet."""
    mine = gdal.OpenEx(repository, gdal.OF_RASTER | gdal.OF_UPDATE)
    mine.GetRasterBand(1).WriteArray(np.full((8, 8), 1, "int16"), 0, 0)
    done = []
    pass_on = s3_bucket.refuse

    def change_first(method, target, headers):
        if method == "PUT" and "/overwritten/" in target and not done:
            done.append(True)
            context = multiprocessing.get_context("spawn")
            other = context.Process(target=write_blocks, args=(s3_bucket.settings(), repository, [(8, 2)], None))
            other.start()
            other.join()
            assert other.exitcode == 0
        return pass_on(method, target, headers)

    s3_bucket.refuse = change_first
    try:
        close(mine)
    finally:
        s3_bucket.refuse = pass_on
    assert done and read(repository)[:, 0].tolist()[:16] == [1] * 8 + [2] * 8
    assert 412 in [request.status for request in s3_bucket.log if request.method == "PUT"]


def write_blocks(settings, path, blocks, queue):
    gdal.UseExceptions()
    for name, value in settings.items():
        gdal.SetConfigOption(name, value)
    for row, value in blocks:
        with changing(path) as dataset:
            dataset.GetRasterBand(1).WriteArray(np.full((8, 8), value, "int16"), 0, row)
    if queue:
        queue.put(os.getpid())


def test_processes_that_commit_at_the_same_time_lose_nothing(s3_bucket):
    path = f"{s3_bucket.root}/many.icechunk"
    close(gdal.GetDriverByName("Zarr").Create(path, 40, 128, 1, gdal.GDT_Int16, OPTIONS))
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    blocks = [[(8 * (4 * i + j), 4 * i + j + 1) for j in range(4)] for i in range(4)]
    team = [context.Process(target=write_blocks, args=(s3_bucket.settings(), path, mine, queue)) for mine in blocks]
    for process in team:
        process.start()
    for process in team:
        process.join()
        assert process.exitcode == 0
    assert read(path)[:, 0].tolist() == [row // 8 + 1 for row in range(128)]
    keys = s3_bucket.keys()
    assert sum(key.startswith("many.icechunk/overwritten/") for key in keys) == 16


def test_an_answer_that_is_lost_is_no_second_commit(repository, s3_bucket):
    """The server has replaced the file, and fails to say so; the request is sent again, and its condition does not hold."""
    with s3_bucket.record() as requests:
        s3_bucket.fail("PUT", "a.icechunk/repo", status=500)
        with collect_errors(), contextlib.suppress(RuntimeError), changing(repository) as dataset:
            dataset.GetRasterBand(1).WriteArray(np.full((8, 8), 4, "int16"))
    assert count_methods(requests)["PUT"] > 0
    assert read(repository)[0, 0] in (0, 4)


def test_a_second_repository_is_not_made_over_the_first(repository):
    with pytest.raises(RuntimeError, match="there is an Icechunk repository already"):
        make_repository(repository)
    assert (read(repository) == VALUES).all()


def test_headers_of_the_user_are_kept_or_refused(repository):
    gdal.SetConfigOption("GDAL_HTTP_HEADERS", "X-Test: 1")
    try:
        with changing(repository) as dataset:
            dataset.GetRasterBand(1).WriteArray(np.full((8, 8), 5, "int16"))
    finally:
        gdal.SetConfigOption("GDAL_HTTP_HEADERS", None)
    assert read(repository)[0, 0] == 5


@pytest.mark.parametrize("root", ["/vsigs/bucket", "/vsioss/bucket"])
def test_other_object_stores_are_refused(root):
    with pytest.raises(RuntimeError, match="in local folders, on S3 and on Azure only"):
        make_repository(root + "/a.icechunk")
