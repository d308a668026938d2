# SPDX-License-Identifier: MIT
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
AUTOTEST = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(AUTOTEST, "pymod")]
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(os.path.dirname(AUTOTEST), "build", "gdalplugins"))

from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)

from plugin_in_use import pytest_sessionstart  # noqa: E402, F401

gdal.UseExceptions()
