# SPDX-License-Identifier: MIT
"""Sets configuration options of GDAL for a while, for all threads."""

import contextlib
import os


@contextlib.contextmanager
def set_config_option(name, value):
    from osgeo import gdal

    # An option that the environment sets must come from the environment again afterwards.
    before = None if name in os.environ else gdal.GetConfigOption(name)
    gdal.SetConfigOption(name, value)
    try:
        yield
    finally:
        gdal.SetConfigOption(name, before)


@contextlib.contextmanager
def set_config_options(options):
    with contextlib.ExitStack() as stack:
        for name, value in options.items():
            stack.enter_context(set_config_option(name, value))
        yield


class Configurable:
    """A store whose `settings` returns GDAL's options for it."""

    @contextlib.contextmanager
    def configure(self):
        """Sets the options, and lets GDAL forget what it knows of the store afterwards."""
        from osgeo import gdal

        try:
            with set_config_options(self.settings()):
                yield self
        finally:
            gdal.VSICurlClearCache()
