# SPDX-License-Identifier: MIT
"""Levels that are built again after another program has made an array longer."""

import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_group, write_v2, write_v2_group, write_v3, write_v3_group


def write(store, version, count, rows=8):
    data = np.arange(count * rows * 8, dtype="f4").reshape(count, rows, 8)
    axes = {"time": np.arange(count, dtype="i8"), "y": -np.arange(float(rows)), "x": np.arange(8.0)}
    for name, values, names in [("v", data, list(axes)), *[(name, values, [name]) for name, values in axes.items()]]:
        if version == 2:
            write_v2(f"{store}/{name}", values, attributes={"_ARRAY_DIMENSIONS": names})
        else:
            write_v3(f"{store}/{name}", values, names=names)
    return data


def add_levels(store, factors=(2,)):
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.BuildOverviews("NEAREST", list(factors))


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


@pytest.mark.parametrize("version", [2, 3])
def test_their_rows_grow_as_well(store, version):
    (write_v2_group if version == 2 else write_v3_group)(store)
    write(store, version, 2)
    add_levels(store)
    write(store, version, 2, rows=16)
    with collect_errors() as errors:
        add_levels(store)
    assert errors == []
    group = open_group(store).OpenGroup("ovr_2x")
    assert [d.GetName() for d in group.OpenMDArray("v").GetDimensions()] == ["time", "y", "x"]
    assert group.OpenMDArray("y").ReadAsArray().tolist() == [-0.5 - 2 * i for i in range(8)]
    add_levels(store, [])
    assert not os.path.exists(f"{store}/ovr_2x")
