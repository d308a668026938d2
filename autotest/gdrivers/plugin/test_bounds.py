# SPDX-License-Identifier: MIT
"""A small store takes little memory and time, whatever its metadata claim."""

import gzip
import json
import struct
import zipfile
import zlib

import numpy as np
import pytest
from memory import run_measured
from config_options import set_config_option
from osgeo import gdal
from stores import write_bytes, write_json, write_v3_group

LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
GZIP = {"name": "gzip", "configuration": {"level": 1}}
CRC32C = {"name": "crc32c"}
ABSENT = b"\xff" * 16

READ_ONE = "print(gdal.Open(sys.argv[1]).ReadAsArray(0, 0, 1, 1)[0, 0])"


def sharding(inner, codecs=(LITTLE,), index_codecs=(LITTLE,), location="end"):
    configuration = {"chunk_shape": inner, "codecs": codecs, "index_codecs": index_codecs, "index_location": location}
    return {"name": "sharding_indexed", "configuration": configuration}


def document(shape, chunks, codecs, data_type="uint8", fill=0):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": fill,
        "codecs": codecs,
    }


def write_sparse(path, size, pieces):
    """Writes a file of that size with bytes at some offsets, and holes for the rest."""
    write_bytes(path, b"")
    with open(path, "r+b") as f:
        f.truncate(size)
        for offset, data in pieces.items():
            f.seek(offset)
            f.write(data)


def zeros_deflated(mib, wbits, start=b"", end=b""):
    """Compresses zeros without holding all of them in memory."""
    stream = zlib.compressobj(1, zlib.DEFLATED, wbits)
    piece = bytes(1 << 20)
    parts = [stream.compress(start)] + [stream.compress(piece) for _ in range(mib)]
    return b"".join(parts) + stream.compress(end) + stream.flush()


def gzipped(data, times):
    for _ in range(times):
        data = gzip.compress(data, 1)
    return data


# --- lists of codecs -------------------------------------------------------------------------------------------------


def test_many_codecs_do_not_multiply_the_memory(store):
    write_json(f"{store}/zarr.json", document([32, 32], [32, 32], [LITTLE] + [GZIP] * 24))
    write_bytes(f"{store}/c/0/0", gzipped(zeros_deflated(1536, 31), 8))
    message, peak = run_measured(READ_ONE, store)
    assert "c/0/0: gzip: expected at most " in message
    assert peak < 200


def test_many_codecs_are_read(store):
    write_json(f"{store}/zarr.json", document([32, 32], [32, 32], [LITTLE] + [GZIP] * 24))
    data = np.random.default_rng(1).integers(0, 256, (32, 32), "u1")
    write_bytes(f"{store}/c/0/0", gzipped(data.tobytes(), 24))
    np.testing.assert_array_equal(gdal.Open(store).ReadAsArray(), data)


def test_a_list_of_codecs_has_an_end(store):
    write_json(f"{store}/zarr.json", document([32, 32], [32, 32], [LITTLE] + [GZIP] * 64))
    with pytest.raises(RuntimeError, match="expected at most 64 codecs \\(ZARR_MAX_CODECS\\), got 65"):
        gdal.Open(store).ReadAsArray()


@pytest.mark.parametrize("most, opens", [("129", True), ("128", False)])
def test_a_longer_list_of_codecs_can_be_allowed(store, most, opens):
    write_json(f"{store}/zarr.json", document([4, 4], [4, 4], [LITTLE] + [GZIP] * 128))
    data = np.arange(16, dtype="u1").reshape(4, 4)
    write_bytes(f"{store}/c/0/0", gzipped(data.tobytes(), 128))
    with set_config_option("ZARR_MAX_CODECS", most):
        if opens:
            np.testing.assert_array_equal(gdal.Open(store).ReadAsArray(), data)
        else:
            with pytest.raises(RuntimeError, match=r"zarr\.json: /codecs: expected at most 128 codecs \(ZARR_MAX_CODECS\), got 129"):
                gdal.Open(store)


