# SPDX-License-Identifier: MIT
"""Bands whose metadata are set after the array was made, as by gdalwarp, get the dimension that they count."""

import json
import os

import numpy as np
import pytest
from faults import Fault
from forked_faults import COUNT, WarmProcess
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


def items_of(name="level", **kinds):
    """The items of each band: of each kind a list, with None where a band has none."""
    bands = []
    for i in range(len(next(iter(kinds.values())))):
        values = {"INDEX": str(i), **{kind: texts[i] for kind, texts in kinds.items()}}
        bands.append({f"DIM_{name}_{kind}": text for kind, text in values.items() if text is not None})
    return bands


DAYS_OF_2000 = ["2000-01-01T00:00:00Z", "2000-01-02T00:00:00Z", "2000-01-03T00:00:00Z"]
FRACTIONS = ["2000-01-01T00:00:00.5Z", "2000-01-01T00:00:01.5Z", "2000-01-01T00:00:02.5Z"]


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize(
    "items",
    [
        items_of(VALUE=["1", "abc", "3"], UNIT=["m"] * 3),
        items_of(VALUE=["1", None, "3"]),
        items_of(VALUE=["a", "", "c"]),
        items_of(VALUE=["1", "2", "3"], UNIT=["m", "km", "m"]),
        items_of(VALUE=["1", "2", "3"], UNIT=["m", None, "m"]),
        items_of(VALUE=["18446744073709551616", "1", "2"]),
        items_of(VALUE=["x" * 2000 + str(i) for i in range(3)]),
        items_of(INDEX=["10", "20", "30"]),
        items_of(INDEX=["2", "0", "1"], VALUE=["1", "2", "3"]),
        items_of(INDEX=["00", "01", "02"], VALUE=["1", "2", "3"]),
        items_of(VALUE=["0", "1", "2"], ISO8601=[DAYS_OF_2000[0], None, DAYS_OF_2000[2]]),
        items_of(VALUE=["0", "1", "2"], UNIT=["days since 2000-01-01"] * 3, ISO8601=[None, *DAYS_OF_2000[1:]]),
        items_of(VALUE=["0", "1", "2"], UNIT=["days since 2000-01-01"] * 3, ISO8601=[*DAYS_OF_2000[:2], None]),
        items_of(VALUE=["0.5", "1.5", "2.5"], UNIT=["foo"] * 3, ISO8601=FRACTIONS),
        items_of(ISO8601=DAYS_OF_2000),
    ],
)
def test_bands_that_coordinates_cannot_tell_exactly_keep_their_items(tmp_path, items, zarr_format):
    target = str(tmp_path / "a.zarr")
    make_bands(target, items, f"FORMAT={zarr_format}")
    assert dimensions_of(target)[0] == ("Band", 3)
    assert [item for _, item in bands_of(target)] == items
    assert not os.path.exists(f"{target}/level")


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize(
    ("items", "dtype"),
    [
        (items_of(VALUE=["9007199254740993", "9007199254740995", "-9007199254740997"]), np.int64),
        (items_of(VALUE=["0.5", "1", "2.25"], UNIT=["m"] * 3), np.float64),
        (items_of(VALUE=["a", "b", "c"]), None),
        (items_of(VALUE=["007", "008", "009"]), None),
        (items_of(VALUE=["1.50", "2", "3"]), None),
        (items_of(VALUE=["0.12345678901234567890", "1", "2"]), None),
        (items_of(VALUE=["0", "1", "2"], UNIT=["days since 2000-01-01"] * 3, ISO8601=DAYS_OF_2000), np.int64),
    ],
)
def test_coordinates_tell_what_the_items_told(tmp_path, items, dtype, zarr_format):
    target = str(tmp_path / "a.zarr")
    make_bands(target, items, f"FORMAT={zarr_format}")
    assert dimensions_of(target)[0] == ("level", 3)
    assert [item for _, item in bands_of(target)] == items
    if dtype:
        assert open_array(target, "level").ReadAsArray().dtype == dtype


def test_times_in_words_may_come_with_the_coordinates(tmp_path):
    target = str(tmp_path / "a.zarr")
    items = items_of(VALUE=["0", "1", "2"], UNIT=["days since 2000-01-01"] * 3)
    make_bands(target, items)
    told = [item for _, item in bands_of(target)]
    assert [item.pop("DIM_level_ISO8601") for item in told] == DAYS_OF_2000 and told == items


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("unit", ["D", "s", "ms", "ns"])
def test_a_warped_cube_keeps_times_of_datetime64(cube, tmp_path, unit, zarr_format):
    times = np.array(["2024-07-01T00:00:00.500", "2024-07-02T00:00:01.250", "2024-07-03T00:00:02.750"], f"M8[{unit}]")
    source = cube[6:-4]
    write_v3(f"{source}/time", times.view("<i8"), names=["time"])
    with open(f"{source}/time/zarr.json", encoding="utf-8") as f:
        document = json.load(f)
    document["data_type"] = {"name": "numpy.datetime64", "configuration": {"unit": unit, "scale_factor": 1}}
    with open(f"{source}/time/zarr.json", "w", encoding="utf-8") as f:
        json.dump(document, f)
    target = str(tmp_path / "warped.zarr")
    warp(target, cube, f"FORMAT={zarr_format}")
    assert dimensions_of(target)[0] == ("time", 3)
    assert bands_of(f'ZARR:"{target}":/t') == bands_of(cube)
    assert bands_of(cube)[0][1]["DIM_time_VALUE"] == str(times.view("<i8")[0])


