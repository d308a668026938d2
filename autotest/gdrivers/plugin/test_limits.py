# SPDX-License-Identifier: MIT
"""Excessive demands for memory or time are refused, and the message tells their place."""

import gzip
import json
import os
import re
import subprocess
import zipfile
import zlib

import numpy as np
import pytest
from errors import collect_errors
from growth import measure_growth
from config_options import set_config_option
from osgeo import gdal
from plugin_in_use import python
from sanitizer import skip_with_sanitizer
from stores import open_array, write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group


def v3_document(store):
    with open(f"{store}/zarr.json") as f:
        return json.load(f)


@pytest.mark.parametrize("dtype", ["|S1073741823", "|V1073741823", "<U268435455", [["a", "|S9"], ["b", "|V1048570"]]])
def test_elements_of_v2_have_at_most_one_mib(store, dtype):
    write_v2(store, np.zeros(1, "u1"), dtype=dtype)
    pointer = "/dtype" if isinstance(dtype, str) else "/dtype/1"
    with pytest.raises(RuntimeError, match=rf"\.zarray: {pointer}: expected elements of at most 1048576 bytes \(ZARR_MAX_ELEMENT_SIZE\), got"):
        open_array(store)


@pytest.mark.parametrize(
    "data_type, pointer",
    [
        ("r8589934592", "/data_type"),
        ({"name": "null_terminated_bytes", "configuration": {"length_bytes": 1 << 29}}, "/data_type/configuration/length_bytes"),
    ],
)
def test_elements_of_v3_have_at_most_one_mib(store, data_type, pointer):
    write_v3(store, np.zeros((1, 1), "u1"))
    write_json(f"{store}/zarr.json", {**v3_document(store), "data_type": data_type})
    with pytest.raises(RuntimeError, match=rf"zarr\.json: {pointer}: expected elements of at most 1048576 bytes \(ZARR_MAX_ELEMENT_SIZE\), got"):
        gdal.Open(store)


def test_a_chunk_that_is_far_too_long_is_not_read(store):
    write_v3(store, np.zeros((10, 10), "<i4"))
    with open(f"{store}/c/0/0", "ab") as f:
        f.truncate(2000 << 20)
    message = rf"{store}/c/0/0: expected at most 400 bytes, got 2097152000 \(chunk \[0,0\]\)"
    with pytest.raises(RuntimeError, match=message):
        gdal.Open(store).ReadAsArray()


GZIP = {"name": "gzip", "configuration": {"level": 1}}


def gzip_of_zeros(mib, start=b""):
    """Compresses zeros without holding all of them in memory."""
    stream = zlib.compressobj(1, zlib.DEFLATED, 31)
    parts = [stream.compress(start)] + [stream.compress(bytes(1 << 20)) for _ in range(mib)]
    return b"".join(parts) + stream.flush()


@pytest.mark.parametrize("codec", ["vlen-utf8", "vlen-bytes"])
def test_elements_of_variable_length_do_not_take_all_memory(store, codec):
    write_v3(store, np.zeros(1, "u1"))
    data_type = "string" if codec == "vlen-utf8" else "bytes"
    fill = {"fill_value": ""}
    write_json(f"{store}/zarr.json", {**v3_document(store), "data_type": data_type, "codecs": [codec, GZIP], **fill})
    size = (300 << 20) - 8
    write_bytes(f"{store}/c/0", gzip_of_zeros(300, (1).to_bytes(4, "little") + size.to_bytes(4, "little")))
    message = rf"{store}/c/0: gzip: expected at most 268435456 bytes, got more \(chunk \[0\]\)"
    with pytest.raises(RuntimeError, match=message):
        open_array(store).Read()


def test_a_zfp_stream_is_no_longer_than_it_can_be(store):
    write_v3(store, np.zeros((8, 8), "<f4"))
    zfp = {"name": "zfp", "configuration": {"mode": "reversible"}}
    write_json(f"{store}/zarr.json", {**v3_document(store), "codecs": [zfp, GZIP]})
    write_bytes(f"{store}/c/0/0", gzip_of_zeros(4))
    with pytest.raises(RuntimeError, match=rf"{store}/c/0/0: gzip: expected at most \d{{5}} bytes, got more"):
        gdal.Open(store).ReadAsArray()


