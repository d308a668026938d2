# SPDX-License-Identifier: MIT
"""A store that is opened for all kinds of datasets at once: rasters, the multidimensional API, vectors and networks."""

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_v2, write_v3, write_v3_group

BOTH = gdal.OF_RASTER | gdal.OF_MULTIDIM_RASTER | gdal.OF_VECTOR | gdal.OF_GNM
VALUES = np.arange(12, dtype="i2").reshape(3, 4)


@pytest.fixture
def store(tmp_path):
    """The path of a group with an array."""
    path = str(tmp_path / "a.zarr")
    write_v3_group(path)
    write_v3(f"{path}/x", VALUES)
    return path


def test_one_dataset_answers_both(store):
    dataset = gdal.OpenEx(store, BOTH)
    np.testing.assert_array_equal(dataset.ReadAsArray(), VALUES)
    root = dataset.GetRootGroup()
    assert root.GetMDArrayNames() == ["x"]
    del dataset
    np.testing.assert_array_equal(root.OpenMDArray("x").ReadAsArray(), VALUES)


def test_an_array_at_the_root(tmp_path):
    write_v2(str(tmp_path / "a.zarr"), VALUES)
    dataset = gdal.OpenEx(str(tmp_path / "a.zarr"), BOTH)
    np.testing.assert_array_equal(dataset.ReadAsArray(), VALUES)
    assert dataset.GetRootGroup().GetMDArrayNames() == ["a"]


def test_several_arrays(store):
    write_v3(f"{store}/y", VALUES + 1)
    dataset = gdal.OpenEx(store, BOTH)
    assert dataset.RasterCount == 0 and len(dataset.GetSubDatasets()) == 2
    assert sorted(dataset.GetRootGroup().GetMDArrayNames()) == ["x", "y"]


def test_an_array_of_a_single_value(tmp_path):
    write_v3(str(tmp_path / "a.zarr"), np.float32(1.5).reshape(()))
    dataset = gdal.OpenEx(str(tmp_path / "a.zarr"), BOTH)
    assert dataset.GetRootGroup().OpenMDArray("a").Read() is not None


def test_an_array_that_is_damaged_is_said(store):
    with open(f"{store}/x/zarr.json", "w", encoding="utf-8") as f:
        f.write('{"zarr_format": 3, "node_type": "array"}')
    with collect_errors() as errors:
        dataset = gdal.OpenEx(f'ZARR:"{store}":/x', BOTH)
    assert dataset.GetRootGroup() is not None
    assert any("x/zarr.json" in text for _, text in errors)


def test_a_selection_that_is_wrong_is_an_error(store):
    with pytest.raises(RuntimeError, match="nothing"):
        gdal.OpenEx(store, BOTH, open_options=["SELECT=nothing=1"])


def test_a_folder_in_a_larger_store_answers_the_multidimensional_api(store):
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/y", VALUES)
    assert gdal.OpenEx(f"{store}/g", BOTH).GetRootGroup().GetMDArrayNames() == ["y"]


def test_an_update_changes_by_the_multidimensional_api(store):
    dataset = gdal.OpenEx(store, BOTH | gdal.OF_UPDATE)
    dataset.GetRootGroup().OpenMDArray("x").Write(VALUES + 7)
    del dataset
    np.testing.assert_array_equal(gdal.Open(store).ReadAsArray(), VALUES + 7)


def test_programs_that_allow_two_kinds_get_one(store):
    """gdalmdimtranslate would copy a raster."""
    dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_MULTIDIM_RASTER)
    assert dataset.RasterCount == 0 and dataset.GetRootGroup().GetMDArrayNames() == ["x"]


def test_a_raster_has_no_root_group(store):
    for dataset in (gdal.Open(store), gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)):
        assert dataset.GetRootGroup() is None


def test_a_selection_is_one_of_a_raster(tmp_path):
    write_v3(str(tmp_path / "a.zarr"), np.arange(24, dtype="i2").reshape(2, 3, 4))
    name = f'ZARR:"{tmp_path}/a.zarr":/a:1'
    np.testing.assert_array_equal(gdal.OpenEx(name, BOTH).ReadAsArray(), VALUES + 12)
    with pytest.raises(RuntimeError, match="multidimensional API opens a store with all slices"):
        gdal.OpenEx(f"{tmp_path}/a.zarr", gdal.OF_MULTIDIM_RASTER, open_options=["SELECT=dim_0=1"])
