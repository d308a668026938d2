# SPDX-License-Identifier: MIT
"""No call waits for itself where chunks of the same dataset wait to be written."""

import os
import subprocess
import sys

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import check
from stores import write_v2, write_v2_group, write_v3, write_v3_group

CALLS = {
    "SetGeoTransform": lambda dataset: dataset.SetGeoTransform([0, 1, 0, 0, 0, -1]),
    "SetProjection": lambda dataset: dataset.SetProjection("EPSG:32631"),
    "SetMetadata": lambda dataset: dataset.SetMetadata({"a": "1", "AREA_OR_POINT": "Point"}),
    "SetMetadataItem": lambda dataset: dataset.SetMetadataItem("a", "1"),
    "SetNoDataValue": lambda dataset: dataset.GetRasterBand(1).SetNoDataValue(3),
    "SetStatistics": lambda dataset: dataset.GetRasterBand(1).SetStatistics(0, 1, 0, 1),
    "SetDescription": lambda dataset: dataset.GetRasterBand(1).SetDescription("text"),
    "BuildOverviews": lambda dataset: dataset.BuildOverviews("NEAREST", [2]),
    "FlushCache": lambda dataset: dataset.FlushCache(),
}


def write_part_and_call(name, calls):
    """Writes a part of a chunk before each call."""
    gdal.UseExceptions()
    dataset = gdal.Open(name, gdal.GA_Update)
    for i, call in enumerate(calls):
        dataset.GetRasterBand(1).WriteArray(np.full((2, 2), 7, "i2"), 4 * i, 0)
        dataset.GetRasterBand(1).FlushCache()
        CALLS[call](dataset)
    dataset = None
    assert gdal.Open(name).ReadAsArray().sum() == len(calls) * 4 * 7


def copy_to_memory(folder, target):
    gdal.Mkdir(target, 0o777)
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as f:
                gdal.FileFromMemBuffer(f"{target}/{os.path.relpath(file, folder)}", f.read())


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize("array", ["", "/a"])
@pytest.mark.parametrize("write, write_group", [(write_v2, write_v2_group), (write_v3, write_v3_group)])
def test_no_call_waits_for_its_own_chunks(store, write, write_group, array, in_memory):
    if array:
        write_group(store)
    write(store + array, np.zeros((40, 40), "i2"), (20, 20))
    calls = [call for call in CALLS if array or call != "BuildOverviews"]  # a store that is an array has no place for them
    command = [sys.executable, __file__, store, array, str(in_memory), *calls]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert child.returncode == 0, child.stdout + child.stderr


if __name__ == "__main__":
    check()
    store, array, in_memory, *calls = sys.argv[1:]
    if in_memory == "True":
        copy_to_memory(store, "/vsimem/a.zarr")
        store = "/vsimem/a.zarr"
    write_part_and_call(f'ZARR:"{store}":{array}' if array else store, calls)


class Stored:
    """Counts how many versions of the chunks of a store have been there whenever `look` was called."""

    def __init__(self, path):
        self.path, self.versions = path, set()

    def look(self):
        for folder, _, names in os.walk(self.path):
            for name in names:
                if name not in ("zarr.json", ".zarray", ".zattrs", ".zgroup", ".zmetadata"):
                    status = os.stat(os.path.join(folder, name))
                    self.versions.add((folder, name, status.st_ino, status.st_mtime_ns))


@pytest.mark.parametrize("options", [["FORMAT=ZARR_V2"], ["FORMAT=ZARR_V3"], ["FORMAT=ZARR_V3", "SHARD_SHAPE=32,64"]])
@pytest.mark.parametrize("multidim", [False, True])
def test_rows_that_are_read_and_written_by_turns_store_each_chunk_once(tmp_path, options, multidim):
    """Programs such as nearblack change an image in place, row by row."""
    path = str(tmp_path / "r.zarr")
    values = np.arange(48 * 64, dtype="u2").reshape(48, 64)
    ds = gdal.GetDriverByName("Zarr").Create(path, 64, 48, 1, gdal.GDT_UInt16, ["BLOCKSIZE=16,32", *options])
    ds.WriteArray(values)
    ds = None
    flags = gdal.OF_UPDATE | (gdal.OF_MULTIDIM_RASTER if multidim else gdal.OF_RASTER)
    ds = gdal.OpenEx(path, flags)
    array = ds.GetRootGroup().OpenMDArray(ds.GetRootGroup().GetMDArrayNames()[0]) if multidim else None
    stored = Stored(path)
    stored.look()
    before = len(stored.versions)
    for y in range(48):
        if array:
            row = array.ReadAsArray([y, 0], [1, 64])
            array.Write(row + 1, [y, 0], [1, 64])
        else:
            row = ds.ReadAsArray(0, y, 64, 1)
            ds.WriteArray(row + 1, 0, y)
        np.testing.assert_array_equal(row, values[y : y + 1])
        stored.look()
    array = ds = None
    stored.look()
    assert len(stored.versions) == 2 * before
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), values + 1)