def test_the_value_of_a_shard_is_no_longer_than_it_can_be(store):
    write_v3(store, np.zeros((8, 8), "<f4"))
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}]
    sharding = {"chunk_shape": [4, 4], "codecs": codecs, "index_codecs": codecs}
    sharded = [{"name": "sharding_indexed", "configuration": sharding}, GZIP]
    write_json(f"{store}/zarr.json", {**v3_document(store), "codecs": sharded})
    write_bytes(f"{store}/c/0/0", gzip_of_zeros(4))
    with pytest.raises(RuntimeError, match=rf"{store}/c/0/0: gzip: expected at most \d{{5}} bytes, got more"):
        gdal.Open(store).ReadAsArray()


OUT_OF_MEMORY = """
import resource
import sys
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.Open(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    dataset.GetRasterBand(1).ReadRaster(0, 0, 1, 1)
except RuntimeError as error:
    print(error)
"""


def test_lack_of_memory_names_the_chunk(store):
    skip_with_sanitizer("it takes terabytes of addresses, so that they cannot be limited")
    write_v3(store, np.zeros((1, 1), "u1"))
    grid = {"name": "regular", "configuration": {"chunk_shape": [40000, 40000]}}
    document = {**v3_document(store), "shape": [40000, 40000], "chunk_grid": grid}
    document["codecs"].append(GZIP)
    write_json(f"{store}/zarr.json", document)
    write_bytes(f"{store}/c/0/0", gzip.compress(b"0"))
    result = subprocess.run(python(OUT_OF_MEMORY, store), capture_output=True, text=True, check=True)
    assert result.stdout.strip() == f"{store}/c/0/0: out of memory (chunk [0,0])"


def test_the_time_for_many_attributes_is_in_proportion(store):
    def prepare(count):
        attributes = {f"name {i:06}": i for i in range(count, 0, -1)}
        write_v3(f"{store}/{count}", np.zeros((1, 1), "u1"), attributes=attributes)
        return f"{store}/{count}", count

    def read(prepared):
        path, count = prepared
        metadata = gdal.Open(path).GetMetadata_List()
        assert (len(metadata), metadata[0]) == (count, f"name {count:06}={count}")

    assert measure_growth(12500, prepare, read) < 32


def test_documents_of_nodes_are_bounded(store):
    write_v2_group(store)
    write_v2(f"{store}/a", np.zeros((1, 1), "u1"))
    with open(f"{store}/a/.zattrs", "wb") as f:
        f.truncate((64 << 20) + 1)
    with pytest.raises(RuntimeError, match=rf"{store}/a/\.zattrs: expected (a value of )?at most 67108864 bytes, got"):
        open_array(store, "a")


def test_values_of_a_document_are_bounded(store):
    write_v3(store, np.zeros((1, 1), "u1"))
    with open(f"{store}/zarr.json", "w") as f:
        f.write('{"attributes": [' + "0," * (4 << 20) + "0]}")
    with pytest.raises(RuntimeError, match=r"zarr\.json: expected at most 4194304 values of JSON \(ZARR_MAX_JSON_VALUES\), got more"):
        gdal.Open(store)


def test_nul_bytes_are_tolerated_up_to_a_block(store):
    write_v3(store, np.ones((1, 1), "u1"))
    with open(f"{store}/zarr.json", "ab") as f:
        f.write(bytes(4096))
    assert gdal.Open(store).ReadAsArray()[0, 0] == 1
    with open(f"{store}/zarr.json", "ab") as f:
        f.truncate(1 << 20)
    with pytest.raises(RuntimeError, match=r"zarr\.json: invalid JSON: too many NUL bytes at the end"):
        gdal.Open(store)


