# SPDX-License-Identifier: MIT
"""A failure is not remembered as absence: once it has passed, the open dataset tells all that there is."""

import itertools

import numpy as np
import pytest
from conventions import MULTISCALES_UUID
from osgeo import gdal
from stores import consolidate_v3, write_v2, write_v2_group, write_v3, write_v3_group
from test_opening import CRS, name_of

BANDS, SIZE = 3, 8
OPTION = ["ALIKE_ARRAYS_AS_BANDS=YES"]
LAYOUT = [{"asset": "t"}, {"asset": "ovr_2x/t", "derived_from": "t", "transform": {"scale": [1, 2, 2]}}]
DATA = np.ones((BANDS, SIZE, SIZE), "u1")
COORDINATES = {
    "time": (np.arange(BANDS, dtype="<i4"), {"units": "days since 2024-01-01"}),
    "y": (np.arange(SIZE, 0, -1.0), {"units": "degrees_north", "bounds": "y_bnds"}),
    "x": (np.arange(SIZE) * 1.0, {"units": "degrees_east"}),
}


def write_cube(store):
    """An array with all that the driver tells of a raster, in the bands named `t` and `u`; its names on the web."""
    attributes = {
        "multiscales": {"layout": LAYOUT},
        "zarr_conventions": [{"uuid": MULTISCALES_UUID}],
    }
    write_v3_group(store, attributes)
    told = {
        "grid_mapping": "crs",
        "coordinates": "crs time",
        "flag_values": [0, 1],
        "flag_meanings": "water land",
        "made_by": "a test",
    }
    for name in "tu":
        write_v3(f"{store}/{name}", DATA, (1, SIZE, SIZE), names=["time", "y", "x"], attributes=told)
    write_v3_group(f"{store}/ovr_2x")
    write_v3(f"{store}/ovr_2x/t", DATA[:, ::2, ::2], (1, SIZE, SIZE), names=["time", "y", "x"])
    for name, (values, units) in COORDINATES.items():
        write_v3(f"{store}/{name}", values, names=[name], attributes=units)
    edges = np.stack([COORDINATES["y"][0] + 0.5, COORDINATES["y"][0] - 0.5], 1)
    write_v3(f"{store}/y_bnds", edges, names=["y", "nv"])
    write_v3(f"{store}/crs", np.array(0, "<i4"), names=[], attributes=CRS)


