#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what reading a store on the web takes, by the metadata domain ZARR_REQUESTS, and times it.

    cloud.py [--plugin FOLDER] [--latency SECONDS] [--mbit N] [--size N] [--runs N]

Writes one raster of N x N values of int16 (4096 by default), zstd, in chunks and in shards of several sizes. A server on
the loopback takes 50 ms for each request, and sends 100 Mbit/s. Reads one pixel, a window of 1024 x 1024 that lies across
chunks, and everything, each in a new process, and prints the tables of driver/doc/requests.md: requests, round trips, megabytes,
and the median of the seconds of several runs. Opening is a table of its own.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "autotest", "pymod"))  # before this folder, which has a stores.py too

import numpy as np  # noqa: E402
import stores  # noqa: E402  (that of autotest/pymod)
import values  # noqa: E402
from fault_server import FaultServer  # noqa: E402

READ = """
import json, sys, time
from osgeo import gdal, gdal_array
gdal.UseExceptions()
name, window, place = json.loads(sys.argv[1])

def count(dataset):
    return {key: float(value) for key, value in dataset.GetMetadata("ZARR_REQUESTS").items()}

begin = time.perf_counter()
dataset = gdal.Open(name)
before = dict.fromkeys(count(dataset), 0.0)
if place:
    dataset.GetGeoTransform()
if window:
    before, begin = count(dataset), time.perf_counter()
    dataset.ReadAsArray(*window)
seconds = time.perf_counter() - begin
counts = {key: value - before[key] for key, value in count(dataset).items()}
print(json.dumps([counts["REQUESTS"], counts["ROUND_TRIPS"], counts["BYTES"], seconds]))
"""


class Layout:
    def __init__(self, chunk, shard=None):
        self.chunk, self.shard = chunk, shard
        self.array = f"{chunk}-{shard or 'plain'}"
        self.store = f"{self.array}.zarr"

    @property
    def title(self):
        return f"shards of {self.shard}², inner chunks of {self.chunk}²" if self.shard else f"chunks of {self.chunk}²"

    def options(self):
        options = ["FORMAT=ZARR_V3", f"BLOCKSIZE={self.chunk},{self.chunk}", "COMPRESS=ZSTD"]
        return options + ([f"SHARD_SHAPE={self.shard},{self.shard}"] if self.shard else [])


LAYOUTS = [
    *(Layout(chunk) for chunk in (256, 512, 1024, 2048)),
    *(Layout(chunk, 4096) for chunk in (64, 256, 512, 1024)),
    Layout(256, 1024),
]


def write(folder, layout, raster):
    from osgeo import gdal

    gdal.UseExceptions()
    height, width = raster.shape
    dataset = gdal.GetDriverByName("Zarr").Create(
        os.path.join(folder, layout.store), width, height, 1, gdal.GDT_Int16, layout.options()
    )
    dataset.WriteArray(raster)
    dataset.FlushCache()


def write_with_place(folder, version, consolidated):
    """Writes a small raster with coordinates, as xarray does. Returns the name of the store."""
    name = f"place-{version}-{consolidated}.zarr"
    path = os.path.join(folder, name)
    arrays = {"t": (["y", "x"], np.zeros((64, 64), "<i2"))}
    arrays |= {axis: ([axis], np.arange(64, dtype="<f8")) for axis in ("y", "x")}
    (stores.write_v3_group if version == 3 else stores.write_v2_group)(path)
    for array, (dimensions, data) in arrays.items():
        attributes = {} if array == "t" else {"standard_name": f"projection_{array}_coordinate", "units": "m"}
        if version == 3:
            stores.write_v3(f"{path}/{array}", data, names=dimensions, attributes=attributes)
        else:
            stores.write_v2(f"{path}/{array}", data, attributes={"_ARRAY_DIMENSIONS": dimensions, **attributes})
    if consolidated:
        (stores.consolidate_v3 if version == 3 else stores.consolidate_v2)(path)
    return name


def measure(server, store, array, window, place, runs):
    results = []
    for _ in range(runs):
        job = json.dumps([f'ZARR:"/vsicurl/{server.url}/{store}":/{array}', window, place])
        done = subprocess.run([sys.executable, "-c", READ, job], check=True, capture_output=True, text=True)
        results.append(json.loads(done.stdout))
    requests, trips, size, _ = results[0]
    return int(requests), int(trips), size / 1e6, statistics.median(seconds for *_, seconds in results)


def format_result(result):
    requests, trips, megabytes, seconds = result
    return f"{requests} / {trips} | {megabytes:.3g} | {seconds:.2f}"


def print_reading(server, size, runs):
    edge = size // 4
    windows = [[size // 3, size // 3, 1, 1], [size // 3, size // 3, edge, edge], [0, 0, size, size]]
    print(f"\n| | a pixel | MB | s | {edge}² | MB | s | all | MB | s |\n|---|{'---|' * 9}")
    for layout in LAYOUTS:
        cells = [format_result(measure(server, layout.store, layout.array, window, False, runs)) for window in windows]
        print(f"| {layout.title} | {' | '.join(cells)} |")


def print_opening(server, folder, runs):
    print("\n| | open | s | open, with the place | s |\n|---|---|---|---|---|")
    for version in (3, 2):
        for consolidated in (True, False):
            store = write_with_place(folder, version, consolidated)
            cells = []
            for place in (False, True):
                requests, trips, _, seconds = measure(server, store, "t", None, place, runs)
                cells.append(f"{requests} / {trips} | {seconds:.2f}")
            print(f"| v{version}, {'' if consolidated else 'not '}consolidated | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "gdalplugins"))
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--mbit", type=float, default=100)
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    os.environ["GDAL_DRIVER_PATH"] = arguments.plugin
    raster = values.elevation(arguments.size, arguments.size)
    with tempfile.TemporaryDirectory() as folder:
        for layout in LAYOUTS:
            write(folder, layout, raster)
        # Entity tags would have to be computed for each request.
        bandwidth = arguments.mbit * 1e6 / 8
        with FaultServer(folder, latency=arguments.latency, tags=False, bandwidth=bandwidth).serve() as server:
            print_reading(server, arguments.size, arguments.runs)
            print_opening(server, folder, arguments.runs)


if __name__ == "__main__":
    main()
