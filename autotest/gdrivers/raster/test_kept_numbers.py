# SPDX-License-Identifier: MIT
"""Nodata values and elements of types that are narrower than GDAL's: what an array cannot keep is refused or clamped, and
never wrapped."""

import base64
import json
import struct

import numpy as np
import pytest
from osgeo import gdal
from stores import write_json, write_v2, write_v3

LARGEST = 3.4028234663852886e38
NARROW = {"int2": "i1", "int4": "i1", "uint2": "u1", "uint4": "u1", "bool": "u1", "float8_e4m3fn": "u1", "float8_e5m2": "u1"}


def write_narrow(store, data_type, data, fill=0, attributes=None, stored="u1"):
    """Writes an array of one chunk. `data` are the stored numbers."""
    write_v3(store, np.array(data, NARROW.get(data_type, stored)), fill=fill, attributes=attributes)
    with open(f"{store}/zarr.json") as f:
        document = json.load(f)
    codecs = ["bytes"] if data_type in NARROW else [{"name": "bytes", "configuration": {"endian": "little"}}]
    write_json(f"{store}/zarr.json", {**document, "data_type": data_type, "codecs": codecs})


def set_nodata(store, value):
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetNoDataValue(value)


def get_nodata(store):
    dataset = gdal.Open(store)
    return dataset.GetRasterBand(1).GetNoDataValue()


def get_mask(store):
    dataset = gdal.Open(store)
    return dataset.GetRasterBand(1).GetMaskBand().ReadAsArray().tolist()


def read_document(store):
    with open(f"{store}/zarr.json") as f:
        return f.read()


@pytest.mark.parametrize(
    "data_type, value",
    [
        ("uint4", 255), ("uint4", 16), ("int4", 100), ("int4", -9), ("int4", 8), ("int2", 5), ("int2", -128), ("uint2", 4),
        ("bool", 255), ("bool", 2), ("float8_e4m3fn", 1000), ("float8_e4m3fn", -9999), ("float8_e5m2", 1e9), ("float16", 1e20),
        ("bfloat16", 1e300), ("float32", 1e39), ("int8", 200),
    ],
)  # fmt: skip
def test_nodata_that_does_not_fit_changes_nothing(store, data_type, value):
    write_narrow(store, data_type, [[0, 1]], False if data_type == "bool" else 0, stored={"float32": "f4", "int8": "i1"}.get(data_type, "u2"))
    before = read_document(store)
    dataset = gdal.Open(store, gdal.GA_Update)
    with pytest.raises(RuntimeError, match="nodata"):
        dataset.GetRasterBand(1).SetNoDataValue(value)
    dataset = None
    assert read_document(store) == before
    assert gdal.Open(store).ReadAsArray().shape == (1, 2)


@pytest.mark.parametrize("data_type, value", [("uint4", 15), ("int4", -8), ("int2", 1), ("uint2", 3), ("bool", 1)])
def test_nodata_that_fits_is_kept(store, data_type, value):
    write_narrow(store, data_type, [[0, 1]], False if data_type == "bool" else 0)
    set_nodata(store, value)
    assert get_nodata(store) == value


@pytest.mark.parametrize("data_type, value", [("uint4", 200), ("int4", -100), ("int2", 5)])
def test_nodata_of_an_array_has_to_fit_too(store, data_type, value):
    write_narrow(store, data_type, [[0, 1]])
    before = read_document(store)
    group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    with pytest.raises(RuntimeError, match=f'nodata: expected a value of type {data_type}, got {value}'):
        array.SetNoDataValueDouble(value)
    group = array = None
    assert read_document(store) == before


@pytest.mark.parametrize(
    "data_type, written, expected",
    [
        ("uint4", [200, 16, 3], [15, 15, 3]),
        ("uint2", [4, 255, 2], [3, 3, 2]),
        ("int4", [100, -100, -8], [7, -8, -8]),
        ("int2", [5, -5, 1], [1, -2, 1]),
    ],
)
@pytest.mark.parametrize("codec", ["bytes", "packbits"])
def test_integers_of_few_bits_are_clamped(store, data_type, written, expected, codec):
    write_narrow(store, data_type, [[0, 0, 0]])
    document = json.loads(read_document(store))
    write_json(f"{store}/zarr.json", {**document, "codecs": [codec]})
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.WriteArray(np.array([written], "i2"))
    dataset = None
    assert gdal.Open(store).ReadAsArray().tolist() == [expected]


