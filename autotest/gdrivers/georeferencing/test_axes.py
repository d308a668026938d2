# SPDX-License-Identifier: MIT
"""Coordinate arrays place the pixels: spacing, bounds, packed and rounded values, longitudes that jump."""

import json
import math
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_json, write_v2, write_v2_group, write_v3, write_v3_group

def open_axes(
    store, x, y, x_bounds=None, y_bounds=None, write=write_v3, write_group=write_v3_group, more=None, of_bounds=None
):
    """`more` has attributes of x, and `of_bounds` those of its bounds."""
    write_group(store)
    for name, values, bounds in [("x", x, x_bounds), ("y", y, y_bounds)]:
        attributes = {"bounds": f"{name}_bnds"} if bounds is not None else {}
        own, others = (more or {}, of_bounds or {}) if name == "x" else ({}, {})
        arrays = [(name, values, [name], {**attributes, **own}), (f"{name}_bnds", bounds, [name, "nv"], others)]
        for path, data, names, more in arrays:
            if data is None:
                continue
            if write is write_v3:
                write(f"{store}/{path}", data, names=names, attributes=more)
            else:
                write(f"{store}/{path}", data, attributes={"_ARRAY_DIMENSIONS": names, **more})
    raster = np.zeros((len(y), len(x)), "u1")
    if write is write_v3:
        write(f"{store}/v", raster, names=["y", "x"])
    else:
        write(f"{store}/v", raster, attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    return gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform(can_return_null=True)


X = 10 + 2.0 * np.arange(5)
Y = 40 - 5.0 * np.arange(3)


@pytest.mark.parametrize("wobble, regular", [(0.0009, True), (0.0015, False)])
def test_spacing_may_differ_by_a_thousandth(store, wobble, regular):
    x = X.copy()
    x[2] += 2 * wobble  # the step is 2
    assert (open_axes(store, x, Y) == (9, 2, 0, 42.5, 0, -5)) == regular


@pytest.mark.parametrize("dtype", ["<f4", "<f8", ">f4"])
def test_decimal_coordinates_are_exact(store, dtype):
    """Tenths of a degree have no exact Float32. That must not shift the last column by 3 m."""
    x = (np.arange(3600) / 10).astype(dtype)
    y = (90 - np.arange(1801) / 10).astype(dtype)
    got = open_axes(store, x, y, write=write_v2, write_group=write_v2_group)
    assert got == pytest.approx((-0.05, 0.1, 0, 90.05, 0, -0.1), abs=1e-14, rel=1e-14)


@pytest.mark.parametrize("functions", [(write_v3, write_v3_group), (write_v2, write_v2_group)])
def test_bounds_say_where_cells_end(store, functions):
    """By CF, coordinates may be those of the western and northern edges; the bounds tell."""
    bounds_x = np.stack([X, X + 2], 1)
    bounds_y = np.stack([Y, Y - 5], 1)
    assert open_axes(store, X, Y, bounds_x, bounds_y, *functions) == (10, 2, 0, 40, 0, -5)


def test_ends_of_cells_in_any_order(store):
    bounds_y = np.stack([Y - 5, Y], 1)
    assert open_axes(store, X, Y, np.stack([X + 2, X], 1), bounds_y) == (10, 2, 0, 40, 0, -5)


def test_bounds_that_say_the_same_change_no_digit(store):
    x = np.arange(5) * 0.1
    nearly = (np.stack([x - 0.05, x + 0.05], 1)).astype("<f4")
    assert open_axes(store, x, Y, nearly) == open_axes(store + "2", x, Y)


def test_bounds_give_one_cell_a_size(store):
    assert open_axes(store, X[:1], Y, np.array([[9.0, 11.0]])) == (9, 2, 0, 42.5, 0, -5)


@pytest.mark.parametrize("bounds", [np.zeros((5, 2)), np.zeros((5, 3)), np.zeros(5), np.full((5, 2), np.nan)])
def test_bounds_that_are_none_do_no_harm(store, bounds):
    if bounds.ndim == 1:
        bounds = bounds[:, None]
    assert open_axes(store, X, Y, bounds) == (9, 2, 0, 42.5, 0, -5)


def test_absent_bounds_do_no_harm(store):
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 5), "u1"), names=["y", "x"])
    write_v3(f"{store}/x", X, names=["x"], attributes={"bounds": "../x_bnds"})
    write_v3(f"{store}/y", Y, names=["y"], attributes={"bounds": 7})
    assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == (9, 2, 0, 42.5, 0, -5)


