# SPDX-License-Identifier: MIT
"""Programs of others run with the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/."""

import os
import sys

import pytest

_AUTOTEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(os.path.dirname(_AUTOTEST), "build", "gdalplugins"))
sys.path.insert(0, os.path.join(_AUTOTEST, "pymod"))  # for stores.py

from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)

# In the programs, rectilinear chunks, which GDAL's own driver cannot read, show that the plugin answers.
from plugin_in_use import pytest_sessionstart  # noqa: E402, F401
from weather import write_weather  # noqa: E402

gdal.UseExceptions()


@pytest.fixture
def folder(tmp_path):
    """A folder of the test's own."""
    return str(tmp_path)


@pytest.fixture
def cube(folder):
    """The path of a store with one array, t2m, and its coordinates."""
    return write_weather(f"{folder}/cube.zarr", ["t2m"])


@pytest.fixture
def weather(folder):
    """The path of a store with two arrays, rain and t2m, and their coordinates."""
    return write_weather(f"{folder}/weather.zarr")


@pytest.fixture
def relief():
    """A store with one array of 540 x 1080, in rectilinear chunks."""
    return f"{_AUTOTEST}/data/demo/relief_v3_rectilinear.zarr"


@pytest.fixture
def temperatures():
    """A store with an array (time, lat, lon) of 12 x 90 x 180, in rectilinear chunks, with NaN as nodata."""
    return f"{_AUTOTEST}/data/demo/sea_surface_temperature_v3_rectilinear.zarr"
