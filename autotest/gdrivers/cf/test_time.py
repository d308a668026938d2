# SPDX-License-Identifier: MIT
"""Bands have times as metadata, DIM_<name>_ISO8601, by CF's units and calendars and NumPy's datetime64."""

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v2, write_v2_group


def band_times(store, values, attributes):
    write_v2_group(store)
    data = np.zeros((len(values), 1, 1), "u1")
    write_v2(f"{store}/v", data, attributes={"_ARRAY_DIMENSIONS": ["t", "y", "x"]})
    write_v2(f"{store}/t", values, attributes={"_ARRAY_DIMENSIONS": ["t"], **attributes})
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    return [dataset.GetRasterBand(i + 1).GetMetadataItem("DIM_t_ISO8601") for i in range(len(values))]


def time(store, value, units, calendar=None, dtype="<f8"):
    attributes = {"units": units} if calendar is None else {"units": units, "calendar": calendar}
    return band_times(store, np.array([value], dtype), attributes)[0]


@pytest.mark.parametrize(
    "value, units, expected",
    [
        (0, "days since 2000-01-01", "2000-01-01T00:00:00Z"),
        (59.25, "days since 2000-01-01", "2000-02-29T06:00:00Z"),
        (-0.5, "days since 2000-01-01", "1999-12-31T12:00:00Z"),
        (36, "hours since 1900-01-01 00:00:0.0", "1900-01-02T12:00:00Z"),
        (1.5, "Hours Since 1900-1-1", "1900-01-01T01:30:00Z"),
        (90, "minutes since 1999-12-31T23:00", "2000-01-01T00:30:00Z"),
        (1e9, "seconds since 1970-01-01", "2001-09-09T01:46:40Z"),
        (0.125, "s since 1970-01-01", "1970-01-01T00:00:00.125Z"),
        (2, "weeks since 2000-01-01", "2000-01-15T00:00:00Z"),
        (1500, "milliseconds since 1970-01-01", "1970-01-01T00:00:01.5Z"),
        (0, "hours since 2000-01-01 00:00:00 +6:00", "1999-12-31T18:00:00Z"),
        (0, "hours since 2000-01-01 12:00 -0330", "2000-01-01T15:30:00Z"),
        (0, "hours since 2000-01-01T12:00:00Z", "2000-01-01T12:00:00Z"),
        (0, "days since 2000-01-01 UTC", "2000-01-01T00:00:00Z"),
        (44999 + 1 / 3, "days since 1900-01-01", "2023-03-16T08:00:00Z"),
        (1, "days since -0001-12-31", "0000-01-01T00:00:00Z"),
        (-1, "days since 0000-01-01", "-0001-12-31T00:00:00Z"),
        (366, "days since 9999-01-01", "+10000-01-02T00:00:00Z"),
    ],
)
def test_times_are_formatted_in_each_unit(store, value, units, expected):
    assert time(store, value, units) == expected


@pytest.mark.parametrize(
    "value, units",
    [
        (1, "m"),
        (1, "months since 2000-01-01"),
        (1, "days since"),
        (1, "days after 2000-01-01"),
        (1, "days since yesterday"),
        (1, "days since 2000-13-01"),
        (1, "days since 2001-02-29"),
        (1, "days since 2000-01-01 25:00"),
        (1, "days since 2000-01-01 12:00 LMT"),
        (1, "days since 99999999999999999999-01-01"),
        (np.nan, "days since 2000-01-01"),
        (np.inf, "days since 2000-01-01"),
        (1e300, "days since 2000-01-01"),
    ],
)
def test_other_values_have_no_time(store, value, units):
    assert time(store, value, units) is None


def test_integers_are_exact(store):
    value = 1700000000123456789
    assert time(store, value, "nanoseconds since 1970-01-01", dtype="<i8") == "2023-11-14T22:13:20.123456789Z"


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63)])
def test_integers_at_the_limits(tmp_path, value):
    assert time(str(tmp_path / "a.zarr"), value, "days since 2000-01-01", dtype="<i8") is None
    assert time(str(tmp_path / "b.zarr"), value, "weeks since 2000-01-01", dtype="<i8") is None
    got = time(str(tmp_path / "c.zarr"), value, "ns since 1970-01-01", dtype="<i8")
    assert got == {True: "2262-04-11T23:47:16.854775807Z", False: "1677-09-21T00:12:43.145224192Z"}[value > 0]


