#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the stores that write_stores wrote with zarr-python (2 or 3, whichever is installed), and compares their values.

    check_stores.py <folder>

What this zarr-python does not know (v3 stores for version 2, a codec that it lacks) is named and counted as not known;
a value or an error of another kind fails.
"""
import json
import os
import sys

import numpy as np
import zarr

ROWS, COLUMNS = 13, 17
NOT_KNOWN = ("not available", "not registered", "codec not available", "unknown codec", "No Zarr data type", "UnknownCodec",
             "rectilinear", "requires the")

# Stores with what zarr-python reads from 3.1 on only: floats of 8 bits in a filter, shards within shards, newer codecs and
# types. Rectilinear grids, which came later still, are told by its message.
UNKNOWN_TO_30 = ("v2_filter_bitround", "v3_cast_value", "v3_scale_offset", "v3_shard_nested", "v3_vlen_bytes")


def is_known(name):
    """Whether the zarr-python that is installed is to read a store."""
    if zarr.__version__.startswith("2"):
        return not name.startswith("v3")
    return not (zarr.__version__.startswith("3.0.") and name.startswith(UNKNOWN_TO_30))


def expected(dtype):
    i = np.arange(ROWS * COLUMNS)
    number = (i * 37) % 113 - 20
    number[(i // COLUMNS >= 8) & (i % COLUMNS >= 12)] = 0
    if dtype.kind == "b":
        values = number > 10
    elif dtype.kind in "iu":
        values = number.astype("i8").astype(dtype)
    elif dtype.kind == "f":
        values = (number * 0.25).astype(dtype)
    else:
        values = (number * 0.25 - 1j * number).astype(dtype)
    return values.reshape(ROWS, COLUMNS)


def expected_text():
    values = ["" if i % 5 == 0 else ("é" if i % 3 == 0 else "s") + str(i) for i in range(ROWS * COLUMNS)]
    return np.array(values, object).reshape(ROWS, COLUMNS)


def is_v3(path):
    return os.path.exists(os.path.join(path, "zarr.json"))


def read(path):
    if zarr.__version__.startswith("2"):
        return zarr.open_array(zarr.DirectoryStore(path), mode="r")[...]
    zarr.config.set({"array.rectilinear_chunks": True})
    return zarr.open_array(store=path, mode="r", zarr_format=3 if is_v3(path) else 2)[...]


def differs(path, got):
    got = np.asarray(got)
    if "vlen" in path:
        text = [v.decode() if isinstance(v, bytes) else v for v in got.astype(object).ravel()]
        return text != expected_text().ravel().tolist()
    want = expected(got.dtype)
    if "zfpy" in path:
        return not np.allclose(got, want, atol=1e-3)
    return not np.array_equal(got, want)


def main():
    folder = sys.argv[1]
    counts = {"read": 0, "not known": 0, "failed": 0}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not is_known(name):
            counts["not known"] += 1
            continue
        try:
            result = "failed" if differs(path, read(path)) else "read"
            message = "values differ"
        except Exception as error:  # whatever the reader throws is its answer
            message = f"{type(error).__name__}: {error}"
            result = "not known" if any(text.lower() in message.lower() for text in NOT_KNOWN) else "failed"
        counts[result] += 1
        if result != "read":
            print(f"{result}: {name}: {message[:200]}")
    print(f"zarr-python {zarr.__version__}: " + ", ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if counts["failed"] or not counts["read"] else 0


if __name__ == "__main__":
    sys.exit(main())
