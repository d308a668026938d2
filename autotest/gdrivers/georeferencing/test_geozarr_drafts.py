# SPDX-License-Identifier: MIT
"""Drafts of GeoZarr's conventions, and the properties of STAC's projection extension."""

import json

import numpy as np
import pytest
from conventions import MULTISCALES_UUID, PROJ_UUID, SPATIAL_UUID
from errors import collect_errors
from osgeo import gdal
from stores import write_v3, write_v3_group
from test_geozarr_levels import BASE, DATA, PLACES, TRANSFORM, check_all, open_level, place, write_arrays, write_groups

BY_UUID = {
    MULTISCALES_UUID: {"version": "0.1.0", "name": "multiscales"},
    PROJ_UUID: {
        "version": "0.1.0",
        "name": "geo-proj",
        "schema": "https://raw.githubusercontent.com/zarr-conventions/geo-proj/refs/tags/v0.1.0/schema.json",
    },
}
BY_LIST = [{"uuid": MULTISCALES_UUID, "name": "multiscales"}, {"uuid": PROJ_UUID, "name": "proj:"}]
SCALES = [{"scale": [factor] * 2, "translation": [0.0, 0.0]} for factor in (1.0, 2.0, 2.0)]
SCALES_FROM_BASE = SCALES[:2] + [{"scale": [4.0, 4.0]}]
SOURCES = {"r10m": None, "r20m": "r10m", "r40m": "r20m"}


def with_groups(scales):
    return [
        {"group": name, **({"from_group": source} if source else {}), **scale}
        for (name, source), scale in zip(SOURCES.items(), scales)
    ]


def with_assets(scales):
    return [
        {"asset": name, **({"derived_from": source} if source else {}), **scale}
        for (name, source), scale in zip(SOURCES.items(), scales)
    ]


def with_transforms():
    result = []
    for name, scale in zip(DATA, SCALES_FROM_BASE):
        pixel = float(name[1:3])
        numbers = [pixel, 0.0, 500000.0, 0.0, -pixel, 5000000.0]
        result.append({"asset": name, "transform": scale, "proj:transform": numbers})
    return result


def attributes(conventions, layout):
    return {
        "zarr_conventions_version": "0.1.0",
        "zarr_conventions": conventions,
        "multiscales": {"version": "0.1.0", "layout": layout, "resampling_method": "average"},
        "proj:code": "EPSG:32633",
        "proj:spatial_dimensions": ["Y", "X"],
        "proj:transform": TRANSFORM,
        "proj:bbox": [500000.0, 4999920.0, 500160.0, 5000000.0],
    }


DRAFTS = {
    "groups": attributes(BY_UUID, with_groups(SCALES)),
    "groups with scales from the base": attributes(BY_UUID, with_groups(SCALES_FROM_BASE)),
    "assets": attributes(BY_UUID, with_assets(SCALES_FROM_BASE)),
    "assets with transforms": attributes(BY_UUID, with_transforms()),
    "list": attributes(BY_LIST, with_transforms()),
}


@pytest.mark.parametrize("group_attributes", DRAFTS.values(), ids=DRAFTS.keys())
@pytest.mark.parametrize("write, suffix", [(write_arrays, ""), (write_groups, "/B02")])
def test_levels_of_a_draft_are_overviews(store, group_attributes, write, suffix):
    write(store, group_attributes)
    check_all(store, suffix)


@pytest.mark.parametrize("group_attributes", DRAFTS.values(), ids=DRAFTS.keys())
def test_store_opens_as_its_largest_level(store, group_attributes):
    write_groups(store, group_attributes)
    dataset = gdal.Open(store)
    assert (dataset.RasterXSize, dataset.RasterYSize) == (16, 8)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 2
    assert dataset.GetGeoTransform() == PLACES["r10m"]


def test_groups_with_several_arrays_open_as_one_dataset(store):
    write_groups(store, DRAFTS["groups"])
    for name, data in DATA.items():
        write_v3(f"{store}/{name}/B03", data, names=["Y", "X"])
    dataset = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    assert (dataset.RasterXSize, dataset.RasterCount) == (16, 2)
    assert dataset.GetGeoTransform() == PLACES["r10m"]
    assert np.array_equal(dataset.GetRasterBand(2).GetOverview(1).ReadAsArray(), DATA["r40m"])


def test_an_entry_without_a_name_is_a_warning(store):
    write_arrays(store, attributes(BY_UUID, [{"scale": [1, 1]}]))
    dataset = open_level(store, "r10m")
    with collect_errors() as errors:
        assert dataset.GetRasterBand(1).GetOverviewCount() == 0
    assert '/layout/0: expected a member "asset"' in errors[0][1]


def test_overviews_that_are_built_leave_a_layout_of_today(store):
    """GDAL's built-in driver, and other readers, know only the list."""
    write_v3_group(store, {"zarr_conventions": {PROJ_UUID: BY_UUID[PROJ_UUID]}, "proj:code": "EPSG:32633"})
    write_v3(f"{store}/a", BASE, names=["Y", "X"])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE)
    assert dataset.BuildOverviews("NEAREST", [2]) == 0
    dataset = None
    with open(f"{store}/zarr.json") as file:
        conventions = json.load(file)["attributes"]["zarr_conventions"]
    assert [item["uuid"] for item in conventions] == [PROJ_UUID, MULTISCALES_UUID]
    assert conventions[0]["schema_url"] == BY_UUID[PROJ_UUID]["schema"]
    assert open_level(store, "a").GetSpatialRef().GetAuthorityCode(None) == "32633"


