# SPDX-License-Identifier: MIT
"""Makes sure that the plugin answers, and not GDAL's own driver, which has the same name: in a session of tests, in programs in
Python that tests start, and in other programs. GDAL falls back to its own driver without a word where a user may not read the
plugin, or where a process has another environment."""

import functools
import os
import subprocess
import sys

# The first lines of a program in Python. They load the plugin, as the first call of GDAL does.
CHECK = """
import warnings as _warnings
from osgeo import gdal as _gdal
with _warnings.catch_warnings():
    _warnings.simplefilter("ignore")  # the program chooses later whether GDAL raises exceptions
    _driver = _gdal.GetDriverByName("Zarr")
if _driver is None or not (_driver.GetMetadataItem("ZARRLIB_VERSION") or "").startswith("zarrlib "):
    raise SystemExit("the Zarr driver in use is not this project's: GDAL_DRIVER_PATH is " + str(_gdal.GetConfigOption("GDAL_DRIVER_PATH")))
del _warnings, _gdal, _driver
"""


def check():
    """Ends this program if it would not test the plugin."""
    exec(CHECK, {})


def pytest_sessionstart(session):
    """For the conftest.py of each folder of tests to import."""
    import pytest

    try:
        check()
    except SystemExit as reason:
        raise pytest.UsageError(str(reason)) from None


def python(program, *arguments):
    """The command that runs a program, a text, with this Python. The program ends at once without the plugin."""
    return [sys.executable, "-c", CHECK + program, *map(str, arguments)]


@functools.cache
def _check_programs(environment):
    """For each environment once, because it takes a process."""
    done = subprocess.run(["gdalinfo", "--format", "Zarr"], env=dict(environment), capture_output=True, text=True)
    assert "ZARRLIB_VERSION" in done.stdout, f"programs use GDAL's own driver, and not the plugin: {done.stdout}{done.stderr}"


def check_programs(environment=None):
    """Fails if GDAL's programs do not use the plugin in an environment, by default that of this process."""
    _check_programs(frozenset((os.environ if environment is None else environment).items()))


def run_program(command, env=None, **options):
    """The same as subprocess.run for a program that uses GDAL, or for a shell that runs some. It must use the plugin."""
    check_programs(env)
    return subprocess.run(command, env=env, **options)
