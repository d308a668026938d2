# SPDX-License-Identifier: MIT
"""The multidimensional API has no geotransform but coordinates: where a store has a transform and no coordinate arrays, those
of X and Y are computed."""

import os

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3, write_v3_group
from versions import GDAL_VERSION

pytestmark = pytest.mark.skipif(GDAL_VERSION < 313, reason="needs GDAL 3.13 or later, whose programs take such coordinates")
DATA = np.arange(24, dtype="<i2").reshape(4, 6)
PLACE = (500000.0, 10.0, 0.0, 4000000.0, 0.0, -20.0)
SPATIAL = {
    "zarr_conventions": [
        {"uuid": "f17cb550-5864-4468-aeb7-f3180cfb622f", "name": "proj:"},
        {"uuid": "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "name": "spatial:"},
    ],
    "proj:code": "EPSG:32631",
    "spatial:dimensions": ["y", "x"],
    "spatial:transform": [10.0, 0.0, 500000.0, 0.0, -20.0, 4000000.0],
}
X = 500005.0 + 10 * np.arange(6)
Y = 3999990.0 - 20 * np.arange(4)


def write(store, attributes=None, group=None, names=("y", "x"), data=DATA):
    write_v3_group(store, group)
    write_v3(f"{store}/a", data, data.shape, names=list(names), attributes=attributes)


def open_array(store, flags=0):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | flags).GetRootGroup().OpenMDArray("a")


def read_coordinates(array):
    variables = [dimension.GetIndexingVariable() for dimension in array.GetDimensions()]
    return [variable and variable.ReadAsArray() for variable in variables]


@pytest.mark.parametrize("place", [{"attributes": SPATIAL}, {"group": SPATIAL}], ids=["array", "group"])
def test_of_a_transform(store, place):
    write(store, **place)
    y, x = read_coordinates(open_array(store))
    np.testing.assert_array_equal(y, Y)
    np.testing.assert_array_equal(x, X)
    assert open_array(store).AsClassicDataset(1, 0).GetGeoTransform() == PLACE == gdal.Open(store).GetGeoTransform()


def test_they_outlive_their_array(store):
    write(store, SPATIAL)
    dimensions = open_array(store).GetDimensions()
    np.testing.assert_array_equal(dimensions[1].GetIndexingVariable().ReadAsArray(), X)


def test_only_x_and_y_have_them(store):
    write(store, SPATIAL, names=("band", "y", "x"), data=DATA.reshape(1, 4, 6))
    band, y, x = read_coordinates(open_array(store))
    assert band is None
    np.testing.assert_array_equal(y, Y)
    np.testing.assert_array_equal(x, X)


def test_a_program_keeps_the_place(store, tmp_path):
    write(store, SPATIAL)
    gdal.MultiDimTranslate(str(tmp_path / "a.tif"), store, format="GTiff", arraySpecs=["a"])
    copy = gdal.Open(str(tmp_path / "a.tif"))
    assert copy.GetGeoTransform() == PLACE and copy.GetSpatialRef().GetAuthorityCode(None) == "32631"


def test_a_view_has_its_own_place(store):
    write(store, SPATIAL)
    view = open_array(store).GetView("[1:3,2:5]")
    assert view.AsClassicDataset(1, 0).GetGeoTransform() == (500020.0, 10.0, 0.0, 3999980.0, 0.0, -20.0)


def test_a_group_does_not_have_them(store):
    write(store, SPATIAL)
    group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    read_coordinates(group.OpenMDArray("a"))
    assert group.GetMDArrayNames() == ["a"]
    with pytest.raises(RuntimeError):
        assert group.OpenMDArray("x").GetName()


def test_copies_have_one_place(store, tmp_path):
    """The attributes are copied, and no array is made of what is computed."""
    write(store, SPATIAL)
    gdal.MultiDimTranslate(str(tmp_path / "b.zarr"), store, format="Zarr")
    assert gdal.OpenEx(str(tmp_path / "b.zarr"), gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames() == ["a"]
    gdal.GetDriverByName("Zarr").CreateCopy(str(tmp_path / "c.zarr"), gdal.Open(store))
    for name in ("b.zarr", "c.zarr"):
        assert gdal.Open(str(tmp_path / name)).GetGeoTransform() == PLACE, name


def test_stored_coordinates_count(store):
    write(store, SPATIAL)
    write_v3(f"{store}/x", X + 5, (6,), names=["x"])
    y, x = read_coordinates(open_array(store))
    assert y is None
    np.testing.assert_array_equal(x, X + 5)


def test_a_rotated_transform_has_none(store):
    write(store, {**SPATIAL, "spatial:transform": [10.0, 1.0, 500000.0, 0.0, -20.0, 4000000.0]})
    assert read_coordinates(open_array(store)) == [None, None]


def test_without_a_transform_there_are_none(store):
    write(store, {name: value for name, value in SPATIAL.items() if name != "spatial:transform"})
    assert read_coordinates(open_array(store)) == [None, None]


def test_a_store_that_is_changed_has_only_its_own(store):
    write(store, SPATIAL)
    assert read_coordinates(open_array(store, gdal.OF_UPDATE)) == [None, None]
    assert sorted(os.listdir(store)) == ["a", "zarr.json"]
