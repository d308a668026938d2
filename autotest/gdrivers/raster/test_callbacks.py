# SPDX-License-Identifier: MIT
"""A progress callback may use the dataset that is being written, because nothing is locked while it runs."""

import subprocess
import sys

import pytest

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
    command = [sys.executable, "-c", WRITE, store, action, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "done\n", done.stderr
