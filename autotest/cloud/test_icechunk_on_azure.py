# SPDX-License-Identifier: MIT
"""Commits to Icechunk repositories on Azure: the server compares the entity tag of the repo info file, and replaces it, in
one step. Folders without an ending that tells what they are need the prefix ICECHUNK there: GDAL does not tell them."""

import random

import icechunk_commits
import numpy as np
import pytest
from azurite import Azurite
from icechunk_commits import changing, make_repository, write_block
from osgeo import gdal
from server_fixtures import run_or_skip

VALUES = np.arange(24 * 40, dtype="int16").reshape(24, 40)


@pytest.fixture(scope="module", params=["key", "shared"])
def azure(request, tmp_path_factory):
    for server in run_or_skip(lambda: Azurite(tmp_path_factory.mktemp("azurite"), request.param)):
        with server.configure():
            yield server


@pytest.fixture
def repository(azure, request):
    path = f"{azure.root}/{request.node.name}"
    make_repository(path, VALUES)
    return "ICECHUNK:" + path


def read(path):
    return gdal.Open(path).ReadAsArray()


def test_a_repository_is_made_and_changed(repository):
    assert (read(repository) == VALUES).all()
    write_block(repository, 0, -1)
    assert (read(repository)[:8, :8] == -1).all() and (read(repository)[8:] == VALUES[8:]).all()


def test_processes_that_commit_at_the_same_time_lose_nothing(azure):
    path = f"{azure.root}/many"
    make_repository(path, np.zeros((128, 40), "int16"))
    icechunk_commits.wait(icechunk_commits.start_team(azure.settings(), "ICECHUNK:" + path, 4, 4))
    icechunk_commits.expect_team("ICECHUNK:" + path, 4, 4)
    assert len(gdal.ReadDir(f"{path}/overwritten")) == 16
    assert azure.list_answers("PUT", "/many/repo").count(201) == 17


def test_a_second_repository_is_not_made_over_the_first(repository):
    with pytest.raises(RuntimeError, match="there is an Icechunk repository already"):
        make_repository(repository.removeprefix("ICECHUNK:"), VALUES)
    assert (read(repository) == VALUES).all()


@pytest.mark.parametrize(("chunk_size", "size"), [(None, 9 << 19), ("1", 3 << 19)])
def test_what_takes_several_requests_is_not_replaced(repository, chunk_size, size):
    """GDAL appends what does not fit into the first request, which has replaced the file already."""
    message = random.Random(1).randbytes(size).hex()
    gdal.SetConfigOption("VSIAZ_CHUNK_SIZE", chunk_size)
    with pytest.raises(RuntimeError, match="cannot be replaced on a condition"), changing(repository, f"COMMIT_MESSAGE={message}") as dataset:
        dataset.GetRasterBand(1).WriteArray(np.full((8, 8), 1, "int16"))
    gdal.SetConfigOption("VSIAZ_CHUNK_SIZE", None)
    assert (read(repository) == VALUES).all()
