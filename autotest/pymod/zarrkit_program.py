# SPDX-License-Identifier: MIT
"""Runs the zarrkit that belongs to the plugin."""

import os
import subprocess

import pytest
from osgeo import gdal


def run_zarrkit(*arguments, may_fail=False):
    """Returns what zarrkit prints; if it may fail, also its errors. Skips the test where only the plugin was built."""
    program = os.path.join(gdal.GetConfigOption("GDAL_DRIVER_PATH"), "../zarrlib/tools/zarrkit")
    if not os.path.exists(program):
        pytest.skip("zarrkit is not there")
    done = subprocess.run([program, *arguments], check=not may_fail, capture_output=True, text=True)
    return done.stdout + (done.stderr if may_fail else "")
