# SPDX-License-Identifier: MIT
"""One tool in a process of its own: takes jobs as lines of JSON, does each once, and tells how long it took.

A job is {"do": name of a function of this module, ...its arguments}; the answer {"seconds", "cpu", "crc", ...}. Buffers
are kept from one job to the next, data sets are not: what is measured is reading, not the system's giving of memory.
`worker.py zarr` reads by zarr-python, else GDAL reads.
"""
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import zlib

import numpy as np

buffers = {}


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Stopwatch:
    """Before it runs, it uses some memory and gives it back: a virtual machine takes long to get what was not used for a
    while. The limit program keeps its own."""

    def __enter__(self):
        np.ones(256 << 20, "u1")
        self.cpu, self.start = cpu_seconds(), time.perf_counter()
        return self

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.start
        self.cpu = cpu_seconds() - self.cpu

    def result(self, values=None, **more):
        crc = zlib.crc32(values) if values is not None else 0
        return {"seconds": self.seconds, "cpu": self.cpu, "crc": crc, **more}


def buffer(size):
    if size not in buffers:
        buffers.clear()
        buffers[size] = np.full(size, 1, "u1")
    return buffers[size]


def peak_kib():
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))


def open_gdal(path, threads=0):
    from osgeo import gdal

    options = [f"NUM_THREADS={threads}"] if threads and path.endswith(".tif") else []
    return gdal.OpenEx(path, gdal.OF_RASTER, open_options=options)


def read_whole(path, check=False, threads=0):
    dataset = open_gdal(path, threads)
    if dataset.RasterCount == 0:
        return read_whole_array(path, check)
    item = np.dtype(type_name(dataset.GetRasterBand(1))).itemsize
    out = buffer(dataset.RasterXSize * dataset.RasterYSize * dataset.RasterCount * item)
    with Stopwatch() as watch:
        dataset.ReadRaster(buf_obj=out)
    return watch.result(out if check else None, peak=peak_kib())


def read_whole_array(path, check):
    """By the multidimensional API, for drivers that show no raster of it."""
    from osgeo import gdal

    group = (dataset := gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER)).GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    with Stopwatch() as watch:
        values = array.Read()
    del dataset
    return watch.result(values if check else None, peak=peak_kib())


def type_name(band):
    from osgeo import gdal_array

    return gdal_array.GDALTypeCodeToNumericTypeCode(band.DataType)


def read_bands(path, check=False):
    """Band after band, to a buffer in which they follow each other."""
    dataset = open_gdal(path)
    size = dataset.RasterXSize * dataset.RasterYSize
    out = buffer(size * dataset.RasterCount)
    with Stopwatch() as watch:
        for band in range(dataset.RasterCount):
            dataset.GetRasterBand(band + 1).ReadRaster(buf_obj=out[band * size : (band + 1) * size])
    return watch.result(out if check else None)


def window_places(width, height, size, count):
    places = random.Random(5)
    return [(places.randrange(width - size), places.randrange(height - size)) for _ in range(count)]


def read_windows(path, size=256, count=400, check=False, threads=0):
    dataset = open_gdal(path, threads)
    band = dataset.GetRasterBand(1)
    out = buffer(size * size * np.dtype(type_name(band)).itemsize)
    crc = 0
    places = window_places(dataset.RasterXSize, dataset.RasterYSize, size, count)
    with Stopwatch() as watch:
        for x, y in places:
            band.ReadRaster(x, y, size, size, buf_obj=out)
            if check:
                crc = zlib.crc32(out, crc)
    return {**watch.result(), "crc": crc}


def read_same_window(path, size=256, count=2000):
    """Seconds for each time after the first."""
    band = (dataset := open_gdal(path)).GetRasterBand(1)
    out = buffer(size * size * np.dtype(type_name(band)).itemsize)
    window = (100, 100, size, size)
    band.ReadRaster(*window, buf_obj=out)
    with Stopwatch() as watch:
        for _ in range(count):
            band.ReadRaster(*window, buf_obj=out)
    del dataset
    return {**watch.result(), "seconds": watch.seconds / count, "cpu": watch.cpu / count}


