# SPDX-License-Identifier: MIT
"""This driver and the reference implementation commit to one branch of a repository on an S3 server at the same time."""

import icechunk_commits
import numpy as np
import pytest
import reference
from icechunk_commits import SIDE, make_repository
from moto_server import MotoServer
from osgeo import gdal
from s3_server import S3Server
from server_fixtures import run_or_skip

pytestmark = reference.needs_reference

TEAM = 4  # processes of each
COMMITS = 4  # of each process
COLUMNS = SIDE


@pytest.fixture(scope="module", params=[S3Server, MotoServer])
def server(request, tmp_path_factory):
    for running in run_or_skip(lambda: request.param(tmp_path_factory.mktemp("s3"))):
        with running.configure():
            yield running


def locate(server, name):
    """The place of a repository for the reference implementation."""
    return {"endpoint": server.endpoint, "bucket": server.bucket, "prefix": name, "id": server.key_id, "secret": server.secret}


def start_references(place, first):
    """Starts processes of the reference implementation that write rows of chunks from `first` on."""
    firsts = [first + i * COMMITS for i in range(TEAM)]
    return [reference.start(["setRows", place, "main", "a", start, COMMITS, SIDE, COLUMNS]) for start in firsts]


def list_values(rows):
    """What the rows of chunks have: those of this driver their number plus one, the others their number."""
    ours = TEAM * COMMITS
    return np.repeat([row + 1 if row < ours else row for row in range(rows)], SIDE)


def test_four_processes_of_each_lose_no_commit(server):
    path, place = f"{server.root}/both", locate(server, "both")
    rows = 2 * TEAM * COMMITS
    make_repository(path, np.full((rows * SIDE, COLUMNS), -1, "int32"))
    theirs = start_references(place, TEAM * COMMITS)
    icechunk_commits.wait(icechunk_commits.start_team(server.settings(), path, TEAM, COMMITS))
    conflicts = [reference.wait(process)[0] for process in theirs]
    expected = list_values(rows)
    history, read = reference.run(["history", place, "main"], ["read", place, {"branch": "main"}, ["a"]])
    by_reference = np.array(read["arrays"]["a"]["values"]).reshape(read["arrays"]["a"]["shape"])
    by_gdal = gdal.Open(path).ReadAsArray()
    for column in (0, COLUMNS - 1):
        assert by_reference[:, column].tolist() == expected.tolist() and by_gdal[:, column].tolist() == expected.tolist()
    assert len(history) == len({commit["id"] for commit in history}) == rows + 2, conflicts
    messages = [commit["message"] for commit in history]
    assert sorted(m for m in messages if m.startswith("rows ")) == sorted(f"rows {row * SIDE}" for row in range(rows // 2, rows))


def test_both_commit_one_after_the_other(server):
    path, place = f"{server.root}/turns", locate(server, "turns")
    reference.run(["create", place, 2], ["addArray", place, "main", "a", [2 * SIDE, SIDE], [SIDE, SIDE], 5, "made"])
    icechunk_commits.write_block(path, 0, 7)
    reference.run(["set", place, "main", "a", [[SIDE, 2 * SIDE], [0, SIDE]], 9, "set"])
    assert gdal.Open(path).ReadAsArray()[:, 0].tolist() == [7] * SIDE + [9] * SIDE
    assert len(reference.run(["history", place, "main"])[0]) == 4
