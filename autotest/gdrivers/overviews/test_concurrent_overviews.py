# SPDX-License-Identifier: MIT
"""Processes that make or remove overviews in one store at the same time."""

import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python

SIZE = 128
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


def run_at_once(jobs):
    """Runs each job, a list of arguments, in a process of its own; all begin at the same moment."""
    processes = [
        subprocess.Popen(
            python(BUILD, *job),
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
@pytest.mark.parametrize("repeat", range(2))
def test_processes_make_the_overviews_of_arrays_of_one_store(store, form, repeat):
    names = ["a", "b", "c"]
    make_store(store, form, names)
    paths = [f'ZARR:"{store}":/{name}' for name in names]
    run_at_once([[path, "2,4"] for path in paths])
    assert [read_levels(path) for path in paths] == [[64, 32]] * 3
    run_at_once([[paths[0], ""], [paths[1], "", "2,4"], [paths[2], "8"]])
    assert [read_levels(path) for path in paths] == [[], [64, 32], [64, 32, 16]]
