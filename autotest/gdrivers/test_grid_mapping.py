"""Which variable is an array's grid mapping."""

import os

import numpy as np
import pytest
from errors import collected_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(12 * 16, dtype="<u2").reshape(12, 16)


def wkt(code, form="WKT2_2019"):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs.ExportToWkt([f"FORMAT={form}"])


def code(dataset):
    srs = dataset.GetSpatialRef()
    return srs and int(srs.GetAuthorityCode(None))


TWO = ["utm: x y geo: lat lon", "geo: lat lon utm: x y", "utm: y geo: lat", "utm"]


@pytest.mark.parametrize("mapping", TWO)
def test_long_form_of_a_grid_mapping(store, mapping):
    """CF 1.11, example 5.10: one mapping for the projected coordinates, one for the geographic ones."""
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping, "coordinates": "lat lon"})
    write_v3(f"{store}/utm", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(32633)})
    write_v3(f"{store}/geo", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(4326)})
    assert code(gdal.Open(f'ZARR:"{store}":/v')) == 32633


def test_long_form_with_dimensions_of_v2(store):
    write_v2_group(store)
    write_v2(f"{store}/v", DATA, attributes={"grid_mapping": TWO[1], "_ARRAY_DIMENSIONS": ["y", "x"]})
    write_v2(f"{store}/utm", np.zeros((), "<i4"), attributes={"spatial_ref": wkt(32633, "WKT1_GDAL")})
    write_v2(f"{store}/geo", np.zeros((), "<i4"), attributes={"spatial_ref": wkt(4326, "WKT1_GDAL")})
    assert code(gdal.Open(f'ZARR:"{store}":/v')) == 32633


@pytest.mark.parametrize("where, mapping", [("", "crs"), ("/a", "crs"), ("/a/b", "crs"), ("/a", "/a/crs")])
def test_grid_mapping_may_stand_in_a_group_above(store, where, mapping):
    for group in ("", "/a", "/a/b"):
        write_v3_group(store + group)
    write_v3(f"{store}/a/b/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping})
    write_v3(f"{store}{where}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(32633)})
    assert code(gdal.Open(f'ZARR:"{store}":/a/b/v')) == 32633


@pytest.mark.parametrize("mapping", ["../m/crs", "/a/m/crs", "./../m/crs", "../../a/m/crs", "below/crs", "../m//crs"])
def test_path_of_a_grid_mapping(store, mapping):
    """CF 1.11, section 2.7; there is nothing of that name where it would be looked for without the path."""
    for group in ("", "/a", "/a/b", "/a/m", "/a/b/below"):
        write_v3_group(store + group)
    write_v3(f"{store}/a/b/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping})
    write_v3(f"{store}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(32601)})
    write_v3(f"{store}/a/m/crs", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(32633)})
    write_v3(f"{store}/a/b/below/crs", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(32633)})
    with collected_errors() as errors:
        assert code(gdal.Open(f'ZARR:"{store}":/a/b/v')) == 32633
    assert errors == []


@pytest.mark.parametrize("mapping", ["", " ", "nothing", "m/crs", "../../crs", "/", "/crs/", "../test.zarr/crs", "../crs", 7, ["crs"], None, ":"])
def test_grid_mapping_that_is_none(store, mapping):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", "x"], attributes={"grid_mapping": mapping})
    write_v3(f"{os.path.dirname(store)}/crs", np.zeros((), "<i4"), attributes={"crs_wkt": wkt(32633)})
    assert gdal.Open(f'ZARR:"{store}":/v').GetSpatialRef() is None