# --- packed coordinates ----------------------------------------------------------------------------------------------

PACKED = np.array([0, 20, 40, 60], "<i2")


@pytest.mark.parametrize(
    "more, first, step",
    [
        ({"scale_factor": 0.1, "add_offset": 5.0}, 4, 2),
        ({"scale_factor": 0.5}, -5, 10),
        ({"add_offset": 100}, 90, 20),
        ({"scale_factor": -0.5}, 5, -10),
    ],
)
def test_packed_coordinates_are_unpacked(store, more, first, step):
    assert open_axes(store, PACKED, Y, more=more) == pytest.approx((first, step, 0, 42.5, 0, -5))


@pytest.mark.parametrize(
    "bounds, of_bounds",
    [
        (np.stack([PACKED, PACKED + 20], 1), {}),
        (np.stack([PACKED, PACKED + 20], 1) * 0.1 + 5, {}),
        (np.stack([PACKED, PACKED + 20], 1) // 2, {"scale_factor": 0.2, "add_offset": 5.0}),
    ],
)
def test_bounds_are_packed_as_their_coordinates(store, bounds, of_bounds):
    """Other attributes, or another type, of the bounds prevent that."""
    more = {"scale_factor": 0.1, "add_offset": 5.0}
    got = open_axes(store, PACKED, Y, bounds, more=more, of_bounds=of_bounds)
    assert got == pytest.approx((5, 2, 0, 42.5, 0, -5))


@pytest.mark.parametrize("functions", [(write_v3, write_v3_group), (write_v2, write_v2_group)])
def test_packed_coordinates_are_made_anew(store, functions):
    more = {"scale_factor": 0.1, "add_offset": 5.0, "long_name": "across"}
    open_axes(store, PACKED, Y, None, None, *functions, more=more)
    place = (0.123456789, 0.25, 0, 42.5, 0, -5)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE | gdal.OF_RASTER)
    dataset.SetGeoTransform(place)
    dataset = None
    assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == pytest.approx(place, abs=1e-12)
    x = open_array(store, "x")
    assert (x.GetScale(), x.GetOffset(), x.GetAttribute("long_name").Read()) == (None, None, "across")


@pytest.mark.parametrize("functions", [(write_v3, write_v3_group), (write_v2, write_v2_group)])
@pytest.mark.parametrize("dtype", ["<i2", "<u2", "<i4", "<u8", "<f2", "<f4"])
def test_coordinates_that_do_not_fit_their_type_are_made_anew(store, dtype, functions):
    write, write_group = functions
    open_axes(store, np.arange(4).astype(dtype), Y, None, None, write, write_group, more={"long_name": "across"})
    place = (5000000.3, 0.1, 0, 42.5, 0, -5)
    gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetGeoTransform(place)
    assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == place
    x = open_array(store, "x")
    assert x.ReadAsArray().tolist() == [5000000.35 + i * 0.1 for i in range(4)]
    assert x.GetAttribute("long_name").Read() == "across"


@pytest.mark.parametrize("dtype, first, step", [("<i2", 100.5, 3), ("<f4", 0.05, 0.1), ("<f2", 1023, 2)])
def test_coordinates_that_fit_their_type_keep_it(store, dtype, first, step):
    open_axes(store, (10 + np.arange(4) * 0.1).astype(dtype) if dtype == "<f4" else np.arange(4).astype(dtype), Y)
    gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetGeoTransform([first, step, 0, 42.5, 0, -5])
    with collect_errors() as errors:
        assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == (first, step, 0, 42.5, 0, -5)
    assert errors == []
    x = open_array(store, "x").ReadAsArray()
    assert x == pytest.approx(first + (np.arange(4) + 0.5) * step, rel=1e-6)
    with open(f"{store}/x/zarr.json", encoding="utf-8") as file:
        assert json.load(file)["data_type"] == {"<i2": "int16", "<f4": "float32", "<f2": "float16"}[dtype]


