# SPDX-License-Identifier: MIT
"""Writes small stores by the specifications, without the library, and opens them."""

import gzip
import itertools
import json
import os
import zlib

import numpy as np
from osgeo import gdal

V3_NAMES = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}


def write_json(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump(value, f)


def write_bytes(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(value)


def get_v3_name(dtype):
    dtype = np.dtype(dtype)
    return "bool" if dtype.kind == "b" else V3_NAMES[dtype.kind] + str(dtype.itemsize * 8)


def split_into_chunks(data, edges):
    """Yields (grid index, chunk of full size) for all chunks. `edges` has a list of edge lengths for each axis."""
    starts = [np.concatenate([[0], np.cumsum(e)[:-1]]) for e in edges]
    for index in itertools.product(*(range(len(e)) for e in edges)):
        chunk = np.zeros([e[i] for e, i in zip(edges, index)], data.dtype)
        begin = [int(s[i]) for s, i in zip(starts, index)]
        live = data[tuple(slice(b, b + n) for b, n in zip(begin, chunk.shape))]
        chunk[tuple(slice(0, n) for n in live.shape)] = live
        yield index, chunk


def make_regular_edges(shape, chunks):
    return [[c] * -(-n // c) for n, c in zip(shape, chunks)]


def write_v2(path, data, chunks=None, *, dtype=None, order="C", compressor=None, fill=None, attributes=None, skip=()):
    """Writes an array. `compressor` is None or a numcodecs dictionary of zlib. Chunks in `skip` are not written."""
    chunks = list(chunks or data.shape)
    meta = {
        "zarr_format": 2,
        "shape": list(data.shape),
        "chunks": chunks,
        "dtype": dtype or data.dtype.str,
        "compressor": compressor,
        "filters": None,
        "order": order,
        "fill_value": fill,
    }
    write_json(f"{path}/.zarray", meta)
    if attributes is not None:
        write_json(f"{path}/.zattrs", attributes)
    for index, chunk in split_into_chunks(data, make_regular_edges(data.shape, chunks)):
        if index in skip:
            continue
        raw = chunk.tobytes(order)
        write_bytes(f"{path}/{'.'.join(map(str, index)) or '0'}", zlib.compress(raw) if compressor else raw)


def write_v3(path, data, chunks=None, *, edges=None, compress=False, fill=0, names=None, attributes=None, skip=()):
    """Writes an array. With `edges`, a list of edge lengths for each axis, its grid is rectilinear."""
    chunks = list(chunks or data.shape)
    grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
    if edges:
        grid = {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": edges}}
    codecs = [{"name": "bytes", "configuration": {"endian": "big" if data.dtype.str[0] == ">" else "little"}}]
    if compress:
        codecs.append({"name": "gzip", "configuration": {"level": 1}})
    meta = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(data.shape),
        "data_type": get_v3_name(data.dtype),
        "chunk_grid": grid,
        "chunk_key_encoding": {"name": "default"},
        "codecs": codecs,
        "fill_value": fill,
        "attributes": attributes or {},
    }
    if names:
        meta["dimension_names"] = names
    write_json(f"{path}/zarr.json", meta)
    for index, chunk in split_into_chunks(data, edges or make_regular_edges(data.shape, chunks)):
        if index in skip:
            continue
        raw = chunk.tobytes()
        write_bytes("/".join([path, "c", *map(str, index)]), gzip.compress(raw) if compress else raw)


def write_sharded(path, data, shard, inner, *, location="end", nested=None, fill=0, names=None, skip=()):
    """Writes a v3 array of shards with gzip in them. `nested` is the shape of shards within the shards, and `skip` has
    the grid indices of shards to leave out. Shards with equal values are encoded once."""
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "gzip", "configuration": {"level": 1}}]
    levels = [list(shard), *([list(nested)] if nested else []), list(inner)]
    for level in reversed(levels[1:]):
        index_codecs = [{"name": "bytes", "configuration": {"endian": "little"}}]
        configuration = {"chunk_shape": level, "codecs": codecs, "index_codecs": index_codecs, "index_location": location}
        codecs = [{"name": "sharding_indexed", "configuration": configuration}]
    meta = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(data.shape),
        "data_type": get_v3_name(data.dtype),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(shard)}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": codecs,
        "fill_value": fill,
        "attributes": {},
    }
    if names:
        meta["dimension_names"] = names
    write_json(f"{path}/zarr.json", meta)
    encoded = {}
    for index, chunk in split_into_chunks(data, make_regular_edges(data.shape, shard)):
        if index in skip:
            continue
        raw = chunk.tobytes()
        if raw not in encoded:
            encoded[raw] = encode_shard(chunk, levels[1:], location)
        write_bytes("/".join([path, "c", *map(str, index)]), encoded[raw])


def encode_shard(chunk, levels, location):
    if not levels:
        return gzip.compress(chunk.tobytes(), 1)
    edges = make_regular_edges(chunk.shape, levels[0])
    parts = [encode_shard(part, levels[1:], location) for _, part in split_into_chunks(chunk, edges)]
    index = np.zeros((len(parts), 2), "<u8")
    offset = index.nbytes if location == "start" else 0
    for i, part in enumerate(parts):
        index[i] = offset, len(part)
        offset += len(part)
    body = b"".join(parts)
    return index.tobytes() + body if location == "start" else body + index.tobytes()


def write_v1(path, data, chunks, attributes=None):
    meta = {
        "zarr_format": 1,
        "shape": list(data.shape),
        "chunks": list(chunks),
        "dtype": data.dtype.str,
        "compression": "zlib",
        "compression_opts": 1,
        "order": "C",
        "fill_value": 0,
    }
    write_json(f"{path}/meta", meta)
    write_json(f"{path}/attrs", attributes or {})
    for index, chunk in split_into_chunks(data, make_regular_edges(data.shape, chunks)):
        write_bytes(f"{path}/{'.'.join(map(str, index))}", zlib.compress(chunk.tobytes()))


def write_v2_group(path, attributes=None):
    write_json(f"{path}/.zgroup", {"zarr_format": 2})
    if attributes is not None:
        write_json(f"{path}/.zattrs", attributes)


def write_v3_group(path, attributes=None):
    write_json(f"{path}/zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": attributes or {}})


def open_group(path, *options):
    return gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER, allowed_drivers=["Zarr"], open_options=options).GetRootGroup()


def open_for_update(path):
    """Returns the dataset and its root group."""
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    return dataset, dataset.GetRootGroup()


def open_array(path, name=None, *options):
    """Opens the array of that name in the root group, by default the only one."""
    group = open_group(path, *options)
    return group.OpenMDArray(name or group.GetMDArrayNames()[0])


def consolidate_v3(store):
    """Copies the documents of all nodes to that of the root group."""
    documents = {}
    for folder, _, names in os.walk(store):
        if "zarr.json" in names and folder != store:
            with open(f"{folder}/zarr.json") as f:
                documents[os.path.relpath(folder, store)] = json.load(f)
    with open(f"{store}/zarr.json") as f:
        root = json.load(f)
    root["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": documents}
    write_json(f"{store}/zarr.json", root)


def consolidate_v2(store):
    documents = {}
    for folder, _, names in os.walk(store):
        for name in (".zgroup", ".zarray", ".zattrs"):
            if name in names:
                path = os.path.relpath(f"{folder}/{name}", store)
                with open(f"{folder}/{name}") as f:
                    documents[path] = json.load(f)
    write_json(f"{store}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": documents})
