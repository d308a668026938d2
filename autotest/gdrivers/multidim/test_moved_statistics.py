# SPDX-License-Identifier: MIT
"""Statistics and coordinate epochs of arrays, which GDAL keeps in a side file by the arrays' names, follow their
arrays."""

import shutil

import numpy as np
import pytest
from osgeo import gdal, osr
from stores import open_for_update, open_group
from versions import needs_deletion

pytestmark = pytest.mark.usefixtures("side_files")


def add(group, name, value):
    dimensions = {d.GetName(): d for d in group.GetDimensions()}
    y, x = (dimensions.get(n) or group.CreateDimension(n, None, None, 5) for n in "yx")
    array = group.CreateMDArray(name, [y, x], gdal.ExtendedDataType.Create(gdal.GDT_Int16))
    array.Write(np.full((5, 5), value, np.int16))
    return array


def describe_later(array):
    array.ComputeStatistics()
    srs = osr.SpatialReference()
    srs.SetFromUserInput("EPSG:9000")
    srs.SetCoordinateEpoch(2021.5)
    array.SetSpatialRef(srs)


def read(store, name):
    array = open_group(store).OpenMDArrayFromFullname(f"/{name}")
    statistics, srs = array.GetStatistics(False, False), array.GetSpatialRef()
    return statistics and statistics.max, (srs and srs.GetCoordinateEpoch()) or None


@pytest.fixture
def group(store):
    """A store with the array g/a, which has statistics and an epoch."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, options=["FORMAT=ZARR_V3"])
    add(dataset.GetRootGroup().CreateGroup("g"), "a", 7)
    dataset = None
    dataset, root = open_for_update(store)
    describe_later(root.OpenGroup("g").OpenMDArray("a"))
    del dataset, root
    assert read(store, "g/a") == (7, 2021.5)
    return store


def test_a_new_array_does_not_inherit_those_of_a_removed_one(group):
    shutil.rmtree(f"{group}/g/a")
    dataset, root = open_for_update(group)
    add(root.OpenGroup("g"), "a", 1)
    del dataset, root
    assert read(group, "g/a") == (None, None)


@needs_deletion
@pytest.mark.parametrize("node, path", [("a", "g/b"), ("g", "b/a")])
def test_they_follow_a_renamed_node(group, node, path):
    dataset, root = open_for_update(group)
    g = root.OpenGroup("g")
    (g if node == "g" else g.OpenMDArray("a")).Rename("b")
    del dataset, root, g
    assert read(group, path) == (7, 2021.5)
    with open(f"{group}/pam.aux.xml") as f:
        text = f.read()
    assert text.count("<Statistics") == 1


@needs_deletion
@pytest.mark.parametrize("node", ["a", "g"])
def test_they_are_removed_with_a_node(group, node):
    dataset, root = open_for_update(group)
    root.DeleteGroup("g") if node == "g" else root.OpenGroup("g").DeleteMDArray("a")
    del dataset, root
    with open(f"{group}/pam.aux.xml") as f:
        text = f.read()
    assert "<Statistics" not in text and "<SRS" not in text
