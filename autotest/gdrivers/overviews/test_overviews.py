# SPDX-License-Identifier: MIT
"""The levels of a layout by GeoZarr's convention multiscales are overviews in both APIs."""

import os
import shutil

import numpy as np
import pytest
from conventions import MULTISCALES, PROJ_UUID, SPATIAL_UUID
from errors import collect_errors
from http_server import Server
from osgeo import gdal
from stores import open_array, write_v2, write_v2_group, write_v3, write_v3_group

BASE = np.arange(64 * 96, dtype="<u2").reshape(64, 96)
LEVELS = {factor: (BASE[::factor, ::factor] + 1000 * factor) for factor in (2, 4, 8)}


def layout(*assets):
    return {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": [{"asset": a} for a in assets]}}


def write_groups(store, write_group=write_v3_group, write=write_v3, assets=("r10", "r20", "r40", "r80"), name="b"):
    """Writes a layout of groups that hold arrays of one name, and returns the name of the largest one's dataset."""
    write_group(store, layout(*assets))
    for group, data in zip(("r10", "r20", "r40", "r80"), (BASE, *LEVELS.values())):
        write_group(f"{store}/{group}")
        write(f"{store}/{group}/{name}", data, [16, 16])
    return f'ZARR:"{store}":/r10/{name}'


def overview_sizes(band):
    return [(band.GetOverview(i).XSize, band.GetOverview(i).YSize) for i in range(band.GetOverviewCount())]


ALL_SIZES = [(48, 32), (24, 16), (12, 8)]


@pytest.mark.parametrize("functions", [(write_v3_group, write_v3), (write_v2_group, write_v2)])
def test_levels_may_be_groups_with_arrays_of_one_name(store, functions):
    dataset = gdal.Open(write_groups(store, *functions))
    band = dataset.GetRasterBand(1)
    assert overview_sizes(band) == ALL_SIZES
    for i, factor in enumerate((2, 4, 8)):
        assert np.array_equal(band.GetOverview(i).ReadAsArray(), LEVELS[factor])
    assert band.GetOverview(3) is None and band.GetOverview(-1) is None


def test_levels_may_be_arrays_beside_each_other(store):
    write_v3_group(store, layout("0", "1", "2"))
    for name, data in (("0", BASE), ("1", LEVELS[2]), ("2", LEVELS[4]), ("other", BASE)):
        write_v3(f"{store}/{name}", data)
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[:2]
    other = gdal.Open(f'ZARR:"{store}":/other')
    assert other.GetRasterBand(1).GetOverviewCount() == 0


def test_a_layout_by_gdal_is_read(store):
    """The base is an array, and the layout names one of several. The levels are in groups."""
    write_v3_group(store, layout("a", "ovr_2x", "ovr_4x"))
    for name in "ab":
        write_v3(f"{store}/{name}", BASE)
        for factor in (2, 4):
            write_v3_group(f"{store}/ovr_{factor}x")
            write_v3(f"{store}/ovr_{factor}x/{name}", LEVELS[factor])
    for name in "ab":
        dataset = gdal.Open(f'ZARR:"{store}":/{name}')
        assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[:2]


@pytest.mark.parametrize(
    "level, reason",
    [
        (LEVELS[2][np.newaxis], "expected 2 dimensions, got 3"),
        (LEVELS[2].astype("<f4"), "it has another data type"),
    ],
)
def test_a_level_of_another_kind_is_left_out_with_a_warning(store, level, reason):
    name = write_groups(store)
    shutil.rmtree(f"{store}/r20/b")
    write_v3(f"{store}/r20/b", level)
    with collect_errors() as errors:
        dataset = gdal.Open(name)
        assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[1:]
    assert len(errors) == 1 and f"r20/b is no overview of r10/b: {reason}" in errors[0][1]


def test_a_level_that_is_derived_from_nothing_gives_a_warning(store):
    name = write_groups(store)
    entries = [{"asset": "r10"}, {"asset": "r20", "derived_from": "r10"}, {"asset": "r40", "derived_from": "lost"}]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": entries}})
    with collect_errors() as errors:
        dataset = gdal.Open(name)
        assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[:1]
    assert len(errors) == 1 and "r40 is derived from lost, which does not exist" in errors[0][1]


@pytest.mark.parametrize(
    "members, message",
    [
        ({"spatial:shape": None}, "/attributes/multiscales/layout/1/spatial:shape: expected two lengths"),
        ({"spatial:shape": [20]}, "/attributes/multiscales/layout/1/spatial:shape: expected two lengths"),
        ({"spatial:shape": [20, 19]}, "/attributes/multiscales/layout/1/spatial:shape: expected two lengths"),
        ({"transform": {"scale": [2]}}, "/attributes/multiscales/layout/1/transform/scale: expected a list of 2 numbers"),
        ({"transform": {"scale": [1.5, 1.5]}}, "/attributes/multiscales/layout/1/transform/scale: expected the ratio"),
        ({"transform": {"translation": ["a", 0]}}, "/attributes/multiscales/layout/1/transform/translation/0: expected"),
    ],
)
def test_an_entry_that_contradicts_its_level_gives_a_warning(store, members, message):
    name = write_groups(store)
    entries = [{"asset": "r10"}, {"asset": "r20", "derived_from": "r10", **members}]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": entries}})
    with collect_errors() as errors:
        dataset = gdal.Open(name)
        assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[:1]
    assert len(errors) == 1 and message in errors[0][1]


@pytest.mark.parametrize("before", [[], [7]])
def test_an_entry_that_fits_its_level_gives_no_warning(store, before):
    name = write_groups(store)
    shape = before + list(LEVELS[2].shape)
    fitting = {"spatial:shape": shape, "transform": {"scale": [2, 2], "translation": [0, 0]}}
    entries = [{"asset": "r10"}, {"asset": "r20", "derived_from": "r10", **fitting}]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": entries}})
    with collect_errors() as errors:
        assert overview_sizes(gdal.Open(name).GetRasterBand(1)) == ALL_SIZES[:1]
    assert errors == []


def test_a_band_may_begin_at_a_later_level(store):
    """The scale of its first level is that of bands that begin earlier."""
    write_groups(store)
    entries = [{"asset": "r10"}, {"asset": "r20", "derived_from": "r10"}]
    entries.append({"asset": "r40", "derived_from": "r10", "transform": {"scale": [4, 4]}})
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": entries}})
    shutil.rmtree(f"{store}/r10/b")
    with collect_errors() as errors:
        dataset = gdal.Open(f'ZARR:"{store}":/r20/b')
        assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[1:2]
    assert errors == []


def test_levels_are_sorted_and_those_that_are_not_smaller_left_out(store):
    write_groups(store, assets=("r80", "r10", "r40", "r20", "r20", "absent"))
    dataset = gdal.Open(f'ZARR:"{store}":/r10/b')
    assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES
    middle = gdal.Open(f'ZARR:"{store}":/r40/b')
    assert overview_sizes(middle.GetRasterBand(1)) == ALL_SIZES[2:]


def test_levels_of_another_type_or_rank_are_left_out(store):
    name = write_groups(store)
    shutil.rmtree(f"{store}/r20/b")
    write_v3(f"{store}/r20/b", LEVELS[2].astype("<f4"))
    shutil.rmtree(f"{store}/r40/b")
    write_v3(f"{store}/r40/b", LEVELS[4][None].copy())
    dataset = gdal.Open(name)
    assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES[2:]


def test_zoomed_out_read_touches_the_fitting_level_only(store):
    name = write_groups(store)
    for group in ("r10", "r20", "r80"):
        for folder, _, files in os.walk(f"{store}/{group}/b/c"):
            for file in files:
                os.truncate(f"{folder}/{file}", 3)  # reading it would be an error
    dataset = gdal.Open(name)
    assert np.array_equal(dataset.GetRasterBand(1).ReadAsArray(buf_xsize=24, buf_ysize=16), LEVELS[4])
    assert np.array_equal(dataset.ReadAsArray(buf_xsize=24, buf_ysize=16), LEVELS[4])
    window = dataset.ReadAsArray(32, 16, 64, 32, buf_xsize=16, buf_ysize=8)
    assert np.array_equal(window, LEVELS[4][4:12, 8:24])
    with pytest.raises(RuntimeError, match="expected 512 bytes, got 3"):
        dataset.ReadAsArray()


def test_bands_and_fixed_indices_are_those_of_the_array(store):
    write_v3_group(store, layout("0", "1"))
    cube = np.arange(3 * 2 * 8 * 16, dtype="<i4").reshape(3, 2, 8, 16)
    write_v3(f"{store}/0", cube)
    write_v3(f"{store}/1", -cube[..., ::2, ::2].copy())
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert np.array_equal(dataset.GetRasterBand(4).GetOverview(0).ReadAsArray(), -cube[1, 1, ::2, ::2])
    slice_2_1 = gdal.Open(f'ZARR:"{store}":/0:2:1')
    assert np.array_equal(slice_2_1.GetRasterBand(1).GetOverview(0).ReadAsArray(), -cube[2, 1, ::2, ::2])


def test_levels_with_fewer_bands_are_left_out(store):
    write_v3_group(store, layout("0", "1"))
    write_v3(f"{store}/0", np.zeros((3, 8, 16), "u1"))
    write_v3(f"{store}/1", np.zeros((2, 4, 8), "u1"))
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert dataset.GetRasterBand(1).GetOverviewCount() == 0


def test_an_open_option_chooses_a_level(store):
    dataset = gdal.OpenEx(write_groups(store), open_options=["OVERVIEW_LEVEL=1"])
    assert np.array_equal(dataset.ReadAsArray(), LEVELS[4])


@pytest.mark.skipif(not hasattr(gdal.MDArray, "GetOverviewCount"), reason="needs GDAL 3.13 or later")
def test_a_multidimensional_array_has_overviews(store):
    write_v3_group(store, layout("0", "1", "2"))
    for name, data in (("0", BASE), ("1", LEVELS[2]), ("2", LEVELS[4])):
        write_v3(f"{store}/{name}", data)
    array = open_array(store, "0")
    assert [array.GetOverview(i).GetFullName() for i in range(array.GetOverviewCount())] == ["/1", "/2"]
    assert np.array_equal(array.GetOverview(0).ReadAsArray(), LEVELS[2])
    assert open_array(store, "2").GetOverviewCount() == 0


def declare(value):
    return {"zarr_conventions": [MULTISCALES], "multiscales": value}


@pytest.mark.parametrize(
    "value, message",
    [
        (7, "/attributes/multiscales: expected"),
        ({}, "/attributes/multiscales: expected"),
        ({"layout": {"asset": "1"}}, "/attributes/multiscales/layout: expected a list of at most 4096 levels"),
        ({"layout": [{"asset": "1"}] * 100000}, "/attributes/multiscales/layout: expected a list of at most 4096 levels"),
        ({"layout": ["1"]}, "/attributes/multiscales/layout/0: expected"),
        ({"layout": [{"asset": 1}]}, "/attributes/multiscales/layout/0/asset: expected"),
        ({"layout": [{"asset": "../1"}]}, "/attributes/multiscales/layout/0/asset: expected the path of a node below the group"),
        ({"layout": [{"asset": "/1"}]}, "/attributes/multiscales/layout/0/asset: expected the path of a node below the group"),
        ({"layout": [{"asset": ""}]}, "/attributes/multiscales/layout/0/asset: expected the path of a node below the group"),
    ],
)
def test_layout_that_is_none_is_a_warning(store, value, message):
    write_v3_group(store, declare(value))
    write_v3(f"{store}/0", BASE)
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    with collect_errors() as errors:
        assert dataset.GetRasterBand(1).GetOverviewCount() == 0
        assert dataset.GetRasterBand(1).GetOverviewCount() == 0
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert message in errors[0][1]
    assert np.array_equal(dataset.ReadAsArray(), BASE)


def test_layout_without_the_convention_is_none(store):
    write_v3_group(store, {"multiscales": layout("0", "1")["multiscales"]})
    write_v3(f"{store}/0", BASE)
    write_v3(f"{store}/1", LEVELS[2])
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert dataset.GetRasterBand(1).GetOverviewCount() == 0


def test_level_that_is_broken_is_left_out(store):
    name = write_groups(store)
    with open(f"{store}/r40/b/zarr.json", "w") as f:
        f.write("{")
    dataset = gdal.Open(name)
    assert overview_sizes(dataset.GetRasterBand(1)) == [(48, 32), (12, 8)]


def test_store_that_is_one_pyramid_opens_as_its_largest_level(store):
    write_groups(store)
    dataset = gdal.Open(store)
    assert (dataset.RasterXSize, dataset.RasterYSize) == (96, 64)
    assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES


def test_pyramid_beside_another_array_is_a_list(store):
    write_groups(store)
    write_v3(f"{store}/other", BASE)
    assert len(gdal.Open(store).GetSubDatasets()) == 5


# --- extents --------------------------------------------------------------------------------------------------------

PROJ = {"uuid": PROJ_UUID}
SPATIAL = {"uuid": SPATIAL_UUID}
PLACE = {
    "proj:code": "EPSG:32633",
    "spatial:dimensions": ["y", "x"],
    "spatial:transform": [10.0, 0.0, 500000.0, 0.0, -10.0, 5000000.0],
}


def write_placed(store, write_group, write):
    """Follows GeoZarr's examples: the groups of the levels have the transforms of their arrays."""
    attributes = layout("r20", "r10")
    write_group(store, attributes)
    for group, data, scale in (("r10", BASE, 1), ("r20", LEVELS[2], 2)):
        place = {**PLACE, "zarr_conventions": [PROJ, SPATIAL]}
        place["spatial:transform"] = [10.0 * scale, 0.0, 500000.0, 0.0, -10.0 * scale, 5000000.0]
        write_group(f"{store}/{group}", place)
        if write is write_v3:
            write(f"{store}/{group}/b", data, [16, 16], names=["y", "x"])
        else:
            write(f"{store}/{group}/b", data, [16, 16], attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})


