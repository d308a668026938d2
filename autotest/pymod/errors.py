# SPDX-License-Identifier: MIT
"""Collects the errors that GDAL raises."""

import contextlib

from osgeo import gdal


@contextlib.contextmanager
def collect_errors():
    """Gives a list that gets a pair (class of the error, message) for each error and warning."""
    errors = []
    gdal.PushErrorHandler(lambda level, number, text: errors.append((level, text)))
    try:
        yield errors
    finally:
        gdal.PopErrorHandler()
