# SPDX-License-Identifier: MIT
"""Makes Icechunk repositories, and commits to them, also from several processes at once."""

import contextlib
import multiprocessing

import numpy as np
from closing import close
from osgeo import gdal

OPTIONS = ["FORMAT=ICECHUNK", "BLOCKSIZE=8,8", "ARRAY_NAME=a", "COMPRESS=NONE"]
SIDE = 8  # of a chunk
COLUMNS = 40


@contextlib.contextmanager
def changing(path, *options):
    """A dataset whose changes are committed when the block ends."""
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=list(options))
    yield dataset
    close(dataset)


def make_repository(path, values):
    rows, columns = values.shape
    kind = {"int16": gdal.GDT_Int16, "int32": gdal.GDT_Int32}[values.dtype.name]
    dataset = gdal.GetDriverByName("Zarr").Create(path, columns, rows, 1, kind, OPTIONS)
    dataset.WriteArray(values)
    close(dataset)


def write_block(path, row, value):
    with changing(path) as dataset:
        dataset.GetRasterBand(1).WriteArray(np.full((SIDE, SIDE), value), 0, row)


def write_blocks(settings, path, blocks):
    """The work of a process: one commit for each (row, value)."""
    gdal.UseExceptions()
    for name, value in settings.items():
        gdal.SetConfigOption(name, value)
    for row, value in blocks:
        write_block(path, row, value)


def start_process(settings, path, blocks):
    process = multiprocessing.get_context("spawn").Process(target=write_blocks, args=(settings, path, blocks))
    process.start()
    return process


def wait(processes):
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)


def start_team(settings, path, team, count):
    """Starts processes that write blocks of rows one after the other, each with the number of its block."""
    blocks = [[(SIDE * k, k + 1) for k in range(i * count, (i + 1) * count)] for i in range(team)]
    return [start_process(settings, path, mine) for mine in blocks]


def expect_team(path, team, count):
    """Checks that each block has what its process has written."""
    column = gdal.Open(path).ReadAsArray()[: SIDE * team * count, 0]
    assert column.tolist() == [row // SIDE + 1 for row in range(SIDE * team * count)]