def test_codecs_that_widen_elements_are_bounded(store):
    astype = {"name": "numcodecs.astype", "configuration": {"encode_dtype": "<f8", "decode_dtype": "|u1"}}
    write_json(f"{store}/zarr.json", document([20000, 20000], [20000, 20000], [astype, LITTLE, GZIP]))
    write_bytes(f"{store}/c/0/0", gzip.compress(b"0"))
    message, peak = run_measured(READ_ONE, store)
    assert "c/0/0: expected a chunk of at most 2147483648 bytes (ZARR_MAX_CHUNK_SIZE), got 3200000000" in message
    assert peak < 200


# --- archives --------------------------------------------------------------------------------------------------------


def write_archive(path, documents, name, deflated, size, crc):
    """Makes an archive of documents, and of one file that is deflated already."""
    with zipfile.ZipFile(path, "w") as archive:
        for key, value in documents.items():
            archive.writestr(key, value)
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_STORED
        archive.writestr(info, deflated)
        # The content is taken as it is; only the table of contents tells that it is deflated.
        info = archive.getinfo(name)
        offset = info.header_offset
        info.compress_type, info.file_size, info.CRC = zipfile.ZIP_DEFLATED, size, crc
    return offset


def crc_of_zeros(mib, start=b"", end=b""):
    crc = zlib.crc32(start)
    piece = bytes(1 << 20)
    for _ in range(mib):
        crc = zlib.crc32(piece, crc)
    return zlib.crc32(end, crc)


def test_a_deflated_shard_is_no_larger_than_it_can_be(store):
    mib = 1536
    metadata = json.dumps(document([8, 8], [8, 8], [sharding([4, 4])]))
    path = f"{store}.zarr.zip"
    write_archive(path, {"zarr.json": metadata}, "c/0/0", zeros_deflated(mib, -15), mib << 20, crc_of_zeros(mib))
    message, peak = run_measured(READ_ONE, path)
    assert "c/0/0: expected at most " in message and f"got {mib << 20}" in message
    assert peak < 200


def test_of_a_deflated_shard_only_what_is_wanted_is_in_memory(store):
    mib = 512
    index = struct.pack("<QQ", 0, 1 << 20) + ABSENT * (mib - 1)
    metadata = json.dumps(document([mib, 1 << 20], [mib, 1 << 20], [sharding([1, 1 << 20])], fill=9))
    path = f"{store}.zarr.zip"
    content = {"start": b"\x07", "end": index}
    deflated = zeros_deflated(mib, -15, **content)
    size = 1 + (mib << 20) + len(index)
    write_archive(path, {"zarr.json": metadata}, "c/0/0", deflated, size, crc_of_zeros(mib, **content))
    script = "data = gdal.Open(sys.argv[1]).ReadAsArray(0, 0, 2, 2)\nprint(data.tolist())"
    values, peak = run_measured(script, path)
    assert values == "[[7, 0], [9, 9]]"
    assert peak < 200


def test_a_table_of_contents_is_bounded(store):
    path = f"{store}.zarr.zip"
    size = 300 << 20
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, size, 0, 0)
    write_sparse(path, size + len(end), {size: end})
    message, peak = run_measured("gdal.Open('ZARR:' + sys.argv[1])", path)
    assert f"expected a table of contents of at most 268435456 bytes (ZARR_MAX_ZIP_INDEX_SIZE), got {size}" in message
    assert peak < 150


# --- shards ----------------------------------------------------------------------------------------------------------


GIB = 1 << 30


