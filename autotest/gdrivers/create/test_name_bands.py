# SPDX-License-Identifier: MIT
"""Bands whose metadata are set after the array was made, as by gdalwarp, get the dimension that they count."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_v3, write_v3_group

DAYS = np.array([0, 31, 59], "<i4")
DATA = np.arange(3 * 4 * 5, dtype="<i2").reshape(3, 4, 5)


@pytest.fixture
def cube(tmp_path):
    """A cube on a regular grid, of times."""
    store = str(tmp_path / "cube.zarr")
    write_v3_group(store)
    write_v3(f"{store}/t", DATA, names=["time", "y", "x"], attributes={"units": "K"})
    write_v3(f"{store}/time", DAYS, names=["time"], attributes={"units": "days since 2023-01-01"})
    write_v3(f"{store}/y", np.arange(4, 0, -1.0), names=["y"], attributes={"standard_name": "latitude", "units": "degrees_north"})
    write_v3(f"{store}/x", np.arange(5.0), names=["x"], attributes={"standard_name": "longitude", "units": "degrees_east"})
    return f'ZARR:"{store}":/t'


def warp(target, source, *options, **more):
    gdal.Warp(target, source, format="Zarr", creationOptions=["ARRAY_NAME=t", *options], **more)


def dimensions_of(store, array="t"):
    return [(d.GetName(), d.GetSize()) for d in open_array(store, array).GetDimensions()]


def bands_of(name):
    """The description and the metadata of each band."""
    dataset = gdal.Open(name)
    bands = [dataset.GetRasterBand(i) for i in range(1, dataset.RasterCount + 1)]
    return [(band.GetDescription(), band.GetMetadata()) for band in bands]


def make_bands(target, items, *options):
    """A new store with a band for each dictionary of items."""
    driver = gdal.GetDriverByName("Zarr")
    dataset = driver.Create(target, 5, 4, len(items), gdal.GDT_Int16, ["ARRAY_NAME=t", *options])
    for i, of_band in enumerate(items, 1):
        dataset.GetRasterBand(i).SetMetadata(of_band)
    dataset.WriteArray(DATA[: len(items)] if len(items) > 1 else DATA[0])
    return dataset


@pytest.mark.parametrize("options", [["FORMAT=ZARR_V2"], ["FORMAT=ZARR_V3"], ["FORMAT=ZARR_V3", "INTERLEAVE=PIXEL"]])
@pytest.mark.parametrize("name", ["warped.zarr", "warped.zarr.zip"])
def test_a_warped_cube_keeps_its_times(cube, tmp_path, options, name):
    target = str(tmp_path / name)
    warp(target, cube, *options)
    target = f"/vsizip/{target}" if name.endswith(".zip") else target
    names = dict(dimensions_of(target))
    assert names == {"time": 3, "Y": 4, "X": 5}
    assert open_array(target, "time").ReadAsArray().tolist() == DAYS.tolist()
    assert open_array(target, "time").GetUnit() == "days since 2023-01-01"
    assert np.array_equal(gdal.Open(f'ZARR:"{target}":/t').ReadAsArray(), DATA)
    assert bands_of(f'ZARR:"{target}":/t') == bands_of(cube)
    assert [description for description, _ in bands_of(cube)][1] == "2023-02-01T00:00:00Z"


def test_nothing_is_said_twice(cube, tmp_path):
    target = str(tmp_path / "warped.zarr")
    warp(target, cube, "FORMAT=ZARR_V3")
    with open(f"{target}/t/zarr.json", encoding="utf-8") as f:
        assert "gdal:bands" not in json.load(f)["attributes"]
    with open(f"{target}/zarr.json", encoding="utf-8") as f:
        listed = json.load(f)["consolidated_metadata"]["metadata"]
    assert listed["t"]["dimension_names"] == ["time", "Y", "X"] and "time" in listed


def test_items_and_descriptions_of_their_own_stay(tmp_path):
    target = str(tmp_path / "a.zarr")
    items = [{"DIM_level_INDEX": str(i), "DIM_level_VALUE": str(i * 100), "DIM_level_UNIT": "hPa", "quality": "good"} for i in range(3)]
    dataset = make_bands(target, items)
    dataset.GetRasterBand(1).SetDescription("the first")
    dataset.GetRasterBand(2).SetDescription("level=100 hPa")
    dataset = None
    assert dimensions_of(target)[0] == ("level", 3)
    assert bands_of(target) == [("the first", items[0]), ("level=100 hPa", items[1]), ("level=200 hPa", items[2])]
    with open(f"{target}/t/.zattrs", encoding="utf-8") as f:
        bands = json.load(f)["gdal:bands"]
    assert bands[1] == {"metadata": {"quality": "good"}} and bands[0]["description"] == "the first"


def level_items(count, name="level"):
    return [{f"DIM_{name}_INDEX": str(i), f"DIM_{name}_VALUE": str(i)} for i in range(count)]


@pytest.mark.parametrize(
    "items",
    [
        [{**item, "DIM_time_INDEX": str(i % 2), "DIM_time_VALUE": "5"} for i, item in enumerate(level_items(3))],
        [*level_items(2), {}],
        level_items(3, "t"),  # the name of the array
        level_items(3, "Y"),
        level_items(1),
        [{}, {}, {}],
    ],
)
def test_bands_that_count_no_dimension_of_their_own_stay_bands(tmp_path, items):
    target = str(tmp_path / "a.zarr")
    make_bands(target, items)
    assert dimensions_of(target) == [("Band", 3)][: len(items) - 1] + [("Y", 4), ("X", 5)]
    assert [item for _, item in bands_of(target)] == items


def test_bands_of_two_dimensions_stay_bands(tmp_path):
    target = str(tmp_path / "a.zarr")
    items = [{"DIM_a_INDEX": str(i // 2), "DIM_b_INDEX": str(i % 2)} for i in range(4)]
    dataset = gdal.GetDriverByName("Zarr").Create(target, 5, 4, 4, gdal.GDT_Byte, ["ARRAY_NAME=t"])
    for i, of_band in enumerate(items, 1):
        dataset.GetRasterBand(i).SetMetadata(of_band)
    dataset = None
    assert dimensions_of(target)[0] == ("Band", 4)


def test_a_pyramid_keeps_the_dimension_of_its_base(tmp_path):
    target = str(tmp_path / "a.zarr")
    dataset = make_bands(target, level_items(3), "FORMAT=ZARR_V3")
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    assert dimensions_of(target)[0] == ("Band", 3)
    assert gdal.Open(target).GetRasterBand(1).GetOverviewCount() == 1


def test_an_array_that_is_added_to_a_store_stays_as_it_is(cube, tmp_path):
    target = str(tmp_path / "a.zarr")
    warp(target, cube)
    gdal.Warp(target, cube, format="Zarr", creationOptions=["ARRAY_NAME=u", "APPEND_SUBDATASET=YES"])
    assert dimensions_of(target, "t")[0] == ("time", 3)
    assert dimensions_of(target, "u")[0] == ("Band", 3)
    assert bands_of(f'ZARR:"{target}":/u') == bands_of(cube)


def test_an_alpha_band_is_no_time(cube, tmp_path):
    target = str(tmp_path / "a.zarr")
    warp(target, cube, dstAlpha=True)
    assert dimensions_of(target)[0] == ("Band", 4)


def test_v1_has_no_names(cube, tmp_path):
    target = str(tmp_path / "a.zarr")
    gdal.Warp(target, cube, format="Zarr", creationOptions=["FORMAT=ZARR_V1"])
    for (old, items), (new, more) in zip(bands_of(cube), bands_of(target), strict=True):
        assert new == old and items.items() <= more.items()