@pytest.mark.parametrize(
    "calendar, value, units, expected",
    [
        ("standard", 1, "days since 1582-10-04", "1582-10-15T00:00:00Z"),
        ("gregorian", -1, "days since 1582-10-15", "1582-10-04T00:00:00Z"),
        ("proleptic_gregorian", 1, "days since 1582-10-04", "1582-10-05T00:00:00Z"),
        ("proleptic_gregorian", 59, "days since 1900-01-01", "1900-03-01T00:00:00Z"),
        ("julian", 59, "days since 1900-01-01", "1900-02-29T00:00:00Z"),
        ("standard", 59, "days since 1500-01-01", "1500-02-29T00:00:00Z"),
        ("noleap", 59, "days since 2000-01-01", "2000-03-01T00:00:00Z"),
        ("365_day", 365 * 100 + 31, "days since 2000-01-01", "2100-02-01T00:00:00Z"),
        ("all_leap", 59, "days since 2001-01-01", "2001-02-29T00:00:00Z"),
        ("366_day", 366 * 100, "days since 2000-12-31", "2100-12-31T00:00:00Z"),
        ("360_day", 59, "days since 2000-01-01", "2000-02-30T00:00:00Z"),
        ("360_Day", 36000.5, "days since 2000-02-30", "2100-02-30T12:00:00Z"),
        ("360_day", -1, "days since 0000-01-01", "-0001-12-30T00:00:00Z"),
        ("standard", 0, "days since 1582-10-10", None),
        ("noleap", 0, "days since 2000-02-29", None),
        ("360_day", 0, "days since 2000-01-31", None),
        ("maya", 0, "days since 2000-01-01", None),
    ],
)
def test_each_calendar_has_its_own_dates(store, calendar, value, units, expected):
    assert time(store, value, units, calendar) == expected


def test_days_agree_with_numpy(store):
    days = np.linspace(-700_000, 2_900_000, 3000).astype("<i8")
    days[:6] = [-25567, -25508, 10956, 11016, 47540, 47541]  # around the ends of Februaries
    attributes = {"units": "days since 1970-01-01", "calendar": "proleptic_gregorian"}
    expected = [f"{day}T00:00:00Z" for day in days.astype("M8[D]").astype(str)]
    assert band_times(store, days, attributes) == expected


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "25s", "6h"])
def test_datetime64_agrees_with_numpy(store, unit):
    values = np.array([0, 1, -1, 12345, -12345], "<i8").view(f"<M8[{unit}]")
    expected = []
    for text in values.astype("M8[ns]").astype(str):
        seconds, _, fraction = text.partition(".")
        fraction = fraction.rstrip("0")
        expected.append(seconds + ("." + fraction if fraction else "") + "Z")
    if unit in ("Y", "M", "W", "D"):  # the values are beyond the range of nanoseconds
        expected = [f"{day}T00:00:00Z" for day in values[:3].astype("M8[D]").astype(str)]
        values = values[:3]
    assert band_times(store, values, {}) == expected


def test_not_a_time_has_no_text(store):
    assert band_times(store, np.array(["NaT"], "<M8[s]"), {}) == [None]


def test_values_and_units_stay_as_they_are(store):
    time(store, 2.5, "days since 2000-01-01")
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert dataset.GetRasterBand(1).GetMetadata() == {
        "DIM_t_INDEX": "0",
        "DIM_t_VALUE": "2.5",
        "DIM_t_UNIT": "days since 2000-01-01",
        "DIM_t_ISO8601": "2000-01-03T12:00:00Z",
    }


def test_times_are_an_attribute_of_the_coordinates(store):
    values = np.array([0, 31, 59], "<f8")
    write_v2_group(store)
    write_v2(f"{store}/t", values, attributes={"units": "days since 2000-01-01", "calendar": "noleap"})
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    array = dataset.GetRootGroup().OpenMDArray("t")
    times = ["2000-01-01T00:00:00Z", "2000-02-01T00:00:00Z", "2000-03-01T00:00:00Z"]
    assert array.GetAttribute("ISO8601").Read() == times
    assert "ISO8601" in [attribute.GetName() for attribute in array.GetAttributes(["SHOW_ALL=YES"])]


