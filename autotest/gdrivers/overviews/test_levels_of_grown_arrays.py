# SPDX-License-Identifier: MIT
"""Levels that are built again after another program has made an array longer."""

import numpy as np
import pytest
from osgeo import gdal
from stores import open_group, write_v2, write_v2_group, write_v3, write_v3_group


def write(store, version, count):
    data = np.arange(count * 64, dtype="f4").reshape(count, 8, 8)
    axes = {"time": np.arange(count, dtype="i8"), "y": np.arange(8.0)[::-1].copy(), "x": np.arange(8.0)}
    for name, values, names in [("v", data, list(axes)), *[(name, values, [name]) for name, values in axes.items()]]:
        if version == 2:
            write_v2(f"{store}/{name}", values, attributes={"_ARRAY_DIMENSIONS": names})
        else:
            write_v3(f"{store}/{name}", values, names=names)
    return data


def add_levels(store):
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.BuildOverviews("NEAREST", [2])


@pytest.mark.parametrize("version", [2, 3])
def test_their_coordinates_grow_as_well(store, version):
    (write_v2_group if version == 2 else write_v3_group)(store)
    write(store, version, 2)
    add_levels(store)
    data = write(store, version, 3)
    add_levels(store)
    group = open_group(store).OpenGroup("ovr_2x")
    assert group.OpenMDArray("v").ReadAsArray().shape == (3, 4, 4)
    assert group.OpenMDArray("time").ReadAsArray().tolist() == [0, 1, 2]
    assert len(group.OpenMDArray("x").ReadAsArray()) == 4
    assert gdal.Open(f'ZARR:"{store}":/v').ReadAsArray().shape == data.shape
