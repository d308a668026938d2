# SPDX-License-Identifier: MIT
"""The open option FILL_VALUE_AS_NODATA in both APIs."""

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_v2, write_v3

DATA = np.zeros((2, 2), "<i2")


def nodata(store, value):
    """Returns the nodata values of the classic and the multidimensional API."""
    options = [] if value is None else [f"FILL_VALUE_AS_NODATA={value}"]
    dataset = gdal.OpenEx(store, gdal.OF_RASTER, open_options=options)
    classic = dataset.GetRasterBand(1).GetNoDataValue()
    array = open_array(store, None, *options)
    assert array.GetNoDataValueAsDouble() == classic
    return classic


@pytest.mark.parametrize("value, zero, five", [(None, None, 5), ("AUTO", None, 5), ("yes", 0, 5), ("NO", None, None)])
def test_the_option_decides_in_v3(tmp_path, value, zero, five):
    write_v3(str(tmp_path / "zero.zarr"), DATA, fill=0)
    write_v3(str(tmp_path / "five.zarr"), DATA, fill=5)
    assert nodata(str(tmp_path / "zero.zarr"), value) == zero
    assert nodata(str(tmp_path / "five.zarr"), value) == five


@pytest.mark.parametrize("value, zero", [("AUTO", 0), ("YES", 0), ("NO", None)])
def test_the_option_decides_in_v2(tmp_path, value, zero):
    write_v2(str(tmp_path / "zero.zarr"), DATA, fill=0)
    write_v2(str(tmp_path / "null.zarr"), DATA, fill=None)
    assert nodata(str(tmp_path / "zero.zarr"), value) == zero
    assert nodata(str(tmp_path / "null.zarr"), value) is None


@pytest.mark.parametrize("value", ["AUTO", "YES", "NO"])
def test_attribute_goes_before_it(store, value):
    write_v3(store, DATA, fill=5, attributes={"_FillValue": -1})
    assert nodata(store, value) == -1


def test_other_values_are_an_error(store):
    write_v3(store, DATA)
    with pytest.raises(RuntimeError, match="FILL_VALUE_AS_NODATA: expected AUTO or YES or NO, got maybe"):
        nodata(store, "maybe")


# --- precedence and effects ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"_FillValue": 7, "missing_value": 8}, 7),
        ({"missing_value": 8}, 8),
        ({"missing_value": [8]}, 8),
        ({"_FillValue": 70000, "missing_value": 8}, 8),  # too large for an Int16
        ({}, 9),
    ],
)
def test_fill_value_of_cf_goes_first(store, write, attributes, expected):
    write(store, DATA, fill=9, attributes=attributes)
    assert nodata(store, None) == expected


@pytest.mark.parametrize("fill, expected", [("NaN", "nan"), (-0.0, None), ("Infinity", "inf"), (0.0, None)])
def test_floats_of_v3_are_nodata(store, fill, expected):
    write_v3(store, np.zeros((2, 2)), fill=fill)
    dataset = gdal.Open(store)
    value = dataset.GetRasterBand(1).GetNoDataValue()
    assert (value if value is None else str(value)) == expected


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("place", ["fill", "_FillValue", "missing_value"])
@pytest.mark.parametrize(
    "dtype, value", [("<i8", -(2**63)), ("<i8", 2**53 + 1), ("<u8", 2**64 - 1), ("<u8", 2**63), (">u8", 2**53 + 1)]
)
def test_64_bits_are_exact(store, write, place, dtype, value):
    data = np.zeros((2, 2), dtype)
    write(store, data, fill=value if place == "fill" else None if write is write_v2 else 0,
          attributes={} if place == "fill" else {place: value})
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetNoDataValue() == value
    array = open_array(store)
    assert (array.GetNoDataValueAsInt64() if dtype == "<i8" else array.GetNoDataValueAsUInt64()) == value


def test_masks_are_of_stored_values(store):
    """Scale and offset do not change the comparison with nodata."""
    data = np.array([[0, -999], [10, 20]], "<i2")
    write_v3(store, data, attributes={"_FillValue": -999, "scale_factor": 0.5, "add_offset": -10})
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert band.ReadAsArray().tolist() == data.tolist()
    assert band.GetMaskBand().ReadAsArray().tolist() == [[255, 0], [255, 255]]
    assert band.ComputeStatistics(False)[:2] == [0, 20]
    unscaled = open_array(store).GetUnscaled().ReadAsArray()
    assert np.array_equal(unscaled, [[-10, np.nan], [-5, 0]], equal_nan=True)
    assert open_array(store).GetMask().ReadAsArray().tolist() == [[1, 0], [1, 1]]
