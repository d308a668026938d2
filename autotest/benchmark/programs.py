# SPDX-License-Identifier: MIT
"""Cases that are whole programs, each time a new process: gdal_translate, gdalinfo, and the memory that reading takes."""
import os
import statistics
import subprocess
import sys
import time

import open_many
from cases import Case, Goal

HERE = os.path.dirname(os.path.abspath(__file__))

READ_IN_ANY_ORDER = """
import random, sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
def resident(name):
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith(name)) * 1024
dataset = gdal.Open(sys.argv[1])
band = dataset.GetRasterBand(1)
out = np.full(dataset.RasterXSize * dataset.RasterYSize * 2, 1, "u1")
before = resident("VmRSS")
dataset.ReadRaster(buf_obj=out)
random.seed(3)
for size in (dataset.RasterXSize // 3, 700, 100):
    for _ in range(2000000 // size ** 2 + 300):
        x, y = random.randrange(dataset.RasterXSize - size), random.randrange(dataset.RasterYSize - size)
        band.ReadRaster(x, y, size, size, buf_obj=out[:size * size * 2])
for y in range(0, dataset.RasterYSize - 16, 16):
    band.ReadRaster(0, y, dataset.RasterXSize, 16, buf_obj=out[:dataset.RasterXSize * 32])
print(resident("VmHWM") - before)
"""


def run_program(command, driver_path, **more):
    """Wall and processor seconds, and what it printed."""
    environment = {**os.environ, "GDAL_DRIVER_PATH": driver_path, **more}
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return {"seconds": time.perf_counter() - start, "cpu": usage.ru_utime + usage.ru_stime, "output": output}


def medians_of(jobs, runs):
    results = {name: [] for name in jobs}
    for run in range(runs + 1):
        for name, job in jobs.items():
            result = job()
            if run > 0:
                results[name].append(result)
    return {name: {m: statistics.median(r[m] for r in all_) for m in ("seconds", "cpu")} for name, all_ in results.items()}


def translate(cases, data, runs):
    path, target = data.store(cases.zstd), os.path.join(data.folder, "translated.tif")
    command = ["gdal_translate", "-q", path, target]
    jobs = {
        "plugin": lambda: run_program(command, data.plugin),
        "built-in": lambda: run_program(command, "disable"),
    }
    goals = [Goal("plugin", "built-in", 0.8), Goal("plugin", "built-in", 1.0, "cpu")]
    return Case("gdal_translate to GeoTIFF, v2 zstd, 512", {}, goals), medians_of(jobs, runs)


def many_arrays(version, data, runs):
    path = os.path.join(data.folder, f"many{version}.zarr")
    if not os.path.exists(path):
        {2: open_many.write_v2, 3: open_many.write_v3}[version](path, 2000)
    jobs = {
        "plugin": lambda: run_program(["gdalinfo", path], data.plugin),
        "version": lambda: run_program(["gdalinfo", "--version"], data.plugin),
    }
    if version == 2:
        jobs["built-in"] = lambda: run_program(["gdalinfo", path], "disable")
    medians = medians_of(jobs, runs)
    base = medians.pop("version")
    for value in medians.values():
        for measure in value:
            value[measure] -= base[measure]
    return Case(f"gdalinfo of 2,000 arrays, v{version}, above --version", {}, [Goal("plugin", "", 0.030)]), medians


def memory(cases, data, _runs):
    """MiB, told as milliseconds are: the buffer is there before, the cache may be filled."""
    path = data.store(cases.zstd)
    limit, threads, chunk = 64 << 20, len(os.sched_getaffinity(0)), 512 * 512 * 2
    allowed = limit + threads * 2 * chunk + (64 << 20)
    done = run_program([sys.executable, "-c", READ_IN_ANY_ORDER, path], data.plugin, ZARR_CACHE_SIZE=str(limit))
    grown = float(done["output"]) / 2**20
    case = Case("memory, MiB above the buffer, cache of 64 MiB", {}, [Goal("plugin", "", allowed / 2**20 / 1000)])
    return case, {"plugin": {"seconds": grown / 1000, "cpu": grown / 1000}}


def all_programs(cases, data):
    yield "gdal_translate to GeoTIFF", lambda runs: translate(cases, data, runs)
    for version in (2, 3):
        yield f"gdalinfo of 2,000 arrays, v{version}", lambda runs, v=version: many_arrays(v, data, 2 * runs)
    yield "memory", lambda runs: memory(cases, data, runs)