@pytest.mark.parametrize(
    "options, name, shape",
    [
        (["BLOCKSIZE=40000,40000"], "BLOCKSIZE", "40000,40000"),
        (["BLOCKSIZE=80000,80000", "SHARD_CHUNK_SHAPE=40000,40000", "FORMAT=ZARR_V3"], "SHARD_CHUNK_SHAPE", "40000,40000"),
    ],
)
def test_chunks_that_could_not_be_read_are_not_made(store, options, name, shape):
    message = rf"creation option {name}: expected chunks of at most 2147483648 bytes, got \[{shape}\]"
    with pytest.raises(RuntimeError, match=message):
        gdal.GetDriverByName("Zarr").Create(store, 20, 10, 1, gdal.GDT_Int16, options)


def read_table_of_limits():
    """Name and default of each limit in driver/doc/limits.md."""
    guide = os.path.join(os.path.dirname(__file__), "..", "..", "..", "driver", "doc", "limits.md")
    with open(guide, encoding="utf-8") as f:
        rows = re.findall(r"^\| .* \| `(ZARR_MAX_\w+)` \| ([^|]*) \|$", f.read(), re.MULTILINE)
    return dict(rows)


@pytest.mark.parametrize("name, default", read_table_of_limits().items())
def test_each_limit_of_the_guide_is_an_option(store, name, default):
    write_v3(store, np.zeros((1, 1), "u1"))
    with set_config_option(name, "much"):
        with pytest.raises(RuntimeError, match=f"{name}: expected a (size such as|number)"):
            gdal.Open(store)
    with set_config_option(name, default.replace("iB", "B")):
        assert gdal.Open(store).ReadAsArray()[0, 0] == 0


@pytest.mark.parametrize("size, opens", [("60 KB", True), ("10KB", False)])
def test_a_limit_can_be_changed(store, size, opens):
    write_v3(store, np.zeros((160, 160), "u1"))
    with set_config_option("ZARR_MAX_CHUNK_SIZE", size):
        dataset = gdal.Open(store)
        if opens:
            assert not dataset.ReadAsArray().any()
        else:
            with pytest.raises(RuntimeError, match=r"at most 10240 bytes, got 25600 \(.*ZARR_MAX_CHUNK_SIZE"):
                dataset.ReadAsArray()
    assert not gdal.Open(store).ReadAsArray().any()


def write_axes(store, length, edge):
    write_v3_group(store)
    write_v3(f"{store}/a", np.zeros((2, length), "u1"), names=["y", "x"])
    write_v3(f"{store}/x", np.arange(length, dtype="f8"), (edge,), names=["x"])
    write_v3(f"{store}/y", np.arange(2, dtype="f8"), names=["y"])
    return f'ZARR:"{store}":/a'


@pytest.mark.parametrize(
    "option, value, message",
    [
        ("ZARR_MAX_COORDINATES", "9", "expected at most 9 coordinates (ZARR_MAX_COORDINATES), got 10"),
        ("ZARR_MAX_COORDINATE_CHUNKS", "4", "expected at most 4 chunks of coordinates (ZARR_MAX_COORDINATE_CHUNKS), got 5"),
    ],
)
def test_more_coordinates_give_no_place(store, option, value, message):
    name = write_axes(store, 10, 2)
    with set_config_option(option, str(int(value) + 1)):
        assert gdal.Open(name).GetGeoTransform() == (-0.5, 1, 0, -0.5, 0, 1)
    with set_config_option(option, value), collect_errors() as errors:
        dataset = gdal.Open(name)
        assert dataset.GetGeoTransform(can_return_null=True) is None
        assert dataset.ReadAsArray().shape == (2, 10)
    assert errors == [(gdal.CE_Warning, f"{store}/x: {message}")]


