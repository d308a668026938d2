# SPDX-License-Identifier: MIT
"""Each creation option works under its name, and a value that is not allowed gives one clear error."""

import json
import os
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from osgeo import gdal

from errors import collect_errors

ANY_FORMAT = [
    "COMPRESS=NONE",
    "COMPRESS=lzma",
    "FILTER=DELTA",
    "FILTER=DELTA DELTA_DTYPE=<i2",
    "BLOCKSIZE=1,16,16",
    "CHUNK_MEMORY_LAYOUT=F",
    "STRING_FORMAT=STRING",
    "STRING_FORMAT=ASCII",
    "STRING_FORMAT=UNICODE",
    "DIM_SEPARATOR=/",
    "DIM_SEPARATOR=.",
    "COMPRESS=BLOSC BLOSC_CNAME=blosclz",
    "COMPRESS=BLOSC BLOSC_CNAME=lz4hc",
    "COMPRESS=BLOSC BLOSC_CNAME=snappy",
    "COMPRESS=BLOSC BLOSC_CNAME=zlib BLOSC_CLEVEL=1",
    "BLOSC_SHUFFLE=BIT BLOSC_BLOCKSIZE=4096 BLOSC_NUM_THREADS=ALL_CPUS",
    "COMPRESS=ZLIB ZLIB_LEVEL=1",
    "COMPRESS=GZIP GZIP_LEVEL=9",
    "COMPRESS=BZ2 BZ2_LEVEL=1",
    "COMPRESS=LZMA LZMA_PRESET=1 LZMA_DELTA=2",
    "COMPRESS=ZSTD ZSTD_LEVEL=22 ZSTD_CHECKSUM=YES",
    "COMPRESS=ZSTD ZSTD_LEVEL=0",
    "COMPRESS=LZ4 LZ4_ACCELERATION=10",
    "PREDICTOR=1",
    "GEOREFERENCING_CONVENTION=GDAL",
    "GEOREFERENCING_CONVENTION=SPATIAL_PROJ",
    "GEOREFERENCING_CONVENTION=CF,GDAL",
    "CREATE_CONSOLIDATED_METADATA=NO",
    "CREATE_ZMETADATA=NO",
    "ARRAY_NAME=other",
    "SINGLE_ARRAY=YES",
    "INTERLEAVE=BAND",
    "INTERLEAVE=PIXEL",
    "APPEND_SUBDATASET=NO",
    "CONVERT_TO_KERCHUNK_PARQUET_REFERENCE=NO",
    "SYNC=YES",
    "STORE_EMPTY_CHUNKS=YES",
]
V3_ONLY = [
    "BLOCKSIZE=1,32,32 SHARD_CHUNK_SHAPE=1,16,16",
    "BLOCKSIZE=1,16,16 SHARD_SHAPE=1,32,32",
    "CHUNK_EDGES=Y:20,30",
]
# Wrong options, and the messages about them.
WRONG = {
    "COMPRESS=FOO": "COMPRESS.*FOO",
    "BLOCKSIZE=a": "BLOCKSIZE.*positive integers, got a",
    "BLOCKSIZE=0,1,1": "BLOCKSIZE",
    "BLOCKSIZE=1,2,3,4": "BLOCKSIZE.*3 dimensions",
    "BLOSC_CLEVEL=77": "BLOSC_CLEVEL.*0 to 9, got 77",
    "ZSTD_LEVEL=23": "ZSTD_LEVEL",
    "DIM_SEPARATOR=x": "DIM_SEPARATOR",
    "FORMAT=ZARR_V9": "FORMAT.*ZARR_V9",
    "PREDICTOR=5": "PREDICTOR",
    "PREDICTOR=3": "PREDICTOR.*int16",
    "CHUNK_EDGES=Q:1": "CHUNK_EDGES.*dimension, got Q",
    "CHUNK_EDGES=X:1,2": "CHUNK_EDGES.*at least 70",
    "CHUNK_EDGES=X:[[1]]": "CHUNK_EDGES",
    "CHUNK_EDGES=X:70 FORMAT=ZARR_V2": "CHUNK_EDGES.*ZARR_V3",
    "SHARD_SHAPE=1,32,32 BLOCKSIZE=1,10,16": "SHARD_SHAPE.*1,10,16",
    "SHARD_CHUNK_SHAPE=1,10,16 BLOCKSIZE=1,32,32": "1,10,16",
    "SHARD_CHUNK_SHAPE=1,16,16": "BLOCKSIZE",
    "SHARD_CHUNK_SHAPE=1,16,16 SHARD_SHAPE=1,32,32 BLOCKSIZE=1,16,16": "SHARD_SHAPE.*SHARD_CHUNK_SHAPE",
    "SHARD_SHAPE=1,32,32 BLOCKSIZE=1,16,16 FORMAT=ZARR_V2": "SHARD_SHAPE.*ZARR_V3",
    "GEOREFERENCING_CONVENTION=FOO": "GEOREFERENCING_CONVENTION.*FOO",
    "CODECS=[": "CODECS",
    'CODECS=[{"id":"foo"}]': "foo",
    "ARRAY_NAME=../x": "../x",
    "ARRAY_NAME=.zgroup": ".zgroup",
    "CONVERT_TO_KERCHUNK_PARQUET_REFERENCE=YES": "not supported",
    "SINGLE_ARRAY=maybe": "SINGLE_ARRAY.*YES or NO",
    "SINGLE_ARRAY=NO FORMAT=ZARR_V1": "SINGLE_ARRAY",
    "COMPRESS=ZSTD FORMAT=ZARR_V1": "zstd",
    "COMPRESS=NONE CODECS=[]": "COMPRESS.*CODECS",
    "CHUNK_MEMORY_LAYOUT=F CODECS=[]": "CHUNK_MEMORY_LAYOUT.*CODECS",
}