@pytest.mark.parametrize("text", [-3.4028235e38, -3.40282347e38])
@pytest.mark.parametrize("zarr_format", [2, 3])
def test_short_texts_of_the_largest_float32_are_it(store, text, zarr_format):
    data = np.array([[-LARGEST, 1]], "f4")
    write = write_v2 if zarr_format == 2 else write_v3
    write(store, data, fill=0, attributes={"_FillValue": text})
    assert get_nodata(store) == -LARGEST
    assert get_mask(store) == [[0, 255]]


def test_the_largest_float32_is_set_by_a_short_text(store):
    write_v3(store, np.zeros((1, 1), "f4"))
    set_nodata(store, -3.4028235e38)
    assert get_nodata(store) == -LARGEST


@pytest.mark.parametrize(
    "data_type, stored, expected", [("float16", 0xF0E2, -10000), ("bfloat16", 0xC61C, -9984), ("float8_e5m2", 0xF1, -10240)]
)
def test_a_fill_value_attribute_is_rounded_to_the_stored_type(store, data_type, stored, expected):
    write_narrow(store, data_type, [[stored, 0]], attributes={"_FillValue": -9999}, stored="u2")
    assert get_nodata(store) == gdal.Open(store).ReadAsArray()[0, 0] == expected
    assert get_mask(store) == [[0, 255]]


@pytest.mark.parametrize("data_type, value", [("int4", 20), ("bool", 2), ("float16", 1e6), ("float8_e4m3fn", -9999)])
def test_a_fill_value_attribute_that_does_not_fit_is_none(store, data_type, value):
    attributes = {"_FillValue": value, "missing_value": 1}
    write_narrow(store, data_type, [[0, 1]], False if data_type == "bool" else 0, attributes, stored="u2")
    assert get_nodata(store) == 1


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("value", [0, -9999])
def test_nodata_of_complex_numbers_is_kept(store, zarr_format, value):
    source = gdal.GetDriverByName("MEM").Create("", 2, 1, 1, gdal.GDT_CFloat32)
    source.GetRasterBand(1).SetNoDataValue(value)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={zarr_format}"])
    assert get_nodata(store) == value
    if zarr_format == "ZARR_V3":
        name = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()[-1]
        document = json.loads(read_document(f"{store}/{name}"))
        assert "_FillValue" not in document["attributes"]  # xarray cannot open such arrays
        assert document["attributes"]["missing_value"] == value


def make_sharded(store, data_type, fill):
    write_v3(store, np.zeros((4, 4), data_type), fill=fill)
    document = json.loads(read_document(store))
    little = [{"name": "bytes", "configuration": {"endian": "little"}}]
    configuration = {"chunk_shape": [2, 2], "codecs": little, "index_codecs": little}
    document["codecs"] = [{"name": "sharding_indexed", "configuration": configuration}]
    item = np.dtype(data_type).itemsize
    places = [n for i in range(3) for n in (i * 4 * item, 4 * item)]
    index = struct.pack("<8Q", *places, 2**64 - 1, 2**64 - 1)  # the last inner chunk is missing
    write_json(f"{store}/zarr.json", document)
    with open(f"{store}/c/0/0", "ab") as f:
        f.write(index)


def test_nodata_of_sharded_complex_numbers_is_kept(store):
    make_sharded(store, "c8", [0, 0])
    set_nodata(store, 5)
    assert get_nodata(store) == 5


def test_the_fill_value_of_shards_cannot_be_taken_from_the_nodata(store):
    make_sharded(store, "f4", 9)
    dataset = gdal.Open(store, gdal.GA_Update)
    with pytest.raises(RuntimeError, match="inner chunks are missing keeps its fill value: it stays the nodata value"):
        dataset.GetRasterBand(1).DeleteNoDataValue()
    dataset = None
    assert get_nodata(store) == 9


def test_floats_are_written_as_xarray_does(store):
    write_v3(store, np.zeros((1, 1), "f4"))
    set_nodata(store, 2.5)
    attribute = json.loads(read_document(store))["attributes"]["_FillValue"]
    assert struct.unpack("<d", base64.b64decode(attribute)) == (2.5,)
