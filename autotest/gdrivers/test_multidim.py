"""Arrays, groups, dimensions and attributes through GDAL's multidimensional API."""

import base64
import ctypes
import json
import math
import os

import numpy as np
import pytest
from osgeo import gdal

from stores import (
    open_array,
    open_group,
    write_bytes,
    write_json,
    write_v1,
    write_v2,
    write_v2_group,
    write_v3,
    write_v3_group,
)

VERSION = int(gdal.VersionInfo("VERSION_NUM"))
HAS_INT8 = VERSION >= 3070000
HAS_FLOAT16 = VERSION >= 3110000

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


def read_strings(array, count):
    """(success, what is in the buffer): GDALMDArrayRead into char*, which Python cannot do for numbers."""
    with open("/proc/self/maps") as maps:
        library = ctypes.CDLL(next(line.split()[-1] for line in maps if "/libgdal.so" in line))
    library.GDALExtendedDataTypeCreateString.restype = ctypes.c_void_p
    library.GDALExtendedDataTypeCreateString.argtypes = [ctypes.c_size_t]
    library.GDALMDArrayRead.argtypes = [ctypes.c_void_p] * 8 + [ctypes.c_size_t]
    library.VSIFree.argtypes = [ctypes.c_void_p]
    buffer = (ctypes.c_void_p * count)(*[1] * count)  # what is there before counts for nothing
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


# --- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("write", [write_v2, write_v3], ids=["v2", "v3"])
def test_numbers(store, write, dtype, order):
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


def test_order_f(store):
    write_v2(store, DATA, (2, 3), order="F")
    assert open_array(store).ReadAsArray().tolist() == DATA.tolist()


def test_array_without_dimensions(store):
    write_v3(store, np.array(42.5))
    array = open_array(store)
    assert array.GetDimensionCount() == 0
    assert array.ReadAsArray().item() == 42.5


def test_v1(store):
    write_v1(store, DATA, (2, 3), {"units": "m"})
    array = open_array(store)
    assert array.ReadAsArray().tolist() == DATA.tolist()
    assert array.GetUnit() == "m"


@pytest.mark.parametrize("option, order", [("AS_WRITTEN", "C"), ("AS_DECLARED", "F")])
def test_v1_that_declares_order_f(store, option, order):
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
def test_windows(store, start, count, step, expected, compress):
    write_v3(store, DATA, (2, 3), compress=compress)
    array = open_array(store)
    got = array.ReadAsArray(array_start_idx=start, count=count, array_step=step)
    assert got.tolist() == expected.tolist()


def test_window_with_step_0_repeats_an_element(store):
    write_v3(store, DATA, (2, 3))
    got = open_array(store).ReadAsArray(array_start_idx=[1, 2], count=[3, 2], array_step=[0, 1])
    assert got.tolist() == [DATA[1, 2:4].tolist()] * 3


def test_strides_of_the_buffer(store):
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


def test_numbers_as_text(store):
    write_v3(store, np.array([1, -7, 300], "<i4"), (2,))
    assert read_strings(open_array(store), 3) == (True, [b"1", b"-7", b"300"])


# --- strings, bytes, structs ----------------------------------------------------------------------------------------


def test_opaque_bytes_are_compounds_of_bytes(store):
    data = np.frombuffer(b"\x00\x01\xfe\xab\xcd\xef", "V3")
    write_v2(store, data, (2,))
    array = open_array(store)
    assert [c.GetName() for c in array.GetDataType().GetComponents()] == ["0", "1", "2"]
    assert bytes(array.Read()) == data.tobytes()


@pytest.mark.parametrize(
    "data, expected",
    [
        (np.array([b"abc", b"", b"de\xc3\xa9"], "S5"), ["abc", "", "deé"]),
        (np.array(["añb", "", "\U0001f30d", "\u20acuro"], "<U4"), ["añb", "", "\U0001f30d", "\u20acuro"]),
        (np.array(["añb", "z"], ">U4"), ["añb", "z"]),
    ],
    ids=["S", "U", "U big"],
)
def test_strings(store, data, expected):
    write_v2(store, data, (2,))
    array = open_array(store)
    assert array.GetDataType().GetClass() == gdal.GEDTC_STRING
    assert array.Read() == expected


