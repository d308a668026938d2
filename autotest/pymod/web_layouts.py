# SPDX-License-Identifier: MIT
"""Stores of 64 x 64 values in 16 chunks, in the forms in which stores on the web are kept, and the requests that they
take."""

import typing

import numpy as np
from stores import consolidate_v2, consolidate_v3, write_sharded, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(1, 64 * 64 + 1, dtype="<i4").reshape(64, 64)
FILL = 7


def write_consolidated_v2(store, skip):
    write_v2_group(store)
    write_v2(f"{store}/t", DATA, (16, 16), compressor={"id": "zlib", "level": 1}, fill=FILL, skip=skip)
    consolidate_v2(store)


def write_consolidated_v3(store, skip):
    write_v3_group(store)
    write_v3(f"{store}/t", DATA, (16, 16), compress=True, fill=FILL, skip=skip)
    consolidate_v3(store)


class Layout(typing.NamedTuple):
    write: typing.Callable  # of (store, grid indices of chunks that are absent)
    opening: int  # requests
    reading: int  # requests for all values
    last: str  # the end of the key of the last chunk


LAYOUTS = {
    "v2": Layout(lambda store, skip: write_v2(store, DATA, (16, 16), fill=FILL, skip=skip), 5, 16, "/3.3"),
    "v2 consolidated": Layout(write_consolidated_v2, 2, 16, "/t/3.3"),
    "v3": Layout(lambda store, skip: write_v3(store, DATA, (16, 16), fill=FILL, skip=skip), 1, 16, "/c/3/3"),
    "v3 consolidated": Layout(write_consolidated_v3, 1, 16, "/t/c/3/3"),
    # The four shards are so small that each takes one request.
    "shards": Layout(lambda store, skip: write_sharded(store, DATA, (32, 32), (16, 16), fill=FILL, skip=skip), 1, 4, "/c/1/1"),
}
