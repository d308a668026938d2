# SPDX-License-Identifier: MIT
"""The arrays of a store that are offered as rasters, and the reads that this takes."""

import json
import os

import numpy as np
import pytest
from conventions import MULTISCALES_UUID
from errors import collect_errors
from http_server import Server
from config_options import set_config_option
from osgeo import gdal
from stores import consolidate_v2, consolidate_v3, write_json, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(6, dtype="<f4").reshape(2, 3)
LINE = np.arange(3, dtype="<f8")


def subdatasets(dataset):
    """Returns the paths of the arrays, in their order."""
    return [name.rsplit(":", 1)[1] for name, _ in dataset.GetSubDatasets()]


def write_grid(store, names=("a", "b"), **attributes):
    """Writes arrays of two dimensions with coordinates, their bounds, and a grid mapping, by CF."""
    write_v3_group(store, {"title": "grid", "levels": [1, 2]})
    for name in names:
        write_v3(
            f"{store}/{name}", DATA, names=["y", "x"], attributes={"grid_mapping": "crs", **attributes}
        )
    write_v3(f"{store}/x", LINE, names=["x"], attributes={"bounds": "x_bnds"})
    write_v3(f"{store}/y", LINE[:2], names=["y"], attributes={"climatology": "y_climatology"})
    write_v3(f"{store}/x_bnds", np.zeros((3, 2), "<f8"), names=["x", "nv"])
    write_v3(f"{store}/y_climatology", np.zeros((2, 2), "<f8"), names=["y", "nv"])
    write_v3(f"{store}/crs", np.array(0, "<i4"), attributes={"grid_mapping_name": "latitude_longitude"})


@pytest.mark.parametrize("consolidated", [True, False])
def test_coordinates_and_bounds_are_not_offered(store, consolidated):
    write_grid(store)
    if consolidated:
        consolidate_v3(store)
    dataset = gdal.Open(store)
    assert subdatasets(dataset) == ["/a", "/b"]
    assert dataset.GetMetadataItem("title") == "grid"
    assert dataset.GetMetadataItem("levels") == "{1,2}"
    everything = gdal.OpenEx(store, open_options=["LIST_ALL_ARRAYS=YES"])
    assert subdatasets(everything) == ["/a", "/b", "/crs", "/x", "/x_bnds", "/y", "/y_climatology"]


def test_a_store_with_one_array_and_its_coordinates_opens_as_that(store):
    write_grid(store, ["a"])
    dataset = gdal.Open(store)
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert dataset.GetSubDatasets() == [(f'ZARR:"{store}":/a', "[2x3] /a (Float32)")]
    assert gdal.Open(f'ZARR:"{store}":/a').GetSubDatasets() == []


def test_groups_that_links_lead_back_to_are_visited_once(store):
    write_v2_group(store)
    write_v2_group(f"{store}/g")
    write_v2(f"{store}/g/a", DATA)
    os.symlink("..", f"{store}/g/up")
    os.symlink(".", f"{store}/g/self")
    assert np.array_equal(gdal.Open(store).ReadAsArray(), DATA)


def test_groups_are_not_visited_without_end(store):
    """Two links from each group to the next make 2^30 paths."""
    write_v2_group(store)
    for i in range(30):
        write_v2_group(f"{store}/{i}")
    write_v2(f"{store}/0/a", DATA)
    for i in range(29):
        os.symlink(f"../{i + 1}", f"{store}/{i}/b")
        os.symlink(f"../{i + 1}", f"{store}/{i}/c")
    with collect_errors() as errors:
        dataset = gdal.Open(store)
    assert errors == []
    assert np.array_equal(dataset.ReadAsArray(), DATA)

    def count_groups(group):
        return 1 + sum(count_groups(group.OpenGroup(name)) for name in group.GetGroupNames() or [])

    assert count_groups(gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()) <= 4 * 30
    assert gdal.Open(f'ZARR:"{store}":/0/a') is not None


def test_the_groups_that_are_visited_are_limited(store):
    write_v2_group(store)
    write_v2(f"{store}/0", DATA)
    with open(f"{store}/0/.zarray") as f:
        nodes = {".zgroup": {"zarr_format": 2}, "0/.zarray": json.load(f)}
    nodes.update({f"g{i}/.zgroup": {"zarr_format": 2} for i in range(10001)})
    write_json(f"{store}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": nodes})
    with collect_errors() as errors:
        dataset = gdal.Open(store)
    assert errors == [(gdal.CE_Warning, f"{store}: only the first 10000 arrays in the first 10000 groups are listed (ZARR_MAX_LISTED_NODES)")]
    assert np.array_equal(dataset.ReadAsArray(), DATA)


@pytest.mark.parametrize("most, arrays", [("3", 3), ("2", 2)])
def test_the_limit_of_arrays_can_be_changed(store, most, arrays):
    write_v2_group(store)
    for name in "abc":
        write_v2(f"{store}/{name}", DATA)
    with set_config_option("ZARR_MAX_LISTED_NODES", most), collect_errors() as errors:
        assert len(gdal.Open(store).GetSubDatasets()) == arrays
    text = f"{store}: only the first 2 arrays in the first 2 groups are listed (ZARR_MAX_LISTED_NODES)"
    assert errors == ([] if arrays == 3 else [(gdal.CE_Warning, text)])


