# SPDX-License-Identifier: MIT
"""Writes small Parquet files by the specification, without a library."""

import gzip
import struct

BOOLEAN, INT32, INT64, BYTE_ARRAY = 0, 1, 2, 6
PLAIN, RLE, DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, RLE_DICTIONARY, BYTE_STREAM_SPLIT = 0, 3, 5, 6, 7, 8, 9
UNCOMPRESSED, SNAPPY, GZIP, LZO, BROTLI, LZ4, ZSTD, LZ4_RAW = range(8)


def varint(value):
    data = b""
    while value >= 0x80:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def zigzag(value):
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def encode(value):
    """The type and the bytes of a value of Thrift's compact protocol: int, bytes, bool, list, or dict of fields by number."""
    if isinstance(value, bool):
        return 1 if value else 2, b""
    if isinstance(value, int):
        return 6, zigzag(value)
    if isinstance(value, bytes):
        return 8, varint(len(value)) + value
    if isinstance(value, list):
        items = [encode(item) for item in value]
        kind = items[0][0] if items else 5
        head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + varint(len(items))
        return 9, head + b"".join(data for _, data in items)
    data, last = b"", 0
    for number, item in sorted(value.items()):
        kind, content = encode(item)
        data += bytes([(number - last) << 4 | kind]) + content
        last = number
    return 12, data + b"\0"


def struct_of(fields):
    return encode(fields)[1]


def pack_bits(values, width):
    """The hybrid of runs and packed bits, as one packed run."""
    groups = -(-len(values) // 8)
    number = sum(value << (i * width) for i, value in enumerate(values))
    return varint(groups << 1 | 1) + number.to_bytes(groups * width, "little")


def pack_deltas(values):
    """DELTA_BINARY_PACKED with miniblocks of 32 values, of 64 bits each."""
    data = varint(128) + varint(4) + varint(len(values)) + zigzag(values[0] if values else 0)
    deltas = [b - a for a, b in zip(values, values[1:])]
    for begin in range(0, len(deltas), 128):
        block = deltas[begin : begin + 128]
        least = min(block)
        count = -(-len(block) // 32)
        data += zigzag(least) + bytes([64] * count + [0] * (4 - count))
        block += [least] * (count * 32 - len(block))
        data += b"".join(struct.pack("<Q", delta - least) for delta in block)
    return data


def share(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def encode_values(values, kind, encoding):
    if encoding == DELTA_BINARY_PACKED:
        return pack_deltas(values)
    if encoding == DELTA_LENGTH_BYTE_ARRAY:
        return pack_deltas([len(value) for value in values]) + b"".join(values)
    if encoding == DELTA_BYTE_ARRAY:
        shared = [share(a, b) for a, b in zip([b"", *values], values)]
        rest = [value[n:] for value, n in zip(values, shared)]
        return pack_deltas(shared) + encode_values(rest, kind, DELTA_LENGTH_BYTE_ARRAY)
    if kind == BYTE_ARRAY:
        return b"".join(struct.pack("<I", len(value)) + value for value in values)
    return b"".join(struct.pack("<i" if kind == INT32 else "<q", value) for value in values)


def compress(data, codec):
    return gzip.compress(data, mtime=0) if codec == GZIP else data


def make_page(header, levels, values, codec, version):
    """A page of data of version 1 or 2, or (version 0) one of a dictionary."""
    if version == 2:
        stored = levels + compress(values, codec)
    else:
        levels = struct.pack("<I", len(levels)) + levels if levels else b""
        stored = compress(levels + values, codec)
    kind = {0: 2, 1: 0, 2: 3}[version]
    place = {0: 7, 1: 5, 2: 8}[version]
    return struct_of({1: kind, 2: len(levels) + len(values), 3: len(stored), place: header}) + stored


def make_chunk(values, kind, *, encoding, codec, version, page_rows):
    """The pages of a column, with None for nulls, and where the first page of data is."""
    data = b""
    known = sorted({value for value in values if value is not None})
    if encoding == RLE_DICTIONARY:
        data = make_page({1: len(known), 2: PLAIN}, b"", encode_values(known, kind, PLAIN), codec, 0)
    first = len(data)
    for begin in range(0, len(values), page_rows):
        page = values[begin : begin + page_rows]
        levels = pack_bits([int(value is not None) for value in page], 1)
        there = [value for value in page if value is not None]
        if encoding == RLE_DICTIONARY:
            width = max(len(known) - 1, 0).bit_length()
            content = bytes([width]) + pack_bits([known.index(value) for value in there], width)
        else:
            content = encode_values(there, kind, encoding)
        if version == 2:
            header = {1: len(page), 2: len(page) - len(there), 3: len(page), 4: encoding, 5: len(levels), 6: 0}
        else:
            header = {1: len(page), 2: encoding, 3: RLE, 4: RLE}
        data += make_page(header, levels, content, codec, version)
    return data, first


def make_parquet(columns, *, encodings=None, codec=UNCOMPRESSED, version=1, group_rows=None, page_rows=None, kinds=None):
    """A file of optional columns: {name: values}, of bytes or integers, with None for nulls."""
    encodings, kinds = encodings or {}, kinds or {}
    count = len(next(iter(columns.values())))
    data, groups = b"PAR1", []
    for name, values in columns.items():
        is_text = any(isinstance(value, bytes) for value in values) or name in ("path", "raw")
        kinds.setdefault(name, BYTE_ARRAY if is_text else INT64)
    for begin in range(0, count, group_rows or count):
        chunks = []
        for name, values in columns.items():
            values = values[begin : begin + (group_rows or count)]
            encoding = encodings.get(name, PLAIN)
            pages, first = make_chunk(
                values, kinds[name], encoding=encoding, codec=codec, version=version, page_rows=page_rows or count
            )
            meta = {1: kinds[name], 2: [encoding], 3: [name.encode()], 4: codec, 5: len(values)}
            meta.update({6: len(pages), 7: len(pages), 9: len(data) + first})
            if first:
                meta[11] = len(data)
            chunks.append({2: len(data), 3: meta})
            data += pages
        groups.append({1: chunks, 2: len(data), 3: len(values)})
    schema = [{4: b"schema", 5: len(columns)}, *({1: kinds[name], 3: 1, 4: name.encode()} for name in columns)]
    footer = struct_of({1: 2, 2: schema, 3: count, 4: groups})
    return data + footer + struct.pack("<I", len(footer)) + b"PAR1"
