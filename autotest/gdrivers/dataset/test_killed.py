# SPDX-License-Identifier: MIT
"""A writing process is killed at random instants. The store still opens, and each chunk is an old or a new one.

ZARR_KILLS is the number of interruptions for each kind of work (default 8).
"""

import os
import random
import signal
import subprocess
import time

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python

KILLS = int(os.environ.get("ZARR_KILLS", "8"))
SIZE, CHUNK = 512, 64
OPTIONS = [f"BLOCKSIZE={CHUNK},{CHUNK}", "COMPRESS=ZSTD", "ZSTD_LEVEL=1"]

# Each script writes arrays without end, in which every element has the number of the round.
COMMON = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
store, options = sys.argv[1], sys.argv[2].split(";")
def plane(value):
    return np.full((512, 512), value, "i4")
def create(store, value, extra=()):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 512, 512, 1, gdal.GDT_Int32, options + list(extra))
    dataset.WriteArray(plane(value))
"""
WORK = {
    "write": """
print("ready", flush=True)
while True:
    create(store, 7)
""",
    "update": """
create(store, 0)
print("ready", flush=True)
value = 0
while True:
    value += 1
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE).WriteArray(plane(value))
""",
    "append": """
create(store, 1)
print("ready", flush=True)
value = 1
while True:
    value += 1
    create(store, value, ["APPEND_SUBDATASET=YES", f"ARRAY_NAME=array_{value}"])
""",
    "overviews": """
create(store, 3)
print("ready", flush=True)
while True:
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE).BuildOverviews("NEAREST", [2, 4])
""",
}


def interrupt(work, store, form):
    options = ";".join(OPTIONS + [f"FORMAT={form}"])
    command = python(COMMON + WORK[work], store, options)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(random.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)


def check_chunks(array):
    """Checks that all elements of a chunk have one value."""
    chunk = min(CHUNK, array.shape[0])
    for y in range(0, array.shape[0], chunk):
        for x in range(0, array.shape[1], chunk):
            part = array[y : y + chunk, x : x + chunk]
            assert (part == part[0, 0]).all(), f"torn chunk at {y}, {x}: {np.unique(part)}"


def check_store(work, store):
    dataset = gdal.Open(store)
    names = [name for name, _ in dataset.GetSubDatasets()] or [store]
    for name in names:
        opened = gdal.Open(name)
        if opened.RasterCount == 0:
            assert work in ("write", "append")  # a group whose first array was not made yet
            continue
        check_chunks(opened.ReadAsArray())
        band = opened.GetRasterBand(1)
        for level in range(band.GetOverviewCount()):
            assert set(np.unique(band.GetOverview(level).ReadAsArray())) <= {0, 3}
    if work == "overviews":
        assert (gdal.Open(store).ReadAsArray() == 3).all()


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("work", list(WORK))
def test_a_killed_writer_leaves_a_usable_store(tmp_path, work, form):
    for attempt in range(KILLS):
        store = str(tmp_path / f"{attempt}.zarr")
        interrupt(work, store, form)
        # "write" makes the store anew in each round, so it may be missing or incomplete.
        if any(os.path.exists(f"{store}/{document}") for document in ("zarr.json", ".zgroup")):
            check_store(work, store)
        else:
            assert work == "write"
