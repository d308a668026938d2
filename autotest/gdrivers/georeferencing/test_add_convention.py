# SPDX-License-Identifier: MIT
"""The command "gdal driver zarr add-georeferencing-convention"."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal, osr
from versions import GDAL_VERSION

pytestmark = pytest.mark.skipif(GDAL_VERSION < 313, reason="needs GDAL 3.13 or later")
TRANSFORM = (440720, 60, 0, 3751320, 0, -60)


def write_raster(store, convention, transform=TRANSFORM):
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a", f"GEOREFERENCING_CONVENTION={convention}"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 4, 3, 1, gdal.GDT_Byte, options=options)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(26711)
    dataset.SetSpatialRef(srs)
    if transform:
        dataset.SetGeoTransform(transform)
    dataset.WriteArray(np.arange(12, dtype="u1").reshape(3, 4))
    dataset.Close()


def add(store, convention):
    gdal.alg.driver.zarr.add_georeferencing_convention(input=store, convention=convention)


def read_attributes(store):
    with open(f"{store}/a/zarr.json") as f:
        return json.load(f)["attributes"]


def test_geozarr_is_added_to_gdals_convention(store):
    write_raster(store, "GDAL")
    before = read_attributes(store)
    add(store, "spatial_proj")
    after = read_attributes(store)
    assert before.items() <= after.items()
    assert after["proj:code"] == "EPSG:26711"
    assert after["spatial:transform"] == [60, 0, 440720, 0, -60, 3751320]
    assert {item["name"] for item in after["zarr_conventions"]} == {"proj", "spatial"}
    dataset = gdal.Open(store)
    assert dataset.GetGeoTransform() == TRANSFORM
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "26711"
    assert dataset.ReadAsArray().tolist() == np.arange(12).reshape(3, 4).tolist()


def test_gdals_convention_is_added_to_geozarr(store):
    write_raster(store, "SPATIAL_PROJ")
    before = read_attributes(store)
    assert "_CRS" not in before
    add(store, "GDAL")
    after = read_attributes(store)
    assert before.items() <= after.items()
    assert "26711" in json.dumps(after["_CRS"])
    assert gdal.Open(store).GetGeoTransform() == TRANSFORM


def test_an_array_without_a_place_stays(store):
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a"]
    gdal.GetDriverByName("Zarr").Create(store, 4, 3, options=options).Close()
    before = read_attributes(store)
    add(store, "spatial_proj")
    assert read_attributes(store) == before


def test_other_datasets_are_refused():
    with pytest.raises(Exception, match="is not a ZARR dataset"):
        add(gdal.GetDriverByName("MEM").Create("", 1, 1), "spatial_proj")


def test_a_crs_that_cannot_be_read_is_an_error(store):
    """The grid mapping is in the store above, where no list has it."""
    write_raster(store, "CF")
    os.mkdir(f"{store}/g")
    for folder in (store, f"{store}/g"):
        with open(f"{folder}/zarr.json", "w") as f:
            json.dump({"zarr_format": 3, "node_type": "group"}, f)
    for name in "aXY":
        os.rename(f"{store}/{name}", f"{store}/g/{name}")
    assert gdal.OpenEx(f"{store}/g", gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").GetSpatialRef()
    os.remove(f"{store}/spatial_ref/zarr.json")
    os.symlink("zarr.json", f"{store}/spatial_ref/zarr.json")  # to itself
    command = gdal.Algorithm("driver", "zarr", "add-georeferencing-convention")
    command["input"], command["convention"] = f"{store}/g", "spatial_proj"
    gdal.DontUseExceptions()  # which are raised for a command that has passed over an error, too
    try:
        assert not command.Run()
    finally:
        gdal.UseExceptions()
