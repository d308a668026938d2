#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sizes of stored elevation-like data: GeoTIFF and Zarr with the settings that driver/doc/layout.md recommends.

    write_size.py [folder]      8192 x 8192 Int16, about 300 MB of disk below the folder (default: a temporary one)

Prints the sizes in MB and relative to GeoTIFF with ZSTD and PREDICTOR=2, and fails if the best raster setting takes
more than 0.92 of that, or ZSTD with PREDICTOR=2 more than 1.0.
"""

import os
import shutil
import sys
import tempfile
import time

import numpy as np
from osgeo import gdal

gdal.UseExceptions()

SIZE = 8192
SETTINGS = {
    "default": [],
    "COMPRESS=ZSTD": ["COMPRESS=ZSTD"],
    "COMPRESS=ZSTD PREDICTOR=2": ["COMPRESS=ZSTD", "PREDICTOR=2"],
    "best: COMPRESS=BLOSC BLOSC_CNAME=zstd BLOSC_SHUFFLE=BIT PREDICTOR=2": [
        "COMPRESS=BLOSC",
        "BLOSC_CNAME=zstd",
        "BLOSC_SHUFFLE=BIT",
        "PREDICTOR=2",
    ],
}
LIMITS = {"best": 0.92, "COMPRESS=ZSTD PREDICTOR=2": 1.0}


def elevation():
    """Ridges of all sizes, the smaller the lower, in metres, with noise of some metres, and the sea."""
    rng = np.random.default_rng(1)
    height = np.zeros((SIZE, SIZE), np.float32)
    cells, amplitude = 4, 1500.0
    while cells <= SIZE // 4:
        coarse = rng.normal(size=(cells + 3, cells + 3)).astype(np.float32)
        memory = gdal.GetDriverByName("MEM").Create("", cells + 3, cells + 3, 1, gdal.GDT_Float32)
        memory.GetRasterBand(1).WriteArray(coarse)
        height += amplitude * memory.GetRasterBand(1).ReadAsArray(
            1, 1, cells, cells, SIZE, SIZE, resample_alg=gdal.GRIORA_CubicSpline
        )
        cells, amplitude = cells * 2, amplitude * 0.55
    height += rng.normal(scale=4, size=height.shape).astype(np.float32)
    return np.maximum(height, 0).round().astype(np.int16)


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(d, name)) for d, _, names in os.walk(path) for name in names)


def measure(folder):
    source = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_Int16)
    values = elevation()
    source.GetRasterBand(1).WriteArray(values)
    tiff = os.path.join(folder, "reference.tif")
    options = ["COMPRESS=ZSTD", "PREDICTOR=2", "TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512"]
    gdal.GetDriverByName("GTiff").CreateCopy(tiff, source, options=options)
    reference = size_of(tiff)
    print(f"{reference / 1e6:7.2f} MB  1.000  GeoTIFF ZSTD PREDICTOR=2")
    ok = True
    for name, setting in SETTINGS.items():
        for zarr_format in ("ZARR_V2", "ZARR_V3"):
            path = os.path.join(folder, "store.zarr")
            shutil.rmtree(path, ignore_errors=True)
            begin = time.perf_counter()
            gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=[f"FORMAT={zarr_format}", *setting])
            seconds = time.perf_counter() - begin
            if not np.array_equal(gdal.Open(path).ReadAsArray(), values):
                print("values differ")
                ok = False
            ratio = size_of(path) / reference
            limit = LIMITS.get(name.split(":")[0])
            verdict = "" if limit is None else f"  (at most {limit})"
            ok = ok and (limit is None or ratio <= limit)
            print(f"{size_of(path) / 1e6:7.2f} MB  {ratio:.3f}  {zarr_format} {name}{verdict}  {seconds:.2f} s")
    return ok


def main():
    if len(sys.argv) > 1:
        return 0 if measure(sys.argv[1]) else 1
    with tempfile.TemporaryDirectory() as folder:
        return 0 if measure(folder) else 1


if __name__ == "__main__":
    sys.exit(main())
