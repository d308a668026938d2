# SPDX-License-Identifier: MIT
"""The commands "gdal driver zarr list-branches", "list-tags" and "list-snapshots", for repositories of Icechunk."""

import json
import os
import shutil
import subprocess

import pytest
from errors import collect_errors
from http_server import list_links
from icechunk_writer import Repository, format_id, make_id, make_ref
from osgeo import gdal
from test_icechunk import HALF, MAIN, REPOSITORIES, V1, V2
from versions import GDAL_VERSION

pytestmark = pytest.mark.skipif(
    GDAL_VERSION < 311, reason="drivers have commands, such as `gdal driver zarr list-branches`, since GDAL 3.11"
)
FIRST = "Repository initialized"


def run(command, name, **arguments):
    algorithm = gdal.Run("driver", "zarr", command, input=name, **arguments)
    return json.loads(algorithm["output-string"])


def fail(command, name, **arguments):
    """The error, which is the only one."""
    with collect_errors() as errors, pytest.raises(RuntimeError) as info:
        run(command, name, **arguments)
    assert [text for _, text in errors] in ([], [str(info.value)])
    return str(info.value)


def messages(items):
    return [item["commit_message"] for item in items]


@pytest.mark.parametrize("path", [V1, V2])
@pytest.mark.parametrize("form", ["{}", "ICECHUNK:{}", 'ZARR:"{}"', "{}?tag=half", 'ZARR:"/vsiicechunk/{{{}}}"'])
def test_branches_and_tags_of_both_formats(path, form):
    branches = run("list-branches", form.format(path))
    assert [item["name"] for item in branches] == ["dev", "main"]
    assert messages(branches)[1] == "all"
    tags = run("list-tags", form.format(path))
    assert [(item["name"], item["commit_message"]) for item in tags] == [("half", "half of the chunks")]
    for item in branches + tags:
        assert list(item) == ["name", "commit_message", "timestamp"]
        assert item["timestamp"].startswith("2026-") and item["timestamp"].endswith("Z")


@pytest.mark.parametrize("path", [V1, V2])
def test_snapshots_of_a_branch_and_of_a_tag(path):
    every = run("list-snapshots", path)
    assert messages(every) == ["all", "half of the chunks", FIRST]
    assert [item["id"] for item in every][:2] == [MAIN[path], HALF[path]]
    assert run("list-snapshots", path, branch="main") == every
    assert run("list-snapshots", path, tag="half") == every[1:]
    assert run("list-snapshots", path + "?tag=half") == every[1:]
    assert run("list-snapshots", f"{path}?snapshot={HALF[path]}", limit=1) == every[1:2]
    assert run("list-snapshots", path, limit=2) == every[:2]
    for snapshot in every[:2]:
        assert gdal.OpenEx(f"{path}?snapshot={snapshot['id']}", gdal.OF_MULTIDIM_RASTER)


def test_a_repository_in_an_archive_is_listed(tmp_path):
    archive = shutil.make_archive(str(tmp_path / "a"), "zip", V2)
    assert [item["name"] for item in run("list-branches", f"/vsizip/{archive}")] == ["dev", "main"]


def test_what_the_program_prints():
    program = shutil.which("gdal")
    if not program:
        pytest.skip("the program gdal is not installed")
    done = subprocess.run([program, "driver", "zarr", "list-tags", V2], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [item["name"] for item in json.loads(done.stdout)] == ["half"]
    assert done.stdout.endswith("]\n")
    done = subprocess.run([program, "driver", "zarr", "list-tags", REPOSITORIES], capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1 or "Usage" in done.stderr


def test_an_author_and_a_fraction_of_a_second(store):
    store += ".icechunk"
    source = gdal.GetDriverByName("MEM").Create("", 4, 4)
    options = ["FORMAT=ICECHUNK", "COMMIT_MESSAGE=a \"b\" ü", "COMMIT_AUTHOR=Ada"]
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=options).Close()
    last = run("list-snapshots", store)[0]
    assert (last["commit_message"], last["author"]) == ('a "b" ü', "Ada")
    assert len(last["timestamp"]) in (len("2026-01-01T00:00:00Z"), len("2026-01-01T00:00:00.123Z"))
    assert run("list-branches", store) == [{"name": "main", "commit_message": 'a "b" ü', "timestamp": last["timestamp"]}]


def test_an_open_dataset_is_listed():
    dataset = gdal.OpenEx(V2, gdal.OF_MULTIDIM_RASTER)
    assert len(run("list-branches", dataset)) == 2


@pytest.mark.parametrize("path", [V1, V2])
def test_a_repository_on_a_server_is_listed(tmp_path, server, path):
    server.index_page = list_links
    shutil.copytree(path, tmp_path / "r")
    for name in (f"/vsicurl/{server.url}/r", f"ICECHUNK:/vsicurl/{server.url}/r", f"{server.url}/r"):
        assert [item["name"] for item in run("list-branches", name)] == ["dev", "main"]
        assert messages(run("list-snapshots", name)) == ["all", "half of the chunks", FIRST]
    if path == V2:
        assert len(run("list-tags", f"/vsicurl/{server.url}/r/repo")) == 1


def test_names_in_format_1_need_a_listing(tmp_path, server):
    shutil.copytree(V1, tmp_path / "r")
    name = f"/vsicurl/{server.url}/r"
    assert "the tags of a repository of format 1 are the names of folders" in fail("list-tags", name)
    assert messages(run("list-snapshots", name)) == ["all", "half of the chunks", FIRST]


@pytest.mark.parametrize("command", ["list-branches", "list-tags", "list-snapshots"])
def test_what_is_no_repository_is_one_error(tmp_path, command):
    (tmp_path / "a.txt").write_text("text")
    relief = os.path.join(REPOSITORIES, "..", "demo", "relief_v3.zarr")
    for name in (relief, str(tmp_path), str(tmp_path / "a.txt"), str(tmp_path / "absent")):
        assert f"{name}: there is no Icechunk repository" in fail(command, name)


def test_wrong_choices_are_errors():
    assert 'no branch "x"; its branches are "dev", "main"' in fail("list-snapshots", V2, branch="x")
    assert 'no tag "x"; its tags are "half"' in fail("list-snapshots", V2, tag="x")
    with pytest.raises(RuntimeError, match="mutually exclusive"):
        run("list-snapshots", V2, tag="half", branch="main")
    with pytest.raises(RuntimeError, match="limit"):
        run("list-snapshots", V2, limit=0)


def test_a_branch_whose_snapshot_is_missing_is_listed(tmp_path):
    folder = shutil.copytree(V1, tmp_path / "r")
    os.remove(folder / "snapshots" / HALF[V1])
    with collect_errors() as errors:
        tags = run("list-tags", str(folder))
    assert tags == [{"name": "half"}]
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert f"snapshots/{HALF[V1]}: the object is missing" in errors[0][1]


def test_a_branch_with_any_name(tmp_path):
    made = Repository(tmp_path / "r", 4, [make_ref([0], data=b"\1\2\3\4")], branch="a&b/c")
    assert run("list-branches", made.folder) == [{"name": "a&b/c", "commit_message": "a commit"}]
    assert run("list-snapshots", made.folder, branch="a&b/c")[0]["id"] == format_id(make_id(3))
