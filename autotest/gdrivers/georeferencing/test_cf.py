# SPDX-License-Identifier: MIT
"""CF attributes give axes, coordinate reference systems, and ranges and categories of values."""

import numpy as np
import pytest
from conventions import read_code
from osgeo import gdal, osr
from stores import open_array, write_v2, write_v3, write_v3_group

CUBE = np.arange(3 * 5 * 7, dtype="<i4").reshape(3, 5, 7)


def write_cube(store, names, data=CUBE, coordinates=None, attributes=None):
    """Writes an array `v` and coordinates, given as name -> attributes of a regular axis."""
    write_v3_group(store)
    write_v3(f"{store}/v", data, names=list(names), attributes=attributes)
    for name, value in (coordinates or {}).items():
        size = data.shape[list(names).index(name)]
        write_v3(f"{store}/{name}", np.arange(size) / 2, names=[name], attributes=value)
    return f'ZARR:"{store}":/v'


# --- axes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "y, x", [("y", "x"), ("Y", "X"), ("lat", "lon"), ("latitude", "longitude"), ("Northing", "EASTING"), ("LAT", "x")]
)
def test_axes_are_known_by_usual_names(store, y, x):
    dataset = gdal.Open(write_cube(store, [x, y, "band"]))
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (3, 5, 7)
    assert np.array_equal(dataset.ReadAsArray(), CUBE.transpose(2, 1, 0))


def test_types_go_before_names(store):
    coordinates = {"a": {"axis": "X"}, "b": {"axis": "Y"}}
    dataset = gdal.Open(write_cube(store, ["a", "x", "b"], coordinates=coordinates))
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (3, 7, 5)


def test_one_name_alone_says_nothing(store):
    dataset = gdal.Open(write_cube(store, ["x", "b", "c"]))
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (7, 5, 3)


# --- longitude and latitude -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "coordinates",
    [
        {"j": {"standard_name": "latitude"}, "i": {"standard_name": "longitude"}},
        {"j": {"units": "degrees_north"}, "i": {"units": "degreeE"}},
        {"lat": {}, "lon": {}},
        {"latitude": {"units": "degrees"}, "longitude": {"units": "degrees"}},
    ],
)
def test_longitudes_and_latitudes_are_epsg_4326(store, coordinates):
    y, x = coordinates
    dataset = gdal.Open(write_cube(store, ["t", y, x], coordinates=coordinates))
    assert read_code(dataset) == 4326
    assert dataset.GetSpatialRef().GetDataAxisToSRSAxisMapping() == [2, 1]
    assert dataset.GetGeoTransform() == (-0.25, 0.5, 0, -0.25, 0, 0.5)
    srs = open_array(store, "v").GetSpatialRef()
    assert (srs.GetAuthorityCode(None), srs.GetDataAxisToSRSAxisMapping()) == ("4326", [2, 3])


@pytest.mark.parametrize(
    "coordinates",
    [
        {"y": {}, "x": {}},
        {"lat": {"units": "m"}, "lon": {"units": "m"}},
        {"lat": {"standard_name": "grid_latitude"}, "lon": {"standard_name": "grid_longitude"}},
    ],
)
def test_other_coordinates_are_not(store, coordinates):
    y, x = coordinates
    assert read_code(gdal.Open(write_cube(store, ["t", y, x], coordinates=coordinates))) is None


def test_names_without_coordinates_are_not(store):
    assert read_code(gdal.Open(write_cube(store, ["t", "lat", "lon"]))) is None


def test_another_crs_goes_before(store):
    name = write_cube(store, ["t", "lat", "lon"], coordinates={"lat": {}, "lon": {}}, attributes={"_CRS": "EPSG:4258"})
    assert read_code(gdal.Open(name)) == 4258


# --- geolocation ----------------------------------------------------------------------------------------------------


def write_curvilinear(store, shape=(5, 7)):
    attributes = {"coordinates": "time nav_lat nav_lon"}
    name = write_cube(store, ["t", "y", "x"], attributes=attributes)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    lon, lat = 10 + x + 0.1 * y, 50 - y + 0.1 * x
    write_v3(f"{store}/nav_lon", lon, names=["y", "x"], attributes={"units": "degrees_east"})
    write_v3(f"{store}/nav_lat", lat, names=["y", "x"], attributes={"standard_name": "latitude"})
    return name, lon, lat