@pytest.mark.parametrize("functions", [(write_v3_group, write_v3), (write_v2_group, write_v2)])
def test_levels_have_the_extent_of_the_base(store, functions):
    write_placed(store, *functions)
    dataset = gdal.Open(f'ZARR:"{store}":/r10/b')
    level = dataset.GetRasterBand(1).GetOverview(0).GetDataset()
    assert level.GetGeoTransform() == (500000, 20, 0, 5000000, 0, -20)
    assert level.GetSpatialRef().IsSame(dataset.GetSpatialRef())
    alone = gdal.Open(f'ZARR:"{store}":/r20/b')
    assert alone.GetGeoTransform() == level.GetGeoTransform()
    smaller = gdal.OpenEx(f'ZARR:"{store}":/r10/b', open_options=["OVERVIEW_LEVEL=0"])
    assert smaller.GetGeoTransform() == level.GetGeoTransform()


def test_levels_of_a_rotated_base_are_rotated(store):
    write_v3_group(store, layout("0", "1"))
    rotated = {**PLACE, "zarr_conventions": [SPATIAL], "spatial:transform": [8.0, 6.0, 100.0, 6.0, -8.0, 200.0]}
    write_v3(f"{store}/0", BASE, names=["y", "x"], attributes=rotated)
    write_v3(f"{store}/1", LEVELS[4], names=["y", "x"])
    dataset = gdal.Open(f'ZARR:"{store}":/0')
    assert dataset.GetRasterBand(1).GetOverview(0).GetDataset().GetGeoTransform() == (100, 32, 24, 200, 24, -32)


