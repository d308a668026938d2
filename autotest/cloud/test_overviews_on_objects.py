# SPDX-License-Identifier: MIT
"""Overviews in an object store, where processes cannot lock each other out."""

import os
import subprocess

import numpy as np
import pytest
from memory_s3 import MemoryS3
from osgeo import gdal
from plugin_in_use import python

SIZE = 256
CHANGE = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
path, work, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
options = ["REFRESH_OVERVIEWS=YES"] if work == "write" else []
dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=options)
print("ready", flush=True)
sys.stdin.readline()
if work == "build":
    dataset.BuildOverviews("NEAREST", [number])
elif work == "write":
    dataset.GetRasterBand(1).WriteArray(np.full((32, 32), number, "i4"), 32 * number, 64)
elif work == "append":
    source = gdal.GetDriverByName("MEM").Create("", 40, 30, 1, gdal.GDT_Int32)
    source.GetRasterBand(1).Fill(number)
    options = [f"ARRAY_NAME=more_{number}", "APPEND_SUBDATASET=YES"]
    gdal.GetDriverByName("Zarr").CreateCopy(path.split('"')[1], source, options=options)
dataset = None
"""


def make_store(path, form):
    source = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_Int32)
    source.GetRasterBand(1).Fill(100)
    source.SetGeoTransform((0, 1, 0, 0, 0, -1))
    options = [f"FORMAT={form}", "ARRAY_NAME=data", "BLOCKSIZE=64,64"]
    gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=options)


def run_at_once(s3, path, jobs):
    """Runs each job, a kind of work and a number, in a process of its own; all have opened the store before one begins."""
    options = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    environment = {**os.environ, **s3.settings()}
    processes = [subprocess.Popen(python(CHANGE, path, work, str(number)), env=environment, **options) for work, number in jobs]
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=300)[1] for process in processes]
    assert not any(process.returncode for process in processes), "\n".join(errors)


def read_levels(path):
    gdal.VSICurlClearCache()
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    return dataset, [band.GetOverview(i).ReadAsArray() for i in range(band.GetOverviewCount())]


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_levels_that_others_make_at_the_same_time_are_kept(form):
    with MemoryS3({}).serve() as s3, s3.configure():
        store = f"{s3.root}/a.zarr"
        make_store(store, form)
        path = f'ZARR:"{store}":/data'
        run_at_once(s3, path, [("build", 8), ("build", 2), ("build", 4), ("append", 1), ("append", 2)])
        _, levels = read_levels(path)
        assert [level.shape for level in levels] == [(128, 128), (64, 64), (32, 32)]
        assert all((level == 100).all() for level in levels)
        arrays = [name.rsplit("/", 1)[1] for name, _ in gdal.Open(store).GetSubDatasets()]
        assert sorted(arrays) == ["data", "more_1", "more_2"]
        for number in (1, 2):
            assert (gdal.Open(f'ZARR:"{store}":/more_{number}').ReadAsArray() == number).all()


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_levels_are_refreshed_by_many(form):
    with MemoryS3({}).serve() as s3, s3.configure():
        store = f"{s3.root}/a.zarr"
        make_store(store, form)
        path = f'ZARR:"{store}":/data'
        run_at_once(s3, path, [("build", 2)])
        run_at_once(s3, path, [("write", 1), ("write", 2), ("write", 3), ("write", 6)])
        dataset, levels = read_levels(path)
        values = dataset.ReadAsArray()
        assert [values[80, 32 * number + 1] for number in (1, 2, 3, 6)] == [1, 2, 3, 6]
        assert dataset.GetMetadataItem("OVERVIEWS_STALE", "IMAGE_STRUCTURE") is None
        np.testing.assert_array_equal(levels[0], values[::2, ::2])


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("repeat", range(2))
def test_a_level_is_made_while_others_are_refreshed(form, repeat):
    """Those who refresh do not know the new level, which may lack what they have written: it is right, or known as stale."""
    with MemoryS3({}).serve() as s3, s3.configure():
        store = f"{s3.root}/a.zarr"
        make_store(store, form)
        path = f'ZARR:"{store}":/data'
        run_at_once(s3, path, [("build", 2)])
        run_at_once(s3, path, [("write", 1), ("write", 2), ("build", 4), ("write", 3), ("write", 6)])
        dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
        dataset = None
        dataset, levels = read_levels(path)
        values = dataset.ReadAsArray()
        assert [values[80, 32 * number + 1] for number in (1, 2, 3, 6)] == [1, 2, 3, 6]
        assert dataset.GetMetadataItem("OVERVIEWS_STALE", "IMAGE_STRUCTURE") is None
        np.testing.assert_array_equal(levels[0], values[::2, ::2])
        np.testing.assert_array_equal(levels[1], values[::4, ::4])
