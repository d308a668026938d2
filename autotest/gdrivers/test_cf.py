"""What CF attributes say: axes, coordinate reference systems, ranges and categories of values."""

import numpy as np
import pytest
from errors import collected_errors
from osgeo import gdal, osr
from stores import open_array, write_v2, write_v3, write_v3_group

CUBE = np.arange(3 * 5 * 7, dtype="<i4").reshape(3, 5, 7)


def write_cube(store, names, data=CUBE, coordinates=None, attributes=None):
    """An array `v`, and coordinates: name -> attributes of a regular axis."""
    write_v3_group(store)
    write_v3(f"{store}/v", data, names=list(names), attributes=attributes)
    for name, value in (coordinates or {}).items():
        size = data.shape[list(names).index(name)]
        write_v3(f"{store}/{name}", np.arange(size) / 2, names=[name], attributes=value)
    return f'ZARR:"{store}":/v'


def code(dataset):
    srs = dataset.GetSpatialRef()
    return srs and srs.GetAuthorityCode(None)


# --- axes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "y, x", [("y", "x"), ("Y", "X"), ("lat", "lon"), ("latitude", "longitude"), ("Northing", "EASTING"), ("LAT", "x")]
)
def test_axes_by_usual_names(store, y, x):
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
    assert code(dataset) == "4326"
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
    assert code(gdal.Open(write_cube(store, ["t", y, x], coordinates=coordinates))) is None


def test_names_without_coordinates_are_not(store):
    assert code(gdal.Open(write_cube(store, ["t", "lat", "lon"]))) is None


def test_another_crs_goes_before(store):
    name = write_cube(store, ["t", "lat", "lon"], coordinates={"lat": {}, "lon": {}}, attributes={"_CRS": "EPSG:4258"})
    assert code(gdal.Open(name)) == "4258"


# --- grid mappings by parameters ------------------------------------------------------------------------------------

WGS84 = {"semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
GRS80 = {"semi_major_axis": 6378137.0, "inverse_flattening": [298.257222101]}
CLARKE = {"semi_major_axis": 6378206.4, "semi_minor_axis": 6356583.8}

# Of each, what PROJ calls it, and a place (longitude, latitude) with its coordinates, by PROJ's definition.
MAPPINGS = {
    "utm": (
        {
            "grid_mapping_name": "transverse_mercator",
            "scale_factor_at_central_meridian": 0.9996,
            "longitude_of_central_meridian": 15.0,
            "latitude_of_projection_origin": 0.0,
            "false_easting": 500000.0,
            "false_northing": 0.0,
            **WGS84,
        },
        "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9996 +x_0=500000 +y_0=0 +a=6378137 +rf=298.257223563",
    ),
    "lcc two": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": [33, 45],
            "longitude_of_central_meridian": -96,
            "latitude_of_projection_origin": 23,
            **CLARKE,
        },
        "+proj=lcc +lat_1=33 +lat_2=45 +lat_0=23 +lon_0=-96 +a=6378206.4 +b=6356583.8",
    ),
    "lcc one": (
        {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": 25.0,
            "longitude_of_central_meridian": 265.0,
            "latitude_of_projection_origin": 25.0,
            "earth_radius": 6371229.0,
        },
        "+proj=lcc +lat_1=25 +lat_0=25 +lon_0=265 +R=6371229",
    ),
    "albers": (
        {
            "grid_mapping_name": "albers_conical_equal_area",
            "standard_parallel": [29.5, 45.5],
            "longitude_of_central_meridian": -96,
            "latitude_of_projection_origin": 23,
            "false_easting": 100.0,
            "false_northing": 200.0,
            **GRS80,
        },
        "+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +x_0=100 +y_0=200 +a=6378137 +rf=298.257222101",
    ),
    "polar north": (
        {
            "grid_mapping_name": "polar_stereographic",
            "straight_vertical_longitude_from_pole": -45,
            "latitude_of_projection_origin": 90,
            "standard_parallel": 70,
            **WGS84,
        },
        "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +a=6378137 +rf=298.257223563",
    ),
    "polar south": (
        {
            "grid_mapping_name": "polar_stereographic",
            "straight_vertical_longitude_from_pole": 0,
            "latitude_of_projection_origin": -90,
            "standard_parallel": -71,
            **WGS84,
        },
        "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +a=6378137 +rf=298.257223563",
    ),
    "mercator": (
        {
            "grid_mapping_name": "mercator",
            "longitude_of_projection_origin": 10,
            "standard_parallel": 20,
            **WGS84,
        },
        "+proj=merc +lon_0=10 +lat_ts=20 +a=6378137 +rf=298.257223563",
    ),
    "laea": (
        {
            "grid_mapping_name": "lambert_azimuthal_equal_area",
            "longitude_of_projection_origin": 10,
            "latitude_of_projection_origin": 52,
            "false_easting": 4321000,
            "false_northing": 3210000,
            **GRS80,
        },
        "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +a=6378137 +rf=298.257222101",
    ),
    "sinusoidal": (
        {"grid_mapping_name": "sinusoidal", "longitude_of_projection_origin": 0, "earth_radius": 6371007.181},
        "+proj=sinu +lon_0=0 +R=6371007.181",
    ),
}
PLACES = {"polar south": (30, -70), "polar north": (30, 70), "utm": (17, 50), "laea": (20, 50), "mercator": (20, 50)}


