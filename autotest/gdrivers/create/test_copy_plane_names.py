# SPDX-License-Identifier: MIT
"""A raster that is copied keeps the names of its dimensions X and Y, where the source has names that readers know."""

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_v3, write_v3_group

DATA = np.arange(3 * 4 * 5, dtype="<i2").reshape(3, 4, 5)
DEGREES = {"lat": {"units": "degrees_north"}, "lon": {"units": "degrees_east"}}


def write_map(store, y="lat", x="lon", first=10.0, extra=None):
    """An array of times, with coordinates of its rows and columns."""
    write_v3_group(store)
    write_v3(f"{store}/t", DATA, names=[extra or "time", y, x])
    write_v3(f"{store}/{y}", first - np.arange(4, dtype="<f8"), names=[y], attributes=DEGREES.get(y, {}))
    write_v3(f"{store}/{x}", first + np.arange(5, dtype="<f8"), names=[x], attributes=DEGREES.get(x, {}))
    write_v3(f"{store}/{extra or 'time'}", np.arange(3, dtype="<i4"), names=[extra or "time"], attributes={"units": "days since 2020-01-01"})
    return f'ZARR:"{store}":/t'


def copy(name, target, *options, array="t", **more):
    return gdal.Translate(target, name, format="Zarr", creationOptions=[f"ARRAY_NAME={array}", *options], **more)


def names_of(store, array="t"):
    return [d.GetName() for d in open_array(store, array).GetDimensions()]


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("pair", [("lat", "lon"), ("latitude", "longitude"), ("y", "x"), ("northing", "easting")])
def test_names_and_coordinates_are_kept(store, tmp_path, version, pair):
    name, target = write_map(store, *pair), str(tmp_path / "copy.zarr")
    copy(name, target, f"FORMAT={version}")
    assert names_of(target) == ["time", *pair]
    for axis in pair:
        assert open_array(target, axis).ReadAsArray().tolist() == open_array(store, axis).ReadAsArray().tolist()
    before, after = gdal.Open(name), gdal.Open(target)
    assert after.GetGeoTransform() == before.GetGeoTransform()
    np.testing.assert_array_equal(after.ReadAsArray(), DATA)
    expected = before.GetSpatialRef()
    assert (after.GetSpatialRef() is None) == (expected is None)
    assert expected is None or after.GetSpatialRef().IsSame(expected)


def test_pixels_may_be_interleaved(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_map(store), target, "INTERLEAVE=PIXEL")
    assert names_of(target) == ["lat", "lon", "time"]
    np.testing.assert_array_equal(gdal.Open(target).ReadAsArray(), DATA)


def test_names_that_readers_do_not_know_become_x_and_y(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_map(store, "row", "column"), target)
    assert names_of(target) == ["time", "Y", "X"]


def test_a_window_of_a_map_has_x_and_y(store, tmp_path):
    """GDAL copies it from a VRT, which has no names."""
    target = str(tmp_path / "copy.zarr")
    copy(write_map(store), target, srcWin=[1, 1, 3, 2])
    assert names_of(target) == ["time", "Y", "X"]


def test_a_name_that_the_array_has_is_not_used(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_map(store), target, array="lat")
    assert names_of(target, "lat") == ["time", "Y", "X"]
    np.testing.assert_array_equal(gdal.Open(target).ReadAsArray(), DATA)


def test_arrays_on_one_grid_share_its_coordinates(store, tmp_path):
    name, target = write_map(store), str(tmp_path / "copy.zarr")
    copy(name, target)
    copy(name, target, "APPEND_SUBDATASET=YES", array="u_v")
    assert names_of(target, "u_v") == ["time", "lat", "lon"]


def test_an_array_on_another_grid_gets_its_own(store, tmp_path):
    name, target = write_map(store), str(tmp_path / "copy.zarr")
    copy(name, target)
    other = write_map(str(tmp_path / "other.zarr"), first=20.0)
    copy(other, target, "APPEND_SUBDATASET=YES", array="u")
    assert names_of(target, "u") == ["time", "u_lat", "u_lon"]
    for array, source in (("t", name), ("u", other)):
        assert gdal.Open(f'ZARR:"{target}":/{array}').GetGeoTransform() == gdal.Open(source).GetGeoTransform()


@pytest.mark.parametrize("edges", ["Y:[1,3];X:[2,3]", "lat:[1,3];lon:[2,3]", "lat:[1,3];X:[2,3]"])
def test_edges_may_use_either_name(store, tmp_path, edges):
    target = str(tmp_path / "copy.zarr")
    copy(write_map(store), target, "FORMAT=ZARR_V3", f"CHUNK_EDGES={edges}")
    info = open_array(target, "t").GetStructuralInfo()
    assert info["CHUNK_EDGES"].replace(" ", "").endswith("[1,3],[2,3]]")


def test_edges_of_the_plane_go_to_an_array_with_names_of_its_own(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    copy(write_map(store), target, "FORMAT=ZARR_V3")
    other = write_map(str(tmp_path / "other.zarr"), first=20.0)
    copy(other, target, "APPEND_SUBDATASET=YES", "CHUNK_EDGES=Y:[1,3]", array="u")
    assert open_array(target, "u").GetStructuralInfo()["CHUNK_EDGES"]


def test_v1_has_no_names(store, tmp_path):
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, write_map(store), format="Zarr", creationOptions=["FORMAT=ZARR_V1"])
    np.testing.assert_array_equal(gdal.Open(target).ReadAsArray(), DATA)
