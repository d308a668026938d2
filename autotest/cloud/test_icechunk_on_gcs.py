# SPDX-License-Identifier: MIT
"""Commits to Icechunk repositories on Google Cloud Storage: the server compares the generation of the repo info file, and
replaces it, in one step."""

import icechunk_commits
import numpy as np
import pytest
from closing import close
from config_options import set_config_option
from gcs_server import GcsServer
from icechunk_commits import make_repository, write_block
from osgeo import gdal

VALUES = np.arange(24 * 40, dtype="int16").reshape(24, 40)


@pytest.fixture(params=["open", "token", "keys"])
def gcs(request):
    """Without credentials, with a token of OAuth2, and with HMAC keys."""
    with GcsServer(request.param).serve() as server, server.configure():
        yield server


@pytest.fixture
def repository(gcs):
    path = f"{gcs.root}/a.icechunk"
    make_repository(path, VALUES)
    return path


def read(path):
    return gdal.Open(path).ReadAsArray()


def test_a_repository_is_made_and_changed(repository, gcs):
    assert (read(repository) == VALUES).all()
    write_block(repository, 0, -1)
    assert (read(repository)[:8, :8] == -1).all() and (read(repository)[8:] == VALUES[8:]).all()
    assert sum(key.startswith("a.icechunk/overwritten/") for key in gcs.objects) == 1


def test_a_change_of_others_between_reading_and_replacing_is_not_lost(repository, gcs):
    mine = gdal.OpenEx(repository, gdal.OF_RASTER | gdal.OF_UPDATE)
    mine.GetRasterBand(1).WriteArray(np.full((8, 8), 1, "int16"), 0, 0)
    done = []

    def change_first(method, path):
        if method == "PUT" and "/overwritten/" in path and not done:
            done.append(path)
            icechunk_commits.wait([icechunk_commits.start_process(gcs.settings(), repository, [(8, 2)])])

    gcs.before = change_first
    close(mine)
    assert done and read(repository)[:, 0].tolist()[:16] == [1] * 8 + [2] * 8
    assert [status for method, path, status in gcs.log if method == "PUT" and path.endswith("/repo")] == [200, 200, 412, 200]


def test_processes_that_commit_at_the_same_time_lose_nothing(gcs):
    path = f"{gcs.root}/many.icechunk"
    make_repository(path, np.zeros((128, 40), "int16"))
    icechunk_commits.wait(icechunk_commits.start_team(gcs.settings(), path, 4, 4))
    icechunk_commits.expect_team(path, 4, 4)
    assert sum(key.startswith("many.icechunk/overwritten/") for key in gcs.objects) == 16


def test_a_second_repository_is_not_made_over_the_first(repository):
    with pytest.raises(RuntimeError, match="there is an Icechunk repository already"):
        make_repository(repository, VALUES)
    assert (read(repository) == VALUES).all()


def test_a_repository_that_others_make_meanwhile_is_kept(gcs):
    """Two processes find no repository, and both make one."""
    path = f"{gcs.root}/new.icechunk"
    made = []

    def make_first(method, target):
        if method == "PUT" and target.endswith("/repo") and not made:
            made.append(target)
            gcs.objects["new.icechunk/repo"] = gcs.make_object(b"of others")

    gcs.before = make_first
    with pytest.raises(RuntimeError, match="another process has made a repository here"):
        make_repository(path, VALUES)
    assert gcs.objects["new.icechunk/repo"].body == b"of others"


def test_headers_of_the_user_are_kept(repository):
    with set_config_option("GDAL_HTTP_HEADERS", "X-Test: 1"):
        write_block(repository, 0, 5)
    assert read(repository)[0, 0] == 5


def test_keys_sign_the_condition():
    """The server of these tests refuses other keys, so that the tests above show that GDAL signs the condition, too."""
    with GcsServer("keys").serve() as server, server.configure():
        make_repository(f"{server.root}/a.icechunk", VALUES)
        gdal.SetConfigOption("GS_SECRET_ACCESS_KEY", "other")
        with pytest.raises(RuntimeError, match="403"):
            write_block(f"ICECHUNK:{server.root}/a.icechunk", 0, 1)


