# SPDX-License-Identifier: MIT
"""The stores that are read: their metadata, written by hand so that every form is there, and their values, written by
the plugin."""
import dataclasses
import json
import os

DTYPES = {"elevation": ("<i2", "int16"), "image": ("|u1", "uint8"), "planes": ("|u1", "uint8"), "cube": ("<f4", "float32")}
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}


@dataclasses.dataclass(frozen=True)
class Store:
    """An array to make. `edges` (rectilinear) and `shard` go with version 3. Without `filled` no chunk is stored."""

    name: str
    kind: str
    shape: tuple
    chunks: tuple
    codec: str = "zstd"
    version: int = 2
    shard: tuple = ()
    edges: tuple = ()
    filled: bool = True
    dimensions: tuple = ()

    @property
    def item_size(self):
        return int(DTYPES[self.kind][0][-1])

    @property
    def bytes(self):
        size = self.item_size
        for length in self.shape:
            size *= length
        return size

    @property
    def values(self):
        """Names the values: stores of the same kind and shape hold the same."""
        return f"{self.kind}{self.shape}{self.filled}"


def compressor_v2(codec):
    if codec.startswith("blosc"):
        cname, _, level = codec[6:].partition(":")
        return {"id": "blosc", "cname": cname, "clevel": int(level or 5), "shuffle": 1, "blocksize": 0}
    return {"zstd": {"id": "zstd", "level": 3}, "gzip": {"id": "gzip", "level": 5}, "none": None}[codec]


def codecs_v3(codec, item_size):
    if codec.startswith("blosc"):
        shuffle = "shuffle" if item_size > 1 else "noshuffle"
        blosc = {"cname": codec[6:], "clevel": 5, "shuffle": shuffle, "typesize": item_size, "blocksize": 0}
        return [BYTES, {"name": "blosc", "configuration": blosc}]
    last = {
        "zstd": [{"name": "zstd", "configuration": {"level": 3, "checksum": False}}],
        "gzip": [{"name": "gzip", "configuration": {"level": 5}}],
        "none": [],
    }
    return [BYTES, *last[codec]]


def metadata_v1(store):
    """Zarr v1 has the compressor's name and its options in two members, and all in one file, `meta`."""
    compressor = compressor_v2(store.codec)
    name = compressor.pop("id")
    return {
        "zarr_format": 1,
        "shape": store.shape,
        "chunks": store.chunks,
        "dtype": DTYPES[store.kind][0],
        "compression": name,
        "compression_opts": {k: v for k, v in compressor.items() if k != "blocksize"},
        "fill_value": 0,
        "order": "C",
    }


def metadata_v2(store):
    return {
        "zarr_format": 2,
        "shape": store.shape,
        "chunks": store.chunks,
        "dtype": DTYPES[store.kind][0],
        "compressor": compressor_v2(store.codec),
        "filters": None,
        "fill_value": 0,
        "order": "C",
    }


def metadata_v3(store):
    codecs = codecs_v3(store.codec, store.item_size)
    if store.shard:
        sharding = {"chunk_shape": store.chunks, "codecs": codecs, "index_codecs": [BYTES, {"name": "crc32c"}]}
        codecs = [{"name": "sharding_indexed", "configuration": sharding}]
    grid = {"name": "regular", "configuration": {"chunk_shape": store.shard or store.chunks}}
    if store.edges:
        grid = {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": store.edges}}
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": store.shape,
        "data_type": DTYPES[store.kind][1],
        "chunk_grid": grid,
        "chunk_key_encoding": {"name": "default"},
        "codecs": codecs,
        "fill_value": 0,
        "attributes": {},
    }


FORMS = {1: ("meta", metadata_v1), 2: (".zarray", metadata_v2), 3: ("zarr.json", metadata_v3)}


def write_metadata(store, folder):
    os.makedirs(folder)
    name, make = FORMS[store.version]
    with open(os.path.join(folder, name), "w") as f:
        json.dump(make(store), f)
    attributes = {1: "attrs", 2: ".zattrs"}.get(store.version)
    if attributes:
        with open(os.path.join(folder, attributes), "w") as f:
            json.dump({"_ARRAY_DIMENSIONS": store.dimensions} if store.dimensions else {}, f)


def chunk_path(store, folder, index):
    name = ("." if store.version < 3 else "/").join(map(str, index))
    return os.path.join(folder, name if store.version < 3 else f"c/{name}")
