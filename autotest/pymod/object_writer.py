# SPDX-License-Identifier: MIT
"""One of several processes that change one store in an object store at the same time.

    object_writer.py <store> <number> <count of processes> <changes> <seed>

Each change is of a random kind: of a part of a chunk or a shard, of an attribute, of the length of an array with an
element at its new end, or a new node. A change that fails is made again. Prints what must be in the store at the end,
as JSON: the values of the cells, attributes and elements that belong to this process, and the nodes that it has made."""

import contextlib
import json
import random
import sys

import closing
import numpy as np
from osgeo import gdal
from plugin_in_use import check

gdal.UseExceptions()
check()

SIZE, CHUNK = 96, 32
NAMES = 12  # of nodes that all processes try to make


def make_store(path, version="ZARR_V3"):
    """Makes the store that the processes change."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT={version}"])
    root = dataset.GetRootGroup()
    y, x = root.CreateDimension("y", None, None, SIZE), root.CreateDimension("x", None, None, SIZE)
    number = gdal.ExtendedDataType.Create(gdal.GDT_Int32)
    root.CreateMDArray("chunks", [y, x], number, [f"BLOCKSIZE={CHUNK},{CHUNK}"])
    shards = [f"BLOCKSIZE={CHUNK // 4},{CHUNK // 4}", f"SHARD_SHAPE={CHUNK},{CHUNK}"] if version == "ZARR_V3" else []
    root.CreateMDArray("shards", [y, x], number, shards or [f"BLOCKSIZE={CHUNK},{CHUNK}"])
    time = root.CreateDimension("time", None, None, 1)
    root.CreateMDArray("series", [time], number, ["BLOCKSIZE=16"])
    root.CreateGroup("group")
    del root
    assert dataset.FlushCache() in (None, gdal.CE_None)


class Writer:
    def __init__(self, path, number, count, seed):
        self.path, self.number, self.count = path, number, count
        self.random = random.Random(seed)
        self.expected = {"chunks": {}, "shards": {}, "series": {}, "attributes": {}, "made": [], "own": []}
        self.done = self.failures = 0
        self.dataset = None

    def open(self):
        if not self.dataset:
            self.dataset = gdal.OpenEx(self.path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        return self.dataset.GetRootGroup()

    def close(self):
        dataset, self.dataset = self.dataset, None
        if dataset:
            closing.close(dataset)

    def give_up(self):
        """Closes a dataset that has failed, and whose closing fails, too."""
        with contextlib.suppress(RuntimeError):
            self.close()

    def run(self, changes):
        while self.done < changes:
            kinds = [self.change_cells, self.change_attribute, self.make_own, self.make_common]
            kinds += [self.lengthen] if hasattr(gdal.MDArray, "Resize") else []  # since GDAL 3.7
            kind = self.random.choices(kinds, [60, 25, 3, 4, 8][: len(kinds)])[0]
            self.repeat(kind, self.done)
            self.done += 1
            if self.random.random() < 0.1:
                self.repeat(lambda _: self.close(), 0)
        self.repeat(lambda _: self.close(), 0)

    def repeat(self, change, value):
        """Makes a change, again in another dataset if it fails; it may have been made then, in whole or in part."""
        state = self.random.getstate()
        for _ in range(50):
            self.random.setstate(state)
            try:
                return change(value)
            except RuntimeError as error:
                self.failures += 1
                print(f"{self.number}: {error}", file=sys.stderr)
                self.give_up()
        raise RuntimeError("a change has failed 50 times")

    def change_cells(self, value):
        """Sets one to three cells of a row of a chunk; each column belongs to one process."""
        name = self.random.choice(["chunks", "shards"])
        row = self.random.randrange(SIZE)
        columns = [x for x in range(self.number, SIZE, self.count)] or [self.number % SIZE]
        column = self.random.choice(columns)
        cell = np.array([[value + 1]], "i4")
        self.open().OpenMDArray(name).Write(cell, array_start_idx=[row, column], count=[1, 1])
        self.dataset.FlushCache()
        self.expected[name][f"{row},{column}"] = value + 1

    def change_attribute(self, value):
        root = self.open()
        where = self.random.choice(["chunks", "group", ""])
        node = root.OpenMDArray(where) if where == "chunks" else root.OpenGroup(where) if where else root
        name = f"k{self.number}_{self.random.randrange(6)}"
        text = gdal.ExtendedDataType.CreateString()
        is_there = name in [attribute.GetName() for attribute in node.GetAttributes()]
        attribute = node.GetAttribute(name) if is_there else node.CreateAttribute(name, [], text)
        attribute.Write(f"v{value}")
        self.dataset.FlushCache()
        self.expected["attributes"][f"{where}:{name}"] = f"v{value}"

    def lengthen(self, value):
        """Appends an element that belongs to this process."""
        index = len(self.expected["series"]) * self.count + self.number + 1
        series = self.open().OpenMDArray("series")
        if series.GetDimensions()[0].GetSize() <= index:
            series.Resize([index + 1])
        series.Write(np.array([value + 1], "i4"), array_start_idx=[index], count=[1])
        self.dataset.FlushCache()
        self.expected["series"][str(index)] = value + 1

    def make(self, name, is_there=False):
        root = self.open()
        number = gdal.ExtendedDataType.Create(gdal.GDT_Int32)
        array = root.OpenMDArray(name) if is_there else root.CreateMDArray(name, [], number)
        array.Write(np.array(self.number + 1, "i4"))
        del array, root
        self.dataset.FlushCache()

    def make_own(self, value):
        name = f"own{self.number}_{value}"
        try:
            self.make(name)
        except RuntimeError as error:
            if "already" not in str(error):
                raise
            self.give_up()
            self.make(name, is_there=True)  # this process has made it, and got no answer
        self.expected["own"].append(name)

    def make_common(self, _):
        """One of the processes can make it."""
        name = f"common{self.random.randrange(NAMES)}"
        try:
            self.make(name)
            self.expected["made"].append(name)
        except RuntimeError as error:
            if "already" not in str(error):
                raise
            self.give_up()


def main():
    path, number, count, changes, seed = sys.argv[1], *map(int, sys.argv[2:])
    writer = Writer(path, number, count, seed)
    writer.run(changes)
    print(json.dumps({**writer.expected, "done": writer.done, "failures": writer.failures}))


if __name__ == "__main__":
    main()
