# SPDX-License-Identifier: MIT
"""Numbers that writers save as text or as lists of one; and warnings of attributes that cannot be used."""

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array, write_v2, write_v3

DATA = np.array([[0, 1, 2], [100, -200, -9999]], "<i2")
FORMS = {"number": lambda n: n, "list": lambda n: [n], "text": str, "list of text": lambda n: [str(n)], "spaces": lambda n: f" {n}\n"}


@pytest.fixture(params=["v2", "v3"])
def write(request, store):
    def write_array(attributes, data=DATA, fill=None):
        if request.param == "v2":
            write_v2(store, data, fill=fill, attributes=attributes)
        else:
            write_v3(store, data, fill=fill or 0, attributes=attributes)
        with collect_errors() as errors:
            dataset = gdal.Open(store)
            dataset.GetMetadata()
        return dataset, [text for _, text in errors]

    return write_array


@pytest.mark.parametrize("form", FORMS)
def test_scale_offset_and_nodata(write, store, form):
    make = FORMS[form]
    dataset, told = write({"scale_factor": make(0.01), "add_offset": make(1.5), "_FillValue": make(-9999)})
    band = dataset.GetRasterBand(1)
    assert (band.GetScale(), band.GetOffset(), band.GetNoDataValue()) == (0.01, 1.5, -9999)
    assert told == []
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("test")
    assert (array.GetScale(), array.GetOffset(), array.GetNoDataValue()) == (0.01, 1.5, -9999)
    assert [a.GetName() for a in array.GetAttributes()] == []


@pytest.mark.parametrize("text, number", [("1e-2", 0.01), ("+2", 2), ("-.5", -0.5), ("2.", 2), ("1E3", 1000)])
def test_forms_of_numbers(write, text, number):
    dataset, told = write({"scale_factor": text})
    assert (dataset.GetRasterBand(1).GetScale(), told) == (number, [])


@pytest.mark.parametrize("text", ["9223372036854775807", "-9223372036854775808", "9007199254740993"])
def test_integers_are_exact(store, text):
    write_v3(store, np.zeros((2, 2), "<i8"), attributes={"_FillValue": text})
    assert gdal.Open(store).GetRasterBand(1).GetNoDataValueAsInt64() == int(text)


@pytest.mark.parametrize("name", ["_FillValue", "missing_value"])
@pytest.mark.parametrize("text, number", [("-9999", -9999), ("1e20", 1e20), ("nan", np.nan), ("-Infinity", -np.inf)])
def test_nodata_of_floats(write, name, text, number):
    dataset, told = write({name: text}, data=DATA.astype("<f8"))
    assert dataset.GetRasterBand(1).GetNoDataValue() == pytest.approx(number, nan_ok=True)
    assert told == []


@pytest.mark.parametrize(
    "attributes",
    [{"valid_range": ["-5", "90"]}, {"valid_range": "-5 90"}, {"actual_range": "-5, 90"}, {"valid_min": "-5", "valid_max": ["90"]}],
)
def test_ranges(write, attributes):
    dataset, told = write(attributes)
    assert dataset.GetRasterBand(1).ComputeRasterMinMax(True) == (-5, 90)
    assert told == []


def test_flags(store):
    write_v3(store, DATA.astype("u1"), attributes={"flag_values": "0, 1, 2", "flag_meanings": "a b c", "flag_colors": "#010203 #040506 #070809"})
    with collect_errors() as errors:
        dataset = gdal.Open(store)
        band = dataset.GetRasterBand(1)
        assert band.GetCategoryNames() == ["a", "b", "c"]
        assert band.GetColorTable().GetColorEntry(1) == (4, 5, 6, 255)
    assert errors == []


UNUSABLE = [
    ("scale_factor", "0.01 m"),
    ("scale_factor", [1, 2]),
    ("scale_factor", {"a": 1}),
    ("scale_factor", "nan"),
    ("add_offset", ""),
    ("add_offset", True),
    ("_FillValue", "none"),
    ("_FillValue", 70000),
    ("_FillValue", [1, 2]),
    ("missing_value", [-1, -2]),
    ("missing_value", 1.5),
    ("valid_min", "low"),
    ("valid_max", [1, 2]),
    ("valid_range", [1]),
    ("valid_range", [2, 1]),
    ("valid_range", "1 to 5"),
    ("actual_range", 5),
    ("_Unsigned", "yes"),
    ("_Unsigned", 1),
    ("units", 1),
    ("units", ["m"]),
    ("units", "days since whenever"),
    ("flag_values", ["a"]),
    ("flag_masks", {}),
    ("COLOR_TABLE", "red"),
    ("COLOR_INTERPRETATION", 5),
    ("gdal:bands", {}),
    ("gdal:geotransform", [1, 2]),
    ("gdal:geotransform", "a b c d e f"),
    ("grid_mapping", 5),
    ("coordinates", 5),
    ("coordinates", "nothing"),
    ("_CRS", {}),
    ("_CRS", {"wkt": "nonsense"}),
    ("_CRS", 5.5),
    ("standard_name", 1),
    ("axis", 0),
    ("bounds", 3),
    ("_ARRAY_DIMENSIONS", ["y"]),
]


