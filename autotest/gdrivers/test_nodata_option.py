"""The open option FILL_VALUE_AS_NODATA, by both APIs."""

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_v2, write_v3

DATA = np.zeros((2, 2), "<i2")


def nodata(store, value):
    """What the classic and the multidimensional API say."""
    options = [] if value is None else [f"FILL_VALUE_AS_NODATA={value}"]
    dataset = gdal.OpenEx(store, gdal.OF_RASTER, open_options=options)
    classic = dataset.GetRasterBand(1).GetNoDataValue()
    array = open_array(store, None, *options)
    assert array.GetNoDataValueAsDouble() == classic
    return classic


@pytest.mark.parametrize("value, zero, five", [(None, None, 5), ("AUTO", None, 5), ("yes", 0, 5), ("NO", None, None)])
def test_v3(tmp_path, value, zero, five):
    write_v3(str(tmp_path / "zero.zarr"), DATA, fill=0)
    write_v3(str(tmp_path / "five.zarr"), DATA, fill=5)
    assert nodata(str(tmp_path / "zero.zarr"), value) == zero
    assert nodata(str(tmp_path / "five.zarr"), value) == five


@pytest.mark.parametrize("value, zero", [("AUTO", 0), ("YES", 0), ("NO", None)])
def test_v2(tmp_path, value, zero):
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
