# SPDX-License-Identifier: MIT
"""The coordinates of dimensions choose the indices of a slice."""

import functools
import glob

import numpy as np
import pytest
from cubes import HOURS, TIMES, make_cube, make_weather, refusal, select, write_arrays
from osgeo import gdal
from stores import write_v2, write_v2_group


@pytest.fixture(params=["v2", "v3"])
def write(request):
    return functools.partial(write_arrays, request.param)


@pytest.fixture
def weather(store, write):
    return write(store, make_weather())


@pytest.mark.parametrize(
    "selection, expected",
    [
        ("time=2024-07-01T12:00,level=850", [21]),
        ("level=850,time=2024-07-01T12:00", [21]),
        ("time=2024-07-01,level=500", [2]),
        ("time=2024-07-01", [0, 1, 2]),
        ("level=1000", [0, 10, 20, 30, 40, 50]),
        ("time=2024-07-01T13:00,level=860", [21]),
        ("time=2024-07-01T15:00,level=1000", [20]),  # 12:00 is as near as 18:00, and stands first
        ("time=2024-07-01T15:00:00.001,level=1000", [30]),
        ("time=2024-07-01T12:00Z,level=1000", [20]),
        ("time=2024-07-01 14:00+02:00,level=1000", [20]),
        ("time=12,level=1000", [20]),
        ("time=#5,level=#0", [50]),
        ("time=#5,level=850", [51]),
        ("time==2024-07-02,level==850", [41]),
        (" time = 2024-07-02 , level == 850.0 ", [41]),
        ('"time"="2024-07-02 00:00",level=8.5e2', [41]),
        ("time=2024-06-30T18:00,level=1150", [0]),  # one step before the first, one above the highest
        ("time=2024-07-02T12:00,level=150", [52]),
    ],
)
def test_the_nearest_coordinates_are_chosen(weather, selection, expected):
    assert select(weather, selection) == expected


@pytest.mark.parametrize(
    "selection, message",
    [
        ("time=2024-06-30T17:59", 'beyond the coordinates of dimension "time", which are from 2024-07-01T00:00:00Z to 2024-07-02T06:00:00Z'),
        ("time=2024-07-02T12:01", 'beyond the coordinates of dimension "time"'),
        ("level=1151", 'level=1151: this is beyond the coordinates of dimension "level", which are from 500 to 1000'),
        ("level=149", "beyond the coordinates"),
        ("time==2024-07-01T13:00", 'no coordinate of dimension "time" is equal to this; they are from 2024-07-01T00:00:00Z to 2024-07-02T06:00:00Z, and the nearest is 2024-07-01T12:00:00Z'),
        ("level==851", "the nearest is 850"),
        ("member=3", 'there is no dimension "member"; the dimensions besides X and Y are "time", "level"'),
        ("x=3", '"x" is X or Y, of which a raster shows all; the dimensions besides X and Y are "time", "level"'),
        ("y=#0", '"y" is X or Y'),
        ("level=850,level=#1", 'dimension "level" is selected twice'),
        ("level=#3", 'dimension "level" has indices from 0 to 2'),
        ("level=#-1", 'expected an index from 0 on for dimension "level", such as #5, got "#-1"'),
        ("level=low", 'dimension "level" has numbers: expected a number, got "low"'),
        ("level=nan", "expected a number"),
        ("level=2024-07-01", "expected a number"),
        ("time=noon", 'has times: expected a date of its calendar, such as 2024-07-01 or 2024-07-01T12:00, or a number, got "noon"'),
        ("time=2024-02-30", "expected a date of its calendar"),
        ("time=2024-07", 'expected a date of its calendar, such as 2024-07-01 or 2024-07-01T12:00, or a number, got "2024-07"'),
        ("time=2024", 'which are from 0 to 30 (a number counts "hours since 2024-07-01 00:00:00"; a date has a form such as 2024-07-01 or 2024-07-01T12:00)'),
        ("time=20240702", 'a number counts "hours since 2024-07-01 00:00:00"; a date has a form such as 2024-07-01'),
        ("time==20240702", "the nearest is 30 (a number counts"),
        ("time=", 'expected a value for dimension "time", got none'),
        ("time=#0,level", 'expected <dimension>=<value>, got "level"'),
        ('time="2024', "expected a quote that is closed"),
        ('level="850" ,,', 'expected <dimension>=<value>, got ""'),
        ('level="850" 3', "expected a comma between selectors"),
    ],
)
def test_wrong_selections_are_explained(weather, selection, message):
    assert message in refusal(weather, selection)


def test_errors_name_the_array_and_the_selector(weather):
    text = refusal(weather, "level=2000")
    assert text == f'{weather}/v: level=2000: this is beyond the coordinates of dimension "level", which are from 500 to 1000'


@pytest.mark.parametrize(
    "calendar, selection, expected",
    [
        ("360_day", "2000-02-30", 3),
        ("noleap", "2000-03-02", 4),
        ("standard", "2000-02-29", 3),
        ("julian", "2000-02-29", 3),
    ],
)
def test_times_are_those_of_the_calendar(store, write, calendar, selection, expected):
    first = {"360_day": "2000-02-27", "noleap": "2000-02-26"}.get(calendar, "2000-02-26")
    write(store, make_cube(time=(np.arange(TIMES, dtype="<f8"), {"units": f"days since {first}", "calendar": calendar})))
    assert select(store, f"time=={selection},level=#0") == [10 * expected]


