# SPDX-License-Identifier: MIT
"""GDAL's own programs read the demo stores through the plugin that GDAL_DRIVER_PATH names."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal, gdal_array
from plugin_in_use import run_program

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")

RELIEF = ["relief_v1", "relief_v2", "relief_v3", "relief_v3_rectilinear", "relief_v3_sharded"]
SEA = "sea_surface_temperature_v3_rectilinear"


def store(name):
    return os.path.join(DATA, name + ".zarr")


def run(*command):
    """Returns the output of a program. If it fails, the test fails with its messages."""
    result = run_program(command, capture_output=True, text=True, env={**os.environ, "GDAL_PAM_ENABLED": "NO"})
    assert result.returncode == 0, result.stderr
    assert "ERROR" not in result.stderr, result.stderr
    return result.stdout


def info(name, *options):
    return json.loads(run("gdalinfo", "-json", *options, store(name)))


def expected(name):
    return np.load(os.path.join(DATA, f"expected_{'sst' if name == SEA else 'relief'}.npy"))


def checksums(values):
    """Returns GDAL's checksum of each band of an array."""
    dataset = gdal_array.OpenArray(values)
    return [dataset.GetRasterBand(i + 1).Checksum() for i in range(dataset.RasterCount)]


def test_zarr_is_read_by_the_plugin():
    text = run("gdalinfo", "--format", "Zarr")
    assert "ZARRLIB_VERSION" in text, "GDAL_DRIVER_PATH does not lead to the plugin"


@pytest.mark.parametrize("name", [*RELIEF, SEA])
def test_gdalinfo_describes_a_store(name):
    values = expected(name)
    got = info(name)
    assert got["driverShortName"] == "Zarr"
    assert got["size"] == [values.shape[-1], values.shape[-2]]
    assert len(got["bands"]) == (values.shape[0] if values.ndim == 3 else 1)
    assert {b["type"] for b in got["bands"]} == {"Int16" if values.dtype == np.int16 else "Float32"}


@pytest.mark.parametrize("name", [*RELIEF, SEA])
def test_gdalinfo_checksums_are_those_of_the_expected_values(name):
    assert [b["checksum"] for b in info(name, "-checksum")["bands"]] == checksums(expected(name))


@pytest.mark.parametrize("name", [n for n in RELIEF if n != "relief_v1"])
def test_gdalinfo_tells_where_a_store_with_coordinates_is(name):
    assert info(name)["geoTransform"] == pytest.approx([-180, 1 / 3, 0, 90, 0, -1 / 3])


@pytest.mark.parametrize("name", [*RELIEF, SEA])
def test_gdal_translate_makes_an_equal_geotiff(name, tmp_path):
    target = str(tmp_path / "out.tif")
    run("gdal_translate", "-q", store(name), target)
    np.testing.assert_array_equal(gdal.Open(target).ReadAsArray(), expected(name))


def test_gdal_translate_cuts_a_window_across_chunks_of_unequal_size(tmp_path):
    target = str(tmp_path / "window.tif")
    run("gdal_translate", "-q", "-srcwin", "350", "170", "400", "200", store("relief_v3_rectilinear"), target)
    np.testing.assert_array_equal(gdal.Open(target).ReadAsArray(), expected("relief_v3")[170:370, 350:750])


def test_gdal_translate_makes_a_picture(tmp_path):
    target = str(tmp_path / "relief.png")
    run("gdal_translate", "-q", "-of", "PNG", "-ot", "Byte", "-scale", store("relief_v2"), target)
    picture = gdal.Open(target).ReadAsArray()
    assert (picture.min(), picture.max()) == (0, 255)


def test_gdalmdiminfo_lists_the_arrays_of_a_store():
    arrays = json.loads(run("gdalmdiminfo", store("relief_v3")))["arrays"]
    assert {"relief", "lat", "lon"} <= set(arrays)


def test_gdalinfo_says_what_is_wrong_with_a_broken_store(tmp_path):
    (tmp_path / "zarr.json").write_text('{"zarr_format": 3, "node_type": "array", "shape": [2, "x"]}')
    result = run_program(["gdalinfo", str(tmp_path)], capture_output=True, text=True)
    assert result.returncode != 0
    assert "zarr.json: " in result.stderr


def test_gdalinfo_tells_the_time_of_a_band():
    times = [band["metadata"][""] for band in info(SEA)["bands"]]
    assert [t["DIM_time_INDEX"] for t in times] == [str(i) for i in range(12)]
    assert {t["DIM_time_UNIT"] for t in times} == {"hours since 0001-01-01 00:00:00"}
