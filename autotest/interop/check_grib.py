#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads GRIB messages through references, and compares the values, latitudes and longitudes with those of ecCodes, which
kerchunk uses.

    check_grib.py      with GDAL_DRIVER_PATH; needs libeccodes, and GDAL's GRIB driver, which writes the messages
"""
import ctypes
import ctypes.util
import json
import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pymod"))

import plugin_in_use  # noqa: E402
from osgeo import gdal, gdal_array, osr  # noqa: E402

gdal.UseExceptions()

SHAPE = (5, 7)
SPHERE = " +R=6371229 +no_defs"
# A projection, a geotransform, and the position of the scanning mode in the section of the grid.
GRIDS = {
    "degrees": ("+proj=longlat", (3, 1.5, 0, 60, 0, -1.5), 71),
    "degrees across 0": ("+proj=longlat", (-5, 1.5, 0, 60, 0, -1.5), 71),
    "mercator": ("+proj=merc +lat_ts=20 +units=m", (1e5, 1e4, 0, 2e6, 0, -1e4), 59),
    "polar stereographic": ("+proj=stere +lat_0=90 +lat_ts=60 +lon_0=-100 +units=m", (1e5, 1e4, 0, 2e5, 0, -1e4), 64),
    "lambert": ("+proj=lcc +lat_1=40 +lat_2=50 +lat_0=45 +lon_0=5 +units=m", (1e5, 1e4, 0, 2e5, 0, -1e4), 64),
    "albers": ("+proj=aea +lat_1=40 +lat_2=50 +lat_0=45 +lon_0=5 +units=m", (1e5, 1e4, 0, 2e5, 0, -1e4), 64),
    "laea": ("+proj=laea +lat_0=52 +lon_0=10 +units=m", (1e5, 1e4, 0, 2e5, 0, -1e4), 63),
}


# ecCodes 2.28 has the coordinates of these as if they always went to the north and to the east.
ALWAYS_NORTH_EAST = ["mercator", "polar stereographic", "lambert"]


class EcCodes:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.codes_handle_new_from_message.restype = ctypes.c_void_p

    def read(self, message, key):
        handle = self.library.codes_handle_new_from_message(None, message, ctypes.c_size_t(len(message)))
        size = ctypes.c_size_t(SHAPE[0] * SHAPE[1])
        values = np.zeros(size.value)
        address = values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        status = self.library.codes_get_double_array(ctypes.c_void_p(handle), key.encode(), address, ctypes.byref(size))
        self.library.codes_handle_delete(ctypes.c_void_p(handle))
        return None if status else values.reshape(SHAPE)


def write_message(projection, transform):
    srs = osr.SpatialReference()
    srs.ImportFromProj4(projection + SPHERE)
    data = np.arange(SHAPE[0] * SHAPE[1], dtype="f4").reshape(SHAPE)
    source = gdal.GetDriverByName("MEM").CreateCopy("", gdal_array.OpenArray(data))
    source.SetGeoTransform(transform)
    source.SetProjection(srs.ExportToWkt())
    gdal.GetDriverByName("GRIB").CreateCopy("/vsimem/message", source, options=["DATA_ENCODING=IEEE_FLOATING_POINT"])
    f = gdal.VSIFOpenL("/vsimem/message", "rb")
    message = bytes(gdal.VSIFReadL(1, 1 << 20, f))
    gdal.VSIFCloseL(f)
    return message


def swap(message, a, b):
    """Swaps two numbers of four bytes."""
    message[a : a + 4], message[b : b + 4] = message[b : b + 4], message[a : a + 4]


def change_scanning(message, position, scanning):
    """Changes the order of a message's values. A grid in degrees tells its first and its last value."""
    message = bytearray(message)
    grid = 16
    while message[grid + 4] != 3:
        grid += int.from_bytes(message[grid : grid + 4], "big")
    message[grid + position] = scanning
    if position == 71 and not scanning & 0x40:
        swap(message, grid + 46, grid + 55)
    if position == 71 and scanning & 0x80:
        swap(message, grid + 50, grid + 59)
    return bytes(message)


def read_through_references(folder, message, var):
    with open(os.path.join(folder, "message.grib2"), "wb") as f:
        f.write(message)
    zarray = {"zarr_format": 2, "shape": SHAPE, "chunks": SHAPE, "dtype": "<f8", "compressor": None, "order": "C"}
    zarray |= {"filters": [{"id": "grib", "var": var, "dtype": "float64"}], "fill_value": None}
    path = os.path.join(folder, "refs.json")
    with open(path, "w") as f:
        refs = {".zgroup": '{"zarr_format": 2}', "a/.zarray": zarray, "a/0.0": ["message.grib2"]}
        json.dump({"version": 1, "refs": refs}, f)
    return gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").ReadAsArray()


def check(eccodes, folder, name, scanning):
    """Returns how many arrays were compared, and what differs."""
    projection, transform, position = GRIDS[name]
    message = change_scanning(write_message(projection, transform), position, scanning)
    count, problems = 0, []
    for var, key in (("t", "values"), ("latitude", "latitudes"), ("longitude", "longitudes")):
        want = eccodes.read(message, key)
        if want is None or (var != "t" and scanning != 0x40 and name in ALWAYS_NORTH_EAST):
            continue
        got = read_through_references(folder, message, var)
        count += 1
        difference = np.abs(got - want)
        difference = np.minimum(difference, np.abs(difference - 360)) if var == "longitude" else difference
        if not (difference <= 2e-4).all():
            problems.append(f"{name}, scanning mode {scanning:#x}: {key} differ by {difference.max()}")
    return count, problems


def main():
    path = os.environ.get("ECCODES_LIBRARY") or ctypes.util.find_library("eccodes")
    if path is None or gdal.GetDriverByName("GRIB") is None:
        print("left out: GRIB needs libeccodes0 and GDAL's driver for it")
        return 0
    plugin_in_use.check()
    eccodes = EcCodes(path)
    total, problems = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name in GRIDS:
            for scanning in (0x00, 0x40, 0x80, 0xC0):
                count, found = check(eccodes, folder, name, scanning)
                total += count
                problems += found
    print("\n".join(problems + [f"GRIB: {total} arrays compared with ecCodes, {len(problems)} differ"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
