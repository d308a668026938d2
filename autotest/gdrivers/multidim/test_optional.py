# SPDX-License-Identifier: MIT
"""Arrays of the data type `optional`, whose elements may be missing. Their chunks are written by the specification."""

import gzip
import struct

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array, write_bytes, write_json

VLEN = {"name": "vlen-utf8"}
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}


def pack(mask, elements):
    """The chunk that has the bytes `elements` where `mask` is true."""
    packed = np.packbits(np.array(mask, bool).ravel(), bitorder="little").tobytes()
    return struct.pack("<QQ", len(packed), len(elements)) + packed + elements


def make_codec(data_codecs, mask_codecs=None):
    return {
        "name": "optional",
        "configuration": {"mask_codecs": mask_codecs or [{"name": "packbits"}], "data_codecs": data_codecs},
    }


def write_optional(path, data_type, shape, chunks, fill, codecs, **members):
    """`chunks` has the bytes of chunks, which are halves along the first axis, by their index."""
    data_type = {"name": data_type, "configuration": {}} if isinstance(data_type, str) else data_type
    edges = [shape[0] // 2] + shape[1:]
    meta = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": {"name": "optional", "configuration": data_type},
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": edges}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": fill,
        "codecs": codecs,
        "attributes": {},
        **members,
    }
    write_json(f"{path}/zarr.json", meta)
    for index, chunk in chunks.items():
        write_bytes(f"{path}/c/{index}" + "/0" * (len(shape) - 1), chunk)


MASK = [[1, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    "data_type, dtype, missing",
    [
        ("uint8", "u1", 255),
        ("int8", "i1", -128),
        ("int16", "i2", -32768),
        ("uint32", "u4", 4294967295),
        ("int64", "i8", -(2**63)),
        ("uint64", "u8", 2**64 - 1),
        ("float32", "f4", np.nan),
        ("float64", "f8", np.nan),
        ("bool", "u1", 255),
    ],
)
def test_missing_elements_are_nodata(store, data_type, dtype, missing):
    there = np.array([1, 0, 1, 1], dtype)
    write_optional(store, data_type, [4, 3], {0: pack(MASK, there.tobytes())}, None, [make_codec([BYTES])])
    expected = np.array([[1, missing, 0], [missing, 1, 1], [missing] * 3, [missing] * 3], dtype)
    array = open_array(store)
    with collect_errors() as errors:
        assert np.array_equal(array.ReadAsArray(), expected, equal_nan=dtype[0] == "f")
    assert errors == []
    assert np.array_equal(np.array([array.GetNoDataValue()], dtype), np.array([missing], dtype), dtype[0] == "f")
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert np.array_equal(band.ReadAsArray(), expected, equal_nan=dtype[0] == "f")
    assert band.GetMaskBand().ReadAsArray()[:2].astype(bool).tolist() == np.array(MASK, bool).tolist()


def test_the_fill_value_may_be_an_element(store):
    chunk = pack(MASK, np.array([1, 2, 3, 4], "<i4").tobytes())
    write_optional(store, "int32", [4, 3], {0: chunk}, [-7], [make_codec([BYTES])])
    array = open_array(store)
    assert array.ReadAsArray()[2:].tolist() == [[-7] * 3] * 2
    assert array.GetNoDataValueAsInt64() == -(2**31)


def test_other_nodata_values_do_not_count(store):
    chunk = pack(MASK, bytes([1, 2, 3, 4]))
    attributes = {"_FillValue": 3, "missing_value": 4}
    write_optional(store, "uint8", [4, 3], {0: chunk}, [0], [make_codec([BYTES])], attributes=attributes)
    assert open_array(store).GetNoDataValue() == 255


def test_codecs_around_and_within(store):
    transpose = {"name": "transpose", "configuration": {"order": [1, 0]}}
    values = np.array([10, 20, 30, 40], "<i2")
    chunk = pack(np.array(MASK).T, values.tobytes())
    write_optional(store, "int16", [4, 3], {0: chunk}, None, [transpose, make_codec([BYTES])])
    assert open_array(store).ReadAsArray()[:2].tolist() == [[10, -32768, 30], [-32768, 20, 40]]
    chunk = pack(MASK, gzip.compress(values.tobytes()))
    codec = make_codec([BYTES, {"name": "gzip", "configuration": {"level": 1}}])
    write_optional(f"{store}/b", "int16", [4, 3], {1: chunk}, [5], [codec])
    assert open_array(f"{store}/b").ReadAsArray().tolist() == [[5] * 3, [5] * 3, [10, -32768, 20], [-32768, 30, 40]]


def encode_strings(*texts):
    parts = [struct.pack("<I", len(t.encode())) + t.encode() for t in texts]
    return struct.pack("<I", len(texts)) + b"".join(parts)


@pytest.mark.parametrize("fill, expected", [(None, [None, None, None]), (["x"], ["x", "x", "x"])])
def test_missing_strings_are_null(store, fill, expected):
    chunk = pack([1, 0, 1], encode_strings("a", ""))
    write_optional(store, "string", [6], {0: chunk}, fill, [make_codec([VLEN])])
    assert open_array(store).Read() == ["a", None, ""] + expected


def test_optionals_in_optionals(store):
    inner = pack([0, 1], b"\x05")
    data_type = {"name": "optional", "configuration": {"name": "uint8"}}
    codec = make_codec([make_codec([BYTES])])
    write_optional(store, data_type, [8], {0: pack([0, 1, 0, 1], inner)}, [None], [codec])
    assert open_array(store).ReadAsArray().tolist() == [255, 255, 255, 5, 255, 255, 255, 255]


@pytest.mark.parametrize("fill", [0, "NaN", [], [1, 2], [None], [[1]]])
def test_wrong_fill_values(store, fill):
    write_optional(store, "uint8", [4, 3], {}, fill, [make_codec([BYTES])])
    with pytest.raises(RuntimeError, match="fill_value"):
        gdal.OpenEx(store, gdal.OF_RASTER)


def test_damaged_chunks(store):
    write_optional(store, "uint8", [4, 3], {0: pack(MASK, b"\1\2\3")}, None, [make_codec([BYTES])])
    with pytest.raises(RuntimeError, match="optional: elements: .*expected 4 bytes"):
        open_array(store).ReadAsArray()
    write_bytes(f"{store}/c/0/0", b"short")
    with pytest.raises(RuntimeError, match="optional: mask: expected at least 16 bytes, got 5"):
        open_array(store).ReadAsArray()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_they_are_for_reading_only(store):
    chunk = pack(MASK, bytes([1, 2, 3, 4]))
    write_optional(store, "uint8", [4, 3], {0: chunk}, None, [make_codec([BYTES])])
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray(dataset.GetRootGroup().GetMDArrayNames()[0])
    with pytest.raises(RuntimeError, match="the data type \"optional\" says which elements are missing"):
        array.SetNoDataValueDouble(3)
    with pytest.raises(RuntimeError, match="for reading only"):
        array.Write(np.ones((4, 3), "u1"))
    assert open_array(store).ReadAsArray()[0].tolist() == [1, 255, 2]


def test_attributes_can_be_changed(store):
    write_optional(store, "uint8", [4, 3], {}, None, [make_codec([BYTES])])
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadataItem("a", "b")
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetMetadataItem("a") == "b"
    assert dataset.GetRasterBand(1).GetNoDataValue() == 255
