# SPDX-License-Identifier: MIT
"""GDAL of another minor version than the plugin's says so, and goes on with the driver that is built into it."""

import os
import re
import subprocess
import sys

import pytest

PLUGINS = os.environ["GDAL_DRIVER_PATH"]
OTHER_VERSION = os.path.join(os.path.dirname(PLUGINS), "autotest", "other_version")

# Prints the version of the driver in use, and what GDAL has said before that.
PROGRAM = """
import warnings
warnings.simplefilter("ignore")
from osgeo import gdal
driver = gdal.GetDriverByName("Zarr")
print(driver.GetMetadataItem("ZARRLIB_VERSION") if driver else "no driver")
"""


def register(plugins):
    """Returns the version of the driver that a new process uses with these plugins, and the lines of its errors."""
    environment = {**os.environ, "GDAL_DRIVER_PATH": str(plugins)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), [line for line in done.stderr.splitlines() if line]


def test_the_plugin_is_in_use():
    version, errors = register(PLUGINS)
    assert version.startswith("zarrlib ")
    assert errors == []


def test_the_plugin_is_switched_off_for_one_call():
    assert register("disable") == ("None", [])


@pytest.mark.skipif(not os.path.exists(os.path.join(OTHER_VERSION, "gdal_Zarr.so")), reason="the C++ tests are not built here")
def test_another_version_is_refused_in_one_sentence():
    version, errors = register(OTHER_VERSION)
    assert version == "None"
    assert len(errors) == 1
    assert re.search(r"Zarr driver was compiled against GDAL 3\.99, but the current library version is 3\.\d+", errors[0])


def test_a_plugin_for_a_library_that_is_absent_is_left_out(tmp_path):
    """The system's linker names the library of GDAL that the plugin was built for."""
    with open(os.path.join(PLUGINS, "gdal_Zarr.so"), "rb") as f:
        content = f.read()
    name = re.search(rb"\0(libgdal\.so\.\d\d)\0", content).group(1)
    other = name[:-2] + b"99"
    (tmp_path / "gdal_Zarr.so").write_bytes(content.replace(b"\0" + name + b"\0", b"\0" + other + b"\0"))
    version, errors = register(tmp_path)
    assert version == "None"
    assert errors and all(other.decode() in line for line in errors)
