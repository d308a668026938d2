# SPDX-License-Identifier: MIT
"""Rasterio reads the demo stores through the installed plugin; only that one reads those with rectilinear chunks."""

import numpy as np
import rasterio

EXPECTED = np.load("/root/data/expected_relief.npy")

for name in ("relief_v2", "relief_v3_sharded", "relief_v3_rectilinear"):
    with rasterio.open(f"/root/data/{name}.zarr") as dataset:
        assert dataset.driver == "Zarr"
        np.testing.assert_array_equal(dataset.read(1), EXPECTED)
print(f"rasterio {rasterio.__version__}, GDAL {rasterio.__gdal_version__}: all values as expected")
