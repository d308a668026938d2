# SPDX-License-Identifier: MIT
"""The attribute _Unsigned changes the signedness of integers, as xarray and NetCDF read them."""

import json

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array, write_v2, write_v2_group, write_v3, write_v3_group

HAS_INT8 = hasattr(gdal, "GDT_Int8")
STORED = np.array([[-2, -56, -1], [3, 4, 127]], dtype="i1")
ATTRIBUTES = {"_Unsigned": "true", "scale_factor": 0.5, "_FillValue": -1}
KINDS = {
    "i1": gdal.GDT_Byte,
    "i2": gdal.GDT_UInt16,
    "i4": gdal.GDT_UInt32,
    "i8": gdal.GDT_UInt64,
    "u1": gdal.GDT_Int8 if HAS_INT8 else gdal.GDT_Int16,
    "u2": gdal.GDT_Int16,
    "u4": gdal.GDT_Int32,
    "u8": gdal.GDT_Int64,
}


def write(store, data=STORED, attributes=None, **more):
    write_v3_group(store)
    write_v3(f"{store}/a", data, names=["y", "x"], attributes=attributes or ATTRIBUTES, **more)
    return f'ZARR:"{store}":/a'


def stored_bytes(store):
    with open(f"{store}/a/c/0/0", "rb") as file:
        return np.frombuffer(file.read(), "i1").reshape(STORED.shape)


def stored_attributes(store):
    with open(f"{store}/a/zarr.json") as file:
        return json.load(file)["attributes"]


def test_a_raster_has_the_shown_type(store):
    dataset = gdal.Open(write(store))
    band = dataset.GetRasterBand(1)
    assert band.DataType == gdal.GDT_Byte
    assert band.ReadAsArray().tolist() == [[254, 200, 255], [3, 4, 127]]
    assert (band.GetScale(), band.GetNoDataValue()) == (0.5, 255)
    assert band.ReadAsArray(buf_type=gdal.GDT_Float64)[0].tolist() == [254, 200, 255]
    assert dataset.GetMetadataItem("_Unsigned") == "true"


def test_a_multidimensional_array_has_the_shown_type(store):
    write(store)
    array = open_array(store, "a")
    assert array.GetDataType().GetNumericDataType() == gdal.GDT_Byte
    assert array.ReadAsArray().tolist() == [[254, 200, 255], [3, 4, 127]]
    assert array.GetNoDataValueAsDouble() == 255
    unscaled = array.GetUnscaled().ReadAsArray()
    assert unscaled[0, :2].tolist() == [127, 100] and np.isnan(unscaled[0, 2])
    assert array.GetAttribute("_Unsigned").ReadAsString() == "true"


@pytest.mark.parametrize("dtype", KINDS)
def test_each_integer_type_has_a_counterpart(store, dtype):
    bits = np.array([[0, 1, -2], [-1, 5, 6]], "i8").astype(dtype).astype("<" + dtype)
    other = ("u" if dtype[0] == "i" else "i") + dtype[1]
    name = write(store, bits, {"_Unsigned": "true" if dtype[0] == "i" else "false"})
    dataset = gdal.Open(name)
    assert dataset.GetRasterBand(1).DataType == KINDS[dtype]
    assert np.array_equal(dataset.ReadAsArray(), bits.view("<" + other))


@pytest.mark.parametrize("dtype, said", [("i2", "false"), ("u2", "true"), ("f4", "true"), ("i2", "maybe"), ("i2", 1)])
def test_the_attribute_may_change_nothing(store, dtype, said):
    data = np.array([[1, 2, 3]], "<" + dtype)
    dataset = gdal.Open(write(store, data, {"_Unsigned": said}))
    plain = {"i2": gdal.GDT_Int16, "u2": gdal.GDT_UInt16, "f4": gdal.GDT_Float32}
    assert dataset.GetRasterBand(1).DataType == plain[dtype]


