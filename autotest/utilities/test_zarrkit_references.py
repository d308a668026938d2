# SPDX-License-Identifier: MIT
"""zarrkit check, explain, stat and map look at kerchunk references and at Icechunk repositories as at a plain store."""

import json
import os
import shutil

import numpy as np
import pytest
from http_server import Server
from icechunk_writer import Repository, format_id, make_id, make_ref
from osgeo import gdal
from page_commands import DEMO, REPOSITORY
from stores import write_v3
from zarrkit_program import run_zarrkit

# What refers to the chunks of one store, and the names that zarrkit takes for it.
COPIES = {
    "json": (["FORMAT=KERCHUNK"], "r.json"),
    "parquet": (["FORMAT=KERCHUNK"], "r.parq"),
    "repository": (["FORMAT=ICECHUNK", "VIRTUAL=YES"], "r.icechunk"),
}
FORMS = {
    "json": ["{}", 'ZARR:"{}"'],
    "parquet": ["{}", 'ZARR:"{}"'],
    "repository": ["{}", 'ZARR:"{}"', "{}/repo", "{}?branch=main", "ICECHUNK:{}", "/vsiicechunk/{{{}}}"],
}
CASES = [(kind, form) for kind, forms in FORMS.items() for form in forms]


def refer_to(plain, folder, kind):
    options, name = COPIES[kind]
    gdal.MultiDimTranslate(f"{folder}/{name}", plain, format="Zarr", creationOptions=options)
    return f"{folder}/{name}"


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    plain = str(shutil.copytree(f"{DEMO}/relief_v3.zarr", folder / "plain.zarr"))
    return {"plain": plain, **{kind: refer_to(plain, folder, kind) for kind in COPIES}}


def run_json(command, name, *arguments):
    return json.loads(run_zarrkit(command, name, "--json", *arguments))


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_check_finds_the_same(sources, kind, form):
    assert run_zarrkit("check", form.format(sources[kind])) == "1 groups, 4 arrays, 14 chunks, 0 errors\n"


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_explain_counts_the_same(sources, kind, form):
    window = ["--array", "relief", "--window", "100,100,300,300"]
    assert run_json("explain", form.format(sources[kind]), *window) == run_json("explain", sources["plain"], *window)


def make_sparse(folder):
    """A store with chunks of which half are absent."""
    plain = str(folder / "plain.zarr")
    values = np.arange(16, dtype="i2").reshape(4, 4)
    write_v3(plain, values, [2, 2], names=["y", "x"])
    for key in ("0/1", "1/0"):
        os.remove(f"{plain}/c/{key}")
    return plain


def test_an_absent_chunk_of_references_takes_no_request(tmp_path):
    plain = make_sparse(tmp_path)
    metadata = open(f"{plain}/zarr.json").read()
    refs = {"zarr.json": metadata, "c/0/0": [f"{plain}/c/0/0", 0, 8], "c/1/1": "base64:AQACAAMABAA="}
    path = str(tmp_path / "r.json")
    json.dump({"version": 1, "refs": refs}, open(path, "w"))
    whole = run_json("explain", plain, "--array", "/")
    assert (whole["requests_at_least"], whole["chunks"]["stored"]) == (4, 2)
    whole = run_json("explain", path, "--array", "/")
    assert (whole["requests_at_least"], whole["round_trips_at_least"], whole["chunks"]["stored"]) == (1, 1, 2)
    for region in ("2:4,2:4", "2:4,0:2"):  # of bytes among the references, and of nothing
        part = run_json("explain", path, "--array", "/", "--region", region)
        assert (part["requests_at_least"], part["round_trips_at_least"]) == (0, 0)
        assert "requests        none" in run_zarrkit("explain", path, "--array", "/", "--region", region)
    assert "takes a request" not in part["advice"][0]


def test_an_absent_chunk_of_an_archive_takes_no_request(tmp_path):
    archive = shutil.make_archive(str(tmp_path / "a.zarr"), "zip", make_sparse(tmp_path))
    whole = run_json("explain", archive, "--array", "/")
    assert (whole["requests_at_least"], whole["chunks"]["stored"]) == (2, 2)


def test_an_absent_chunk_of_a_repository_takes_no_request(tmp_path):
    refs = [make_ref([0], data=b"\1\2\3\4"), make_ref([1], chunk=9, offset=2, length=4)]
    made = Repository(tmp_path / "r", 4, refs)
    made.put("chunks/" + format_id(make_id(9)), bytes(20))
    whole = run_json("explain", made.folder, "--array", "a")
    assert (whole["requests_at_least"], whole["chunks"]) == (1, {"touched": 4, "stored": 2})
    assert run_json("explain", made.folder, "--array", "a", "--region", "8:16")["requests_at_least"] == 0


# --- where the bytes are -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_stat_tells_the_file(sources, kind, form):
    chunk = ["--array", "relief", "--chunk", "1,1"]
    plain = run_json("stat", sources["plain"], *chunk)
    found = run_json("stat", form.format(sources[kind]), *chunk)
    assert (found.pop("file"), found.pop("file_offset")) == (f"{sources['plain']}/{plain['key']}", 0)
    assert found == plain


