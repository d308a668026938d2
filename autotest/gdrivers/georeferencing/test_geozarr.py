# SPDX-License-Identifier: MIT
"""GeoZarr's conventions proj and spatial, and EOPF's properties, in stores that follow the published examples."""

import json

import numpy as np
import pytest
from conventions import PROJ, SPATIAL
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group, write_v3, write_v3_group

UOM = {"uuid": "3bbe438d-df37-49fe-8e2b-739296d46dfb", "name": "uom"}
DATA = np.arange(12 * 16, dtype="<u2").reshape(12, 16)
TRANSFORM = [10.0, 0.0, 500000.0, 0.0, -10.0, 5000000.0]
GEOTRANSFORM = (500000, 10, 0, 5000000, 0, -10)


def attributes(**more):
    return {
        "zarr_conventions": [PROJ, SPATIAL],
        "proj:code": "EPSG:32633",
        "spatial:dimensions": ["y", "x"],
        "spatial:transform": TRANSFORM,
        **{name.replace("__", ":"): value for name, value in more.items()},
    }


def epsg(dataset):
    return dataset.GetSpatialRef() and dataset.GetSpatialRef().GetAuthorityCode(None)


def open_with(store, array_attributes, group_attributes=None, data=DATA, names=("y", "x")):
    write_v3_group(store, group_attributes)
    write_v3(f"{store}/b", data, names=list(names), attributes=array_attributes)
    return gdal.Open(f'ZARR:"{store}":/b')


def test_properties_of_the_array_are_read(store):
    dataset = open_with(store, attributes())
    assert epsg(dataset) == "32633"
    assert dataset.GetGeoTransform() == GEOTRANSFORM
    assert dataset.GetMetadata() == {"AREA_OR_POINT": "Area"}  # the default of spatial:registration


def test_conventions_of_the_root_hold_where_there_are_properties(store):
    declared = {"zarr_conventions": attributes()["zarr_conventions"]}
    properties = {name: value for name, value in attributes().items() if name != "zarr_conventions"}
    write_v3_group(store, declared)
    for group, of_group, of_array in (("g", {}, properties), ("h", properties, {}), ("i", {}, {})):
        write_v3_group(f"{store}/{group}", of_group)
        write_v3(f"{store}/{group}/b", DATA, attributes=of_array, names=["y", "x"])
    for group in ("g", "h"):
        dataset = gdal.Open(f'ZARR:"{store}":/{group}/b')
        assert epsg(dataset) == "32633"
        assert dataset.GetGeoTransform() == GEOTRANSFORM
    assert gdal.Open(f'ZARR:"{store}":/i/b').GetGeoTransform(can_return_null=True) is None


def test_conventions_of_the_group_hold_for_its_arrays(store):
    properties = {name: value for name, value in attributes().items() if name != "zarr_conventions"}
    dataset = open_with(store, properties, {"zarr_conventions": attributes()["zarr_conventions"]})
    assert epsg(dataset) == "32633"
    assert dataset.GetGeoTransform() == GEOTRANSFORM


def test_properties_of_the_group_hold_for_its_arrays(store):
    dataset = open_with(store, {}, attributes())
    assert epsg(dataset) == "32633"
    assert dataset.GetGeoTransform() == GEOTRANSFORM


def test_properties_of_a_group_further_up_do_not_hold(store):
    write_v3_group(store, attributes())
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/b", DATA, names=["y", "x"])
    dataset = gdal.Open(f'ZARR:"{store}":/g/b')
    assert epsg(dataset) is None
    assert dataset.GetGeoTransform(can_return_null=True) is None


def test_array_goes_before_group(store):
    dataset = open_with(store, {"zarr_conventions": [PROJ], "proj:code": "EPSG:32634"}, attributes())
    assert epsg(dataset) == "32634"
    assert dataset.GetGeoTransform() == GEOTRANSFORM


def test_array_that_declares_another_convention_hides_nothing_of_the_group(store):
    assert epsg(open_with(store, {"zarr_conventions": [UOM]}, attributes())) == "32633"


