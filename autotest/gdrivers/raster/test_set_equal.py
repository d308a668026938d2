# SPDX-License-Identifier: MIT
"""A setter that is given the present value writes nothing: no byte and no time of a file changes."""

import os

import numpy as np
import pytest
from conventions import export_wkt
from osgeo import gdal, osr
from stores import write_v2, write_v2_group, write_v3, write_v3_group

LON = np.array([round(5.05 + 0.1 * i, 2) for i in range(7)])
LAT = np.array([50.15, 50.05, 49.95])
ATTRIBUTES = {
    "grid_mapping": "crs",
    "scale_factor": "0.1",
    "add_offset": 2,
    "units": "K",
    "missing_value": [7],
    "STATISTICS_MINIMUM": 1,
    "STATISTICS_MAXIMUM": "199",
    "STATISTICS_MEAN": 2.5,
    "STATISTICS_STDDEV": 1e-3,
    "flag_values": [1, 2],
    "flag_meanings": "a b",
    "flag_colors": "#010203 #040506",
    "number": 5,
    "list": [1, 2.5],
    "text": "a",
    "gdal:bands": [{"description": "one", "metadata": {"k": "v"}}],
}


def write(store, form, arrays=("v",)):
    group, array = (write_v2_group, write_v2) if form == "v2" else (write_v3_group, write_v3)

    def put(name, data, dimensions, attributes):
        if form == "v2":
            return array(f"{store}/{name}", data, fill=7 if name in arrays else None, attributes={**attributes, "_ARRAY_DIMENSIONS": dimensions})
        return array(f"{store}/{name}", data, fill=7, names=dimensions, attributes=attributes)

    group(store)
    put("lat", LAT, ["lat"], {"units": "degrees_north"})
    put("lon", LON, ["lon"], {"units": "degrees_east"})
    put("crs", np.zeros((), "<i4"), [], {"spatial_ref": export_wkt(4326, "WKT1_GDAL")})
    for name in arrays:
        put(name, np.arange(21, dtype="u1").reshape(3, 7), ["lat", "lon"], ATTRIBUTES)


def see(store):
    seen = {}
    for folder, _, files in os.walk(store):
        for file in files:
            path = os.path.join(folder, file)
            with open(path, "rb") as f:
                seen[os.path.relpath(path, store)] = (f.read(), os.stat(path).st_mtime_ns, os.stat(path).st_ino)
    return seen


def set_statistics(dataset, band):
    band.SetStatistics(*band.GetStatistics(True, False))


def set_srs(dataset, band):
    dataset.SetSpatialRef(dataset.GetSpatialRef())


def set_palette(dataset, band):
    band.SetColorTable(band.GetColorTable())


SETTERS = {
    "SetGeoTransform": lambda dataset, band: dataset.SetGeoTransform(dataset.GetGeoTransform()),
    "SetGeoTransform in digits": lambda dataset, band: dataset.SetGeoTransform([float("%.15g" % n) for n in dataset.GetGeoTransform()]),
    "SetSpatialRef": set_srs,
    "SetProjection": lambda dataset, band: dataset.SetProjection(dataset.GetProjection()),
    "SetMetadata": lambda dataset, band: dataset.SetMetadata(dataset.GetMetadata()),
    "SetMetadataItem": lambda dataset, band: [dataset.SetMetadataItem(k, v) for k, v in dataset.GetMetadata().items() if not k.startswith(("STAT", "grid", "coord"))],
    "SetNoDataValue": lambda dataset, band: band.SetNoDataValue(band.GetNoDataValue()),
    "SetScale": lambda dataset, band: band.SetScale(band.GetScale()),
    "SetOffset": lambda dataset, band: band.SetOffset(band.GetOffset()),
    "SetUnitType": lambda dataset, band: band.SetUnitType(band.GetUnitType()),
    "SetDescription": lambda dataset, band: band.SetDescription(band.GetDescription()),
    "band.SetMetadata": lambda dataset, band: band.SetMetadata(band.GetMetadata()),
    "band.SetMetadataItem": lambda dataset, band: [band.SetMetadataItem(k, v) for k, v in band.GetMetadata().items()],
    "SetStatistics": set_statistics,
    "SetColorTable": set_palette,
    "SetColorInterpretation": lambda dataset, band: band.SetColorInterpretation(band.GetColorInterpretation()),
    "SetCategoryNames": lambda dataset, band: band.SetCategoryNames(band.GetCategoryNames()),
    "SetGCPs": lambda dataset, band: dataset.SetGCPs(dataset.GetGCPs(), dataset.GetGCPProjection()),
}


