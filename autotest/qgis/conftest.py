# SPDX-License-Identifier: MIT
"""QGIS without a screen, with the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/."""

import os
import sys

import pytest

_AUTOTEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(os.path.dirname(_AUTOTEST), "build", "gdalplugins"))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, os.path.join(_AUTOTEST, "pymod"))  # for stores.py

from plugin_in_use import pytest_sessionstart  # noqa: E402, F401  (reads GDAL_DRIVER_PATH)

try:
    from qgis.core import QgsApplication
except ImportError:
    QgsApplication = None


@pytest.fixture(scope="session")
def qgis(tmp_path_factory):
    """A running QGIS with settings of its own."""
    if QgsApplication is None:
        pytest.skip("QGIS is not installed for this Python: bash cmake/deps.sh qgis")
    os.environ["XDG_RUNTIME_DIR"] = str(tmp_path_factory.mktemp("runtime"))
    os.chmod(os.environ["XDG_RUNTIME_DIR"], 0o700)
    QgsApplication.setPrefixPath("/usr", True)
    application = QgsApplication([], False, str(tmp_path_factory.mktemp("profile")))
    application.initQgis()
    yield application
    application.exitQgis()


@pytest.fixture
def store(tmp_path):
    """The path of a store that does not exist yet, in a folder of its own."""
    return str(tmp_path / "test.zarr")
