# SPDX-License-Identifier: MIT
"""Attributes that name an array follow when it is renamed."""

import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_for_update, open_group
from versions import needs_deletion

pytestmark = needs_deletion


@pytest.fixture(params=["ZARR_V2", "ZARR_V3"])
def raster(store, request):
    memory = gdal.GetDriverByName("MEM").Create("", 8, 8)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32632)
    memory.SetSpatialRef(srs)
    memory.SetGeoTransform((500000, 10, 0, 5000000, 0, -10))
    options = [f"FORMAT={request.param}", "GEOREFERENCING_CONVENTION=CF", "ARRAY_NAME=a"]
    gdal.GetDriverByName("Zarr").CreateCopy(store, memory, options=options)
    return store


def grid_mapping_of(store):
    return open_group(store).OpenMDArray("a").GetAttribute("grid_mapping").Read()


def name_of_crs(store):
    srs = gdal.Open(store).GetSpatialRef()
    return srs and srs.GetName()


def test_crs_stays_when_its_grid_mapping_is_renamed(raster):
    dataset, root = open_for_update(raster)
    array = root.OpenMDArray("a")
    assert root.OpenMDArray(grid_mapping_of(raster)).Rename("utm") == gdal.CE_None
    assert array.GetAttribute("grid_mapping").Read() == "utm"
    assert array.GetSpatialRef().GetName() == "WGS 84 / UTM zone 32N"
    del dataset, root, array
    assert grid_mapping_of(raster) == "utm"
    assert name_of_crs(raster) == "WGS 84 / UTM zone 32N"


def test_change_that_waits_follows_too(raster):
    dataset, root = open_for_update(raster)
    name = grid_mapping_of(raster)
    text = gdal.ExtendedDataType.CreateString()
    root.OpenMDArray("a").CreateAttribute("ancillary_variables", [], text).Write(f"x {name}")
    root.OpenMDArray(name).Rename("utm")
    del dataset, root
    assert open_group(raster).OpenMDArray("a").GetAttribute("ancillary_variables").Read() == "x utm"
    assert name_of_crs(raster) == "WGS 84 / UTM zone 32N"


def test_name_that_cannot_follow_is_told(raster):
    dataset, root = open_for_update(raster)
    name = grid_mapping_of(raster)
    array = root.OpenMDArray(name)
    with collect_errors() as errors:
        array.Rename("of UTM")
    assert [text for _, text in errors if text.startswith(f'/a still names "{name}"')]
    del dataset, root, array
    assert grid_mapping_of(raster) == name
