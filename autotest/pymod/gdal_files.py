# SPDX-License-Identifier: MIT
"""Files that GDAL's other drivers write, as bytes."""

import numpy as np
import pytest
from osgeo import gdal, gdal_array


def write_with_gdal(driver, data, options=(), *, geotransform=None, srs=None, nodata=None):
    """Returns the bytes of a file with an array, or skips the test if there is no such driver."""
    if gdal.GetDriverByName(driver) is None:
        pytest.skip(f"this GDAL has no driver {driver}")
    name = "/vsimem/written/file"
    source = gdal.GetDriverByName("MEM").CreateCopy("", gdal_array.OpenArray(np.ascontiguousarray(data)))
    if geotransform:
        source.SetGeoTransform(geotransform)
    if srs:
        source.SetProjection(srs)
    if nodata is not None:
        source.GetRasterBand(1).SetNoDataValue(nodata)
    gdal.GetDriverByName(driver).CreateCopy(name, source, options=list(options))
    content = read_with_gdal(name)
    for extra in ("", ".aux.xml"):
        if gdal.VSIStatL(name + extra):
            gdal.Unlink(name + extra)
    return content


def read_with_gdal(name, offset=0, size=None):
    f = gdal.VSIFOpenL(name, "rb")
    size = size if size is not None else gdal.VSIStatL(name).size
    gdal.VSIFSeekL(f, offset, 0)
    content = gdal.VSIFReadL(1, size, f)
    gdal.VSIFCloseL(f)
    return bytes(content)


def read_gdal(content):
    """Returns the pixels of a file that has these bytes, as GDAL reads them."""
    gdal.FileFromMemBuffer("/vsimem/read.bin", content)
    data = gdal.Open("/vsimem/read.bin").ReadAsArray()
    gdal.Unlink("/vsimem/read.bin")
    return data


def make_tiff_block(data, options):
    """Returns the bytes of the one strip or tile of a TIFF file with an array."""
    content = write_with_gdal("GTiff", data, [*options, f"BLOCKYSIZE={data.shape[-2]}"])
    gdal.FileFromMemBuffer("/vsimem/block.tif", content)
    dataset = gdal.Open("/vsimem/block.tif")
    band = dataset.GetRasterBand(1)
    offset, size = (int(band.GetMetadataItem(f"BLOCK_{name}_0_0", "TIFF")) for name in ("OFFSET", "SIZE"))
    dataset = None
    gdal.Unlink("/vsimem/block.tif")
    return content[offset : offset + size]