@pytest.mark.parametrize("option, value", [("ZARR_MAX_COORDINATES", 9), ("ZARR_MAX_COORDINATE_CHUNKS", 4)])
@pytest.mark.parametrize("data_type", ["f4", "i8", "U2"])
def test_more_coordinates_are_not_looked_through(store, option, value, data_type):
    write_v2_group(store)
    write_v2(f"{store}/a", np.arange(10, dtype="u1").reshape(10, 1, 1), attributes={"_ARRAY_DIMENSIONS": ["t", "y", "x"]})
    values = np.arange(10).astype("<" + data_type)
    write_v2(f"{store}/t", values, [2], attributes={"_ARRAY_DIMENSIONS": ["t"]})
    name = f'ZARR:"{store}":/a'
    with set_config_option(option, str(value + 1)):
        assert gdal.OpenEx(name, open_options=["SELECT=t==7"]).ReadAsArray()[0, 0] == 7
    with set_config_option(option, str(value)):
        with pytest.raises(RuntimeError, match=rf"{store}/t: expected at most {value} .*\({option}\), got {value + 1}"):
            gdal.OpenEx(name, open_options=["SELECT=t==7"])


def test_more_control_points_are_left_out(store):
    for group in ("", "/measurements", "/conditions", "/conditions/gcp"):
        write_v3_group(store + group)
    write_v3(f"{store}/measurements/a", np.zeros((4, 4), "u1"), names=["y", "x"])
    for name in ("latitude", "longitude", "line", "pixel"):
        write_v3(f"{store}/conditions/gcp/{name}", np.arange(6, dtype="f8").reshape(2, 3))
    name = f'ZARR:"{store}":/measurements/a'
    with set_config_option("ZARR_MAX_CONTROL_POINTS", "6"):
        assert gdal.Open(name).GetGCPCount() == 6
    message = "expected at most 5 ground control points (ZARR_MAX_CONTROL_POINTS), got 6"
    with set_config_option("ZARR_MAX_CONTROL_POINTS", "5"), collect_errors() as errors:
        dataset = gdal.Open(name)
        assert dataset.GetGCPCount() == 0
        assert dataset.GetGCPs() == ()
    assert errors == [(gdal.CE_Warning, f"{store}/conditions/gcp/latitude: {message}")]


@pytest.mark.parametrize("most, changes", [("4", True), ("3", False)])
def test_the_fill_value_changes_in_few_chunks(store, most, changes):
    write_v3(store, np.ones((4, 4), "u1"), (2, 2), fill=7)
    os.unlink(f"{store}/c/1/1")
    expected = np.ones((4, 4))
    expected[2:, 2:] = 7
    with set_config_option("ZARR_MAX_LOOKS", most):
        dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        array = dataset.GetRootGroup().OpenMDArray(dataset.GetRootGroup().GetMDArrayNames()[0])
        if changes:
            array.SetNoDataValueDouble(9)
        else:
            with pytest.raises(RuntimeError, match=r"at most 3 chunks \(ZARR_MAX_LOOKS\), got 4"):
                array.SetNoDataValueDouble(9)
        dataset = array = None
    assert np.array_equal(gdal.Open(store).ReadAsArray(), expected)
    assert os.path.exists(f"{store}/c/1/1") == changes


def nest(levels, innermost):
    data_type = innermost
    for _ in range(levels):
        data_type = [["f", data_type]]
    return data_type


@pytest.mark.parametrize(
    "data_type, expected",
    [
        (nest(32, "|u1"), "f"),
        (nest(33, "|u1"), "0"),
        ([["f", nest(1, "|u1"), [5000]]], "f"),
        ([["f", nest(1, "|u1"), [5001]]], "0"),
        ([["f", "|V9999"]], "f"),
        ([["f", "|V100", [99]]], "f"),
        ([["f", "|V100", [100]]], "0"),
    ],
)
def test_structs_of_more_levels_or_components_are_opaque(store, data_type, expected):
    document = {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": data_type, "order": "C"}
    write_json(f"{store}/.zarray", {**document, "fill_value": None, "filters": None, "compressor": None})
    array = open_array(store)
    assert array.GetDataType().GetComponents()[0].GetName() == expected
    assert not any(array.Read())


def test_an_archive_unpacks_no_document_beyond_the_limit(tmp_path):
    path = str(tmp_path / "a.zarr.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zarr.json", b" " * (257 << 20))
    with pytest.raises(RuntimeError, match=r"zarr\.json: expected a value of at most 268435456 bytes, got 269484032"):
        gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER)
