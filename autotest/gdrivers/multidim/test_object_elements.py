# SPDX-License-Identifier: MIT
"""Arrays of Python objects: elements that are null, numbers, booleans, lists or objects, and not text."""

import json

import pytest
from c_api import read_strings
from osgeo import gdal
from stores import open_for_update, open_group, write_bytes, write_json, write_v2_group

VALUES = ["w", 1, None, 2.5, True, "t", {"a": [1, "é"]}]
SHOWN = ["w", "1", None, "2.5", "true", "t", '{"a":[1,"\\u00e9"]}']
# As numcodecs.MsgPack writes them, with bytes instead of the object.
MSGPACK = bytes.fromhex("99a17701c0cb4004000000000000c3a174c402ff00a27c4f9107")


def make(store, codec, chunk, fill=""):
    write_v2_group(store)
    meta = {"zarr_format": 2, "shape": [7], "chunks": [7], "dtype": "|O", "compressor": None, "order": "C"}
    write_json(f"{store}/a/.zarray", {**meta, "fill_value": fill, "filters": [{"id": codec}]})
    write_bytes(f"{store}/a/0", chunk)


def read_json(store):
    with open(f"{store}/a/0") as file:
        return json.load(file)


def write(store, texts, start):
    dataset, root = open_for_update(store)
    root.OpenMDArray("a").Write(texts, array_start_idx=[start], count=[len(texts)])


@pytest.mark.parametrize("fill", ["", None, 0])
def test_null_is_read_as_null(store, fill):
    make(store, "json2", json.dumps([*VALUES, "|O", [7]]).encode(), fill)
    assert open_group(store).OpenMDArray("a").Read() == SHOWN
    make(store, "msgpack2", MSGPACK, fill)
    ok, values = read_strings(open_group(store).OpenMDArray("a"), 7)
    assert ok and values == [b"w", b"1", None, b"2.5", b"true", b"t", b"\xff\x00".split(b"\0")[0]]


def test_other_elements_of_a_written_chunk_stay_what_they_are(store):
    make(store, "json2", json.dumps([*VALUES, "|O", [7]]).encode())
    write(store, ["new"], 0)
    assert read_json(store) == ["new", *VALUES[1:], "|O", [7]]
    write(store, ["5", "6"], 1)  # text that looks like a number is text
    assert read_json(store) == ["new", "5", "6", *VALUES[3:], "|O", [7]]
    assert open_group(store).OpenMDArray("a").Read() == ["new", "5", "6", *SHOWN[3:]]


def test_other_elements_keep_their_messagepack(store):
    make(store, "msgpack2", MSGPACK)
    write(store, ["new"], 5)
    with open(f"{store}/a/0", "rb") as file:
        assert file.read() == MSGPACK[:15] + b"\xa3new" + MSGPACK[17:-1] + b"\xcf" + bytes(7) + b"\x07"


@pytest.mark.parametrize("codec", ["json2", "msgpack2"])
def test_a_null_that_is_copied_is_null(store, tmp_path, codec):
    nulls = {"json2": b'["a",null,null,null,null,null,null,"|O",[7]]'}
    make(store, codec, nulls.get(codec, bytes.fromhex("99a161c0c0c0c0c0c0a27c4f9107")))
    copy = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(copy, store, format="Zarr", creationOptions=['ARRAY:CODECS=[{"id": "%s"}]' % codec])
    assert open_group(copy).OpenMDArray("a").Read() == ["a"] + [None] * 6


@pytest.mark.parametrize("fill", [None, 0, ""])
def test_another_nodata_value_fills_missing_chunks_with_the_old_one(store, fill):
    write_v2_group(store)
    meta = {"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "|O", "compressor": None, "order": "C"}
    write_json(f"{store}/a/.zarray", {**meta, "fill_value": fill, "filters": [{"id": "json2"}]})
    write_bytes(f"{store}/a/0", json.dumps(["p", "q", "|O", [2]]).encode())
    dataset, root = open_for_update(store)
    root.OpenMDArray("a").SetNoDataValueString("x")
    del dataset, root
    with open(f"{store}/a/1") as file:
        assert json.load(file) == [fill, fill, "|O", [2]]
