# SPDX-License-Identifier: MIT
"""The number of requests and of round trips from a name to the first values."""

import collections
import contextlib
import os

import numpy as np
import pytest
from fault_server import FaultServer
from osgeo import gdal
from stores import (
    consolidate_v2,
    consolidate_v3,
    write_v2,
    write_v2_group,
    write_v3,
    write_v3_group,
)

DATA = np.arange(64 * 64, dtype="<i4").reshape(64, 64)
LAT, LON = np.linspace(50, 40, 64), np.linspace(10, 20, 64)
UNITS = {"lat": "degrees_north", "lon": "degrees_east"}
CRS = {"grid_mapping_name": "latitude_longitude", "semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563}
STEP = 10 / 63
TRANSFORM = (10 - STEP / 2, STEP, 0, 50 + STEP / 2, 0, -STEP)


def write_group(path, version):
    (write_v3_group if version == 3 else write_v2_group)(path)


def write_array(path, version, data, names, attributes, chunks=None):
    if version == 3:
        return write_v3(path, data, chunks, names=names, attributes=attributes)
    return write_v2(path, data, chunks, attributes={"_ARRAY_DIMENSIONS": names, **attributes})


def write_cube(path, version, consolidated=False, group="", bounds=False):
    """Writes a store with an array, its coordinates and a grid mapping, and returns the path of the array."""
    write_group(path, version)
    folder = f"{path}/{group}".rstrip("/")
    if group:
        write_group(folder, version)
    write_array(f"{folder}/t", version, DATA, ["lat", "lon"], {"grid_mapping": "crs"})
    for name, values in (("lat", LAT), ("lon", LON)):
        attributes = {"units": UNITS[name], **({"bounds": f"{name}_bnds"} if bounds else {})}
        write_array(f"{folder}/{name}", version, values, [name], attributes)
        if bounds:
            half = (values[1] - values[0]) / 2
            edges = np.stack([values - half, values + half], 1)
            write_array(f"{folder}/{name}_bnds", version, edges, [name, "nv"], {})
    write_array(f"{folder}/crs", version, np.array(0, "<i4"), [], CRS)
    if consolidated:
        (consolidate_v3 if version == 3 else consolidate_v2)(path)
    return f"{group}/t".lstrip("/")


def name_of(server, store="a.zarr", array="t"):
    return f'ZARR:"/vsicurl/{server.url}/{store}"' + (f":/{array}" if array else "")


def check_place(dataset):
    np.testing.assert_allclose(dataset.GetGeoTransform(), TRANSFORM, atol=1e-9)
    assert dataset.GetSpatialRef().IsGeographic()


def check_asked_once(server):
    asked = collections.Counter((path, span) for _, path, span, _ in server.log)
    assert [key for key, count in asked.items() if count > 1] == []


def check_costs(server, requests, trips):
    found = server.count(), server.round_trips()
    print(f"{found[0]} requests, {found[1]} round trips")
    check_asked_once(server)
    assert found[0] <= requests and found[1] <= trips, "\n".join(map(str, server.log))


@pytest.fixture
def slow_server(tmp_path):
    """A server so slow that requests on a busy machine are told apart, too."""
    with FaultServer(tmp_path, latency=0.2, gathers=True).serve() as running:
        yield running


@pytest.fixture(params=[2, 3])
def version(request):
    return request.param


@pytest.mark.parametrize("consolidated", [False, True])
def test_costs_to_the_first_window(tmp_path, slow_server, version, consolidated):
    write_cube(str(tmp_path / "a.zarr"), version, consolidated)
    dataset = gdal.Open(name_of(slow_server))
    check_place(dataset)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    requests = {(2, False): 15, (3, False): 8, (2, True): 7, (3, True): 4}
    check_costs(slow_server, requests[version, consolidated], 3 if (version, consolidated) == (3, True) else 4)


def test_costs_to_open_without_consolidated_metadata(tmp_path, slow_server, version):
    write_cube(str(tmp_path / "a.zarr"), version)
    dataset = gdal.Open(name_of(slow_server))
    assert dataset.RasterXSize == 64
    check_costs(slow_server, 14 if version == 2 else 7, 3)
    slow_server.clear()
    check_place(dataset)
    assert slow_server.count() == 0


def test_costs_to_open_with_consolidated_metadata(tmp_path, slow_server, version):
    write_cube(str(tmp_path / "a.zarr"), version, True)
    assert gdal.Open(name_of(slow_server)).RasterXSize == 64
    check_costs(slow_server, 4 if version == 2 else 1, 4 - version)


def test_costs_of_an_array_in_a_group(tmp_path, slow_server, version):
    array = write_cube(str(tmp_path / "a.zarr"), version, group="g")
    dataset = gdal.Open(name_of(slow_server, array=array))
    check_place(dataset)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    check_costs(slow_server, 18 if version == 2 else 9, 4)


def test_costs_of_coordinates_in_a_group_above(tmp_path, slow_server, version):
    store = str(tmp_path / "a.zarr")
    write_cube(store, version)
    write_group(f"{store}/g", version)
    write_array(f"{store}/g/t", version, DATA, ["lat", "lon"], {"grid_mapping": "crs"})
    dataset = gdal.Open(name_of(slow_server, array="g/t"))
    check_place(dataset)
    check_costs(slow_server, 30 if version == 2 else 15, 5)


def test_costs_of_bounds(tmp_path, slow_server, version):
    write_cube(str(tmp_path / "a.zarr"), version, bounds=True)
    check_place(gdal.Open(name_of(slow_server)))
    check_costs(slow_server, 20 if version == 2 else 11, 4)


def test_a_root_without_a_document_is_a_group(tmp_path, server):
    """Of v2, if there is an array below it."""
    write_cube(str(tmp_path / "a.zarr"), 2)
    (tmp_path / "a.zarr" / ".zgroup").unlink()
    check_place(gdal.Open(name_of(server)))


def test_an_array_that_is_its_store(tmp_path, slow_server, version):
    """Its name may be that of its folder."""
    write_array(str(tmp_path / "t.zarr"), version, DATA, ["lat", "lon"], {})
    for array in ("", "t"):
        slow_server.clear()
        dataset = gdal.Open(name_of(slow_server, "t.zarr", array))
        np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
        check_costs(slow_server, 9, 5)


def test_coordinates_that_are_not_where_they_are_likely(tmp_path, server):
    """Coordinates of several chunks, or of one that is absent, are right all the same."""
    store = str(tmp_path / "a.zarr")
    write_cube(store, 3)
    write_v3(f"{store}/lat", LAT, (10,), names=["lat"], attributes={"units": "degrees_north"})
    check_place(gdal.Open(name_of(server)))
    (tmp_path / "a.zarr" / "lon" / "c" / "0").unlink()
    assert gdal.Open(name_of(server)).GetGeoTransform(can_return_null=True) is None


@pytest.mark.parametrize("fault", ["500", "403", "truncated", "reset"])
@pytest.mark.parametrize("ending", ["/lat/c/0", "/lon/zarr.json", "/crs/zarr.json", "/t/zarr.json"])
def test_a_failure_of_what_was_asked_for_early_is_an_error(tmp_path, server, fault, ending):
    write_cube(str(tmp_path / "a.zarr"), 3)
    server.fail(fault, ending)
    with pytest.raises(RuntimeError, match=ending):
        gdal.Open(name_of(server)).GetGeoTransform()
    server.heal()
    check_place(gdal.Open(name_of(server)))


def test_a_failure_is_tried_again(tmp_path, server):
    write_cube(str(tmp_path / "a.zarr"), 3)
    gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", "2")
    gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", "0.01")
    try:
        server.fail("503", "/lat/c/0", times=1)
        server.fail("503", "/lon/zarr.json", times=2)
        check_place(gdal.Open(name_of(server)))
    finally:
        gdal.SetConfigOption("GDAL_HTTP_MAX_RETRY", None)
        gdal.SetConfigOption("GDAL_HTTP_RETRY_DELAY", None)


def open_multidim(server, array="t", store="a.zarr"):
    group = gdal.OpenEx(name_of(server, store, None), gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    return group, group.OpenMDArrayFromFullname(f"/{array}")


def read_coordinates(array):
    for dimension, expected in zip(array.GetDimensions(), (LAT, LON)):
        np.testing.assert_array_equal(dimension.GetIndexingVariable().ReadAsArray(), expected)


@pytest.mark.parametrize("consolidated", [False, True])
def test_costs_of_the_coordinates_of_an_array(tmp_path, slow_server, version, consolidated):
    """In the multidimensional API."""
    write_cube(str(tmp_path / "a.zarr"), version, consolidated)
    _, array = open_multidim(slow_server)
    read_coordinates(array)
    assert array.GetSpatialRef().IsGeographic()
    costs = {(2, False): (15, 5), (3, False): (7, 3), (2, True): (4, 3), (3, True): (3, 2)}
    check_costs(slow_server, *costs[version, consolidated])


def test_two_arrays_share_what_they_need(tmp_path, slow_server, version):
    store = str(tmp_path / "a.zarr")
    write_cube(store, version)
    write_array(f"{store}/u", version, DATA, ["lat", "lon"], {"grid_mapping": "crs"})
    group, array = open_multidim(slow_server)
    read_coordinates(array)
    slow_server.clear()
    other = group.OpenMDArray("u")
    read_coordinates(other)
    assert other.GetSpatialRef().IsGeographic()
    check_costs(slow_server, 1 if version == 3 else 2, 1)


# --- a node of a larger store ---


def test_costs_of_a_node_in_a_store(tmp_path, slow_server, version):
    """The store's name tells where its root is likely to be."""
    write_cube(str(tmp_path / "a.zarr"), version, group="g/h")
    write_group(str(tmp_path / "a.zarr" / "g"), version)
    dataset = gdal.Open(name_of(slow_server, "a.zarr/g/h"))
    check_place(dataset)
    assert all(path.startswith("/a.zarr/") for _, path, _, _ in slow_server.log)
    check_costs(slow_server, 24 if version == 2 else 9, 5 if version == 2 else 3)


@pytest.mark.parametrize("group", ["", "g"])
def test_a_store_with_another_name(tmp_path, slow_server, version, group):
    """A group has coordinates of its own: nothing outside of it is asked."""
    write_cube(str(tmp_path / "data" / "sets" / "a"), version, group=group)
    store = "data/sets/a" + ("/g" if group else "")
    dataset = gdal.Open(name_of(slow_server, store))
    check_place(dataset)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)
    assert not [path for _, path, _, _ in slow_server.log if not path.startswith(f"/{store}/")]
    check_costs(slow_server, 36, 9 if version == 2 else 6)


def test_an_array_of_a_store_with_another_name(tmp_path, slow_server, version):
    """Its parent is asked, and the parent of that."""
    write_cube(str(tmp_path / "data" / "sets" / "a"), version)
    check_place(gdal.Open(name_of(slow_server, "data/sets/a/t")))
    assert not [path for _, path, _, _ in slow_server.log if not path.startswith("/data/sets/")]


def test_a_consolidated_store_with_another_name_asks_nothing_above(tmp_path, server, version):
    write_cube(str(tmp_path / "data" / "a"), version, True)
    check_place(gdal.Open(name_of(server, "data/a")))
    assert not [path for _, path, _, _ in server.log if not path.startswith("/data/a/")]


def test_a_store_at_the_root_of_a_server(tmp_path, server):
    write_cube(str(tmp_path), 3)
    dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}":/t')
    check_place(dataset)
    assert not [path for _, path, _, _ in server.log if not path.startswith("/") or "//" in path]
    check_asked_once(server)


