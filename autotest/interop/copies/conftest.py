# SPDX-License-Identifier: MIT
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
AUTOTEST = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(AUTOTEST, "pymod")]
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(os.path.dirname(AUTOTEST), "build", "gdalplugins"))

import pytest  # noqa: E402
from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)

from plugin_in_use import pytest_sessionstart  # noqa: E402, F401

gdal.UseExceptions()


@pytest.fixture(autouse=True)
def side_files(monkeypatch):
    """What only side files can keep is copied, too."""
    monkeypatch.setenv("GDAL_PAM_ENABLED", "YES")
    before = gdal.GetConfigOption("GDAL_PAM_ENABLED")
    gdal.SetConfigOption("GDAL_PAM_ENABLED", "YES")
    yield
    gdal.SetConfigOption("GDAL_PAM_ENABLED", before)
