# SPDX-License-Identifier: MIT
"""In place of GDAL's bindings, for a GDAL that was built for another system: see gdal.py."""
