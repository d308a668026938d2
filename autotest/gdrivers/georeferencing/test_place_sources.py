# SPDX-License-Identifier: MIT
"""Stores that say their place more than once: which source counts, and the warning of one that contradicts it."""

import json

import numpy as np
import pytest
from cf_mappings import MAPPINGS
from conventions import PROJ, SPATIAL, export_wkt, read_code
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_v3, write_v3_group

SHAPE = (12, 16)
X = 400060.0 + 120 * np.arange(16)
Y = 700060.0 - 120 * np.arange(12)
PLACE = (400000, 120, 0, 700120, 0, -120)
OTHER = (352200, 120, 0, 761400, 0, -120)


def state(source, transform):
    """Returns the attributes of the array and of its grid mapping that state a transform."""
    x, a, b, y, d, e = transform
    return {
        "CF": ({}, {"GeoTransform": " ".join(map(repr, transform))}),
        "CF list": ({}, {"GeoTransform": list(transform)}),
        "CF commas": ({}, {"GeoTransform": ",".join(map(str, transform))}),
        "GDAL": ({"gdal:geotransform": list(transform)}, {}),
        "GDAL text": ({"gdal:geotransform": [str(n) for n in transform]}, {}),
        "GeoZarr": ({"zarr_conventions": [SPATIAL], "spatial:dimensions": ["y", "x"], "spatial:transform": [a, b, x, d, e, y]}, {}),
        "rasterio": ({"transform": [a, b, x, d, e, y]}, {}),
        "EOPF": ({"proj:transform": [a, b, x, d, e, y]}, {}),
    }[source]


def open_with(store, stated=(), x=X, y=Y, crs=32636, units=None):
    write_v3_group(store)
    attributes, mapping = {"grid_mapping": "mapping"}, {"crs_wkt": export_wkt(crs)}
    for of_array, of_mapping in stated:
        attributes.update(of_array)
        mapping.update(of_mapping)
    write_v3(f"{store}/v", np.zeros(SHAPE, "u1"), names=["y", "x"], attributes=attributes)
    write_v3(f"{store}/mapping", np.zeros((), "<i4"), attributes=mapping)
    for name, values in (("x", x), ("y", y)):
        if values is not None:
            write_v3(f"{store}/{name}", np.asarray(values), names=[name], attributes={"units": units} if units else {})
    with collect_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{store}":/v')
        dataset.GetGeoTransform()
        dataset.GetMetadata()
    return dataset, [text for _, text in errors]


SOURCES = ["CF", "CF list", "CF commas", "GDAL", "GDAL text", "GeoZarr", "rasterio", "EOPF"]


@pytest.mark.parametrize("source", SOURCES)
def test_coordinates_go_before_a_stated_transform(store, source):
    dataset, told = open_with(store, [state(source, OTHER)])
    assert dataset.GetGeoTransform() == PLACE
    assert len(told) == 1 and "352200" in told[0] and "400000" in told[0], told


@pytest.mark.parametrize("source", SOURCES)
def test_a_stated_transform_that_agrees_is_no_warning(store, source):
    dataset, told = open_with(store, [state(source, PLACE)])
    assert dataset.GetGeoTransform() == PLACE
    assert told == []


@pytest.mark.parametrize("source", SOURCES)
def test_a_stated_transform_counts_without_coordinates(store, source):
    dataset, told = open_with(store, [state(source, OTHER)], x=None, y=None)
    assert dataset.GetGeoTransform() == OTHER
    assert told == []


ORDER = ["GeoZarr", "CF", "GDAL", "rasterio", "EOPF"]


@pytest.mark.parametrize("first, second", list(zip(ORDER, ORDER[1:])))
@pytest.mark.parametrize("apart", [0, 60])
def test_the_first_of_two_stated_transforms_counts(store, first, second, apart):
    moved = (PLACE[0] + apart, *PLACE[1:])
    dataset, told = open_with(store, [state(first, PLACE), state(second, moved)], x=None, y=None)
    assert dataset.GetGeoTransform() == PLACE
    assert len(told) == (1 if apart else 0), told
    assert not apart or ("400060" in told[0] and "400000" in told[0])


