# SPDX-License-Identifier: MIT
"""Each call of zarrkit that changes something fails in turn, and so does memory: its exit status tells of it, the values
are whole, and the next run completes the work. ZARR_FAULTS=all tests more errors, and calls that read."""

import errno
import os
import shutil
import subprocess

import numpy as np
import pytest
from faults import ALL, Fault, collect_outcomes
from osgeo import gdal
from test_zarrkit_plan import ZARRKIT

KINDS = [Fault(0), Fault(0, short=True, calls="read,write"), Fault(0, errno.EINTR, calls="open,look,read,write,fsync")]
KINDS += [Fault(0, errno.ENOMEM, calls="malloc")]
if ALL:
    KINDS += [Fault(0, errno.ENOSPC, True), Fault(0, errno.EACCES), Fault(0, errno.EMFILE, calls="open,look")]
    KINDS += [Fault(0, calls="look,read")]
VALUES = np.arange(96, dtype="u1").reshape(6, 16)
COMMANDS = {
    "migrate": ["migrate", "a.zarr", "--to", "v3", "--delete-old"],
    "reshard": ["reshard", "a.zarr", "--array", "/a", "--chunks", "3,4"],
}


@pytest.fixture
def before(tmp_path):
    folder = tmp_path / "before"
    folder.mkdir()
    source = gdal.GetDriverByName("MEM").Create("", 16, 6, 1, gdal.GDT_Byte)
    source.WriteArray(VALUES)
    source.SetMetadata({"made_by": "a test"})
    options = ["FORMAT=ZARR_V2", "BLOCKSIZE=6,8"]
    assert gdal.GetDriverByName("Zarr").CreateCopy(str(folder / "a.zarr"), source, 0, options)
    return str(folder)


def check_whole(folder, store="a.zarr"):
    for consolidated in ("YES", "NO"):
        options = [f"USE_CONSOLIDATED_METADATA={consolidated}"]
        dataset = gdal.OpenEx(f"{folder}/{store}", gdal.OF_RASTER, open_options=options)
        assert np.array_equal(dataset.ReadAsArray(), VALUES)
        assert dataset.GetMetadataItem("made_by") == "a test"


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_call_that_fails_is_told_and_loses_nothing(tmp_path, before, name):
    command = [ZARRKIT, *COMMANDS[name]]
    for outcome in collect_outcomes(command, str(tmp_path), before, kinds=KINDS):
        assert outcome.status in (0, 1), str(outcome)
        assert (outcome.status == 0) or (outcome.failed and outcome.output), str(outcome)
        if outcome.fault.short or outcome.fault.error == errno.EINTR:
            assert outcome.status == 0, str(outcome)
        check_whole(outcome.folder)
        again = run(command, outcome.folder)
        done = "nothing" in again.stderr or "no metadata" in again.stderr or "v2" in again.stderr
        assert again.returncode == 0 or (name == "migrate" and done), f"{outcome}\n{again.stderr}"
        check_whole(outcome.folder)
        checked = run([ZARRKIT, "check", "a.zarr"], outcome.folder)
        assert (checked.returncode, checked.stderr) == (0, ""), f"{outcome}\n{checked.stdout}"
        assert checked.stdout.count("\n") == 1, f"{outcome}\n{checked.stdout}"


# --- copies -------------------------------------------------------------------------------------------------------

COPIES = {"as stored": [], "encoded anew": ["--chunks", "3,4", "--compress", "gzip"]}


@pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")
@pytest.mark.parametrize("options", COPIES.values(), ids=COPIES)
def test_a_copy_goes_on_after_a_call_that_fails(tmp_path, before, options):
    command = [ZARRKIT, "copy", "a.zarr", "b.zarr", *options]
    for outcome in collect_outcomes(command, str(tmp_path), before, kinds=KINDS):
        assert outcome.status in (0, 1), str(outcome)
        assert (outcome.status == 0) or (outcome.failed and outcome.output), str(outcome)
        if outcome.fault.short or outcome.fault.error == errno.EINTR:
            assert outcome.status == 0, str(outcome)
        check_whole(outcome.folder)
        again = run(command, outcome.folder)
        is_complete = "expected an empty folder" in again.stderr
        assert (again.returncode == 0) == (not is_complete), f"{outcome}\n{again.stderr}"
        assert not is_complete or os.path.exists(f"{outcome.folder}/b.zarr/.zgroup"), f"{outcome}\n{again.stderr}"
        assert outcome.status != 0 or is_complete, f"{outcome}\n{again.stdout}"
        check_whole(outcome.folder, "b.zarr")
        checked = run([ZARRKIT, "check", "b.zarr"], outcome.folder)
        assert (checked.returncode, checked.stderr) == (0, ""), f"{outcome}\n{checked.stdout}"
        assert checked.stdout.count("\n") == 1, f"{outcome}\n{checked.stdout}"


# --- the draft of v3 ----------------------------------------------------------------------------------------------

DRAFT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "stores", "gdal-3.6.2")
RELIEF = np.load(os.path.join(os.path.dirname(DRAFT), "expected", "gdal-3.6.2", "draft_relief@relief.npy"))


def check_relief(path):
    assert np.array_equal(gdal.Open(f'ZARR:"{path}":/relief').ReadAsArray(), RELIEF)


@pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")
def test_a_call_that_fails_leaves_no_part_of_a_migrated_draft(tmp_path):
    before = tmp_path / "before"
    shutil.copytree(f"{DRAFT}/draft_relief", before / "draft.zarr")
    command = [ZARRKIT, "migrate", "draft.zarr", "--to", "v3", "--output", "a.zarr"]
    for outcome in collect_outcomes(command, str(tmp_path), str(before), kinds=KINDS):
        assert outcome.status in (0, 1), str(outcome)
        assert (outcome.status == 0) or (outcome.failed and outcome.output), str(outcome)
        check_relief(f"{outcome.folder}/draft.zarr")
        made = f"{outcome.folder}/a.zarr"
        if outcome.status != 0:
            if os.path.exists(f"{made}/zarr.json"):
                check_relief(made)
            shutil.rmtree(made, ignore_errors=True)  # a store is not made where there is anything
            again = run(command, outcome.folder)
            assert again.returncode == 0, f"{outcome}\n{again.stderr}"
        check_relief(made)
        checked = run([ZARRKIT, "check", "a.zarr"], outcome.folder)
        assert (checked.returncode, checked.stderr) == (0, ""), f"{outcome}\n{checked.stdout}"
        assert checked.stdout.count("\n") == 1, f"{outcome}\n{checked.stdout}"
