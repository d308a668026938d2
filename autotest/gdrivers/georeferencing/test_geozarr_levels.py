# SPDX-License-Identifier: MIT
"""GeoZarr's conventions proj and spatial place each level of a group with a multiscales layout."""

import numpy as np
import pytest
from conventions import MULTISCALES, PROJ, SPATIAL
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group, write_v3, write_v3_group

BASE = np.arange(8 * 16, dtype="<u2").reshape(8, 16)
DATA = {"r10m": BASE, "r20m": BASE[::2, ::2].copy(), "r40m": BASE[::4, ::4].copy()}
TRANSFORM = [10.0, 0.0, 500000.0, 0.0, -10.0, 5000000.0]
BOX = [500000.0, 4999920.0, 500160.0, 5000000.0]


def geotransform(pixel, x=500000, y=5000000):
    return (x, pixel, 0, y, 0, -pixel)


PLACES = {"r10m": geotransform(10), "r20m": geotransform(20), "r40m": geotransform(40)}


def entry(asset, source=None, scale=None, **more):
    result = {"asset": asset, **{name.replace("__", ":"): value for name, value in more.items()}}
    if source:
        result["derived_from"] = source
    if scale:
        result["transform"] = {"scale": [scale] * 2, "translation": [0.0, 0.0]}
    return result


CHAIN = [entry("r10m", scale=1.0), entry("r20m", "r10m", 2.0), entry("r40m", "r20m", 2.0)]


def placed(*assets):
    """Makes entries with transforms."""
    result = []
    for asset in assets:
        pixel = float(asset[1:3])
        spatial_transform = [pixel, 0.0, 500000.0, 0.0, -pixel, 5000000.0]
        result.append(entry(asset, spatial__transform=spatial_transform, spatial__shape=list(DATA[asset].shape)))
    return result


def attributes(layout, **more):
    return {
        "zarr_conventions": [MULTISCALES, PROJ, SPATIAL],
        "proj:code": "EPSG:32633",
        "spatial:dimensions": ["Y", "X"],
        "multiscales": {"layout": layout},
        **{name.replace("__", ":"): value for name, value in more.items()},
    }


def write_arrays(store, group_attributes, data=None, **of_arrays):
    """Writes levels that are arrays. `of_arrays` has their attributes."""
    write_v3_group(store, group_attributes)
    for name, values in (data or DATA).items():
        write_v3(f"{store}/{name}", values, names=["Y", "X"], attributes=of_arrays.get(name))


def write_groups(store, group_attributes, **of_groups):
    write_v3_group(store, group_attributes)
    for name, values in DATA.items():
        write_v3_group(f"{store}/{name}", of_groups.get(name))
        write_v3(f"{store}/{name}/B02", values, names=["Y", "X"])


def open_level(store, path):
    return gdal.Open(f'ZARR:"{store}":/{path}')


def place(store, path):
    return open_level(store, path).GetGeoTransform(can_return_null=True)


def places(store, suffix=""):
    return {name: place(store, name + suffix) for name in DATA}


def overview_places(dataset):
    band = dataset.GetRasterBand(1)
    return [band.GetOverview(i).GetDataset().GetGeoTransform() for i in range(band.GetOverviewCount())]


def check_all(store, suffix=""):
    for name in DATA:
        dataset = open_level(store, name + suffix)
        assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32633"
        assert dataset.GetGeoTransform(can_return_null=True) == PLACES[name]
    assert overview_places(open_level(store, "r10m" + suffix)) == [PLACES["r20m"], PLACES["r40m"]]


LAYOUTS = {
    "transforms": attributes(placed(*DATA), spatial__bbox=BOX),
    "scales": attributes(CHAIN, spatial__transform=TRANSFORM),
    "scales from the base": attributes(
        [entry("r10m"), entry("r20m", "r10m", 2.0), entry("r40m", "r10m", 4.0)], spatial__transform=TRANSFORM
    ),
    "scales of one transform": attributes(placed("r10m") + CHAIN[1:]),
    "scales without sources": attributes(
        [entry("r10m"), entry("r20m", None, 2.0), entry("r40m", None, 4.0)], spatial__transform=TRANSFORM
    ),
    "smallest first": attributes(CHAIN[::-1], spatial__transform=TRANSFORM),
    "names alone": attributes([entry(name) for name in reversed(DATA)], spatial__transform=TRANSFORM),
    "box alone": attributes([entry(name) for name in DATA], spatial__bbox=BOX),
}