def test_coordinates_of_two_dimensions_are_geolocation(store):
    name, lon, lat = write_curvilinear(store)
    domain = gdal.Open(name).GetMetadata("GEOLOCATION")
    srs = osr.SpatialReference(domain.pop("SRS"))
    assert srs.IsGeographic()
    assert domain == {
        "X_DATASET": f'ZARR:"{store}":/nav_lon',
        "X_BAND": "1",
        "Y_DATASET": f'ZARR:"{store}":/nav_lat',
        "Y_BAND": "1",
        "PIXEL_OFFSET": "0",
        "PIXEL_STEP": "1",
        "LINE_OFFSET": "0",
        "LINE_STEP": "1",
        "GEOREFERENCING_CONVENTION": "PIXEL_CENTER",
    }
    assert np.array_equal(gdal.Open(domain["X_DATASET"]).ReadAsArray(), lon)
    assert np.array_equal(gdal.Open(domain["Y_DATASET"]).ReadAsArray(), lat)


def test_gdal_warps_by_geolocation(store):
    name, lon, lat = write_curvilinear(store)
    transformer = gdal.Transformer(gdal.Open(name), None, ["METHOD=GEOLOC_ARRAY"])
    ok, point = transformer.TransformPoint(0, 3.5, 2.5)
    assert ok
    assert point[:2] == pytest.approx((lon[2, 3], lat[2, 3]), abs=1e-6)


def test_coordinates_of_another_size_are_no_geolocation(store):
    name, _, _ = write_curvilinear(store, shape=(5, 6))
    assert not gdal.Open(name).GetMetadata("GEOLOCATION")


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"valid_range": [-5, 90]}, (-5, 90)),
        ({"valid_min": -4, "valid_max": [80.5]}, (-4, 80.5)),
        ({"valid_min": -4}, (-4, None)),
        ({"actual_range": [1, 2], "valid_range": [0, 9]}, (1, 2)),
        ({"actual_range": [273.25, 293.25], "scale_factor": 0.5, "add_offset": 273.25}, (0, 40)),
        ({"actual_range": [-20, 0], "scale_factor": -2}, (0, 10)),
        ({"valid_range": [0, 40], "scale_factor": 0.5}, (0, 40)),
        ({"valid_range": [9, 1]}, (None, None)),
        ({"valid_range": ["a", 1]}, (None, None)),
        ({"valid_range": [1]}, (None, None)),
        ({"valid_min": "NaN"}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_attributes_give_the_range_of_values(store, attributes, expected):
    dataset = gdal.Open(write_cube(store, ["t", "y", "x"], attributes=attributes))
    band = dataset.GetRasterBand(1)
    assert (band.GetMinimum(), band.GetMaximum()) == expected


LAND = {"flag_values": [0, 2, 3], "flag_meanings": "water forest city"}


@pytest.mark.parametrize("dtype", ["u1", "<i4"])
def test_flags_are_categories(store, dtype):
    write_v2(store, np.zeros((2, 2), dtype), attributes=LAND)
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetCategoryNames() == ["water", "", "forest", "city"]


@pytest.mark.parametrize(
    "change",
    [
        {"flag_values": [0, 2]},
        {"flag_values": [-1, 2, 3]},
        {"flag_values": [0, 2, 4096]},
        {"flag_values": [0, 2, 2**63]},
        {"flag_values": [0, 2.5, 3]},
        {"flag_values": []},
        {"flag_meanings": 7},
        {"flag_masks": [1, 2, 4]},
    ],
)
def test_flags_that_are_no_categories(store, change):
    write_v2(store, np.zeros((2, 2), "u1"), attributes={**LAND, **change})
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetCategoryNames() is None


def test_flags_of_floats_are_no_categories(store):
    write_v2(store, np.zeros((2, 2), "<f4"), attributes=LAND)
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetCategoryNames() is None


def test_names_of_other_variables_are_kept(store):
    names = {"ancillary_variables": "quality", "coordinates": "height", "cell_measures": "area: area"}
    write_cube(store, ["t", "y", "x"], attributes=names)
    write_v3(f"{store}/quality", CUBE.astype("u1"), names=["t", "y", "x"])
    write_v3(f"{store}/height", np.array(2.0))
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert dataset.GetMetadata() == names
    array = open_array(store, "v")
    assert [variable.GetFullName() for variable in array.GetCoordinateVariables()] == ["/height"]
    assert array.GetAttribute("ancillary_variables").ReadAsString() == "quality"
