# SPDX-License-Identifier: MIT
"""Bytes of variable length that are not text: they are shown as 0x and hexadecimal digits, and written as bytes."""

import json
import os
import struct

import pytest
from osgeo import gdal
from stores import open_for_update, open_group, write_bytes, write_json, write_v2_group, write_v3_group

ELEMENTS = [b"abc", b"\xff\x00\x01", b"\x00", b"0xFF", b"0x41", b"0xff", b"0x30784646", "é".encode(), b"0x"]
SHOWN = ["abc", "0xFF0001", "0x00", "0x30784646", "0x41", "0xff", "0x30783330373834363436", "é", "0x"]
COUNT = len(ELEMENTS)


def encode(elements):
    return struct.pack("<I", len(elements)) + b"".join(struct.pack("<I", len(e)) + e for e in elements)


def make(store, elements=ELEMENTS, form="v2"):
    if form == "v2":
        write_v2_group(store)
        meta = {"zarr_format": 2, "shape": [COUNT], "chunks": [COUNT], "dtype": "|O", "compressor": None}
        meta |= {"order": "C", "fill_value": "", "filters": [{"id": "vlen-bytes"}]}
        write_json(f"{store}/a/.zarray", meta)
        return write_bytes(f"{store}/a/0", encode(elements))
    write_v3_group(store)
    meta = {"zarr_format": 3, "node_type": "array", "shape": [COUNT], "data_type": "variable_length_bytes"}
    meta["chunk_grid"] = {"name": "regular", "configuration": {"chunk_shape": [COUNT]}}
    meta |= {"chunk_key_encoding": {"name": "default"}, "fill_value": "", "codecs": [{"name": "vlen-bytes"}]}
    write_json(f"{store}/a/zarr.json", meta)
    write_bytes(f"{store}/a/c/0", encode(elements))


def read_stored(path, name="0"):
    with open(f"{path}/a/{name}", "rb") as file:
        return file.read()


def test_what_is_read_is_written_back_byte_for_byte(store):
    make(store)
    dataset, root = open_for_update(store)
    array = root.OpenMDArray("a")
    values = array.Read()
    assert values == SHOWN
    array.Write(["x"] * COUNT)
    array.Write(values)
    del array, root, dataset
    assert read_stored(store) == encode(ELEMENTS)


@pytest.mark.parametrize("form", ["v2", "v3"])
@pytest.mark.parametrize("options", [[], ["ARRAY:BLOCKSIZE=3", "ARRAY:SHARD_SHAPE=9"]], ids=["plain", "shards"])
@pytest.mark.parametrize("target", ["ZARR_V2", "ZARR_V3"])
def test_a_copy_has_bytes(store, tmp_path, form, options, target):
    if options and target == "ZARR_V2":
        pytest.skip("v2 has no shards")
    make(store, form=form)
    copy = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(
        copy, store, format="Zarr", creationOptions=[f"FORMAT={target}", "ARRAY:COMPRESS=NONE", *options]
    )
    assert open_group(copy).OpenMDArray("a").Read() == SHOWN
    text = open(f"{copy}/a/.zarray" if target == "ZARR_V2" else f"{copy}/a/zarr.json").read()
    assert "vlen-bytes" in text and "vlen-utf8" not in text
    if not options:
        assert read_stored(copy, "0" if target == "ZARR_V2" else "c/0") == encode(ELEMENTS)


def test_arrays_of_bytes_can_be_made(store):
    write_v2_group(store)
    dataset, root = open_for_update(store)
    dimension = root.CreateDimension("n", "", "", 2)
    text = gdal.ExtendedDataType.CreateString()
    array = root.CreateMDArray("a", [dimension], text, ["STRING_FORMAT=BYTES", "COMPRESS=NONE"])
    array.Write(["0xFF00", "é"])
    array.SetNoDataValueString("0xFE")
    del array, dimension, root, dataset
    assert read_stored(store) == encode([b"\xff\0", "é".encode()])
    meta = json.load(open(f"{store}/a/.zarray"))
    assert meta["filters"] == [{"id": "vlen-bytes"}] and meta["fill_value"] == "/g=="
    assert os.path.exists(f"{store}/a/0")
