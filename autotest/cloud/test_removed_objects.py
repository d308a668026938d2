# SPDX-License-Identifier: MIT
"""Removals in S3 that stop at any request: what is left is no obstacle, and is removed by the same call."""

import itertools

import numpy as np
import pytest
from errors import collect_errors
from memory_s3 import MemoryS3
from osgeo import gdal
from stores import write_v2, write_v2_group, write_v3, write_v3_group
from versions import needs_deletion

VALUES = np.arange(1, 37, dtype="u1").reshape(6, 6)
DRIVER = gdal.GetDriverByName("Zarr")


@pytest.fixture
def s3():
    with MemoryS3().serve() as server, server.configure():
        yield server


@pytest.fixture(params=[2, 3])
def version(request):
    return request.param


def upload(s3, folder, version):
    """Makes a store of two arrays in chunks, an object in it that is no part of it, and one beside it."""
    store = folder / "a.zarr"
    (write_v3_group if version == 3 else write_v2_group)(str(store))
    for name in ("v", "w"):
        (write_v3 if version == 3 else write_v2)(f"{store}/{name}", VALUES, [4, 4])
    (store / "notes.txt").write_text("notes")
    (folder / "a.zarr2").write_text("another")
    s3.objects.clear()
    s3.upload(folder)


def stop(s3, number, for_good):
    """Fails a request of those that change objects, counted from 0, or all requests from that one on; returns a function
    that tells how many changes there were."""
    count = [0]

    def choose(method, _):
        if method in ("PUT", "POST", "DELETE"):
            count[0] += 1
        stopped = for_good and count[0] > number
        return "503" if stopped or (count[0] == number + 1 and method in ("PUT", "POST", "DELETE")) else None

    s3.choose_fault = choose
    return lambda: count[0]


def attempt(action):
    gdal.VSICurlClearCache()
    with collect_errors() as errors:
        try:
            return action() in (None, gdal.CE_None)
        except RuntimeError as error:
            errors.append((gdal.CE_Failure, str(error)))
            return False


@pytest.mark.parametrize("for_good", [False, True])
def test_a_stopped_removal_of_a_store_is_repeated(s3, tmp_path, version, for_good):
    stopped = 0
    for number in itertools.count():
        upload(s3, tmp_path, version)
        get_count = stop(s3, number, for_good)
        is_done = attempt(lambda: DRIVER.Delete(f"{s3.root}/a.zarr"))
        s3.choose_fault = lambda *_: None
        if get_count() <= number:
            break
        if not is_done:
            stopped += 1
            assert attempt(lambda: DRIVER.Delete(f"{s3.root}/a.zarr")), (number, sorted(s3.objects))
        assert {key for key in s3.objects if not key.startswith("a.zarr/.zarr-tmp-")} == {"a.zarr/notes.txt", "a.zarr2"}, number
    assert stopped >= 2


def test_what_is_left_of_a_removal_is_named(s3, tmp_path, version):
    upload(s3, tmp_path, version)
    del s3.objects["a.zarr/notes.txt"]
    stop(s3, 2, True)
    assert not attempt(lambda: DRIVER.Delete(f"{s3.root}/a.zarr"))
    s3.choose_fault = lambda *_: None
    gdal.VSICurlClearCache()
    assert [key for key in s3.objects if "tmp-removal" in key] and len(s3.objects) > 2
    source = gdal.GetDriverByName("MEM").Create("", 6, 6)
    with pytest.raises(RuntimeError, match="a removal was not completed: remove it again"):
        DRIVER.CreateCopy(f"{s3.root}/a.zarr", source)
    assert attempt(lambda: DRIVER.Delete(f"{s3.root}/a.zarr"))
    assert sorted(s3.objects) == ["a.zarr2"]
    DRIVER.CreateCopy(f"{s3.root}/a.zarr", source).FlushCache()
    assert gdal.Open(f"{s3.root}/a.zarr").RasterXSize == 6


def test_there_is_no_removal_to_repeat(s3, tmp_path, version):
    """Objects that no removal has left stay."""
    upload(s3, tmp_path, version)
    for name in ("zarr.json", ".zgroup"):
        s3.objects.pop(f"a.zarr/{name}", None)
    before = dict(s3.objects)
    with pytest.raises(RuntimeError, match="metadata of its own"):
        DRIVER.Delete(f"{s3.root}/a.zarr")
    assert s3.objects == before


@needs_deletion
def test_a_stopped_removal_of_an_array_is_repeated(s3, tmp_path, version):
    def remove():
        dataset = gdal.OpenEx(f"{s3.root}/a.zarr", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        return dataset.GetRootGroup().DeleteMDArray("w")

    stopped = 0
    for number in itertools.count():
        upload(s3, tmp_path, version)
        get_count = stop(s3, number, True)
        is_done = attempt(remove)
        s3.choose_fault = lambda *_: None
        if get_count() <= number:
            break
        if not is_done:
            stopped += 1
            assert attempt(remove), (number, sorted(s3.objects))
        assert not [key for key in s3.objects if key.startswith("a.zarr/w/")], number
        assert np.array_equal(gdal.Open(f'ZARR:"{s3.root}/a.zarr":/v').ReadAsArray(), VALUES)
    assert stopped >= 2
