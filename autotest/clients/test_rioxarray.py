# SPDX-License-Identifier: MIT
"""rioxarray, and xarray through engine="rasterio", read stores; rioxarray writes them."""

import os

import numpy as np
import pytest
from osgeo import gdal
from programs import absent
from weather import EXTENT, NODATA, RAIN, SHOWN, T2M, TIMES

rioxarray = pytest.importorskip("rioxarray", reason=absent("the Python module rioxarray", "python3-rioxarray"))
import xarray  # noqa: E402

DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ['ZARR:"{}":/t2m', "{}/t2m"])
def test_an_array_by_its_name(cube, form):
    with rioxarray.open_rasterio(form.format(cube), masked=True) as array:
        assert isinstance(array, xarray.DataArray)
        np.testing.assert_array_equal(array.values, SHOWN)
        assert array.rio.bounds() == EXTENT and array.rio.crs.to_epsg() == 4326
        assert array.rio.encoded_nodata == NODATA
        assert tuple(array.attrs["long_name"]) == tuple(TIMES)
        assert set(np.atleast_1d(array.attrs["units"])) == {"K"}


def test_without_masking(cube):
    with rioxarray.open_rasterio(f"{cube}/t2m") as array:
        np.testing.assert_array_equal(array.values, T2M)
        assert array.rio.nodata == NODATA


def test_rectilinear_chunks(temperatures):
    with rioxarray.open_rasterio(f"{temperatures}/sst", masked=True) as array:
        np.testing.assert_array_equal(array.values, np.load(f"{DEMO}/expected_sst.npy"))
        assert array.y.values[0] == -89  # as stored


def test_a_store_is_a_dataset_of_its_arrays(weather):
    """rioxarray opens the subdatasets that a store lists."""
    with rioxarray.open_rasterio(weather, masked=True) as dataset:
        assert sorted(dataset.data_vars) == ["rain", "t2m"]
        np.testing.assert_array_equal(dataset["t2m"].values, SHOWN)
    with rioxarray.open_rasterio(weather, variable="rain") as dataset:
        np.testing.assert_array_equal(dataset["rain"].values, RAIN)


def test_chunks_are_read_one_by_one(relief):
    pytest.importorskip("dask", reason=absent("Dask", "python3-dask"))
    with rioxarray.open_rasterio(f"{relief}/relief", chunks={"x": 200, "y": 200}) as array:
        np.testing.assert_array_equal(array.values[0], np.load(f"{DEMO}/expected_relief.npy"))


def test_clip_and_reproject(cube):
    with rioxarray.open_rasterio(f"{cube}/t2m", masked=True) as array:
        np.testing.assert_array_equal(array.rio.clip_box(0.1, 50.1, 9.9, 54.9).values, T2M[:, 5:10, 10:20])
        assert array.rio.reproject("EPSG:3035").rio.crs.to_epsg() == 3035


def test_overviews(relief, folder):
    store = f"{folder}/copy.zarr"
    gdal.Translate(store, relief, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "ARRAY_NAME=relief"])
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE).BuildOverviews("NEAREST", [2, 4])
    with rioxarray.open_rasterio(f"{store}/relief", overview_level=1) as array:
        assert array.shape == (1, 135, 270)
        np.testing.assert_array_equal(array.values[0], gdal.Open(f'ZARR:"{store}":/ovr_4x/relief').ReadAsArray())


# --- xarray's engine --------------------------------------------------------------------------------------------------


def test_a_store_through_the_engine(cube):
    with xarray.open_dataset(cube, engine="rasterio") as dataset:
        assert list(dataset.data_vars) == ["t2m"]
        np.testing.assert_array_equal(dataset["t2m"].values, SHOWN)
        assert dataset.rio.crs.to_epsg() == 4326


def test_a_slice_through_the_engine(weather):
    with xarray.open_dataset(f'ZARR:"{weather}":/t2m:time=2024-02-01', engine="rasterio") as dataset:
        np.testing.assert_array_equal(dataset["band_data"].values, T2M[1:2])


# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"FORMAT": "ZARR_V3"}])
def test_write_a_store(cube, folder, options):
    with rioxarray.open_rasterio(f"{cube}/t2m", masked=True) as array:
        array.rio.to_raster(f"{folder}/out.zarr", driver="Zarr", **options)
    with rioxarray.open_rasterio(f"{folder}/out.zarr/out", masked=True) as array:
        np.testing.assert_array_equal(array.values, SHOWN)
        assert array.rio.bounds() == EXTENT and array.rio.crs.to_epsg() == 4326
        assert tuple(array.attrs["long_name"]) == tuple(TIMES)


def test_write_in_windows(relief, folder):
    with rioxarray.open_rasterio(f"{relief}/relief") as array:
        array.rio.to_raster(f"{folder}/out.zarr", driver="Zarr", windowed=True, FORMAT="ZARR_V3", BLOCKSIZE="100,200")
    np.testing.assert_array_equal(gdal.Open(f"{folder}/out.zarr").ReadAsArray(), np.load(f"{DEMO}/expected_relief.npy"))
