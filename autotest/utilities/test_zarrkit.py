# SPDX-License-Identifier: MIT
"""The program zarrkit is interrupted and killed while it rewrites an array, or copies a store."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from osgeo import gdal

ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")
VALUES = np.arange(1200 * 1200, dtype="i4").reshape(1200, 1200)

pytestmark = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")


def zarrkit(*arguments):
    return subprocess.run([ZARRKIT, *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "store.zarr"
    options = ["FORMAT=ZARR_V3", "BLOCKSIZE=300,300", "ARRAY_NAME=a", "COMPRESS=NONE"]
    gdal.GetDriverByName("Zarr").Create(str(path), 1200, 1200, 1, gdal.GDT_Int32, options).WriteArray(VALUES)
    return path


def heed_signals():
    """Enables SIGINT, which programs that a shell has started in the background ignore, as do their children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start_reshard(store):
    """Starts a reshard to very many chunks, and waits until it has written some."""
    command = [ZARRKIT, "reshard", str(store), "--array", "/a", "--chunks", "2,2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed_signals)
    work = store / ".zarr-tmp-reshard-a"
    while process.poll() is None and not (work / "array").exists():
        time.sleep(0.001)
    return process


def read(store):
    return gdal.Open(f'ZARR:"{store}":/a').ReadAsArray()


@pytest.mark.parametrize("version", [2, 3])
def test_walks_meet_linked_groups_a_few_times(tmp_path, version):
    """Two links from each group to the next make 2^25 paths."""
    document, text = (".zgroup", '{"zarr_format": 2}') if version == 2 else ("zarr.json", '{"zarr_format": 3, "node_type": "group"}')
    for i in range(26):
        (tmp_path / f"d{i}").mkdir()
        (tmp_path / f"d{i}" / document).write_text(text)
    for i in range(25):
        for link in "ab":
            (tmp_path / f"d{i}" / link).symlink_to(f"../d{i + 1}")
    checked = zarrkit("check", "--quiet", tmp_path / "d0")
    assert checked.returncode == 0 and "27 groups, 0 arrays" in checked.stdout, checked
    assert zarrkit("info", tmp_path / "d0").stdout.count("/\n") <= 28
    if version == 2:
        (tmp_path / document).write_text(text)
        for options in (["--to", "v3"], ["--undo"]):
            migrated = zarrkit("migrate", tmp_path, *options)
            assert migrated.returncode == 0, migrated


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_takes_a_reshard_back(store, number):
    before = (store / "a/zarr.json").read_bytes()
    process = start_reshard(store)
    process.send_signal(number)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 128 + number, said
    assert "the array is as it was" in said
    assert [p.name for p in store.iterdir() if p.name.startswith(".zarr-tmp")] == []
    assert (store / "a/zarr.json").read_bytes() == before
    np.testing.assert_array_equal(read(store), VALUES)


def test_a_second_signal_ends_the_removal_of_what_was_written(store):
    process = start_reshard(store)
    time.sleep(1)  # so that much has been written
    process.send_signal(signal.SIGTERM)
    time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=300)[1]
    if process.returncode != -signal.SIGINT:  # it comes when all is done, and the handler is gone
        assert process.returncode in (128 + signal.SIGTERM, 128 + signal.SIGINT), said
        assert "the array is as it was" in said
    np.testing.assert_array_equal(read(store), VALUES)
    assert zarrkit("reshard", store, "--array", "a", "--chunks", "600,600").returncode == 0
    assert [p.name for p in store.iterdir() if p.name.startswith(".zarr-tmp")] == []


@pytest.mark.parametrize("seconds", [0, 0.2, 1])
def test_a_killed_reshard_loses_nothing(store, seconds):
    process = start_reshard(store)
    time.sleep(seconds)
    process.kill()
    process.communicate()
    np.testing.assert_array_equal(read(store), VALUES)
    check = zarrkit("check", store)
    assert check.returncode == 0, check.stdout
    if process.returncode:
        assert "warning: " in check.stdout and ".zarr-tmp-reshard-a" in check.stdout
    again = zarrkit("reshard", store, "--array", "a", "--chunks", "600,600")
    assert again.returncode == 0, again.stderr
    assert zarrkit("check", store).stdout.count("\n") == 1
    np.testing.assert_array_equal(read(store), VALUES)
    assert gdal.Open(f'ZARR:"{store}":/a').GetRasterBand(1).GetBlockSize() == [600, 600]


def test_two_reshards_of_one_array_do_not_meet(store):
    process = start_reshard(store)
    process.send_signal(signal.SIGSTOP)
    second = zarrkit("reshard", store, "--array", "a", "--chunks", "600,600")
    assert process.poll() is None
    process.send_signal(signal.SIGCONT)
    assert second.returncode == 1
    assert "another zarrkit reshard is at work" in second.stderr
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=300)
    np.testing.assert_array_equal(read(store), VALUES)


# --- copy ---------------------------------------------------------------------------------------------------------


def start_copy(store, target, *options):
    """Starts a copy, and waits until it has stored chunks."""
    command = [ZARRKIT, "copy", str(store), str(target), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed_signals)
    while process.poll() is None and not (target / "a").exists():
        time.sleep(0.001)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_copy_that_goes_on_later(store, tmp_path, number):
    target = tmp_path / "copy.zarr"
    process = start_copy(store, target, "--chunks", "8,8")
    process.send_signal(number)
    said = process.communicate(timeout=300)[1]
    assert process.returncode == 128 + number, said
    assert "the same command goes on" in said
    assert not (target / "zarr.json").exists()
    again = zarrkit("copy", store, target, "--chunks", "8,8")
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("completed the copy of 1 arrays")
    np.testing.assert_array_equal(read(target), VALUES)


@pytest.mark.parametrize("options", [[], ["--chunks", "10,10"]], ids=["as stored", "encoded anew"])
@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
def test_a_killed_copy_goes_on(store, tmp_path, options, seconds):
    assert zarrkit("reshard", store, "--array", "a", "--chunks", "20,20").returncode == 0
    target = tmp_path / "copy.zarr"
    process = start_copy(store, target, *options)
    time.sleep(seconds)
    process.kill()
    process.communicate()
    # A process may be killed when it has done all.
    is_complete = (target / "zarr.json").exists() and not (target / ".zarr-tmp-copy").exists()
    again = zarrkit("copy", store, target, *options)
    assert again.returncode == (1 if is_complete else 0), again.stderr
    np.testing.assert_array_equal(read(target), VALUES)
    assert zarrkit("check", target).stdout.count("\n") == 1


def test_two_copies_to_one_store_do_not_meet(store, tmp_path):
    target = tmp_path / "copy.zarr"
    process = start_copy(store, target, "--chunks", "8,8")
    process.send_signal(signal.SIGSTOP)
    second = zarrkit("copy", store, target, "--chunks", "8,8")
    assert process.poll() is None
    process.send_signal(signal.SIGCONT)
    assert second.returncode == 1
    assert "another zarrkit copy is at work" in second.stderr
    process.kill()
    process.communicate()
