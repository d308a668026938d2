# SPDX-License-Identifier: MIT
"""The version of GDAL, and marks for tests of functions that it may not have."""

import pytest
from osgeo import gdal

GDAL_VERSION = int(gdal.VersionInfo("VERSION_NUM")) // 10000  # 308 for 3.8.x

needs_resize = pytest.mark.skipif(not hasattr(gdal.MDArray, "Resize"), reason="needs GDAL 3.7 or later")
needs_deletion = pytest.mark.skipif(not hasattr(gdal.Group, "DeleteMDArray"), reason="needs GDAL 3.8 or later")
