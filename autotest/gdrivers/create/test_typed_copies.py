# SPDX-License-Identifier: MIT
"""Copies keep what GDAL's functions would change: types of attributes, grid mappings of meshes, text of old files."""

import json
import os

import numpy as np
import pytest
from classic_netcdf import write_variable
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group

VERSIONS = ["ZARR_V2", "ZARR_V3"]
TOLD = {"level": 7, "height": 1.5, "names": ["a", "b"], "nested": {"k": 1}, "text": "7", "list": [1, 2], "yes": True,
        "floats": [1.0, 2.0], "list_as_text": "{1,2}", "eo:cloud_cover": 5, "view:angle": "a=b:c", "valid_min": 0, "valid_max": 100}  # fmt: skip


def read_attributes(store, name):
    path = f"{store}/{name}/.zattrs"
    with open(path if os.path.exists(path) else f"{store}/{name}/zarr.json", encoding="utf-8") as file:
        document = json.load(file)
    return document.get("attributes", document)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_copy_of_a_raster_has_the_types_of_its_source(store, tmp_path, version):
    write_v2_group(store)
    write_v2(f"{store}/a", np.arange(6, dtype="<i2").reshape(2, 3), attributes={"_ARRAY_DIMENSIONS": ["y", "x"], **TOLD})
    copied = str(tmp_path / "copied.zarr")
    gdal.Translate(copied, store, format="Zarr", creationOptions=["FORMAT=" + version, "ARRAY_NAME=a"])
    attributes = read_attributes(copied, "a")
    assert {name: attributes.get(name) for name in TOLD} == TOLD
    assert [type(attributes[name]) for name in TOLD] == [type(value) for value in TOLD.values()]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_grid_mapping_of_a_mesh_is_kept(store, version):
    """Its last two dimensions are times and faces; no other grid mapping takes its place."""
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("mesh")
    root = source.GetRootGroup()
    text, float64 = gdal.ExtendedDataType.CreateString(), gdal.ExtendedDataType.Create(gdal.GDT_Float64)
    time, face = root.CreateDimension("time", "TEMPORAL", None, 3), root.CreateDimension("face", None, None, 4)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(28992)
    for name, dimensions, told in (
        ("time", [time], {"units": "seconds since 2001-01-01", "standard_name": "time"}),
        ("mapping", [], {"grid_mapping_name": "Unknown projected"}),
        ("area", [face], {"grid_mapping": "mapping", "coordinates": "face_x face_y"}),
        ("depth", [time, face], {"grid_mapping": "mapping", "coordinates": "face_x face_y"}),
    ):
        array = root.CreateMDArray(name, dimensions, float64)
        for key, value in told.items():
            array.CreateAttribute(key, [], text).Write(value)
        if "grid_mapping" in told:
            array.SetSpatialRef(srs)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["FORMAT=" + version])
    attributes = read_attributes(store, "depth")
    assert (attributes["grid_mapping"], attributes["coordinates"]) == ("mapping", "face_x face_y")
    names = {name for name in os.listdir(store) if os.path.isdir(f"{store}/{name}")}
    assert names == {"time", "mapping", "area", "depth"}


@pytest.mark.parametrize("version", VERSIONS)
def test_text_in_latin_1_is_converted(store, tmp_path, version):
    """Older netCDF files have units such as a degree sign and C in this encoding."""
    raster = tmp_path / "raster.vrt"
    raster.write_bytes(
        b'<VRTDataset rasterXSize="2" rasterYSize="2"><Metadata><MDI key="unit">\xb0C</MDI></Metadata>'
        b'<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>'
    )
    arrays = tmp_path / "arrays.vrt"
    arrays.write_bytes(
        b'<VRTDataset><Group name="/"><Dimension name="x" size="2"/><Array name="a"><DataType>Byte</DataType>'
        b'<DimensionRef ref="x"/><Attribute name="unit"><DataType>String</DataType><Value>\xb0C</Value></Attribute>'
        b"</Array></Group></VRTDataset>"
    )
    with collect_errors() as errors:
        gdal.Translate(store, str(raster), format="Zarr", creationOptions=["FORMAT=" + version, "ARRAY_NAME=a"])
        copied = str(tmp_path / "copied.zarr")
        gdal.MultiDimTranslate(copied, str(arrays), format="Zarr", creationOptions=["FORMAT=" + version])
    assert [read_attributes(path, "a")["unit"] for path in (store, copied)] == ["\u00b0C"] * 2
    assert len([text for _, text in errors if "Latin-1" in text]) == 2


