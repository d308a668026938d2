# SPDX-License-Identifier: MIT
"""Setting the CRS of a raster changes none of its coordinates."""

import os

import numpy as np
import pytest
from conventions import SPATIAL
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_v2, write_v2_group, write_v3, write_v3_group

X = np.arange(-170, 170, 0.17)  # not exactly first + i * step
Y = np.arange(10.0)


def write(store, version, arrays, x=X, attributes=None):
    if version == 2:
        write_v2_group(store)
        for name in arrays:
            write_v2(f"{store}/{name}", np.ones((10, len(x)), "f4"), attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
        write_v2(f"{store}/y", Y, attributes={"_ARRAY_DIMENSIONS": ["y"]})
        write_v2(f"{store}/x", x, attributes={"_ARRAY_DIMENSIONS": ["x"], **(attributes or {})})
    else:
        write_v3_group(store)
        for name in arrays:
            write_v3(f"{store}/{name}", np.ones((10, len(x)), "f4"), names=["y", "x"])
        write_v3(f"{store}/y", Y, names=["y"])
        write_v3(f"{store}/x", x, names=["x"], attributes=attributes)


def read_chunks(store):
    """The bytes of all chunks of the coordinates."""
    chunks = {}
    for name in ("x", "y"):
        for folder, _, files in os.walk(f"{store}/{name}"):
            for file in files:
                if file[0] not in ".z":
                    with open(os.path.join(folder, file), "rb") as f:
                        chunks[os.path.join(folder, file)] = f.read()
    assert len(chunks) == 2
    return chunks


def set_crs(store, name, code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    with collect_errors() as errors:
        dataset = gdal.OpenEx(f'ZARR:"{store}":/{name}', gdal.OF_UPDATE)
        assert dataset.SetSpatialRef(srs) == gdal.CE_None
        dataset = None
    return errors


def get_code(store, name):
    return gdal.Open(f'ZARR:"{store}":/{name}').GetSpatialRef().GetAuthorityCode(None)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("arrays", ["v", "vw"])
@pytest.mark.parametrize("code", [4326, 32633])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_coordinates_keep_their_bytes(store, version, arrays, code, dtype):
    write(store, version, arrays, X.astype(dtype))
    before = read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()
    errors = set_crs(store, "v", code)
    # Words of a geographic CRS would give it to the other array as well.
    assert ["not described" in text for _, text in errors] == ([True] if arrays == "vw" and code == 4326 else [])
    assert get_code(store, "v") == str(code)
    assert (read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()) == before


def test_packed_coordinates_stay_packed(store):
    packed = np.arange(20, dtype="i2")
    write(store, 3, "v", packed, {"scale_factor": 0.1, "add_offset": 5.0})
    before = read_chunks(store)
    assert set_crs(store, "v", 32633) == []
    assert read_chunks(store) == before
    assert (open_array(store, "x").GetScale(), open_array(store, "x").GetOffset()) == (0.1, 5.0)


def test_a_new_transform_moves_them(store):
    write(store, 3, "v")
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.SetGeoTransform([0, 2, 0, 0, 0, 1])
    dataset = None
    assert open_array(store, "x").ReadAsArray()[:3].tolist() == [1, 3, 5]


ROTATED = [10, 2, 500000, 2, -10, 6000000]
STATED = {
    "spatial": lambda t: {"zarr_conventions": [SPATIAL], "spatial:dimensions": ["y", "x"], "spatial:transform": t},
    "gdal": lambda t: {"gdal:geotransform": [t[i] for i in (2, 0, 1, 5, 3, 4)]},
    "rasterio": lambda t: {"transform": t},
}


def write_detector(store, arrays, attributes):
    """Coordinates whose distances vary, so that only attributes give a transform."""
    write_v3_group(store)
    for name in arrays:
        write_v3(f"{store}/{name}", np.ones((10, 16)), names=["y", "x"], attributes=attributes)
    for name, size in (("y", 10), ("x", 16)):
        write_v3(f"{store}/{name}", np.arange(float(size)) ** 2, names=[name], attributes={"long_name": "distance"})


@pytest.mark.parametrize("arrays", ["v", "vw"])
@pytest.mark.parametrize("transform", [ROTATED, [10, 0, 500000, 0, -10, 6000000]], ids=["rotated", "upright"])
@pytest.mark.parametrize("stated", STATED)
@pytest.mark.parametrize("part", ["crs", "registration"])
def test_coordinates_that_are_no_transform_stay_beside_one(store, part, stated, transform, arrays):
    write_detector(store, arrays, STATED[stated](transform))
    before = read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()
    assert before[1] == tuple(transform[i] for i in (2, 0, 1, 5, 3, 4))
    if part == "crs":
        assert [text for _, text in set_crs(store, "v", 32633) if "the former is used" not in text] == []
        assert get_code(store, "v") == "32633"
    else:
        gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetMetadataItem("AREA_OR_POINT", "Point")
        assert gdal.Open(f'ZARR:"{store}":/v').GetMetadataItem("AREA_OR_POINT") == "Point"
    assert (read_chunks(store), gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()) == before


METRES = osr.SpatialReference()
METRES.ImportFromEPSG(3035)
KILOMETRES = osr.SpatialReference()
KILOMETRES.ImportFromProj4("+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=km")
VIEW = osr.SpatialReference()
VIEW.ImportFromProj4("+proj=geos +h=35786023 +lon_0=0 +sweep=y +ellps=WGS84 +units=m")
VIEW_FROM_EAST = osr.SpatialReference()
VIEW_FROM_EAST.ImportFromProj4("+proj=geos +h=35786023 +lon_0=9.5 +sweep=y +ellps=WGS84 +units=m")
PLACE_IN_KM = np.arange(4000.5, 4020)


def write_in_unit(store, unit, srs, values, words=None):
    write_v3_group(store)
    write_v3(f"{store}/v", np.ones((len(values), len(values))), names=["y", "x"])
    for axis in "xy":
        attributes = {"standard_name": f"projection_{axis}_coordinate", "units": unit}
        attributes.update({"long_name": f"{axis} coordinate of projection"} if words else {})
        write_v3(f"{store}/{axis}", values if axis == "x" else values[::-1].copy(), names=[axis], attributes=attributes)
    if srs:
        set_srs(store, srs)


def set_srs(store, srs):
    with collect_errors() as errors:
        gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetSpatialRef(srs)
    assert errors == []


def get_transform(store):
    with collect_errors() as errors:
        transform = gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()
    assert errors == []
    return pytest.approx(transform, rel=1e-12)


def test_place_of_scan_angles_stays(store):
    write_in_unit(store, "rad", VIEW, np.linspace(-0.1, 0.1, 20))
    before = read_chunks(store), get_transform(store)
    assert before[1].expected[1] == pytest.approx(0.2 / 19 * 35786023)
    set_srs(store, VIEW_FROM_EAST)
    assert read_chunks(store) == before[0] and get_transform(store) == before[1].expected
    assert open_array(store, "x").GetUnit() == "rad"


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("first", [None, METRES])
def test_kilometres_stay_beside_a_crs_in_metres(store, first, words):
    write_in_unit(store, "km", first, PLACE_IN_KM, words)
    before = read_chunks(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.SetSpatialRef(METRES)
    shown = dataset.GetGeoTransform()
    dataset = None
    assert shown == pytest.approx((4e6, 1000, 0, 4020e3, 0, -1000))
    assert get_transform(store) == shown
    assert read_chunks(store) == before and open_array(store, "x").GetUnit() == "km"
    gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetMetadataItem("AREA_OR_POINT", "Point")
    assert get_transform(store) == shown and read_chunks(store) == before


def test_the_numbers_of_the_transform_stay_in_a_crs_of_another_unit(store):
    write_in_unit(store, "km", METRES, PLACE_IN_KM)
    set_srs(store, KILOMETRES)
    assert get_transform(store) == (4e6, 1000, 0, 4020e3, 0, -1000)
    x = open_array(store, "x")
    assert (x.GetUnit(), x.ReadAsArray()[0]) == ("km", 4000500)
    set_srs(store, METRES)
    assert get_transform(store) == (4e6, 1000, 0, 4020e3, 0, -1000)
    assert (open_array(store, "x").GetUnit(), open_array(store, "x").ReadAsArray()[0]) == ("m", 4000500)


@pytest.mark.parametrize("unit", ["km", "US_survey_foot", "m"])
@pytest.mark.parametrize("closes", [False, True])
@pytest.mark.parametrize("code, expected", [(3035, "m"), (2229, "US survey foot")])
def test_a_crs_gives_the_unit_of_a_transform_that_was_set_before_it(store, unit, code, expected, closes):
    write_in_unit(store, unit, None, PLACE_IN_KM)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.SetGeoTransform((500000, 30, 0, 400000, 0, -30))
    if closes:
        dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    dataset.SetSpatialRef(srs)
    assert dataset.GetGeoTransform() == (500000, 30, 0, 400000, 0, -30)
    dataset = None
    assert get_transform(store) == (500000, 30, 0, 400000, 0, -30)
    x = open_array(store, "x")
    assert (x.GetUnit(), x.ReadAsArray()[0]) == (expected, 500015)


FEET = osr.SpatialReference()
FEET.ImportFromEPSG(2229)
DEGREES = osr.SpatialReference()
DEGREES.ImportFromEPSG(4326)


@pytest.mark.parametrize("first", [None, METRES, KILOMETRES])
@pytest.mark.parametrize("second, unit", [(FEET, "US survey foot"), (DEGREES, "degrees_east"), (METRES, "m"), (None, None)])
@pytest.mark.parametrize("order", ["crs, transform", "transform, crs", "transform, other crs, crs"])
def test_transform_and_crs_are_the_same_in_either_order(store, first, second, unit, order):
    write_in_unit(store, "m", first, np.arange(20.0))
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    with collect_errors() as errors:
        for part in order.split(", "):
            if part == "transform":
                dataset.SetGeoTransform((10, 0.5, 0, 50, 0, -0.5))
            else:
                dataset.SetSpatialRef(second if part == "crs" else KILOMETRES)
        assert dataset.GetGeoTransform() == (10, 0.5, 0, 50, 0, -0.5)
        dataset = None
    assert errors == [] or order.startswith("crs")
    assert get_transform(store) == (10, 0.5, 0, 50, 0, -0.5)
    assert open_array(store, "x").ReadAsArray()[0] == 10.25
    if unit:
        assert open_array(store, "x").GetUnit() == unit


def test_a_transform_that_another_dataset_has_replaced_is_not_kept(store):
    write_in_unit(store, "m", METRES, PLACE_IN_KM)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    dataset.SetGeoTransform((10, 0.5, 0, 50, 0, -0.5))
    gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetGeoTransform((500000, 30, 0, 400000, 0, -30))
    dataset.SetSpatialRef(VIEW)
    dataset = None
    assert get_transform(store) == (500000, 30, 0, 400000, 0, -30)


def test_a_transform_is_not_that_of_the_same_numbers_in_another_unit(store):
    write_in_unit(store, "km", METRES, PLACE_IN_KM)
    write_v3(f"{store}/w", np.ones((20, 20)), names=["y", "x"])
    before = read_chunks(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="other arrays use these coordinates too"):
        dataset.SetGeoTransform([4000, 1, 0, 4020, 0, -1])
    dataset = None
    assert read_chunks(store) == before and open_array(store, "x").GetUnit() == "km"


# --- a CRS that is removed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("options", [[], ["GEOREFERENCING_CONVENTION=CF"], ["SINGLE_ARRAY=NO", "ARRAY_NAME=a"]])
@pytest.mark.parametrize("moves_last", [False, True])
def test_a_crs_that_a_new_dataset_loses_does_not_come_back(store, version, options, moves_last):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    transform = (500000, 10, 0, 4e6, 0, -10)
    bands = 2 if "SINGLE_ARRAY=NO" in options else 1
    dataset = gdal.GetDriverByName("Zarr").Create(store, 40, 30, bands, options=[f"FORMAT={version}", *options])
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform((5, 0.1, 0, 50, 0, -0.1) if moves_last else transform)
    dataset.SetSpatialRef(None)
    if moves_last:
        dataset.SetGeoTransform(transform)
    dataset.SetMetadataItem("AREA_OR_POINT", "Point")
    assert dataset.GetSpatialRef() is None
    dataset = None
    dataset = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"] if bands > 1 else [])
    assert dataset.GetSpatialRef() is None and dataset.GetGeoTransform() == transform


def test_a_new_array_leaves_the_crs_of_others(store):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    for name, append in (("a", []), ("b", ["APPEND_SUBDATASET=YES"])):
        dataset = gdal.GetDriverByName("Zarr").Create(store, 40, 30, options=[f"ARRAY_NAME={name}", *append])
        dataset.SetSpatialRef(srs)
        dataset.SetGeoTransform((5, 0.1, 0, 50, 0, -0.1))
        if append:
            dataset.SetSpatialRef(None)
        dataset = None
    assert get_code(store, "a") == "4326"
