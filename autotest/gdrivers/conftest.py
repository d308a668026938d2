# SPDX-License-Identifier: MIT
"""The driver's tests run against the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/."""

import os
import sys

import pytest

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(_ROOT, "build", "gdalplugins"))
os.environ["GDAL_PAM_ENABLED"] = "NO"

sys.path.insert(0, os.path.join(_ROOT, "autotest", "pymod"))  # helpers of several tests

from http_server import Server  # noqa: F401
from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)
from plugin_in_use import pytest_sessionstart  # noqa: E402, F401

gdal.UseExceptions()


@pytest.fixture
def store(tmp_path):
    """The path of a store that does not exist yet, in a folder of its own."""
    return str(tmp_path / "test.zarr")


@pytest.fixture
def server(tmp_path):
    """A server of the folder that has the store."""
    with Server(str(tmp_path)).serve() as running:
        yield running


@pytest.fixture
def side_files():
    """Enables side files, in which GDAL keeps what the driver does not write into stores."""
    gdal.SetConfigOption("GDAL_PAM_ENABLED", "YES")
    yield
    gdal.SetConfigOption("GDAL_PAM_ENABLED", None)
