# SPDX-License-Identifier: MIT
"""Threads that use one array of a dataset that is open for update."""

import subprocess
import threading

import numpy as np
from osgeo import gdal
from plugin_in_use import python

INT32 = gdal.ExtendedDataType.Create(gdal.GDT_Int32)

# One thread changes attributes alone; then several read everything. In a process of its own, because a fault kills it.
READ_AFTER_A_CHANGE = """
import sys, threading
import numpy as np
from osgeo import gdal

gdal.UseExceptions()
dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(sys.argv[1])
group = dataset.GetRootGroup()
dimensions = [group.CreateDimension(name, None, None, 64) for name in "yx"]
array = group.CreateMDArray("a", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int32))
array.Write(np.ones((64, 64), "i4"))
attribute = array.CreateAttribute("k", [], gdal.ExtendedDataType.CreateString())
reads = [
    lambda a: a.GetUnit(),
    lambda a: [attribute.GetName() for attribute in a.GetAttributes()],
    lambda a: a.Read(),
    lambda a: a.GetStructuralInfo(),
    lambda a: a.GetSpatialRef(),
]

def read(function):
    opened = group.OpenMDArray("a")
    for _ in range(3):
        function(opened)

for i in range(200):
    attribute.Write(f"v{i}" * 10)
    array.SetUnit(f"u{i}" * 10)
    threads = [threading.Thread(target=read, args=[function]) for function in reads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert group.OpenMDArray("a").GetUnit() == f"u{i}" * 10
"""


def test_threads_read_what_one_has_changed(store):
    done = subprocess.run(python(READ_AFTER_A_CHANGE, store), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_all_threads_get_the_same_object(store):
    """What one of them changes, the others see."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store)
    group = dataset.GetRootGroup()
    x = group.CreateDimension("x", None, None, 4)
    names = [f"a{i}" for i in range(100)]
    for name in names:
        group.CreateMDArray(name, [x], INT32).Write(np.ones(4, "i4"))
    for name in names:
        start = threading.Barrier(4)
        opened = []

        def open_array(name=name, start=start, opened=opened):
            start.wait()
            opened.append(group.OpenMDArray(name))

        threads = [threading.Thread(target=open_array) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        opened[0].SetUnit(name)
        assert [array.GetUnit() for array in opened] == [name] * 4
