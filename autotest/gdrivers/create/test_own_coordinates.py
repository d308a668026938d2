# SPDX-License-Identifier: MIT
"""A copy of a cube says of its band coordinates what the source says: values, missing ones, calendar and attributes."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_json, write_v2, write_v3, write_v3_group

HOURS = {"units": "hours since 2000-01-01"}
FORMATS = ["ZARR_V2", "ZARR_V3"]


def make_cube(store, values, attributes, dimension="z", fill=0, version=2):
    """Writes t(dimension, y, x), and the coordinates along the first dimension."""
    values = np.asarray(values)
    data = np.arange(len(values) * 20, dtype="<i2").reshape(len(values), 4, 5)
    if version == 3:
        write_v3_group(store)
        write_v3(f"{store}/t", data, names=[dimension, "y", "x"])
        write_v3(f"{store}/{dimension}", values, names=[dimension], attributes=attributes, fill=fill)
    else:
        write_json(f"{store}/.zgroup", {"zarr_format": 2})
        write_v2(f"{store}/t", data, attributes={"_ARRAY_DIMENSIONS": [dimension, "y", "x"]})
        write_v2(f"{store}/{dimension}", values, attributes={"_ARRAY_DIMENSIONS": [dimension], **attributes}, fill=fill)
    return f'ZARR:"{store}":/t'


def copy(source, target, version="ZARR_V3", **more):
    gdal.Translate(target, source, format="Zarr", creationOptions=["ARRAY_NAME=t", f"FORMAT={version}"], **more)
    return target


def read_attributes(store, name):
    if os.path.exists(f"{store}/{name}/zarr.json"):
        with open(f"{store}/{name}/zarr.json", encoding="utf-8") as f:
            return json.load(f)["attributes"]
    with open(f"{store}/{name}/.zattrs", encoding="utf-8") as f:
        attributes = json.load(f)
    del attributes["_ARRAY_DIMENSIONS"]
    return attributes


def read_unpacked(store, name):
    return open_array(store, name).GetUnscaled().ReadAsArray()


def items_of(name):
    dataset = gdal.Open(name)
    return [dataset.GetRasterBand(i + 1).GetMetadata() for i in range(dataset.RasterCount)]


PACKED = {"units": "m", "scale_factor": 0.1, "add_offset": 100.0}


@pytest.mark.parametrize("version", FORMATS)
def test_packed_coordinates_stay_packed(store, tmp_path, version):
    source = make_cube(store, np.array([1, 2], "<i2"), PACKED)
    target = copy(source, str(tmp_path / "copy.zarr"), version)
    assert read_attributes(target, "z") == PACKED
    assert open_array(target, "z").ReadAsArray().tolist() == [1, 2]
    assert items_of(f'ZARR:"{target}":/t') == items_of(source)


def test_bands_tell_unpacked_coordinates(store):
    source = make_cube(store, np.array([1, 2], "<i2"), PACKED)
    assert [float(items["DIM_z_VALUE"]) for items in items_of(source)] == pytest.approx([100.1, 100.2], abs=1e-12)


@pytest.mark.parametrize("by_geotiff", [False, True])
def test_packed_coordinates_survive_other_formats(store, tmp_path, by_geotiff):
    source, target = make_cube(store, np.array([1, 2, 4], "<i2"), PACKED), str(tmp_path / "copy.zarr")
    if by_geotiff:
        gdal.Translate(str(tmp_path / "a.tif"), source, bandList=[1, 3])
        copy(str(tmp_path / "a.tif"), target)
    else:
        copy(source, target, bandList=[1, 3])
    assert read_unpacked(target, "z").tolist() == pytest.approx([100.1, 100.4], abs=1e-12)
    assert open_array(target, "z").GetUnit() == "m"


def test_packed_times_keep_their_units(store, tmp_path):
    source = make_cube(store, np.array([1, 2], "<i2"), {**HOURS, "scale_factor": 6.0, "add_offset": 1.0}, "time")
    target = copy(source, str(tmp_path / "copy.zarr"), metadataOptions=["A=B"])
    assert read_unpacked(target, "time").tolist() == [7, 13]
    assert read_attributes(target, "time")["units"] == HOURS["units"]
    assert items_of(f'ZARR:"{target}":/t') == items_of(source)


@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("dtype", ["<u2", "|i1", "<f2", ">i4", "<u8", "|b1", "<f8"])
def test_types_are_kept(store, tmp_path, version, dtype):
    values = np.array([1, 0], dtype)
    make_cube(store, values, {})
    target = copy(f'ZARR:"{store}":/t', str(tmp_path / "copy.zarr"), version)
    if version == "ZARR_V2":
        with open(f"{target}/z/.zarray", encoding="utf-8") as f:
            assert np.dtype(json.load(f)["dtype"]) == values.dtype.newbyteorder("=")
    assert open_array(target, "z").ReadAsArray().tolist() == open_array(store, "z").ReadAsArray().tolist() == [1, 0]


LEVEL = {
    "units": "hPa", "standard_name": "air_pressure", "axis": "Z", "positive": "down", "long_name": "level",
    "valid_range": [1.0, 1100.0],
}  # fmt: skip


@pytest.mark.parametrize("version", FORMATS)
def test_attributes_and_types_are_kept(store, tmp_path, version):
    source = make_cube(store, np.array([1000, 850], "<f4"), {**LEVEL, "bounds": "z_bounds"})
    target = copy(source, str(tmp_path / "copy.zarr"), version)
    assert read_attributes(target, "z") == LEVEL  # there are no bounds in the copy
    assert open_array(target, "z").GetDataType().GetNumericDataType() == gdal.GDT_Float32


NOLEAP = {"units": "days since 2000-01-01", "calendar": "noleap", "standard_name": "time", "axis": "T"}


@pytest.mark.parametrize("how", ["directly", "vrt", "geotiff", "warp"])
def test_a_calendar_is_kept_that_dates_do_not_tell(store, tmp_path, how):
    """In January, all calendars have the same dates."""
    source, target = make_cube(store, np.array([10, 20], "<i4"), NOLEAP, "time"), str(tmp_path / "copy.zarr")
    if how == "warp":
        placed = gdal.Translate("", source, format="VRT", outputBounds=[0, 4, 5, 0], outputSRS="EPSG:4326")
        gdal.Warp(target, placed, format="Zarr", creationOptions=["ARRAY_NAME=t"])
    elif how == "geotiff":
        gdal.Translate(str(tmp_path / "a.tif"), source)
        copy(str(tmp_path / "a.tif"), target)
    else:
        copy(source, target, **({"metadataOptions": ["A=B"]} if how == "vrt" else {}))
    assert read_attributes(target, "time") == NOLEAP
    assert items_of(f'ZARR:"{target}":/t') == items_of(source)
    with open(f"{target}/t/{'.zattrs' if how == 'warp' else 'zarr.json'}", encoding="utf-8") as f:
        assert "DIM_time" not in f.read()


@pytest.mark.parametrize("calendar", [None, "gregorian", "proleptic_gregorian"])
def test_usual_calendars_are_not_told(store, calendar):
    attributes = {"units": "days since 2000-01-01", **({"calendar": calendar} if calendar else {})}
    assert "DIM_time_CALENDAR" not in items_of(make_cube(store, np.array([10, 20], "<i4"), attributes, "time"))[0]


@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("from_version", [2, 3])
@pytest.mark.parametrize("by_vrt", [False, True])
def test_a_missing_time_stays_missing(store, tmp_path, version, from_version, by_vrt):
    source = make_cube(store, np.array([1, -999], "<i4"), HOURS, "time", fill=-999, version=from_version)
    target = copy(source, str(tmp_path / "copy.zarr"), version, **({"metadataOptions": ["A=B"]} if by_vrt else {}))
    times = [items.get("DIM_time_ISO8601") for items in items_of(f'ZARR:"{target}":/t')]
    assert times == ["2000-01-01T01:00:00Z", None]
    if not by_vrt:  # also for programs that follow only the attribute
        assert ("_FillValue" in read_attributes(target, "time")) == (version == "ZARR_V3")
        assert open_array(target, "time").GetNoDataValueAsRaw() is not None


@pytest.mark.parametrize("by_vrt", [False, True])
def test_a_missing_number_stays_missing(store, tmp_path, by_vrt):
    source = make_cube(store, np.array([1, -999], "<i2"), {"units": "m", "_FillValue": -999})
    target = copy(source, str(tmp_path / "copy.zarr"), **({"metadataOptions": ["A=B"]} if by_vrt else {}))
    assert [items["DIM_z_VALUE"] for items in items_of(f'ZARR:"{target}":/t')] == ["1", "nan"]


@pytest.mark.parametrize("version", [2, 3])
def test_a_fill_value_of_0_is_a_coordinate(store, tmp_path, version):
    source = make_cube(store, np.array([0, 1], "<i2"), {"units": "m"}, version=version)
    for target in (copy(source, str(tmp_path / "2.zarr"), "ZARR_V2"), copy(source, str(tmp_path / "3.zarr"))):
        assert [items["DIM_z_VALUE"] for items in items_of(f'ZARR:"{target}":/t')] == ["0", "1"]
        assert "_FillValue" not in read_attributes(target, "z")


def test_times_next_to_nan_keep_calendar_and_name(store, tmp_path):
    source = make_cube(store, np.array([1, np.nan], "<f8"), NOLEAP, "time")
    target = copy(source, str(tmp_path / "copy.zarr"), metadataOptions=["A=B"])
    assert read_attributes(target, "time") == NOLEAP
    assert np.array_equal(open_array(target, "time").ReadAsArray(), [1, np.nan], equal_nan=True)


@pytest.mark.parametrize("by_vrt", [False, True])
@pytest.mark.parametrize(
    "times, dtype",
    [(["1970-01-01T00:00:01.500", "1970-01-01T00:00:02.500"], "<M8[ms]"), (["1970-01-01T00:25", "NaT"], "<M8[s]")],
)
def test_datetime64_that_cf_seconds_cannot_tell_stays(store, tmp_path, times, dtype, by_vrt):
    values = np.array(times, dtype)
    source = make_cube(store, values, {}, "time", fill=None)
    target = copy(source, str(tmp_path / "copy.zarr"), "ZARR_V2", **({"metadataOptions": ["A=B"]} if by_vrt else {}))
    assert items_of(f'ZARR:"{target}":/t') == items_of(source)
    with open(f"{target}/time/.zarray", encoding="utf-8") as f:
        assert json.load(f)["dtype"] == dtype
    assert open_array(target, "time").ReadAsArray().tolist() == values.view("<i8").tolist()


def test_what_a_user_says_of_bands_comes_first(store, tmp_path):
    dataset = gdal.Open(make_cube(store, np.array([1, 2], "<i2"), PACKED))
    for i in (1, 2):
        dataset.GetRasterBand(i).SetMetadata({"DIM_z_INDEX": str(i - 1), "DIM_z_VALUE": str(i * 7), "DIM_z_UNIT": "m"})
    target = copy(dataset, str(tmp_path / "copy.zarr"))
    assert open_array(target, "z").ReadAsArray().tolist() == [7, 14]
    assert read_attributes(target, "z") == {"units": "m"}


def test_one_slice_has_its_own_coordinate(store, tmp_path):
    source = make_cube(store, np.array([1, 2, 4], "<i2"), PACKED)
    target = copy(source + ":2", str(tmp_path / "copy.zarr"))
    assert open_array(target, "z").ReadAsArray().tolist() == [4] and read_attributes(target, "z") == PACKED


def test_long_and_empty_texts_are_kept(store, tmp_path):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, "", "", size) for name, size in (("name", 2), ("y", 4), ("x", 5))]
    root.CreateMDArray("t", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte)).Write(np.zeros((2, 4, 5), "u1"))
    root.CreateMDArray("name", dimensions[:1], gdal.ExtendedDataType.CreateString()).Write(["a" * 2000, ""])
    root = dataset = dimensions = None
    target = copy(f'ZARR:"{store}":/t', str(tmp_path / "copy.zarr"))
    assert open_array(target, "name").Read() == ["a" * 2000, ""]


def test_coordinates_that_equal_a_fill_value_of_v3_are_no_missing_ones(tmp_path):
    """v3 always has a fill value; in v2, it would be that of missing coordinates."""
    memory = gdal.GetDriverByName("MEM").Create("", 3, 2, 3)
    for i in range(3):
        memory.GetRasterBand(i + 1).SetMetadata({"DIM_level_INDEX": f"{i}", "DIM_level_VALUE": f"{i}", "DIM_level_UNIT": "m"})
    first, second = str(tmp_path / "a.zarr"), tmp_path / "b.zarr"
    gdal.GetDriverByName("Zarr").CreateCopy(first, memory, options=["FORMAT=ZARR_V3"])
    gdal.GetDriverByName("Zarr").CreateCopy(str(second), gdal.Open(first), options=["FORMAT=ZARR_V2"])
    with open(second / "level" / ".zarray", encoding="utf-8") as f:
        assert json.load(f)["fill_value"] is None
    copy = gdal.Open(str(second))
    assert [copy.GetRasterBand(i).GetMetadataItem("DIM_level_VALUE") for i in (1, 2, 3)] == ["0", "1", "2"]


def make_part(source, how, folder):
    """Returns a virtual dataset of some bands or of a window."""
    if how == "bands":
        return gdal.Translate("", source, format="VRT", bandList=[3, 1]), [2, 0]
    if how == "window":
        return gdal.Translate("", source, format="VRT", srcWin=[1, 1, 3, 2]), [0, 1, 2]
    placed = gdal.Translate("", source, format="VRT", outputBounds=[0, 4, 5, 0], outputSRS="EPSG:4326")
    name = os.path.join(folder, "a.vrt")
    gdal.Translate(name, placed, format="VRT")
    if how == "warp":
        return gdal.Warp("", name, format="VRT", dstSRS="EPSG:3857"), [0, 1, 2]
    return gdal.Translate("", gdal.Open(name), format="VRT", bandList=[2, 3]), [1, 2]


PARTS = pytest.mark.parametrize("how", ["bands", "window", "warp", "file"])


@PARTS
@pytest.mark.parametrize("version", FORMATS)
def test_a_part_has_the_coordinates_of_its_source(store, tmp_path, version, how):
    attributes = {"units": "Pa", "long_name": "level", "positive": "down", "axis": "Z", "valid_min": 1.0}
    values = np.array([1000, 850, 500], "<f4")
    part, bands = make_part(make_cube(store, values, attributes), how, str(tmp_path))
    target = copy(part, str(tmp_path / "copy.zarr"), version)
    assert read_attributes(target, "z") == attributes
    assert open_array(target, "z").GetDataType().GetNumericDataType() == gdal.GDT_Float32
    assert read_unpacked(target, "z").tolist() == values[bands].tolist()


def test_a_relative_virtual_dataset_leads_to_its_source(store, tmp_path, monkeypatch):
    make_cube(store, np.array([1, 2, 3], "<i2"), PACKED)
    monkeypatch.chdir(tmp_path)
    os.mkdir("below")
    gdal.Translate("below/a.vrt", f'ZARR:"{os.path.basename(store)}":/t', format="VRT", bandList=[2, 3])
    target = copy("below/a.vrt", "copy.zarr")
    assert read_attributes(target, "z") == PACKED


@pytest.mark.parametrize("change", ["item", "other store", "two stores"])
def test_a_part_that_tells_something_else_keeps_it(store, tmp_path, change):
    source = make_cube(store, np.array([1, 2, 3], "<i2"), PACKED)
    other = make_cube(str(tmp_path / "other.zarr"), np.array([1, 2, 3], "<i2"), {"units": "m"})
    part = gdal.Translate("", source, format="VRT", bandList=[1, 2])
    if change == "item":
        part.GetRasterBand(1).SetMetadataItem("DIM_z_VALUE", "7")
    elif change == "two stores":
        xml = part.GetMetadata("xml:VRT")[0]
        part = gdal.Open(xml.replace("test.zarr", "other.zarr", 1))
    else:
        part = gdal.Open(part.GetMetadata("xml:VRT")[0].replace("test.zarr", "other.zarr"))
    told = [part.GetRasterBand(i).GetMetadataItem("DIM_z_VALUE") for i in (1, 2)]
    target = copy(part, str(tmp_path / "copy.zarr"))
    assert read_attributes(target, "z") == {"units": "m"}
    assert read_unpacked(target, "z").tolist() == pytest.approx([float(value) for value in told])
    assert os.path.exists(other.split('"')[1])
