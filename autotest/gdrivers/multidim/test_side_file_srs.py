# SPDX-License-Identifier: MIT
"""CRS of arrays that are no rasters, and what only a side file can hold of a CRS."""
import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v3

pytestmark = pytest.mark.usefixtures("with_side_files")
EPOCH = 2021.2


@pytest.fixture
def with_side_files(monkeypatch):
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")


def make_srs(epoch=0.0):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    if epoch:
        srs.SetCoordinateEpoch(epoch)
    return srs


def open_multidim(store, mode=0):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | mode)


def open_array(dataset):
    group = dataset.GetRootGroup()
    return group.OpenMDArray(group.GetMDArrayNames()[0])


@pytest.mark.parametrize("write", [write_v2, write_v3])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_arrays_that_are_no_rasters_have_a_crs(store, write, shape):
    write(store, np.zeros(shape, "<u2"))
    with collect_errors() as errors:
        dataset = open_multidim(store, gdal.OF_UPDATE)
        array = open_array(dataset)
        assert array.GetSpatialRef() is None
        assert array.SetSpatialRef(make_srs()) == gdal.CE_None
        del array, dataset
        assert open_array(open_multidim(store)).GetSpatialRef().GetAuthorityCode(None) == "4326"
        dataset = open_multidim(store, gdal.OF_UPDATE)
        assert open_array(dataset).SetSpatialRef(None) == gdal.CE_None
        del dataset
        assert open_array(open_multidim(store)).GetSpatialRef() is None
    assert errors == []
    assert not os.path.exists(f"{store}/pam.aux.xml")


def test_a_group_says_nothing_of_arrays_that_are_no_rasters(store):
    write_v3(store, np.zeros(3, "<u2"), attributes={"proj:code": "EPSG:32632"})
    assert open_array(open_multidim(store)).GetSpatialRef() is None


@pytest.mark.parametrize("shape", [(3,), (4, 5)])
def test_the_crs_of_a_read_only_array_goes_to_the_side_file(store, shape):
    write_v3(store, np.zeros(shape, "<u2"), names=["y", "x"][: len(shape)])
    with open(f"{store}/zarr.json", "rb") as f:
        before = f.read()
    dataset = open_multidim(store)
    assert open_array(dataset).SetSpatialRef(make_srs(EPOCH)) == gdal.CE_None
    del dataset
    srs = open_array(open_multidim(store)).GetSpatialRef()
    assert srs.GetAuthorityCode(None) == "4326"
    assert srs.GetCoordinateEpoch() == EPOCH
    if len(shape) == 2:
        assert srs.GetDataAxisToSRSAxisMapping() == [1, 2]
        assert gdal.Open(store).GetSpatialRef().GetCoordinateEpoch() == EPOCH
    dataset = open_multidim(store)
    assert open_array(dataset).SetSpatialRef(None) == gdal.CE_None
    del dataset
    assert open_array(open_multidim(store)).GetSpatialRef() is None
    with open(f"{store}/zarr.json", "rb") as f:
        assert f.read() == before


@pytest.mark.parametrize("classic", [False, True])
def test_the_coordinate_epoch_goes_to_the_side_file(store, classic):
    write_v3(store, np.zeros((4, 5), "<u2"), names=["y", "x"])

    def change(srs):
        dataset = gdal.Open(store, gdal.GA_Update) if classic else open_multidim(store, gdal.OF_UPDATE)
        assert (dataset if classic else open_array(dataset)).SetSpatialRef(srs) == gdal.CE_None

    change(make_srs(EPOCH))
    assert open_array(open_multidim(store)).GetSpatialRef().GetCoordinateEpoch() == EPOCH
    assert gdal.Open(store).GetSpatialRef().GetCoordinateEpoch() == EPOCH
    with open(f"{store}/zarr.json") as f:
        assert "_CRS" in json.load(f)["attributes"]
    change(make_srs())
    assert open_array(open_multidim(store)).GetSpatialRef().GetCoordinateEpoch() == 0
    assert gdal.Open(store).GetSpatialRef().GetAuthorityCode(None) == "4326"


def test_an_epoch_that_cannot_be_stored_gives_a_warning(store, monkeypatch):
    monkeypatch.setenv("GDAL_PAM_ENABLED", "NO")
    write_v3(store, np.zeros((4, 5), "<u2"), names=["y", "x"])
    with collect_errors() as errors:
        dataset = open_multidim(store, gdal.OF_UPDATE)
        assert open_array(dataset).SetSpatialRef(make_srs(EPOCH)) == gdal.CE_None
        del dataset
    assert len(errors) == 1 and "epoch" in errors[0][1]
