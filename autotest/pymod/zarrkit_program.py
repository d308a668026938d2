# SPDX-License-Identifier: MIT
"""Runs the zarrkit that belongs to the plugin."""

import os
import subprocess

import pytest
from osgeo import gdal


def run_zarrkit(*arguments):
    """Returns what zarrkit prints. Skips the test where only the plugin was built."""
    program = os.path.join(gdal.GetConfigOption("GDAL_DRIVER_PATH"), "../zarrlib/tools/zarrkit")
    if not os.path.exists(program):
        pytest.skip("zarrkit is not there")
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