def test_stat_tells_a_file_of_the_repository():
    found = run_json("stat", REPOSITORY, "--array", "/", "--chunk", "0,0")
    assert found["file"].startswith(f"{REPOSITORY}/chunks/") or found["file"] is None


def test_stat_tells_the_file_as_text(tmp_path):
    target = tmp_path / "data.bin"
    target.write_bytes(b"head\1\2\3\4")
    made = Repository(tmp_path / "r", 3, [make_ref([0], location=f"file://{target}", offset=4, length=4), make_ref([1], data=b"\1\2\3\4")])
    lines = run_zarrkit("stat", made.folder, "--array", "a", "--chunk", "0").splitlines()
    assert lines[3:7] == ["offset          0", "bytes stored    4", f"file            {target}", "offset in file  4"]
    lines = run_zarrkit("stat", made.folder, "--array", "a", "--chunk", "1").splitlines()
    assert lines[5] == "file            none: the bytes are among the references"
    assert run_json("stat", made.folder, "--array", "a", "--chunk", "1")["file"] is None
    assert "file" not in run_zarrkit("stat", made.folder, "--array", "a", "--chunk", "2")


@pytest.mark.parametrize("kind", COPIES)
def test_a_file_that_is_missing_is_named(tmp_path, kind):
    plain = str(shutil.copytree(f"{DEMO}/relief_v3.zarr", tmp_path / "plain.zarr"))
    name = refer_to(plain, tmp_path, kind)
    missing = f"{plain}/relief/c/1/1"
    os.remove(missing)
    whole = ["--array", "relief"]
    for arguments in (["check", name], ["explain", name, *whole], ["stat", name, *whole, "--chunk", "1,1"]):
        assert missing in run_zarrkit(*arguments, may_fail=True), arguments
    picture = tmp_path / "m.svg"
    assert "11 present, 0 missing, 1 damaged chunks" in run_zarrkit("map", name, *whole, str(picture), may_fail=True)
    assert missing in picture.read_text()


@pytest.mark.parametrize(("kind", "form"), CASES)
def test_map_draws_the_same(sources, tmp_path, kind, form):
    pictures = [tmp_path / "plain.svg", tmp_path / "same.svg"]
    for name, picture in zip((sources["plain"], form.format(sources[kind])), pictures):
        assert run_zarrkit("map", name, "--array", "relief", str(picture)).endswith(": 12 present, 0 missing, 0 damaged chunks\n")
    assert pictures[0].read_text() == pictures[1].read_text()


# --- names ---------------------------------------------------------------------------------------------------------


def test_a_tag_selects_its_snapshot():
    half = run_zarrkit("check", f"{REPOSITORY}?tag=half").split()
    assert int(half[4]) < int(run_zarrkit("check", REPOSITORY).split()[4])
    error = run_zarrkit("check", f"{REPOSITORY}?tag=x", may_fail=True)
    assert 'no tag "x"; its tags are "half"' in error


def test_a_repository_on_a_server(tmp_path):
    shutil.copytree(REPOSITORY, tmp_path / "r")
    with Server(str(tmp_path)).serve() as server:
        for name in (f"{server.url}/r", f"/vsicurl/{server.url}/r", f"ICECHUNK:/vsicurl/{server.url}/r"):
            assert run_zarrkit("check", name).endswith(" 0 errors\n")
            assert run_json("explain", name, "--array", "/")["requests_at_least"] > 0


def test_what_is_no_store_is_said(tmp_path):
    (tmp_path / "a.json").write_text('{"a": 1}')
    (tmp_path / "a.tif").write_bytes(b"II*\0")
    for name in ("a.json", "a.tif", "absent", "absent?tag=x"):
        path = str(tmp_path / name)
        assert run_zarrkit("check", path, may_fail=True).startswith(f"zarrkit: {path}"), name


def test_virtual_chunks_on_a_server_take_as_many_requests_as_is_forecast(tmp_path):
    (tmp_path / "data.bin").write_bytes(bytes(range(256)) * 32)
    with Server(str(tmp_path)).serve() as server:
        refs = [make_ref([i], location=f"{server.url}/data.bin", offset=1000 * i, length=4) for i in (0, 2, 4)]
        refs.insert(1, make_ref([1], data=b"\1\2\3\4"))
        made = Repository(tmp_path / "r", 12, refs)
        for name in (made.folder, f"{server.url}/r"):
            assert run_json("explain", name, "--array", "a")["requests_at_least"] == 3
            assert run_json("stat", name, "--array", "a", "--chunk", "2")["file"] == f"/vsicurl/{server.url}/data.bin"
        array = gdal.OpenEx(made.folder, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
        server.log.clear()
        assert array.ReadAsArray()[:12].tolist() == [0, 1, 2, 3, 1, 2, 3, 4, 208, 209, 210, 211]
        assert server.log == [("GET", "/data.bin")] * 3