def test_arrays_are_found_at_any_depth(store):
    names = [str(i) for i in range(40)]
    for i in range(len(names)):
        write_v2_group("/".join([store, *names[:i]]))
    write_v2("/".join([store, *names]), DATA)
    assert np.array_equal(gdal.Open(store).ReadAsArray(), DATA)
    message = r"expected at most 39 names in the path of a node \(ZARR_MAX_DEPTH\), got 40"
    with set_config_option("ZARR_MAX_DEPTH", "39"), pytest.raises(RuntimeError, match=message):
        gdal.Open(store)


def test_auxiliary_coordinates_are_not_offered(store):
    write_v2_group(store)
    write_v2(f"{store}/a", DATA, attributes={"_ARRAY_DIMENSIONS": ["y", "x"], "coordinates": "lat lon time"})
    for name in ("lat", "lon"):
        write_v2(f"{store}/{name}", DATA, attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    consolidate_v2(store)
    assert np.array_equal(gdal.Open(store).ReadAsArray(), DATA)
    assert gdal.Open(f'ZARR:"{store}":/lat').RasterXSize == 3  # but it can be opened


def test_the_long_form_of_a_grid_mapping_names_coordinates(store):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA, names=["y", "x"], attributes={"grid_mapping": "crs: /g/lat lon"})
    for name in ("crs", "g/lat", "lon"):
        write_v3(f"{store}/{name}", DATA, names=["y", "x"])
    write_v3_group(f"{store}/g")
    assert np.array_equal(gdal.Open(store).ReadAsArray(), DATA)


def test_arrays_that_only_name_each_other_are_offered(store):
    write_v3_group(store)
    for name in ("lat", "lon"):
        write_v3(f"{store}/{name}", DATA, names=["y", "x"], attributes={"coordinates": "lat lon"})
    assert subdatasets(gdal.Open(store)) == ["/lat", "/lon"]


def test_a_dimension_s_name_does_not_hide_a_raster(store):
    write_v3_group(store)
    write_v3(f"{store}/x", DATA, names=["y", "x"])
    write_v3(f"{store}/b", DATA, names=["y", "x"])
    assert subdatasets(gdal.Open(store)) == ["/b", "/x"]


def test_a_series_opens_where_there_is_nothing_else(store):
    write_v3_group(store)
    write_v3(f"{store}/time", LINE, names=["time"])
    write_v3(f"{store}/level", LINE + 5, names=["time"])
    assert np.array_equal(gdal.Open(store).ReadAsArray(), [LINE + 5])


def test_two_series_are_no_choice(store):
    write_v3_group(store)
    for name in "ab":
        write_v3(f"{store}/{name}", LINE, names=["time"])
    assert gdal.Open(store).RasterCount == 0


def test_names_count_in_their_own_group(store):
    """`bounds` in one group does not concern an array of that name in another group."""
    write_v3_group(store)
    for group in "gh":
        write_v3_group(f"{store}/{group}")
    write_v3(f"{store}/g/a", DATA, attributes={"bounds": "b"})
    write_v3(f"{store}/h/b", DATA)
    assert subdatasets(gdal.Open(store)) == ["/g/a", "/h/b"]


@pytest.mark.parametrize("version", [2, 3])
def test_listing_reads_consolidated_metadata_only(tmp_path, version):
    store = str(tmp_path / "many.zarr")
    group, array, consolidate = (
        (write_v2_group, write_v2, consolidate_v2) if version == 2 else (write_v3_group, write_v3, consolidate_v3)
    )
    group(store)
    for i in range(30):
        names = {"names": ["y", "x"]} if version == 3 else {"attributes": {"_ARRAY_DIMENSIONS": ["y", "x"]}}
        array(f"{store}/a{i}", DATA, **names)
    consolidate(store)
    document = ".zmetadata" if version == 2 else "zarr.json"
    with Server(str(tmp_path)).serve() as server:
        name = f'ZARR:"/vsicurl/{server.url}/many.zarr"'
        assert len(gdal.Open(name).GetSubDatasets()) == 30
        assert server.log.count(("GET", f"/many.zarr/{document}")) == 1
        # In v2, one request finds that there is no zarr.json.
        assert {os.path.dirname(path) for _, path in server.log} == {"/many.zarr"}
        assert len(server.log) <= 1 + (version == 2)


def test_opening_an_array_asks_for_no_coordinates_that_are_not_listed(tmp_path):
    """No request goes beside the array, above the store, or to a host with the dimension's name."""
    store = str(tmp_path / "deep" / "one.zarr")
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/a", DATA, names=["no_such_host.invalid", "x"])
    consolidate_v3(store)
    with Server(str(tmp_path)).serve() as server:
        dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/deep/one.zarr":/g/a')
        assert dataset.RasterXSize == 3
        assert server.log == [("GET", "/deep/one.zarr/zarr.json")]


def test_levels_of_a_pyramid_cost_no_request(tmp_path):
    """The consolidated metadata tell that their dimensions have no coordinates."""
    store = str(tmp_path / "levels.zarr")
    convention = {"uuid": MULTISCALES_UUID}
    layout = {"layout": [{"asset": "0"}, {"asset": "1"}]}
    write_v3_group(store, {"zarr_conventions": [convention], "multiscales": layout})
    for level, data in (("0", np.zeros((8, 8), "<u2")), ("1", np.zeros((4, 4), "<u2"))):
        write_v3_group(f"{store}/{level}")
        write_v3(f"{store}/{level}/a", data, names=["y", "x"])
    consolidate_v3(store)
    with Server(str(tmp_path)).serve() as server:
        dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/levels.zarr"')
        assert dataset.GetRasterBand(1).GetOverview(0).XSize == 4
        assert dataset.GetRasterBand(1).GetMetadata_Dict() == {}
        assert len(server.log) == 1
