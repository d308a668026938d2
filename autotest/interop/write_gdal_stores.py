#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes stores through GDAL, for other libraries to read.

    write_gdal_stores.py <folder>

Each row of <folder>/manifest.json is a store: its name, the version of its format, the path of the array, NumPy's type,
the shape, and what the array's place on Earth is. <folder>/<name>.bin holds the values that the array must have, little
endian, in C order.
"""

import json
import os
import sys

os.environ["GDAL_PAM_ENABLED"] = "NO"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pymod"))

import numpy as np
import plugin_in_use
from osgeo import gdal, osr

gdal.UseExceptions()

ROWS, COLUMNS, BANDS = 50, 70, 3
TRANSFORM = [500000.0, 10.0, 0.0, 5000000.0, 0.0, -10.0]
EPSG = 32631

TYPES = {
    "Byte": "u1",
    "Int16": "<i2",
    "UInt16": "<u2",
    "Int32": "<i4",
    "UInt32": "<u4",
    "Int64": "<i8",
    "UInt64": "<u8",
    "Float32": "<f4",
    "Float64": "<f8",
    "CFloat32": "<c8",
    "CFloat64": "<c16",
}
CODECS = {
    "default": [],
    "none": ["COMPRESS=NONE"],
    "blosc": ["COMPRESS=BLOSC"],
    "blosc_bit": ["COMPRESS=BLOSC", "BLOSC_CNAME=zstd", "BLOSC_SHUFFLE=BIT"],
    "zlib": ["COMPRESS=ZLIB"],
    "gzip": ["COMPRESS=GZIP"],
    "zstd": ["COMPRESS=ZSTD"],
    "lz4": ["COMPRESS=LZ4"],
    "bz2": ["COMPRESS=BZ2"],
    "lzma": ["COMPRESS=LZMA"],
    "lzma_delta": ["COMPRESS=LZMA", "LZMA_DELTA=2"],
    "shuffle_zlib": ["COMPRESS=ZLIB", "FILTER=SHUFFLE"],
    "delta_zlib": ["COMPRESS=ZLIB", "FILTER=DELTA"],
    "predictor2_zstd": ["COMPRESS=ZSTD", "PREDICTOR=2"],
    "predictor2_blosc_bit": ["COMPRESS=BLOSC", "BLOSC_CNAME=zstd", "BLOSC_SHUFFLE=BIT", "PREDICTOR=2"],
}
BLOCK = ["BLOCKSIZE=16,32"]
GRIDS = {
    "regular": BLOCK,
    "f": [*BLOCK, "CHUNK_MEMORY_LAYOUT=F"],
    "pixel": ["BLOCKSIZE=16,32,3", "INTERLEAVE=PIXEL"],
}
GRIDS_V3 = {
    "shard_of_chunks": ["BLOCKSIZE=32,64", "SHARD_CHUNK_SHAPE=16,32"],
    "chunks_in_shard": ["BLOCKSIZE=16,32", "SHARD_SHAPE=32,64"],
    "rectilinear": ["CHUNK_EDGES=Y:20,7,23;X:[[16,4],6]"],
    "v2_keys": [*BLOCK, "DIM_SEPARATOR=."],
}
INTEGERS_ONLY = ("delta_zlib", "predictor2_zstd", "predictor2_blosc_bit")


def numbers(dtype, bands, gap=True):
    """Numbers that differ from each other, with floats that are easily lost, and chunks that are all zero."""
    dtype = np.dtype(dtype)
    count = bands * ROWS * COLUMNS
    rng = np.random.default_rng(7)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = rng.integers(info.min, info.max, count, dtype, endpoint=True)
        values[:2] = info.min, info.max
    else:
        values = np.cumsum(rng.normal(size=count)).astype(dtype)
        if dtype.kind == "c":
            values = values - 1j * values[::-1]
        values[:5] = np.nan, -0.0, np.inf, -np.inf, 1e-40
    values = values.reshape(bands, ROWS, COLUMNS)
    if gap:
        values[:, 32:, 64:] = 0
    return values.astype(dtype)


class Writer:
    def __init__(self, folder):
        self.folder = folder
        self.rows = []

    def add(self, name, values, version, array, **more):
        with open(os.path.join(self.folder, name + ".bin"), "wb") as f:
            f.write(values.astype(values.dtype.newbyteorder("<")).tobytes())
        dtype = values.dtype.newbyteorder("<").str
        row = {"name": name, "version": version, "array": array, "dtype": dtype, "shape": list(values.shape)}
        self.rows.append({**row, **more})

    def raster(self, name, version, gdal_type, options, bands=1, values=None, **more):
        """One array called "data", with a place on Earth."""
        if values is None:
            values = numbers(TYPES[gdal_type], bands)
        path = os.path.join(self.folder, name)
        options = [f"FORMAT=ZARR_V{version}", "ARRAY_NAME=data", *options]
        type_number = gdal.GetDataTypeByName(gdal_type)
        dataset = gdal.GetDriverByName("Zarr").Create(path, COLUMNS, ROWS, bands, type_number, options)
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(EPSG)
        dataset.SetSpatialRef(srs)
        dataset.SetGeoTransform(TRANSFORM)
        dataset.WriteRaster(0, 0, COLUMNS, ROWS, values.tobytes())
        dataset = None
        if bands == 1:
            values = values[0]
        if "INTERLEAVE=PIXEL" in options:
            values = np.moveaxis(values, 0, -1)
        self.add(name, values, version, "" if version == 1 else "data", epsg=EPSG, transform=TRANSFORM, **more)

    def strings(self, name, version):
        values = ["", "é", "x" * 300, "日本", "z"]
        group = self.group(name, version)
        dimension = group.CreateDimension("x", None, None, len(values))
        group.CreateMDArray("data", [dimension], gdal.ExtendedDataType.CreateString()).Write(values)
        self.rows.append(
            {"name": name, "version": version, "array": "data", "dtype": "O", "shape": [5], "values": values}
        )

    def appended(self, name):
        """A time axis whose chunks are months."""
        group = self.group(name, 3)
        time = group.CreateDimension("time", "TEMPORAL", None, 59)
        x = group.CreateDimension("x", None, None, 4)
        array = group.CreateMDArray(
            "data", [time, x], gdal.ExtendedDataType.Create(gdal.GDT_Int32), ["CHUNK_EDGES=time:31,28"]
        )
        values = np.arange(59 * 4, dtype="<i4").reshape(59, 4)
        array.Write(values)
        self.add(name, values, 3, "data", rectilinear=True)

    def group(self, name, version):
        self.dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(
            os.path.join(self.folder, name), options=[f"FORMAT=ZARR_V{version}"]
        )
        return self.dataset.GetRootGroup()

    def close(self):
        self.dataset = None
        with open(os.path.join(self.folder, "manifest.json"), "w") as f:
            json.dump(self.rows, f, indent=1)


def write_all(writer):
    for version in (2, 3):
        for gdal_type in TYPES:
            writer.raster(f"v{version}_type_{gdal_type}", version, gdal_type, BLOCK, bands=2)
            writer.raster(f"v{version}_plain_{gdal_type}", version, gdal_type, [*BLOCK, "COMPRESS=NONE"])
        for codec, options in CODECS.items():
            for gdal_type in ("Int16", "Float32"):
                if codec in INTEGERS_ONLY and gdal_type != "Int16":
                    continue
                writer.raster(f"v{version}_codec_{codec}_{gdal_type}", version, gdal_type, BLOCK + options)
        for gdal_type in ("Float32", "Float64"):
            for compress in ("ZSTD", "BLOSC"):
                options = [*BLOCK, f"COMPRESS={compress}", "PREDICTOR=3"]
                writer.raster(f"v{version}_predictor3_{compress.lower()}_{gdal_type}", version, gdal_type, options)
        for gdal_type in TYPES:
            if gdal_type[0] not in "FC":
                options = [*BLOCK, "COMPRESS=ZSTD", "PREDICTOR=2"]
                writer.raster(f"v{version}_predictor2_{gdal_type}", version, gdal_type, options)
        grids = GRIDS if version == 2 else {**GRIDS, **GRIDS_V3}
        for grid, options in grids.items():
            rectilinear = grid == "rectilinear"
            writer.raster(f"v{version}_grid_{grid}", version, "Int16", options, bands=3, rectilinear=rectilinear)
        for convention in ("GDAL", "CF", "SPATIAL_PROJ", "GDAL,CF,SPATIAL_PROJ"):
            options = [*BLOCK, f"GEOREFERENCING_CONVENTION={convention}"]
            name = f"v{version}_place_{convention.replace(',', '_')}"
            writer.raster(name, version, "Int16", options, conventions=convention.split(","))
        writer.strings(f"v{version}_strings", version)
    for gdal_type in ("Int16", "Float64", "CFloat64"):
        writer.raster(f"v1_type_{gdal_type}", 1, gdal_type, BLOCK + ["COMPRESS=ZLIB"], bands=2)
    writer.appended("v3_months")


def main():
    plugin_in_use.check()
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    writer = Writer(folder)
    write_all(writer)
    writer.close()
    print(f"{len(writer.rows)} stores written with GDAL {gdal.__version__}")


if __name__ == "__main__":
    main()