def test_a_copy_does_not_store_what_is_computed(store, tmp_path):
    write_v2_group(store)
    write_v2(f"{store}/t", np.array([0, 31], "<f8"), attributes={"units": "days since 2000-01-01"})
    for name, form in (("copy.zarr", "Zarr"), ("part.zarr", "Zarr"), ("copy.vrt", "VRT")):
        part = {"arraySpecs": ["name=t,view=[1:2]"]} if name == "part.zarr" else {}
        assert gdal.MultiDimTranslate(str(tmp_path / name), store, format=form, **part)
        copied = gdal.OpenEx(str(tmp_path / name), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("t")
        assert "ISO8601" not in [attribute.GetName() for attribute in copied.GetAttributes()]
    with open(tmp_path / "part.zarr" / "t" / ".zattrs", encoding="utf-8") as f:
        assert "ISO8601" not in f.read()


def test_times_of_a_copy_are_its_own(store, tmp_path):
    write_v2_group(store)
    write_v2(f"{store}/t", np.array([0, 31, 60], "<f8"), attributes={"units": "days since 2000-01-01", "_ARRAY_DIMENSIONS": ["t"]})
    path = str(tmp_path / "part.zarr")
    assert gdal.MultiDimTranslate(path, store, format="Zarr", subsetSpecs=["t(30,70)"])
    copied = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("t")
    assert copied.GetAttribute("ISO8601").Read() == ["2000-02-01T00:00:00Z", "2000-03-01T00:00:00Z"]


@pytest.mark.parametrize(
    "value, more, expected",
    [
        (10, {"scale_factor": 0.5, "add_offset": 100.0}, "2000-04-15T00:00:00Z"),
        (10, {"scale_factor": 0.25}, "2000-01-03T12:00:00Z"),
        (10, {"add_offset": -10}, "2000-01-01T00:00:00Z"),
        (10, {"scale_factor": 1, "add_offset": 0}, "2000-01-11T00:00:00Z"),
        (10, {"_FillValue": 10}, None),
        (10, {"missing_value": 10, "scale_factor": 2}, None),
        (0, {"_FillValue": 0}, None),
        (10, {"_FillValue": 11}, "2000-01-11T00:00:00Z"),
    ],
)
def test_packed_values_are_unpacked_and_missing_ones_left_out(store, value, more, expected):
    assert band_times(store, np.array([value], "<i4"), {"units": "days since 2000-01-01", **more}) == [expected]
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("t")
    assert array.GetAttribute("ISO8601").ReadAsString() == (expected or "")


def test_fill_value_of_v2_is_missing_unless_it_is_zero(store):
    write_v2_group(store)
    attributes = {"units": "days since 2000-01-01"}
    for name, fill in (("a", -9999), ("b", 0)):
        write_v2(f"{store}/{name}", np.array([0, -9999], "<i4"), fill=fill, attributes=attributes)
    group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert group.OpenMDArray("a").GetAttribute("ISO8601").Read() == ["2000-01-01T00:00:00Z", ""]
    assert group.OpenMDArray("b").GetAttribute("ISO8601").Read()[0] == "2000-01-01T00:00:00Z"


@pytest.mark.parametrize("length, is_shown", [(65_536, True), (65_537, False)])
def test_times_are_an_attribute_of_so_many_coordinates(store, length, is_shown):
    write_v2(store, np.zeros(length, "<i4"), attributes={"units": "days since 2000-01-01"})
    group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    assert ("ISO8601" in [attribute.GetName() for attribute in array.GetAttributes(["SHOW_ALL=YES"])]) == is_shown
    assert not is_shown or len(array.GetAttribute("ISO8601").Read()) == length


def test_times_are_no_metadata_of_a_raster(store):
    write_v2(store, np.arange(3, dtype="<i4"), attributes={"units": "days since 2000-01-01", "a": "b"})
    assert gdal.Open(store).GetMetadata() == {"a": "b"}
    write_v2(store, np.arange(3, dtype="<i4"), attributes={"units": "days since 2000-01-01", "ISO8601": "as stored"})
    assert gdal.Open(store).GetMetadata() == {"ISO8601": "as stored"}