def test_draft_layout_is_kept_where_overviews_are_built(store):
    layout = [{"group": "a"}, {"group": "half", "from_group": "a", "scale": [2.0, 2.0]}]
    write_v3_group(store, attributes(BY_UUID, layout))
    write_v3(f"{store}/a", BASE, names=["Y", "X"])
    write_v3(f"{store}/half", BASE[::2, ::2].copy(), names=["Y", "X"])
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE)
    assert dataset.BuildOverviews("NEAREST", [4]) == 0
    dataset = None
    assert open_level(store, "a").GetRasterBand(1).GetOverviewCount() == 2
    assert place(store, "half") == PLACES["r20m"]


# --- transforms -----------------------------------------------------------------------------------------------------

MATRIX = [*TRANSFORM, 0.0, 0.0, 1.0]
BOX = [500000.0, 4999920.0, 500160.0, 5000000.0]


@pytest.mark.parametrize("declared", [{"zarr_conventions": [{"uuid": PROJ_UUID}]}, {"zarr_conventions": BY_UUID}, {}])
@pytest.mark.parametrize("said", [{"proj:transform": TRANSFORM}, {"proj:transform": MATRIX}, {"proj:bbox": BOX}])
@pytest.mark.parametrize("of_array", [True, False])
def test_a_transform_or_box_of_proj_is_read(store, declared, said, of_array):
    properties = {**declared, **said, "proj:shape": [8, 16]}
    write_v3_group(store, None if of_array else properties)
    write_v3(f"{store}/a", BASE, names=["Y", "X"], attributes=properties if of_array else None)
    assert place(store, "a") == PLACES["r10m"]


def test_undeclared_properties_are_asked_after_coordinates(store):
    """Some writers of such properties take the centres of pixels for corners."""
    write_v3_group(store)
    write_v3(f"{store}/a", BASE, names=["y", "x"], attributes={"proj:transform": [10, 0, 500005, 0, -10, 4999995]})
    write_v3(f"{store}/x", 500005 + 10.0 * np.arange(16), names=["x"])
    write_v3(f"{store}/y", 4999995 - 10.0 * np.arange(8), names=["y"])
    assert place(store, "a") == PLACES["r10m"]


def test_undeclared_properties_of_another_size_are_ignored(store):
    write_v3_group(store, {"proj:transform": TRANSFORM, "proj:shape": [16, 32]})
    write_v3(f"{store}/a", BASE, names=["y", "x"])
    assert place(store, "a") is None


@pytest.mark.parametrize("declared", [{"zarr_conventions": [{"uuid": PROJ_UUID}]}, {}])
def test_matrix_that_is_not_affine_is_a_warning(store, declared):
    write_v3_group(store)
    write_v3(f"{store}/a", BASE, names=["y", "x"], attributes={**declared, "proj:transform": [*MATRIX[:8], 2]})
    with collect_errors() as errors:
        assert place(store, "a") is None
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert "/attributes/proj:transform: expected a matrix that ends with 0, 0, 1" in errors[0][1]


@pytest.mark.parametrize("prefix", ["proj:", "spatial:"])
def test_a_transform_for_another_shape_is_not_used(store, prefix):
    """Products of Sentinel-2 have levels with the properties of the level that they were made from."""
    uuids = [PROJ_UUID, SPATIAL_UUID]
    attributes = {
        "zarr_conventions": [{"uuid": uuid} for uuid in uuids],
        "proj:code": "EPSG:32632",
        f"{prefix}shape": [8, 12],
        f"{prefix}transform": [60.0, 0.0, 699960.0, 0.0, -60.0, 4700040.0],
        f"{prefix}bbox": [699960.0, 4699560.0, 700680.0, 4700040.0],
    }
    write_v3(f"{store}/a", np.zeros((4, 6), "u1"), names=["y", "x"], attributes=attributes)
    assert gdal.Open(f"{store}/a").GetGeoTransform() == (699960.0, 120.0, 0, 4700040.0, 0, -120.0)


@pytest.mark.parametrize("shape", [[4, 6], [3, 4, 6], [4.0, 6.0], None, [], [4], ["4", "6"], "4,6"])
def test_a_shape_that_fits_or_says_nothing_leaves_the_transform(store, shape):
    attributes = {
        "zarr_conventions": [{"uuid": SPATIAL_UUID}],
        "spatial:shape": shape,
        "spatial:transform": [60.0, 0.0, 699960.0, 0.0, -60.0, 4700040.0],
    }
    write_v3(f"{store}/a", np.zeros((4, 6), "u1"), names=["y", "x"], attributes=attributes)
    with collect_errors() as errors:
        assert gdal.Open(f"{store}/a").GetGeoTransform() == (699960.0, 60.0, 0, 4700040.0, 0, -60.0)
    assert errors == []