@pytest.mark.parametrize("name, value", UNUSABLE, ids=[f"{n} {v}" for n, v in UNUSABLE])
def test_an_attribute_that_cannot_be_used_is_told(write, store, name, value):
    dataset, told = write({name: value})
    told = [text for text in told if f"/{name}" in text]
    assert len(told) == 1, told
    assert told[0].split("/attributes/")[0].replace("GDAL georeferencing is ignored: ", "").startswith(store)
    assert ": expected " in told[0] and ", got " in told[0]
    dataset.GetRasterBand(1).ReadAsArray()


def test_other_attributes_beside_flags_are_told(write):
    _, told = write({"flag_values": [0, 1], "flag_meanings": "a b c", "flag_colors": "red blue"})
    assert len(told) == 2 and all("/flag_" in text for text in told)


@pytest.mark.parametrize("attributes", [{"units": "days since 2000-01-01", "calendar": "lunar"}, {"units": "days since 2000-01-01", "calendar": 5}])
def test_calendars_are_told(write, attributes):
    _, told = write(attributes)
    assert len(told) == 1 and "/calendar: expected a calendar of CF" in told[0]


@pytest.mark.parametrize(
    "attributes",
    [
        {"units": "months since 2000-01-01"},
        {"units": "m", "standard_name": "height", "long_name": "a", "comment": "scale_factor"},
        {"scale_factor": None, "_FillValue": None, "units": None, "grid_mapping": None},
        {"flag_meanings": "a b", "flag_values": [1, 2], "flag_masks": [1, 2]},
        {"_Unsigned": "True"},
    ],
)
def test_usable_attributes_are_no_warning(write, attributes):
    _, told = write(attributes)
    assert [text for text in told if "months" not in text] == []


# --- nodata in more than one place -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes, fill, nodata, warnings",
    [
        ({"_FillValue": -9999}, -9999, -9999, 0),
        ({"_FillValue": -9999}, 0, -9999, 0),
        ({"_FillValue": -9999}, 5, -9999, 1),
        ({"missing_value": -9999}, 5, -9999, 1),
        ({"_FillValue": -9999, "missing_value": -9999}, None, -9999, 0),
        ({"_FillValue": -9999, "missing_value": -1}, None, -9999, 1),
        ({"_FillValue": "-9999", "missing_value": "-1"}, 7, -9999, 2),
    ],
)
def test_nodata_is_compared(write, attributes, fill, nodata, warnings):
    dataset, told = write(attributes, fill=fill)
    assert dataset.GetRasterBand(1).GetNoDataValue() == nodata
    assert len(told) == warnings, told
    assert all("-9999" in text for text in told)


@pytest.mark.parametrize("data, fill", [(DATA.astype("<f4"), "NaN"), (DATA.astype("<f8"), 0)])
def test_a_fill_value_that_says_nothing_is_no_warning(write, data, fill):
    dataset, told = write({"_FillValue": -9999.0}, data=data, fill=fill)
    assert (dataset.GetRasterBand(1).GetNoDataValue(), told) == (-9999, [])


@pytest.mark.parametrize("name", ["_FillValue", "missing_value"])
@pytest.mark.parametrize("value", ["none", [1, 2], 70000])
def test_what_is_no_nodata_value_stays_to_be_seen(write, store, name, value):
    dataset, _ = write({name: value}, fill=5)
    assert dataset.GetRasterBand(1).GetNoDataValue() == 5
    assert name in dataset.GetMetadata()
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("test")
    assert name in [attribute.GetName() for attribute in array.GetAttributes()]


def test_a_missing_value_that_is_not_used_stays_to_be_seen(write):
    dataset, _ = write({"_FillValue": -9999, "missing_value": -1})
    assert dataset.GetMetadata() == {"missing_value": "-1"}


# --- packing in more than one place ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more, warnings",
    [
        ({"_eopf_attrs": {"scale_factor": 0.0001, "add_offset": -0.1}}, 0),
        ({"_eopf_attrs": {"scale_factor": 0.001, "add_offset": 0}}, 2),
        ({"raster:bands": [{"scale": 0.0001, "offset": -0.1}]}, 0),
        ({"raster:bands": [{"scale": "0.002"}]}, 1),
    ],
)
def test_copies_of_the_scale_are_compared(write, more, warnings):
    dataset, told = write({"scale_factor": 0.0001, "add_offset": -0.1, **more})
    assert (dataset.GetRasterBand(1).GetScale(), dataset.GetRasterBand(1).GetOffset()) == (0.0001, -0.1)
    assert len(told) == warnings, told


def test_a_coordinate_with_bad_packing_is_told(store):
    write_v2(f"{store}/v", DATA, attributes={"_ARRAY_DIMENSIONS": ["y", "x"]})
    write_v2(f"{store}/x", np.arange(3), attributes={"_ARRAY_DIMENSIONS": ["x"], "scale_factor": "ten"})
    with open(f"{store}/.zgroup", "w") as f:
        f.write('{"zarr_format": 2}')
    with collect_errors() as errors:
        open_array(store, "v").GetDimensions()[1].GetIndexingVariable()
    assert [text for _, text in errors] == [f'{store}/x/.zattrs: /scale_factor: expected a number, got "ten"']


@pytest.mark.parametrize("name", ["valid_range", "actual_range"])
def test_a_range_without_elements_says_nothing(write, name):
    dataset, told = write({name: []})
    assert told == []
    assert dataset.GetRasterBand(1).GetMinimum() is None
