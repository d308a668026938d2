# SPDX-License-Identifier: MIT
"""Reads Zarr v3 arrays from a folder by the specification, with numcodecs and without the library: arrays of numbers in
a regular grid, also in shards, with the codecs bytes, blosc, gzip, zstd and crc32c."""

import gzip
import itertools
import json
import os

import numpy as np


def read_v3(folder):
    """Returns the metadata document and the values of the array in a folder."""
    with open(os.path.join(folder, "zarr.json")) as f:
        document = json.load(f)
    assert document["chunk_grid"]["name"] == "regular" and document["chunk_key_encoding"]["name"] == "default"
    encoding = document["chunk_key_encoding"].get("configuration", {})
    assert encoding.get("separator", "/") == "/"
    dtype = np.dtype(document["data_type"])
    values = np.full(document["shape"], float(document["fill_value"]), dtype)

    def load(index):
        path = os.path.join(folder, "c", *map(str, index))
        if os.path.exists(path):
            with open(path, "rb") as f:
                return f.read()
        return None

    fill_chunks(values, document["chunk_grid"]["configuration"]["chunk_shape"], load, document["codecs"])
    return document, values


def fill_chunks(values, chunk_shape, load, codecs):
    """Replaces the values of the chunks for which `load` returns bytes."""
    grid = [range(-(-length // edge)) for length, edge in zip(values.shape, chunk_shape)]
    for index in itertools.product(*grid):
        data = load(index)
        if data is not None:
            target = values[tuple(slice(i * edge, (i + 1) * edge) for i, edge in zip(index, chunk_shape))]
            chunk = decode(data, chunk_shape, values.dtype, codecs)
            target[...] = chunk[tuple(slice(0, length) for length in target.shape)]


def decode(data, shape, dtype, codecs):
    for codec in reversed(codecs):
        name, options = codec["name"], codec.get("configuration", {})
        if name in ("blosc", "zstd"):
            from numcodecs.registry import get_codec

            data = get_codec({"id": name}).decode(data)
        elif name == "gzip":
            data = gzip.decompress(data)
        elif name == "crc32c":
            data = data[:-4]
        elif name == "bytes":
            order = "<" if options.get("endian", "little") == "little" else ">"
            data = np.frombuffer(data, dtype.newbyteorder(order)).reshape(shape)
        elif name == "sharding_indexed":
            data = decode_shard(data, shape, dtype, options)
        else:
            raise ValueError(f"a codec that this reader does not know: {name}")
    return data


def decode_shard(data, shape, dtype, options):
    """The fill value of chunks that are absent in a shard is 0 here."""
    assert options.get("index_location", "end") == "end"
    inner = options["chunk_shape"]
    counts = [length // edge for length, edge in zip(shape, inner)]
    checksums = sum(codec["name"] == "crc32c" for codec in options["index_codecs"])
    index_size = 16 * int(np.prod(counts)) + 4 * checksums
    index = decode(data[-index_size:], [*counts, 2], np.dtype("u8"), options["index_codecs"])
    values = np.zeros(shape, dtype)

    def load(position):
        offset, size = map(int, index[position])
        return None if offset == 2**64 - 1 else data[offset : offset + size]

    fill_chunks(values, inner, load, options["codecs"])
    return values