def test_v2_has_the_conventions_too(store):
    write_v2_group(store, attributes())
    write_v2(f"{store}/b", DATA, attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    dataset = gdal.Open(f'ZARR:"{store}":/b')
    assert (epsg(dataset), dataset.GetGeoTransform()) == ("32633", GEOTRANSFORM)


@pytest.mark.parametrize(
    "declared",
    [
        {"schema_url": "https://raw.githubusercontent.com/zarr-conventions/proj/refs/tags/v0.1/schema.json"},
        {"spec_url": "https://github.com/zarr-conventions/proj/blob/v0.1/README.md"},
        {"schema_url": "https://raw.githubusercontent.com/zarr-experimental/geo-proj/refs/tags/v1/schema.json"},
    ],
)
def test_conventions_are_known_by_url(store, declared):
    assert epsg(open_with(store, attributes(zarr_conventions=[declared]))) == "32633"


@pytest.mark.parametrize("declared", [[], [{"name": "proj"}], [{"uuid": UOM["uuid"], "name": "proj"}]])
def test_conventions_are_not_known_by_name(store, declared):
    dataset = open_with(store, {"zarr_conventions": declared, "proj:wkt": "x", "spatial:transform": TRANSFORM})
    assert dataset.GetGeoTransform(can_return_null=True) is None


def test_the_crs_may_be_wkt2_or_projjson(store, tmp_path):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(3035)
    base = {"zarr_conventions": [PROJ]}
    wkt = open_with(store, {**base, "proj:wkt2": srs.ExportToWkt(["FORMAT=WKT2_2019"])})
    assert epsg(wkt) == "3035"
    other = open_with(str(tmp_path / "other.zarr"), {**base, "proj:projjson": json.loads(srs.ExportToPROJJSON())})
    assert epsg(other) == "3035"


def test_node_registration_is_half_a_pixel_further(store):
    dataset = open_with(store, attributes(spatial__registration="node"))
    assert dataset.GetGeoTransform() == (499995, 10, 0, 5000005, 0, -10)
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point"


def test_a_rotated_transform_is_read(store):
    dataset = open_with(store, attributes(spatial__transform=[8.0, 6.0, 100.0, 6.0, -8.0, 200.0]))
    assert dataset.GetGeoTransform() == (100, 8, 6, 200, 6, -8)


def test_a_rotated_transform_of_nodes_is_shifted(store):
    changed = attributes(spatial__transform=[8.0, 6.0, 100.0, 6.0, -8.0, 200.0], spatial__registration="node")
    assert open_with(store, changed).GetGeoTransform() == (93, 8, 6, 201, 6, -8)


@pytest.mark.parametrize("how", ["copy", "all metadata", "one item"])
def test_points_get_node_registration(tmp_path, how):
    """The transform may have been written before GDAL tells that values belong to points."""
    source = gdal.GetDriverByName("MEM").Create("", 16, 12)
    source.SetGeoTransform((100, 2, 0, 200, 0, -2))
    if how == "copy":
        source.SetMetadata({"AREA_OR_POINT": "Point", "title": "x"})
    path = str(tmp_path / "a.zarr")
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a", "GEOREFERENCING_CONVENTION=SPATIAL_PROJ"]
    dataset = gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=options)
    if how != "copy":
        dataset = None
        dataset = gdal.OpenEx(path, gdal.OF_UPDATE)
    if how == "all metadata":
        dataset.SetMetadata({"AREA_OR_POINT": "Point", "title": "x"})
    elif how == "one item":
        dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    dataset = None
    with open(tmp_path / "a.zarr" / "a" / "zarr.json") as f:
        stored = json.load(f)["attributes"]
    assert (stored["spatial:registration"], stored["spatial:transform"]) == ("node", [2, 0, 101, 0, -2, 199])
    dataset = gdal.OpenEx(path, gdal.OF_UPDATE)
    assert dataset.GetGeoTransform() == (100, 2, 0, 200, 0, -2) and dataset.GetMetadataItem("AREA_OR_POINT") == "Point"
    # Metadata without the item do not make areas of points.
    dataset.SetMetadata({"title": "y"})
    dataset = None
    dataset = gdal.OpenEx(path, gdal.OF_UPDATE)
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point"
    dataset.SetMetadata({"AREA_OR_POINT": "Area"})
    dataset = None
    with open(tmp_path / "a.zarr" / "a" / "zarr.json") as f:
        stored = json.load(f)["attributes"]
    assert (stored["spatial:registration"], stored["spatial:transform"]) == ("pixel", [2, 0, 100, 0, -2, 200])


@pytest.mark.parametrize("registration, expected", [("pixel", (0, 10, 0, 120, 0, -10)), ("node", (-5, 10, 0, 115, 0, -10))])
def test_a_bounding_box_gives_the_transform(store, registration, expected):
    declared = attributes(spatial__registration=registration)
    del declared["spatial:transform"]
    declared["spatial:bbox"] = [0, 0, 160, 120] if registration == "pixel" else [0, 0, 150, 110]
    assert open_with(store, declared).GetGeoTransform() == expected


def test_dimensions_say_which_are_x_and_y(store):
    cube = np.arange(3 * 12 * 16, dtype="<u2").reshape(12, 16, 3)
    dataset = open_with(store, attributes(spatial__dimensions=["row", "col"]), data=cube, names=("row", "col", "band"))
    assert (dataset.RasterXSize, dataset.RasterYSize, dataset.RasterCount) == (16, 12, 3)
    assert dataset.GetGeoTransform() == GEOTRANSFORM


def test_dimensions_that_are_not_there_are_a_warning(store):
    with collect_errors() as errors:
        dataset = open_with(store, attributes(spatial__dimensions=["lat", "lon"]))
    assert dataset.GetGeoTransform() == GEOTRANSFORM
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert '"lat" and "lon"' in errors[0][1]


@pytest.mark.parametrize(
    "wrong, pointer",
    [
        ({"spatial__transform": [1, 2, 3]}, "/attributes/spatial:transform: expected a list of 6 numbers"),
        ({"spatial__transform_type": "rpc"}, "/attributes/spatial:transform_type"),
        ({"spatial__registration": "corner"}, "/attributes/spatial:registration"),
    ],
)
def test_what_is_wrong_is_a_warning_that_names_it(store, wrong, pointer):
    with collect_errors() as errors:
        dataset = open_with(store, attributes(**wrong))
    assert dataset.GetGeoTransform(can_return_null=True) is None
    assert epsg(dataset) == "32633"
    assert any(pointer in text for _, text in errors)


def test_geozarr_goes_before_gdals_crs(store):
    assert epsg(open_with(store, attributes(_CRS={"wkt": "LOCAL_CS[\"x\"]"}))) == "32633"


# --- EOPF -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group, array", [({}, {"proj:epsg": 32632}), ({"proj:epsg": 32632}, {}), ({}, {"proj:code": "EPSG:32632"})])
def test_eopf_properties_are_read(store, group, array):
    assert epsg(open_with(store, array, group)) == "32632"


def test_eopf_stac_discovery_is_read(store):
    write_v3_group(store, {"stac_discovery": {"properties": {"proj:epsg": 32632}}})
    write_v3_group(f"{store}/measurements")
    write_v3(f"{store}/measurements/b02", DATA, names=["y", "x"])
    assert epsg(gdal.Open(f'ZARR:"{store}":/measurements/b02')) == "32632"
