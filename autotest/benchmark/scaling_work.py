# SPDX-License-Identifier: MIT
"""One piece of work of scaling.py: scaling_work.py NAME N STORE prints the seconds of the processors that it takes, and the
bytes of memory that it takes at most, besides the pixels."""

import os
import resource
import sys
import threading

import numpy as np
import scaling_stores as stores
from osgeo import gdal

gdal.UseExceptions()
gdal.SetConfigOption("ZARR_MAX_DOCUMENT_SIZE", str(2**30))  # for attributes of 100 MB
EDGE = stores.EDGE


def read_all(path, count):
    """Open, and read everything."""
    side = (stores.get_side(count)) * EDGE
    out = np.ones((side, side), "u1")
    yield
    gdal.Open(path).ReadRaster(buf_obj=out)


def read_window(path, count):
    """Open, and read one chunk."""
    yield
    gdal.Open(path).ReadRaster(EDGE, EDGE, EDGE, EDGE)


def open_array(path):
    """For update; GDAL 3.6's own driver cannot do that with a raster."""
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
    return root.OpenMDArray(root.GetMDArrayNames()[0])


def write_all(path, count):
    """Open for update, and write everything."""
    side = (stores.get_side(count)) * EDGE
    values = np.full((side, side), 3, "u1")
    yield
    open_array(path).Write(values)


def read_one_of_arrays(path, count):
    """Open, list, and read one array."""
    yield
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert len(root.GetMDArrayNames()) == count
    assert len(root.OpenMDArray(f"a{count // 2}").Read()) == EDGE


def read_attributes(path, count):
    """Open, and list all attributes of an array."""
    yield
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert len(root.OpenMDArray("a").GetAttributes()) == count // 100


def add_attribute(path, count):
    """Open for update, and add one attribute."""
    yield
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
    root.OpenMDArray("a").CreateAttribute("new", [], gdal.ExtendedDataType.CreateString()).Write("value")


def write_from_processes(path, count):
    """So many processes write a row of chunks each, one window after another."""
    yield
    children = []
    for row in range(count):
        child = os.fork()
        if child == 0:
            write_row(path, row)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0


def write_row(path, row):
    """What a forked process does before it ends."""
    status = 1
    try:
        array = open_array(path)
        values = np.full((EDGE, 16 * EDGE), 3, "u1")
        for column in range(0, 256, 16):
            array.Write(values, [row * EDGE, column * EDGE], [EDGE, 16 * EDGE])
        del array
        status = 0
    finally:
        os._exit(status)


def read_from_threads(path, count):
    """So many threads open the array and read a tenth of it, one window after another."""
    gdal.SetConfigOption("GDAL_NUM_THREADS", "1")
    yield
    threads = [threading.Thread(target=read_rows, args=(path, number)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def read_rows(path, number):
    dataset = gdal.Open(path)
    for row in range(10):
        dataset.ReadRaster(0, (number * 10 + row) % 100 * EDGE, 100 * EDGE, EDGE)


def count_seconds():
    """Those of this process, and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def read_memory(what):
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) * 1024 for line in f if line.startswith(what))


def forget_peak():
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")


def find_growth(memory):
    """What the peak of this process is above `memory`; or the peak of the largest of its children."""
    return max(read_memory("VmHWM") - memory, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)


def measure(work, path, count):
    steps = work(path, count)
    next(steps)
    forget_peak()
    memory, seconds = read_memory("VmRSS"), count_seconds()
    for _ in steps:
        pass
    return count_seconds() - seconds, find_growth(memory)


if __name__ == "__main__":
    print(*measure(globals()[sys.argv[1]], sys.argv[3], int(sys.argv[2])))
