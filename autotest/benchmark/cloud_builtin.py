#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the requests of the plugin and of GDAL's built-in driver for the same reads, by the log of the server.

    cloud_builtin.py [--plugin FOLDER] [--latency SECONDS] [--python COMMAND]

Each read is done in a new process. Prints a Markdown table: requests / round trips of the two, the least number of
requests that the read can take, and the seconds. The built-in driver needs GDAL 3.8 for v3; --python names a Python with
another GDAL, for instance in a chroot, which has to see the server on the loopback, and the plugin's folder.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "autotest", "pymod"))  # before this folder, which has a stores.py too

import numpy as np  # noqa: E402
import stores  # noqa: E402  (that of autotest/pymod)
from fault_server import FaultServer  # noqa: E402

READ = """
import json, sys, time
from osgeo import gdal
gdal.UseExceptions()
name, window, place = json.loads(sys.argv[1])
begin = time.perf_counter()
dataset = gdal.Open(name)
if place:
    dataset.GetGeoTransform(), dataset.GetSpatialRef()
if window:
    dataset.ReadRaster(*window)
print(time.perf_counter() - begin)
"""

EDGE = 1024
PIXEL = [5, 5, 1, 1]


def write_store(folder, version, consolidated, place):
    """Writes one array of 16 chunks, with or without coordinates. Returns the name of the store."""
    name = f"v{version}-{consolidated}-{place}.zarr"
    path = os.path.join(folder, name)
    (stores.write_v3_group if version == 3 else stores.write_v2_group)(path)
    names = ["y", "x"]
    arrays = {"t": (names, np.ones((EDGE, EDGE), "<i2"), [EDGE // 4] * 2)}
    if place:
        arrays |= {axis: ([axis], np.arange(EDGE, dtype="<f8"), None) for axis in names}
    for array, (dimensions, data, chunks) in arrays.items():
        attributes = {} if array == "t" else {"standard_name": f"projection_{array}_coordinate", "units": "m"}
        if version == 3:
            stores.write_v3(f"{path}/{array}", data, chunks, names=dimensions, attributes=attributes)
        else:
            stores.write_v2(f"{path}/{array}", data, chunks, attributes={"_ARRAY_DIMENSIONS": dimensions, **attributes})
    if consolidated:
        (stores.consolidate_v3 if version == 3 else stores.consolidate_v2)(path)
    return name


def write_shards(folder):
    stores.write_v3_group(os.path.join(folder, "shards.zarr"))
    data = np.arange(EDGE * EDGE, dtype="<i4").reshape(EDGE, EDGE)
    stores.write_sharded(os.path.join(folder, "shards.zarr", "t"), data, (512, 512), (64, 64), names=["y", "x"])
    stores.consolidate_v3(os.path.join(folder, "shards.zarr"))
    return "shards.zarr"


def write_dates(folder):
    stores.write_v3_group(os.path.join(folder, "dates.zarr"))
    data = np.ones((1000, 16, 16), "<i2")
    stores.write_v3(os.path.join(folder, "dates.zarr", "t"), data, [1, 16, 16], names=["time", "y", "x"])
    stores.consolidate_v3(os.path.join(folder, "dates.zarr"))
    return "dates.zarr"


def make_cases(folder):
    """Title, name of the store, window, whether the place is asked for, the least requests."""
    window = [0, 0, EDGE, EDGE]
    plain = write_store(folder, 3, True, False)
    yield "open, v3 consolidated", plain, None, False, 1
    yield "open, v2 consolidated", write_store(folder, 2, True, False), None, False, 1
    yield "open, window of 16 chunks", plain, window, False, 17
    yield "open, an inner chunk of a shard", write_shards(folder), PIXEL, False, 3
    yield "open, 1,000 dates of a pixel", write_dates(folder), PIXEL, False, 1001
    for version in (3, 2):
        for consolidated in (True, False):
            title = f"open, place, window, v{version}{'' if consolidated else ' not'} consolidated"
            least = 19 if consolidated else 22 if version == 3 else 25
            yield title, write_store(folder, version, consolidated, True), window, True, least


def read(server, python, driver_path, job):
    server.clear()
    environment = {**os.environ, "GDAL_DRIVER_PATH": driver_path}
    done = subprocess.run([*python, "-c", READ, json.dumps(job)], capture_output=True, text=True, env=environment)
    if done.returncode:
        return "fails: " + done.stderr.strip().rpartition("\n")[2][:60]
    return f"{server.count()} / {server.round_trips()}, {float(done.stdout):.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build", "gdalplugins"))
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--python", type=shlex.split, default=[sys.executable])
    arguments = parser.parse_args()
    print("| | plugin | built-in | least requests |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        with FaultServer(folder, latency=arguments.latency).serve() as server:
            for title, store, window, place, least in make_cases(folder):
                job = [f'ZARR:"/vsicurl/{server.url}/{store}":/t', window, place]
                cells = [read(server, arguments.python, path, job) for path in (arguments.plugin, "disable")]
                print(f"| {title} | {cells[0]} | {cells[1]} | {least} |", flush=True)


if __name__ == "__main__":
    main()
