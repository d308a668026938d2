# SPDX-License-Identifier: MIT
"""A process that does jobs, one for each line of JSON that it gets on its standard input.

It says "ready" when it has opened the store, and begins when it gets another line. It says "done" in the end.
"""

import json
import sys

import numpy as np
from osgeo import gdal
from plugin_in_use import check

gdal.UseExceptions()
check()



def wait():
    print("ready", flush=True)
    sys.stdin.readline()


def start(path, flags):
    dataset = gdal.OpenEx(path, flags | gdal.OF_UPDATE)
    wait()
    return dataset


def write_rows(dataset, number, count, flush):
    for y in range(number, dataset.RasterYSize, count):
        row = np.full((1, dataset.RasterXSize), 1 + y % 100, "u1")
        dataset.WriteRaster(0, y, dataset.RasterXSize, 1, row.tobytes())
        if flush and y % 8 == number:
            dataset.FlushCache()


def rows(path, number, count):
    write_rows(start(path, gdal.OF_RASTER), number, count, False)


def flushed_rows(path, number, count):
    write_rows(start(path, gdal.OF_RASTER), number, count, True)


def rows_for_ever(path, number, count):
    dataset = start(path, gdal.OF_RASTER)
    while True:
        write_rows(dataset, number, count, True)


def attributes(path, number, count):
    dataset = start(path, gdal.OF_RASTER)
    for k in range(5):
        dataset.SetMetadataItem(f"k{number}_{k}", str(number))


def calls(path, number, count, code):
    dataset = start(path, gdal.OF_RASTER)
    exec(code, {"dataset": dataset, "gdal": gdal, "number": number})
    dataset.FlushCache()


def arrays(path, number, count):
    dataset = start(path, gdal.OF_MULTIDIM_RASTER)
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension(f"x{number}", None, None, 4)
    for k in range(3):
        array = root.CreateMDArray(f"a{number}_{k}", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        array.Write(np.full(4, number, "u1"))


def longer(path, number, count):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    wait()
    array.Resize([10 + number])
    array.Write(np.full(1, 50 + number, "u1"), array_start_idx=[9 + number], count=[1])


def longer_series(path, number, count):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("series")
    length = array.GetDimensions()[0].GetSize()
    wait()
    array.Resize([length + 1 + number])
    time = dataset.GetRootGroup().OpenMDArray("time")
    assert time.GetDimensions()[0].GetSize() >= array.GetDimensions()[0].GetSize() >= length + 1 + number


def rasters(path, number, count):
    source = gdal.GetDriverByName("MEM").Create("", 6, 4, 1, gdal.GDT_Byte)
    source.SetGeoTransform((100, 10, 0, 200, 0, -10))
    source.SetProjection("EPSG:32631")
    source.GetRasterBand(1).Fill(number + 1)
    wait()
    options = ["APPEND_SUBDATASET=YES", f"ARRAY_NAME=r{number}"]
    gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=options)


for line in sys.stdin:
    job = json.loads(line)
    globals()[job.pop("kind")](**job)
    print("done", flush=True)