@pytest.mark.parametrize("functions", [(write_v3, write_v3_group), (write_v2, write_v2_group)])
@pytest.mark.parametrize("dtype", ["<f8", "<i4"])
@pytest.mark.parametrize("place", [(100.25, 0.5, 0, 42.5, 0, -5), (100, 2, 1, 42.5, 1, -5)])
def test_bounds_move_with_their_coordinates(store, dtype, place, functions):
    ends = [np.stack([centres - step, centres + step], 1).astype(dtype) for centres, step in ((X, 1), (Y, -3))]
    open_axes(store, X, Y, *ends, *functions, of_bounds={"long_name": "ends"})
    gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetGeoTransform(place)
    with collect_errors() as errors:
        assert gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform() == place
    assert errors == []
    names = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()
    if place[2] != 0:
        assert "v" in names and not {"x", "y", "x_bnds", "y_bnds"} & set(names)
        return
    bounds = open_array(store, "x_bnds")
    assert bounds.ReadAsArray()[:2].tolist() == [[100.25, 100.75], [100.75, 101.25]]
    assert bounds.GetAttribute("long_name").Read() == "ends"
    assert [dimension.GetName() for dimension in bounds.GetDimensions()] == ["x", "nv"]


def test_other_bounds_refuse_a_move(store):
    open_axes(store, X, Y, np.zeros((5, 4)))
    with pytest.raises(RuntimeError, match="other arrays use these coordinates too"):
        gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetGeoTransform((0, 2, 0, 42.5, 0, -5))
    assert open_array(store, "x").ReadAsArray().tolist() == X.tolist()


