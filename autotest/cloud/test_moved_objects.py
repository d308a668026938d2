# SPDX-License-Identifier: MIT
"""Renaming and copying stores in S3, where any request may fail: what is missing in the new place is in the old one."""

import itertools

import numpy as np
import pytest
from errors import collect_errors
from memory_s3 import MemoryS3
from osgeo import gdal
from stores import write_v3, write_v3_group

VALUES = np.arange(1, 37, dtype="u1").reshape(6, 6)
DRIVER = gdal.GetDriverByName("Zarr")


@pytest.fixture
def s3():
    with MemoryS3().serve() as server, server.configure():
        yield server


def upload(s3, folder):
    """Makes a store of two arrays in chunks, and an object that is no part of it; returns all objects."""
    store = folder / "a.zarr"
    write_v3_group(str(store))
    for name in ("v", "w"):
        write_v3(f"{store}/{name}", VALUES, [4, 4])
    (store / "notes.txt").write_text("notes")
    s3.objects.clear()
    s3.upload(folder)
    return dict(s3.objects)


def fail_once(s3, method, number, query=""):
    """Fails one request of a method, counted from 0; returns a function that tells how many there were."""
    count = [0]

    def choose(asked, target):
        if asked != method or query not in target:
            return None
        count[0] += 1
        return "503" if count[0] == number + 1 else None

    s3.choose_fault = choose
    return lambda: count[0]


def move(s3):
    gdal.VSICurlClearCache()
    with collect_errors() as errors:
        try:
            result = DRIVER.Rename(f"{s3.root}/b.zarr", f"{s3.root}/a.zarr")
        except RuntimeError as error:
            result = gdal.CE_Failure
            errors.append((gdal.CE_Failure, str(error)))
    return result, errors


@pytest.mark.parametrize(("method", "query"), [("GET", "prefix="), ("PUT", ""), ("POST", "delete"), ("HEAD", "")])
def test_no_object_is_lost_by_a_rename_that_fails(s3, tmp_path, method, query):
    for number in itertools.count():
        before = upload(s3, tmp_path)
        get_count = fail_once(s3, method, number, query)
        result, errors = move(s3)
        s3.choose_fault = lambda *_: None
        if get_count() <= number:  # there was nothing to fail
            break
        old = {key.removeprefix("a.zarr/") for key in s3.objects if key.startswith("a.zarr/")}
        # Empty objects for folders may stay if just their removal fails.
        new = {key.removeprefix("b.zarr/") for key in s3.objects if key.startswith("b.zarr/") and key[-1] != "/"}
        whole = {key.removeprefix("a.zarr/") for key in before}
        assert old == whole or new >= whole, (number, errors)
        if result == gdal.CE_None:
            assert not old and new == whole, (number, errors)
        else:
            assert errors
    print(number)


def test_a_moved_store_is_all_there_and_can_be_removed(s3, tmp_path):
    before = upload(s3, tmp_path)
    assert move(s3)[0] == gdal.CE_None
    assert s3.objects == {key.replace("a.zarr", "b.zarr", 1): value for key, value in before.items()}
    assert np.array_equal(gdal.Open(f'ZARR:"{s3.root}/b.zarr":/w').ReadAsArray(), VALUES)
    gdal.Unlink(f"{s3.root}/b.zarr/notes.txt")
    assert DRIVER.Delete(f"{s3.root}/b.zarr") == gdal.CE_None
    assert not s3.objects