@pytest.mark.parametrize("form", ["v2", "v3"])
@pytest.mark.parametrize("arrays", [("v",), ("v", "w")], ids=["one", "shared"])
@pytest.mark.parametrize("name", SETTERS)
def test_a_raster_that_is_set_to_what_it_is_stays(store, side_files, form, arrays, name):
    write(store, form, arrays)
    before = see(store)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_RASTER | gdal.OF_UPDATE)
    SETTERS[name](dataset, dataset.GetRasterBand(1))
    dataset = None
    assert see(store) == before


ABSENT = {
    "DeleteNoDataValue": lambda dataset, band: band.DeleteNoDataValue(),
    "SetGeoTransform": lambda dataset, band: dataset.SetGeoTransform((0, 1, 0, 0, 0, 1)),
    "SetSpatialRef": lambda dataset, band: dataset.SetSpatialRef(None),
    "SetUnitType": lambda dataset, band: band.SetUnitType(""),
    "SetMetadata": lambda dataset, band: dataset.SetMetadata({}),
    "SetMetadataItem": lambda dataset, band: dataset.SetMetadataItem("a", None),
    "band.SetMetadata": lambda dataset, band: band.SetMetadata({}),
    "band.SetMetadataItem": lambda dataset, band: band.SetMetadataItem("a", None),
    "SetDescription": lambda dataset, band: band.SetDescription(""),
    "SetColorTable": lambda dataset, band: band.SetColorTable(None),
    "SetColorInterpretation": lambda dataset, band: band.SetColorInterpretation(gdal.GCI_Undefined),
    "SetCategoryNames": lambda dataset, band: band.SetCategoryNames([]),
}


@pytest.mark.parametrize("name", ABSENT)
@pytest.mark.parametrize("form", ["v2", "v3"])
def test_what_is_absent_is_taken_away_without_a_change(store, form, name):
    data = np.zeros((3, 7), "u1")
    write_v2(store, data) if form == "v2" else write_v3(store, data)
    before = see(store)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    ABSENT[name](dataset, dataset.GetRasterBand(1))
    dataset = None
    assert see(store) == before


@pytest.mark.parametrize("setter, getter", [("SetNoDataValueAsInt64", "GetNoDataValueAsInt64"), ("SetNoDataValueAsUInt64", "GetNoDataValueAsUInt64")])
def test_nodata_of_64_bits(store, setter, getter):
    write_v3(store, np.zeros((2, 2), "<i8" if setter.endswith("AsInt64") else "<u8"), attributes={"_FillValue": 9007199254740993})
    before = see(store)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    band = dataset.GetRasterBand(1)
    getattr(band, setter)(getattr(band, getter)())
    dataset = None
    assert see(store) == before


@pytest.mark.parametrize("fill", ["NaN", -9999, 1e20])
def test_nodata_of_floats(store, fill):
    write_v2(store, np.zeros((2, 2), "<f4"), fill=fill)
    before = see(store)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.GetRasterBand(1).SetNoDataValue(dataset.GetRasterBand(1).GetNoDataValue())
    dataset = None
    assert see(store) == before


def test_a_side_file_with_points_stays(store, side_files):
    write_v3(store, np.zeros((4, 4), "u1"))
    points = [gdal.GCP(x, y, 0, x, y) for x, y in ((0, 0), (0, 4), (4, 0))]
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetGCPs(points, export_wkt(4326))
    dataset = None
    before = see(store)
    assert any(name.endswith(".aux.xml") for name in before)
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetGCPs(dataset.GetGCPs(), dataset.GetGCPProjection())
    dataset = None
    assert see(store) == before


# --- the multidimensional API ----------------------------------------------------------------------------------------


def write_again(attribute):
    kind = "String" if attribute.GetDataType().GetClass() == gdal.GEDTC_STRING else "Double"
    kind += "Array" if attribute.GetDimensionCount() else ""
    getattr(attribute, "Write" + kind)(getattr(attribute, "ReadAs" + kind)())


