# SPDX-License-Identifier: MIT
"""Rasterio reads and writes stores."""

import os

import numpy as np
import pytest
from programs import absent
from weather import EXTENT, NODATA, SHOWN, T2M, TIMES

rasterio = pytest.importorskip("rasterio", reason=absent("the Python module rasterio", "python3-rasterio"))
from rasterio.enums import Resampling  # noqa: E402
from rasterio.shutil import copy, delete, exists  # noqa: E402
from rasterio.transform import from_origin  # noqa: E402
from rasterio.vrt import WarpedVRT  # noqa: E402
from rasterio.windows import Window, from_bounds  # noqa: E402

DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")
PROFILE = {
    "driver": "Zarr",
    "width": 30,
    "height": 20,
    "count": 3,
    "dtype": "float32",
    "crs": "EPSG:4326",
    "transform": from_origin(-10, 60, 1, 1),
    "nodata": NODATA,
}


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_store_by_its_path(cube):
    with rasterio.open(cube) as dataset:
        assert dataset.driver == "Zarr"
        assert (dataset.count, dataset.height, dataset.width) == T2M.shape
        assert dataset.bounds == (EXTENT[0], EXTENT[1], EXTENT[2], EXTENT[3])
        assert dataset.crs.to_epsg() == 4326
        assert dataset.nodatavals == (NODATA,) * 3
        assert dataset.units == ("K",) * 3
        assert dataset.descriptions == tuple(TIMES)
        assert dataset.tags(2)["DIM_time_ISO8601"] == TIMES[1]
        np.testing.assert_array_equal(dataset.read(), T2M)
        np.testing.assert_array_equal(dataset.read(masked=True).filled(np.nan), SHOWN)


def test_rectilinear_chunks(temperatures):
    with rasterio.open(temperatures) as dataset:
        np.testing.assert_array_equal(dataset.read(), np.load(f"{DEMO}/expected_sst.npy"))


@pytest.mark.parametrize("form", ['ZARR:"{}":/t2m', "{}/t2m", 'zarr:"{}":/t2m'])
def test_an_array_by_its_name(weather, form):
    with rasterio.open(form.format(weather)) as dataset:
        np.testing.assert_array_equal(dataset.read(), T2M)


def test_arrays_of_a_store(weather):
    with rasterio.open(weather) as dataset:
        assert dataset.count == 0
        assert [name.rsplit(":", 1)[1] for name in dataset.subdatasets] == ["/rain", "/t2m"]
        assert all(rasterio.open(name).count == 3 for name in dataset.subdatasets)


def test_a_slice_by_its_time(weather):
    with rasterio.open(f'ZARR:"{weather}":/t2m:time=2024-02-01') as dataset:
        np.testing.assert_array_equal(dataset.read(), T2M[1:2])
    with rasterio.open(f"{weather}/t2m", SELECT="time=2024-02-01") as dataset:
        assert dataset.descriptions == (TIMES[1],)
        np.testing.assert_array_equal(dataset.read(1), T2M[1])


def test_windows(relief):
    expected = np.load(f"{DEMO}/expected_relief.npy")
    with rasterio.open(relief) as dataset:
        np.testing.assert_array_equal(dataset.read(1, window=Window(100, 80, 300, 200)), expected[80:280, 100:400])
        place = from_bounds(0, 40, 20, 60, dataset.transform)
        np.testing.assert_array_equal(dataset.read(1, window=place), expected[90:150, 540:600])
        blocks = [window for _, window in dataset.block_windows(1)]
        got = np.zeros_like(expected)
        for window in blocks:
            got[window.toslices()] = dataset.read(1, window=window)
        np.testing.assert_array_equal(got, expected)
        assert [int(value) for (value,) in dataset.sample([(10.1, 46.2), (86.9, 27.9)])] == [expected[131, 570], expected[186, 800]]


def test_a_warped_view(cube):
    with rasterio.open(cube) as dataset, WarpedVRT(dataset, crs="EPSG:3857") as warped:
        values = warped.read(2, masked=True)
        assert warped.crs.to_epsg() == 3857
        assert set(np.unique(values.compressed())) <= set(np.unique(T2M[1]))


# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"FORMAT": "ZARR_V3", "COMPRESS": "ZSTD"}, {"format": "ZARR_V3", "blocksize": "1,10,15"}])
def test_write_a_store(folder, options):
    with rasterio.open(f"{folder}/out.zarr", "w", **PROFILE, **options) as dataset:
        dataset.write(T2M)
        dataset.descriptions = TIMES
    assert os.path.exists(f"{folder}/out.zarr/" + ("zarr.json" if options else ".zgroup"))
    with rasterio.open(f"{folder}/out.zarr") as dataset:
        np.testing.assert_array_equal(dataset.read(), T2M)
        assert dataset.descriptions == tuple(TIMES)
        assert dataset.nodata == NODATA and dataset.crs.to_epsg() == 4326
        assert dataset.transform == PROFILE["transform"]


def test_the_profile_of_a_store_makes_another(cube, folder):
    with rasterio.open(cube) as source:
        with rasterio.open(f"{folder}/out.zarr", "w", **source.profile) as target:
            target.write(source.read())
    with rasterio.open(f"{folder}/out.zarr") as dataset:
        np.testing.assert_array_equal(dataset.read(), T2M)


def test_windows_of_a_store_are_changed(folder):
    with rasterio.open(f"{folder}/out.zarr", "w", **PROFILE) as dataset:
        dataset.write(T2M)
    with rasterio.open(f"{folder}/out.zarr", "r+") as dataset:
        dataset.write(np.zeros((5, 4), "f4"), 2, window=Window(7, 3, 4, 5))
        dataset.update_tags(source="test")
    expected = T2M.copy()
    expected[1, 3:8, 7:11] = 0
    with rasterio.open(f"{folder}/out.zarr") as dataset:
        np.testing.assert_array_equal(dataset.read(), expected)
        assert dataset.tags()["source"] == "test"


def test_overviews(folder):
    store = f"{folder}/out.zarr"
    with rasterio.open(store, "w", FORMAT="ZARR_V3", **PROFILE) as dataset:
        dataset.write(T2M)
    with rasterio.open(store, "r+") as dataset:
        dataset.build_overviews([2], Resampling.nearest)
    with rasterio.open(store) as dataset:
        assert dataset.overviews(1) == [2]
        smaller = dataset.read(out_shape=(3, 10, 15))
    with rasterio.open(store, overview_level=0) as dataset:
        np.testing.assert_array_equal(dataset.read(), smaller)


def test_copy_and_delete(cube, folder):
    copy(cube, f"{folder}/copy.zarr", driver="Zarr", FORMAT="ZARR_V3")
    with rasterio.open(f"{folder}/copy.zarr") as dataset:
        np.testing.assert_array_equal(dataset.read(), T2M)
        assert dataset.descriptions == tuple(TIMES)
    assert exists(f"{folder}/copy.zarr")
    delete(f"{folder}/copy.zarr", driver="Zarr")
    assert not os.path.exists(f"{folder}/copy.zarr")