def read_series(path, places, check=False):
    """All bands of single pixels."""
    dataset = open_gdal(path)
    values = []
    with Stopwatch() as watch:
        for x, y in places:
            values.append(dataset.ReadRaster(x, y, 1, 1))
    return watch.result(b"".join(values) if check else None)


def read_window_of_huge(path):
    """Of a two-dimensional array that is too large to be seen as a raster; opening is not counted."""
    from osgeo import gdal

    array = (dataset := gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER)).GetRootGroup().OpenMDArray("a.zarr")
    with Stopwatch() as watch:
        array.Read([123456789, 198765432], [256, 256])
    del dataset
    return watch.result()


def retire(folder):
    """Puts away what was written before, to be removed when all is measured. Where files were removed within the last
    minute, ext4 looks at each of them before it makes a new one; that is not what is to be measured."""
    if not os.path.isdir(folder):
        return
    for path, _, names in os.walk(folder):
        for name in names:
            os.truncate(os.path.join(path, name), 0)
    os.makedirs(retired := os.path.join(os.path.dirname(folder), "retired"), exist_ok=True)
    os.rename(folder, tempfile.mkdtemp(dir=retired))


def write_whole(values, folder, metadata):
    """Writes the values (a .npy file) to an array whose metadata (a folder) are there."""
    from osgeo import gdal

    retire(folder)
    shutil.copytree(metadata, folder)
    data = np.load(values, mmap_mode="r") if values not in buffers else buffers[values]
    if values not in buffers:
        buffers.clear()
        buffers[values] = data = np.array(data)
    with Stopwatch() as watch:
        dataset = gdal.OpenEx(folder, gdal.OF_RASTER | gdal.OF_UPDATE)
        height, width = data.shape[-2:]
        dataset.WriteRaster(0, 0, width, height, data)
        dataset = None
    return watch.result()


def write_windows(path, folder, size=256, count=400):
    """Changes windows of a copy of a store, all through one handle."""
    from osgeo import gdal

    retire(folder)
    shutil.copytree(path, folder)
    with Stopwatch() as watch:
        dataset = gdal.OpenEx(folder, gdal.OF_RASTER | gdal.OF_UPDATE)
        values = np.arange(size * size, dtype=type_name(dataset.GetRasterBand(1))).reshape(size, size)
        for x, y in window_places(dataset.RasterXSize, dataset.RasterYSize, size, count):
            dataset.WriteRaster(x, y, size, size, values)
        dataset = None
    return watch.result()


def open_often(path, count=400):
    from osgeo import gdal

    with Stopwatch() as watch:
        for _ in range(count):
            gdal.OpenEx(path, gdal.OF_RASTER)
    return watch.result()


def zarr_read_whole(path, check=False):
    import zarr

    array = zarr.open_array(path, mode="r")
    with Stopwatch() as watch:
        values = array[...]
    return watch.result(np.ascontiguousarray(values) if check else None)


def zarr_read_windows(path, size=256, count=400, check=False):
    import zarr

    array = zarr.open_array(path, mode="r")
    crc = 0
    with Stopwatch() as watch:
        for x, y in window_places(array.shape[1], array.shape[0], size, count):
            values = array[y : y + size, x : x + size]
            if check:
                crc = zlib.crc32(np.ascontiguousarray(values), crc)
    return {**watch.result(), "crc": crc}


def driver_version():
    from osgeo import gdal

    own = gdal.GetDriverByName("Zarr").GetMetadataItem("ZARRLIB_VERSION")
    return {"gdal": gdal.VersionInfo("RELEASE_NAME"), "plugin": own}


def main():
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = globals()[job.pop("do")](**job)
        except Exception as error:  # told to who asked
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("GDAL_PAM_ENABLED", "NO")
    if "zarr" not in sys.argv[1:]:
        from osgeo import gdal as _gdal

        _gdal.UseExceptions()
    main()
