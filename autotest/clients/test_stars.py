# SPDX-License-Identifier: MIT
"""R's stars and sf read and write stores, by the raster and by the multidimensional API."""

import os

import numpy as np
import pytest
from osgeo import gdal
from programs import RSession, absent, read_doubles, require_r, version_of_r_package
from weather import EXTENT, RAIN, SHOWN, T2M, TIMES, write_weather

require_r("stars", "r-cran-stars")
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")


@pytest.fixture(scope="module")
def stars():
    session = RSession("stars")
    yield session.run
    session.close()


def read(stars, expression, folder, shape=T2M.shape):
    """The values of the first array of what an expression makes, NaN for NA."""
    stars(f"m <- {expression}\nwriteBin(as.double(m[[1]]), 'values.bin')", folder)  # the first dimension varies fastest
    return read_doubles(f"{folder}/values.bin", shape)


# --- rasters ----------------------------------------------------------------------------------------------------------


def test_a_store_by_its_path(stars, cube, folder):
    np.testing.assert_array_equal(read(stars, f'read_stars("{cube}")', folder), SHOWN)
    script = """
      m <- read_stars("{}")
      cat(st_get_dimension_values(m, "band"), sep = "\\n")
      cat(st_bbox(m), st_crs(m)$epsg, attr(m[[1]], "units")$numerator, sep = "\\n")
    """
    lines = stars(script.format(cube), folder)
    assert lines[:3] == TIMES
    assert tuple(float(value) for value in lines[3:7]) == EXTENT
    assert lines[7:] == ["4326", "K"]


def test_rectilinear_chunks(stars, temperatures, folder):
    expected = np.load(f"{DEMO}/expected_sst.npy")  # from south to north, as stored
    np.testing.assert_array_equal(read(stars, f'read_stars("{temperatures}")', folder, expected.shape), expected)


def test_an_array_by_its_name(stars, weather, folder):
    name = f'ZARR:"{weather}":/t2m'
    np.testing.assert_array_equal(read(stars, f"read_stars('{name}')", folder), SHOWN)
    np.testing.assert_array_equal(read(stars, f"read_stars('{name}:time=2024-02-01')", folder, (20, 30)), T2M[1])


def test_arrays_of_a_store_are_attributes(stars, weather, folder):
    lines = stars(f'm <- read_stars("{weather}", quiet = TRUE); cat("", names(m), m[["/rain"]][2, 1, ], sep = "\\n")', folder)
    assert lines[-5:] == ["/rain", "/t2m", *(f"{value:g}" for value in RAIN[:, 0, 1])]


def test_a_window_and_a_smaller_picture(stars, cube, folder):
    window = "RasterIO = list(nXOff = 11, nYOff = 6, nXSize = 10, nYSize = 5, bands = c(1, 3))"
    np.testing.assert_array_equal(read(stars, f'read_stars("{cube}", {window})', folder, (2, 5, 10)), T2M[::2, 5:10, 10:20])
    smaller = "RasterIO = list(nBufXSize = 15, nBufYSize = 10)"
    got = read(stars, f'read_stars("{cube}", {smaller})', folder, (3, 10, 15))
    np.testing.assert_array_equal(got[1:], T2M[1:, 1::2, 1::2])


def test_write_a_store(stars, cube, folder):
    stars(f'write_stars(read_stars("{cube}"), "out.zarr", driver = "Zarr", options = "FORMAT=ZARR_V3")', folder)
    np.testing.assert_array_equal(read(stars, 'read_stars("out.zarr")', folder), SHOWN)
    dataset = gdal.Open(f"{folder}/out.zarr")
    assert dataset.GetGeoTransform() == (-10, 1, 0, 60, 0, -1)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "4326"


def test_utilities_of_sf(stars, cube, folder):
    script = """
      sf::gdal_utils("translate", "{0}", "copy.zarr", c("-of", "Zarr", "-b", "2"), quiet = TRUE)
      sf::gdal_utils("warp", "{0}", "warp.zarr", c("-of", "Zarr", "-t_srs", "EPSG:3035"), quiet = TRUE)
      sf::gdal_addo("copy.zarr", overviews = 2)
    """
    stars(script.format(cube), folder)
    dataset = gdal.Open(f"{folder}/copy.zarr")
    np.testing.assert_array_equal(dataset.ReadAsArray(), T2M[1])
    assert dataset.GetRasterBand(1).GetOverview(0).XSize == 15
    assert gdal.Open(f"{folder}/warp.zarr").GetSpatialRef().GetAuthorityCode(None) == "3035"


# --- the multidimensional API -----------------------------------------------------------------------------------------

can_mdim = pytest.mark.skipif(
    version_of_r_package("sf") < (1, 0, 9), reason="R's sf reads arrays by the multidimensional API since 1.0-9"
)
has_times = pytest.mark.skipif(
    version_of_r_package("stars") >= (0, 7) and version_of_r_package("CFtime") is None,
    reason=absent("R's CFtime", "r-cran-cftime, which Debian has since 13"),
)


@can_mdim
def test_arrays_by_sf(stars, weather, folder):
    script = """
      m <- sf::gdal_read_mdim("{}", c("t2m", "rain"))
      cat(names(m$array_list), names(m$dimensions), m$dimensions$time$values[[1]], sep = "\\n")
      cat(attr(m$dimensions$time$values[[1]], "units"), "\\n")
      writeBin(as.double(m$array_list$t2m), "values.bin")
    """
    lines = stars(script.format(weather), folder)
    assert lines[:8] == ["t2m", "rain", "time", "lat", "lon", "0", "31", "60"]
    assert lines[8].strip() == "days since 2024-01-01"
    np.testing.assert_array_equal(read_doubles(f"{folder}/values.bin", T2M.shape), SHOWN)


@can_mdim
@has_times
def test_an_array_with_its_times(stars, folder):
    """stars before 0.6-1 takes coordinates only if these have no unit that it knows, also those of netCDF."""
    units = version_of_r_package("stars") >= (0, 6, 1)
    store = write_weather(f"{folder}/weather.zarr", coordinate_units=units)
    np.testing.assert_array_equal(read(stars, f'read_mdim("{store}", "t2m")', folder), SHOWN)
    script = f'cat(format(st_get_dimension_values(read_mdim("{store}", "t2m"), "time"), "%Y-%m-%dT%H:%M:%SZ"), sep = "\\n")'
    assert stars(script, folder) == TIMES


@can_mdim
@has_times
def test_write_an_array(stars, folder):
    units = version_of_r_package("stars") >= (0, 6, 1)
    store = write_weather(f"{folder}/weather.zarr", coordinate_units=units)
    stars(f'write_mdim(read_mdim("{store}", "t2m"), "out.zarr", "Zarr")', folder)
    group = gdal.OpenEx(f"{folder}/out.zarr", gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    np.testing.assert_array_equal(group.OpenMDArray("t2m").ReadAsArray()[1:], T2M[1:])
    names = [dimension.GetName() for dimension in group.OpenMDArray("t2m").GetDimensions()]
    assert names == ["time", "lat", "lon"]