def test_code_points_that_are_no_characters_are_replaced(store):
    write_v2(store, np.array([0xD800, 0x110000, 0x41], "<u4"), dtype="<U1")
    assert open_array(store).Read() == ["\ufffd", "\ufffd", "A"]


def test_string_read_that_fails_halfway_leaves_no_strings(store):
    data = np.array([b"text number %d" % i for i in range(40)], "S16")
    write_v2(store, data, (10,), compressor={"id": "zlib", "level": 1})
    write_bytes(f"{store}/3", b"no zlib stream")
    array = open_array(store)
    assert read_strings(array, 40) == (False, [None] * 40)
    assert read_strings(array, 30) == (True, data[:30].tolist())


STRUCT = np.dtype(
    [("a", "<i2"), ("b", ">f8"), ("c", "S5"), ("d", "?"), ("in", [("x", "<f4"), ("u", "<U2")]), ("v", "<i4", (2,))]
)
STRUCT_JSON = [
    ["a", "<i2"],
    ["b", ">f8"],
    ["c", "|S5"],
    ["", "|V3"],
    ["d", "|b1"],
    ["in", [["x", "<f4"], ["u", "<U2"]]],
    ["v", "<i4", [2]],
]


def struct_values():
    padded = np.dtype([("a", "<i2"), ("b", ">f8"), ("c", "S5"), ("pad", "V3"), *[(n, STRUCT[n]) for n in ("d", "in", "v")]])
    data = np.zeros(3, padded)
    for i in range(3):
        data[i] = (i - 1, i / 4, b"n%d" % i, b"pad", i % 2, (i * 1.5, "é%d" % i), (i, -i))
    return data


def test_structs(store):
    write_v2(store, struct_values(), (2,), dtype=STRUCT_JSON)
    array = open_array(store)
    names = [c.GetName() for c in array.GetDataType().GetComponents()]
    assert names == ["a", "b", "c", "d", "in", "v"]
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER, allowed_drivers=["Zarr"])
    values = gdal.MultiDimInfo(dataset, detailed=True)["arrays"]["test"]["values"]
    assert values == [
        {"a": i - 1, "b": i / 4, "c": f"n{i}", "d": i % 2, "in": {"x": i * 1.5, "u": f"é{i}"}, "v": {"0": i, "1": -i}}
        for i in range(3)
    ]


def test_member_of_a_struct_as_an_array(store):
    write_v2(store, struct_values(), (2,), dtype=STRUCT_JSON)
    assert open_array(store).GetView("['b']").ReadAsArray().tolist() == [0, 0.25, 0.5]


def test_struct_of_too_many_elements_is_handed_out_as_bytes(store):
    write_v2(store, np.zeros((1, 20001), "u1"), (1, 20001))
    meta = json.load(open(f"{store}/.zarray"))
    write_json(f"{store}/.zarray", {**meta, "shape": [1], "chunks": [1], "dtype": [["a", "|u1", [20001]]]})
    os.rename(f"{store}/0.0", f"{store}/0")
    assert open_array(store).Read() == ["00" * 20001]


# --- what an array tells of itself ----------------------------------------------------------------------------------


def nodata(array):
    return array.GetNoDataValue()


@pytest.mark.parametrize(
    "fill, expected", [(None, None), (0, 0), (-9, -9), (32767, 32767)], ids=["null", "zero", "negative", "large"]
)
def test_nodata_of_v2_is_the_fill_value(store, fill, expected):
    write_v2(store, DATA, fill=fill)
    assert nodata(open_array(store)) == expected


@pytest.mark.parametrize("fill, expected", [(0, None), (-9, -9)])
def test_nodata_of_v3_is_a_fill_value_that_is_not_zero(store, fill, expected):
    write_v3(store, DATA, fill=fill)
    assert nodata(open_array(store)) == expected


@pytest.mark.parametrize("write", [write_v2, write_v3], ids=["v2", "v3"])
def test_nodata_may_be_nan(store, write):
    write(store, np.zeros(3), fill="NaN")
    assert math.isnan(nodata(open_array(store)))


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"_FillValue": -9}, -9),
        ({"_FillValue": [-9]}, -9),
        ({"_FillValue": -9.0}, -9),
        ({"missing_value": -8}, -8),
        ({"_FillValue": -9, "missing_value": -8}, -9),
        ({"_FillValue": 40000, "missing_value": -8}, -8),
        ({"_FillValue": 0.5}, 7),
        ({"_FillValue": "none"}, 7),
        ({"_FillValue": None}, 7),
        ({"_FillValue": "NaN"}, 7),
    ],
)
def test_nodata_of_attributes_goes_first_if_the_type_can_hold_it(store, attributes, expected):
    write_v3(store, DATA, fill=7, attributes=attributes)
    assert nodata(open_array(store)) == expected