def create(store, options, gdal_type=gdal.GDT_Int16):
    # If an option is given twice, GDAL takes the first value.
    return gdal.GetDriverByName("Zarr").Create(store, 70, 50, 3, gdal_type, options=options)


@pytest.mark.parametrize(
    "zarr_format, text",
    [(f, t) for f in ("ZARR_V2", "ZARR_V3") for t in ANY_FORMAT] + [("ZARR_V3", t) for t in V3_ONLY],
)
def test_options_work(store, zarr_format, text):
    values = (np.arange(3 * 50 * 70) % 1000).astype(np.int16).reshape(3, 50, 70)
    with collect_errors() as errors:
        dataset = create(store, [f"FORMAT={zarr_format}", *text.split(" ")])
        dataset.WriteRaster(0, 0, 70, 50, values.tobytes())
        dataset = None
        assert np.array_equal(gdal.Open(store).ReadAsArray(), values)
    assert errors == []


@pytest.mark.parametrize("text, message", WRONG.items())
def test_a_wrong_value_is_one_error(store, text, message):
    options = text.split(" ")
    if "FORMAT=" not in text:
        options.append("FORMAT=ZARR_V3")
    with pytest.raises(RuntimeError, match=message):
        create(store, options)
    gdal.DontUseExceptions()
    try:
        with collect_errors() as errors:
            create(store, options)
    finally:
        gdal.UseExceptions()
    assert len([text for level, text in errors if level == gdal.CE_Failure]) == 1
    assert not os.path.exists(store)


def test_a_tolerance_has_a_decimal_point(store):
    with pytest.raises(RuntimeError, match="ZFP_TOLERANCE.*got 1,5"):
        create(store, ["COMPRESS=ZFP", "ZFP_TOLERANCE=1,5"], gdal.GDT_Float32)


FAILING = ["BLOCKSIZE=9", "BLOCKSIZE=9,9,9,9", "ARRAY_NAME=a/b", "ARRAY_NAME=..", "ARRAY_NAME=.zgroup", "COMPRESS=ZFP"]
FAILING += ["PREDICTOR=3", 'CODECS=[{"id":"foo"}]', "GEOREFERENCING_CONVENTION=FOO", "SINGLE_ARRAY=NO BLOCKSIZE=9"]