def test_a_failure_above_is_an_error(tmp_path, server, version):
    write_cube(str(tmp_path / "data" / "a"), version)
    server.fail("500", "/data/zarr.json" if version == 3 else "/data/.zgroup")
    with pytest.raises(RuntimeError, match=f"{server.url}/data/.* 500|500.*{server.url}/data/"):
        gdal.Open(name_of(server, "data/a/t"))
    server.heal()
    check_place(gdal.Open(name_of(server, "data/a/t")))


def test_a_server_that_forbids_to_look_above(tmp_path, server, version):
    write_cube(str(tmp_path / "data" / "a"), version)
    server.fail("403", "/data/zarr.json")
    server.fail("403", "/data/.zgroup")
    check_place(gdal.Open(name_of(server, "data/a/t")))


@pytest.mark.parametrize(
    "chain", ["/vsigzip/{}.gz", "/vsisubfile/100_200,{}", "/vsicached?file={}", "/vsitar/{{{}.tar}}/d/c.tif", "/vsizip/{{{}.zip}}/d/c.tif"]
)
def test_a_missing_file_that_is_no_store_takes_no_requests(server, chain):
    """Looking for a store above it would."""
    name = chain.format(f"/vsicurl/{server.url}/a/b/c.tif")
    with pytest.raises(RuntimeError):
        gdal.Open(name)
    assert not [path for _, path, _, _ in server.log if path.endswith(("zarr.json", ".zgroup", ".zarray", ".zmetadata"))]