@pytest.mark.parametrize("value", [-9999.0, math.nan, 1e20])
def test_nodata_of_floats_as_xarray_writes_it(store, value):
    text = base64.standard_b64encode(np.float64(value).tobytes()).decode()
    write_v3(store, np.zeros(3, "<f4"), attributes={"_FillValue": text})
    got = nodata(open_array(store))
    assert got == np.float32(value) or (math.isnan(got) and math.isnan(value))


def test_nodata_of_64_bits_is_exact(store):
    write_v3(store, np.zeros(3, "<i8"), attributes={"_FillValue": -(2**63) + 1})
    assert open_array(store).GetNoDataValueAsInt64() == -(2**63) + 1
    write_v3(store, np.zeros(3, "<u8"), fill=2**64 - 1)
    assert open_array(store).GetNoDataValueAsUInt64() == 2**64 - 1


def test_scale_offset_and_unit(store):
    write_v3(store, DATA, attributes={"scale_factor": 0.25, "add_offset": [-3], "units": "K", "long_name": "t"})
    array = open_array(store)
    assert (array.GetScale(), array.GetOffset(), array.GetUnit()) == (0.25, -3.0, "K")
    assert [a.GetName() for a in array.GetAttributes()] == ["long_name"]
    assert array.GetUnscaled().ReadAsArray()[0, 4] == 4 * 0.25 - 3


def test_no_scale_offset_or_unit(store):
    write_v3(store, DATA, attributes={"scale_factor": "two", "units": 1})
    array = open_array(store)
    assert (array.GetScale(), array.GetOffset(), array.GetUnit()) == (None, None, "")
    assert [a.GetName() for a in array.GetAttributes()] == ["scale_factor", "units"]


def test_block_size_is_the_chunk(store):
    write_v3(store, DATA, (2, 3))
    assert open_array(store).GetBlockSize() == [2, 3]


def test_block_size_of_a_rectilinear_grid_is_0_where_edges_differ(store):
    write_v3(store, DATA, edges=[[3, 3], [4, 1, 2]])
    array = open_array(store)
    assert array.GetBlockSize() == [3, 0]
    assert json.loads(array.GetStructuralInfo()["CHUNK_EDGES"]) == [[[3, 2]], [4, 1, 2]]
    assert array.ReadAsArray().tolist() == DATA.tolist()


def test_structural_info_of_v2(store):
    write_v2(store, DATA, compressor={"id": "zlib", "level": 3})
    info = open_array(store).GetStructuralInfo()
    assert json.loads(info["COMPRESSOR"]) == {"id": "zlib", "level": 3}
    assert "FILTERS" not in info


def test_structural_info_of_v1(store):
    write_v1(store, DATA, (2, 3))
    assert json.loads(open_array(store).GetStructuralInfo()["COMPRESSOR"]) == {"id": "zlib", "level": 1}


def test_structural_info_of_v3(store):
    write_v3(store, DATA, compress=True)
    info = open_array(store).GetStructuralInfo()
    assert [c["name"] for c in json.loads(info["CODECS"])] == ["bytes", "gzip"]
    assert json.loads(info["COMPRESSOR"]) == {"name": "gzip", "configuration": {"level": 1}}


# --- attributes -----------------------------------------------------------------------------------------------------

