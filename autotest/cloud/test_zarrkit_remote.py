# SPDX-License-Identifier: MIT
"""The program zarrkit with stores that GDAL's virtual file systems reach."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from http_server import Server, list_links
from osgeo import gdal

ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")
VALUES = np.arange(1, 64 * 64 + 1, dtype="i4").reshape(64, 64)

pytestmark = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")


def run(*arguments, **environment):
    return subprocess.run(
        [ZARRKIT, *map(str, arguments)], capture_output=True, text=True, timeout=120, env=os.environ | environment
    )


def make(path, *options):
    driver = gdal.GetDriverByName("Zarr")
    raster = driver.Create(str(path), 64, 64, 1, gdal.GDT_Int32, ["BLOCKSIZE=16,16", "ARRAY_NAME=a", *options])
    raster.WriteArray(VALUES)


@pytest.fixture
def web(tmp_path):
    with Server(str(tmp_path)).serve() as server:
        yield server


@pytest.fixture(params=["FORMAT=ZARR_V2", "FORMAT=ZARR_V3"])
def store(request, tmp_path):
    make(tmp_path / "a.zarr", request.param)
    return tmp_path / "a.zarr"


@pytest.mark.parametrize("prefix", ["", "/vsicurl/"])
@pytest.mark.parametrize(
    "command",
    [
        ["info", "--json"],
        ["explain", "--array", "a", "--json"],
        ["plan", "--array", "a", "--json"],
        ["stat", "--array", "a", "--chunk", "1,2"],
        ["cat", "--array", "a", "--chunk", "1,2", "--text"],
    ],
    ids=lambda command: command[0],
)
def test_a_web_server_gives_what_a_folder_gives(web, store, prefix, command):
    local = run(*command, store)
    remote = run(*command, f"{prefix}{web.url}/a.zarr")
    assert (local.returncode, local.stderr) == (0, "")
    assert (remote.returncode, remote.stderr) == (0, "")
    url = f"/vsicurl/{web.url}/a.zarr"
    assert remote.stdout == local.stdout.replace(str(store), url)


def test_a_check_decodes_what_the_metadata_name(web, store):
    found = json.loads(run("check", f"{web.url}/a.zarr", "--json").stdout)
    assert [finding["rule"] for finding in found["findings"]] == ["store-unlisted"]
    assert (found["arrays"], found["chunks"], found["errors"]) == (1, 16, 0)
    chunk = next(p for p in sorted((store / "a").rglob("*")) if p.is_file() and p.name[0] in "0123")
    chunk.write_bytes(chunk.read_bytes()[:20])
    found = json.loads(run("check", f"{web.url}/a.zarr", "--json").stdout)
    assert [finding["rule"] for finding in found["findings"]] == ["store-unlisted", "chunk-undecodable"]
    assert found["findings"][1]["key"] == str(chunk.relative_to(store))


def test_pages_that_list_folders_are_read(web, store):
    web.index_page = list_links
    assert run("check", f"{web.url}/a.zarr").stdout.splitlines()[-1] == run("check", store).stdout.splitlines()[-1]


def test_pages_that_list_nothing_are_not_taken_for_empty_folders(web, store):
    web.index_page = lambda path, names: f"<html><title>Directory listing for {path}</title><body></body></html>"
    found = json.loads(run("check", f"{web.url}/a.zarr", "--json").stdout)
    assert [finding["rule"] for finding in found["findings"]] == ["store-unlisted"]
    assert (found["arrays"], found["chunks"]) == (1, 16)
    failed = run("finish", f"{web.url}/a.zarr")
    assert failed.returncode == 1
    assert "cannot be listed" in failed.stderr
    assert run("finish", "--no-consolidate", f"{web.url}/a.zarr").stdout == "/a: 0 of 16 chunks missing\n"


def test_names_of_datasets_stand_for_their_store(web, store):
    assert run("info", f'ZARR:"/vsicurl/{web.url}/a.zarr"').stdout == run("info", f"{web.url}/a.zarr").stdout
    refused = run("info", f'ZARR:"/vsicurl/{web.url}/a.zarr":/a')
    assert refused.returncode == 1
    assert "--array" in refused.stderr


def test_a_copy_from_the_web_is_complete(web, store, tmp_path):
    copied = run("copy", f"{web.url}/a.zarr", tmp_path / "copy.zarr")
    assert (copied.returncode, copied.stderr) == (0, "")
    np.testing.assert_array_equal(gdal.Open(str(tmp_path / "copy.zarr")).ReadAsArray(), VALUES)
    files = {str(p.relative_to(store)) for p in store.rglob("*") if p.is_file()}
    assert {str(p.relative_to(tmp_path / "copy.zarr")) for p in (tmp_path / "copy.zarr").rglob("*") if p.is_file()} == files


def test_a_copy_asks_for_each_chunk_once(web, store, tmp_path):
    assert run("copy", f"{web.url}/a.zarr", tmp_path / "copy.zarr").returncode == 0
    keys = [f"/a.zarr/{p.relative_to(store)}" for p in (store / "a").rglob("*") if p.is_file() and p.name[0] in "0123"]
    asked = [path for _, path in web.log]
    assert len(keys) == 16
    assert [asked.count(key) for key in keys] == [1] * 16


def test_a_failure_of_the_server_is_an_error_that_names_the_key(web, store, tmp_path):
    chunk = next(p for p in sorted((store / "a").rglob("*")) if p.is_file() and p.name[0] in "0123")
    key = str(chunk.relative_to(store))
    web.failures[key] = 500
    for command in (["check"], ["copy"]):
        target = [tmp_path / "copy.zarr"] if command == ["copy"] else []
        failed = run(*command, f"{web.url}/a.zarr", *target, GDAL_HTTP_MAX_RETRY="0")
        assert failed.returncode == 1
        assert key in failed.stdout + failed.stderr
        assert "500" in failed.stdout + failed.stderr
    assert not (tmp_path / "copy.zarr/zarr.json").exists()
    assert not (tmp_path / "copy.zarr/.zgroup").exists()


def test_what_is_not_there_is_one_error(web):
    failed = run("info", f"{web.url}/nothing.zarr")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert len(failed.stderr.splitlines()) == 1
    assert "nothing.zarr" in failed.stderr


def test_a_copy_goes_to_a_local_folder_alone(web, store):
    failed = run("copy", store, f"{web.url}/copy.zarr")
    assert failed.returncode == 2
    assert "local folder" in failed.stderr


def test_a_store_that_takes_no_writes_says_so(web, store):
    for command in (["finish"], ["migrate", "--to", "v3"], ["reshard", "--array", "a", "--chunks", "8,8"]):
        if command[0] == "migrate" and (store / "zarr.json").exists():
            continue
        failed = run(*command, f"{web.url}/a.zarr")
        assert failed.returncode == 1, command
        assert len(failed.stderr.splitlines()) == 1, command


def test_archives_are_read(store, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "a.zarr"), "zip", str(store))
    for name in (archive, f"/vsizip/{archive}"):
        shown = run("info", name)
        assert (shown.returncode, shown.stderr) == (0, "")
        assert "a  [64,64]" in shown.stdout
        assert run("check", name).returncode == 0


def test_an_object_store_is_finished_and_migrated(s3_bucket, tmp_path):
    make(tmp_path / "a.zarr", "FORMAT=ZARR_V2", "CREATE_CONSOLIDATED_METADATA=NO")
    s3_bucket.upload("a.zarr", str(tmp_path / "a.zarr"))
    environment = dict(s3_bucket.settings())
    name = s3_bucket.root.replace("/vsis3/", "s3://") + "/a.zarr"
    assert run("finish", name, **environment).returncode == 0
    moved = run("migrate", name, "--to", "v3", "--delete-old", **environment)
    assert (moved.returncode, moved.stderr) == (0, "")
    assert "Zarr v3" in run("info", name, **environment).stdout
    np.testing.assert_array_equal(gdal.Open(f"{s3_bucket.root}/a.zarr").ReadAsArray(), VALUES)
    assert json.loads(run("check", name, "--json", **environment).stdout)["findings"] == []