@pytest.mark.parametrize("options", [["FORMAT=ZARR_V2"], ["FORMAT=ZARR_V3"]])
def test_elements_in_latin_1_are_converted(store, tmp_path, options):
    """Zarr's strings of variable length are UTF-8; others would keep a store from opening in zarr-python."""
    arrays = tmp_path / "arrays.vrt"
    arrays.write_bytes(
        b'<VRTDataset><Group name="/"><Dimension name="x" size="3"/><Array name="a"><DataType>String</DataType>'
        b'<DimensionRef ref="x"/><InlineValuesWithValueElement><Value>Z\xfcrich</Value><Value>Gen\xc3\xa8ve</Value>'
        b"<Value>Bern</Value></InlineValuesWithValueElement></Array></Group></VRTDataset>"
    )
    with collect_errors() as errors:
        gdal.MultiDimTranslate(store, str(arrays), format="Zarr", creationOptions=[*options, "ARRAY:COMPRESS=NONE"])
    assert len([text for level, text in errors if level == gdal.CE_Warning and "/a: " in text and "Latin-1" in text]) == 1
    assert gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").Read() == ["Zürich", "Genève", "Bern"]
    with open(f"{store}/a/c/0" if "V3" in options[0] else f"{store}/a/0", "rb") as chunk:
        assert "Zürich".encode() in chunk.read()


@pytest.mark.parametrize("version", VERSIONS)
def test_arrays_without_chunks_keep_each_its_crs(store, version):
    """While one is copied, the other is not in the store yet."""
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("two")
    root = source.GetRootGroup()
    y, x = root.CreateDimension("y", "HORIZONTAL_Y", None, 4), root.CreateDimension("x", "HORIZONTAL_X", None, 5)
    codes = {"a": 32631, "b": 3035}
    for name, code in codes.items():
        array = root.CreateMDArray(name, [y, x], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
        array.SetNoDataValueDouble(0)
        srs = osr.SpatialReference()
        srs.ImportFromEPSG(code)
        array.SetSpatialRef(srs)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["FORMAT=" + version])
    copy = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert {name: int(copy.OpenMDArray(name).GetSpatialRef().GetAuthorityCode(None)) for name in codes} == codes


@pytest.mark.parametrize("version", VERSIONS)
def test_numbers_of_unsigned_values_are_copied_as_numbers(store, tmp_path, version):
    write_v2_group(store)
    told = {"_ARRAY_DIMENSIONS": ["y", "x"], "_Unsigned": "true", "valid_max": -2, "level": 7}
    write_v2(f"{store}/a", np.array([[1, 2], [3, -1]], "|i1"), attributes=told)
    copied = str(tmp_path / "copied.zarr")
    gdal.Translate(copied, store, format="Zarr", creationOptions=["FORMAT=" + version, "ARRAY_NAME=a"])
    attributes = read_attributes(copied, "a")
    assert (attributes["valid_max"], attributes["level"]) == (254, 7)


def test_text_that_was_cut_within_a_letter_keeps_the_others(store, tmp_path):
    raster = tmp_path / "raster.vrt"
    raster.write_bytes(
        b'<VRTDataset rasterXSize="2" rasterYSize="2"><Metadata><MDI key="name">Temp\xc3\xa9rature caf\xc3</MDI></Metadata>'
        b'<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>'
    )
    gdal.Translate(store, str(raster), format="Zarr", creationOptions=["ARRAY_NAME=a"])
    assert read_attributes(store, "a")["name"] == "Temp\u00e9rature caf\ufffd"


@pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL's netCDF driver is needed")
@pytest.mark.parametrize("options", [["FORMAT=ZARR_V2"], ["FORMAT=ZARR_V3"], ["SINGLE_ARRAY=NO"]])
def test_integers_that_an_attribute_makes_unsigned_are_those_that_gdal_shows(store, tmp_path, options):
    """GDAL's netCDF driver shows integers of four bytes as signed in rasters. With the attribute, the copy would be
    unsigned, and negative numbers would become 0."""
    numbers = np.array([[[-3, -2], [1, 7]]] * 2, ">i4")
    source = str(write_variable(tmp_path / "a.nc", "flags", numbers, ["t", "y", "x"], {"_Unsigned": "true"}))
    with collect_errors() as errors:
        gdal.Translate(store, source, format="Zarr", creationOptions=[*options, "ARRAY_NAME=flags"])
    assert [text for _, text in errors if "_Unsigned is not copied" in text]
    copied = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    np.testing.assert_array_equal(copied.ReadAsArray(), gdal.Open(source).ReadAsArray())
    assert copied.ReadAsArray().min() == -3
