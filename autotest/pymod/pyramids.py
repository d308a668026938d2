# SPDX-License-Identifier: MIT
"""Makes rasters with overviews, and checks their pyramids."""

import json
import os

import numpy as np
from osgeo import gdal, osr

WIDTH, HEIGHT = 203, 151  # odd numbers, so that halves are rounded
TRANSFORM = (500000, 10, 0, 5000000, 0, -10)
FORMATS = ["ZARR_V2", "ZARR_V3"]
TYPES = {"u1": gdal.GDT_Byte, "i2": gdal.GDT_Int16, "f4": gdal.GDT_Float32, "c8": gdal.GDT_CFloat32}
METHODS = "NEAREST AVERAGE RMS GAUSS CUBIC CUBICSPLINE LANCZOS BILINEAR MODE".split()


def make_image(bands=1, dtype="u1", seed=0):
    values = np.random.default_rng(seed).integers(1, 200, (bands, HEIGHT, WIDTH)).astype(dtype)
    values[:, 40:60, 30:90] = 7
    values[0, :50, :70] = 0
    return values


def create_store(store, data, *options, nodata=None, name="a", format="ZARR_V3", georeferenced=True):
    """Makes a store with one array, and returns it open for update."""
    options = [f"FORMAT={format}", f"ARRAY_NAME={name}", *options]
    if not any(option.startswith("BLOCKSIZE=") for option in options):
        options.append("BLOCKSIZE=32,48")
    dataset = gdal.GetDriverByName("Zarr").Create(store, WIDTH, HEIGHT, len(data), TYPES[data.dtype.str[1:]], options)
    if georeferenced:
        crs = osr.SpatialReference()
        crs.ImportFromEPSG(32631)
        dataset.SetSpatialRef(crs)
        dataset.SetGeoTransform(TRANSFORM)
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    dataset.WriteArray(data)
    dataset = None
    return gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_RASTER | gdal.OF_UPDATE)


def open_array(store, path, update=False):
    return gdal.OpenEx(f'ZARR:"{store}":/{path}', gdal.OF_RASTER | (gdal.OF_UPDATE if update else 0))


def list_place(attributes):
    return sorted(name for name in attributes if name.startswith(("proj:", "spatial:")))


def halve(data, method, nodata=None):
    """Lets GDAL compute the overview in memory."""
    bands, height, width = data.shape
    memory = gdal.GetDriverByName("MEM").Create("", width, height, bands, TYPES[data.dtype.str[1:]])
    for i in range(bands):
        if nodata is not None:
            memory.GetRasterBand(i + 1).SetNoDataValue(nodata)
        memory.GetRasterBand(i + 1).WriteArray(data[i])
    memory.BuildOverviews(method, [2])
    return np.stack([memory.GetRasterBand(i + 1).GetOverview(0).ReadAsArray() for i in range(bands)])


def compute_levels(data, method, count, nodata=None):
    levels = []
    for _ in range(count):
        data = halve(data, method, nodata)
        levels.append(data)
    return levels


def read_levels(dataset):
    bands = [dataset.GetRasterBand(i + 1) for i in range(dataset.RasterCount)]
    return [np.stack([b.GetOverview(i).ReadAsArray() for b in bands]) for i in range(bands[0].GetOverviewCount())]


def check_levels(dataset, expected):
    got = read_levels(dataset)
    assert [level.shape for level in got] == [level.shape for level in expected]
    for level, other in zip(got, expected):
        np.testing.assert_array_equal(level, other)


def list_sizes(dataset):
    band = dataset.GetRasterBand(1)
    return [(band.GetOverview(i).XSize, band.GetOverview(i).YSize) for i in range(band.GetOverviewCount())]


def read_attributes(path):
    if os.path.exists(f"{path}/zarr.json"):
        return json.load(open(f"{path}/zarr.json"))["attributes"]
    return json.load(open(f"{path}/.zattrs")) if os.path.exists(f"{path}/.zattrs") else {}


def read_layout(path):
    return read_attributes(path)["multiscales"]["layout"]


def list_assets(path):
    return [(level["asset"], level.get("derived_from")) for level in read_layout(path)]
