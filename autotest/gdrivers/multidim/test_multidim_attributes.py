# SPDX-License-Identifier: MIT
"""Attributes of arrays and groups."""

import json
import math

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array, open_group, write_v2, write_v3, write_v3_group

DATA = np.arange(35, dtype="<i2").reshape(5, 7)
JSON_TYPE = "JSON"


ATTRIBUTES = {
    "text": ("añb", "String", "añb"),
    "empty": ("", "String", ""),
    "int": (-5, "Int32", -5),
    "long": (2**40, "Int64", 2**40),
    "odd long": (2**53 + 1, "Int64", 2**53 + 1),
    "unsigned": (2**64 - 1, "UInt64", 2**64 - 1),
    "float": (1.5, "Float64", 1.5),
    "whole float": (2.0, "Float64", 2.0),
    "infinity": (math.inf, "Float64", math.inf),
    "texts": (["a", "", "c"], "String", ["a", "", "c"]),
    "ints": ([1, 2], "Int32", [1, 2]),
    "longs": ([1, 2**40], "Int64", [1, 2**40]),
    "numbers": ([1, 2.5], "Float64", [1.0, 2.5]),
    "one": ([7], "Int32", [7]),
    "true": (True, JSON_TYPE, True),
    "null": (None, JSON_TYPE, None),
    "object": ({"b": [1, {"c": 2}]}, JSON_TYPE, {"b": [1, {"c": 2}]}),
    "empty list": ([], JSON_TYPE, []),
    "mixed": ([1, "a"], JSON_TYPE, [1, "a"]),
    "nested": ([[1, 2], [3, 4]], JSON_TYPE, [[1, 2], [3, 4]]),
    "inexact": ([2**53 + 1, 0.5], JSON_TYPE, [2**53 + 1, 0.5]),
    "beyond 64 bits together": ([-1, 2**64 - 1], JSON_TYPE, [-1, 2**64 - 1]),
}


def attribute_type(attribute):
    data_type = attribute.GetDataType()
    if data_type.GetClass() == gdal.GEDTC_STRING:
        return JSON_TYPE if data_type.GetSubType() == gdal.GEDTST_JSON else "String"
    return gdal.GetDataTypeName(data_type.GetNumericDataType())


