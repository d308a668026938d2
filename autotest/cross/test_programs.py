# SPDX-License-Identifier: MIT
"""GDAL's programs and zarrkit, built for another system, read and write what they should. ZARR_EMULATOR runs them; GDAL's are
in ZARR_GDAL_PROGRAMS, their plugin is in ZARR_GDAL_PLUGINS, and ZARRKIT names zarrkit. This system's GDAL reads GeoTIFFs."""

import json
import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal

AUTOTEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEMO = os.path.join(AUTOTEST, "data", "demo")
EMULATOR = os.environ.get("ZARR_EMULATOR", "").split()
STORES = {
    "relief_v1.zarr": "",
    "relief_v2.zarr": "relief",
    "relief_v3.zarr": "relief",
    "relief_v3_sharded.zarr": "relief",
    "relief_v3_rectilinear.zarr": "relief",
    "sea_surface_temperature_v3_rectilinear.zarr": "sst",
}
gdal.UseExceptions()


def start(program, *arguments):
    environment = {**os.environ, "GDAL_DRIVER_PATH": os.environ["ZARR_GDAL_PLUGINS"]}
    command = [*EMULATOR, program, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def gdal_program(name):
    return os.path.join(os.environ["ZARR_GDAL_PROGRAMS"], name + ".exe")


def run(program, *arguments):
    done = start(program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_gdal(name, *arguments):
    return run(gdal_program(name), *arguments)


def run_zarrkit(*arguments):
    return run(os.environ["ZARRKIT"], *arguments)


def name_of(store, folder=DEMO):
    array = STORES[store]
    return f'ZARR:"{os.path.join(folder, store)}"' + (f":/{array}" if array else "")


def expected_of(store):
    return np.load(os.path.join(DEMO, "expected_sst.npy" if store.startswith("sea") else "expected_relief.npy"))


def test_the_plugin_is_in_use():
    assert "ZARRLIB_VERSION" in run_gdal("gdalinfo", "--format", "Zarr")


@pytest.mark.parametrize("store", STORES)
def test_a_geotiff_has_the_values(store, tmp_path):
    run_gdal("gdal_translate", "-q", "-of", "GTiff", name_of(store), tmp_path / "a.tif")
    assert np.array_equal(gdal.Open(str(tmp_path / "a.tif")).ReadAsArray(), expected_of(store), equal_nan=True)


@pytest.mark.parametrize("store", STORES)
def test_a_description_has_the_statistics(store):
    described = json.loads(run_gdal("gdalinfo", "-json", "-stats", name_of(store)))
    expected = expected_of(store)
    planes = expected if expected.ndim == 3 else [expected]
    assert described["size"] == list(planes[0].shape[::-1])
    assert len(described["bands"]) == len(planes)
    for band, plane in zip(described["bands"], planes):
        assert np.isclose(band["minimum"], np.nanmin(plane), atol=1e-3) and np.isclose(band["maximum"], np.nanmax(plane), atol=1e-3)
        assert np.isclose(band["mean"], np.nanmean(plane.astype("f8")), rtol=1e-3)


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
def test_what_is_written_there_is_read_here(format, tmp_path):
    """By the values alone: a driver that this system's GDAL has reads them."""
    run_gdal("gdal_translate", "-q", "-of", "Zarr", "-co", f"FORMAT={format}", name_of("relief_v3.zarr"), tmp_path / "a.zarr")
    run_gdal("gdal_translate", "-q", "-of", "GTiff", tmp_path / "a.zarr", tmp_path / "a.tif")
    assert np.array_equal(gdal.Open(str(tmp_path / "a.tif")).ReadAsArray(), expected_of("relief_v3.zarr"))
    assert run_zarrkit("check", tmp_path / "a.zarr").endswith(", 0 errors\n")


@pytest.mark.parametrize("name", ["con.zarr", "a?b.zarr", "a|b.zarr"])
def test_a_forbidden_name_is_refused_and_leaves_nothing(name, tmp_path):
    done = start(gdal_program("gdal_translate"), "-of", "Zarr", name_of("relief_v3.zarr"), tmp_path / name)
    assert done.returncode != 0 and "expected a name" in done.stderr, done.stdout + done.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("store", STORES)
def test_zarrkit_finds_no_errors(store):
    assert run_zarrkit("check", os.path.join(DEMO, store)).endswith(" 0 errors\n")
