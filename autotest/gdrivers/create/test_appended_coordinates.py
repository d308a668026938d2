# SPDX-License-Identifier: MIT
"""Arrays that are added to a store share coordinates of bands only if all that these say is the same."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, open_group, write_v3, write_v3_group

DAYS = {"units": "days since 2000-01-01"}
METRES = {"units": "m"}


def make_cube(store, values=None, attributes=None, dimension="z", fill=0, size=2):
    """Writes t(dimension, y, x), and coordinates along the first dimension if there are values."""
    size = size if values is None else len(values)
    write_v3_group(store)
    write_v3(f"{store}/t", np.zeros((size, 4, 5), "u1"), names=[dimension, "y", "x"])
    if values is not None:
        write_v3(f"{store}/{dimension}", np.asarray(values), names=[dimension], attributes=attributes or {}, fill=fill)
    return f'ZARR:"{store}":/t'


def append(source, target, name="b", *options):
    gdal.Translate(target, source, format="Zarr", creationOptions=["APPEND_SUBDATASET=YES", f"ARRAY_NAME={name}", *options])


def dimension_of(store, name):
    return open_array(store, name).GetDimensions()[0].GetName()


def items_of(store, name, band=1):
    dataset = gdal.Open(f'ZARR:"{store}":/{name}')
    return dataset.GetRasterBand(band).GetMetadata()


def append_second(store, tmp_path, first, second, dimension="z"):
    """Returns the dimension of an array that is added to a store whose array has the coordinates `first`."""
    make_cube(store, *first[:2], dimension, *first[2:])
    append(make_cube(str(tmp_path / "b.zarr"), *second[:2], dimension, *second[2:]), store)
    return dimension_of(store, "b")


INTEGERS = np.array([1, 2], "<i2")


@pytest.mark.parametrize(
    "first, second",
    [
        (({**METRES, "scale_factor": 0.1}), METRES),
        (METRES, ({**METRES, "scale_factor": 0.1})),
        (({**METRES, "add_offset": 1}), METRES),
        (METRES, {"units": "cm"}),
        (METRES, {**METRES, "positive": "down"}),
        ({**METRES, "standard_name": "depth"}, {**METRES, "standard_name": "height"}),
    ],
)
def test_the_same_numbers_may_say_something_else(store, tmp_path, first, second):
    assert append_second(store, tmp_path, (INTEGERS, first), (INTEGERS, second)) == "b_z"
    old, new = open_array(store, "z"), open_array(store, "b_z")
    for array, attributes in ((old, first), (new, second)):
        assert (array.GetScale() or 1, array.GetOffset() or 0) == (attributes.get("scale_factor", 1), attributes.get("add_offset", 0))
        assert array.GetUnit() == attributes["units"]


def test_other_numbers_may_say_the_same(store, tmp_path):
    packed = {**METRES, "scale_factor": 0.5, "add_offset": 10}
    assert append_second(store, tmp_path, (np.array([10.5, 11]), METRES), (INTEGERS, packed)) == "z"
    assert items_of(store, "b", 2)["DIM_z_VALUE"] == "11"


@pytest.mark.parametrize("first, second, shared", [
    ("noleap", "standard", False), (None, "noleap", False), (None, "gregorian", True), ("365_day", "noleap", True),
    ("julian", "julian", True)])  # fmt: skip
def test_times_are_shared_within_a_calendar(store, tmp_path, first, second, shared):
    """The names of calendars differ, and writers leave out the standard one."""
    days = np.array([100, 5000], "<i4")
    attributes = [{**DAYS, **({"calendar": name} if name else {})} for name in (first, second)]
    assert (append_second(store, tmp_path, (days, attributes[0]), (days, attributes[1]), "time") == "time") == shared
    before, after = gdal.Open(str(tmp_path / "b.zarr")), gdal.Open(f'ZARR:"{store}":/b')
    assert after.GetRasterBand(2).GetDescription() == before.GetRasterBand(2).GetDescription()


def test_missing_times_are_compared(store, tmp_path):
    days = np.array([1, -9], "<i4")
    assert append_second(store, tmp_path, (days, DAYS), (days, DAYS, -9), "time") == "b_time"
    assert "DIM_b_time_ISO8601" not in items_of(store, "b", 2) and "DIM_time_ISO8601" in items_of(store, "t", 2)


def test_missing_times_may_have_other_numbers(store, tmp_path):
    first, second = np.array([1, -9], "<i4"), np.array([1, -7], "<i4")
    assert append_second(store, tmp_path, (first, DAYS, -9), (second, DAYS, -7), "time") == "time"


def test_bands_share_coordinates_by_what_they_tell(store, tmp_path):
    """A GeoTIFF does not tell all attributes."""
    make_cube(store, INTEGERS, {**METRES, "long_name": "depth"})
    gdal.Translate(str(tmp_path / "b.tif"), f'ZARR:"{store}":/t')
    append(str(tmp_path / "b.tif"), store)
    assert dimension_of(store, "b") == "z"


def test_arrays_without_coordinates_stay_without(store, tmp_path):
    make_cube(store)
    append(make_cube(str(tmp_path / "b.zarr"), np.array([100, 200], "<i4"), DAYS), store)
    assert items_of(store, "t") == {"DIM_z_INDEX": "0"}
    assert items_of(store, "b")["DIM_b_z_VALUE"] == "100"
    append(make_cube(str(tmp_path / "c.zarr")), store, "c")
    assert dimension_of(store, "c") == "z"


def test_bands_without_places_get_no_coordinates(store):
    make_cube(store, INTEGERS, METRES, "Band")
    append(gdal.GetDriverByName("MEM").Create("", 5, 4, 2), store)
    assert dimension_of(store, "b") == "b_Band" and "b_Band" not in open_group(store).GetMDArrayNames()


def test_a_renamed_dimension_takes_no_foreign_coordinates(store, tmp_path):
    make_cube(store, INTEGERS, METRES)
    write_v3(f"{store}/b_z", INTEGERS + np.int16(6), names=["b_z"], attributes=METRES)
    append(make_cube(str(tmp_path / "b.zarr"), np.array([30, 40], "<i2"), METRES), store)
    assert dimension_of(store, "b") == "b_z_2"
    assert open_array(store, "b_z_2").ReadAsArray().tolist() == [30, 40]
    assert open_array(store, "b_z").ReadAsArray().tolist() == [7, 8]


@pytest.mark.parametrize("values", [[101, 102, 103], None])
def test_a_renamed_dimension_is_copied_again(store, tmp_path, values):
    make_cube(store, np.array([1, 2], "<i4"), DAYS, "time")
    values = None if values is None else np.array(values, "<i4")
    append(make_cube(str(tmp_path / "b.zarr"), values, DAYS, "time", size=3), store)
    items = items_of(store, "b", 2)
    assert items["DIM_b_time_INDEX"] == "1" and not [name for name in items if name.startswith("DIM_time")]
    with open(f"{store}/b/zarr.json", encoding="utf-8") as f:
        assert "gdal:bands" not in json.load(f)["attributes"]
    again = str(tmp_path / "again.zarr")
    gdal.Translate(again, f'ZARR:"{store}":/b', format="Zarr", creationOptions=["ARRAY_NAME=b"])
    assert dimension_of(again, "b") == "b_time" and items_of(again, "b", 2) == items


def test_edges_of_a_renamed_dimension(store, tmp_path):
    make_cube(store, np.array([1, 2], "<i4"), DAYS, "time")
    other = str(tmp_path / "b.zarr")
    make_cube(other, np.array([1, 2, 3], "<i4"), DAYS, "time")
    write_v3(f"{other}/t", np.zeros((3, 4, 5), "u1"), names=["time", "y", "x"], edges=[[1, 2], [1, 3], [5]])
    append(f'ZARR:"{other}":/t', store, "b", "CHUNK_EDGES=SOURCE")
    with open(f"{store}/b/zarr.json", encoding="utf-8") as f:
        assert json.load(f)["chunk_grid"]["configuration"]["chunk_shapes"][:2] == [[1, 2], [1, 3]]


@pytest.mark.parametrize(
    ("values", "attributes", "dimension"),
    [
        (np.arange(3, dtype="<i4"), {"units": "days since 2024-01-01", "calendar": "proleptic_gregorian"}, "time"),
        (np.array([0.1, 0.2, 0.3], "<f4"), METRES, "z"),
    ],
)
def test_what_bands_of_geotiff_do_not_tell_makes_no_difference(store, tmp_path, values, attributes, dimension):
    """They have no names of Gregorian calendars, and nine digits of a number."""
    image = str(tmp_path / "a.tif")
    gdal.Translate(image, gdal.Open(make_cube(store, values, attributes, dimension)))
    append(image, store)
    assert dimension_of(store, "b") == dimension


def test_a_calendar_before_1582_makes_a_difference(store, tmp_path):
    image = str(tmp_path / "a.tif")
    old = {"units": "days since 1500-01-01", "calendar": "proleptic_gregorian"}
    gdal.Translate(image, gdal.Open(make_cube(store, np.arange(3, dtype="<i4"), old, "time")))
    gdal.Translate(store, image, format="Zarr", creationOptions=["APPEND_SUBDATASET=YES", "ARRAY_NAME=b"])
    assert dimension_of(store, "b") != "time"


def append_bands_of(store, names):
    """Adds an array `b` with these dimensions to a store with other coordinates z and another x."""
    make_cube(store, INTEGERS, METRES)
    for name in ("x", "y"):
        write_v3(f"{store}/{name}", np.arange(9, dtype="<i2"), names=[name])
    other = f"{store}.other.zarr"
    write_v3_group(other)
    values = np.arange(8 * 20, dtype="<i2").reshape((2, 4, 4, 5))
    write_v3(f"{other}/t", values, names=[*names, "y", "x"])
    for i, name in enumerate(names):
        write_v3(f"{other}/{name}", np.arange(2 + 2 * i, dtype="<i2") + np.int16(50), names=[name], attributes=METRES)
    append(f'ZARR:"{other}":/t', store)
    array = open_array(store, "b")
    assert (array.ReadAsArray() == values).all()
    return [dimension.GetName() for dimension in array.GetDimensions()]


def test_a_renamed_dimension_is_none_of_the_same_array(store):
    assert append_bands_of(store, ["z", "b_z"]) == ["b_z_2", "b_z", "b_y", "b_x"]
    assert open_array(store, "b_z_2").ReadAsArray().tolist() == [50, 51]
    assert open_array(store, "b_z").ReadAsArray().tolist() == [50, 51, 52, 53]


def test_a_renamed_plane_has_no_dimension_of_bands(store):
    assert append_bands_of(store, ["b_y", "z"]) == ["b_y", "b_z", "b_y_2", "b_x_2"]