JSON_TYPE = "JSON"
ATTRIBUTES = {
    "text": ("añb", "String", "añb"),
    "empty": ("", "String", ""),
    "int": (-5, "Int32", -5),
    "long": (2**40, "Int64", 2**40),
    "odd long": (2**53 + 1, "Int64", 2**53 + 1),
    "unsigned": (2**64 - 1, "UInt64", 2**64 - 1),
    "float": (1.5, "Float64", 1.5),
    "whole float": (2.0, "Float64", 2.0),
    "infinity": (math.inf, "Float64", math.inf),
    "texts": (["a", "", "c"], "String", ["a", "", "c"]),
    "ints": ([1, 2], "Int32", [1, 2]),
    "longs": ([1, 2**40], "Int64", [1, 2**40]),
    "numbers": ([1, 2.5], "Float64", [1.0, 2.5]),
    "one": ([7], "Int32", [7]),
    "true": (True, JSON_TYPE, True),
    "null": (None, JSON_TYPE, None),
    "object": ({"b": [1, {"c": 2}]}, JSON_TYPE, {"b": [1, {"c": 2}]}),
    "empty list": ([], JSON_TYPE, []),
    "mixed": ([1, "a"], JSON_TYPE, [1, "a"]),
    "nested": ([[1, 2], [3, 4]], JSON_TYPE, [[1, 2], [3, 4]]),
    "inexact": ([2**53 + 1, 0.5], JSON_TYPE, [2**53 + 1, 0.5]),
    "beyond 64 bits together": ([-1, 2**64 - 1], JSON_TYPE, [-1, 2**64 - 1]),
}


def attribute_type(attribute):
    data_type = attribute.GetDataType()
    if data_type.GetClass() == gdal.GEDTC_STRING:
        return JSON_TYPE if data_type.GetSubType() == gdal.GEDTST_JSON else "String"
    return gdal.GetDataTypeName(data_type.GetNumericDataType())


def attribute_value(attribute):
    """Exact: GDAL 3.6's Read goes through double."""
    kind = attribute_type(attribute)
    if kind == JSON_TYPE:
        return json.loads(attribute.ReadAsString())
    if kind == "String":
        return attribute.ReadAsStringArray() if attribute.GetDimensionCount() else attribute.ReadAsString()
    values = np.frombuffer(attribute.ReadAsRaw(), kind.lower()).tolist()
    return values if attribute.GetDimensionCount() else values[0]


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attribute(store, name):
    value, kind, expected = ATTRIBUTES[name]
    write_v3(store, DATA, attributes={name: value})
    attribute = open_array(store).GetAttribute(name)
    assert attribute_type(attribute) == kind
    assert attribute_value(attribute) == expected


def test_attribute_may_be_nan(store):
    write_v2(store, DATA, attributes={"a": math.nan, "b": [1, math.nan]})
    array = open_array(store)
    assert math.isnan(array.GetAttribute("a").ReadAsDouble())
    assert math.isnan(array.GetAttribute("b").ReadAsDoubleArray()[1])


def test_attribute_is_converted(store):
    write_v3(store, DATA, attributes={"a": 2**40, "b": [1, 2]})
    array = open_array(store)
    assert array.GetAttribute("a").ReadAsString() == str(2**40)
    assert list(array.GetAttribute("b").ReadAsDoubleArray()) == [1.0, 2.0]


def test_attributes_keep_their_order_and_those_of_the_driver_are_hidden(store):
    attributes = {
        "z": 1,
        "_ARRAY_DIMENSIONS": ["y", "x"],
        "_CRS": {"wkt": "LOCAL_CS[]"},
        "_nczarr_array": {"dimension_references": ["/y", "/x"]},
        "_FillValue": 3,
        "a": 2,
    }
    write_v2(store, DATA, attributes=attributes)
    array = open_array(store)
    assert [a.GetName() for a in array.GetAttributes()] == ["z", "_FillValue", "a"]
    for name in ("_ARRAY_DIMENSIONS", "nothing"):
        with pytest.raises(RuntimeError, match="does not exist"):  # what GDAL's bindings make of a null
            array.GetAttribute(name)


def test_attributes_of_groups(store):
    write_v3_group(store, {"title": "t"})
    write_v3_group(f"{store}/g", {"level": 2})
    root = open_group(store)
    assert root.GetAttribute("title").ReadAsString() == "t"
    assert root.OpenGroup("g").GetAttributes()[0].ReadAsInt() == 2