def test_levels_need_no_geotransform(store):
    dataset = gdal.Open(write_groups(store))
    level = dataset.GetRasterBand(1).GetOverview(0).GetDataset()
    assert level.GetGeoTransform(can_return_null=True) is None and level.GetSpatialRef() is None


# --- costs of reading -----------------------------------------------------------------------------------------------

METADATA = (".zarray", ".zattrs", ".zgroup", ".zmetadata", "zarr.json")


@pytest.mark.parametrize("functions", [(write_v3_group, write_v3), (write_v2_group, write_v2)])
@pytest.mark.parametrize("read", ["dataset", "band", "window"])
def test_zoomed_out_read_asks_for_the_fitting_level_only(tmp_path, functions, read):
    write_groups(str(tmp_path / "a.zarr"), *functions)
    with Server(str(tmp_path)).serve() as server:
        dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/a.zarr":/r10/b')
        server.log.clear()
        if read == "dataset":
            assert np.array_equal(dataset.ReadAsArray(buf_xsize=24, buf_ysize=16), LEVELS[4])
        elif read == "band":
            assert np.array_equal(dataset.GetRasterBand(1).ReadAsArray(buf_xsize=24, buf_ysize=16), LEVELS[4])
        else:
            window = dataset.ReadAsArray(0, 0, 64, 64, buf_xsize=16, buf_ysize=16)
            assert np.array_equal(window, LEVELS[4][:, :16])
        chunks = [path for command, path in server.log if command == "GET" and not path.endswith(METADATA)]
    wanted = 1 if read == "window" else 2
    assert len(chunks) == wanted and all("/r40/b/" in path for path in chunks)


