# SPDX-License-Identifier: MIT
"""Numbers of arrays, and windows of them, through GDAL's multidimensional API."""

import json
import math

import numpy as np
import pytest
from c_api import read_strings
from osgeo import gdal
from stores import open_array, write_json, write_v1, write_v2, write_v3
from versions import GDAL_VERSION

HAS_INT8 = GDAL_VERSION >= 307
HAS_FLOAT16 = GDAL_VERSION >= 311
TYPES = {
    "u1": "Byte",
    "i1": "Int8" if HAS_INT8 else "Int16",
    "u2": "UInt16",
    "i2": "Int16",
    "u4": "UInt32",
    "i4": "Int32",
    "u8": "UInt64",
    "i8": "Int64",
    "f2": "Float16" if HAS_FLOAT16 else "Float32",
    "f4": "Float32",
    "f8": "Float64",
    "c8": "CFloat32",
    "c16": "CFloat64",
    "b1": "Byte",
}
DATA = np.arange(35, dtype="<i2").reshape(5, 7)


def sample(dtype):
    dtype = np.dtype(dtype)
    values = np.arange(35)
    if dtype.kind == "c":
        return (values + 2j * values - 9).astype(dtype).reshape(5, 7)
    if dtype.kind in "if":
        values = values - 17
    return (values % 2 if dtype.kind == "b" else values).astype(dtype).reshape(5, 7)


def type_name(array):
    name = gdal.GetDataTypeName(array.GetDataType().GetNumericDataType())
    return "Byte" if name == "UInt8" else name


# --- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("write", [write_v2, write_v3], ids=["v2", "v3"])
def test_numbers_are_read(store, write, dtype, order):
    data = sample(order + dtype)
    write(store, data, (2, 3))
    array = open_array(store)
    assert type_name(array) == TYPES[dtype]
    if dtype == "f2" and HAS_FLOAT16:
        got = np.frombuffer(array.Read(buffer_datatype=gdal.ExtendedDataType.Create(gdal.GDT_Float32)), "f4")
        assert got.tolist() == data.ravel().tolist()
    else:
        assert array.ReadAsArray().tolist() == data.astype("u1" if dtype == "b1" else dtype).tolist()


def test_integers_of_64_bits_are_exact(store):
    data = np.array([-(2**63), 2**63 - 1, 2**53 + 1], "<i8")
    write_v3(store, data, fill=2**53 + 1)
    assert open_array(store).ReadAsArray().tolist() == data.tolist()
    data = np.array([0, 2**64 - 1, 2**53 + 1], "<u8")
    write_v3(store, data)
    assert open_array(store).ReadAsArray().tolist() == data.tolist()


def test_booleans_are_0_or_1_whatever_is_stored(store):
    write_v2(store, np.array([0, 1, 2, 255], "u1"), dtype="|b1")
    assert open_array(store).ReadAsArray().tolist() == [0, 1, 1, 1]


def test_bfloat16_is_read_as_float32(store):
    write_v3(store, np.array([0x3F80, 0xC040, 0x7F80], "<u2"))
    meta = json.load(open(f"{store}/zarr.json"))
    write_json(f"{store}/zarr.json", {**meta, "data_type": "bfloat16"})
    assert open_array(store).ReadAsArray().tolist() == [1.0, -3.0, math.inf]


@pytest.mark.parametrize(
    "name, stored, expected",
    [
        ("complex_bfloat16", np.array([0x3F80, 0xC040, 0x0000, 0x4000], "<u2"), [1 - 3j, 2j]),
        ("complex_float8_e4m3", np.array([0x38, 0xC0, 0x77, 0x00], "u1"), [1 - 2j, 240]),
        ("complex_float4_e2m1fn", np.array([0x01, 0x0F, 0x02, 0x00], "u1"), [0.5 - 6j, 1]),
    ],
)
def test_narrow_complex_numbers_are_read_as_cfloat32(store, name, stored, expected):
    write_v3(store, stored)
    meta = json.load(open(f"{store}/zarr.json"))
    grid = {"name": "regular", "configuration": {"chunk_shape": [2]}}
    more = {"data_type": name, "shape": [2], "chunk_grid": grid, "fill_value": [0, 0]}
    write_json(f"{store}/zarr.json", {**meta, **more})
    array = open_array(store)
    assert type_name(array) == "CFloat32"
    assert array.ReadAsArray().tolist() == expected


