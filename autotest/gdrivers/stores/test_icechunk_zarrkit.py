# SPDX-License-Identifier: MIT
"""zarrkit and the chunks, names and formats of Icechunk repositories."""

import json
import os
import shutil

import pytest
from icechunk_writer import Repository, make_ref
from osgeo import gdal
from zarrkit_program import run_zarrkit

REPOSITORIES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "data", "icechunk"))


@pytest.fixture
def virtual(tmp_path):
    """The folder of a repository with a chunk in another file."""
    (tmp_path / "target.bin").write_bytes(bytes(range(20)))
    return Repository(tmp_path / "a.icechunk", 4, [make_ref([0], location=f"file://{tmp_path}/target.bin", offset=3, length=4)]).folder


@pytest.mark.parametrize("form", ["{}", 'ZARR:"{}"', "ICECHUNK:{}", "{}?branch=main"])
def test_zarrkit_reads_virtual_chunks(virtual, form):
    name = form.format(virtual)
    assert run_zarrkit("check", name, may_fail=True).strip().endswith("1 chunks, 0 errors")
    array = gdal.OpenEx(str(virtual), gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()[0]
    assert run_zarrkit("cat", name, "--array", array, "--chunk", "0", "--text").split() == ["3", "4", "5", "6"]


def test_zarrkit_tells_the_file_of_a_chunk(virtual):
    lines = run_zarrkit("stat", virtual, "--array", "a", "--chunk", "0").splitlines()
    assert f"file            {os.path.dirname(virtual)}/target.bin" in lines and "offset in file  3" in lines
    found = json.loads(run_zarrkit("stat", virtual, "--array", "a", "--chunk", "0", "--json"))
    assert found["file"].endswith("/target.bin") and found["file_offset"] == 3 and found["offset"] == 0
    assert "file" not in run_zarrkit("stat", virtual, "--array", "a", "--chunk", "1")


def test_a_virtual_chunk_without_its_file_is_an_error(virtual):
    os.remove(os.path.join(os.path.dirname(virtual), "target.bin"))
    found = run_zarrkit("check", str(virtual), may_fail=True)
    assert "target.bin: there is no such file" in found and "1 errors" in found


def test_zarrkit_reads_what_the_selectors_of_a_name_select():
    path = os.path.join(REPOSITORIES, "history_v2")
    full, half = (run_zarrkit("info", path + selector, "--sizes").splitlines() for selector in ("", "?tag=half"))
    assert full[-1].startswith("  2160 bytes in 9 of 9 chunks") and half[-1] != full[-1]
    assert f"{path}: Zarr v3" in full
    missing = run_zarrkit("info", path + "?tag=none", may_fail=True)
    assert 'the repository has no tag "none"' in missing


@pytest.mark.parametrize("command", ["branch", "tag"])
def test_branches_and_tags_of_format_1_are_only_listed(tmp_path, command):
    path = str(tmp_path / "a")
    shutil.copytree(os.path.join(REPOSITORIES, "history_v1"), path)
    refused = run_zarrkit(command, path, "--create", "x", may_fail=True)
    assert "this repository has format 1" in refused and "/repo:" not in refused
    assert sorted(os.listdir(os.path.join(path, "refs"))) == ["branch.dev", "branch.main", "tag.half"]


def test_a_repository_before_format_1_is_refused_by_its_name(tmp_path):
    branch = tmp_path / "a.icechunk/refs/branch.main"
    branch.mkdir(parents=True)
    (branch / "ZZZZZZZZ.json").write_text('{"snapshot": "1CECHNKREP0F1RSTCMT0"}')
    for selector in ("", "?branch=main"):
        with pytest.raises(RuntimeError, match="refs/branch.main: expected a file ref.json, .* before Icechunk 1.0"):
            gdal.Open(f"ICECHUNK:{tmp_path}/a.icechunk{selector}")