OBJECTS = {
    "SetSpatialRef": lambda root, array: array.SetSpatialRef(array.GetSpatialRef()),
    "SetNoDataValue": lambda root, array: array.SetNoDataValueDouble(array.GetNoDataValueAsDouble()),
    "SetScale": lambda root, array: array.SetScale(array.GetScale()),
    "SetOffset": lambda root, array: array.SetOffset(array.GetOffset()),
    "SetUnit": lambda root, array: array.SetUnit(array.GetUnit()),
    "Attribute.Write": lambda root, array: [write_again(a) for a in array.GetAttributes()],
    "of a group": lambda root, array: [write_again(a) for a in root.OpenGroup("g").GetAttributes()],
    "SetIndexingVariable": lambda root, array: [d.SetIndexingVariable(d.GetIndexingVariable()) for d in array.GetDimensions()],
}
if hasattr(gdal.MDArray, "Rename"):
    OBJECTS["Rename"] = lambda root, array: array.Rename("v")
    OBJECTS["Rename a group"] = lambda root, array: root.OpenGroup("g").Rename("g")
    OBJECTS["Rename a dimension"] = lambda root, array: array.GetDimensions()[0].Rename("lat")
    OBJECTS["Rename an attribute"] = lambda root, array: array.GetAttribute("number").Rename("number")


@pytest.mark.parametrize("form", ["v2", "v3"])
@pytest.mark.parametrize("name", OBJECTS)
def test_an_array_that_is_set_to_what_it_is_stays(store, form, name):
    write(store, form, ("v", "w"))
    attributes = {"a": 1, "b": [1.5, 2], "c": "text", "d": ["x", "y"], "e": {"f": None}, "g": 1.0}
    (write_v2_group if form == "v2" else write_v3_group)(f"{store}/g", attributes)
    before = see(store)
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    root = dataset.GetRootGroup()
    OBJECTS[name](root, root.OpenMDArray("v"))
    root = dataset = None
    assert see(store) == before


# --- what must still be set ------------------------------------------------------------------------------------------


def test_small_changes_are_stored(store):
    write(store, "v3")
    place = (5.0001, 0.1, 0, 50.2001, 0, -0.1)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetGeoTransform(place)
    dataset.GetRasterBand(1).SetScale(0.1000001)
    dataset = None
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert dataset.GetGeoTransform() == place
    assert dataset.GetRasterBand(1).GetScale() == 0.1000001


def test_a_place_that_is_taken_away_is_not_in_the_side_file(store, side_files):
    write_v3_group(store)
    write_v3(f"{store}/v", np.zeros((3, 7), "u1"))
    name = f'ZARR:"{store}":/v'
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetMetadataItem("a", "b", "other")
    dataset = None
    file = next(os.path.join(folder, f) for folder, _, files in os.walk(store) for f in files if f.endswith(".aux.xml"))
    with open(file) as f:
        text = f.read()
    start = text.index("<Metadata")
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32633)
    wkt = srs.ExportToWkt().replace('"', "&quot;")
    with open(file, "w") as f:
        f.write(f"{text[:start]}<SRS>{wkt}</SRS><GeoTransform>1,2,0,3,0,-4</GeoTransform>{text[start:]}")
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    assert dataset.GetGeoTransform() == (1, 2, 0, 3, 0, -4)
    dataset.SetGeoTransform((5, 2, 0, 3, 0, -4))
    dataset.SetProjection("EPSG:32634")
    dataset = None
    dataset = gdal.OpenEx(name, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.SetGeoTransform((0, 1, 0, 0, 0, 1))
    dataset.SetSpatialRef(None)
    dataset = None
    dataset = gdal.Open(name)
    assert dataset.GetGeoTransform(can_return_null=True) is None
    assert dataset.GetSpatialRef() is None
    assert dataset.GetMetadataItem("a", "other") == "b"


def test_statistics_of_a_grown_array_are_set_again(store):
    write_v3(store, np.zeros((3, 2, 2)), attributes={"STATISTICS_MAXIMUM": [15, None]})
    dataset = gdal.Open(store, gdal.GA_Update)
    assert dataset.GetRasterBand(1).GetMetadataItem("STATISTICS_MAXIMUM") is None
    dataset.GetRasterBand(1).SetMetadataItem("STATISTICS_MAXIMUM", "15")
    del dataset
    dataset = gdal.Open(store)
    assert [dataset.GetRasterBand(i).GetMetadataItem("STATISTICS_MAXIMUM") for i in (1, 2, 3)] == ["15", None, None]
