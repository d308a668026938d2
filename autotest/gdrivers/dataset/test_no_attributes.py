# SPDX-License-Identifier: MIT
"""An array without attributes, as many writers make it: v2 without `.zattrs`, v3 without `attributes` or with null. All can
be set, and the store is used, as if it had an empty object."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from versions import needs_deletion, needs_resize

DATA = np.arange(48, dtype="u1").reshape(6, 8)
UTM = osr.SpatialReference()
UTM.ImportFromEPSG(32632)
PLACE = (500000.0, 10.0, 0.0, 4000000.0, 0.0, -10.0)

FORMS = {
    "v2": (2, None),
    "v2 empty": (2, {}),
    "v3": (3, None),
    "v3 null": (3, "null"),
    "v3 empty": (3, {}),
}


def write(store, form, group):
    version, attributes = FORMS[form]
    path = f"{store}/a" if group else store
    os.makedirs(path)
    if version == 2:
        array = {"zarr_format": 2, "shape": [6, 8], "chunks": [6, 8], "dtype": "|u1", "compressor": None, "filters": None, "fill_value": None, "order": "C"}
        documents = {f"{path}/.zarray": array}
        if group:
            documents[f"{store}/.zgroup"] = {"zarr_format": 2}
        if attributes is not None:
            documents[f"{path}/.zattrs"] = attributes
    else:
        chunks = {"name": "regular", "configuration": {"chunk_shape": [6, 8]}}
        keys = {"name": "default", "configuration": {"separator": "/"}}
        array = {"zarr_format": 3, "node_type": "array", "shape": [6, 8], "data_type": "uint8", "chunk_grid": chunks, "chunk_key_encoding": keys, "fill_value": 0, "codecs": [{"name": "bytes"}]}
        if attributes is not None:
            array["attributes"] = None if attributes == "null" else attributes
        documents = {f"{path}/zarr.json": array}
        if group:
            documents[f"{store}/zarr.json"] = {"zarr_format": 3, "node_type": "group"}
    for name, document in documents.items():
        with open(name, "w") as f:
            json.dump(document, f)
    chunk = f"{path}/0.0" if version == 2 else f"{path}/c/0/0"
    os.makedirs(os.path.dirname(chunk), exist_ok=True)
    with open(chunk, "wb") as f:
        f.write(DATA.tobytes())


@pytest.fixture(params=list(FORMS))
def form(request):
    return request.param


@pytest.fixture(params=[True, False], ids=["in a group", "the root"])
def name(request, store, form):
    write(store, form, request.param)
    return f'ZARR:"{store}":/a' if request.param else store


def set_colors(band):
    table = gdal.ColorTable()
    table.SetColorEntry(1, (1, 2, 3, 255))
    band.SetColorTable(table)


CHANGES = {
    "CRS": (lambda d: d.SetSpatialRef(UTM), lambda d: d.GetSpatialRef().IsSame(UTM)),
    "geotransform": (lambda d: d.SetGeoTransform(PLACE), lambda d: d.GetGeoTransform() == PLACE),
    "both": (lambda d: (d.SetSpatialRef(UTM), d.SetGeoTransform(PLACE)), lambda d: d.GetSpatialRef().IsSame(UTM) and d.GetGeoTransform() == PLACE),
    "nodata": (lambda d: d.GetRasterBand(1).SetNoDataValue(3), lambda d: d.GetRasterBand(1).GetNoDataValue() == 3),
    "no nodata": (lambda d: d.GetRasterBand(1).DeleteNoDataValue(), lambda d: d.GetRasterBand(1).GetNoDataValue() is None),
    "item": (lambda d: d.SetMetadataItem("A", "b"), lambda d: d.GetMetadataItem("A") == "b"),
    "items": (lambda d: d.SetMetadata({"A": "b"}), lambda d: d.GetMetadataItem("A") == "b"),
    "item of a band": (lambda d: d.GetRasterBand(1).SetMetadataItem("A", "b"), lambda d: d.GetRasterBand(1).GetMetadataItem("A") == "b"),
    "scale": (lambda d: d.GetRasterBand(1).SetScale(3), lambda d: d.GetRasterBand(1).GetScale() == 3),
    "offset": (lambda d: d.GetRasterBand(1).SetOffset(3), lambda d: d.GetRasterBand(1).GetOffset() == 3),
    "unit": (lambda d: d.GetRasterBand(1).SetUnitType("K"), lambda d: d.GetRasterBand(1).GetUnitType() == "K"),
    "description": (lambda d: d.GetRasterBand(1).SetDescription("text"), lambda d: d.GetRasterBand(1).GetDescription() == "text"),
    "categories": (lambda d: d.GetRasterBand(1).SetCategoryNames(["a", "b"]), lambda d: d.GetRasterBand(1).GetCategoryNames() == ["a", "b"]),
    "colors": (lambda d: set_colors(d.GetRasterBand(1)), lambda d: d.GetRasterBand(1).GetColorTable().GetColorEntry(1) == (1, 2, 3, 255)),
    "meaning": (lambda d: d.GetRasterBand(1).SetColorInterpretation(gdal.GCI_RedBand), lambda d: d.GetRasterBand(1).GetColorInterpretation() == gdal.GCI_RedBand),
    "values": (lambda d: d.WriteArray(DATA + 1), lambda d: np.array_equal(d.ReadAsArray(), DATA + 1)),
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_what_a_raster_sets(name, change):
    set_it, is_set = CHANGES[change]
    dataset = gdal.Open(name, gdal.GA_Update)
    set_it(dataset)
    dataset.FlushCache()
    del dataset
    assert is_set(gdal.Open(name))


def test_overviews(name):
    if not name.startswith("ZARR:"):
        pytest.skip("levels of an array that is its store are beside it")
    gdal.Open(name, gdal.GA_Update).BuildOverviews("NEAREST", [2])
    assert gdal.Open(name).GetRasterBand(1).GetOverview(0).XSize == 4


def test_copies(name, tmp_path):
    for options in ([], ["FORMAT=ZARR_V3"], ["FORMAT=ZARR_V2", "ARRAY_NAME=b"]):
        with collect_errors() as errors:
            copy = gdal.GetDriverByName("Zarr").CreateCopy(str(tmp_path / f"copy{len(options)}.zarr"), gdal.Open(name), options=options)
            assert np.array_equal(copy.ReadAsArray(), DATA)
        assert not errors
    source = gdal.OpenEx(name if name.startswith("/") else name.split('"')[1], gdal.OF_MULTIDIM_RASTER)
    gdal.MultiDimTranslate(str(tmp_path / "m.zarr"), source, format="Zarr")
    assert np.array_equal(gdal.Open(str(tmp_path / "m.zarr")).ReadAsArray(), DATA)


MDIM_CHANGES = {
    "CRS": (lambda a: a.SetSpatialRef(UTM), lambda a: a.GetSpatialRef().GetAuthorityCode(None) == "32632"),
    "unit": (lambda a: a.SetUnit("K"), lambda a: a.GetUnit() == "K"),
    "scale": (lambda a: a.SetScale(3), lambda a: a.GetScale() == 3),
    "offset": (lambda a: a.SetOffset(3), lambda a: a.GetOffset() == 3),
    "nodata": (lambda a: a.SetNoDataValueDouble(3), lambda a: a.GetNoDataValueAsDouble() == 3),
    "attribute": (
        lambda a: a.CreateAttribute("t", [], gdal.ExtendedDataType.CreateString()).Write("x"),
        lambda a: a.GetAttribute("t").Read() == "x",
    ),
}


@pytest.mark.parametrize("change", list(MDIM_CHANGES))
def test_what_an_array_sets(store, form, change):
    write(store, form, True)
    set_it, is_set = MDIM_CHANGES[change]
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    set_it(dataset.GetRootGroup().OpenMDArray("a"))
    del dataset
    assert is_set(gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a"))


@needs_resize
def test_a_resize(store, form):
    write(store, form, True)
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    dataset.GetRootGroup().OpenMDArray("a").Resize([9, 8])
    del dataset
    assert gdal.Open(f'ZARR:"{store}":/a').RasterYSize == 9


@needs_deletion
def test_a_new_name_and_a_removal(store, form):
    write(store, form, True)
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    group = dataset.GetRootGroup()
    group.OpenMDArray("a").Rename("b")
    assert np.array_equal(group.OpenMDArray("b").ReadAsArray(), DATA)
    group.DeleteMDArray("b")
    assert not group.GetMDArrayNames()
