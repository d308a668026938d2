# SPDX-License-Identifier: MIT
"""Processes that change one store at the same time, and the stores that they change.

ZARR_ROUNDS repeats the tests with processes so many times (default: 2).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from osgeo import gdal

ROUNDS = int(os.environ.get("ZARR_ROUNDS", "2"))
SIZE = 128
_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "writer_process.py")


class Team:
    """Processes that do one job after the other, each of which they begin at once."""

    def __init__(self, count):
        self.messages = tempfile.TemporaryFile("a+")  # a pipe that nobody reads would fill up
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages, text=True)
        self.processes = [subprocess.Popen([sys.executable, _PROGRAM], **pipes) for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.communicate()
        self.messages.close()

    def _tell(self, lines):
        for process, line in zip(self.processes, lines):
            process.stdin.write(line + "\n")
            process.stdin.flush()

    def _await(self, answer):
        for process in self.processes:
            line = process.stdout.readline()
            assert line == answer + "\n", self.read_messages()

    def read_messages(self):
        self.messages.seek(0)
        return self.messages.read()[-4000:]

    def begin(self, kind, path, **arguments):
        count = len(self.processes)
        jobs = [dict(arguments, kind=kind, path=path, number=i, count=count) for i in range(count)]
        self._tell(map(json.dumps, jobs))
        self._await("ready")
        self._tell([""] * count)

    def run(self, kind, path, **arguments):
        self.begin(kind, path, **arguments)
        self._await("done")


LAYOUTS = {
    "v1": ["FORMAT=ZARR_V1", "BLOCKSIZE=128,128"],
    "v2": ["FORMAT=ZARR_V2", "BLOCKSIZE=48,48"],
    "v3": ["FORMAT=ZARR_V3", "BLOCKSIZE=128,128"],
    "shards": ["FORMAT=ZARR_V3", "BLOCKSIZE=16,16", "SHARD_SHAPE=64,64"],
    "rectilinear": ["FORMAT=ZARR_V3", "CHUNK_EDGES=Y:50,78;X:100,28"],
}


def make_raster(path, options):
    if os.path.exists(path):
        shutil.rmtree(path)
    gdal.GetDriverByName("Zarr").Create(path, SIZE, SIZE, 1, gdal.GDT_Byte, options)


def expect_rows(path):
    values = gdal.OpenEx(path, gdal.OF_RASTER).ReadAsArray()
    np.testing.assert_array_equal(values, np.repeat(1 + np.arange(SIZE) % 100, SIZE).reshape(SIZE, SIZE))


def list_files(path):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