@pytest.mark.parametrize("group_attributes", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_levels_may_be_arrays(store, group_attributes):
    write_arrays(store, group_attributes)
    check_all(store)


@pytest.mark.parametrize("group_attributes", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_levels_may_be_groups(store, group_attributes):
    write_groups(store, group_attributes)
    check_all(store, "/B02")


def test_v2_has_layouts_too(store):
    write_v2_group(store, LAYOUTS["scales"])
    for name, values in DATA.items():
        write_v2_group(f"{store}/{name}")
        write_v2(f"{store}/{name}/B02", values, attributes={"_ARRAY_DIMENSIONS": ["Y", "X"]})
    check_all(store, "/B02")


def test_levels_may_be_further_down(store):
    layout = [entry(f"resolutions/{name}") for name in DATA]
    write_v3_group(store, attributes(layout, spatial__bbox=BOX))
    write_groups(f"{store}/resolutions", {})
    for name in DATA:
        assert place(store, f"resolutions/{name}/B02") == PLACES[name]
    assert overview_places(open_level(store, "resolutions/r10m/B02")) == [PLACES["r20m"], PLACES["r40m"]]


def test_the_group_gives_dimensions_and_registration(store):
    """The transforms are those of centres: every second pixel of the base."""
    declared = attributes(CHAIN, spatial__transform=TRANSFORM, spatial__registration="node")
    write_groups(store, {**declared, "spatial:dimensions": ["X", "Y"]})
    dataset = open_level(store, "r20m/B02")
    assert (dataset.RasterXSize, dataset.RasterYSize) == (4, 8)
    assert dataset.GetGeoTransform() == geotransform(20, 499990, 5000010)
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point"
    assert place(store, "r10m/B02") == geotransform(10, 499995, 5000005)


def test_registration_holds_for_transforms_of_levels(store):
    write_arrays(store, attributes(placed(*DATA), spatial__registration="node"))
    assert place(store, "r20m") == geotransform(20, 499990, 5000010)


def test_translation_is_in_pixels_of_the_source(store):
    layout = [entry("r10m"), {**CHAIN[1], "transform": {"scale": [2, 2], "translation": [1, 3]}}, CHAIN[2]]
    write_arrays(store, attributes(layout, spatial__transform=TRANSFORM))
    assert place(store, "r20m") == geotransform(20, 500030, 4999990)
    assert place(store, "r40m") == geotransform(40, 500030, 4999990)


def test_level_that_does_not_have_the_extent_of_the_base_is_no_overview(store):
    layout = [entry("r10m"), {**CHAIN[1], "transform": {"scale": [2, 2], "translation": [1, 3]}}, entry("r40m", "r10m", 4.0)]
    write_arrays(store, attributes(layout, spatial__transform=TRANSFORM))
    dataset = open_level(store, "r10m")
    with collect_errors() as errors:
        assert overview_places(dataset) == [PLACES["r40m"]]
    assert [text for _, text in errors] == [
        "r20m is no overview of r10m: by the multiscales layout, it has another extent"
    ]


def test_level_of_uneven_size_has_the_extent_of_the_base(store):
    data = {"r10m": np.zeros((9, 17), "u1"), "r20m": np.zeros((5, 9), "u1"), "r40m": np.zeros((2, 4), "u1")}
    write_arrays(store, attributes(CHAIN, spatial__transform=TRANSFORM), data)
    assert places(store) == PLACES
    assert len(overview_places(open_level(store, "r10m"))) == 2


def test_scales_may_be_for_all_dimensions(store):
    layout = [entry("0"), {**entry("1", "0"), "transform": {"scale": [3, 4, 2]}}]
    write_v3_group(store, attributes(layout, spatial__transform=TRANSFORM))
    write_v3(f"{store}/0", np.zeros((3, 8, 8), "u1"), names=["band", "Y", "X"])
    write_v3(f"{store}/1", np.zeros((1, 2, 4), "u1"), names=["band", "Y", "X"])
    assert place(store, "1") == (500000, 20, 0, 5000000, 0, -40)


def test_array_and_its_own_group_go_before_the_layout(store):
    own = {"zarr_conventions": [SPATIAL], "spatial:transform": [5.0, 0.0, 1.0, 0.0, -5.0, 2.0]}
    write_arrays(store, attributes(CHAIN, spatial__transform=TRANSFORM), r10m=own)
    # Levels that are derived from it follow it.
    assert places(store) == {"r10m": geotransform(5, 1, 2), "r20m": geotransform(10, 1, 2), "r40m": geotransform(20, 1, 2)}


def test_what_contradicts_the_layout_is_one_warning(store):
    own = {"zarr_conventions": [SPATIAL], "spatial:transform": [5.0, 0.0, 1.0, 0.0, -5.0, 2.0]}
    write_groups(store, attributes(placed(*DATA)), r20m=own)
    with collect_errors() as errors:
        assert places(store, "/B02") == {**PLACES, "r20m": geotransform(5, 1, 2)}
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert "r20m/B02: the multiscales layout has another transform for this array" in errors[0][1]


def test_arrays_outside_the_layout_have_the_box_of_their_group(store):
    write_arrays(store, attributes(placed(*DATA), spatial__bbox=BOX))
    write_v3(f"{store}/other", BASE, names=["Y", "X"])
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/a", BASE, names=["Y", "X"])
    assert place(store, "other") == PLACES["r10m"]
    assert place(store, "g/a") is None
    assert open_level(store, "g/a").GetSpatialRef() is None


def test_a_layout_without_spatial_gives_no_place(store):
    write_arrays(store, {**attributes(placed(*DATA)), "zarr_conventions": [MULTISCALES, PROJ]})
    assert places(store) == dict.fromkeys(DATA)
    assert open_level(store, "r20m").GetSpatialRef().GetAuthorityCode(None) == "32633"


@pytest.mark.parametrize(
    "change, message",
    [
        ({"transform": {"scale": [2]}}, "/layout/1/transform/scale: expected a number for each dimension"),
        ({"transform": {"scale": [2, 0]}}, "/layout/1/transform/scale: expected numbers above 0"),
        ({"transform": {"translation": [2, "a"]}}, "/layout/1/transform/translation/1: expected"),
        ({"spatial:transform": [1, 2]}, "/layout/1/spatial:transform: expected a list of 6 numbers"),
        ({"asset": 7}, "/layout/1/asset: expected"),
    ],
)
def test_what_is_wrong_is_a_warning_that_names_it(store, change, message):
    write_arrays(store, attributes([CHAIN[0], {**CHAIN[1], **change}], spatial__transform=TRANSFORM))
    with collect_errors() as errors:
        dataset = open_level(store, "r20m")
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32633"
    assert dataset.GetGeoTransform(can_return_null=True) is None
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert message in errors[0][1]


def test_levels_derived_in_a_circle_lie_nowhere(store):
    layout = [entry("r10m", "r20m", 1.0), entry("r20m", "r10m", 2.0)]
    write_arrays(store, attributes(layout, spatial__transform=TRANSFORM))
    assert place(store, "r20m") is None


def test_crs_and_place_of_a_level_can_be_changed(store):
    write_groups(store, attributes(CHAIN, spatial__transform=TRANSFORM))
    name = f'ZARR:"{store}":/r20m/B02'
    dataset = gdal.OpenEx(name, gdal.OF_UPDATE)
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(3035)
    dataset.SetSpatialRef(crs)
    dataset.SetGeoTransform(geotransform(7, 1, 2))
    dataset = None
    dataset = gdal.Open(name)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "3035"
    assert dataset.GetGeoTransform() == geotransform(7, 1, 2)
    assert place(store, "r10m/B02") == PLACES["r10m"]


def test_levels_of_another_rank_give_no_place(store):
    """The axes of the raster are no axes of arrays with one dimension."""
    layout = [entry("r10m"), entry("r20m", "r10m"), entry("r40m", "r20m", 2.0)]
    data = {"r10m": BASE[0], "r20m": BASE[0, ::2].copy(), "r40m": DATA["r40m"]}
    write_v3_group(store, attributes(layout, spatial__transform=TRANSFORM))
    for name, values in data.items():
        write_v3(f"{store}/{name}", values, names=["Y", "X"][2 - values.ndim :])
    dataset = gdal.Open(f'ZARR:"{store}":/r40m')
    assert dataset.GetGeoTransform(can_return_null=True) is None
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32633"
