# SPDX-License-Identifier: MIT
"""GDAL's programs and bindings load the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/."""

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(_ROOT, "build", "gdalplugins"))

sys.path.insert(0, os.path.join(_ROOT, "autotest", "pymod"))  # helpers of several tests

from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)
from plugin_in_use import pytest_sessionstart  # noqa: E402, F401

gdal.UseExceptions()