# --- groups ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group, write", [(write_v2_group, write_v2), (write_v3_group, write_v3)], ids=["v2", "v3"])
def test_tree(store, group, write):
    group(store)
    group(f"{store}/g")
    group(f"{store}/g/h")
    write(f"{store}/a", DATA)
    write(f"{store}/g/h/b", DATA)
    root = open_group(store)
    assert (root.GetName(), root.GetFullName()) == ("/", "/")
    assert (root.GetMDArrayNames(), root.GetGroupNames()) == (["a"], ["g"])
    inner = root.OpenGroup("g").OpenGroup("h")
    assert (inner.GetName(), inner.GetFullName()) == ("h", "/g/h")
    array = root.OpenMDArrayFromFullname("/g/h/b")
    assert (array.GetName(), array.GetFullName()) == ("b", "/g/h/b")
    assert array.ReadAsArray().tolist() == DATA.tolist()
    assert root.GetStructuralInfo()["ZARR_FORMAT"] == ("2" if write is write_v2 else "3")


@pytest.mark.parametrize("name", ["nothing", "", ".", "..", "a/b", "../test.zarr"])
def test_names_that_are_not_there(store, name):
    write_v3_group(store)
    root = open_group(store)
    gdal.ErrorReset()
    for open_it in (root.OpenMDArray, root.OpenGroup):
        try:
            assert open_it(name) is None
        except RuntimeError as error:  # GDAL's bindings make one of a null
            assert str(error) in ("unknown error occurred", f"Array {name} does not exist", f"Group {name} does not exist")


def test_array_at_the_root_is_called_as_the_store(tmp_path):
    path = str(tmp_path / "sea.temperature.zarr")
    write_v3(path, DATA)
    root = open_group(path)
    assert (root.GetMDArrayNames(), root.GetGroupNames()) == (["sea.temperature"], None) or root.GetGroupNames() == []
    assert root.OpenMDArrayFromFullname("/sea.temperature").GetFullName() == "/sea.temperature"
    assert [d.GetFullName() for d in open_array(path).GetDimensions()] == [
        "/sea.temperature/dim0",
        "/sea.temperature/dim1",
    ]


def test_arrays_and_groups_outlive_their_dataset(store):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    root = dataset.GetRootGroup()
    del dataset
    array = root.OpenMDArray("v")
    del root
    dimension = array.GetDimensions()[1]
    assert array.ReadAsArray().tolist() == DATA.tolist()
    del array
    assert dimension.GetIndexingVariable().ReadAsArray().tolist() == list(range(7))


def test_broken_array_is_listed_and_told_of(store):
    write_v3_group(store)
    write_v3(f"{store}/good", DATA)
    write_bytes(f"{store}/bad/zarr.json", b'{"zarr_format": 3, "node_type": "array"}')
    root = open_group(store)
    assert root.GetMDArrayNames() == ["bad", "good"]
    with pytest.raises(RuntimeError, match="bad/zarr.json: "):
        root.OpenMDArray("bad")
    assert root.OpenMDArray("good").ReadAsArray().tolist() == DATA.tolist()


def test_array_of_an_unknown_codec_is_described_and_not_read(store):
    write_v2(store, DATA, compressor={"id": "zlib", "level": 1}, attributes={"units": "m"})
    meta = json.load(open(f"{store}/.zarray"))
    write_json(f"{store}/.zarray", {**meta, "compressor": {"id": "no_such_codec"}})
    array = open_array(store)
    assert [d.GetSize() for d in array.GetDimensions()] == [5, 7]
    assert array.GetUnit() == "m"
    with pytest.raises(RuntimeError, match="no_such_codec"):
        array.ReadAsArray()


def test_chunk_of_more_than_2_gib_is_only_read_when_that_is_allowed(store):
    size = 2**31 + 1
    write_v2(store, np.zeros(1, "u1"), compressor={"id": "zlib", "level": 1})
    meta = json.load(open(f"{store}/.zarray"))
    write_json(f"{store}/.zarray", {**meta, "shape": [size], "chunks": [size]})
    array = open_array(store)
    with pytest.raises(RuntimeError, match=f"{size}"):
        array.ReadAsArray(array_start_idx=[0], count=[1])
    gdal.SetConfigOption("ZARR_ALLOW_BIG_TILE_SIZE", "YES")
    try:
        with pytest.raises(RuntimeError, match="zlib"):  # now the chunk is looked at: it is too short
            array.ReadAsArray(array_start_idx=[0], count=[1])
    finally:
        gdal.SetConfigOption("ZARR_ALLOW_BIG_TILE_SIZE", None)