def test_v2_knows_the_attribute_too(store):
    write_v2_group(store)
    write_v2(f"{store}/a", STORED, attributes={"_Unsigned": "true"}, fill=-1)
    dataset = gdal.Open(f'ZARR:"{store}":/a')
    band = dataset.GetRasterBand(1)
    assert band.ReadAsArray().tolist() == [[254, 200, 255], [3, 4, 127]]
    assert band.GetNoDataValue() == 255


@pytest.mark.parametrize("nodata", [-1, 255])
def test_nodata_may_be_stored_in_either_type(store, nodata):
    dataset = gdal.Open(write(store, attributes={"_Unsigned": "true", "_FillValue": nodata}))
    band = dataset.GetRasterBand(1)
    assert band.GetNoDataValue() == 255


def test_nodata_of_signed_values_is_read(store):
    data = np.array([[255, 254, 1]], "u1")
    dataset = gdal.Open(write(store, data, {"_Unsigned": "false", "_FillValue": 255}))
    band = dataset.GetRasterBand(1)
    assert (band.ReadAsArray().tolist(), band.GetNoDataValue()) == ([[-1, -2, 1]], -1)


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"_Unsigned": "true", "valid_range": [0, -2]}, (0, 254)),
        ({"_Unsigned": "true", "valid_min": 1, "valid_max": -56}, (1, 200)),
        ({"_Unsigned": "true", "valid_range": [0, 254]}, (0, 254)),
        ({"_Unsigned": "true", "actual_range": [1, 127], "scale_factor": 0.5}, (2, 254)),
    ],
)
def test_ranges_are_in_the_shown_type(store, attributes, expected):
    dataset = gdal.Open(write(store, attributes=attributes))
    band = dataset.GetRasterBand(1)
    assert (band.GetMinimum(), band.GetMaximum()) == expected


def test_updates_write_the_same_bytes(store):
    dataset = gdal.OpenEx(write(store), gdal.OF_UPDATE)
    dataset.WriteArray(np.array([[250, 128, 127]], "u1"), 0, 1)
    dataset = None
    assert stored_bytes(store).tolist() == [[-2, -56, -1], [-6, -128, 127]]
    array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup().OpenMDArray("a")
    array.Write(np.array([[1, 255]], "u1"), array_start_idx=[0, 0], count=[1, 2])
    array = None
    assert stored_bytes(store)[0].tolist() == [1, -1, -1]


def test_nodata_is_stored_as_the_values_are(store):
    dataset = gdal.OpenEx(write(store), gdal.OF_UPDATE)
    dataset.GetRasterBand(1).SetNoDataValue(254)
    dataset = None
    assert stored_attributes(store)["_FillValue"] == -2
    assert stored_attributes(store)["_Unsigned"] == "true"
    assert gdal.Open(f'ZARR:"{store}":/a').GetRasterBand(1).GetNoDataValue() == 254
    with open(f"{store}/a/zarr.json") as file:
        assert json.load(file)["fill_value"] == -2


def test_overviews_have_the_shown_type(store):
    data = np.full((8, 8), -2, "i1")
    dataset = gdal.OpenEx(write(store, data, {"_Unsigned": "true"}), gdal.OF_UPDATE)
    assert dataset.BuildOverviews("AVERAGE", [2]) == 0
    dataset = None
    dataset = gdal.Open(f'ZARR:"{store}":/a')
    overview = dataset.GetRasterBand(1).GetOverview(0)
    assert overview.DataType == gdal.GDT_Byte
    assert np.array_equal(overview.ReadAsArray(), np.full((4, 4), 254))