@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_times_are_their_integers_and_tell_their_unit(store, kind):
    data = np.array([0, -5, 2**40], "<i8")
    write_v2(store, data, dtype=f"<{kind}[25s]")
    array = open_array(store)
    assert type_name(array) == "Int64"
    assert array.ReadAsArray().tolist() == data.tolist()
    assert array.GetUnit() == "25s"
    info = array.GetStructuralInfo()
    assert info["data_type.name"] == ("numpy.datetime64" if kind == "M8" else "numpy.timedelta64")
    assert (info["data_type.unit"], info["data_type.scale_factor"]) == ("s", "25")


def test_order_f_is_read(store):
    write_v2(store, DATA, (2, 3), order="F")
    assert open_array(store).ReadAsArray().tolist() == DATA.tolist()


def test_an_array_may_have_no_dimensions(store):
    write_v3(store, np.array(42.5))
    array = open_array(store)
    assert array.GetDimensionCount() == 0
    assert array.ReadAsArray().item() == 42.5


def test_v1_is_read(store):
    write_v1(store, DATA, (2, 3), {"units": "m"})
    array = open_array(store)
    assert array.ReadAsArray().tolist() == DATA.tolist()
    assert array.GetUnit() == "m"


@pytest.mark.parametrize("option, order", [("AS_WRITTEN", "C"), ("AS_DECLARED", "F")])
def test_v1_may_declare_order_f(store, option, order):
    data = np.arange(6, dtype="<i2").reshape(2, 3)
    write_v1(store, data, (2, 3))
    meta = json.load(open(f"{store}/meta"))
    write_json(f"{store}/meta", {**meta, "order": "F"})
    expected = data.ravel().reshape(2, 3, order=order)
    assert open_array(store, None, f"V1_ORDER={option}").ReadAsArray().tolist() == expected.tolist()


# --- windows --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "start, count, step, expected",
    [
        ([1, 2], [3, 4], [1, 1], DATA[1:4, 2:6]),
        ([0, 1], [3, 3], [2, 2], DATA[0:5:2, 1:6:2]),
        ([4, 6], [5, 7], [-1, -1], DATA[::-1, ::-1]),
        ([4, 1], [2, 3], [-3, 2], DATA[4:0:-3, 1:6:2]),
        ([2, 3], [1, 1], [1, -1], DATA[2:3, 3:4]),
    ],
    ids=["window", "step", "backwards", "mixed", "element"],
)
@pytest.mark.parametrize("compress", [False, True], ids=["raw", "gzip"])
def test_windows_are_read(store, start, count, step, expected, compress):
    write_v3(store, DATA, (2, 3), compress=compress)
    array = open_array(store)
    got = array.ReadAsArray(array_start_idx=start, count=count, array_step=step)
    assert got.tolist() == expected.tolist()


def test_window_with_step_0_repeats_an_element(store):
    write_v3(store, DATA, (2, 3))
    got = open_array(store).ReadAsArray(array_start_idx=[1, 2], count=[3, 2], array_step=[0, 1])
    assert got.tolist() == [DATA[1, 2:4].tolist()] * 3


def test_the_buffer_may_have_any_strides(store):
    write_v3(store, DATA, (2, 3))
    raw = open_array(store).Read(array_start_idx=[1, 2], count=[2, 3], buffer_stride=[1, 2])
    assert np.frombuffer(raw, "<i2").tolist() == DATA[1:3, 2:5].T.ravel().tolist()


@pytest.mark.parametrize("threads", ["1", "4", "ALL_CPUS"])
def test_number_of_threads_does_not_matter(store, threads):
    data = np.arange(200 * 300, dtype="<f8").reshape(200, 300)
    write_v3(store, data, (7, 11), compress=True)
    gdal.SetConfigOption("GDAL_NUM_THREADS", threads)
    try:
        assert (open_array(store).ReadAsArray() == data).all()
    finally:
        gdal.SetConfigOption("GDAL_NUM_THREADS", None)


def test_conversion_is_that_of_gdal(store):
    write_v3(store, np.array([-1.5, 0.4, 0.6, 254.6, 1e9]))
    raw = open_array(store).Read(buffer_datatype=gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    assert list(raw) == [0, 0, 1, 255, 255]


def test_widened_types_are_converted_further(store):
    write_v3(store, np.arange(5000, dtype="u1").astype("i1"))
    raw = open_array(store).Read(buffer_datatype=gdal.ExtendedDataType.Create(gdal.GDT_Float64))
    assert np.frombuffer(raw, "<f8").tolist() == np.arange(5000, dtype="u1").astype("i1").tolist()


def test_numbers_can_be_read_as_text(store):
    write_v3(store, np.array([1, -7, 300], "<i4"), (2,))
    assert read_strings(open_array(store), 3) == (True, [b"1", b"-7", b"300"])
