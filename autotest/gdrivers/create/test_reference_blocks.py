# SPDX-License-Identifier: MIT
"""References to blocks that are stored in another way than their array suggests: they have the source's values, or none are made."""

import numpy as np
import pytest
from osgeo import gdal

CREATION = {"a.json": ["FORMAT=KERCHUNK"], "a.parq": ["FORMAT=KERCHUNK"], "a.icechunk": ["FORMAT=ICECHUNK", "VIRTUAL=YES"]}


def open_array(path, name):
    return gdal.OpenEx(str(path), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray(name)


@pytest.mark.parametrize("target", CREATION)
@pytest.mark.parametrize("records", [True, False])
def test_signed_bytes_of_netcdf(tmp_path, target, records):
    """GDAL before 3.7 shows them as Int16. Blocks that are 0 look right even if they have the wrong size."""
    netcdf = pytest.importorskip("netCDF4", reason="python3-netcdf4 makes the file; it is not installed")
    flags = np.zeros((12, 100, 300), "i1")
    flags[3:8, 50:90] = np.arange(-150, 150)
    with netcdf.Dataset(tmp_path / "a.nc", "w", format="NETCDF3_CLASSIC") as file:
        for name, size in (("t", None if records else 12), ("y", 100), ("x", 300)):
            file.createDimension(name, size)
        file.createVariable("flags", "i1", ("t", "y", "x"), fill_value=-128)[:] = flags
        file.createVariable("rain", "f4", ("t", "y", "x"))[:] = flags
    gdal.MultiDimTranslate(str(tmp_path / target), str(tmp_path / "a.nc"), format="Zarr", creationOptions=CREATION[target])
    for name in ("flags", "rain"):
        np.testing.assert_array_equal(open_array(tmp_path / target, name).ReadAsArray(), flags)
    assert open_array(tmp_path / target, "flags").GetNoDataValueAsDouble() == -128


@pytest.mark.parametrize("band", [1, 2, 3])
def test_last_strips_that_are_stored_whole(tmp_path, band):
    """GDAL stores those of a band that nobody writes so. Readers of Zarr would refuse them."""
    source = str(tmp_path / "a.tif")
    options = ["COMPRESS=DEFLATE", "INTERLEAVE=BAND", "BLOCKYSIZE=16"]
    dataset = gdal.GetDriverByName("GTiff").Create(source, 20, 25, 3, gdal.GDT_Int16, options)
    for other in {1, 2, 3} - {band}:
        dataset.GetRasterBand(other).WriteArray(np.arange(500).reshape(25, 20))
    dataset = None
    with pytest.raises(RuntimeError, match=rf"block \[{band - 1},1,0\] cannot be described by a reference"):
        gdal.GetDriverByName("Zarr").CreateCopy(str(tmp_path / "a.json"), gdal.Open(source), options=["FORMAT=KERCHUNK"])
    assert not (tmp_path / "a.json").exists()
