#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the keys and values of byte archives, the inputs of some fuzz targets.

    show_archive.py FILE...
"""
import struct
import sys

MOST_SHOWN = 2000


def parse_archive(data):
    """The pairs of key and value; lengths end at the end of the input."""
    while len(data) >= 6:
        key_length, value_length = struct.unpack("<HI", data[:6])
        key, data = data[6 : 6 + key_length], data[6 + key_length :]
        value, data = data[:value_length], data[value_length:]
        yield key, value


def main(paths):
    if not paths:
        sys.exit(__doc__)
    for path in paths:
        with open(path, "rb") as stream:
            for key, value in parse_archive(stream.read()):
                print(f"{key.decode(errors='backslashreplace')} ({len(value)} bytes)")
                print("   ", value[:MOST_SHOWN].decode(errors="backslashreplace"))


if __name__ == "__main__":
    main(sys.argv[1:])
