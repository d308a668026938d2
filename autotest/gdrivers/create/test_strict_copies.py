# SPDX-License-Identifier: MIT
"""GDAL's strict copying stops after any warning, without an error; a copy says why, and not for the source's sake."""

import os

import pytest
from errors import collect_errors
from osgeo import gdal

# GDAL's GeoTIFF driver warns when such a CRS is read: the ellipsoid is not that of EPSG:4326.
CRS = (
    'PROJCS["x",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378140,298.25]],PRIMEM["Greenwich",0],'
    'UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],PROJECTION["Albers_Conic_Equal_Area"],'
    'PARAMETER["latitude_of_center",23],PARAMETER["longitude_of_center",-96],PARAMETER["standard_parallel_1",29.5],'
    'PARAMETER["standard_parallel_2",45.5],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]'
)


def make_source(path):
    source = gdal.GetDriverByName("GTiff").Create(str(path), 4, 3)
    source.SetProjection(CRS)
    source.SetGeoTransform((10, 1, 0, 20, 0, -1))
    source.GetRasterBand(1).Fill(7)
    source = None
    return gdal.Open(str(path))


def test_a_warning_of_the_source_is_not_a_loss(store, tmp_path):
    source = make_source(tmp_path / "a.tif")
    gdal.DontUseExceptions()
    with collect_errors() as errors:
        copy = gdal.GetDriverByName("Zarr").CreateCopy(store, source, strict=1)
    gdal.UseExceptions()
    assert copy
    assert "EPSG:4326" in str(errors)
    copy = None
    assert gdal.Open(store).GetGeoTransform() == (10, 1, 0, 20, 0, -1)
    assert (gdal.Open(store).ReadAsArray() == 7).all()


def test_a_strict_copy_that_stops_says_why(store, tmp_path):
    source = gdal.GetDriverByName("MEM").Create("", 4, 3)
    with pytest.raises(RuntimeError, match="strict copy is not made, because of this warning: .*option FOO"):
        gdal.GetDriverByName("Zarr").CreateCopy(store, source, strict=1, options=["FOO=BAR"])
    assert os.listdir(tmp_path) == []
    assert gdal.GetDriverByName("Zarr").CreateCopy(store, source, strict=0, options=["FOO=BAR"])