# --- rounding of narrow types ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("per_degree", [120, 240, 480, 112, 336, 1200])
@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_fine_global_grids_of_float32_are_regular(store, per_degree, dtype):
    """Near 180, a Float32 is rounded to 1.5e-5 degrees, more than a thousandth of 30 arc-seconds (8e-6)."""
    x = (-180 + (np.arange(360 * per_degree) + 0.5) / per_degree).astype(dtype)
    y = (90 - (np.arange(180 * per_degree) + 0.5) / per_degree)[:100].astype(dtype)
    write_v2_group(store)
    write_v2(f"{store}/x", x, attributes={"_ARRAY_DIMENSIONS": ["x"]})
    write_v2(f"{store}/y", y, attributes={"_ARRAY_DIMENSIONS": ["y"]})
    write_v2(f"{store}/v", np.zeros((1, 1), "u1"), attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    write_shape(f"{store}/v", [100, len(x)])
    got = gdal.Open(f'ZARR:"{store}":/v').GetGeoTransform()
    assert got == pytest.approx((-180, 1 / per_degree, 0, 90, 0, -1 / per_degree), abs=1e-12, rel=1e-12)


def write_shape(array, shape):
    """Changes the shape of a v2 array without touching its chunks."""
    with open(f"{array}/.zarray") as f:
        metadata = json.load(f)
    write_json(f"{array}/.zarray", {**metadata, "shape": shape, "chunks": shape, "fill_value": 0})


@pytest.mark.parametrize(
    "values, first, step",
    [
        (np.arange(540) * (2 / 3) - 180, -180 - 1 / 3, 2 / 3),
        (431000.25 + 0.7 * np.arange(3000), 431000.25 - 0.35, 0.7),
        (4321000 + 25.0 * np.arange(3000), 4321000 - 12.5, 25),
    ],
)
def test_other_grids_of_float32_are_regular(store, values, first, step):
    got = open_axes(store, values.astype("<f4"), Y)
    assert got[0] == pytest.approx(first, abs=step / 1000)
    assert got[1] == pytest.approx(step, rel=1e-6)


@pytest.mark.parametrize("values", [[1, 1.1, 1.2, 1.3], [10, 10.5, 11, 11.5], [-2.3, -2.2, -2.1]])
def test_coordinates_of_float16_are_regular(store, values):
    step = values[1] - values[0]
    got = open_axes(store, np.array(values, "<f2"), Y)
    assert got[:2] == pytest.approx((values[0] - step / 2, step), abs=1e-9)


def test_narrow_types_are_not_regular_by_themselves(store):
    x = np.array([0, 0.01, 0.03, 0.04, 0.05, 0.07], "<f4")
    assert open_axes(store, x, Y) is None
    coarse = (180 + np.arange(50) * 1e-5).astype("<f4")
    assert open_axes(store + "2", coarse, Y) is None


def test_fine_bounds_of_float32_are_regular(store):
    edges = -180 + np.arange(4001) / 1200
    bounds = np.stack([edges[:-1], edges[1:]], 1).astype("<f4")
    got = open_axes(store, edges[:-1].astype("<f4"), Y, bounds)
    assert got[:2] == pytest.approx((-180, 1 / 1200), abs=1e-12, rel=1e-12)


# --- longitudes ------------------------------------------------------------------------------------------------------

EAST = {"units": "degrees_east"}


@pytest.mark.parametrize(
    "longitudes, first, step",
    [
        ([350, 0, 10, 20], -15, 10),
        ([170, 180, -170, -160], -195, 10),
        ([20, 10, 0, 350], 25, -10),
        ([-170, 180, 170, 160], 195, -10),
        ([300, 330, 0], -75, 30),
        ([0, 90, 180, -90], -45, 90),
        ([36, 108, 180, -108, -36], 0, 72),
        ([-36, -108, 180, 108, 36], 0, -72),
        ([*range(1, 181), *range(-179, 1)], 0.5, 1),
        ([*range(0, 181), *range(-179, 0)], -0.5, 1),
        ([*range(180, 360), *range(0, 180)], -180.5, 1),
        ([190, 200, 210], 185, 10),
    ],
)
def test_longitudes_may_jump_by_a_turn(store, longitudes, first, step):
    for dtype in ("<f8", "<f4", "<i2"):
        path = f"{store}-{dtype[1:]}"
        got = open_axes(path, np.array(longitudes, dtype), Y, more=EAST)
        assert got == (first, step, 0, 42.5, 0, -5)


@pytest.mark.parametrize("more", [EAST, {"standard_name": "longitude"}])
def test_bounds_may_jump_with_their_longitudes(store, more):
    x = np.array([350.0, 0, 10, 20])
    for name, bounds in [
        ("a", [[350, 0], [0, 10], [10, 20], [20, 30]]),
        ("b", [[0, 350], [10, 0], [20, 10], [30, 20]]),
        ("c", [[-10, 0], [0, 10], [10, 20], [20, 30]]),
        ("d", [[350, 360], [360, 370], [370, 380], [380, 390]]),
    ]:
        got = open_axes(store + name, x, Y, np.array(bounds, "<f8"), more=more)
        assert got == (-10, 10, 0, 42.5, 0, -5), name


@pytest.mark.parametrize(
    "values, more",
    [
        ([350, 0, 10, 20], {}),
        ([350, 0, 10, 20], {"units": "m"}),
        ([350, 0, 10, 20], {"standard_name": "grid_longitude", "units": "degrees"}),
        ([350, 5, 10, 20], EAST),
        ([0, 100, 200, 300, 40, 140, 240], EAST),
        ([0, 180, 0], EAST),
    ],
)
def test_other_jumps_are_not_regular(store, values, more):
    assert open_axes(store, np.array(values, "<f8"), Y, more=more) is None


def write_square(store, write, write_group, more=None):
    """An array whose axes are one dimension, as netCDF-C writes two anonymous ones of one length."""
    write_group(store)
    data = np.arange(16, dtype="u1").reshape(4, 4)
    if write is write_v3:
        write(f"{store}/v", data, names=["n", "n"], attributes=more)
    else:
        write(f"{store}/v", data, attributes={"_ARRAY_DIMENSIONS": ["n", "n"], **(more or {})})


@pytest.mark.parametrize("functions", [(write_v3, write_v3_group), (write_v2, write_v2_group)])
@pytest.mark.parametrize("parts", ["transform", "transform and SRS", "SRS and transform"])
def test_axes_of_one_dimension_get_no_coordinates(store, functions, parts):
    """One array of coordinates cannot hold those of X and Y."""
    write_square(store, *functions)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_RASTER | gdal.OF_UPDATE)
    for part in parts.split(" and "):
        if part == "SRS":
            dataset.SetProjection("EPSG:32633")
        else:
            dataset.SetGeoTransform((500000, 10, 0, 5000000, 0, -10))
    dataset = None
    with collect_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{store}":/v')
        assert dataset.GetGeoTransform() == (500000, 10, 0, 5000000, 0, -10)
    assert not errors
    if "SRS" in parts:
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32633"
    assert not os.path.exists(f"{store}/n")


