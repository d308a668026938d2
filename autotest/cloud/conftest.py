# SPDX-License-Identifier: MIT
"""Tests of stores on the web run against the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/,
and against servers on the loopback."""

import os
import sys

import pytest

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(_ROOT, "build", "gdalplugins"))

sys.path.insert(0, os.path.join(_ROOT, "autotest", "pymod"))  # helpers of several tests

from fault_server import FaultServer  # noqa: E402
from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)

gdal.UseExceptions()


def pytest_sessionstart(session):
    """Makes sure that the plugin is tested and not GDAL's built-in driver, which has the same name."""
    driver = gdal.GetDriverByName("Zarr")
    if driver is None or not (driver.GetMetadataItem("ZARRLIB_VERSION") or "").startswith("zarrlib "):
        path = os.environ["GDAL_DRIVER_PATH"]
        raise pytest.UsageError(f"the Zarr driver in use is not this project's: GDAL_DRIVER_PATH is {path}")


@pytest.fixture
def server(tmp_path):
    """A server of the test's folder that fails on request."""
    with FaultServer(tmp_path).serve() as running:
        yield running


@pytest.fixture
def slow_server(tmp_path):
    """A server that takes 50 ms for each request, so that requests that wait for each other can be told."""
    with FaultServer(tmp_path, latency=0.05).serve() as running:
        yield running


@pytest.fixture(autouse=True)
def settings():
    """No test waits for ever."""
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", "30")
    yield
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", None)
    gdal.VSICurlClearCache()
