# SPDX-License-Identifier: MIT
"""CF grid mappings with parameters: every projection of CF 1.11, appendix F, alike in all versions of GDAL."""

import numpy as np
import pytest
from cf_mappings import CLARKE, MAPPINGS, PLACES, WGS84
from conventions import read_code
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_v3, write_v3_group


def open_mapped(store, mapping):
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 4), "u1"), names=["y", "x"], attributes={"grid_mapping": "crs"})
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes=mapping)
    return gdal.Open(f'ZARR:"{store}":/v')


def project(srs, place):
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    geographic = srs.CloneGeogCS()
    geographic.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return osr.CoordinateTransformation(geographic, srs).TransformPoint(*place)[:2]


@pytest.mark.parametrize("which", MAPPINGS)
def test_each_grid_mapping_is_a_projection(store, which):
    mapping, proj = MAPPINGS[which]
    expected = osr.SpatialReference()
    expected.ImportFromProj4(proj + " +units=m +no_defs")
    place = PLACES.get(which, (-90, 40))
    got = open_mapped(store, mapping).GetSpatialRef()
    assert got.IsProjected()
    assert project(got, place) == pytest.approx(project(expected, place), abs=1e-3)


ROTATED = {
    "grid_mapping_name": "rotated_latitude_longitude",
    "grid_north_pole_latitude": 39.25,
    "grid_north_pole_longitude": -162.0,
}


@pytest.mark.parametrize(
    "more, datum, turned",
    [
        ({}, "+datum=WGS84", 0),
        (WGS84, "+datum=WGS84", 0),
        ({"earth_radius": 6371229.0}, "+R=6371229", 0),
        ({"north_pole_grid_longitude": 20.0}, "+datum=WGS84", 20),
        ({"grid_mapping_name": None}, "+datum=WGS84", 0),
    ],
)
def test_a_rotated_pole_is_read(store, more, datum, turned):
    mapping = {name: value for name, value in {**ROTATED, **more}.items() if value is not None}
    srs = open_mapped(store, mapping).GetSpatialRef()
    assert srs.IsDerivedGeographic()
    expected = osr.SpatialReference()
    expected.ImportFromProj4("+proj=ob_tran +o_proj=longlat +o_lat_p=39.25 +lon_0=18 " + f"+o_lon_p={turned} {datum}")
    base = osr.SpatialReference()
    base.ImportFromProj4("+proj=longlat " + datum)
    results = []
    for rotated in (srs, expected):
        rotated.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
        results.append(osr.CoordinateTransformation(base, rotated).TransformPoint(10, 50)[:2])
    assert results[0] == pytest.approx(results[1], abs=1e-9)


def test_a_geographic_grid_mapping_is_read(store):
    srs = open_mapped(store, {"grid_mapping_name": "latitude_longitude", **CLARKE}).GetSpatialRef()
    assert srs.IsGeographic()
    assert srs.GetSemiMajor() == 6378206.4
    assert srs.GetInvFlattening() == pytest.approx(294.978698, abs=1e-5)


@pytest.mark.parametrize(
    "which, more, expected",
    [
        ("latitude_longitude", {}, 4326),
        ("utm", {}, 32633),
        ("latitude_longitude", {"horizontal_datum_name": "unknown"}, 4326),
        ("latitude_longitude", {"horizontal_datum_name": "ITRF 2014"}, None),
        ("latitude_longitude", {"longitude_of_prime_meridian": 2.5}, None),
        ("latitude_longitude", {"inverse_flattening": 298.257222101}, None),
    ],
)
def test_the_ellipsoid_of_wgs_84_means_its_datum(store, which, more, expected):
    mapping = MAPPINGS[which][0] if which in MAPPINGS else {"grid_mapping_name": which, **WGS84}
    assert read_code(open_mapped(store, {**mapping, **more})) == expected


def test_the_prime_meridian_is_read(store):
    mapping = {"grid_mapping_name": "latitude_longitude", "longitude_of_prime_meridian": 2.5, **WGS84}
    assert open_mapped(store, mapping).GetSpatialRef().GetAttrValue("PRIMEM", 1) == "2.5"


def test_parameter_that_is_missing_is_a_warning(store):
    with collect_errors() as errors:
        dataset = open_mapped(store, {"grid_mapping_name": "transverse_mercator"})
    assert dataset.GetSpatialRef() is None
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert 'a member "longitude_of_central_meridian"' in errors[0][1]


