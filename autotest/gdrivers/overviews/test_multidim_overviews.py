# SPDX-License-Identifier: MIT
"""BuildOverviews for arrays of the multidimensional API."""

import numpy as np
import pytest
from osgeo import gdal

pytestmark = pytest.mark.skipif(not hasattr(gdal.MDArray, "GetOverviewCount"), reason="needs GDAL 3.13 or later")


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_a_multidimensional_array_gets_overviews(tmp_path, version):
    path = str(tmp_path / "a.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 64, 32, 2, gdal.GDT_Int16)
    source.WriteArray(np.arange(2 * 32 * 64, dtype="<i2").reshape(2, 32, 64))
    gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=[f"FORMAT={version}", "ARRAY_NAME=a"])

    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    assert array.BuildOverviews("NEAREST", [2, 4]) == gdal.CE_None
    assert [array.GetOverview(i).GetShape() for i in range(array.GetOverviewCount())] == [(2, 16, 32), (2, 8, 16)]
    assert array.BuildOverviews("AVERAGE", [8]) == gdal.CE_None  # replaces the others
    assert [array.GetOverview(i).GetShape() for i in range(array.GetOverviewCount())] == [(2, 4, 8)]
    for method, factors in [("NONSENSE", [2]), ("NEAREST", [1])]:
        with pytest.raises(RuntimeError):
            array.BuildOverviews(method, factors)
        assert array.GetOverviewCount() == 1  # a wrong request removes nothing
    del array, dataset

    raster = gdal.Open(path)
    band = raster.GetRasterBand(2)
    expected = np.arange(32 * 64, 2 * 32 * 64).reshape(4, 8, 8, 8).mean(axis=(1, 3))
    assert np.abs(band.GetOverview(0).ReadAsArray() - expected).max() <= 0.5
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    assert array.BuildOverviews("NEAREST", []) == gdal.CE_None
    assert array.GetOverviewCount() == 0


def test_an_array_that_cannot_be_changed_gets_none(tmp_path):
    path = str(tmp_path / "a.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 8, 8, 1, gdal.GDT_Byte)
    gdal.GetDriverByName("Zarr").CreateCopy(path, source, options=["ARRAY_NAME=a"])
    array = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a")
    with pytest.raises(RuntimeError, match="is not open in update mode"):
        array.BuildOverviews("NEAREST", [2])