def test_damaged_chunk_is_named(store):
    write_v3(store, DATA, (2, 3), compress=True)
    write_bytes(f"{store}/c/1/2", b"no gzip stream")
    array = open_array(store)
    with pytest.raises(RuntimeError, match=r"test.zarr/c/1/2: .*gzip.*chunk \[1,2\]"):
        array.ReadAsArray()
    assert array.ReadAsArray(array_start_idx=[0, 0], count=[2, 7]).tolist() == DATA[:2].tolist()


# --- consolidated metadata ------------------------------------------------------------------------------------------


def write_consolidated_v2(store):
    """The consolidated copy of an attribute differs, so that it shows which one was read."""
    write_v2_group(store)
    write_v2(f"{store}/a", DATA, attributes={"source": "own"})
    metadata = {".zgroup": {"zarr_format": 2}, "a/.zattrs": {"source": "consolidated"}}
    metadata["a/.zarray"] = json.load(open(f"{store}/a/.zarray"))
    write_json(f"{store}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": metadata})


@pytest.mark.parametrize(
    "options, expected",
    [
        ([], "consolidated"),
        (["USE_CONSOLIDATED_METADATA=YES"], "consolidated"),
        (["USE_CONSOLIDATED_METADATA=NO"], "own"),
        (["USE_ZMETADATA=NO"], "own"),
    ],
)
def test_consolidated_metadata(store, options, expected):
    write_consolidated_v2(store)
    root = open_group(store, *options)
    assert root.OpenMDArray("a").GetAttribute("source").ReadAsString() == expected
    assert root.GetStructuralInfo().get("CONSOLIDATED") == ("YES" if expected == "consolidated" else None)


# --- dimensions -----------------------------------------------------------------------------------------------------


def names(array):
    return [d.GetFullName() for d in array.GetDimensions()]


def indexing(array):
    variables = [d.GetIndexingVariable() for d in array.GetDimensions()]
    return [v.GetFullName() if v else None for v in variables]


def test_dimension_names_of_v3(store):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", None])
    assert names(open_array(store)) == ["/y", "/v/dim1"]


def test_dimension_names_of_xarray(store):
    write_v2_group(store)
    write_v2(f"{store}/v", DATA, attributes={"_ARRAY_DIMENSIONS": ["lat", "lon"]})
    assert names(open_array(store)) == ["/lat", "/lon"]


@pytest.mark.parametrize("wrong", [["y"], "y", [["y"], ["x"]], None])
def test_dimension_names_that_are_none(store, wrong):
    write_v2(store, DATA, attributes={"_ARRAY_DIMENSIONS": wrong})
    assert names(open_array(store)) == ["/test/dim0", "/test/dim1"]


@pytest.mark.parametrize("place", ["attribute of 4.9", "attribute of 4.8", "member of .zarray"])
def test_dimension_names_of_nczarr(store, place):
    write_v2_group(store)
    write_v2_group(f"{store}/g")
    write_v2(f"{store}/lon", np.arange(7.0))
    references = ["/g/lat", "/lon"]
    attributes = {
        "attribute of 4.9": {"_nczarr_array": {"dimension_references": references}},
        "attribute of 4.8": {"_NCZARR_ARRAY": {"dimrefs": references}},
    }.get(place)
    write_v2(f"{store}/g/v", DATA, attributes=attributes)
    if not attributes:
        meta = json.load(open(f"{store}/g/v/.zarray"))
        write_json(f"{store}/g/v/.zarray", {**meta, "_NCZARR_ARRAY": {"dimrefs": references}})
    array = open_group(store).OpenMDArrayFromFullname("/g/v")
    assert names(array) == ["/g/lat", "/lon"]
    assert indexing(array) == [None, "/lon"]


