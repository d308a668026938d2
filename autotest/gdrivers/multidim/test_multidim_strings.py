# SPDX-License-Identifier: MIT
"""Strings, bytes and structs through GDAL's multidimensional API."""

import json
import os

import numpy as np
import pytest
from c_api import read_strings
from errors import collect_errors
from osgeo import gdal
from stores import open_array, open_group, write_bytes, write_json, write_v2, write_v2_group


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
def test_strings_are_read(store, data, expected):
    write_v2(store, data, (2,))
    array = open_array(store)
    assert array.GetDataType().GetClass() == gdal.GEDTC_STRING
    assert array.Read() == expected


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_a_copy_of_text_is_text(store, tmp_path, form):
    write_v2(store, np.array(["a\u00f1b", "", "xyz"], "<U4"), (2,))
    assert open_array(store).GetDataType().GetMaxStringLength() == 0
    copy = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(copy, store, format="Zarr", creationOptions=[f"FORMAT={form}"])
    root = open_group(copy)
    (name,) = root.GetMDArrayNames()
    assert root.OpenMDArray(name).Read() == ["a\u00f1b", "", "xyz"]
    if form == "ZARR_V2":
        meta = json.load(open(f"{copy}/{name}/.zarray"))
        assert (meta["dtype"], meta["filters"]) == ("|O", [{"id": "vlen-utf8"}])


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


def test_structs_are_read(store):
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


def test_a_member_of_a_struct_is_an_array(store):
    write_v2(store, struct_values(), (2,), dtype=STRUCT_JSON)
    assert open_array(store).GetView("['b']").ReadAsArray().tolist() == [0, 0.25, 0.5]


def test_struct_of_too_many_elements_is_handed_out_as_bytes(store):
    write_v2(store, np.zeros((1, 20001), "u1"), (1, 20001))
    meta = json.load(open(f"{store}/.zarray"))
    write_json(f"{store}/.zarray", {**meta, "shape": [1], "chunks": [1], "dtype": [["a", "|u1", [20001]]]})
    os.rename(f"{store}/0.0", f"{store}/0")
    assert open_array(store).Read() == ["00" * 20001]


def test_string_that_is_too_long_is_one_error(store):
    """Nothing of that call is written. Other data and the consolidated metadata are saved."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store)
    root = dataset.GetRootGroup()
    x = root.CreateDimension("x", None, None, 2)
    good = root.CreateMDArray("good", [x], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    good.Write(np.array([1, 2], np.uint8))
    texts = root.CreateMDArray("texts", [x], gdal.ExtendedDataType.CreateString(3))
    texts.Write(["abc", "de"])
    with collect_errors() as errors:
        with pytest.raises(RuntimeError, match='texts: expected a string of at most 3 .*, got "toolong"'):
            texts.Write(["xyz", "toolong"])
        del dataset, root, x, good, texts
    assert len(errors) <= 1  # the error that was raised
    assert os.path.exists(f"{store}/.zmetadata")
    root = open_group(store)
    assert root.GetStructuralInfo()["CONSOLIDATED"] == "YES"
    assert root.OpenMDArray("good").ReadAsArray().tolist() == [1, 2]
    assert root.OpenMDArray("texts").Read() == ["abc", "de"]


@pytest.mark.parametrize("fill, missing", [(None, None), ("", ""), ("eHl6", "xyz")])
@pytest.mark.parametrize("dtype", ["S3", "<U3", ">U3"])
def test_a_string_that_is_not_stored_is_null_without_a_fill_value(store, dtype, fill, missing):
    if dtype != "S3" and fill:
        fill = "xyz"
    write_v2(store, np.array(["abc", "", "d", ""], dtype), (2,), fill=fill, skip=[(1,)])
    assert open_array(store).Read() == ["abc", "", missing, missing]


@pytest.mark.parametrize("fill, missing", [(None, None), ("", ""), ("xyz", "xyz")])
def test_a_string_of_any_length_that_is_not_stored_is_null_without_a_fill_value(store, fill, missing):
    meta = {"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "|O", "compressor": None, "order": "C"}
    write_json(f"{store}/.zarray", {**meta, "fill_value": fill, "filters": [{"id": "vlen-utf8"}]})
    write_bytes(f"{store}/0", b"\x02\0\0\0" + b"\0\0\0\0" * 2)
    assert open_array(store).Read() == ["", "", missing, missing]


@pytest.mark.parametrize("dtype", ["<U4", ">U4"])
def test_strings_of_a_fixed_length_are_written(store, dtype):
    texts = ["a\U0001f30d\u20acb", "", "abcd", "\u00f1"]
    write_v2(store, np.array(["x", "", "", ""], dtype), (2,))
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    group = dataset.GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    array.Write(texts)
    with pytest.raises(RuntimeError, match='expected a string of at most 4 characters, got "abcde"'):
        array.Write(["abcde", "", "", ""])
    del array, group, dataset
    stored = b"".join(open(f"{store}/{i}", "rb").read() for i in range(2))
    assert np.frombuffer(stored, dtype).tolist() == texts


def shards_of(length, codecs):
    index = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
    configuration = {"chunk_shape": [length], "codecs": codecs, "index_codecs": index}
    return [{"name": "sharding_indexed", "configuration": configuration}]


def test_strings_in_nested_shards_are_written(store):
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [11],
        "data_type": "string",
        "fill_value": "-",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": shards_of(4, shards_of(2, [{"name": "vlen-utf8"}, {"name": "crc32c"}])),
    }
    write_json(f"{store}/zarr.json", document)
    texts = ["-", "-", "é", "b", "c", "-", "", "d", "e", "f", "g"]  # the first inner chunk is not stored

    def write(start, part):
        dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        group = dataset.GetRootGroup()
        array = group.OpenMDArray(group.GetMDArrayNames()[0])
        text = gdal.ExtendedDataType.CreateString()
        assert array.WriteStringArray([start], [len(part)], [1], text, part) == gdal.CE_None

    write(0, texts)
    assert open_array(store).Read() == texts
    texts[3:5] = ["changed", "too"]
    write(3, texts[3:5])
    assert open_array(store).Read() == texts


def test_a_copy_as_utf32_has_the_length_of_the_source(store, tmp_path):
    texts = np.array(["ab", "ü", "日本語x"], "<U5")
    write_v2(f"{store}/a", texts, fill="")
    write_v2_group(store)
    copy = str(tmp_path / "copy.zarr")
    options = ["FORMAT=ZARR_V2", "ARRAY:STRING_FORMAT=UNICODE", "ARRAY:COMPRESS=NONE"]
    gdal.MultiDimTranslate(copy, store, format="Zarr", creationOptions=options)
    assert json.loads((tmp_path / "copy.zarr/a/.zarray").read_text())["dtype"] == "<U5"
    assert open_group(copy).OpenMDArray("a").Read() == texts.tolist()
    assert (tmp_path / "copy.zarr/a/0").read_bytes() == texts.tobytes()
