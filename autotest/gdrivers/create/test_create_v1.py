# SPDX-License-Identifier: MIT
"""Stores of v1 have the metadata of the specification's examples, and their chunks hold the right bytes."""

import bz2
import json
import lzma
import os
import zlib

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr

# The two examples of the specification of version 1.
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "v1_specification")
DECODERS = {"zlib": zlib.decompress, "bz2": bz2.decompress, "lzma": lzma.decompress, "none": bytes}


def create(store, size, bands, gdal_type, options):
    options = ["FORMAT=ZARR_V1", *options]
    return gdal.GetDriverByName("Zarr").Create(store, *size, bands, gdal_type, options=options)


def read_text(store, name):
    with open(os.path.join(store, name)) as f:
        return f.read()


def read_example(name):
    return read_text(EXAMPLES, name).rstrip("\n")


def test_the_large_example_of_the_specification_is_written(store):
    create(store, (10000, 10000), 1, gdal.GDT_Float64, ["COMPRESS=BLOSC", "BLOCKSIZE=1000,1000"])
    assert read_text(store, "meta") == read_example("large.json")


def test_the_small_example_of_the_specification_is_written(store):
    dataset = create(store, (20, 20), 1, gdal.GDT_Int32, ["COMPRESS=ZLIB", "ZLIB_LEVEL=1", "BLOCKSIZE=10,10"])
    dataset.GetRasterBand(1).SetNoDataValue(42)
    dataset.GetRasterBand(1).WriteArray(np.full((10, 10), 1, np.int32), 0, 0)
    dataset = None
    assert read_text(store, "meta") == read_example("small.json")
    assert sorted(os.listdir(store)) == ["0.0", "attrs", "meta"]
    assert json.loads(read_text(store, "attrs")) == {}


def read_independently(store):
    """Reads the store by the specification only."""
    meta = json.loads(read_text(store, "meta"))
    shape, chunks = meta["shape"], meta["chunks"]
    fill = 0 if meta["fill_value"] is None else meta["fill_value"]
    values = np.full([-(-n // c) * c for n, c in zip(shape, chunks)], fill, meta["dtype"])
    for name in os.listdir(store):
        if name in ("meta", "attrs"):
            continue
        with open(os.path.join(store, name), "rb") as f:
            raw = DECODERS[meta["compression"]](f.read())
        chunk = np.frombuffer(raw, meta["dtype"]).reshape(chunks, order=meta["order"])
        index = [int(i) for i in name.split(".")]
        values[tuple(slice(i * c, (i + 1) * c) for i, c in zip(index, chunks))] = chunk
    return values[tuple(slice(n) for n in shape)]


@pytest.mark.parametrize("compress", ["ZLIB", "BZ2", "LZMA", "NONE"])
@pytest.mark.parametrize("gdal_type", ["Byte", "Int16", "UInt64", "Float32", "CFloat64"])
def test_chunks_hold_what_the_specification_says(store, gdal_type, compress):
    options = [f"COMPRESS={compress}", "BLOCKSIZE=16,32"]
    number = gdal.GetDataTypeByName(gdal_type)
    dataset = create(store, (70, 50), 2, number, options)
    values = (np.arange(2 * 50 * 70) % 200).reshape(2, 50, 70)
    dataset.WriteRaster(0, 0, 70, 50, values.astype(np.float64).tobytes(), buf_type=gdal.GDT_Float64)
    dataset = None
    assert np.array_equal(read_independently(store), values)
    assert np.array_equal(gdal.Open(store).ReadAsArray(), values)


def test_the_place_is_in_attributes(store):
    dataset = create(store, (20, 10), 1, gdal.GDT_Byte, [])
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32631)
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform([1, 2, 0, 3, 0, -2])
    dataset = None
    assert sorted(os.listdir(store)) == ["attrs", "meta"]
    attributes = json.loads(read_text(store, "attrs"))
    assert attributes["_CRS"]["url"].endswith("/32631")
    assert attributes["gdal:geotransform"] == [1, 2, 0, 3, 0, -2]
    assert read_text(store, "attrs").isascii()


def test_only_blosc_has_order_f(store):
    """zarr 1.x declared order F for all other compressors too, but wrote order C."""
    with pytest.raises(RuntimeError, match="order F with blosc only"):
        create(store, (20, 10), 1, gdal.GDT_Byte, ["CHUNK_MEMORY_LAYOUT=F", "COMPRESS=ZLIB"])


@pytest.mark.parametrize("copies", [True, False])
def test_a_name_of_the_array_is_ignored_with_a_warning(store, copies):
    options = ["FORMAT=ZARR_V1", "ARRAY_NAME=relief"]
    driver = gdal.GetDriverByName("Zarr")
    with collect_errors() as errors:
        if copies:
            driver.CreateCopy(store, gdal.GetDriverByName("MEM").Create("", 4, 4), options=options)
        else:
            driver.Create(store, 4, 4, options=options)
    assert [text.split(": ", 1)[1] for _, text in errors] == [
        "ARRAY_NAME=relief is ignored: a store of v1 is one array, without a name"
    ]
    assert gdal.Open(store).RasterCount == 1
