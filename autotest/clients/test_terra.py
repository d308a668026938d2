# SPDX-License-Identifier: MIT
"""R's terra reads and writes stores."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal
from programs import RSession, read_doubles, require_r, version_of_r_package
from weather import EXTENT, RAIN, SHOWN, T2M, TIMES

require_r("terra", "r-cran-terra")
READS_ARRAYS = version_of_r_package("terra") >= (1, 9)
has_layers_of_bands = pytest.mark.skipif(READS_ARRAYS, reason="R's terra calls layers of stores after bands only before 1.9")
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")


@pytest.fixture(scope="module")
def terra():
    session = RSession("terra")
    yield session.run
    session.close()


def read(terra, name, folder, shape=T2M.shape, more=""):
    """The values that terra has of a raster, NaN for NA."""
    script = f"r <- rast('{name}')\n{more}\nstopifnot(dim(r) == c{(*shape[1:], shape[0])})\n"
    terra(script + 'writeBin(as.double(values(r)), "values.bin")', folder)
    return read_doubles(f"{folder}/values.bin", shape)


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_store_by_its_path(terra, cube, folder):
    np.testing.assert_array_equal(read(terra, cube, folder), SHOWN)
    place = terra(f'r <- rast("{cube}"); cat(as.vector(ext(r)), crs(r, describe = TRUE)$code, sep = "\\n")', folder)
    west, south, east, north = EXTENT
    assert [float(value) for value in place[:4]] == [west, east, south, north]
    assert place[4] == "4326"


def test_rectilinear_chunks(terra, relief, folder):
    got = read(terra, relief, folder, (1, 540, 1080))
    np.testing.assert_array_equal(got[0], np.load(f"{DEMO}/expected_relief.npy"))


@has_layers_of_bands
def test_layers_of_an_array_are_called_after_times(terra, weather, folder):
    assert terra(f"""cat(names(rast('ZARR:"{weather}":/t2m')), sep = "\\n")""", folder) == TIMES
    assert terra(f'cat(names(rast("{weather}/t2m")), sep = "\\n")', folder) == TIMES


@pytest.mark.skipif(not READS_ARRAYS, reason="R's terra reads times of stores since 1.9, by the multidimensional API")
def test_layers_of_an_array_have_times(terra, weather, folder):
    script = f"""r <- rast('ZARR:"{weather}":/t2m'); cat(format(time(r), "%Y-%m-%dT00:00:00Z"), units(r), sep = "\\n")"""
    assert terra(script, folder) == [*TIMES, "K", "K", "K"]


def test_layers_of_a_store_are_called_after_arrays(terra, weather, folder):
    """terra opens the subdatasets that a store lists, and calls layers by their names."""
    lines = terra(f'r <- rast("{weather}"); cat(names(r), as.vector(values(r)[2, ]), sep = "\\n")', folder)
    assert lines[:6] == ["rain_1", "rain_2", "rain_3", "t2m_1", "t2m_2", "t2m_3"]
    assert [float(value) for value in lines[6:]] == [*RAIN[:, 0, 1], *T2M[:, 0, 1]]


def test_arrays_of_a_store(terra, weather, folder):
    assert terra(f'cat(names(sds("{weather}")), sep = "\\n")', folder) == ["rain", "t2m"]
    names = terra(f'cat(describe("{weather}", sds = TRUE)$name, sep = "\\n")', folder)
    assert names == [f'ZARR:"{weather}":/rain', f'ZARR:"{weather}":/t2m']
    np.testing.assert_array_equal(read(terra, f"{weather}/rain", folder), np.where(np.isnan(SHOWN), np.nan, RAIN))


def test_a_slice_by_its_time(terra, weather, folder):
    assert np.array_equal(read(terra, f'ZARR:"{weather}":/t2m:time=2024-02-01', folder, (1, *T2M.shape[1:]))[0], T2M[1])


def test_values_at_a_place_and_in_a_window(terra, cube, folder):
    script = f'r <- rast("{cube}"); cat(as.matrix(extract(r, cbind(-8.5, 59.5))), sep = "\\n")'
    assert [float(value) for value in terra(script, folder)] == T2M[:, 0, 1].tolist()
    got = read(terra, cube, folder, (3, 5, 10), "r <- crop(r, ext(0, 10, 50, 55))")
    np.testing.assert_array_equal(got, T2M[:, 5:10, 10:20])


# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
def test_write_a_store(terra, weather, folder, version):
    options = 'gdal = "FORMAT=ZARR_V3"' if version == 3 else ""
    terra(f"""writeRaster(rast('ZARR:"{weather}":/t2m'), "out.zarr", filetype = "Zarr", {options})""", folder)
    assert os.path.exists(f"{folder}/out.zarr/" + ("zarr.json" if version == 3 else ".zgroup"))
    np.testing.assert_array_equal(read(terra, f"{folder}/out.zarr", folder), SHOWN)
    dataset = gdal.Open(f"{folder}/out.zarr")
    names = TIMES if not READS_ARRAYS else ["t2m_1", "t2m_2", "t2m_3"]
    assert [dataset.GetRasterBand(i + 1).GetDescription() for i in range(3)] == names
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "4326"
    assert dataset.GetGeoTransform() == (-10, 1, 0, 60, 0, -1)


def test_write_integers_and_replace_them(terra, cube, folder):
    """Its `overwrite = TRUE` removes files, not folders."""
    script = """
      r <- rast("{}")[[2]]
      for (factor in 1:2) {{
        unlink("out.zarr", recursive = TRUE)
        writeRaster(r * factor, "out.zarr", filetype = "Zarr", datatype = "INT2S", gdal = "BLOCKSIZE=7,8")
      }}
    """
    terra(script.format(cube), folder)
    dataset = gdal.Open(f"{folder}/out.zarr")
    assert dataset.GetRasterBand(1).DataType == gdal.GDT_Int16
    with open(f"{folder}/out.zarr/out/.zarray", encoding="utf-8") as f:
        assert json.load(f)["chunks"] == [7, 8]
    assert np.abs(dataset.ReadAsArray() - 2 * T2M[1]).max() < 1


def test_results_go_to_stores(terra, cube, folder):
    """Functions with the argument `filename` write block by block."""
    script = """
      r <- rast("{}")
      crop(r, ext(0, 10, 50, 55), filename = "crop.zarr", filetype = "Zarr")
      project(r, "EPSG:3035", filename = "project.zarr", filetype = "Zarr")
      app(r, mean, filename = "mean.zarr", wopt = list(filetype = "Zarr"))
    """
    terra(script.format(cube), folder)
    np.testing.assert_array_equal(gdal.Open(f"{folder}/crop.zarr").ReadAsArray(), T2M[:, 5:10, 10:20])
    assert gdal.Open(f"{folder}/project.zarr").GetSpatialRef().GetAuthorityCode(None) == "3035"
    np.testing.assert_allclose(gdal.Open(f"{folder}/mean.zarr").ReadAsArray(), SHOWN.mean(0))
