# SPDX-License-Identifier: MIT
"""GRASS imports stores, links to them, and writes them."""

import os

import numpy as np
import pytest
from osgeo import gdal
from programs import require_program, run
from weather import SHOWN, T2M

require_program("grass", "grass-core")
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")


@pytest.fixture(scope="module")
def grass(tmp_path_factory):
    """Runs lines of a shell in a new mapset for the CRS WGS 84. Each starts with a region of its own."""
    home = tmp_path_factory.mktemp("grass")
    run("grass", "-c", "EPSG:4326", "-e", home / "location", HOME=str(home))

    def run_lines(script, folder):
        lines = f"set -e\ncd '{folder}'\n{script}"
        mapset = home / "location" / os.path.basename(folder)
        return run("grass", "-c", mapset, "--exec", "bash", "-c", lines, HOME=str(home), GRASS_MESSAGE_FORMAT="silent")

    return run_lines


def values_of(grass, script, name, folder, shape=T2M.shape[1:]):
    """Runs lines, then gives the values of a raster map, NaN for null."""
    grass(f"{script}\ng.region raster={name}\nr.out.bin --quiet -f input={name} output=values.bin bytes=8 null=nan", folder)
    return np.fromfile(f"{folder}/values.bin", "<f8").reshape(shape)


# --- reading ----------------------------------------------------------------------------------------------------------


def test_import_a_store(grass, cube, folder):
    got = values_of(grass, f"r.in.gdal --quiet input={cube} output=t2m", "t2m.1", folder)
    np.testing.assert_array_equal(got, SHOWN[0])


def test_import_an_array_by_its_name(grass, weather, folder):
    name = f"'ZARR:\"{weather}\":/t2m'"
    np.testing.assert_array_equal(values_of(grass, f"r.in.gdal --quiet input={name} output=t2m", "t2m.2", folder), T2M[1])


def test_import_a_slice_by_its_time(grass, weather, folder):
    name = f"'ZARR:\"{weather}\":/t2m:time=2024-02-01'"
    np.testing.assert_array_equal(values_of(grass, f"r.in.gdal --quiet input={name} output=t2m", "t2m", folder), T2M[1])


def test_rectilinear_chunks(grass, relief, folder):
    got = values_of(grass, f"r.in.gdal --quiet input={relief} output=relief", "relief", folder, (540, 1080))
    np.testing.assert_array_equal(got, np.load(f"{DEMO}/expected_relief.npy"))


def test_link_to_a_store(grass, cube, folder):
    got = values_of(grass, f"r.external --quiet input={cube} band=3 output=march", "march", folder)
    np.testing.assert_array_equal(got, SHOWN[2])


def test_link_to_an_array_by_its_folder(grass, weather, folder):
    """r.external takes names that begin with ZARR: for files."""
    got = values_of(grass, f"r.external --quiet input={weather}/t2m output=t2m", "t2m.1", folder)
    np.testing.assert_array_equal(got, SHOWN[0])


# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["", "createopt=FORMAT=ZARR_V3,COMPRESS=ZSTD"])
def test_export_a_map(grass, cube, folder, options):
    script = f"""
        r.external --quiet input={cube} output=t2m
        g.region raster=t2m.1
        r.out.gdal --quiet -c input=t2m.1 output=out.zarr format=Zarr nodata=-1 {options}
    """
    grass(script, folder)
    dataset = gdal.Open(f"{folder}/out.zarr")
    np.testing.assert_array_equal(dataset.ReadAsArray(), np.where(np.isnan(SHOWN[0]), -1, T2M[0]))
    assert dataset.GetRasterBand(1).GetNoDataValue() == -1
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "4326"
    assert dataset.GetGeoTransform() == pytest.approx((-10, 1, 0, 60, 0, -1))


def test_export_a_group(grass, cube, folder):
    script = f"""
        r.external --quiet input={cube} output=t2m
        g.region raster=t2m.1
        r.out.gdal --quiet -c input=t2m output=out.zarr format=Zarr nodata=-9999
    """
    grass(script, folder)
    np.testing.assert_array_equal(gdal.Open(f"{folder}/out.zarr").ReadAsArray(), T2M)


def test_maps_that_are_stores(grass, cube, folder):
    """With r.external.out, GRASS writes each new map as a store."""
    script = f"""
        r.external --quiet input={cube} output=t2m
        g.region raster=t2m.1
        r.external.out directory={folder} extension=.zarr format=Zarr options=FORMAT=ZARR_V3
        r.mapcalc --quiet 'twice = 2 * t2m.2'
        r.external.out -r
    """
    got = values_of(grass, script, "twice", folder)
    np.testing.assert_array_equal(got, 2 * T2M[1])
    np.testing.assert_array_equal(gdal.Open(f"{folder}/twice.zarr").ReadAsArray(), 2 * T2M[1])