# --- a second time ---


def make_old(folder):
    """Lets all files look as if nobody had changed them for a while, so that their tags tell every change."""
    for file in folder.rglob("*"):
        os.utime(file, (1.6e9, 1.6e9))


@contextlib.contextmanager
def option(name, value):
    gdal.SetConfigOption(name, value)
    try:
        yield
    finally:
        gdal.SetConfigOption(name, None)


@pytest.mark.parametrize("consolidated", [False, True])
def test_costs_of_a_second_opening(tmp_path, slow_server, version, consolidated):
    write_cube(str(tmp_path / "a.zarr"), version, consolidated)
    make_old(tmp_path)
    for _ in range(2):
        slow_server.clear()
        dataset = gdal.Open(name_of(slow_server))
        check_place(dataset)
        assert not consolidated or slow_server.count() <= 6
    documents = [status for _, path, _, status in slow_server.log if path.split("/")[-1][0] in ".z"]
    assert documents and set(documents) <= {304, 404}
    check_costs(slow_server, 14, 2 if consolidated else 1)


@pytest.mark.parametrize("consolidated", [False, True])
def test_costs_of_the_next_store_of_a_series(tmp_path, slow_server, version, consolidated):
    """What one store was asked for, another one in its folder is asked for at once."""
    for name in ("a.zarr", "b.zarr", "c.zarr"):
        write_cube(str(tmp_path / name), version, consolidated)
    check_place(gdal.Open(name_of(slow_server)))
    first = slow_server.count()
    for name in ("b.zarr", "c.zarr"):
        slow_server.clear()
        check_place(gdal.Open(name_of(slow_server, name)))
        check_costs(slow_server, first, 2 if consolidated else 1)