def attribute_value(attribute):
    """Returns the exact value; GDAL 3.6's Read converts to double."""
    kind = attribute_type(attribute)
    if kind == JSON_TYPE:
        return json.loads(attribute.ReadAsString() or "null")
    if kind == "String":
        return attribute.ReadAsStringArray() if attribute.GetDimensionCount() else attribute.ReadAsString()
    values = np.frombuffer(attribute.ReadAsRaw(), kind.lower()).tolist()
    return values if attribute.GetDimensionCount() else values[0]


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes_keep_their_types(store, name):
    value, kind, expected = ATTRIBUTES[name]
    write_v3(store, DATA, attributes={name: value})
    attribute = open_array(store).GetAttribute(name)
    assert attribute_type(attribute) == kind
    assert attribute_value(attribute) == expected


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_null_can_be_printed_and_is_kept(store, tmp_path, zarr_format):
    write_v3(store, DATA, attributes={"nothing": None})
    assert gdal.MultiDimInfo(store)["arrays"]["test"]["attributes"]["nothing"] == ""
    copy = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(copy, store, format="Zarr", creationOptions=[f"FORMAT={zarr_format}"])
    array = gdal.OpenEx(copy, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup().OpenMDArray("test")
    assert attribute_type(array.GetAttribute("nothing")) == JSON_TYPE
    array.CreateAttribute("new", [], gdal.ExtendedDataType.CreateString(0, gdal.GEDTST_JSON)).Write("null")
    assert array.GetAttribute("new").ReadAsString() == ""
    del array
    with open(f"{copy}/test/{'.zattrs' if zarr_format == 'ZARR_V2' else 'zarr.json'}") as f:
        document = json.load(f)
    attributes = document if zarr_format == "ZARR_V2" else document["attributes"]
    assert attributes["nothing"] is None and attributes["new"] is None


def test_attribute_may_be_nan(store):
    write_v2(store, DATA, attributes={"a": math.nan, "b": [1, math.nan]})
    array = open_array(store)
    assert math.isnan(array.GetAttribute("a").ReadAsDouble())
    assert math.isnan(array.GetAttribute("b").ReadAsDoubleArray()[1])


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_numbers_that_are_not_finite_stay_numbers(store, zarr_format):
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    array = root.CreateMDArray("a", [], number)
    values = {"missing_value": [math.nan], "valid_range": [0.5, math.inf], "low": [-math.inf]}
    for node in (root, array):
        for name, value in values.items():
            count = [len(value)] if len(value) > 1 else []
            node.CreateAttribute(name, count, number).Write(value if count else value[0])
    del dataset, root, array, node
    for options in ([], ["USE_CONSOLIDATED_METADATA=NO"]):
        root = open_group(store, *options)
        for node in (root, root.OpenMDArray("a")):
            for name, value in values.items():
                attribute = node.GetAttribute(name)
                assert attribute_type(attribute) == "Float64"
                assert np.array_equal(attribute.ReadAsDoubleArray(), value, equal_nan=True)
    with open(f"{store}/a/{'.zattrs' if zarr_format == 'ZARR_V2' else 'zarr.json'}") as f:
        document = json.load(f)
    attributes = document if zarr_format == "ZARR_V2" else document["attributes"]
    assert math.isnan(attributes["missing_value"])
    assert attributes["valid_range"] == [0.5, math.inf]


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_attribute_is_created_once(store, zarr_format):
    number = gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    array = root.CreateMDArray("a", [], number)
    for node in (root, array):
        node.CreateAttribute("n", [], number).Write(1.0)
        with pytest.raises(RuntimeError, match='there is an attribute "n" already'):
            node.CreateAttribute("n", [], number)
        node.GetAttribute("n").Write(2.0)
    del dataset, root, array, node
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    for node in (dataset.GetRootGroup(), dataset.GetRootGroup().OpenMDArray("a")):
        with pytest.raises(RuntimeError, match='there is an attribute "n" already'):
            node.CreateAttribute("n", [], number)
        assert node.GetAttribute("n").Read() == 2.0


def test_attribute_is_converted(store):
    write_v3(store, DATA, attributes={"a": 2**40, "b": [1, 2]})
    array = open_array(store)
    assert array.GetAttribute("a").ReadAsString() == str(2**40)
    assert list(array.GetAttribute("b").ReadAsDoubleArray()) == [1.0, 2.0]


def test_attributes_keep_their_order_and_those_of_the_driver_are_hidden(store):
    attributes = {
        "z": 1,
        "_ARRAY_DIMENSIONS": ["y", "x"],
        "_CRS": {"wkt": "LOCAL_CS[]"},
        "_nczarr_array": {"dimension_references": ["/y", "/x"]},
        "_FillValue": 3,
        "a": 2,
    }
    write_v2(store, DATA, attributes=attributes)
    array = open_array(store)
    assert [a.GetName() for a in array.GetAttributes()] == ["z", "a"]
    assert array.GetAttribute("_FillValue").ReadAsInt() == 3 == array.GetNoDataValueAsDouble()
    for name in ("_ARRAY_DIMENSIONS", "nothing"):
        with pytest.raises(RuntimeError, match="does not exist"):  # GDAL's bindings raise this for a null pointer
            array.GetAttribute(name)


def test_groups_have_attributes(store):
    write_v3_group(store, {"title": "t"})
    write_v3_group(f"{store}/g", {"level": 2})
    root = open_group(store)
    assert root.GetAttribute("title").ReadAsString() == "t"
    assert root.OpenGroup("g").GetAttributes()[0].ReadAsInt() == 2


@pytest.mark.parametrize("version", ["V2", "V3"])
def test_attributes_of_groups_have_the_full_names_of_other_drivers(tmp_path, version):
    path = str(tmp_path / "a.zarr")
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
    root = dataset.GetRootGroup()
    group = root.CreateGroup("g")
    array = group.CreateMDArray("a", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    for place, name in ((root, "/_GLOBAL_/x"), (group, "/g/_GLOBAL_/x"), (array, "/g/a/x")):
        attribute = place.CreateAttribute("x", [], gdal.ExtendedDataType.CreateString())
        attribute.Write("text")
        assert attribute.GetFullName() == name
    attribute = place = array = group = root = dataset = None
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetAttribute("x").GetFullName() == "/_GLOBAL_/x"
    group = root.OpenGroup("g")
    assert [a.GetFullName() for a in group.GetAttributes()] == ["/g/_GLOBAL_/x"]
    assert group.OpenMDArray("a").GetAttribute("x").GetFullName() == "/g/a/x"


def test_base64_that_is_nodata_is_not_listed(store, tmp_path):
    """xarray writes the `_FillValue` of floats so in v3. netCDF refuses it as an attribute."""
    write_v3_group(store)
    write_v3(f"{store}/a", np.array([[1, 2], [3, 4]], "<f8"), names=["y", "x"], attributes={"_FillValue": "AAAAAAAA+H8=", "z": 1})
    write_v3(f"{store}/b", np.array([[1, 2], [3, 4]], "<i2"), names=["y", "x"], attributes={"_FillValue": "no number"})
    assert [a.GetName() for a in open_array(store, "a").GetAttributes()] == ["z"]
    assert math.isnan(open_array(store, "a").GetNoDataValueAsDouble())
    assert [a.GetName() for a in open_array(store, "b").GetAttributes()] == ["_FillValue"]
    target = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(target, store, format="Zarr", creationOptions=["FORMAT=ZARR_V3"])
    assert math.isnan(open_array(target, "a").GetNoDataValueAsDouble())


def test_a_fill_value_that_is_no_nodata_is_listed(store):
    write_v2(store, DATA, attributes={"_FillValue": 40000, "missing_value": -8})
    array = open_array(store)
    assert [a.GetName() for a in array.GetAttributes()] == ["_FillValue"]
    assert array.GetNoDataValueAsDouble() == -8
    assert array.GetAttribute("missing_value").Read() == -8


MISSING = [
    ({"missing_value": -8}, False),
    ({"_FillValue": -8, "missing_value": -8}, False),
    ({"_FillValue": -8, "missing_value": [-8]}, False),
    ({"_FillValue": -8, "missing_value": -9}, True),
    ({"_FillValue": -8, "missing_value": [-8, -9]}, True),
]


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("attributes, is_listed", MISSING)
def test_a_missing_value_that_is_nodata_is_listed_on_request(store, write, attributes, is_listed):
    write(store, DATA, attributes=attributes)
    array = open_array(store)
    assert ("missing_value" in [a.GetName() for a in array.GetAttributes()]) == is_listed
    assert "missing_value" in [a.GetName() for a in array.GetAttributes(["SHOW_ALL=YES"])]


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("attributes", [attributes for attributes, _ in MISSING[:4]])
@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
def test_a_missing_value_is_copied_to_zarr(store, tmp_path, write, attributes, format):
    write(store, DATA, attributes=attributes)
    copy = str(tmp_path / "copy.zarr")
    with collect_errors() as errors:
        gdal.MultiDimTranslate(copy, store, format="Zarr", creationOptions=[f"FORMAT={format}"])
    is_kept = format == "ZARR_V3" or attributes["missing_value"] != -9
    assert len([text for _, text in errors if "not copied" in text]) == (0 if is_kept else 1)
    array = open_array(copy)
    assert array.GetNoDataValueAsDouble() == -8
    kept = [a.Read() for a in array.GetAttributes(["SHOW_ALL=YES"]) if a.GetName() == "missing_value"]
    assert kept == ([open_array(store).GetAttribute("missing_value").Read()] if is_kept else [])


@pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL has no netCDF driver here")
@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("attributes", [attributes for attributes, _ in MISSING[:3]])
def test_a_missing_value_that_is_nodata_is_copied_to_netcdf_as_nodata(store, tmp_path, write, attributes):
    write(store, DATA, attributes=attributes)
    copy = str(tmp_path / "copy.nc")
    with collect_errors() as errors:
        gdal.MultiDimTranslate(copy, store, format="netCDF")
    assert errors == []
    group = gdal.OpenEx(copy, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert group.OpenMDArray(group.GetMDArrayNames()[0]).GetNoDataValueAsDouble() == -8


@pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL has no netCDF driver here")
def test_base64_that_is_nodata_is_copied_to_netcdf(store, tmp_path):
    write_v3_group(store)
    write_v3(f"{store}/a", np.array([[1, 2], [3, 4]], "<f8"), names=["y", "x"], attributes={"_FillValue": "AAAAAAAA+H8="})
    copy = str(tmp_path / "copy.nc")
    with collect_errors() as errors:
        gdal.MultiDimTranslate(copy, store, format="netCDF")
    assert errors == []
    dataset = gdal.OpenEx(copy, gdal.OF_MULTIDIM_RASTER)
    assert math.isnan(dataset.GetRootGroup().OpenMDArray("a").GetNoDataValueAsDouble())
