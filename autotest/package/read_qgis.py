# SPDX-License-Identifier: MIT
"""QGIS shows a demo store with rectilinear chunks through the installed plugin, with the values that it must have."""

import numpy as np
from qgis.core import Qgis, QgsApplication, QgsRasterLayer

application = QgsApplication([], False)
application.initQgis()
expected = np.load("/root/data/expected_relief.npy")
layer = QgsRasterLayer("/root/data/relief_v3_rectilinear.zarr", "relief", "gdal")
assert layer.isValid(), layer.error().message()
assert (layer.width(), layer.height()) == (1080, 540)
block = layer.dataProvider().block(1, layer.extent(), layer.width(), layer.height())
values = [block.value(row, column) for row in range(0, 540, 60) for column in range(0, 1080, 60)]
np.testing.assert_array_equal(values, expected[::60, ::60].ravel())
print(f"QGIS {Qgis.version()}: {len(values)} values as expected")
application.exitQgis()
