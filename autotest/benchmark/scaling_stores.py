# SPDX-License-Identifier: MIT
"""Stores for scaling.py, written file by file, without a driver. All chunks of a store are names of one file: a million of
them fit in memory."""

import json
import os

import numpy as np

EDGE = 8  # of a chunk: it costs what a chunk costs, not what its pixels cost
CHUNK = bytes(range(1, EDGE * EDGE + 1))


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def get_side(chunks):
    """Chunks along an axis of a square of about so many."""
    return round(chunks**0.5)


def describe_v2(shape, chunk):
    return {
        "zarr_format": 2,
        "shape": shape,
        "chunks": chunk,
        "dtype": "|u1",
        "compressor": None,
        "filters": None,
        "fill_value": 0,
        "order": "C",
    }


def make_chunks(folder, chunks, share):
    """A square array, of whose chunks a share is stored, evenly spread."""
    side = get_side(chunks)
    write(f"{folder}/.zarray", describe_v2([side * EDGE] * 2, [EDGE, EDGE]))
    first = write(f"{folder}/0.0", CHUNK)
    step = round(1 / share)
    for number in range(step, side * side, step):
        os.link(first, f"{folder}/{number // side}.{number % side}")


def make_all_chunks(folder, chunks):
    make_chunks(folder, chunks, 1)


def make_few_chunks(folder, chunks):
    make_chunks(folder, chunks, 0.01)


def make_arrays(folder, count):
    """A group of arrays of one chunk, with consolidated metadata."""
    array, group, attributes = describe_v2([EDGE], [EDGE]), {"zarr_format": 2}, {"units": "K"}
    write(f"{folder}/.zgroup", group)
    files = {".zarray": array, ".zattrs": attributes, "0": CHUNK[:EDGE]}
    for name, content in files.items():
        write(f"{folder}/a0/{name}", content)
    for i in range(1, count):
        os.mkdir(f"{folder}/a{i}")
        for name in files:
            os.link(f"{folder}/a0/{name}", f"{folder}/a{i}/{name}")
    known = {f"a{i}/{name}": files[name] for i in range(count) for name in (".zarray", ".zattrs")}
    write(f"{folder}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": {".zgroup": group, **known}})


def make_attributes(folder, size):
    """An array with attributes of about 100 bytes each."""
    write(f"{folder}/a/.zarray", describe_v2([EDGE], [EDGE]))
    write(f"{folder}/.zgroup", {"zarr_format": 2})
    text = "x" * 75
    write(f"{folder}/a/.zattrs", {f"attribute_{i}": f"{text}{i}" for i in range(size // 100)})


def make_shard(folder, chunks):
    """An array of one shard with so many inner chunks."""
    side = get_side(chunks)
    edge = side * EDGE
    little = {"name": "bytes", "configuration": {"endian": "little"}}
    sharding = {"chunk_shape": [EDGE, EDGE], "codecs": [{"name": "bytes"}], "index_codecs": [little], "index_location": "end"}
    write(
        f"{folder}/zarr.json",
        {
            "zarr_format": 3,
            "node_type": "array",
            "shape": [edge, edge],
            "data_type": "uint8",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [edge, edge]}},
            "chunk_key_encoding": {"name": "default"},
            "fill_value": 0,
            "codecs": [{"name": "sharding_indexed", "configuration": sharding}],
            "attributes": {},
        },
    )
    offsets = np.arange(side * side, dtype="<u8") * len(CHUNK)
    index = np.stack([offsets, np.full_like(offsets, len(CHUNK))], axis=1)
    write(f"{folder}/c/0/0", CHUNK * (side * side) + index.tobytes())


def make_empty(folder, count):
    """A group with an array of 64 rows of 256 chunks, none stored: a row is what a process writes."""
    write(f"{folder}/.zgroup", {"zarr_format": 2})
    write(f"{folder}/a/.zarray", describe_v2([64 * EDGE, 256 * EDGE], [EDGE, EDGE]))


def make_readable(folder, count):
    """The array that threads read."""
    make_chunks(folder, 10000, 1)
