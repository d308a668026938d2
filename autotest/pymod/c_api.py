# SPDX-License-Identifier: MIT
"""Calls GDAL's functions in C for tasks that the Python bindings do not support."""

import ctypes

from osgeo import gdal


def read_strings(array, count):
    """Returns (success, strings in the buffer). Calls GDALMDArrayRead into char*, which Python cannot do for
    numbers."""
    with open("/proc/self/maps") as maps:
        library = ctypes.CDLL(next(line.split()[-1] for line in maps if "/libgdal.so" in line))
    library.GDALExtendedDataTypeCreateString.restype = ctypes.c_void_p
    library.GDALExtendedDataTypeCreateString.argtypes = [ctypes.c_size_t]
    library.GDALMDArrayRead.argtypes = [ctypes.c_void_p] * 8 + [ctypes.c_size_t]
    library.VSIFree.argtypes = [ctypes.c_void_p]
    buffer = (ctypes.c_void_p * count)(*[1] * count)  # the function must ignore the old content
    arguments = [(ctypes.c_int64 * 1)(n) for n in (0, count, 1, 1)]
    text = library.GDALExtendedDataTypeCreateString(0)
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    ok = library.GDALMDArrayRead(int(array.this), *arguments, text, buffer, buffer, ctypes.sizeof(buffer))
    gdal.PopErrorHandler()
    library.GDALExtendedDataTypeRelease(ctypes.c_void_p(text))
    strings = [ctypes.string_at(p) if p else None for p in buffer]
    for p in buffer:
        library.VSIFree(p)
    return bool(ok), strings
