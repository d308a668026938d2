# SPDX-License-Identifier: MIT
"""Writes classic netCDF files of one variable, without the netCDF library."""

import struct

CHARACTER = 2
TYPES = {"S1": CHARACTER, ">i1": 1, ">i2": 3, ">i4": 4, ">f4": 5, ">f8": 6}


def _integers(*values):
    return struct.pack(f">{len(values)}i", *values)


def _padded(data):
    return data + b"\0" * (-len(data) % 4)


def _name(text):
    return _integers(len(text)) + _padded(text.encode())


def write_variable(path, name, data, dimensions, attributes):
    """Writes an array of numpy, of one of the TYPES, with attributes that are text."""
    header = b"CDF\x01" + _integers(0, 10, len(dimensions))
    for dimension, size in zip(dimensions, data.shape):
        header += _name(dimension) + _integers(size)
    header += _integers(0, 0, 11, 1) + _name(name) + _integers(data.ndim, *range(data.ndim))
    header += _integers(12, len(attributes)) if attributes else _integers(0, 0)
    for key, text in attributes.items():
        header += _name(key) + _integers(CHARACTER, len(text)) + _padded(text.encode())
    values = _padded(data.tobytes())
    kind = "S1" if data.dtype.kind == "S" else data.dtype.newbyteorder(">").str.replace("|", ">")
    header += _integers(TYPES[kind], len(values))
    with open(path, "wb") as file:
        file.write(header + _integers(len(header) + 4) + values)
    return path