@pytest.mark.parametrize("crs, unit", [("EPSG:4807", "grade"), ("arc-minute", "arc_minute"), ("EPSG:4326", "degrees_east")])
@pytest.mark.parametrize("late", [False, True])
def test_coordinates_are_written_in_the_angular_unit_of_the_crs(store, crs, unit, late):
    transform = (3, 0.1, 0, 50, 0, -0.1)
    srs = osr.SpatialReference()
    if crs.startswith("EPSG"):
        srs.SetFromUserInput(crs)
    else:
        srs.SetGeogCS("", "", "", 6378137, 298.257223563, "Greenwich", 0, crs, math.pi / 10800)
    source = gdal.GetDriverByName("MEM").Create("", 4, 3)
    if not late:
        source.SetGeoTransform(transform)
        source.SetSpatialRef(srs)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["ARRAY_NAME=a", "FORMAT=ZARR_V3"])
    if late:
        ds = gdal.OpenEx(store, gdal.OF_UPDATE)
        ds.SetSpatialRef(srs)
        ds.SetGeoTransform(transform)
        ds = None
    with collect_errors() as errors:
        assert gdal.Open(store).GetGeoTransform() == pytest.approx(transform, rel=1e-14)
    assert errors == []
    with open(f"{store}/X/zarr.json") as file:
        assert json.load(file)["attributes"]["units"] == unit


def make_depths(store):
    write_v3_group(store)
    write_v3(f"{store}/t", np.arange(15.0).reshape(3, 5), names=["obs", "z"])
    write_v3(f"{store}/z", np.arange(5.0) * 10, names=["z"], attributes={"standard_name": "depth", "positive": "down", "units": "m"})


def test_a_transform_replaces_no_coordinates_of_other_quantities(store):
    make_depths(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/t', gdal.OF_RASTER | gdal.OF_UPDATE)
    with pytest.raises(RuntimeError, match="z: a geotransform would replace these coordinates"):
        dataset.SetGeoTransform((500000, 10, 0, 6000000, 0, -10))
    del dataset
    depths = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("z")
    np.testing.assert_array_equal(depths.ReadAsArray(), np.arange(5.0) * 10)


def test_a_crs_that_will_not_be_found_gives_a_warning(store):
    make_depths(store)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/t', gdal.OF_RASTER | gdal.OF_UPDATE)
    with collect_errors() as errors:
        dataset.SetSpatialRef(srs)
    assert [text for _, text in errors if "/t: GDAL will not find this CRS" in text]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("epsg", [4326, 4258])
def test_the_crs_of_longitudes_and_latitudes_is_removed(store, version, epsg):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(epsg)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    transform = (10, 0.1, 0, 50, 0, -0.1)
    dataset = gdal.GetDriverByName("Zarr").Create(store, 20, 10, 1, gdal.GDT_Byte, [f"FORMAT=ZARR_V{version}"])
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform(transform)
    dataset = None
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE).SetSpatialRef(None)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    assert dataset.GetSpatialRef() is None
    assert dataset.GetGeoTransform() == pytest.approx(transform)
    dataset.SetSpatialRef(srs)
    dataset = None
    assert gdal.Open(store).GetSpatialRef().IsSame(srs)
