# SPDX-License-Identifier: MIT
"""Windows whose numbers are no whole pixels are resampled, also if they have as many pixels as the buffer."""

import numpy as np
import pytest
from osgeo import gdal

ROWS, COLUMNS = 50, 60
WINDOWS = [(0.5, 0.25, 10, 8), (3.4, 7.6, 12.3, 9.8), (0, 0, 19.7, 20.2), (7, 9, 10, 8)]


@pytest.fixture
def rasters(store, tmp_path):
    values = np.add.outer(np.arange(ROWS) * 100.0, np.arange(COLUMNS)).astype("f4")
    source = gdal.GetDriverByName("MEM").Create("", COLUMNS, ROWS, 2, gdal.GDT_Float32)
    for band in (1, 2):
        source.GetRasterBand(band).WriteArray(values * band)
    copies = {"Zarr": store, "GTiff": str(tmp_path / "a.tif")}
    for driver, path in copies.items():
        options = ["INTERLEAVE=BAND"] if driver == "GTiff" else []  # GDAL forgets the fractions of its other ones
        gdal.GetDriverByName(driver).CreateCopy(path, source, options=options)
    return [gdal.Open(path) for path in copies.values()]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("method", [gdal.GRIORA_NearestNeighbour, gdal.GRIORA_Bilinear, gdal.GRIORA_Cubic])
def test_a_window_is_read_as_from_another_format(rasters, window, method):
    width, height = round(window[2]), round(window[3])
    for read in (lambda d: d, lambda d: d.GetRasterBand(2)):
        found, expected = (
            read(dataset).ReadRaster(*window, width, height, gdal.GDT_Float64, resample_alg=method)
            for dataset in rasters
        )
        assert found == expected


@pytest.mark.parametrize("method", ["nearest", "bilinear"])
def test_a_translated_window_is_that_of_another_format(rasters, method):
    for dataset in rasters:
        assert dataset.RasterXSize == COLUMNS
    window = [2.3, 5.7, 20, 16]
    options = {"format": "MEM", "srcWin": window, "resampleAlg": method}
    found, expected = (gdal.Translate("", dataset, **options).ReadAsArray() for dataset in rasters)
    np.testing.assert_array_equal(found, expected)
