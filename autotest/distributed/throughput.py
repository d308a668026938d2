#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the MB/s of a loop in one process, and of jobs of one and two workers, that write and read an array.

Usage: /usr/bin/python3 autotest/distributed/throughput.py [megabytes] [folder]    (default: 512, temporary folder)

The array has chunks of v2, chunks of v3, or shards, compressed by Zstandard. Megabytes are 10^6 bytes, decoded. Each
time is the shortest of three runs. It includes the time that Dask takes to send the tasks, and not the start of the
workers. That of writing includes the making of the values, and that of reading their sums. What is read comes from the
system's cache.
"""

import os
import shutil
import sys
import tempfile
import time

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(_ROOT, "build", "gdalplugins"))

import jobs  # noqa: E402  (its import of osgeo.gdal reads GDAL_DRIVER_PATH)

RUNS = 3
COLUMNS = 8192
LAYOUTS = {
    "v2, chunks of 512": ["FORMAT=ZARR_V2", "BLOCKSIZE=512,512"],
    "v3, chunks of 512": ["FORMAT=ZARR_V3", "BLOCKSIZE=512,512"],
    "v3, shards of 2048": ["FORMAT=ZARR_V3", "BLOCKSIZE=2048,2048", "SHARD_CHUNK_SHAPE=512,512"],
}
CODEC = ["COMPRESS=ZSTD", "ZSTD_LEVEL=3"]


def measure(work, before=lambda: None):
    """Returns the shortest time that `work` takes, and what it returns."""
    times = []
    for _ in range(RUNS):
        before()
        started = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - started)
    return min(times), result


def read_serially(job, units):
    return jobs.combine_statistics([jobs.get_statistics(unit, job) for unit in units])


def run_on_workers(client, task, job, units):
    return client.gather(client.map(task, units, job=job, pure=False))


def measure_way(job, options, units, client):
    """Returns the times to write and to read all units: by workers, or in a loop if there is no client."""

    def create():
        shutil.rmtree(job.store, ignore_errors=True)
        jobs.create(job, options)

    def write():
        return run_on_workers(client, jobs.write_unit, job, units) if client else jobs.write_serially(job, units)

    def read():
        if client is None:
            return read_serially(job, units)
        return jobs.combine_statistics(run_on_workers(client, jobs.get_statistics, job, units))

    written, _ = measure(write, create)
    read_time, statistics = measure(read)
    return written, read_time, statistics


def measure_layouts(folder, rows, client, name):
    for layout, options in LAYOUTS.items():
        job = jobs.Job(os.path.join(folder, "throughput.zarr"), (rows, COLUMNS), "i4", "raster")
        shutil.rmtree(job.store, ignore_errors=True)
        jobs.create(job, options + CODEC)
        units = jobs.plan(job.store)
        written, read, statistics = measure_way(job, options + CODEC, units, client)
        assert statistics["count"] == rows * COLUMNS
        megabytes = rows * COLUMNS * 4 / 1e6
        print(f"{layout:20}{name:12}{len(units):8}{megabytes / written:10.0f}{megabytes / read:10.0f}", flush=True)


def main():
    from distributed import Client

    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    rows = max(1, megabytes * 10**6 // (COLUMNS * 4 * 2048)) * 2048
    print(f"{rows} x {COLUMNS} Int32, {os.cpu_count()} CPUs, GDAL_NUM_THREADS={os.environ.get('GDAL_NUM_THREADS', '')}")
    print(f"{'layout':20}{'by':12}{'units':>8}{'write':>10}{'read':>10}   MB/s")
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        measure_layouts(folder, rows, None, "a loop")
        for workers in 1, 2:
            with jobs.start_cluster(folder, workers) as cluster, Client(cluster) as client:
                measure_layouts(folder, rows, client, f"{workers} worker" + "s" * (workers > 1))


if __name__ == "__main__":
    main()
