# SPDX-License-Identifier: MIT
"""Processes that make or remove overviews in one store at the same time."""

import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python
from pyramids import read_attributes

SIZE = 128
STALE = "OVERVIEWS_STALE"
BUILD = """
import sys
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.OpenEx(sys.argv[1], gdal.OF_RASTER | gdal.OF_UPDATE)
print("ready", flush=True)
sys.stdin.readline()
for factors in sys.argv[2:]:
    dataset.BuildOverviews("NEAREST", [int(factor) for factor in factors.split(",") if factor])
    dataset.FlushCache()
"""


def make_store(store, form, names):
    for name in names:
        source = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_Int32)
        source.GetRasterBand(1).Fill(1)
        source.SetGeoTransform((0, 1, 0, 0, 0, -1))
        options = [f"FORMAT={form}", f"ARRAY_NAME={name}", "BLOCKSIZE=32,32"]
        more = ["APPEND_SUBDATASET=YES"] if os.path.exists(store) else []
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=options + more)


def run_at_once(jobs, program=BUILD):
    """Runs each job, a list of arguments, in a process of its own; all begin at the same moment."""
    processes = [
        subprocess.Popen(
            python(program, *job),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for job in jobs
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=300)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(jobs), "\n".join(outputs)


def read_levels(path):
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    levels = [band.GetOverview(i).ReadAsArray() for i in range(band.GetOverviewCount())]
    for level in levels:
        np.testing.assert_array_equal(level, np.ones_like(level))
    return [level.shape[0] for level in levels]


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("repeat", range(2))
def test_processes_make_the_overviews_of_one_array(store, form, repeat):
    make_store(store, form, ["data"])
    path = f'ZARR:"{store}":/data'
    run_at_once([[path, "2,4"]] * 3)
    assert read_levels(path) == [64, 32]
    run_at_once([[path, "", "2,4"], [path, "8", "2"], [path, "2,4", "", "2,4"]])
    run_at_once([[path, "2,4"]])
    assert set(read_levels(path)) >= {64, 32}


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_a_level_that_is_made_between_two_writes_is_stale(store, form):
    """The region of both writes is noted before the first one, and the new level has only that one."""
    make_store(store, form, ["data"])
    path = f'ZARR:"{store}":/data'
    run_at_once([[path, "2"]])
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.GetRasterBand(1).WriteArray(np.full((64, 64), 2, "i4"), 0, 0)
    run_at_once([[path, "4"]])
    assert gdal.Open(path).GetMetadataItem(STALE, "IMAGE_STRUCTURE") == "0:64,0:64 (ovr_2x/data)"
    dataset.GetRasterBand(1).WriteArray(np.full((8, 8), 4, "i4"), 8, 8)
    dataset = None
    assert "0:64,0:64" in gdal.Open(path).GetMetadataItem(STALE, "IMAGE_STRUCTURE").split("; ")


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_a_note_changes_when_what_was_written_is_saved(store, form):
    """Whoever has read the first one refreshes the region perhaps before the elements are there, and must not remove the
    second one."""
    make_store(store, form, ["data"])
    path = f'ZARR:"{store}":/data'
    run_at_once([[path, "2"]])
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.GetRasterBand(1).WriteArray(np.full((64, 64), 2, "i4"), 0, 0)
    before = read_attributes(f"{store}/data")["overviews_stale"]
    dataset = None
    after = read_attributes(f"{store}/data")["overviews_stale"]
    assert len(before) == len(after) == 1
    assert before[0].pop("id") != after[0].pop("id") and before == after


REFRESH = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.OpenEx(sys.argv[1], gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
print("ready", flush=True)
sys.stdin.readline()
number = int(sys.argv[2])
dataset.GetRasterBand(1).WriteArray(np.full((16, 16), number, "i4"), 16 * number, 32)
dataset = None
"""


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("repeat", range(3))
def test_processes_refresh_the_overviews_of_one_array(store, form, repeat):
    """Each of them refreshes all that it finds stale, also what another one is just writing."""
    make_store(store, form, ["data"])
    path = f'ZARR:"{store}":/data'
    run_at_once([[path, "2,4"]])
    run_at_once([[path, str(number)] for number in range(6)], REFRESH)
    dataset = gdal.Open(path)
    assert dataset.GetMetadataItem(STALE, "IMAGE_STRUCTURE") is None
    values = dataset.ReadAsArray()
    assert values[40, 0:96:16].tolist() == list(range(6))
    for level in range(2):
        factor = 2 << level
        np.testing.assert_array_equal(dataset.GetRasterBand(1).GetOverview(level).ReadAsArray(), values[::factor, ::factor])


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("repeat", range(2))
def test_processes_make_the_overviews_of_arrays_of_one_store(store, form, repeat):
    names = ["a", "b", "c"]
    make_store(store, form, names)
    paths = [f'ZARR:"{store}":/{name}' for name in names]
    run_at_once([[path, "2,4"] for path in paths])
    assert [read_levels(path) for path in paths] == [[64, 32]] * 3
    run_at_once([[paths[0], ""], [paths[1], "", "2,4"], [paths[2], "8"]])
    assert [read_levels(path) for path in paths] == [[], [64, 32], [64, 32, 16]]


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("writes_before", [False, True])
@pytest.mark.parametrize("refresh", [False, True])
def test_the_first_overviews_of_another_process_become_stale(tmp_path, format, writes_before, refresh):
    store = str(tmp_path / "a.zarr")
    make_store(store, format, ["a"])
    options = ["REFRESH_OVERVIEWS=YES"] if refresh else []
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=options)
    if writes_before:
        dataset.WriteArray(np.full((8, 8), 2, "i4"), 32, 32)
        dataset.FlushCache()
    run_at_once([[store, "2"]])
    dataset.WriteArray(np.full((8, 8), 9, "i4"))
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetMetadataItem(STALE) == (None if refresh else "0:8,0:8")
    assert dataset.GetRasterBand(1).GetOverview(0).ReadAsArray()[0, 0] == (9 if refresh else 1)