def test_indexing_variables_are_found_in_the_group_and_above(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3_group(f"{store}/g/h")
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    write_v3(f"{store}/g/y", np.arange(5.0), names=["y"])
    write_v3(f"{store}/g/h/v", DATA, names=["y", "x"])
    array = open_group(store).OpenMDArrayFromFullname("/g/h/v")
    assert indexing(array) == ["/g/y", "/x"]
    assert names(array) == ["/g/y", "/x"]


@pytest.mark.parametrize("data", [np.arange(6.0), np.zeros((7, 1))], ids=["size", "rank"])
def test_array_that_does_not_fit_is_no_indexing_variable(store, data):
    write_v3_group(store)
    write_v3(f"{store}/x", data)
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    assert indexing(open_array(store, "v")) == [None, None]


def test_broken_array_is_no_indexing_variable(store):
    write_v3_group(store)
    write_bytes(f"{store}/x/zarr.json", b"{")
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    assert indexing(open_array(store, "v")) == [None, None]


def test_nothing_above_the_store_is_an_indexing_variable(tmp_path):
    write_v3(str(tmp_path / "x"), np.arange(7.0), names=["x"])
    write_v3_group(str(tmp_path / "s.zarr"))
    write_v3(str(tmp_path / "s.zarr" / "v"), DATA, names=["y", "x"])
    assert indexing(open_array(str(tmp_path / "s.zarr"))) == [None, None]


@pytest.mark.parametrize("name", ["../x", "..", ".", "a/b", "/x", "x" * 300])
def test_dimension_names_that_are_no_paths(tmp_path, name):
    write_v3(str(tmp_path / "x"), np.arange(7.0))
    write_v3_group(str(tmp_path / "s.zarr"))
    write_v3(str(tmp_path / "s.zarr" / "v"), DATA, names=["y", name])
    assert indexing(open_array(str(tmp_path / "s.zarr"))) == [None, None]


def test_array_may_index_itself(store):
    write_v3_group(store)
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    array = open_array(store)
    for _ in range(50):
        array = array.GetDimensions()[0].GetIndexingVariable()
    assert array.ReadAsArray().tolist() == list(range(7))


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"standard_name": "longitude"}, ("HORIZONTAL_X", "EAST")),
        ({"standard_name": "projection_x_coordinate"}, ("HORIZONTAL_X", "EAST")),
        ({"axis": "X"}, ("HORIZONTAL_X", "EAST")),
        ({"units": "degrees_east"}, ("HORIZONTAL_X", "EAST")),
        ({"standard_name": "latitude"}, ("HORIZONTAL_Y", "NORTH")),
        ({"axis": "Y"}, ("HORIZONTAL_Y", "NORTH")),
        ({"standard_name": "time"}, ("TEMPORAL", "FUTURE")),
        ({"axis": "Z"}, ("VERTICAL", "")),
        ({"axis": "Z", "positive": "down"}, ("VERTICAL", "DOWN")),
        ({"positive": "up"}, ("VERTICAL", "UP")),
        ({"axis": 1, "standard_name": ["time"]}, ("", "")),
        ({}, ("", "")),
    ],
)
def test_type_of_a_dimension(store, attributes, expected):
    write_v3_group(store)
    write_v3(f"{store}/x", np.arange(7.0), names=["x"], attributes=attributes)
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    dimension = open_array(store, "v").GetDimensions()[1]
    assert (dimension.GetType(), dimension.GetDirection()) == expected


def test_dimension_of_dates_is_temporal(store):
    write_v2_group(store)
    write_v2(f"{store}/t", np.arange(5), dtype="<M8[s]", attributes={"_ARRAY_DIMENSIONS": ["t"]})
    write_v2(f"{store}/v", DATA, attributes={"_ARRAY_DIMENSIONS": ["t", "x"]})
    assert open_array(store, "v").GetDimensions()[0].GetType() == "TEMPORAL"


def test_dimensions_of_a_group(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    write_v3(f"{store}/a", DATA, names=["y", "x"])
    write_v3(f"{store}/b", DATA, names=["y", None])
    write_v3(f"{store}/g/c", DATA, names=["z", "x"])
    root = open_group(store)
    assert [d.GetFullName() for d in root.GetDimensions()] == ["/y", "/x"]
    assert [d.GetFullName() for d in root.OpenGroup("g").GetDimensions()] == ["/g/z"]


def test_coordinate_variables(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/lat", DATA)
    write_v3(f"{store}/g/lon", DATA)
    write_v3(f"{store}/g/v", DATA, attributes={"coordinates": "lon lat ../up nothing"})
    array = open_group(store).OpenMDArrayFromFullname("/g/v")
    assert [c.GetFullName() for c in array.GetCoordinateVariables()] == ["/g/lon", "/lat"]


@pytest.mark.skipif(VERSION < 3080000, reason="arrays tell their root group since GDAL 3.8")
def test_root_group_of_an_array(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/v", DATA)
    array = open_group(store).OpenMDArrayFromFullname("/g/v")
    root = getattr(array, "GetRootGroup", None)
    assert root is None or root().GetGroupNames() == ["g"]