@pytest.mark.parametrize("text", FAILING)
@pytest.mark.parametrize("name", ["test.zarr", "test.zarr.zip", "/vsimem/failing/test.zarr"])
def test_a_failed_creation_leaves_nothing_behind(tmp_path, name, text):
    path = name if name.startswith("/vsimem/") else str(tmp_path / name)
    with pytest.raises(RuntimeError):
        create(path, text.split(" "))
    assert os.listdir(tmp_path) == [] and not gdal.ReadDirRecursive("/vsimem/failing")
    create(path, [])
    assert gdal.Open(path).RasterCount == 3
    if name.startswith("/vsimem/"):
        gdal.GetDriverByName("Zarr").Delete(path)
        gdal.Rmdir("/vsimem/failing")


@pytest.mark.parametrize("text", FAILING)
def test_an_array_that_cannot_be_added_leaves_the_others(store, text):
    create(store, ["ARRAY_NAME=first"])
    before = sorted(os.listdir(store))
    options = text.split(" ") if "ARRAY_NAME" in text else [*text.split(" "), "ARRAY_NAME=second"]
    with pytest.raises(RuntimeError):
        create(store, ["APPEND_SUBDATASET=YES", *options])
    assert sorted(os.listdir(store)) == before
    create(store, ["APPEND_SUBDATASET=YES", "ARRAY_NAME=third_band2"])
    with pytest.raises(RuntimeError, match="third_band2.*already"):
        create(store, ["APPEND_SUBDATASET=YES", "ARRAY_NAME=third", "SINGLE_ARRAY=NO"])
    assert sorted(os.listdir(store)) == sorted([*before, "third_band2"])


def test_an_array_has_a_limit_of_bands(store):
    with pytest.raises(RuntimeError, match="at most 65536.*got 70000"):
        gdal.GetDriverByName("Zarr").Create(store, 2, 2, 70000)
    assert not os.path.exists(store)


def test_no_shuffle_of_text(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store)
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension("n", "", "", 2)
    with pytest.raises(RuntimeError, match="FILTER: expected a filter for type that is not numeric, got SHUFFLE"):
        root.CreateMDArray("text", [dimension], gdal.ExtendedDataType.CreateString(), ["FILTER=SHUFFLE"])


@pytest.mark.parametrize("text", ["PREDICTOR=2", "FILTER=DELTA"])
def test_differences_of_floats_would_lose_bits(store, text):
    with pytest.raises(RuntimeError, match="float32"):
        create(store, [text], gdal.GDT_Float32)


def declared(item):
    root = ET.fromstring(gdal.GetDriverByName("Zarr").GetMetadataItem(item))
    return {option.get("name") for option in root} | {option.get("alias") for option in root} - {None}


def test_all_options_are_declared():
    names = {item.split("=")[0] for text in ANY_FORMAT + V3_ONLY for item in text.split(" ")}
    assert names | {"FORMAT", "CHUNK_EDGES", "CODECS"} <= declared("DMD_CREATIONOPTIONLIST")
    of_arrays = declared("DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST")
    assert {"COMPRESS", "BLOCKSIZE", "SHARD_SHAPE", "CHUNK_EDGES", "STRING_FORMAT"} <= of_arrays
    assert {"FORMAT", "CREATE_CONSOLIDATED_METADATA"} <= declared("DMD_MULTIDIM_DATASET_CREATIONOPTIONLIST")


# --- effects --------------------------------------------------------------------------------------------------------


def document_of(store, options, name="test"):
    create(store, options)
    v3 = "FORMAT=ZARR_V3" in options
    with open(os.path.join(store, name, "zarr.json" if v3 else ".zarray")) as f:
        return json.load(f)


def sharding_of(document):
    return document["codecs"][0]["configuration"]["chunk_shape"]


