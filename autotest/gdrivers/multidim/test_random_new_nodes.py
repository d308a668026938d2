# SPDX-License-Identifier: MIT
"""Random sequences of new nodes, attributes, values and flushes leave the same files in a store that was just made as in one
that was opened again.

ZARR_NEW_NODES sets the number of sequences for each version (20)."""

import os
import pathlib
import random

import numpy as np
import pytest
from osgeo import gdal

SEQUENCES = int(os.environ.get("ZARR_NEW_NODES", "20"))
FLOAT = gdal.ExtendedDataType.Create(gdal.GDT_Float32)
TEXT = gdal.ExtendedDataType.CreateString()


class Sequence:
    def __init__(self, seed, dataset):
        self.random = random.Random(seed)
        self.dataset, self.root = dataset, dataset.GetRootGroup()
        self.dimensions = [self.root.CreateDimension(name, None, None, 6) for name in "xy"]
        self.groups, self.arrays = [self.root], []

    def run(self):
        changes = [self.make_group, self.make_array, self.set_attribute, self.write, self.set_unit, self.set_nodata]
        for number in range(self.random.randrange(3, 30)):
            change = self.random.choices([*changes, self.flush], [5, 5, 5, 2, 1, 1, 1])[0]
            if self.arrays or change not in (self.write, self.set_unit, self.set_nodata):
                change(number)

    def make_group(self, number):
        self.groups.append(self.random.choice(self.groups).CreateGroup(f"g{number}"))

    def make_array(self, number):
        group = self.random.choice(self.groups)
        dimensions = self.dimensions[: self.random.randrange(3)]
        self.arrays.append(group.CreateMDArray(f"a{number}", dimensions, FLOAT, ["COMPRESS=NONE"]))

    def set_attribute(self, number):
        node = self.random.choice(self.groups + self.arrays)
        name = f"k{number}"
        node.CreateAttribute(name, [], TEXT).Write(f"v{number}")

    def write(self, number):
        array = self.random.choice(self.arrays)
        array.Write(np.full([d.GetSize() for d in array.GetDimensions()], number + 1, "f4"))

    def set_unit(self, number):
        self.random.choice(self.arrays).SetUnit(f"u{number}")

    def set_nodata(self, number):
        self.random.choice(self.arrays).SetNoDataValueDouble(number)

    def flush(self, _):
        self.dataset.FlushCache()


def read_files(folder):
    return {str(p.relative_to(folder)): p.is_file() and p.read_bytes() for p in pathlib.Path(folder).rglob("*")}


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_files_are_those_of_nodes_that_are_written_at_once(tmp_path, version):
    for seed in range(SEQUENCES):
        files = []
        for kind in ("new", "opened"):
            path = f"{tmp_path}/{seed}_{kind}.zarr"
            dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT={version}"])
            if kind == "opened":
                del dataset
                dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
            Sequence(seed, dataset).run()
            del dataset
            files.append(read_files(path))
        assert len(files[0]) > 1 and files[0] == files[1], seed