@pytest.mark.parametrize(
    "which, change, expected",
    [
        ("utm", {"grid_mapping_name": "robinson"}, 'a grid mapping of CF, got "robinson"'),
        ("utm", {"semi_major_axis": "long"}, 'a number, got "long"'),
        ("utm", {"false_easting": ""}, "a number"),
        ("lcc two", {"standard_parallel": [1, 2, 3]}, "one number or two"),
        ("polar north", {"latitude_of_projection_origin": 80}, "90 or -90"),
        ("geostationary", {"latitude_of_projection_origin": 1}, "expected 0"),
        ("lambert cylindrical, by its scale", {"scale_factor_at_projection_origin": 2}, "not above 1"),
    ],
)
def test_parameter_that_is_wrong_is_a_warning(store, which, change, expected):
    with collect_errors() as errors:
        dataset = open_mapped(store, {**MAPPINGS[which][0], **change})
    assert dataset.GetSpatialRef() is None
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert f"{store}/crs/zarr.json: /attributes/" in errors[0][1]
    assert expected in errors[0][1]


# --- units ----------------------------------------------------------------------------------------------------------


def open_with_axes(store, mapping, units, names=("projection_x_coordinate", "projection_y_coordinate"), dims=("y", "x")):
    write_v3_group(store)
    shape = [3, 4, 2][: len(dims)]
    write_v3(f"{store}/v", np.zeros(shape, "u1"), names=list(dims), attributes={"grid_mapping": "crs"})
    for dim, name, size in [(dims[0], names[1], 3), (dims[1], names[0], 4)]:
        attributes = {"units": units, "standard_name": name}
        write_v3(f"{store}/{dim}", np.arange(1.0, size + 1), names=[dim], attributes=attributes)
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes=mapping)
    return gdal.Open(f'ZARR:"{store}":/v')


@pytest.mark.parametrize("units", ["rad", "radian"])
@pytest.mark.parametrize("kind", ["coordinate", "angular_coordinate"])
def test_radians_of_a_geostationary_grid_mapping_are_converted(store, units, kind):
    """The names of the angles tell which axes are X and Y if those of the dimensions do not."""
    mapping = MAPPINGS["geostationary, sweep x"][0]
    names = (f"projection_x_{kind}", f"projection_y_{kind}")
    dataset = open_with_axes(store, mapping, units, names, ("ny", "nx", "band"))
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (4, 3, 2)
    height = mapping["perspective_point_height"]
    expected = [height * number for number in (0.5, 1, 0, 0.5, 0, 1)]
    assert dataset.GetGeoTransform() == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    "units, false_easting, metres",
    [
        ("km", 500.0, 500000),
        ("kilometers", 3.5, 3500),
        ("km", 10000, 10000000),
        ("km", 500000.0, 500000),
        ("km", 4321000, 4321000),
        ("m", 500.0, 500),
        ("m", 500000.0, 500000),
        ("", 500.0, 500),
    ],
)
def test_a_false_easting_may_have_either_unit(store, units, false_easting, metres):
    """By CF it is the unit of the coordinates. Some files use metres, which show by sizes that are too large for
    kilometres."""
    mapping = {**MAPPINGS["utm"][0], "false_easting": false_easting, "scale_factor_at_central_meridian": 0.9}
    dataset = open_with_axes(store, mapping, units)
    for srs in (dataset.GetSpatialRef(), open_array(store, "v").GetSpatialRef()):
        assert srs.GetNormProjParm("false_easting") == metres
    step = 1000 if units.startswith("k") else 1
    assert dataset.GetGeoTransform() == pytest.approx((step / 2, step, 0, step / 2, 0, step))


def test_false_easting_of_wkt_is_what_it_says(store):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32631)
    mapping = {"crs_wkt": srs.ExportToWkt(["FORMAT=WKT2_2019"]), **MAPPINGS["utm"][0], "false_easting": 500.0}
    dataset = open_with_axes(store, mapping, "km")
    assert read_code(dataset) == 32631
    assert dataset.GetGeoTransform()[:2] == (500, 1000)


def test_coordinates_of_a_rotated_pole_are_described_as_such(store):
    srs = open_mapped(store, ROTATED).GetSpatialRef()
    source = gdal.GetDriverByName("MEM").Create("", 4, 3)
    source.SetSpatialRef(srs)
    source.SetGeoTransform((5, 0.5, 0, 8, 0, -0.5))
    gdal.GetDriverByName("Zarr").CreateCopy(store + "2", source, options=["ARRAY_NAME=v"])
    dataset = gdal.Open(store + "2")
    assert dataset.GetSpatialRef().IsDerivedGeographic()
    assert dataset.GetGeoTransform() == (5, 0.5, 0, 8, 0, -0.5)
    group = gdal.OpenEx(store + "2", gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    names = [dimension.GetIndexingVariable() for dimension in group.OpenMDArray("v").GetDimensions()]
    assert [x.GetAttribute("standard_name").Read() for x in names] == ["grid_latitude", "grid_longitude"]
    assert {x.GetUnit() for x in names} == {"degrees"}
