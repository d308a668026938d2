# SPDX-License-Identifier: MIT
"""A removal that is stopped is completed by the next writer."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from errors import collect_errors
from foreign_files import make_store, open_root, read_tree, require_deletion
from osgeo import gdal
from plugin_in_use import python


REMOVE = """
import sys
from osgeo import gdal
gdal.UseExceptions()
root = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
print("ready", flush=True)
root.DeleteMDArray("data") if sys.argv[2] == "array" else gdal.GetDriverByName("Zarr").Delete(sys.argv[1])
"""


@pytest.mark.parametrize("what", ["array", "store"])
@pytest.mark.parametrize("delay", [0.01, 0.03, 0.06])
def test_a_stopped_removal_is_completed_by_the_next_writer(store, what, delay):
    if what == "array":
        require_deletion()
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, None, None, 64) for name in "yx"]
    options = ["BLOCKSIZE=1,1", "COMPRESS=NONE"]
    array = root.CreateMDArray("data", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte), options)
    array.Write(np.ones((64, 64), "u1"))
    del array, dimensions, root, dataset
    with subprocess.Popen(python(REMOVE, store, what), stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    if what == "store":
        if os.path.exists(store):
            with collect_errors():
                try:
                    make_store(store, "ZARR_V3", name="other")  # in the place of a store of which nothing is left
                except RuntimeError:
                    gdal.GetDriverByName("Zarr").Delete(store)
                    make_store(store, "ZARR_V3", name="other")
        else:
            make_store(store, "ZARR_V3", name="other")
        return
    root = open_root(store)
    is_there = "data" in (root.GetMDArrayNames() or [])
    del root
    names = read_tree(store)
    assert not any(os.path.basename(name).startswith(".zarr-tmp") for name in names)
    if is_there:
        array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("data")
        assert (array.ReadAsArray() == 1).all()
    else:
        assert not any(name.startswith("data/") for name in names)