def test_a_warped_cube_keeps_levels_of_float32(cube, tmp_path):
    source = cube[6:-4]
    write_v3(f"{source}/time", np.array([0.1, 0.7, 1e10], "<f4"), names=["time"], attributes={"units": "m"})
    target = str(tmp_path / "warped.zarr")
    warp(target, cube)
    assert dimensions_of(target)[0] == ("time", 3)
    assert bands_of(f'ZARR:"{target}":/t') == bands_of(cube)


@pytest.mark.parametrize("first", [0, 1])
def test_other_arrays_keep_their_dimensions(tmp_path, first):
    """Two arrays are made by datasets that are open at the same time."""
    target = str(tmp_path / "a.zarr")
    datasets = [make_bands(target, level_items(3))]
    options = ["ARRAY_NAME=u", "APPEND_SUBDATASET=YES"]
    datasets.append(gdal.GetDriverByName("Zarr").Create(target, 5, 4, 3, gdal.GDT_Byte, options))
    for i, name in enumerate("rgb", 1):
        datasets[1].GetRasterBand(i).SetDescription(name)
    datasets.pop(first)
    datasets.pop()
    assert dimensions_of(target, "t")[0] == dimensions_of(target, "u")[0] == ("Band", 3)
    assert [item for _, item in bands_of(f'ZARR:"{target}":/t')] == level_items(3)
    assert bands_of(f'ZARR:"{target}":/u') == [("r", {}), ("g", {}), ("b", {})]


@pytest.mark.parametrize("name", ["Band", "level"])
def test_names_that_other_arrays_have_are_taken(tmp_path, name):
    target = str(tmp_path / "a.zarr")
    dataset = make_bands(target, level_items(3), "FORMAT=ZARR_V3")
    write_v3(f"{target}/other", np.arange(7), names=[name])
    dataset = None
    assert dataset is None and dimensions_of(target)[0] == ("Band", 3)
    assert dimensions_of(target, "other") == [(name, 7)]
    assert [item for _, item in bands_of(f'ZARR:"{target}":/t')] == level_items(3)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("name", ["__zmeta__", "zarr.json", ".zarray", "..."])
def test_names_that_no_array_can_have_leave_bands(tmp_path, name, zarr_format):
    target = str(tmp_path / "a.zarr")
    assert close([make_bands(target, level_items(3, name), f"FORMAT={zarr_format}")]) == ""
    assert dimensions_of(target)[0] == ("Band", 3)
    assert [item for _, item in bands_of(target)] == level_items(3, name)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("leftover", ["level/c", "level/0", "level/c/0", "level"])
def test_leftovers_leave_bands(tmp_path, leftover, zarr_format):
    target = str(tmp_path / "a.zarr")
    datasets = [make_bands(target, level_items(3), f"FORMAT={zarr_format}")]
    os.makedirs(os.path.dirname(f"{target}/{leftover}"), exist_ok=True)
    with open(f"{target}/{leftover}", "wb"):
        pass
    assert close(datasets) == ""
    assert os.path.exists(f"{target}/{leftover}")
    assert dimensions_of(target)[0] == ("Band", 3)
    assert [item for _, item in bands_of(f'ZARR:"{target}":/t')] == level_items(3)


def close(datasets):
    """Closes the dataset of a list, which must hold the only reference to it. Returns the error, "" without one."""
    gdal.ErrorReset()
    gdal.DontUseExceptions()
    datasets.clear()
    error = gdal.GetLastErrorMsg() if gdal.GetLastErrorType() >= gdal.CE_Failure else ""
    gdal.UseExceptions()
    return error


# --- faults --------------------------------------------------------------------------------------------------------


def warm_up():
    """For the process in which calls fail."""
    gdal.UseExceptions()


def close_bands(folder):
    """Returns the error of closing, "" without one. Raises one of what comes before."""
    gdal.ErrorReset()
    datasets = [make_bands(f"{folder}/a.zarr", level_items(3), f"FORMAT={os.environ['BANDS_FORMAT']}")]
    datasets[0].FlushCache()
    if gdal.GetLastErrorType() >= gdal.CE_Failure:  # that of FlushCache is not raised by all versions of GDAL
        raise RuntimeError(gdal.GetLastErrorMsg())
    return close(datasets)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_a_failure_leaves_the_items_and_no_half_dimension(tmp_path, zarr_format):
    told = []
    with WarmProcess(__name__, {"BANDS_FORMAT": zarr_format}) as process:
        (tmp_path / "whole").mkdir()
        count = process.run("close_bands", tmp_path / "whole", Fault(COUNT))
        assert (count.error, count.crash, count.value) == (None, None, "")
        for number in range(1, count.calls + 1):
            folder = tmp_path / str(number)
            folder.mkdir()
            result = process.run("close_bands", folder, Fault(number))
            assert result.crash is None
            if result.error is None:  # it came to closing
                check_bands(str(folder / "a.zarr"), result)
                told.append(bool(result.value))
    assert any(told)


def check_bands(target, result):
    name = dimensions_of(target)[0][0]
    assert name == "level" or result.value, result
    if name == "level":
        assert open_array(target, "level").ReadAsArray().tolist() == [0, 1, 2], result
    else:
        assert not os.path.exists(f"{target}/level") or "/level" not in str(result.failed), result
    assert [item for _, item in bands_of(f'ZARR:"{target}":/t')] == level_items(3), result


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
