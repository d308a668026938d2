# SPDX-License-Identifier: MIT
"""Each raster of a store has the place that was set for it, or none, whatever is set for the others."""

import itertools
import json
import os

import numpy as np
import pytest
from osgeo import gdal, osr
from stores import write_v3, write_v3_group

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


def wkt_of(code):
    return make_srs(code).ExportToWkt(["FORMAT=WKT2_2019"])


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


@pytest.mark.parametrize("old, new", [(4326, 32632), (2263, 32632), (4326, 2263), (32632, 2263), (32632, 4326)])
def test_coordinates_without_a_unit_stay_those_of_all(store, old, new):
    """As GDAL's own driver writes them: the unit is that of each array's CRS."""
    write_v3_group(store)
    for name in "ab":
        write_v3(f"{store}/{name}", np.zeros((8, 9), "u1"), names=["Y", "X"], attributes={"_CRS": {"wkt": wkt_of(old)}})
    write_v3(f"{store}/X", 7.5 + np.arange(9.0), names=["X"])
    write_v3(f"{store}/Y", 4.5 - np.arange(8.0), names=["Y"])
    change(store, "a", new)
    assert codes_of(store) == [new, old] and transforms_of(store) == [HERE, HERE]
    change(store, "b", new)
    assert codes_of(store) == [new, new] and transforms_of(store) == [HERE, HERE]


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


# --- a CRS that only another array has ------------------------------------------------------------------------------


@pytest.mark.parametrize("second", [HERE, THERE])
@pytest.mark.parametrize("options", OPTIONS)
def test_an_array_without_a_crs_gets_none(store, options, second):
    """Neither at once, nor when that of the other one is set."""
    add(store, "a", options, HERE)
    add(store, "b", options, second)
    assert codes_of(store) == [None, None]
    change(store, "a", 3031)
    assert codes_of(store) == [3031, None]
    add(store, "c", options, THERE)
    assert codes_of(store, "abc") == [3031, None, None]
    change(store, "c", 32632)
    assert codes_of(store, "abc") == [3031, None, 32632]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("removed", ["a", "b"])
@pytest.mark.parametrize("later", [False, True])
def test_an_array_loses_its_crs_alone(store, options, removed, later):
    for name, transform in (("a", HERE), ("b", THERE)):
        add(store, name, options, transform, None if later else 28992)
        if later:
            change(store, name, 28992)
    change(store, removed, None)
    assert codes_of(store) == [None if name == removed else 28992 for name in "ab"]
    assert transforms_of(store) == [HERE, THERE]


@pytest.mark.parametrize("options", OPTIONS)
def test_an_added_array_gives_its_crs_to_none(store, options):
    """The first array has coordinates, and no grid mapping any more."""
    add(store, "a", options, HERE, 3031)
    change(store, "a", None)
    add(store, "b", options, None, 4258, size=(5, 4))
    assert codes_of(store) == [None, 4258]


@pytest.mark.parametrize("changed, expected", [(32632, [32632, 3031]), (None, [None, 3031])])
def test_a_crs_that_others_have_by_default_stays(store, changed, expected):
    """As rioxarray writes it: only the first array names its variable."""
    write_v3_group(store)
    for name, values in (("y", np.arange(8.0)), ("x", np.arange(9.0))):
        write_v3(f"{store}/{name}", values, names=[name])
    for name, attributes in (("a", {"grid_mapping": "spatial_ref"}), ("b", {})):
        write_v3(f"{store}/{name}", np.ones((8, 9), "u1"), names=["y", "x"], attributes=attributes)
    write_v3(f"{store}/spatial_ref", np.array(0, "<i4"), attributes={"crs_wkt": make_srs(3031).ExportToWkt()})
    assert codes_of(store) == [3031, 3031]
    change(store, "a", changed)
    assert codes_of(store) == expected


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("names", [("y", "x"), ("p", "q")])
def test_an_array_on_the_same_coordinates_gets_no_crs(store, names, holds):
    """Coordinates with other names become those of places when they are described for the CRS."""
    write_v3_group(store)
    for name, values in zip(names, (np.arange(8.0), np.arange(9.0))):
        write_v3(f"{store}/{name}", values, names=[name])
    for name in "ab":
        write_v3(f"{store}/{name}", np.ones((8, 9), "u1"), names=list(names))
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    root = dataset.GetRootGroup()
    arrays = [root.OpenMDArray(name) for name in ("ab" if holds else "a")]
    arrays[0].SetSpatialRef(make_srs(32632))
    del arrays, root, dataset
    assert codes_of(store) == [32632, None]


# --- arrays that are added without a geotransform -------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("first, second", ["ab", "ba"])
def test_arrays_of_one_size_get_places_one_after_another(store, options, first, second):
    for name in "ab":
        add(store, name, options)
    set_place(gdal.OpenEx(name_of(store, first), gdal.OF_UPDATE), HERE, 32632)
    assert (transforms_of(store, first + second), codes_of(store, first + second)) == ([HERE, None], [32632, None])
    set_place(gdal.OpenEx(name_of(store, second), gdal.OF_UPDATE), THERE, None)
    assert (transforms_of(store, first + second), codes_of(store, first + second)) == ([HERE, THERE], [32632, None])


@pytest.mark.parametrize("options", OPTIONS)
def test_a_copy_without_a_place_gets_none(store, options):
    add(store, "a", options)
    options = [*options, "ARRAY_NAME=b", "APPEND_SUBDATASET=YES"]
    gdal.GetDriverByName("Zarr").CreateCopy(store, gdal.Open(name_of(store, "a")), options=options)
    set_place(gdal.OpenEx(name_of(store, "a"), gdal.OF_UPDATE), HERE, 32632)
    assert (transforms_of(store), codes_of(store)) == ([HERE, None], [32632, None])


@pytest.mark.parametrize("code", [None, 32632, 4326])
def test_arrays_with_the_same_dimensions_get_places_of_their_own(store, code):
    """As another program writes them. Coordinates would hold for both."""
    write_v3_group(store)
    for name in "ab":
        write_v3(f"{store}/{name}", np.ones((8, 9), "u1"), names=["y", "x"])
    set_place(gdal.OpenEx(name_of(store, "a"), gdal.OF_UPDATE), HERE, code)
    assert (transforms_of(store), codes_of(store)) == ([HERE, None], [code, None])
    set_place(gdal.OpenEx(name_of(store, "b"), gdal.OF_UPDATE), THERE, 3031)
    assert (transforms_of(store), codes_of(store)) == ([HERE, THERE], [code, 3031])
