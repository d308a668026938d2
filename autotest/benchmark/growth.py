# SPDX-License-Identifier: MIT
"""How time and memory grow: with the size of the array, the number of chunks, of arrays and of threads, and the size of
shards. Printed as tables and drawn to one SVG file."""
import os
import statistics
import sys

import open_many
import plot
from programs import run_program
from stores import Store

READ = """
import resource, sys, time
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
start = time.perf_counter()
dataset = gdal.Open(sys.argv[1])
opened = time.perf_counter()
out = np.full(dataset.RasterXSize * dataset.RasterYSize * 2, 1, "u1")
filled = time.perf_counter()
dataset.ReadRaster(buf_obj=out)
end = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - out.nbytes
print(end - filled + opened - start, peak)
"""


def read_point(data, store, runs, **environment):
    """Median seconds, and MiB of peak memory without the buffer."""
    path = data.store(store)
    results = []
    for _ in range(runs):
        output = run_program([sys.executable, "-c", READ, path], data.plugin, **environment)["output"]
        results.append([float(word) for word in output.split()])
    return statistics.median(r[0] for r in results), statistics.median(r[1] for r in results) / 2**20


def square(name, size, chunk, **more):
    return Store(f"growth-{name}-{size}-{chunk}", "elevation", (size, size), (chunk, chunk), "blosc-lz4", **more)


def series(data, quick):
    """(title, unit of x, [(x, seconds, MiB)])."""
    runs, top = (2, 4096) if quick else (5, 16384)
    sizes = [size for size in (1024, 2048, 4096, 8192, 16384) if size <= top]
    yield "array size", "Mpixel", [
        (size * size / 1e6, *read_point(data, square("size", size, 512), runs)) for size in sizes
    ]
    side = sizes[-2]
    yield "chunks", "chunks", [
        ((side // chunk) ** 2, *read_point(data, square("chunks", side, chunk), runs))
        for chunk in (2048, 1024, 512, 256, 128, 64)
    ]
    yield "threads", "threads", [
        (n, *read_point(data, square("size", side, 512), runs, GDAL_NUM_THREADS=str(n))) for n in (1, 2, 4, 8)
    ]
    yield "shard size, inner chunks of 256²", "pixels along an edge", [
        (edge, *read_point(data, square(f"shard{edge}", side, 256, version=3, shard=(edge, edge)), runs))
        for edge in (512, 1024, 2048, 4096)
        if edge <= side
    ]
    yield "arrays", "arrays", [(count, *many_point(data, count, runs)) for count in (10, 100, 1000, 2000, 5000)]


def many_point(data, count, runs):
    path = os.path.join(data.folder, f"growth-many-{count}.zarr")
    if not os.path.exists(path):
        open_many.write_v3(path, count)
    code = "import resource; from osgeo import gdal; import sys, time; start = time.perf_counter(); "
    code += "d = gdal.Open(sys.argv[1]); d.GetSubDatasets(); "
    code += "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)"
    results = [
        [float(w) for w in run_program([sys.executable, "-c", code, path], data.plugin)["output"].split()]
        for _ in range(runs)
    ]
    return statistics.median(r[0] for r in results), statistics.median(r[1] for r in results) / 2**20


def draw(data, path, quick):
    panels = []
    for title, unit, points in series(data, quick):
        print(f"\n| {unit} | ms | MiB besides the buffer |\n|---|---|---|")
        for x, seconds, memory in points:
            print(f"| {x:g} | {seconds * 1000:.1f} | {memory:.0f} |")
        panels.append(plot.Panel(f"{title}: ms", unit, [(x, seconds * 1000) for x, seconds, _ in points]))
        panels.append(plot.Panel(f"{title}: MiB", unit, [(x, memory) for x, _, memory in points]))
    plot.draw(panels, path)