@pytest.mark.parametrize("pixels, is_told", [(0, False), (1e-6, False), (0.25, True), (0.5, True), (-0.5, True), (1, True)])
@pytest.mark.parametrize("axis", [0, 3])
def test_half_a_pixel_is_a_contradiction(store, pixels, is_told, axis):
    moved = list(PLACE)
    moved[axis] += 120 * pixels
    dataset, told = open_with(store, [state("CF", moved)])
    assert dataset.GetGeoTransform() == (PLACE if is_told else tuple(moved))
    assert (told != []) == is_told


@pytest.mark.parametrize("change", [{1: 120.1}, {5: -119.9}, {5: 120}, {2: 1}, {4: 5}])
def test_another_size_of_pixels_is_a_contradiction(store, change):
    other = [change.get(i, n) for i, n in enumerate(PLACE)]
    dataset, told = open_with(store, [state("CF", other)])
    assert dataset.GetGeoTransform() == PLACE
    assert len(told) == 1


@pytest.mark.parametrize("step, first", [(0.1, 5.05), (1 / 120, 30 + 1 / 240), (0.25, -179.875), (1 / 3, 10)])
def test_rounding_of_float32_is_no_contradiction(store, step, first):
    exact = (first - step / 2, step, 0, 60 + step / 2, 0, -step)
    x = (first + step * np.arange(16)).astype("<f4")
    y = (60 - step * np.arange(12)).astype("<f4")
    dataset, told = open_with(store, [state("CF", exact)], x=x, y=y, crs=4326)
    assert dataset.GetGeoTransform() == exact
    assert told == []
    moved = (exact[0] + step / 2, *exact[1:])
    dataset, told = open_with(store + "2", [state("CF", moved)], x=x, y=y, crs=4326)
    assert len(told) == 1


def test_whole_turns_are_no_contradiction(store):
    x, y = 190.5 + np.arange(16), 59.5 - np.arange(12)
    dataset, told = open_with(store, [state("CF", (-170, 1, 0, 60, 0, -1))], x=x, y=y, crs=4326, units="degrees_east")
    assert told == []


def test_a_transform_in_metres_agrees_with_coordinates_in_kilometres(store):
    dataset, told = open_with(store, [state("CF", PLACE)], x=X / 1000, y=Y / 1000, units="km")
    assert dataset.GetGeoTransform() == PLACE
    assert told == []


def test_coordinates_that_are_not_regular_contradict_a_transform(store):
    x = X.copy()
    x[7] += 90
    dataset, told = open_with(store, [state("CF", PLACE)], x=x)
    assert dataset.GetGeoTransform() == PLACE
    assert len(told) == 1 and "/x" in told[0] and "400990" in told[0]
    x[7] -= 85  # within its pixel
    assert open_with(store + "2", [state("CF", PLACE)], x=x)[1] == []


@pytest.mark.parametrize("has_x", [True, False])
def test_one_axis_alone_contradicts_a_transform(store, has_x):
    dataset, told = open_with(store, [state("CF", OTHER)], x=X if has_x else None, y=None if has_x else Y)
    assert dataset.GetGeoTransform() == OTHER
    assert len(told) == 1 and ("/x" if has_x else "/y") in told[0]


def test_what_is_contradicted_stays_to_be_seen(store):
    dataset, _ = open_with(store, [state("GDAL", OTHER)])
    assert "gdal:geotransform" in dataset.GetMetadata()
    dataset, _ = open_with(store + "2", [state("GDAL", PLACE)])
    assert "gdal:geotransform" not in dataset.GetMetadata()


@pytest.mark.parametrize("told, warnings", [(OTHER, 1), (PLACE, 0)])
def test_a_side_file_that_contradicts_the_store_is_not_used(store, side_files, told, warnings):
    dataset, _ = open_with(store, x=None, y=None)
    dataset.SetMetadataItem("name", "value", "MINE")
    del dataset
    file = f"{store}/v/zarr.json.aux.xml"
    with open(file) as f:
        text = f.read()
    with open(file, "w") as f:
        f.write(text.replace("<Metadata domain", f"<GeoTransform>{','.join(map(str, told))}</GeoTransform><Metadata domain", 1))
    assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == told
    write_v3(f"{store}/x", X, [len(X)], names=["x"])
    write_v3(f"{store}/y", Y, [len(Y)], names=["y"])
    with collect_errors() as errors:
        assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == PLACE
    assert len(errors) == warnings
    assert all(".aux.xml" in text and "352200" in text and "400000" in text for _, text in errors)


