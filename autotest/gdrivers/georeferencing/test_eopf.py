# SPDX-License-Identifier: MIT
"""The places in which products of EOPF say their SRS."""
import numpy as np
import pytest
from conventions import export_wkt, read_code
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v2_group

DATA = np.arange(12 * 16, dtype="<u2").reshape(12, 16)
TILES = ("s2:mgrs_tile", "mgrs_tile", "tile_id")


def write_product(store, attributes, of_array=None):
    write_v2_group(store, attributes)
    write_v2_group(f"{store}/measurements", {})
    write_v2(f"{store}/measurements/b02", DATA, fill=0, attributes={"_eopf_attrs": {}} if of_array is None else of_array)


def read_product_code(store):
    with collect_errors() as errors:
        code = read_code(gdal.Open(f'ZARR:"{store}":/measurements/b02'))
    assert errors == []
    return code


@pytest.mark.parametrize(
    "attributes",
    [
        {"stac_discovery": {"properties": {"proj:epsg": 32632}}},
        {"stac_discovery": {"properties": {"proj:epsg": "32632"}}},
        {"stac_discovery": {"properties": {"proj:code": "EPSG:32632"}}},
        {"stac_discovery": {"properties": {"spatial_ref": export_wkt(32632)}}},
        {"stac_discovery": {"geometry": {"crs": {"properties": {"code": 32632}}}}},
        {"stac_discovery": {"geometry": {"crs": {"properties": {"name": "urn:ogc:def:crs:EPSG::32632"}}}}},
        {"proj:epsg": 32632},
        {"proj:epsg": "32632"},
        {"other_metadata": {"proj:epsg": "32632"}},
        {"other_metadata": {"horizontal_CRS_code": "EPSG:32632"}},
        {"spatial_ref": export_wkt(32632)},
    ],
)
def test_a_product_says_its_srs(store, attributes):
    write_product(store, attributes, of_array={})
    assert read_product_code(store) == 32632


@pytest.mark.parametrize(
    "attributes",
    [
        {"some_child": {"proj:epsg": 32632}},
        {"some_child": {"proj:epsg": "32632"}},
        {"some_child": {"epsg": 32632}},
        *({"stac_discovery": {"properties": {name: tile}}} for name in TILES for tile in ("T32VLK", "32VLK")),
    ],
)
def test_hints_count_for_arrays_of_products_only(store, attributes):
    write_product(store, attributes)
    assert read_product_code(store) == 32632
    write_product(store, attributes, of_array={})
    assert read_product_code(store) is None


@pytest.mark.parametrize(
    "name, code",
    [
        ("S2A_MSIL2A_20240701T101031_N0510_R022_T32VLK_20240701T140102.zarr", 32632),
        ("foo_T32HLK.zarr", 32732),
        ("foo_T61VLK.zarr", None),
        ("foo_T32OLK.zarr", None),
        ("foo_T32VLKX.zarr", None),
        ("T32VLK.zarr", None),
    ],
)
def test_the_tile_in_a_name_tells_the_zone(tmp_path, name, code):
    write_product(str(tmp_path / name), {})
    assert read_product_code(str(tmp_path / name)) == code


def test_what_is_said_goes_before_the_tile(tmp_path):
    store = str(tmp_path / "foo_T32VLK_bar.zarr")
    write_product(store, {"other_metadata": {"horizontal_CRS_code": "EPSG:32633"}})
    assert read_product_code(store) == 32633