@pytest.mark.skipif(not hasattr(gdal.MDArray, "GetOverviewCount"), reason="needs GDAL 3.13 or later")
def test_classic_dataset_of_a_multidimensional_array_has_the_levels(store):
    write_groups(store)
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    dataset = root.OpenMDArrayFromFullname("/r10/b").AsClassicDataset(1, 0)
    assert overview_sizes(dataset.GetRasterBand(1)) == ALL_SIZES
    assert np.array_equal(dataset.ReadAsArray(buf_xsize=24, buf_ysize=16), LEVELS[4])


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
def test_an_array_may_be_named_like_a_group_for_levels(store, format):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 50, 50, options=[f"FORMAT={format}", "ARRAY_NAME=ovr_2x"])
    dataset.GetRasterBand(1).Fill(1)
    with pytest.raises(RuntimeError, match="expected a group for the overviews of /ovr_2x, got an array"):
        dataset.BuildOverviews("NEAREST", [2])
    dataset.BuildOverviews("NEAREST", [4])
    dataset = None
    dataset = gdal.GetDriverByName("Zarr").Create(store, 50, 50, options=["ARRAY_NAME=a", "APPEND_SUBDATASET=YES"])
    with pytest.raises(RuntimeError, match="expected a group for the overviews of /a, got an array"):
        dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    dataset = gdal.Open(f'ZARR:"{store}":/ovr_2x')
    level = dataset.GetRasterBand(1).GetOverview(0)
    assert (dataset.GetRasterBand(1).GetOverviewCount(), level.XSize, level.ReadAsArray().min()) == (1, 13, 1)
    for name in ("zarr.json", ".zattrs"):
        assert not os.path.exists(f"{store}/ovr_2x/{name}") or "unfinished" not in open(f"{store}/ovr_2x/{name}").read()