def test_arrays_of_other_signedness_are_not_alike(store):
    write(store)
    write_v3(f"{store}/b", STORED, names=["y", "x"])
    write_v3(f"{store}/c", STORED, names=["y", "x"], attributes={"_Unsigned": "true"})
    dataset = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    assert [dataset.GetRasterBand(i + 1).GetDescription() for i in range(dataset.RasterCount)] == ["a", "c"]


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_numbers_about_values_have_the_shown_type(store, form):
    """Like those of GOES-R, whose valid_range is [0, -6]."""
    told = {"_Unsigned": "true", "valid_range": [0, -6], "valid_max": -6, "flag_values": [0, -2], "level": -3}
    with collect_errors() as errors:
        write(store, attributes=told)
        array = open_array(store, "a")
        assert array.GetAttribute("valid_range").Read() == (0, 250)
        assert {a.GetName(): a.Read() for a in array.GetAttributes()}["flag_values"] == (0, 254)
        copied = f"{store}/../copied.zarr"
        gdal.MultiDimTranslate(copied, store, format="Zarr", creationOptions=[f"FORMAT={form}"])
    assert errors == []
    copy = open_array(copied, "a")
    assert copy.GetDataType().GetNumericDataType() == gdal.GDT_Byte
    assert copy.GetAttribute("valid_range").Read() == (0, 250)
    assert (copy.GetAttribute("valid_max").Read(), copy.GetAttribute("level").Read()) == (250, -3)
    assert stored_attributes(store) == told


@pytest.mark.parametrize("sets_nodata", [False, True])
def test_an_array_keeps_its_type_while_it_is_open(store, sets_nodata):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, "", "", size) for name, size in (("y", 1), ("x", 4))]
    array = root.CreateMDArray("a", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Int16))
    array.CreateAttribute("_Unsigned", [], gdal.ExtendedDataType.CreateString()).Write("true")
    if sets_nodata:
        array.SetNoDataValueDouble(-1)
    array.Write(np.array([[-3, -1, 1, 7]], "i2"))
    assert array.ReadAsArray().tolist() == [[-3, -1, 1, 7]]
    array = root = dimensions = dataset = None
    assert open_array(store, "a").ReadAsArray().tolist() == [[65533, 65535, 1, 7]]


def test_a_raster_keeps_its_type_while_it_is_open(store):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 1, 1, gdal.GDT_Int16)
    dataset.WriteArray(np.array([[-3, -1, 1, 7]], "i2"))
    dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
    array = root.OpenMDArray(root.GetMDArrayNames()[-1])
    array.CreateAttribute("_Unsigned", [], gdal.ExtendedDataType.CreateString()).Write("true")
    array = root = None
    dataset.GetRasterBand(1).GetMaximum()
    assert dataset.ReadAsArray().tolist() == [[-3, -1, 1, 7]]
    dataset.WriteArray(np.array([[-4]], "i2"))
    dataset = None
    assert gdal.Open(store).ReadAsArray().tolist() == [[65532, 65535, 1, 7]]


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("gdal_type, said, value, is_told", [
    (gdal.GDT_Int16, "true", -5, True),
    (gdal.GDT_Byte, "false", 250, True),
    (gdal.GDT_UInt16, "true", 65000, False),
])
def test_a_metadata_item_of_a_source_changes_no_values(store, version, gdal_type, said, value, is_told):
    source = gdal.GetDriverByName("MEM").Create("", 2, 1, 1, gdal_type)
    source.WriteArray(np.array([[value, 3]]))
    source.SetMetadata({"_Unsigned": said, "other": "kept"})
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={version}"])
    assert bool([text for _, text in errors if "left out: _Unsigned" in text]) == is_told
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).DataType == gdal_type
    assert dataset.ReadAsArray().tolist() == [[value, 3]]
    assert dataset.GetMetadata() == {"other": "kept"}


def test_a_metadata_item_is_refused(store):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 2, 1, 1, gdal.GDT_Int16)
    dataset.WriteArray(np.array([[-5, 3]], "i2"))
    with pytest.raises(RuntimeError, match="_Unsigned is no metadata item"):
        dataset.SetMetadataItem("_Unsigned", "true")
    with collect_errors() as errors:
        dataset.SetMetadata({"_Unsigned": "true", "other": "kept"})
    assert len(errors) == 1 and "left out: _Unsigned" in errors[0][1]
    dataset = None
    assert gdal.Open(store).ReadAsArray().tolist() == [[-5, 3]]


def test_setting_all_items_keeps_the_attribute(store):
    dataset = gdal.OpenEx(write(store), gdal.OF_UPDATE)
    dataset.SetMetadata({**dataset.GetMetadata(), "other": "new"})
    dataset = None
    assert stored_attributes(store) == {**ATTRIBUTES, "other": "new"}
