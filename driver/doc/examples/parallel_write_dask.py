# SPDX-License-Identifier: MIT
"""Writes an array and its overviews with Dask. Tasks write whole chunks, so they never wait for each other.

    python3 parallel_write_dask.py <new store> [address of a Dask scheduler]

Needs the package "distributed", and zarrkit. Without an address, the workers are two processes on this machine.
"""

import itertools
import subprocess
import sys

import numpy as np
from distributed import Client
from osgeo import gdal

ROWS, COLUMNS, CHUNK = 1500, 2000, 256


def create(store):
    options = ["FORMAT=ZARR_V3", f"BLOCKSIZE={CHUNK},{CHUNK}", "COMPRESS=ZSTD", "ARRAY_NAME=waves"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, COLUMNS, ROWS, 1, gdal.GDT_Float32, options)
    dataset.BuildOverviews("AVERAGE", [2, 4])  # without values; their methods are stored


def write(store, row, column):
    """Computes and writes one chunk. Runs in a worker, which may be on another machine."""
    gdal.UseExceptions()  # workers do not run main()
    rows, columns = np.arange(row, min(row + CHUNK, ROWS)), np.arange(column, min(column + CHUNK, COLUMNS))
    values = np.add.outer(np.sin(rows / 50), np.cos(columns / 80)).astype("f4")
    # PARTIAL_WRITES=ERROR rejects a task that covers only a part of a chunk: some stores have neither locks nor conditional writes.
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["PARTIAL_WRITES=ERROR"])
    dataset.WriteArray(values, column, row)
    dataset.FlushCache()  # raises errors; errors on closing a dataset are only printed


def refresh(store, unit):
    gdal.UseExceptions()
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=[f"REFRESH_OVERVIEWS={unit}"]).FlushCache()


def run_zarrkit(command, store):
    return subprocess.check_output(["zarrkit", command, store, "--array", "waves", "--overviews"], text=True).splitlines()


def main(store, address=None):
    gdal.UseExceptions()
    create(store)
    with Client(address) if address else Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        places = itertools.product(range(0, ROWS, CHUNK), range(0, COLUMNS, CHUNK))
        client.gather([client.submit(write, store, *place, pure=False) for place in places])
        for _, units in itertools.groupby(run_zarrkit("plan", store), lambda unit: unit.split()[0]):  # level by level
            client.gather([client.submit(refresh, store, unit, pure=False) for unit in units])
    run_zarrkit("finish", store)  # the overviews lack nothing now


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
