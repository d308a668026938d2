# SPDX-License-Identifier: MIT
"""Statistics that become attributes."""
import json

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2, write_v3
from versions import GDAL_VERSION

pytestmark = pytest.mark.skipif(GDAL_VERSION < 308, reason="needs GDAL 3.8 or later")


def compute(store, mode=gdal.OF_UPDATE, approximate=False):
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | mode)
    group = dataset.GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    statistics = array.ComputeStatistics(approximate, options=["UPDATE_METADATA=YES"])
    return statistics.min, statistics.max


def read_range(store):
    group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    attribute = {a.GetName(): a for a in group.OpenMDArray(group.GetMDArrayNames()[0]).GetAttributes()}
    return list(attribute["actual_range"].Read()) if "actual_range" in attribute else None


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("values", [[1.5, 2.5], [-3, 7]])
def test_exact_statistics_become_the_attribute_actual_range(store, write, values):
    write(store, np.array(values))
    assert compute(store) == tuple(values)
    assert read_range(store) == values


def test_integers_stay_integers(store):
    write_v3(store, np.array([-3, 7]))
    compute(store)
    with open(f"{store}/zarr.json") as f:
        assert f.read().count(".") == 0
    with open(f"{store}/zarr.json") as f:
        assert json.load(f)["attributes"]["actual_range"] == [-3, 7]


def test_the_range_is_that_of_unpacked_values(store):
    write_v3(store, np.array([1, 5], "<u2"), attributes={"scale_factor": -2.0, "add_offset": 1.0})
    compute(store)
    assert read_range(store) == [-9, -1]


def test_a_read_only_array_is_not_changed(store):
    write_v3(store, np.array([1.5, 2.5]))
    assert compute(store, 0) == (1.5, 2.5)
    assert read_range(store) is None
