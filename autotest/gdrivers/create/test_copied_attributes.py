# SPDX-License-Identifier: MIT
"""A copy by GDAL's multidimensional functions has the attributes of its source, and no others."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from page_commands import ROOT
from stores import write_v3, write_v3_group

TYPES = [gdal.GDT_Byte, gdal.GDT_Int16, gdal.GDT_UInt16, gdal.GDT_Int32, gdal.GDT_UInt32, gdal.GDT_Int64, gdal.GDT_UInt64,
         gdal.GDT_Float32, gdal.GDT_Float64, getattr(gdal, "GDT_Int8", gdal.GDT_Int16)]  # fmt: skip
VERSIONS = ["ZARR_V2", "ZARR_V3"]
TIMES = {"standard_name": "time", "units": "seconds since 1970-01-01"}
WKT = osr.SpatialReference()
WKT.ImportFromEPSG(4326)
MAPPING = {"crs_wkt": WKT.ExportToWkt(), "grid_mapping_name": "latitude_longitude"}


def read_attributes(store, name):
    path = os.path.join(store, name, ".zattrs")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            attributes = json.load(f)
        attributes.pop("_ARRAY_DIMENSIONS", None)
        return attributes
    with open(os.path.join(store, name, "zarr.json"), encoding="utf-8") as f:
        return json.load(f)["attributes"]


def copy(source, target, version):
    with collect_errors() as errors:
        made = gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=["FORMAT=" + version])
    assert made and errors == []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", TYPES, ids=gdal.GetDataTypeName)
def test_numbers_of_each_type_are_copied(tmp_path, kind, version):
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    root = source.GetRootGroup()
    array = root.CreateMDArray("a", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    for node in (root, array):
        node.CreateAttribute("one", [], gdal.ExtendedDataType.Create(kind)).Write(5)
        node.CreateAttribute("list", [3], gdal.ExtendedDataType.Create(kind)).Write([1, 2, 3])
    target = str(tmp_path / "a.zarr")
    copy(source, target, version)
    for name in ("", "a"):
        attributes = read_attributes(target, name)
        assert attributes["one"] == 5 and attributes["list"] == [1, 2, 3]


@pytest.mark.parametrize("kind", TYPES, ids=gdal.GetDataTypeName)
def test_a_new_attribute_has_its_type(tmp_path, kind):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(str(tmp_path / "a.zarr"))
    attribute = dataset.GetRootGroup().CreateAttribute("a", [2], gdal.ExtendedDataType.Create(kind))
    assert attribute.GetDataType().GetNumericDataType() == kind
    attribute.Write([1, 2])
    assert list(attribute.ReadAsDoubleArray()) == [1, 2]


def test_complex_numbers_are_refused(tmp_path):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(str(tmp_path / "a.zarr"))
    with pytest.raises(RuntimeError, match="attribute a: JSON has no complex numbers"):
        dataset.GetRootGroup().CreateAttribute("a", [], gdal.ExtendedDataType.Create(gdal.GDT_CFloat64))


# Dimensions, and the attributes of arrays that are no coordinates of a place.
FORECAST = {
    "init_time": (["init_time"], {**TIMES, "standard_name": "forecast_reference_time", "long_name": "Start"}),
    "lead_time": (["lead_time"], {"standard_name": "forecast_period", "units": "seconds"}),
    "level": (["level"], {"standard_name": "air_pressure", "units": "hPa"}),
    "depth": (["depth"], {"positive": "down", "units": "m"}),
    "station": (["station"], {"long_name": "number of the station"}),
    "latitude": (["latitude"], {"standard_name": "latitude", "units": "degrees_north", "long_name": "Breite"}),
    "longitude": (["longitude"], {"standard_name": "longitude", "units": "degree_E"}),
    "spatial_ref": ([], MAPPING),
    "valid_time": (["init_time", "lead_time"], TIMES),
    "bounds": (["latitude", "nv"], {}),
    "zonal": (["level", "latitude"], {"units": "K"}),
    "section": (["depth", "longitude"], {"units": "K", "grid_mapping": "spatial_ref"}),
    "table": (["init_time", "station"], {"units": "m3 s-1", "coordinates": "spatial_ref"}),
    "t2m": (["init_time", "lead_time", "latitude", "longitude"], {"units": "K", "grid_mapping": "spatial_ref"}),
}


def write_forecast(path, gives_crs, mapping="spatial_ref"):
    write_v3_group(path, gives_crs)
    for name, (dimensions, attributes) in FORECAST.items():
        attributes = {k: mapping if v == "spatial_ref" else v for k, v in attributes.items()}
        name = mapping if name == "spatial_ref" else name
        shape = [2] * len(dimensions)
        write_v3(f"{path}/{name}", np.arange(np.prod(shape), dtype="f8").reshape(shape), shape, names=dimensions,
                 attributes=attributes)  # fmt: skip


@pytest.mark.parametrize("of_group", [{}, {"zarr_conventions": [{"name": "proj:"}], "proj:code": "EPSG:4326"}], ids=["CF", "GeoZarr"])
def test_a_crs_belongs_to_arrays_with_two_axes(tmp_path, of_group):
    path = str(tmp_path / "a.zarr")
    write_forecast(path, of_group)
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    with_crs = [name for name in FORECAST if root.OpenMDArray(name).GetSpatialRef()]
    assert with_crs == ["t2m"]
    for name in FORECAST:
        raster = gdal.Open(f'ZARR:"{path}":/{name}' + (":0:0" if name == "t2m" else ""))
        assert bool(raster.GetSpatialRef()) == (name == "t2m")


@pytest.mark.parametrize("mapping", ["spatial_ref", "a_mapping", "zz"])  # copied before and after the arrays that name it
@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_are_copied_as_they_are(tmp_path, version, mapping):
    source, target = str(tmp_path / "a.zarr"), str(tmp_path / "b.zarr")
    write_forecast(source, {"title": "A forecast"}, mapping)
    copy(source, target, version)
    names = [*(mapping if name == "spatial_ref" else name for name in FORECAST), ""]
    for name in names:
        copied, expected = read_attributes(target, name), read_attributes(source, name)
        assert copied == expected, name
    assert sorted(names[:-1]) == sorted(name for name in os.listdir(target) if os.path.isdir(os.path.join(target, name)))
    root = gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert [name for name in names[:-1] if root.OpenMDArray(name).GetSpatialRef()] == ["t2m"]


def test_coordinates_that_contradict_a_crs_are_left_alone(tmp_path):
    path = str(tmp_path / "a.zarr")
    words = {"standard_name": "air_pressure", "units": "hPa"}
    write_v3_group(path)
    write_v3(f"{path}/level", np.arange(2.0), [2], names=["level"], attributes=words)
    write_v3(f"{path}/lon", np.arange(2.0), [2], names=["lon"], attributes={"units": "degrees_east"})
    write_v3(f"{path}/a", np.zeros((2, 2)), [2, 2], names=["level", "lon"])
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    with collect_errors() as errors:
        dataset.GetRootGroup().OpenMDArray("a").SetSpatialRef(WKT)
        del dataset
    assert read_attributes(path, "level") == words
    assert any("/level: these coordinates are not described as the latitude" in text for _, text in errors)


@pytest.mark.parametrize("words, code, fits", [
    ({"standard_name": "longitude", "units": "degrees_east"}, 4326, True),
    ({"standard_name": "longitude", "units": "degrees_east"}, 32632, False),
    ({"standard_name": "projection_x_coordinate", "units": "m"}, 32632, True),
    ({"units": "km"}, 32632, True),
    ({"units": "km"}, 4326, False),
    ({"standard_name": "grid_longitude", "units": "degrees"}, 4326, False),
    ({}, 32632, True),
])  # fmt: skip
def test_a_lone_grid_mapping_belongs_to_arrays_whose_axes_fit(tmp_path, words, code, fits):
    path = str(tmp_path / "a.zarr")
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    write_v3_group(path)
    write_v3(f"{path}/spatial_ref", np.zeros((), "i4"), [], attributes={"crs_wkt": srs.ExportToWkt()})
    write_v3(f"{path}/x", np.arange(3.0), [3], names=["x"], attributes={"axis": "X", **words})
    write_v3(f"{path}/y", np.arange(2.0), [2], names=["y"], attributes={"axis": "Y"})
    write_v3(f"{path}/a", np.zeros((2, 3)), [2, 3], names=["y", "x"])
    root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert bool(root.OpenMDArray("a").GetSpatialRef()) == fits
    assert bool(gdal.Open(f'ZARR:"{path}":/a').GetSpatialRef()) == fits


def test_blocks_are_no_longer_than_their_dimension(tmp_path):
    path = str(tmp_path / "a.zarr")
    write_v3_group(path)
    write_v3(f"{path}/a", np.arange(12.0).reshape(4, 3), [512, 2], names=["time", "x"])
    assert gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").GetBlockSize() == [4, 2]


def test_conventions_that_are_asked_for_are_written(tmp_path):
    """Also where a copied grid mapping, or longitudes and latitudes, say the CRS."""
    source, target = str(tmp_path / "a.zarr"), str(tmp_path / "b.zarr")
    write_forecast(source, {})
    options = ["FORMAT=ZARR_V3", "ARRAY:GEOREFERENCING_CONVENTION=SPATIAL_PROJ"]
    assert gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=options)
    assert read_attributes(target, "t2m")["proj:code"] == "EPSG:4326"


@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_of_several_dimensions_become_nested_lists(tmp_path, version):
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    root = source.GetRootGroup()
    array = root.CreateMDArray("a", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    for node in (root, array):
        node.CreateAttribute("table", [2, 3], gdal.ExtendedDataType.Create(gdal.GDT_Int16)).Write([1, 2, 3, 4, 5, 6])
        node.CreateAttribute("cube", [2, 1, 2], gdal.ExtendedDataType.Create(gdal.GDT_Float64)).Write([0.5, 1, 2, 3])
        node.CreateAttribute("texts", [2, 1], gdal.ExtendedDataType.CreateString()).Write(["a", "b"])
    target = str(tmp_path / "a.zarr")
    copy(source, target, version)
    for name in ("", "a"):
        attributes = read_attributes(target, name)
        assert attributes["table"] == [[1, 2, 3], [4, 5, 6]]
        assert attributes["cube"] == [[[0.5, 1]], [[2, 3]]] and attributes["texts"] == [["a"], ["b"]]


def test_a_new_attribute_of_several_dimensions_reads_as_it_was_written(tmp_path):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(str(tmp_path / "new.zarr"))
    attribute = dataset.GetRootGroup().CreateAttribute("a", [2, 3], gdal.ExtendedDataType.Create(gdal.GDT_Int32))
    attribute.Write([1, 2, 3, 4, 5, 6])
    assert attribute.GetDimensionCount() == 2
    assert list(attribute.ReadAsIntArray()) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_that_the_hdf5_driver_misreads_are_left_out_with_a_warning(tmp_path, version):
    h5py = pytest.importorskip("h5py")
    if not gdal.GetDriverByName("HDF5"):
        pytest.skip("this GDAL has no HDF5 driver")
    source = str(tmp_path / "a.h5")
    with h5py.File(source, "w") as f:
        f.create_group("g")
        f["g"]["a"] = np.arange(4.0)
        for node in (f, f["g"], f["g"]["a"]):
            node.attrs["table"] = np.arange(6, dtype="i4").reshape(2, 3)
            node.attrs["row"] = np.arange(3, dtype="i4").reshape(1, 3)
            node.attrs["list"] = np.arange(3, dtype="i4")
    target = str(tmp_path / "a.zarr")
    with collect_errors() as errors:
        assert gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=["FORMAT=" + version])
    assert len(errors) == 3 and all(kind == gdal.CE_Warning and "table" in text for kind, text in errors)
    for name in ("", "g", "g/a"):
        attributes = read_attributes(target, name)
        assert "table" not in attributes
        assert attributes["row"] == [[0, 1, 2]] and attributes["list"] == [0, 1, 2]


@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_without_elements_become_empty_lists(tmp_path, version):
    h5py = pytest.importorskip("h5py")
    if not gdal.GetDriverByName("HDF5"):
        pytest.skip("this GDAL has no HDF5 driver")
    source, target = str(tmp_path / "a.h5"), str(tmp_path / "a.zarr")
    with h5py.File(source, "w") as f:
        f["a"] = np.arange(4.0)
        for node in (f, f.create_group("g"), f["a"]):
            node.attrs["empty"] = np.zeros(0, "i4")
            node.attrs["rows"] = np.zeros((2, 0), "f4")
            node.attrs["later"] = 7
    copy(source, target, version)
    for name in ("", "g", "a"):
        assert read_attributes(target, name) == {"empty": [], "rows": [[], []], "later": 7}
    source = gdal.OpenEx(source, gdal.OF_MULTIDIM_RASTER)
    with collect_errors() as errors:
        copied = gdal.GetDriverByName("Zarr").CreateCopy(str(tmp_path / "b.zarr"), source, strict=1)
    assert copied and errors == []


def test_arrays_of_hdf5_without_a_value_get_the_fill_value_with_a_warning(tmp_path):
    h5py = pytest.importorskip("h5py")
    if not gdal.GetDriverByName("HDF5"):
        pytest.skip("this GDAL has no HDF5 driver")
    source, target = str(tmp_path / "a.h5"), str(tmp_path / "a.zarr")
    with h5py.File(source, "w") as f:
        f["a"] = np.arange(4.0)
        f["number"], f["text"] = h5py.Empty("f4"), h5py.Empty(h5py.string_dtype())
        for name, node in f.items():
            node.attrs["name"] = name
    with collect_errors() as errors:
        assert gdal.MultiDimTranslate(target, source, format="Zarr", creationOptions=["FORMAT=ZARR_V3"])
    assert errors == [(gdal.CE_Warning, f"/{name} has no value: its copy has the fill value") for name in ("number", "text")]
    for name in ("a", "number", "text"):
        assert read_attributes(target, name) == {"name": name}
    assert gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").ReadAsArray().tolist() == [0, 1, 2, 3]


def test_text_that_the_hdf4_driver_cannot_read_is_refused(tmp_path):
    if not gdal.GetDriverByName("HDF4"):
        pytest.skip("this GDAL has no HDF4 driver")
    source = os.path.join(ROOT, "autotest", "data", "sources", "text.hdf")  # made by pyhdf: an array of characters, and one of numbers
    target = str(tmp_path / "a.zarr")
    with pytest.raises(RuntimeError, match="text.*HDF4"):
        gdal.MultiDimTranslate(target, source, format="Zarr")
    assert not os.path.exists(target)
    assert gdal.MultiDimTranslate(target, source, format="Zarr", arraySpecs=["/scientific_datasets/numbers"])
    assert gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames() == ["numbers"]