def test_blocksize_is_the_chunk_the_shard_or_the_inner_chunk(store):
    v3 = "FORMAT=ZARR_V3"
    assert document_of(store + "0", ["BLOCKSIZE=1,20,30"])["chunks"] == [1, 20, 30]
    assert document_of(store + "1", ["BLOCKSIZE=20,30"])["chunks"] == [1, 20, 30]
    shard = document_of(store + "2", [v3, "BLOCKSIZE=1,32,64", "SHARD_CHUNK_SHAPE=1,16,32"])
    assert shard["chunk_grid"]["configuration"]["chunk_shape"] == [1, 32, 64]
    assert sharding_of(shard) == [1, 16, 32]
    shard = document_of(store + "3", [v3, "BLOCKSIZE=1,16,32", "SHARD_SHAPE=1,32,64"])
    assert shard["chunk_grid"]["configuration"]["chunk_shape"] == [1, 32, 64]
    assert sharding_of(shard) == [1, 16, 32]


def test_two_lengths_are_for_rows_and_columns_wherever_the_bands_are(store):
    v3 = ["FORMAT=ZARR_V3", "INTERLEAVE=PIXEL"]
    assert document_of(store + "0", ["INTERLEAVE=PIXEL", "BLOCKSIZE=20,30"])["chunks"] == [20, 30, 3]
    shard = document_of(store + "1", [*v3, "BLOCKSIZE=32,64", "SHARD_CHUNK_SHAPE=16,32"])
    assert shard["chunk_grid"]["configuration"]["chunk_shape"] == [32, 64, 3]
    assert sharding_of(shard) == [16, 32, 3]
    shard = document_of(store + "2", [*v3, "BLOCKSIZE=16,32", "SHARD_SHAPE=32,64"])
    assert shard["chunk_grid"]["configuration"]["chunk_shape"] == [32, 64, 3]
    assert sharding_of(shard) == [16, 32, 3]


def test_default_codecs_suit_the_format(store):
    """Bits are shuffled. In v2, where all readers have that filter, integers are saved as differences."""
    document = document_of(store, [])
    assert document["compressor"] == {"id": "blosc", "cname": "zstd", "clevel": 5, "shuffle": 2, "blocksize": 0}
    assert [f["id"] for f in document["filters"]] == ["delta"]
    codecs = document_of(store + "3", ["FORMAT=ZARR_V3"])["codecs"]
    assert [c["name"] for c in codecs] == ["bytes", "blosc"]
    assert codecs[1]["configuration"]["shuffle"] == "bitshuffle"


def test_codecs_that_are_asked_for_have_their_own_defaults(store):
    document = document_of(store, ["COMPRESS=BLOSC"])
    assert document["compressor"] == {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}
    assert document["filters"] is None


def test_interleave_is_the_order_of_dimensions(store):
    assert document_of(store, ["INTERLEAVE=PIXEL"])["shape"] == [50, 70, 3]
    assert gdal.Open(store).GetMetadataItem("INTERLEAVE", "IMAGE_STRUCTURE") == "PIXEL"


def test_default_format_is_a_configuration_option(store):
    gdal.SetConfigOption("ZARR_DEFAULT_FORMAT", "ZARR_V3")
    try:
        create(store, [])
    finally:
        gdal.SetConfigOption("ZARR_DEFAULT_FORMAT", None)
    assert os.path.exists(os.path.join(store, "zarr.json"))


def test_empty_chunks_are_written_on_request(store):
    for options, count in (([], 0), (["STORE_EMPTY_CHUNKS=YES"], 3)):
        path = f"{store}{count}"
        dataset = create(path, ["FORMAT=ZARR_V3", "ARRAY_NAME=a", "DIM_SEPARATOR=.", *options])
        dataset.WriteRaster(0, 0, 70, 50, bytes(3 * 50 * 70 * 2))
        dataset = None
        assert len([n for n in os.listdir(f"{path}/a") if n != "zarr.json"]) == count


@pytest.mark.parametrize("option", ["CREATE_CONSOLIDATED_METADATA=NO", "CREATE_ZMETADATA=NO"])
def test_consolidated_metadata_can_be_left_out(store, option):
    create(store, [option])
    assert not os.path.exists(os.path.join(store, ".zmetadata"))
