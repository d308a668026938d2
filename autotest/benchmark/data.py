# SPDX-License-Identifier: MIT
"""Makes what is measured, once: stores, GeoTIFF files, values, and the plans of the limit program."""
import os
import subprocess
import sys

from limit_plan import write_plan
from stores import write_metadata

HERE = os.path.dirname(os.path.abspath(__file__))

FILL = """
import sys
import numpy as np
from osgeo import gdal
gdal.UseExceptions()
values, axis_last, *paths = sys.argv[1:]
data = np.load(values)
if axis_last == "1":
    data = np.ascontiguousarray(np.moveaxis(data, -1, 0))
for path in paths:
    dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    dataset.WriteArray(data)
    dataset = None
"""

TIFF = """
import sys
import numpy as np
from osgeo import gdal, gdal_array
gdal.UseExceptions()
values, path, codec, block = sys.argv[1:]
data = np.load(values)
height, width = data.shape
options = ["TILED=YES", f"BLOCKXSIZE={block}", f"BLOCKYSIZE={block}", f"COMPRESS={codec}", "BIGTIFF=YES"]
options += ["ZSTD_LEVEL=3"] if codec == "ZSTD" else []
code = gdal_array.NumericTypeCodeToGDALTypeCode(data.dtype)
gdal.GetDriverByName("GTiff").Create(path, width, height, 1, code, options=options).WriteArray(data)
"""


class Data:
    def __init__(self, folder, plugin):
        self.folder, self.plugin = folder, plugin
        os.makedirs(folder, exist_ok=True)

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _run(self, code, *arguments, driver_path=None):
        environment = {**os.environ, "GDAL_DRIVER_PATH": driver_path or self.plugin, "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([sys.executable, "-c", code, *arguments], env=environment, check=True)

    def values(self, store):
        """Path of a file with the values of a store (NumPy's own format)."""
        name = "-".join([store.kind, *map(str, store.shape)]) + ".npy"
        path = self._path(name)
        if not os.path.exists(path):
            code = f"import sys; sys.path.insert(0, {HERE!r}); import numpy as np, values; "
            code += f"np.save({path + '.npy'!r}, values.make({store.kind!r}, {store.shape!r}))"
            self._run(code)
            os.rename(path + ".npy", path)
        return path

    def store(self, store):
        """Path of a store, filled unless it says otherwise."""
        path = self._path(store.name + ".zarr")
        done = path + ".done"
        if not os.path.exists(done):
            write_metadata(store, path)
            if store.filled:
                self._run(FILL, self.values(store), str(int(store.kind == "image")), path)
            open(done, "w").close()
        return path

    def empty(self, store):
        """Path of the same without chunks."""
        path = self._path(store.name + ".empty")
        if not os.path.exists(path):
            write_metadata(store, path)
        return path

    def plan(self, store, window=None):
        suffix = "-".join(f"{a}_{b}" for a, b in window) if window else "all"
        path = self._path(f"{store.name}-{suffix}.plan")
        if not os.path.exists(path):
            write_plan(store, self.store(store), path, window)
        return path

    def geotiff(self, store, codec):
        path = self._path(f"{store.kind}-{store.shape[0]}-{codec}-{store.chunks[0]}.tif")
        if not os.path.exists(path):
            self._run(TIFF, self.values(store), path, codec, str(store.chunks[0]), driver_path="disable")
        return path
