# SPDX-License-Identifier: MIT
"""Writes one array from many processes with Dask. Each task writes whole chunks, so tasks never wait for each other.

    python3 parallel_write_dask.py <new store> [address of a Dask scheduler]

Needs the package "distributed". Without an address, the workers are two processes on this machine.
"""

import itertools
import sys

import numpy as np
from distributed import Client
from osgeo import gdal

ROWS, COLUMNS, CHUNK = 1500, 2000, 256


def create(store):
    """Creates the array; only its metadata are written."""
    options = ["FORMAT=ZARR_V3", f"BLOCKSIZE={CHUNK},{CHUNK}", "COMPRESS=ZSTD", "ARRAY_NAME=waves"]
    gdal.GetDriverByName("Zarr").Create(store, COLUMNS, ROWS, 1, gdal.GDT_Float32, options).FlushCache()


def write(store, row, column):
    """Computes and writes one chunk. Runs in a worker, which may be on another machine."""
    gdal.UseExceptions()  # workers do not run main()
    rows = np.arange(row, min(row + CHUNK, ROWS))
    columns = np.arange(column, min(column + CHUNK, COLUMNS))
    values = np.add.outer(np.sin(rows / 50), np.cos(columns / 80)).astype("f4")
    # PARTIAL_WRITES=ERROR rejects a task that covers only a part of a chunk: some stores have neither locks nor conditional writes.
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["PARTIAL_WRITES=ERROR"])
    dataset.WriteArray(values, column, row)
    dataset.FlushCache()  # raises errors; errors on closing a dataset are only printed


def main(store, address=None):
    gdal.UseExceptions()
    create(store)
    local = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(address) if address else Client(**local) as client:
        tasks = itertools.product(range(0, ROWS, CHUNK), range(0, COLUMNS, CHUNK))
        client.gather([client.submit(write, store, row, column, pure=False) for row, column in tasks])
    # Metadata, such as overviews, are written by one process after the workers have finished.
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2, 4])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
