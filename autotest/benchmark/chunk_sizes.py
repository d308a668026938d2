#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What chunks, codecs and caches cost, for a raster of 4096 x 4096 Int16 in a local folder.

    chunk_sizes.py [--svg FILE] [--runs N]      about 300 MB of disk in a temporary folder

Prints the tables of driver/doc/performance.md, and draws the picture of the first one. Each number is the least of several
runs. It is the time of the processors, of all threads together: that changes least where other programs run.
"""
import argparse
import os
import shutil
import tempfile
import time

import numpy as np
import plot
import values
from osgeo import gdal

gdal.UseExceptions()

SIZE = 4096
EDGES = (64, 128, 256, 512, 1024, 2048, 4096)
CODECS = ("NONE", "BLOSC", "BLOSC_CNAME=zstd", "BLOSC_CNAME=zstd BLOSC_SHUFFLE=BIT PREDICTOR=2", "ZSTD", "ZSTD PREDICTOR=2")
CODECS += ("GZIP", "LZMA")


def least_of(runs, work):
    """The least time that a piece of work takes of the processors, in milliseconds."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        work()
        times.append(1000 * (time.process_time() - begin))
    return min(times)


def make(folder, source, *options):
    path = os.path.join(folder, "store.zarr")
    shutil.rmtree(path, ignore_errors=True)
    gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=["FORMAT=ZARR_V3", *options])
    return path


def disk_use(path):
    """Bytes of files, and their number."""
    sizes = [os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names]
    return sum(sizes), len(sizes)


def windows_of(size, number=40):
    """Windows at places that follow no chunk."""
    random = np.random.default_rng(3)
    return [(*random.integers(0, SIZE - size, 2).tolist(), size, size) for _ in range(number)]


def time_windows(path, size, runs):
    """Milliseconds for one window of which nothing is in a cache."""
    windows = windows_of(size)
    with WithoutCache():
        dataset = gdal.Open(path)
        return least_of(runs, lambda: [dataset.ReadRaster(*window) for window in windows]) / len(windows)


class WithoutCache:
    """While this lasts, no decoded chunk is kept."""

    def __enter__(self):
        gdal.SetConfigOption("ZARR_CACHE_SIZE", "0")

    def __exit__(self, *_):
        gdal.SetConfigOption("ZARR_CACHE_SIZE", None)


def read_all(path):
    gdal.Open(path).ReadRaster()


def read_rows(dataset):
    for row in range(512):
        dataset.ReadRaster(0, row, SIZE, 1)


def time_all(path, runs):
    with WithoutCache():
        return least_of(runs, lambda: read_all(path))


def measure_chunks(folder, source, runs):
    rows = []
    for layout in [(edge, None) for edge in EDGES] + [(128, 2048), (256, 2048), (512, 4096)]:
        edge, shard = layout
        options = [f"BLOCKSIZE={edge},{edge}"] + ([f"SHARD_SHAPE={shard},{shard}"] if shard else [])
        path = make(folder, source, *options)
        size, files = disk_use(path)
        times = [time_all(path, runs), *(time_windows(path, window, runs) for window in (1024, 256, 1))]
        rows.append((edge, shard, files, size, *times))
    return rows


def print_chunks(rows):
    best = [min(row[i] for row in rows) for i in range(4, 8)]
    smallest = min(row[3] for row in rows)
    print("| chunks | files | size | all | a window of 1024² | of 256² | a pixel |\n|---|---|---|---|---|---|---|")
    for edge, shard, files, size, *times in rows:
        name = f"{edge}²" + (f" in shards of {shard}²" if shard else "")
        ratios = " | ".join(f"{t / b:.1f}" for t, b in zip(times, best))
        print(f"| {name} | {files} | {size / smallest:.2f} | {ratios} |")
    print("least times in ms:", [f"{b:.3g}" for b in best])


def draw(rows, path):
    plain = [row for row in rows if row[1] is None]
    titles = ("all pixels", "a window of 1024 x 1024", "a window of 256 x 256", "one pixel")
    panels = [
        plot.Panel(f"{title}: milliseconds", "pixels along the edge of a chunk", [(row[0], row[4 + i]) for row in plain])
        for i, title in enumerate(titles)
    ]
    plot.draw(panels, path)


def measure_codecs(folder, source, runs):
    rows = []
    for codec in CODECS:
        names = codec.split()
        if "=" in names[0]:
            names.insert(0, "BLOSC")
        options = ["BLOCKSIZE=512,512", f"COMPRESS={names[0]}", *names[1:]]
        path = make(folder, source, *options)
        write = least_of(max(1, runs // 3), lambda options=options: make(folder, source, *options))
        rows.append((" ".join(options[1:]), disk_use(path)[0], write, time_all(path, runs)))
    return rows


def print_codecs(rows):
    _, size, write, read = rows[0]
    print("| options | size | write | read |\n|---|---|---|---|")
    for name, *numbers in rows:
        print(f"| `{name}` | " + " | ".join(f"{n / base:.2f}" for n, base in zip(numbers, (size, write, read))) + " |")


def print_caches(folder, source, runs):
    path = make(folder, source, "BLOCKSIZE=512,512", "COMPRESS=ZSTD")
    cold = time_windows(path, 256, runs)
    dataset, windows = gdal.Open(path), windows_of(256)
    warm = least_of(runs, lambda: [dataset.ReadRaster(*window) for window in windows]) / len(windows)
    print(f"a window again: {cold / warm:.0f} times as fast")
    with WithoutCache():
        dataset = gdal.Open(path)
        by_rows = least_of(max(1, runs // 3), lambda: read_rows(dataset))
    dataset = gdal.Open(path)
    by_rows_cached = least_of(runs, lambda: read_rows(dataset))
    print(f"512 rows one by one, without cache to with: {by_rows / by_rows_cached:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", help="where the picture goes")
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    source = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_Int16)
    source.WriteArray(values.elevation(SIZE, SIZE))
    with tempfile.TemporaryDirectory() as folder:
        rows = measure_chunks(folder, source, arguments.runs)
        print_chunks(rows)
        if arguments.svg:
            draw(rows, arguments.svg)
        print_codecs(measure_codecs(folder, source, arguments.runs))
        print_caches(folder, source, arguments.runs)


if __name__ == "__main__":
    main()
