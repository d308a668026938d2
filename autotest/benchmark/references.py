#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What many references cost: references.py [--references N] [--own] [--folder FOLDER].

A TIFF with N strips of one byte (10 million by default) is presented by references in Parquet, in a virtual repository of
Icechunk, and, if it has at most a million strips, in JSON. `--own` also makes a repository with chunks of its own, each of them in
the manifest, at about 100,000 a second. Each is opened, and read at one place and then at another one, in a new process: as local
files, and from a web server on the loopback that counts. Printed are seconds, the most MiB that it took besides GDAL and Python,
and the requests beside the fewest that the format allows."""

import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "pymod"))

import numpy as np  # noqa: E402
from http_server import Server  # noqa: E402

READ = """
import json, sys, time
from osgeo import gdal
gdal.UseExceptions()
name, rows = sys.argv[1], [int(row) for row in sys.argv[2:]]
gdal.GetDriverByName("Zarr")


def peak():
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM:"))


def took(step):
    begin = time.perf_counter()
    result = step()
    return result, time.perf_counter() - begin


before = peak()
dataset, opening = took(lambda: gdal.Open(name))
seconds, requests = [opening], []
print("opened", flush=True)
for row in rows:
    sys.stdin.readline()
    pixel, reading = took(lambda: dataset.ReadAsArray(0, row, 1, 1))
    assert pixel[0, 0] == row % 256, (row, pixel)
    seconds.append(reading)
    print("read", flush=True)
print(json.dumps([seconds, (peak() - before) / 1024]))
"""


@dataclasses.dataclass
class Form:
    """References of one kind: how they are made, and the fewest requests for opening, a first and a second pixel."""

    title: str
    name: str
    options: list
    fewest: tuple
    most: int = 10**9


# Parquet: `.zmetadata`; a part of the table and the chunk. Icechunk: `repo` and the snapshot; a manifest and the chunk.
FORMS = [
    Form("JSON", "all.json", ["FORMAT=KERCHUNK"], (1, 1, 1), 10**6),
    Form("Parquet", "all.parq", ["FORMAT=KERCHUNK"], (1, 2, 2)),
    Form("Icechunk, virtual", "all.icechunk", ["FORMAT=ICECHUNK", "VIRTUAL=YES"], (2, 2, 2)),
]
OWN = Form("Icechunk, inline", "own.icechunk", ["FORMAT=ICECHUNK", "BLOCKSIZE=1,1"], (2, 1, 1))


def write_strips(path, count):
    """A TIFF of one column, whose strips are one row, which is one byte. Its tables are written as arrays."""
    values, offsets = 8, 8 + count + count % 2
    sizes = offsets + 4 * count
    directory = sizes + 2 * count
    tags = [(256, 3, 1, 1), (257, 4, 1, count), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1)]
    tags += [(273, 4, count, offsets), (277, 3, 1, 1), (278, 3, 1, 1), (279, 3, count, sizes)]
    with open(path, "wb") as f:
        f.write(b"II" + np.array([42], "<u2").tobytes() + np.array([directory], "<u4").tobytes())
        np.resize(np.arange(256, dtype="u1"), offsets - values).tofile(f)
        (np.arange(count, dtype="<u4") + values).tofile(f)
        np.ones(count, "<u2").tofile(f)
        f.write(np.array([len(tags)], "<u2").tobytes())
        for tag, kind, number, value in tags:
            f.write(np.array([tag, kind], "<u2").tobytes() + np.array([number, value], "<u4").tobytes())
        f.write(bytes(4))


def make(form, source, folder):
    command = ["gdal_translate", "-q", "-of", "Zarr", *(word for option in form.options for word in ("-co", option))]
    subprocess.run([*command, source, os.path.join(folder, form.name)], check=True)


def measure(name, rows, log):
    """Seconds of opening and of each pixel, MiB, and the requests of each step."""
    environment = {**os.environ, "GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE": "YES"}
    process = subprocess.Popen(
        [sys.executable, "-c", READ, name, *map(str, rows)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    requests, line = [], process.stdout.readline()
    while line in ("opened\n", "read\n"):
        requests.append(len(log))
        log.clear()
        process.stdin.write("\n")
        process.stdin.flush()
        line = process.stdout.readline()
    process.communicate()
    if process.returncode:
        sys.exit(f"{name}: failed")
    return *json.loads(line), requests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--references", type=int, default=10**7)
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    settings = parser.parse_args()
    count = settings.references
    folder = tempfile.mkdtemp(dir=settings.folder)
    rows = (count // 3, count - 7)
    print("| references | where | seconds: open, pixel, another | MiB | requests | fewest |\n|---|---|---|---|---|---|")
    try:
        with Server(folder).serve() as server:
            write_strips(os.path.join(folder, "strips.tif"), count)
            for form in [form for form in [*FORMS, *([OWN] if settings.own else [])] if count <= form.most]:
                make(form, f"/vsicurl/{server.url}/strips.tif", folder)
                for place in (folder, f"/vsicurl/{server.url}"):
                    server.log.clear()
                    seconds, mib, requests = measure(f'ZARR:"{place}/{form.name}"', rows, server.log)
                    times = ", ".join(f"{value:.3f}" for value in seconds)
                    where = "web" if place.startswith("/vsicurl") else "local, chunks on the web"
                    print(f"| {form.title} | {where} | {times} | {mib:.0f} | {requests} | {list(form.fewest)} |", flush=True)
                path = os.path.join(folder, form.name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