# --- the CRS ----------------------------------------------------------------------------------------------------------


def project(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs


def tell_crs(store, of_array, of_mapping):
    write_v3_group(store)
    declared = {"zarr_conventions": [PROJ, SPATIAL]} if "proj:code" in of_array else {}
    attributes = {**declared, "grid_mapping": "mapping", **of_array}
    write_v3(f"{store}/v", np.zeros(SHAPE, "u1"), names=["y", "x"], attributes=attributes)
    write_v3(f"{store}/mapping", np.zeros((), "<i4"), attributes=of_mapping)
    with collect_errors() as errors:
        code = read_code(gdal.Open(f'ZARR:"{store}":/v'))
    return code, [text for _, text in errors]


UTM36 = {name: value for name, value in MAPPINGS["utm"][0].items()} | {"longitude_of_central_meridian": 33.0}


@pytest.mark.parametrize(
    "of_array, of_mapping",
    [
        ({"proj:code": "EPSG:{}"}, {"crs_wkt": "wkt2"}),
        ({"proj:code": "EPSG:{}"}, {"spatial_ref": "wkt1"}),
        ({"proj:code": "EPSG:{}", "proj:wkt2": "wkt2"}, {}),
        ({"proj:code": "EPSG:{}", "proj:projjson": "projjson"}, {}),
        ({"proj:code": "EPSG:{}", "_CRS": {"wkt": "wkt2"}}, {}),
        ({"proj:code": "EPSG:{}", "crs": "+init=epsg:{}"}, {}),
        ({"_CRS": {"url": "http://www.opengis.net/def/crs/EPSG/0/{}", "wkt": "wkt2"}}, {}),
        ({"_CRS": "EPSG:{}", "proj:epsg": "number"}, {}),
        ({}, {"crs_wkt": "wkt2", "spatial_ref": "wkt1"}),
        ({}, {"crs_wkt": "wkt2", "epsg_code": "EPSG:{}"}),
        ({}, {"crs_wkt": "wkt2", "spatial_epsg": "number"}),
        ({}, {"crs_wkt": "wkt2", "_": "parameters"}),
    ],
)
@pytest.mark.parametrize("second", [32636, 32635])
def test_two_crs_are_compared(store, of_array, of_mapping, second):
    codes = iter([32636, second])

    def fill(value):
        code = next(codes)
        if isinstance(value, dict):
            return {name: fill_one(form, code if i == 0 else next(codes)) for i, (name, form) in enumerate(value.items())}
        return fill_one(value, code)

    def fill_one(form, code):
        made = {
            "wkt1": lambda: export_wkt(code, "WKT1_GDAL"),
            "wkt2": lambda: export_wkt(code),
            "projjson": lambda: json.loads(project(code).ExportToPROJJSON()),
            "number": lambda: code,
            "parameters": lambda: {**UTM36, "longitude_of_central_meridian": 33.0 if code == 32636 else 27.0},
        }
        return made[form]() if form in made else form.format(code)

    filled = {name: fill(value) for name, value in of_array.items()}
    mapping = {name: fill(value) for name, value in of_mapping.items()}
    mapping.update(mapping.pop("_", {}))
    if not of_mapping:
        mapping["long_name"] = "nothing"
    code, told = tell_crs(store, filled, mapping)
    assert code == 32636
    assert len(told) == (0 if second == 32636 else 1), told
    if second == 32636:
        return
    assert "32636" in told[0] and ("32635" in told[0] or "27" in told[0])


@pytest.mark.parametrize("code", [4326, 3035, 3857, 3413, 2154, 2263, 27700, 31467, 32733, 25832, 5070])
def test_the_forms_of_one_crs_are_no_contradiction(store, code):
    mapping = {"crs_wkt": export_wkt(code), "spatial_ref": export_wkt(code, "WKT1_GDAL"), "epsg_code": code}
    crs = {"url": f"http://www.opengis.net/def/crs/EPSG/0/{code}", "wkt": export_wkt(code)}
    crs["projjson"] = json.loads(project(code).ExportToPROJJSON())
    found, told = tell_crs(store, {"proj:code": f"EPSG:{code}", "_CRS": crs}, mapping)
    assert (found, told) == (code, [])


@pytest.mark.parametrize("name", MAPPINGS)
def test_parameters_of_the_crs_are_no_contradiction(store, name):
    parameters, proj = MAPPINGS[name]
    srs = osr.SpatialReference()
    srs.SetFromUserInput(proj)
    _, told = tell_crs(store, {}, {**parameters, "crs_wkt": srs.ExportToWkt(["FORMAT=WKT2_2019"])})
    assert told == []


@pytest.mark.parametrize("wrong", [7, "nonsense", ["EPSG:4326", 1], True])
def test_a_form_that_is_no_crs_is_told(store, wrong):
    code, told = tell_crs(store, {}, {"crs_wkt": wrong, "spatial_ref": export_wkt(32636, "WKT1_GDAL")})
    assert code == 32636
    assert len(told) == 1 and "/crs_wkt: expected a coordinate reference system, got" in told[0]


def test_the_multidimensional_api_warns_too(store):
    tell_crs(store, {"proj:code": "EPSG:32636"}, {"crs_wkt": export_wkt(32635)})
    array = open_array(store, "v")
    with collect_errors() as errors:
        assert array.GetSpatialRef().GetAuthorityCode(None) == "32636"
        array.GetSpatialRef()
    assert len(errors) == 1


# --- what the driver writes -------------------------------------------------------------------------------------------

BOTH = "GEOREFERENCING_CONVENTION=GDAL,CF,SPATIAL_PROJ"


@pytest.mark.parametrize("convention", ["GDAL", "CF", "SPATIAL_PROJ", "GDAL,CF", "GDAL,CF,SPATIAL_PROJ"])
@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("place", [(0.1, 0.1, 0, 0.7, 0, -0.1), (5.05 - 0.05, 0.1, 0, 50.2, 0, -0.1), (1 / 3, 1 / 7, 0, 2 / 3, 0, -1 / 7), (3, 2, 1, 9, 1, -2)])
def test_a_transform_that_was_set_is_read_back(store, convention, form, place):
    options = [f"FORMAT={form}", f"GEOREFERENCING_CONVENTION={convention}"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 20, 10, 1, gdal.GDT_Byte, options)
    dataset.SetGeoTransform((50, 1, 0, 60, 0, -1))
    dataset.SetProjection("EPSG:4326")
    dataset = None
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.SetGeoTransform(place)
    dataset = None
    with collect_errors() as errors:
        got = gdal.Open(store).GetGeoTransform()
    assert errors == []
    assert got == (place if convention != "GDAL" or place[2] else pytest.approx(place, rel=1e-12))


@pytest.mark.parametrize("code", [4326, 3857, 3035, 3413, 32733, 2263])
def test_the_sources_that_are_written_agree(store, code):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 20, 10, 1, gdal.GDT_Byte, ["FORMAT=ZARR_V3", BOTH])
    dataset.SetGeoTransform((10, 1, 0, 60, 0, -1))
    dataset.SetProjection(f"EPSG:{code}")
    dataset = None
    with collect_errors() as errors:
        dataset = gdal.Open(store)
        assert (read_code(dataset), dataset.GetGeoTransform()) == (code, (10, 1, 0, 60, 0, -1))
    assert errors == []


def test_a_crs_of_one_array_leaves_the_unit_of_its_coordinates(store):
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros(SHAPE, "u1"), names=["y", "x"])
    write_v3(f"{store}/x", X / 1000, names=["x"], attributes={"units": "km"})
    write_v3(f"{store}/y", Y / 1000, names=["y"], attributes={"units": "km"})
    store_dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    store_dataset.GetRootGroup().OpenMDArray("v").SetSpatialRef(project(32636))
    store_dataset = None
    assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == pytest.approx(PLACE)