def open_mapped(store, mapping):
    name = write_cube(store, ["t", "y", "x"], attributes={"grid_mapping": "crs"})
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes=mapping)
    return gdal.Open(name)


def project(srs, place):
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    geographic = srs.CloneGeogCS()
    geographic.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return osr.CoordinateTransformation(geographic, srs).TransformPoint(*place)[:2]


@pytest.mark.parametrize("which", MAPPINGS)
def test_projection_of_a_grid_mapping(store, which):
    mapping, proj = MAPPINGS[which]
    expected = osr.SpatialReference()
    expected.ImportFromProj4(proj + " +units=m +no_defs")
    place = PLACES.get(which, (-90, 40))
    got = open_mapped(store, mapping).GetSpatialRef()
    assert got.IsProjected()
    assert project(got, place) == pytest.approx(project(expected, place), abs=1e-3)


def test_geographic_grid_mapping(store):
    srs = open_mapped(store, {"grid_mapping_name": "latitude_longitude", **CLARKE}).GetSpatialRef()
    assert srs.IsGeographic()
    assert srs.GetSemiMajor() == 6378206.4
    assert srs.GetInvFlattening() == pytest.approx(294.978698, abs=1e-5)


@pytest.mark.parametrize(
    "which, more, expected",
    [
        ("latitude_longitude", {}, "4326"),
        ("utm", {}, "32633"),
        ("latitude_longitude", {"horizontal_datum_name": "unknown"}, "4326"),
        ("latitude_longitude", {"horizontal_datum_name": "ITRF 2014"}, None),
        ("latitude_longitude", {"longitude_of_prime_meridian": 2.5}, None),
        ("latitude_longitude", {"inverse_flattening": 298.257222101}, None),
    ],
)
def test_ellipsoid_of_wgs_84_without_a_datum(store, which, more, expected):
    mapping = MAPPINGS[which][0] if which in MAPPINGS else {"grid_mapping_name": which, **WGS84}
    assert code(open_mapped(store, {**mapping, **more})) == expected


def test_prime_meridian(store):
    mapping = {"grid_mapping_name": "latitude_longitude", "longitude_of_prime_meridian": 2.5, **WGS84}
    assert open_mapped(store, mapping).GetSpatialRef().GetAttrValue("PRIMEM", 1) == "2.5"


@pytest.mark.skipif(int(gdal.VersionInfo()) >= 3090000, reason="GDAL reads it by itself from 3.9 on")
def test_parameter_that_is_missing_is_a_warning(store):
    with collected_errors() as errors:
        dataset = open_mapped(store, {"grid_mapping_name": "transverse_mercator"})
    assert dataset.GetSpatialRef() is None
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert 'a member "longitude_of_central_meridian"' in errors[0][1]


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
def test_range_of_values(store, attributes, expected):
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
