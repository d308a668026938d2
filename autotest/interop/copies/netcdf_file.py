# SPDX-License-Identifier: MIT
"""How the files of sources.py and place_sources.py are made."""

import os

import numpy as np

try:
    import netCDF4
except ImportError:
    netCDF4 = None


class File:
    """A netCDF file that is being made."""

    def __init__(self, folder, name="a.nc", **options):
        self.path = os.path.join(str(folder), name)
        self.file = netCDF4.Dataset(self.path, "w", **options)
        self.file.set_auto_mask(False)

    def dimensions(self, **sizes):
        for name, size in sizes.items():
            self.file.createDimension(name, size)

    def add(self, name, dimensions, values, kind=None, fill=False, group=None, **attributes):
        values = np.asarray(values)
        options = {key: attributes.pop(key) for key in ("chunksizes", "zlib") if key in attributes}
        target = group if group is not None else self.file
        variable = target.createVariable(name, kind or values.dtype, dimensions, fill_value=fill, **options)
        variable.set_auto_maskandscale(False)
        if values.dtype.kind in "OUS" or values.shape == ():
            variable[...] = values
        else:
            variable[:] = values
        variable.setncatts(attributes)
        return variable

    def axes(self, ny=3, nx=4, kind="f8", **more):
        self.dimensions(lat=ny, lon=nx)
        self.add("lat", ("lat",), np.linspace(52, 50, ny), kind, standard_name="latitude", units="degrees_north", **more)
        self.add("lon", ("lon",), np.linspace(5, 8, nx), kind, standard_name="longitude", units="degrees_east", **more)

    def times(self, n=3, unit="days since 2000-01-01", **more):
        self.dimensions(time=n)
        self.add("time", ("time",), np.arange(float(n)), standard_name="time", units=unit, **more)

    def done(self, **globals_):
        self.file.setncatts({"Conventions": "CF-1.11", **globals_})
        self.file.close()
        return self.path


def ramp(*shape, kind="f4"):
    return np.arange(np.prod(shape), dtype=kind).reshape(shape)