def write_points(store):
    """A product with ground control points."""
    write_v2_group(store)
    for group in ("p", "p/measurements", "p/conditions", "p/conditions/gcp"):
        write_v2_group(f"{store}/{group}")
    write_v2(f"{store}/p/measurements/t", DATA[0], attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    for name in ("latitude", "longitude", "line", "pixel"):
        values = np.arange(4.0).reshape(2, 2) if name.endswith("ude") else np.arange(2.0)
        dimensions = ["y", "x"] if values.ndim == 2 else ["y" if name == "line" else "x"]
        write_v2(f"{store}/p/conditions/gcp/{name}", values, attributes={"_ARRAY_DIMENSIONS": dimensions})


def describe_srs(srs):
    return srs and srs.ExportToWkt()


OF_RASTERS = {
    "geotransform": lambda d: d.GetGeoTransform(can_return_null=True),
    "srs": lambda d: describe_srs(d.GetSpatialRef()),
    "metadata": lambda d: d.GetMetadata(),
    "an item": lambda d: d.GetMetadataItem("made_by"),
    "domains": lambda d: sorted(d.GetMetadataDomainList()),
    "band metadata": lambda d: d.GetRasterBand(2).GetMetadata(),
    "band item": lambda d: d.GetRasterBand(2).GetMetadataItem("DIM_time_VALUE"),
    "band description": lambda d: d.GetRasterBand(3).GetDescription(),
    "band domains": lambda d: d.GetRasterBand(3).GetMetadataDomainList() and d.GetRasterBand(3).GetMetadata(),
    "categories": lambda d: d.GetRasterBand(1).GetCategoryNames(),
    "overviews": lambda d: d.GetRasterBand(1).GetOverviewCount(),
    "overview": lambda d: (o := d.GetRasterBand(1).GetOverview(0)) and (o.XSize, o.GetDescription()),
}
OF_POINTS = {
    "count": lambda d: d.GetGCPCount(),
    "points": lambda d: [(p.GCPPixel, p.GCPLine, p.GCPX, p.GCPY) for p in d.GetGCPs()],
    "srs": lambda d: describe_srs(d.GetGCPSpatialRef()),
}


def read_attributes(array):
    return {attribute.GetName(): str(attribute.Read()) for attribute in array.GetAttributes()}


def list_dimensions(array):
    variables = [(d.GetName(), d.GetType(), d.GetIndexingVariable()) for d in array.GetDimensions()]
    return [(name, type, v and (v.GetUnit(), v.ReadAsArray().tolist())) for name, type, v in variables]


OF_ARRAYS = {
    "srs": lambda a: describe_srs(a.GetSpatialRef()),
    "attributes": read_attributes,
    "dimensions": list_dimensions,
    "times": lambda a: a.GetDimensions()[0].GetIndexingVariable().GetAttribute("ISO8601").Read(),
    "coordinates": lambda a: [(c.GetName(), read_attributes(c)) for c in a.GetCoordinateVariables()],
}
if hasattr(gdal.MDArray, "GetOverviewCount"):
    OF_ARRAYS["overviews"] = lambda a: a.GetOverviewCount() and a.GetOverview(0).GetShape()


def check_question(server, open_one, ask):
    """Asks while one request or another fails, or gets a page of a proxy, and asks again when it does not."""
    opened = open_one()
    server.clear()
    expected = ask(opened)
    assert expected
    keys = {path for _, path, _, _ in server.log}
    opened = None
    for key, fault in itertools.product(keys, ("500", "page")):
        opened = open_one()
        server.fail(fault, key)
        try:
            answer = ask(opened)
            assert answer == expected, f"{key}: {fault}, which nothing tells"
        except RuntimeError as error:
            assert key in str(error)
        server.heal()
        assert ask(opened) == expected, f"{key}: {fault}"
        opened = None
    return keys


@pytest.fixture(params=[False, True], ids=["documents apart", "consolidated"])
def cube(request, tmp_path):
    store = str(tmp_path / "a.zarr")
    write_cube(store)
    if request.param:
        consolidate_v3(store)


@pytest.mark.parametrize("question", OF_RASTERS)
def test_a_raster_tells_all_when_a_failure_has_passed(cube, server, question):
    check_question(server, lambda: gdal.Open(name_of(server)), OF_RASTERS[question])


def test_the_band_metadata_and_the_place_take_requests(cube, server):
    """So that the test before this one tests something."""
    for question, key in (("geotransform", "/a.zarr/y_bnds/c/0/0"), ("band metadata", "/a.zarr/time/c/0")):
        assert key in check_question(server, lambda: gdal.Open(name_of(server)), OF_RASTERS[question])


@pytest.mark.parametrize("question", OF_POINTS)
def test_control_points_are_told_when_a_failure_has_passed(tmp_path, server, question):
    write_points(str(tmp_path / "a.zarr"))
    name = name_of(server, array="p/measurements/t")
    check_question(server, lambda: gdal.Open(name), OF_POINTS[question])


@pytest.mark.parametrize("question", OF_ARRAYS)
def test_an_array_tells_all_when_a_failure_has_passed(cube, server, question):
    name = name_of(server, array=None)
    open_one = lambda: gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("t")
    check_question(server, open_one, OF_ARRAYS[question])


@pytest.mark.parametrize("times", [1, 2, None])
def test_a_copy_has_its_control_points_or_fails(tmp_path, server, times):
    write_points(str(tmp_path / "a.zarr"))
    source = gdal.Open(name_of(server, array="p/measurements/t"))

    def copy():
        return gdal.GetDriverByName("GTiff").CreateCopy(str(tmp_path / "copy.tif"), source)

    server.fail("500", "/latitude/0.0", times=times)
    gdal.DontUseExceptions()  # which are raised for a copy that is made with an error, too
    try:
        made = copy()
    finally:
        gdal.UseExceptions()
    assert made is None if times is None else made is None or made.GetGCPCount() == 4
    made = None
    server.heal()
    if times is None:
        with pytest.raises(RuntimeError, match="ask again"):
            source.ReadAsArray()
    assert copy().GetGCPCount() == 4


def test_a_stack_is_not_opened_without_the_metadata_of_its_arrays(tmp_path, server):
    """They are read when it is opened, so that its bands have them."""
    store = str(tmp_path / "a.zarr")
    write_cube(store)
    consolidate_v3(store)
    name = name_of(server, array=None)

    def describe():
        dataset = gdal.OpenEx(name, open_options=OPTION)
        return dataset.GetMetadata(), [dataset.GetRasterBand(b + 1).GetMetadata() for b in range(2 * BANDS)]

    expected = describe()
    assert expected[0]["made_by"] == "a test"
    for key in ("/x/c/0", "/y/c/0", "/y_bnds/c/0/0"):
        server.fail("500", key)
        with pytest.raises(RuntimeError, match=key):
            gdal.OpenEx(name, open_options=OPTION)
        server.heal()
        assert describe() == expected
