# SPDX-License-Identifier: MIT
"""Each raster of a store has the place that was set for it, or none, whatever is set for the others."""

import itertools
import json
import os

import numpy as np
import pytest
from osgeo import gdal, osr

CONVENTIONS = [None, "GDAL", "CF", "SPATIAL_PROJ", "CF,SPATIAL_PROJ", "GDAL,CF,SPATIAL_PROJ"]
OPTIONS = [
    [f"FORMAT={version}"] + ([f"GEOREFERENCING_CONVENTION={convention}"] if convention else [])
    for version in ("ZARR_V2", "ZARR_V3")
    for convention in CONVENTIONS
]
HERE, THERE = (7, 1, 0, 5, 0, -1), (3, 1, 0, 9, 0, -1)

pytestmark = pytest.mark.usefixtures("side_files")


def make_srs(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs


def set_place(dataset, transform, code, order="gs"):
    for part in order:
        if part == "g" and transform:
            dataset.SetGeoTransform(transform)
        if part == "s" and code:
            dataset.SetSpatialRef(make_srs(code))


def add(store, name, options, transform=None, code=None, order="gs", size=(9, 8)):
    append = ["APPEND_SUBDATASET=YES"] if os.path.exists(store) else []
    dataset = gdal.GetDriverByName("Zarr").Create(store, *size, options=[*options, f"ARRAY_NAME={name}", *append])
    set_place(dataset, transform, code, order)


def name_of(store, name):
    return f'ZARR:"{store}":/{name}'


def change(store, name, code):
    srs = make_srs(code) if code else None
    assert gdal.OpenEx(name_of(store, name), gdal.OF_RASTER | gdal.OF_UPDATE).SetSpatialRef(srs) == gdal.CE_None


def codes_of(store, names="ab"):
    known = [gdal.Open(name_of(store, name)).GetSpatialRef() for name in names]
    return [int(srs.GetAuthorityCode(None)) if srs else None for srs in known]


def transforms_of(store, names="ab"):
    return [gdal.Open(name_of(store, name)).GetGeoTransform(can_return_null=True) for name in names]


def attributes_of(store, name):
    path = os.path.join(store, name, "zarr.json")
    with open(path if os.path.exists(path) else os.path.join(store, name, ".zattrs"), encoding="utf-8") as file:
        document = json.load(file)
    return document.get("attributes", document)


# --- a CRS that another array has, too ------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["gs", "sg"])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("code, second", [(32632, THERE), (4326, HERE)])
def test_a_second_array_says_its_crs_itself(store, options, order, code, second):
    add(store, "a", options, HERE, code, order)
    add(store, "b", options, second, code, order)
    sayings = [{"grid_mapping", "proj:code", "_CRS"} & set(attributes_of(store, name)) for name in "ab"]
    assert sayings[0] == sayings[1] and sayings[0]


@pytest.mark.parametrize("order", ["gs", "sg"])
@pytest.mark.parametrize("options", OPTIONS)
def test_a_crs_of_two_arrays_is_changed_for_one(store, options, order):
    for name, transform in (("a", HERE), ("b", THERE)):
        add(store, name, options, transform, 32632, order)
    change(store, "a", 4326)
    assert codes_of(store) == [4326, 32632]
    change(store, "b", 3031)
    assert codes_of(store) == [4326, 3031] and transforms_of(store) == [HERE, THERE]


@pytest.mark.parametrize("writes", [False, True])
def test_a_multidimensional_array_says_its_crs_itself(store, writes):
    add(store, "a", ["FORMAT=ZARR_V3", "GEOREFERENCING_CONVENTION=CF"], HERE, 32632)
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    root = dataset.GetRootGroup()
    number = gdal.ExtendedDataType.Create(gdal.GDT_Byte)
    array = root.CreateMDArray("b", root.OpenMDArray("a").GetDimensions(), number)
    if writes:
        array.Write(np.ones((8, 9), "u1"))
    array.SetSpatialRef(make_srs(32632))
    del array, root, dataset
    assert "grid_mapping" in attributes_of(store, "b")
