# SPDX-License-Identifier: MIT
"""No call waits for itself where chunks of the same dataset wait to be written."""

import os
import subprocess
import sys

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import check
from stores import write_v2, write_v2_group, write_v3, write_v3_group

CALLS = {
    "SetGeoTransform": lambda dataset: dataset.SetGeoTransform([0, 1, 0, 0, 0, -1]),
    "SetProjection": lambda dataset: dataset.SetProjection("EPSG:32631"),
    "SetMetadata": lambda dataset: dataset.SetMetadata({"a": "1", "AREA_OR_POINT": "Point"}),
    "SetMetadataItem": lambda dataset: dataset.SetMetadataItem("a", "1"),
    "SetNoDataValue": lambda dataset: dataset.GetRasterBand(1).SetNoDataValue(3),
    "SetStatistics": lambda dataset: dataset.GetRasterBand(1).SetStatistics(0, 1, 0, 1),
    "SetDescription": lambda dataset: dataset.GetRasterBand(1).SetDescription("text"),
    "BuildOverviews": lambda dataset: dataset.BuildOverviews("NEAREST", [2]),
    "FlushCache": lambda dataset: dataset.FlushCache(),
}


def write_part_and_call(name, calls):
    """Writes a part of a chunk before each call."""
    gdal.UseExceptions()
    dataset = gdal.Open(name, gdal.GA_Update)
    for i, call in enumerate(calls):
        dataset.GetRasterBand(1).WriteArray(np.full((2, 2), 7, "i2"), 4 * i, 0)
        dataset.GetRasterBand(1).FlushCache()
        CALLS[call](dataset)
    dataset = None
    assert gdal.Open(name).ReadAsArray().sum() == len(calls) * 4 * 7


def copy_to_memory(folder, target):
    gdal.Mkdir(target, 0o777)
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as f:
                gdal.FileFromMemBuffer(f"{target}/{os.path.relpath(file, folder)}", f.read())


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize("array", ["", "/a"])
@pytest.mark.parametrize("write, write_group", [(write_v2, write_v2_group), (write_v3, write_v3_group)])
def test_no_call_waits_for_its_own_chunks(store, write, write_group, array, in_memory):
    if array:
        write_group(store)
    write(store + array, np.zeros((40, 40), "i2"), (20, 20))
    calls = [call for call in CALLS if array or call != "BuildOverviews"]  # a store that is an array has no place for them
    command = [sys.executable, __file__, store, array, str(in_memory), *calls]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert child.returncode == 0, child.stdout + child.stderr


if __name__ == "__main__":
    check()
    store, array, in_memory, *calls = sys.argv[1:]
    if in_memory == "True":
        copy_to_memory(store, "/vsimem/a.zarr")
        store = "/vsimem/a.zarr"
    write_part_and_call(f'ZARR:"{store}":{array}' if array else store, calls)