def test_packed_coordinates_are_unpacked(store, write):
    packed = {"scale_factor": 0.1, "add_offset": 5.0}
    times = {"units": "days since 2000-01-01", "scale_factor": 0.25, "add_offset": 10.0}
    write(store, make_cube(time=(np.arange(TIMES, dtype="<i2"), times), level=(np.array([1, 3, 7], "<i2"), packed)))
    assert select(store, "time==2000-01-11T06:00,level==5.3") == [11]
    assert select(store, "time=2000-01-11T14:00,level=5.69") == [22]
    assert "are from 5.1 to 5.7" in refusal(store, "level==5.4")


def test_narrow_floats_are_the_numbers_that_were_meant(store, write):
    write(store, make_cube(level=(np.array([0.1, 0.2, 0.3], "<f4"), {})))
    assert select(store, "level==0.2,time=#0") == [1]
    assert select(store, "level=0.4,time=#0") == [2]
    assert "nearest is 0.3" in refusal(store, "level==0.31")


def test_missing_coordinates_are_never_found(store, write):
    levels = np.array([np.nan, 7, -999], "<f8")
    write(store, make_cube(level=(levels, {"_FillValue": -999.0}), time=(np.full(TIMES, np.nan), HOURS)))
    assert select(store, "level=7,time=#0") == [1]
    assert "are from 7 to 7" in refusal(store, "level=-999")
    assert 'dimension "time" has no coordinates but NaN' in refusal(store, "time=2024-07-01")


def test_a_single_coordinate_must_be_equal(store, write):
    arrays = {"v": (np.zeros((1, 2, 2), "u1"), ["level", "y", "x"], {}), "level": (np.array([850.0]), ["level"], {})}
    write(store, arrays)
    assert select(store, "level=850") == [0]
    assert "from 850 to 850" in refusal(store, "level=851")


def test_unsorted_coordinates_are_searched_whole(store, write):
    write(store, make_cube(time=(np.array([5, 1, 3, 3, 9, 7], "<i4"), {})))
    assert select(store, "time=3,level=#0") == [20]
    assert select(store, "time=2,level=#0") == [10]
    assert select(store, "time=11,level=#0") == [40]
    assert "from 1 to 9" in refusal(store, "time=12")


def test_large_integers_are_exact(store, write):
    cells = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 5, -(2**60), 0], "<i8")
    write(store, make_cube(time=(cells, {})))
    assert select(store, f"time=={2**60 + 1},level=#0") == [10]
    assert select(store, f"time={2**60 + 4},level=#0") == [30]
    assert f"the nearest is {2**60 + 2}" in refusal(store, f"time=={2**60 + 3}")


def test_natural_numbers_beyond_the_integers_are_exact(store, write):
    write(store, make_cube(time=(np.arange(TIMES, dtype="<u8") + (2**63 + 1), {})))
    assert select(store, f"time=={2**63 + 3},level=#0") == [20]


def test_nanoseconds_are_exact(store, write):
    times = 1700000000123456789 + np.arange(TIMES, dtype="<i8")
    write(store, make_cube(time=(times, {"units": "nanoseconds since 1970-01-01"})))
    assert select(store, "time==2023-11-14T22:13:20.123456792,level=#0") == [30]


def test_datetime64_is_a_time(store):
    write_v2_group(store)
    times = np.array(["2024-01-01", "2024-02-01", "NaT", "2024-04-01"], "M8[D]")
    write_v2(f"{store}/time", times.astype("<M8[D]"), attributes={"_ARRAY_DIMENSIONS": ["time"]})
    data = np.arange(4, dtype="u1").reshape(4, 1, 1)
    write_v2(f"{store}/v", data, attributes={"_ARRAY_DIMENSIONS": ["time", "y", "x"]})
    assert select(store, "time==2024-02-01") == [1]
    assert select(store, "time=2024-03-20") == [3]
    assert "from 2024-01-01T00:00:00Z to 2024-04-01T00:00:00Z" in refusal(store, "time=2025-01-01")


def test_text_must_be_equal(store):
    write_v2_group(store)
    names = np.array(["B02", "B03", "a,b", "#1", "B02"], "<U3")
    write_v2(f"{store}/band", names, attributes={"_ARRAY_DIMENSIONS": ["band"]})
    data = np.arange(5, dtype="u1").reshape(5, 1, 1)
    write_v2(f"{store}/v", data, attributes={"_ARRAY_DIMENSIONS": ["band", "y", "x"]})
    assert select(store, "band=B03") == [1]
    assert select(store, "band==B02") == [0]
    assert select(store, 'band="a,b"') == [2]
    assert select(store, 'band="#1"') == [3]
    assert select(store, "band==#1") == [3]
    assert select(store, "band=#1") == [1]
    message = 'no coordinate of dimension "band" is equal to this text; they are "B02", "B03", "a,b", "#1", "B02"'
    assert message in refusal(store, "band=B04")


def test_without_coordinates_there_are_only_indices(store, write):
    write(store, make_cube())
    assert select(store, "time=#2,level=#1") == [21]
    assert 'dimension "time" has no coordinates: choose by an index from 0 to 5, as in time=#0' in refusal(store, "time=3")


def test_only_the_coordinates_of_selected_dimensions_are_read(weather):
    for chunk in glob.glob(f"{weather}/level/0") + glob.glob(f"{weather}/level/c/0"):
        with open(chunk, "wb") as f:
            f.write(b"\0")
    assert select(weather, "time=2024-07-01T12:00,level=#1") == [21]


def test_unreadable_coordinates_are_errors(weather):
    for chunk in glob.glob(f"{weather}/time/0") + glob.glob(f"{weather}/time/c/0"):
        with open(chunk, "wb") as f:
            f.write(b"\0")
    with pytest.raises(RuntimeError, match="/time/"):
        gdal.Open(f'ZARR:"{weather}":/v:time=2024-07-01')
    assert gdal.Open(f'ZARR:"{weather}":/v:time=#1').RasterCount == 3