def test_the_next_store_of_a_series_may_be_another_one(tmp_path, server, version):
    write_cube(str(tmp_path / "a.zarr"), version)
    write_cube(str(tmp_path / "b.zarr"), 5 - version)
    write_group(str(tmp_path / "c.zarr"), version)
    write_array(str(tmp_path / "c.zarr" / "t"), version, DATA, ["row", "column"], {})
    for name in ("a.zarr", "b.zarr", "a.zarr"):
        check_place(gdal.Open(name_of(server, name)))
    np.testing.assert_array_equal(gdal.Open(name_of(server, "c.zarr")).ReadAsArray(), DATA)


def test_costs_of_a_second_opening_without_a_place(tmp_path, slow_server, version):
    """What the first one asked for in vain, the second one asks for with the rest."""
    write_cube(str(tmp_path / "a.zarr"), version)
    for _ in range(2):
        slow_server.clear()
        assert gdal.Open(name_of(slow_server)).RasterXSize == 64
    check_costs(slow_server, 14 if version == 2 else 7, 1)


@pytest.mark.parametrize("consolidated", [False, True])
def test_costs_of_another_array(tmp_path, slow_server, version, consolidated):
    """Of what is known of its store, the root is asked for at once, and with consolidated metadata nothing else."""
    store = str(tmp_path / "a.zarr")
    write_cube(store, version)
    write_array(f"{store}/u", version, DATA, ["lat", "lon"], {"grid_mapping": "crs"})
    if consolidated:
        (consolidate_v3 if version == 3 else consolidate_v2)(store)
    make_old(tmp_path)
    assert gdal.Open(name_of(slow_server)).RasterXSize == 64
    slow_server.clear()
    dataset = gdal.Open(name_of(slow_server, array="u"))
    assert dataset.RasterXSize == 64
    if consolidated:
        check_costs(slow_server, 4 - version, 1)
    else:
        check_costs(slow_server, 14 if version == 2 else 7, 2)
    check_place(dataset)
    np.testing.assert_array_equal(dataset.ReadAsArray(), DATA)


