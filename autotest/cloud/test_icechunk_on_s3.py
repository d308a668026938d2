# SPDX-License-Identifier: MIT
"""Commits to Icechunk repositories on S3: the server compares and replaces the repo info file in one step."""

import contextlib

import icechunk_commits
import numpy as np
import pytest
from closing import close
from config_options import set_config_option
from errors import collect_errors
from icechunk_commits import changing, make_repository, write_block
from osgeo import gdal
from s3_server import count_methods

VALUES = np.arange(24 * 40, dtype="int16").reshape(24, 40)


def read(path):
    return gdal.Open(path).ReadAsArray()


@pytest.fixture
def repository(s3_bucket):
    path = f"{s3_bucket.root}/a.icechunk"
    make_repository(path, VALUES)
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
            icechunk_commits.wait([icechunk_commits.start_process(s3_bucket.settings(), repository, [(8, 2)])])
        return pass_on(method, target, headers)

    s3_bucket.refuse = change_first
    try:
        close(mine)
    finally:
        s3_bucket.refuse = pass_on
    assert done and read(repository)[:, 0].tolist()[:16] == [1] * 8 + [2] * 8
    assert 412 in [request.status for request in s3_bucket.log if request.method == "PUT"]


def expect_no_loss(server, **settings):
    path = f"{server.root}/many.icechunk"
    make_repository(path, np.zeros((128, 40), "int16"))
    team = icechunk_commits.start_team({**server.settings(), **settings}, f"ICECHUNK:{path}", 4, 4)
    icechunk_commits.wait(team)
    icechunk_commits.expect_team(path, 4, 4)
    assert len(gdal.ReadDir(f"{path}/overwritten")) == 16


def test_processes_that_commit_at_the_same_time_lose_nothing(s3_bucket):
    expect_no_loss(s3_bucket)


def test_processes_that_read_by_gdal_lose_nothing(s3_bucket):
    """GDAL's files have no entity tags, which are asked for in requests of their own."""
    expect_no_loss(s3_bucket, ZARR_HTTP_CLIENT="GDAL")


def test_processes_lose_nothing_on_a_server_that_honours_conditions(moto):
    """The conditions that s3rver gets are honoured by code of these tests; those that moto gets, by moto."""
    with moto.configure():
        expect_no_loss(moto)


def test_an_answer_that_is_lost_is_no_second_commit(repository, s3_bucket):
    """The server has replaced the file, and fails to say so; the request is sent again, and its condition does not hold."""
    with s3_bucket.record() as requests:
        s3_bucket.fail("PUT", "a.icechunk/repo", status=500)
        with collect_errors(), contextlib.suppress(RuntimeError):
            write_block(repository, 0, 4)
    assert count_methods(requests)["PUT"] > 0
    assert read(repository)[0, 0] in (0, 4)


def test_a_second_repository_is_not_made_over_the_first(repository):
    with pytest.raises(RuntimeError, match="there is an Icechunk repository already"):
        make_repository(repository, VALUES)
    assert (read(repository) == VALUES).all()


def test_a_repository_that_was_open_is_changed_by_its_name(s3_bucket):
    """By GDAL's own client, which remembers that the folder has no document of Zarr."""
    path = f"{s3_bucket.root}/a.icechunk"
    with set_config_option("ZARR_HTTP_CLIENT", "GDAL"):
        make_repository(path, VALUES)
        assert (read(path) == VALUES).all()
        write_block(path, 0, 3)
        write_block(path, 8, 4)
        assert read(path)[:16, 0].tolist() == [3] * 8 + [4] * 8


def test_headers_of_the_user_are_kept_or_refused(repository):
    with set_config_option("GDAL_HTTP_HEADERS", "X-Test: 1"):
        write_block(repository, 0, 5)
    assert read(repository)[0, 0] == 5


@pytest.mark.parametrize("root", ["/vsiswift/bucket", "/vsioss/bucket"])
def test_other_object_stores_are_refused(root):
    with pytest.raises(RuntimeError, match="in local folders, on S3, on Azure and on Google Cloud Storage only"):
        make_repository(root + "/a.icechunk", VALUES)
