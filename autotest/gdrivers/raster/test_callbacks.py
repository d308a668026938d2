# SPDX-License-Identifier: MIT
"""A callback may use the dataset that calls it, because nothing is locked while it runs: a progress callback the one that
is being written, an error handler the one whose place is being read."""

import subprocess

import numpy as np
import pytest
from plugin_in_use import python
from stores import consolidate_v3, write_v3, write_v3_group

WRITE = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
store, action, *options = sys.argv[1:]
dataset = gdal.GetDriverByName("Zarr").Create(store, 256, 200, 1, gdal.GDT_UInt16, ["FORMAT=ZARR_V3", *options])
band = dataset.GetRasterBand(1)
values = np.arange(256 * 200, dtype=np.uint16).reshape(200, 256) + 1
seen = []
def callback(share, message, data):
    seen.append(share)
    if action == "read":
        found = band.ReadAsArray()
        assert ((found == 0) | (found == values)).all()
    elif action == "flush":
        dataset.FlushCache()
    else:
        band.WriteArray(values[:10, :10])
    return 1
band.WriteArray(values, callback=callback)
assert seen and seen[-1] == 1
assert (band.ReadAsArray() == values).all()
band = dataset = None
assert (gdal.Open(store).ReadAsArray() == values).all()
print("done")
"""


@pytest.mark.parametrize("options", [["BLOCKSIZE=16,16", "SHARD_SHAPE=64,64"], ["BLOCKSIZE=64,64"]], ids=["shards", "chunks"])
@pytest.mark.parametrize("action", ["read", "flush", "write"])
def test_a_callback_may_use_the_array(store, action, options):
    command = python(WRITE, store, action, *options)
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "done\n", done.stderr


ASK = """
import sys
from osgeo import gdal
name, flags = sys.argv[1], int(sys.argv[2])
dataset = gdal.OpenEx(name, flags)
told = []
def handler(level, number, text):
    told.append(text)
    if len(told) == 1:
        ask()
if flags == gdal.OF_RASTER:
    ask = lambda: (dataset.GetSpatialRef(), dataset.GetMetadata(), dataset.GetGeoTransform())
else:
    array = dataset.GetRootGroup().OpenMDArray("a")
    ask = lambda: array.GetSpatialRef()
gdal.PushErrorHandler(handler)
ask()
gdal.PopErrorHandler()
assert any("coordinate reference system" in text for text in told), told
if flags == gdal.OF_RASTER:
    assert dataset.GetGeoTransform() == (-0.5, 1, 0, -0.5, 0, 1), dataset.GetGeoTransform()
print("done")
"""


@pytest.mark.parametrize("flags", [2, 16], ids=["raster", "array"])
def test_an_error_handler_may_ask_for_the_place_that_is_being_read(store, server, flags):
    write_v3_group(store)
    write_v3(f"{store}/a", np.ones((4, 5), "u1"), names=["y", "x"], attributes={"grid_mapping": "crs"})
    write_v3(f"{store}/crs", np.array(0, "<i4"), names=[], attributes={"crs_wkt": "no CRS"})
    for name, length in (("y", 4), ("x", 5)):
        write_v3(f"{store}/{name}", np.arange(length, dtype="f8"), names=[name])
    consolidate_v3(store)
    name = f'ZARR:"/vsicurl/{server.url}/test.zarr"' + (":/a" if flags == 2 else "")
    done = subprocess.run(python(ASK, name, flags), capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "done\n", done.stderr
