# SPDX-License-Identifier: MIT
"""The choice of an array's grid mapping variable."""

import os

import numpy as np
import pytest
from conventions import export_wkt, read_code
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(12 * 16, dtype="<u2").reshape(12, 16)


TWO = ["utm: x y geo: lat lon", "geo: lat lon utm: x y", "utm: y geo: lat", "utm"]


@pytest.mark.parametrize("mapping", TWO)
def test_the_long_form_of_a_grid_mapping_is_read(store, mapping):
    """CF 1.11, example 5.10 has one mapping for projected coordinates, and one for geographic ones."""
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping, "coordinates": "lat lon"})
    write_v3(f"{store}/utm", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32633)})
    write_v3(f"{store}/geo", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(4326)})
    assert read_code(gdal.Open(f'ZARR:"{store}":/v')) == 32633


def test_the_long_form_works_with_dimensions_of_v2(store):
    write_v2_group(store)
    write_v2(f"{store}/v", DATA, attributes={"grid_mapping": TWO[1], "_ARRAY_DIMENSIONS": ["y", "x"]})
    write_v2(f"{store}/utm", np.zeros((), "<i4"), attributes={"spatial_ref": export_wkt(32633, "WKT1_GDAL")})
    write_v2(f"{store}/geo", np.zeros((), "<i4"), attributes={"spatial_ref": export_wkt(4326, "WKT1_GDAL")})
    assert read_code(gdal.Open(f'ZARR:"{store}":/v')) == 32633


@pytest.mark.parametrize("where, mapping", [("", "crs"), ("/a", "crs"), ("/a/b", "crs"), ("/a", "/a/crs")])
def test_grid_mapping_may_stand_in_a_group_above(store, where, mapping):
    for group in ("", "/a", "/a/b"):
        write_v3_group(store + group)
    write_v3(f"{store}/a/b/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping})
    write_v3(f"{store}{where}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32633)})
    assert read_code(gdal.Open(f'ZARR:"{store}":/a/b/v')) == 32633


@pytest.mark.parametrize("mapping", ["../m/crs", "/a/m/crs", "./../m/crs", "../../a/m/crs", "below/crs", "../m//crs"])
def test_a_grid_mapping_may_be_a_path(store, mapping):
    """By CF 1.11, section 2.7. No variable of that name is where a search without the path would look."""
    for group in ("", "/a", "/a/b", "/a/m", "/a/b/below"):
        write_v3_group(store + group)
    write_v3(f"{store}/a/b/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping})
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32601)})
    write_v3(f"{store}/a/m/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32633)})
    write_v3(f"{store}/a/b/below/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32633)})
    with collect_errors() as errors:
        assert read_code(gdal.Open(f'ZARR:"{store}":/a/b/v')) == 32633
    assert errors == []


@pytest.mark.parametrize(
    "mapping",
    ["", " ", "nothing", "m/crs", "../../crs", "/", "/crs/", "../test.zarr/crs", "../crs", 7, ["crs"], None, ":"],
)
def test_a_missing_grid_mapping_is_ignored(store, mapping):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping})
    write_v3(f"{os.path.dirname(store)}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": export_wkt(32633)})
    assert gdal.Open(f'ZARR:"{store}":/v').GetSpatialRef() is None


# --- files by xarray, rioxarray and rasterio --------------------------------------------------------------------------


def open_beside(store, variable, attributes=None, axes=None):
    """Writes an array, `spatial_ref` in its group, and coordinates, given as a dimension's name and its attributes."""
    names = list(axes or {"y": {}, "x": {}})
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=names, attributes=attributes)
    write_v3(f"{store}/spatial_ref", np.zeros((), "<i8"), attributes=variable)
    for name, size in zip(names, DATA.shape):
        if axes:
            write_v3(f"{store}/{name}", np.arange(float(size)), names=[name], attributes=axes[name])
    return gdal.Open(f'ZARR:"{store}":/v')


AXES = {"y": {}, "x": {}}
LONGITUDES = {"lat": {"units": "degrees_north"}, "lon": {"units": "degrees_east"}}


@pytest.mark.parametrize(
    "variable", [{"crs_wkt": "EPSG:3035"}, {"crs_wkt": export_wkt(3035)}, {"spatial_ref": export_wkt(3035, "WKT1_GDAL")}]
)
@pytest.mark.parametrize(
    "attributes, axes",
    [({"coordinates": "spatial_ref"}, None), ({"coordinates": "time spatial_ref"}, AXES), ({}, AXES)],
)
def test_the_usual_variable_needs_no_grid_mapping(store, variable, attributes, axes):
    assert read_code(open_beside(store, variable, attributes, axes)) == 3035
    assert open_array(store, "v").GetSpatialRef().GetAuthorityCode(None) == "3035"


