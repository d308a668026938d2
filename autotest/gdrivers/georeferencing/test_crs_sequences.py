# SPDX-License-Identifier: MIT
"""A CRS that replaces another one leaves the numbers of the geotransform, as in a GeoTIFF file."""

import itertools

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_array, write_v3, write_v3_group

TRANSFORM = (3000, 30, 0, 600, 0, -30)
CRS = {
    "none": None,
    "degrees": "EPSG:4326",
    "metres": "EPSG:32632",
    "feet": "EPSG:2263",
    "kilometres": "+proj=utm +zone=32 +datum=WGS84 +units=km +no_defs",
    "local metres": 'LOCAL_CS["site",UNIT["metre",1]]',
    "local feet": 'LOCAL_CS["plan",UNIT["foot",0.3048]]',
    "view": "+proj=geos +h=35785831 +lon_0=0 +sweep=y",
}


def make_srs(name):
    if CRS[name] is None:
        return None
    srs = osr.SpatialReference()
    srs.SetFromUserInput(CRS[name])
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


def walk(count, length):
    """Returns numbers in an order in which each sequence of them occurs (of de Bruijn, by Martin's greedy method)."""
    order, seen = [0] * length, set()
    while True:
        for following in reversed(range(count)):
            word = (*order[len(order) - length + 1 :], following) if length > 1 else (following,)
            if word not in seen:
                seen.add(word)
                order.append(following)
                break
        else:
            return order


def make_source(first=None, transform=TRANSFORM):
    source = gdal.GetDriverByName("MEM").Create("", 10, 10)
    source.SetGeoTransform(transform)
    source.SetSpatialRef(make_srs(first) if first else None)
    return source


def check(dataset, name, path, transform=TRANSFORM):
    srs, expected = dataset.GetSpatialRef(), make_srs(name)
    assert dataset.GetGeoTransform(can_return_null=True) == transform, path
    assert (srs is None) == (expected is None) and (srs is None or srs.IsSame(expected)), path


OPTIONS = [
    [f"GEOREFERENCING_CONVENTION={convention}", f"FORMAT={version}"]
    for convention in ("GDAL", "CF", "GDAL,CF", "SPATIAL_PROJ", "CF,SPATIAL_PROJ")
    for version in ("ZARR_V2", "ZARR_V3")
]


def set_in_turn(store, names, closes):
    dataset = gdal.Open(store, gdal.GA_Update)
    for path in zip([None, *names], names, names[1:]):
        dataset.SetSpatialRef(make_srs(path[-1]))
        check(dataset, path[-1], path)
        if closes:
            dataset = None
            dataset = gdal.Open(store, gdal.GA_Update)
            check(dataset, path[-1], path)


@pytest.mark.parametrize("driver, options", [("GTiff", []), *(("Zarr", options) for options in OPTIONS)])
@pytest.mark.parametrize("closes", [False, True])
def test_numbers_stay(store, driver, options, closes):
    """All pairs of kinds of CRS, and in the default conventions all sequences of three."""
    names = [list(CRS)[i] for i in walk(len(CRS), 3 if "GEOREFERENCING_CONVENTION=GDAL,CF" in options else 2)]
    gdal.GetDriverByName(driver).CreateCopy(store, make_source(names[0]), options=options)
    with collect_errors() as errors:
        set_in_turn(store, names, closes)
        check(gdal.Open(store), names[-1], "reopened")
    assert errors == []


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_numbers_stay_in_a_new_dataset(store, version):
    for first, second in itertools.product(CRS, CRS):
        path = f"{store}.{first}.{second}"
        dataset = gdal.GetDriverByName("Zarr").Create(path, 10, 10, options=[f"FORMAT={version}"])
        dataset.SetGeoTransform(TRANSFORM)
        for name in (first, second):
            dataset.SetSpatialRef(make_srs(name))
        dataset = None
        check(gdal.Open(path), second, (first, second))


WORDS = {
    "none": {},
    "degrees": {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east"},
    "feet": {
        "standard_name": "projection_x_coordinate",
        "long_name": "x coordinate of projection",
        "units": "US survey foot",
    },
    "local feet": {},
}


@pytest.mark.parametrize("first, second", itertools.product(WORDS, WORDS))
def test_coordinates_have_the_words_of_the_last_crs(store, first, second):
    gdal.GetDriverByName("Zarr").CreateCopy(store, make_source(first))
    gdal.Open(store, gdal.GA_Update).SetSpatialRef(make_srs(second))
    assert read_words(store, "X") == WORDS[second]


def read_words(store, name):
    attributes = open_array(store, name).GetAttributes()
    return {a.GetName(): a.Read() for a in attributes if a.GetName() != "axis"} | read_unit(store, name)


def read_unit(store, name):
    unit = open_array(store, name).GetUnit()
    return {"units": unit} if unit else {}


def test_words_of_shared_coordinates_stay(store):
    """The second array keeps its CRS, and what its coordinates say of it."""
    for name, options in (("a", []), ("b", ["APPEND_SUBDATASET=YES"])):
        gdal.GetDriverByName("Zarr").CreateCopy(store, make_source("feet"), options=[f"ARRAY_NAME={name}", *options])
    for name in ("none", "local feet"):
        gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE).SetSpatialRef(make_srs(name))
        assert read_words(store, "X") == WORDS["feet"]
    check(gdal.Open(f'ZARR:"{store}":/b'), "feet", "b")


@pytest.mark.parametrize("first, second", [("metres", "feet"), ("feet", "metres"), ("kilometres", "local feet")])
def test_a_unit_that_a_crs_gave_goes_with_it(store, first, second):
    write_v3_group(store)
    write_v3(f"{store}/v", np.ones((10, 10)), names=["y", "x"])
    for name, start in (("x", 3015.0), ("y", 585.0)):
        write_v3(f"{store}/{name}", start + np.arange(10) * TRANSFORM[1 if name == "x" else 5], names=[name],
                 attributes={"long_name": "distance"})
    for name in (first, "none", second):
        gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_UPDATE).SetSpatialRef(make_srs(name))
        check(gdal.Open(f'ZARR:"{store}":/v'), name, name)
    assert open_array(store, "x").GetAttribute("long_name").Read() == "distance"
