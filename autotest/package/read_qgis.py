# SPDX-License-Identifier: MIT
"""QGIS shows a demo store with rectilinear chunks through the installed plugin, with the values that it must have."""

import numpy as np
from qgis.core import Qgis, QgsApplication, QgsRasterLayer


def read_values():
    """Every 60th value of each 60th row. Layers must be gone before QGIS ends, so this is a function of its own."""
    layer = QgsRasterLayer("/root/data/relief_v3_rectilinear.zarr", "relief", "gdal")
    assert layer.isValid(), layer.error().message()
    assert (layer.width(), layer.height()) == (1080, 540)
    block = layer.dataProvider().block(1, layer.extent(), layer.width(), layer.height())
    return [block.value(row, column) for row in range(0, 540, 60) for column in range(0, 1080, 60)]


application = QgsApplication([], False)
application.initQgis()
values = read_values()
np.testing.assert_array_equal(values, np.load("/root/data/expected_relief.npy")[::60, ::60].ravel())
print(f"QGIS {Qgis.version()}: {len(values)} values as expected")
application.exitQgis()
