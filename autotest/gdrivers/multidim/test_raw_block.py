# SPDX-License-Identifier: MIT
"""GetRawBlockInfo tells where the stored bytes of a block are, and how they are coded."""

import base64
import gzip
import json
import os
import zlib

import numpy as np
import pytest
from osgeo import gdal

from stores import open_array, write_sharded, write_v2, write_v3

pytestmark = pytest.mark.skipif(not hasattr(gdal.MDArray, "GetRawBlockInfo"), reason="needs GDAL 3.12 or later")

DATA = np.arange(6 * 8, dtype="<i2").reshape(6, 8)


def raw_bytes(info):
    with open(info.GetFilename(), "rb") as file:
        file.seek(info.GetOffset())
        return file.read(info.GetSize())


def coding(info):
    return dict(item.split("=", 1) for item in info.GetInfo())


def test_a_chunk_of_v2_has_a_place(tmp_path):
    store = str(tmp_path / "a.zarr")
    write_v2(store, DATA, chunks=(4, 8), compressor={"id": "zlib", "level": 1})
    info = open_array(store).GetRawBlockInfo([1, 0])
    assert info.GetFilename() == os.path.join(store, "1.0")
    assert (info.GetOffset(), info.GetSize()) == (0, os.path.getsize(os.path.join(store, "1.0")))
    assert np.frombuffer(zlib.decompress(raw_bytes(info)), "<i2").reshape(4, 8)[:2].tolist() == DATA[4:].tolist()
    assert coding(info)["ENDIANNESS"] == "LITTLE"
    assert json.loads(coding(info)["COMPRESSOR"]) == {"id": "zlib", "level": 1}
    assert info.GetInlineData() is None


def test_byte_order_and_axis_order_are_told(tmp_path):
    store = str(tmp_path / "a.zarr")
    write_v2(store, DATA.astype(">i2"), chunks=(6, 8), order="F")
    info = open_array(store).GetRawBlockInfo([0, 0])
    assert coding(info)["ENDIANNESS"] == "BIG"
    assert json.loads(coding(info)["TRANSPOSE_ORDER"]) == [1, 0]


def test_a_missing_chunk_has_no_place(tmp_path):
    store = str(tmp_path / "a.zarr")
    write_v2(store, DATA, chunks=(4, 8))
    os.remove(os.path.join(store, "1.0"))
    info = open_array(store).GetRawBlockInfo([1, 0])
    assert (info.GetFilename(), info.GetOffset(), info.GetSize()) == (None, 0, 0)


def test_an_inner_chunk_has_a_place_in_its_shard(tmp_path):
    path = str(tmp_path / "a.zarr")
    write_sharded(path, DATA, (6, 8), (3, 4))
    info = open_array(path).GetRawBlockInfo([1, 1])
    assert info.GetFilename() == os.path.join(path, "c", "0", "0")
    block = np.frombuffer(gzip.decompress(raw_bytes(info)), "<i2").reshape(3, 4)
    assert block.tolist() == DATA[3:, 4:].tolist()
    assert coding(info)["CHUNK_TYPE"] == "INNER"
    assert [codec["name"] for codec in json.loads(coding(info)["CODECS"])] == ["bytes", "gzip"]


def test_blocks_of_a_rectilinear_grid_have_places(tmp_path):
    path = str(tmp_path / "a.zarr")
    write_v3(path, DATA, edges=[[1, 5], [8]])
    info = open_array(path).GetRawBlockInfo([1, 0])
    assert np.frombuffer(raw_bytes(info), "<i2").tolist() == DATA[1:].ravel().tolist()


def test_a_block_beyond_the_grid_is_an_error(tmp_path):
    write_v3(str(tmp_path / "a.zarr"), DATA, chunks=(4, 8))
    array = open_array(str(tmp_path / "a.zarr"))
    for index in ([2, 0], [0, 1], [1 << 40, 0]):
        with pytest.raises(RuntimeError, match=r"expected a block of a grid of \[2,1\], got block \["):
            array.GetRawBlockInfo(index)


def test_pending_data_are_written_first(tmp_path):
    store = str(tmp_path / "a.zarr")
    write_v2(store, DATA, chunks=(4, 8))
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    group = dataset.GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    array.Write(np.full((1, 1), 99, "<i2"), array_start_idx=[0, 0], count=[1, 1])
    assert np.frombuffer(raw_bytes(array.GetRawBlockInfo([0, 0])), "<i2")[0] == 99


def test_references_give_the_place_of_a_block(tmp_path):
    blob = tmp_path / "blob"
    blob.write_bytes(b"head" + DATA[:4].tobytes())
    metadata = {"zarr_format": 2, "shape": [6, 8], "chunks": [4, 8], "dtype": "<i2", "compressor": None, "filters": None}
    metadata |= {"order": "C", "fill_value": 0}
    inline = base64.b64encode(DATA[4:].tobytes() + bytes(32)).decode()
    references = {
        ".zgroup": json.dumps({"zarr_format": 2}),
        "a/.zarray": json.dumps(metadata),
        "a/0.0": [str(blob), 4, 64],
        "a/1.0": "base64:" + inline,
    }
    path = tmp_path / "refs.json"
    path.write_text(json.dumps({"version": 1, "refs": references}))
    for options in [], ["CACHE_TILE_PRESENCE=YES"]:
        array = open_array(str(path), "a", *options)
        info = array.GetRawBlockInfo([0, 0])
        assert (info.GetFilename(), info.GetOffset(), info.GetSize()) == (str(blob), 4, 64)
        info = array.GetRawBlockInfo([1, 0])
        assert (info.GetFilename(), info.GetSize()) == (None, 64)
        assert bytes(info.GetInlineData()) == DATA[4:].tobytes() + bytes(32)