def write_sparse_shard(store, codecs_behind=(), tail=b""):
    """Writes a shard of 5 GiB with 5120 inner chunks, of which two are stored: at its beginning, and at 4.5 GiB."""
    codecs = [sharding([1024, 1024], index_codecs=[LITTLE]), *codecs_behind]
    write_json(f"{store}/zarr.json", document([81920, 65536], [81920, 65536], codecs, fill=9))
    index = bytearray(ABSENT * 5120)
    index[0:16] = struct.pack("<QQ", 0, 1 << 20)
    index[16:32] = struct.pack("<QQ", 9 * GIB // 2, 1 << 20)
    index_at = 5 * GIB
    write_sparse(f"{store}/c/0/0", index_at + len(index) + len(tail), {0: b"\x07", 9 * GIB // 2: b"\x08", index_at: bytes(index)})


def test_a_sparse_shard_is_read(store):
    write_sparse_shard(store)
    script = "d = gdal.Open(sys.argv[1])\nprint([int(d.ReadAsArray(x, 0, 1, 1)[0, 0]) for x in (0, 1024, 1025, 2048)])"
    values, peak = run_measured(script, store)
    assert values == "[7, 8, 0, 9]"
    assert peak < 200


def test_a_sparse_shard_is_changed(store):
    write_sparse_shard(store)
    script = """
d = gdal.Open(sys.argv[1], gdal.GA_Update)
d.WriteArray(np.full((1, 1), 5, "u1"), 2049, 0)
d = None
d = gdal.Open(sys.argv[1])
print([int(d.ReadAsArray(x, 0, 1, 1)[0, 0]) for x in (0, 1024, 1025, 2048, 2049, 4096)])
"""
    values, peak = run_measured(script, store)
    assert values == "[7, 8, 0, 9, 5, 9]"
    assert peak < 300


@pytest.mark.parametrize("codec", [CRC32C, GZIP], ids=["crc32c", "gzip"])
def test_a_shard_that_must_be_decoded_whole_is_bounded(store, codec):
    write_sparse_shard(store, [codec], tail=bytes(4))
    message, peak = run_measured(READ_ONE, store)
    assert "c/0/0: expected a value of at most 1090519040 bytes, got 5368791" in message
    assert peak < 200
    script = 'd = gdal.Open(sys.argv[1], gdal.GA_Update)\nd.WriteArray(np.full((1, 1), 5, "u1"), 0, 0)\nd.FlushCache()'
    message, peak = run_measured(script, store)
    assert "expected a value of at most 1090519040 bytes" in message
    assert peak < 300


def test_a_shard_that_must_be_decoded_whole_is_bounded_once_decoded(store):
    codecs = [sharding([1024, 1024]), GZIP]
    write_json(f"{store}/zarr.json", document([81920, 65536], [81920, 65536], codecs))
    write_bytes(f"{store}/c/0/0", zeros_deflated(1500, 31))
    message, peak = run_measured(READ_ONE, store)
    assert "c/0/0: gzip: expected at most 1073741824 bytes, got more" in message
    assert peak < 1200


def test_millions_of_inner_chunks_take_little_memory(store):
    write_json(f"{store}/zarr.json", document([2048, 2048], [2048, 2048], [sharding([1, 1])], fill=9))
    index = bytearray(ABSENT * (1 << 22))
    index[0:16] = struct.pack("<QQ", 0, 1)
    index[-16:] = struct.pack("<QQ", 1, 1)
    write_bytes(f"{store}/c/0/0", b"\x01\x02" + index)
    script = "a = gdal.Open(sys.argv[1]).ReadAsArray()\nprint(a[0, 0], a[-1, -1], (a == 9).sum())"
    values, peak = run_measured(script, store)
    assert values == f"1 2 {(1 << 22) - 2}"
    assert peak < 500


def test_a_shard_has_at_most_some_millions_of_inner_chunks(store):
    write_json(f"{store}/zarr.json", document([4096, 2048], [4096, 2048], [sharding([1, 1])]))
    with pytest.raises(RuntimeError, match=r"expected a shard of at most 4194304 inner chunks \(ZARR_MAX_INNER_CHUNKS\), got \[4096,2048\]"):
        gdal.Open(store).ReadAsArray()


def test_indices_of_nested_shards_are_bounded(store):
    nested, side = 1 << 20, 16
    codecs = [sharding([1024, 1024], [sharding([1, 1])])]
    write_json(f"{store}/zarr.json", document([1024 * side] * 2, [1024 * side] * 2, codecs))
    count = side * side
    size = 1 + 16 * nested
    pieces = {}
    for i in range(count):
        pieces[i * size] = bytes([i])
        pieces[i * size + 1] = struct.pack("<QQ", 0, 1)
    pieces[count * size] = b"".join(struct.pack("<QQ", i * size, size) for i in range(count))
    write_sparse(f"{store}/c/0/0", count * size + 16 * count, pieces)
    script = """
array = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup()
array = array.OpenMDArray(array.GetMDArrayNames()[0])
print(array.ReadAsArray([0, 0], [16, 16], [1024, 1024]).ravel().tolist())
"""
    values, peak = run_measured(script, store)
    assert json.loads(values) == list(range(count))
    assert peak < 500


# --- elements of variable length -------------------------------------------------------------------------------------


def write_strings(store, chunks, value, codec):
    codecs = ["vlen-utf8", codec]
    write_json(f"{store}/zarr.json", document([chunks], [1], codecs, data_type="string", fill=""))
    for i in range(chunks):
        write_bytes(f"{store}/c/{i}", value)


READ_STRINGS = """
group = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup()
print(group.OpenMDArray(group.GetMDArrayNames()[0]).Read())
"""
THREADS = {"GDAL_NUM_THREADS": "16"}


@pytest.mark.parametrize("claim", [1700 << 20, 250 << 20])
def test_claims_of_compressed_strings_are_not_believed(store, claim):
    write_strings(store, 16, struct.pack("<I", claim) + b"\x80" + bytes(7), {"name": "numcodecs.lz4", "configuration": {}})
    message, peak = run_measured(READ_STRINGS, store, environment=THREADS)
    assert "c/0: numcodecs.lz4: expected at most " in message
    assert peak < 150


def test_large_strings_share_their_memory(store):
    write_strings(store, 6, zeros_deflated(200, 31, struct.pack("<II", 1, 5) + b"hello"), GZIP)
    values, peak = run_measured(READ_STRINGS, store, environment=THREADS, address_space=12 << 30, timeout=300)
    assert values == str(["hello"] * 6)
    assert peak < 1500


# --- writing ---------------------------------------------------------------------------------------------------------


def test_what_waits_to_be_written_is_bounded_for_all_arrays_together(store):
    count = 150
    write_v3_group(store)
    for i in range(count):
        write_json(f"{store}/a{i}/zarr.json", document([1024, 8192], [1024, 8192], [LITTLE]))
    script = """
root = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
arrays = [root.OpenMDArray(f"a{i}") for i in range(int(sys.argv[2]))]
for i, array in enumerate(arrays):
    array.Write(np.full((512, 8192), i, "u1"), [0, 0], [512, 8192])
for i, array in enumerate(arrays):
    array.Write(np.full((1, 8192), i + 1, "u1"), [1023, 0], [1, 8192])
"""
    _, peak = run_measured(script, store, count, environment={"GDAL_CACHEMAX": "64"})
    assert peak < 400
    for i in range(count):
        values = np.fromfile(f"{store}/a{i}/c/0/0", "u1").reshape(1024, 8192)
        assert (values[:512] == i).all() and (values[512:1023] == 0).all() and (values[1023] == i + 1).all()


# --- references ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["expressions", "concatenations", "dimensions"])
def test_the_work_of_generated_references_is_bounded(tmp_path, kind):
    key = {
        "expressions": "{{f0(i=i)}}" + "x/{{i}}",
        "concatenations": "{{" + "+".join(["t"] * 600) + "}}/{{i}}",
        "dimensions": "x/{{i}}",
    }[kind]
    templates = {f"f{n}": f"{{{{f{n + 1}(i=i)}}}}{{{{f{n + 1}(i=i)}}}}" for n in range(8)}
    templates.update({"f8": "", "t": "x" * 100})
    dimensions = {"i": {"stop": 4000000}}
    if kind == "dimensions":
        dimensions.update({f"d{n}": {"stop": 1} for n in range(1000)})
    item = {"key": key, "url": "x", "dimensions": dimensions}
    path = f"{tmp_path}/refs.json"
    write_json(path, {"version": 1, "templates": templates, "gen": [item], "refs": {}})
    message, peak = run_measured("gdal.OpenEx('ZARR:' + sys.argv[1], gdal.OF_MULTIDIM_RASTER)", path, timeout=240)
    assert "/gen/0" in message and " steps of work" in message and "(ZARR_MAX_REFERENCE_WORK), got more" in message
    assert peak < 500