def test_costs_of_a_second_opening_within_some_seconds(tmp_path, slow_server, version):
    write_cube(str(tmp_path / "a.zarr"), version)
    with option("ZARR_HTTP_METADATA_AGE", "60"):
        for _ in range(2):
            slow_server.clear()
            check_place(gdal.Open(name_of(slow_server)))
        check_costs(slow_server, 2, 1)  # the coordinates


def unit_of(name):
    dataset = gdal.Open(name)
    return dataset.GetRasterBand(1).GetUnitType()


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("tags", [True, False])
@pytest.mark.parametrize("consolidated", [False, True])
def test_what_others_change_is_seen(tmp_path, server, version, tags, consolidated):
    server.tags = tags
    store = tmp_path / "a.zarr"
    write_cube(str(store), version, consolidated)
    make_old(tmp_path)
    assert unit_of(name_of(server)) == ""
    document = "zarr.json" if version == 3 else ".zmetadata" if consolidated else "t/.zattrs"
    document = "t/zarr.json" if version == 3 and not consolidated else document
    change(store / document, '"grid_mapping": "crs"', '"grid_mapping": "crs", "units": "K"')
    assert unit_of(name_of(server)) == "K"


def test_a_document_that_others_add_is_seen(tmp_path, server):
    store = tmp_path / "a.zarr"
    write_cube(str(store), 3)
    (store / "lat" / "zarr.json").rename(store / "lat" / "other")
    assert gdal.Open(name_of(server)).GetGeoTransform(can_return_null=True) is None
    (store / "lat" / "other").rename(store / "lat" / "zarr.json")
    check_place(gdal.Open(name_of(server)))
    (store / "t" / "zarr.json").unlink()
    with pytest.raises(RuntimeError):
        gdal.Open(name_of(server))


@pytest.mark.parametrize("fault", ["500", "503", "403", "truncated", "short", "reset"])
@pytest.mark.parametrize("age", ["0", "60"])
def test_a_failure_is_not_remembered(tmp_path, server, version, fault, age):
    store = tmp_path / "a.zarr"
    write_cube(str(store), version)
    make_old(tmp_path)
    key = "/t/zarr.json" if version == 3 else "/t/.zarray"
    with option("ZARR_HTTP_METADATA_AGE", age):
        server.fail(fault, key)
        with pytest.raises(RuntimeError):
            gdal.Open(name_of(server))
        server.heal()
        check_place(gdal.Open(name_of(server)))
        server.fail(fault, key)
        with contextlib.suppress(RuntimeError):
            check_place(gdal.Open(name_of(server)))
        server.heal()
        check_place(gdal.Open(name_of(server)))