@pytest.mark.parametrize(
    "variable, attributes, axes, expected",
    [
        ({"crs_wkt": "EPSG:3035"}, {}, None, None),
        ({"crs_wkt": "EPSG:3035"}, {"grid_mapping": "other"}, AXES, None),
        ({"crs_wkt": "EPSG:3035"}, {"_CRS": "EPSG:32633"}, AXES, 32633),
        ({"crs_wkt": "EPSG:3035"}, {}, LONGITUDES, 4326),
        ({"crs_wkt": "EPSG:4258"}, {}, LONGITUDES, 4258),
        ({}, {}, AXES, None),
    ],
)
def test_the_usual_variable_may_not_be_meant(store, variable, attributes, axes, expected):
    """An array without coordinates has no place, whatever is beside it."""
    with collect_errors() as errors:
        assert read_code(open_beside(store, variable, attributes, axes)) == expected
    missing = '/attributes/grid_mapping: expected the name of an array, got "other"'
    assert [text.endswith(missing) for _, text in errors] == ([True] if "grid_mapping" in attributes else [])


def test_the_usual_variable_gives_a_geotransform(store):
    variable = {"crs_wkt": "EPSG:3035", "GeoTransform": "7 2 0 8 0 -3"}
    assert open_beside(store, variable, {"coordinates": "spatial_ref"}).GetGeoTransform() == (7, 2, 0, 8, 0, -3)
    got = open_beside(store + "2", variable).GetGeoTransform(can_return_null=True)
    assert got is None


MATRIX = [10.0, 0, 399960, 0, -10.0, 5000040]


@pytest.mark.parametrize(
    "crs", ["+init=epsg:32631", "EPSG:32631", export_wkt(32631), "+proj=utm +zone=31 +datum=WGS84 +units=m +no_defs"]
)
@pytest.mark.parametrize("matrix", [MATRIX, [*MATRIX, 0, 0, 1]])
def test_attributes_of_rasterio_are_read(store, crs, matrix):
    """xarray.open_rasterio writes them."""
    write_v2(store, DATA, attributes={"crs": crs, "transform": matrix, "res": [10.0, 10.0], "is_tiled": 1})
    dataset = gdal.Open(store)
    expected = osr.SpatialReference()
    expected.ImportFromEPSG(32631)
    assert dataset.GetSpatialRef().IsSame(expected, ["IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "CRITERION=EQUIVALENT"])
    assert dataset.GetGeoTransform() == (399960, 10, 0, 5000040, 0, -10)


def test_coordinates_go_before_the_transform_of_rasterio(store):
    """If the array was cut out of a larger one, coordinates are right, and the attribute is outdated."""
    dataset = open_beside(store, {}, {"crs": "EPSG:32631", "transform": MATRIX}, AXES)
    assert dataset.GetGeoTransform() == (-0.5, 1, 0, -0.5, 0, 1)


@pytest.mark.parametrize(
    "attributes",
    [
        {"crs": ""},
        {"crs": None},
        {"crs": {"a": 1}},
        {"transform": "log"},
        {"transform": [1, 2, 3]},
        {"transform": [*"abcdef"]},
    ],
)
def test_other_things_of_these_names_are_ignored(store, attributes):
    write_v2(store, DATA, attributes=attributes)
    with collect_errors() as errors:
        dataset = gdal.Open(store)
        assert dataset.GetSpatialRef() is None
        assert dataset.GetGeoTransform(can_return_null=True) is None
    assert errors == []


def test_an_update_removes_these_attributes(store):
    """Otherwise they would be read again once the new place is removed."""
    write_v2_group(store)
    more = {"crs": "+init=epsg:32631", "transform": MATRIX, "other": 1}
    write_v2(f"{store}/v", DATA, attributes={"_ARRAY_DIMENSIONS": ["y", "x"], **more})
    name = f'ZARR:"{store}":/v'
    dataset = gdal.OpenEx(name, gdal.OF_UPDATE | gdal.OF_RASTER)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform((1, 2, 0, 3, 0, -4))
    dataset = None
    dataset = gdal.OpenEx(name, gdal.OF_UPDATE | gdal.OF_RASTER)
    assert (read_code(dataset), dataset.GetGeoTransform()) == (32633, (1, 2, 0, 3, 0, -4))
    dataset.SetSpatialRef(None)
    dataset = None
    assert read_code(gdal.Open(name)) is None
    assert gdal.Open(name).GetMetadataItem("other") == "1"
