# SPDX-License-Identifier: MIT
"""Repositories without a node: those that others have made, and not written to yet."""

import json
import os
import shutil

import numpy as np
import pytest
from closing import close, closing
from osgeo import gdal
from zarrkit_program import run_zarrkit

REPOSITORIES = os.path.join(os.path.dirname(__file__), "..", "..", "data", "icechunk")
INITIAL = {"history_v1": "1CECHNKREP0F1RSTCMT0", "history_v2": "1CECHNKREP0F1RSTCMT0"}


@pytest.fixture(params=["history_v1", "history_v2"])
def empty(request, tmp_path):
    """The name of a repository whose last snapshot is the one that it began with."""
    path = tmp_path / "empty.icechunk"
    shutil.copytree(os.path.join(REPOSITORIES, request.param), path)
    initial = INITIAL[request.param]
    if request.param == "history_v2":
        run_zarrkit("branch", str(path), "--create", "empty", "--at", initial)
        return f"{path}?branch=empty"
    (path / "refs/branch.main/ref.json").write_text(json.dumps({"snapshot": initial}))
    return str(path)


def list_commits(name):
    path, _, branch = name.partition("?branch=")
    return run_zarrkit("log", path, "--at", branch or "main").splitlines()


def test_an_empty_repository_is_said_to_be_empty(empty):
    with pytest.raises(RuntimeError, match=r"empty.icechunk[^:]*: the snapshot has no groups and no arrays") as info:
        gdal.Open(empty)
    assert "APPEND_SUBDATASET=YES" in str(info.value)


@pytest.mark.parametrize("flags", [gdal.OF_MULTIDIM_RASTER, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE])
def test_an_empty_repository_is_an_empty_group(empty, flags):
    root = gdal.OpenEx(empty, flags).GetRootGroup()
    assert not (root.GetMDArrayNames() or root.GetGroupNames() or root.GetAttributes())
    with pytest.raises(RuntimeError):
        root.OpenMDArray("a")


def test_an_array_is_added_to_an_empty_repository(empty):
    values = np.arange(12, dtype="int16").reshape(3, 4)
    options = ["APPEND_SUBDATASET=YES", "ARRAY_NAME=a"]
    with closing(gdal.GetDriverByName("Zarr").Create(empty, 4, 3, 1, gdal.GDT_Int16, options)) as dataset:
        dataset.GetRasterBand(1).WriteArray(values)
    with closing(gdal.Open(empty)) as dataset:
        assert (dataset.ReadAsArray() == values).all()
    assert len(list_commits(empty)) == 2


def test_an_empty_repository_takes_groups_and_arrays(empty):
    dataset = gdal.OpenEx(empty, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, 5)
    root.CreateMDArray("a", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte)).Write(np.arange(5, dtype="uint8"))
    del dimension, root
    close(dataset)
    root = gdal.OpenEx(empty, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.OpenMDArray("a").ReadAsArray().tolist() == [0, 1, 2, 3, 4]


def test_an_empty_repository_that_takes_nothing_stays_as_it_is(empty):
    close(gdal.OpenEx(empty, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE))
    assert len(list_commits(empty)) == 1
