# SPDX-License-Identifier: MIT
"""Writes small Icechunk repositories, with any content, for tests: FlatBuffers without compression."""

import json
import os
import struct

MAGIC = b"ICE\xf0\x9f\xa7\x8aCHUNK"
SNAPSHOT, MANIFEST, REPO_INFO = 1, 2, 6
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Writer:
    """Each table is followed by what it refers to. A field is bytes in the table, or a function that writes a value after
    it and returns its position."""

    def __init__(self):
        self.bytes = bytearray()

    def table(self, fields):
        count = max(fields, default=-1) + 1
        offsets, size = [0] * count, 4
        for number, field in sorted(fields.items()):
            offsets[number] = size
            size += 4 if callable(field) else len(field)
        vtable = len(self.bytes)
        self.bytes += struct.pack(f"<{2 + count}H", 4 + 2 * count, size, *offsets)
        position = len(self.bytes)
        self.bytes += struct.pack("<i", position - vtable)
        children = []
        for _, field in sorted(fields.items()):
            if callable(field):
                children.append((len(self.bytes), field))
            self.bytes += b"\0\0\0\0" if callable(field) else field
        self._place(children)
        return position

    def vector(self, items, count):
        position = len(self.bytes)
        self.bytes += struct.pack("<I", count) + items
        return position

    def offsets(self, children):
        position = self.vector(b"\0" * 4 * len(children), len(children))
        self._place([(position + 4 + 4 * i, child) for i, child in enumerate(children)])
        return position

    def _place(self, children):
        for slot, child in children:
            struct.pack_into("<I", self.bytes, slot, child(self) - slot)


def make_buffer(fields):
    writer = Writer()
    writer.bytes += b"\0\0\0\0"
    struct.pack_into("<I", writer.bytes, 0, writer.table(fields))
    return bytes(writer.bytes)


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return lambda writer: writer.vector(value, len(value))


def table(fields):
    return lambda writer: writer.table(fields)


def tables(items):
    return lambda writer: writer.offsets([table(fields) for fields in items])


def numbers(values, per_item=1):
    return lambda writer: writer.vector(struct.pack(f"<{len(values)}I", *values), len(values) // per_item)


def make_id(number, size=12):
    return number.to_bytes(size, "big")


def format_id(identifier):
    bits = int.from_bytes(identifier, "big") << 4
    return "".join(DIGITS[bits >> (5 * (19 - i)) & 31] for i in range(20))


def make_object(kind, payload, version=2):
    return MAGIC + b"a test".ljust(24) + bytes([version, kind, 0]) + payload


def make_ref(index, data=None, chunk=None, location=None, offset=0, length=0, etag=None, modified=0):
    fields = {0: numbers(index), 2: struct.pack("<Q", offset), 3: struct.pack("<Q", length)}
    if data is not None:
        fields[1] = text(data)
    if chunk is not None:
        fields[4] = make_id(chunk)
    if location is not None:
        fields[5] = text(location)
    if etag is not None:
        fields[6] = text(etag)
    if modified:
        fields[7] = struct.pack("<I", modified)
    return fields


def make_flex(value):
    """A FlexBuffer of nested dictionaries of strings, with widths of two bytes."""
    out = bytearray()

    def write(value):
        if isinstance(value, str):
            data = value.encode()
            out.extend(struct.pack("<H", len(data)))
            position = len(out)
            out.extend(data + b"\0")
            return position, 5 << 2 | 1
        members = [(key, write(value[key])) for key in sorted(value)]
        keys = []
        for key, _ in members:
            keys.append(len(out))
            out.extend(key.encode() + b"\0")
        out.extend(struct.pack("<H", len(keys)))
        of_keys = len(out)
        for key in keys:
            out.extend(struct.pack("<H", len(out) - key))
        out.extend(struct.pack("<HHH", len(out) - of_keys, 2, len(members)))
        position = len(out)
        for _, (target, _) in members:
            out.extend(struct.pack("<H", len(out) - target))
        out.extend(kind for _, (_, kind) in members)
        return position, 9 << 2 | 1

    position, kind = write(value)
    out.extend(struct.pack("<H", len(out) - position) + bytes([kind, 2]))
    return bytes(out)


class Repository:
    """A repository of format 2, in a folder, with one commit of an array `a` of one dimension with chunks of four bytes,
    or, if `chunks` is None, of no dimension with one byte."""

    def __init__(self, folder, chunks, refs, config=None, branch="main", separator="/"):
        self.folder = str(folder)
        self.refs = refs
        metadata = {
            "zarr_format": 3,
            "node_type": "array",
            "shape": [4 * chunks] if chunks is not None else [],
            "data_type": "uint8",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4] if chunks is not None else []}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": separator}},
            "fill_value": 255,
            "codecs": [{"name": "bytes"}],
            "dimension_names": ["x"] if chunks is not None else [],
        }
        data = {
            0: numbers([]),
            2: tables([{0: make_id(4), 1: numbers([0, chunks] if chunks is not None else [], 2)}]),
            3: tables([{0: struct.pack("<Q", 4 * chunks), 1: struct.pack("<I", chunks)}] if chunks is not None else []),
        }
        nodes = [
            self._node(1, "/", {"zarr_format": 3, "node_type": "group"}, 2, {}),
            self._node(2, "/a", metadata, 1, data),
        ]
        self.write("snapshots/" + format_id(make_id(3)), SNAPSHOT, {
            0: make_id(3), 2: tables(nodes), 4: text("a commit"), 5: tables([]), 6: numbers([])})
        arrays = [{0: make_id(2, 8), 1: tables(refs)}]
        self.write("manifests/" + format_id(make_id(4)), MANIFEST, {0: make_id(4), 1: tables(arrays)})
        info = {
            0: b"\2",
            1: tables([]),
            2: tables([{0: text(branch), 1: struct.pack("<I", 0)}]),
            3: tables([]),
            4: tables([{0: make_id(3), 1: struct.pack("<i", -1), 3: text("a commit")}]),
            5: table({}),
            7: tables([]),
        }
        if config:
            info[9] = text(make_flex(config))
        self.write("repo", REPO_INFO, info)

    @staticmethod
    def _node(number, path, metadata, kind, data):
        return {0: make_id(number, 8), 1: text(path), 2: text(json.dumps(metadata)), 3: bytes([kind]), 4: table(data)}

    def write(self, key, kind, fields, version=2):
        self.put(key, make_object(kind, make_buffer(fields), version))

    def put(self, key, content):
        path = os.path.join(self.folder, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
