# SPDX-License-Identifier: MIT
"""GDAL's programs read and write stores."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal, ogr
from programs import needs_program, require_program, run, run_silent
from weather import NODATA, SHOWN, T2M, TIMES

require_program("gdalwarp", "gdal-bin")
has_scripts = needs_program("gdal_calc.py", "python3-gdal (gdal-bin before GDAL 3.7)")
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")
RELIEF = np.load(f"{DEMO}/expected_relief.npy")


def read(name):
    dataset = gdal.Open(name)
    return dataset.ReadAsArray()


def descriptions(name):
    dataset = gdal.Open(name)
    return [dataset.GetRasterBand(i + 1).GetDescription() for i in range(dataset.RasterCount)]


# --- gdalwarp ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_gdalwarp_to_a_store_is_as_to_geotiff(cube, folder, version):
    options = ["-q", "-t_srs", "EPSG:3035", "-r", "bilinear"]
    run_silent("gdalwarp", *options, cube, f"{folder}/out.tif")
    run_silent("gdalwarp", *options, "-of", "Zarr", "-co", f"FORMAT={version}", cube, f"{folder}/out.zarr")
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), read(f"{folder}/out.tif"))
    dataset = gdal.Open(f"{folder}/out.zarr")
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "3035"
    assert dataset.GetRasterBand(1).GetNoDataValue() == NODATA


def test_gdalwarp_into_a_store(relief, folder):
    """A mosaic of two halves in a store that exists."""
    store = f"{folder}/mosaic.zarr"
    run_silent("gdal_create", "-q", "-of", "Zarr", "-outsize", 1080, 540, "-ot", "Int16", "-a_srs", "EPSG:4326", "-a_ullr", -180, 90, 180, -90, store)
    for west in (-180, 0):
        run_silent("gdal_translate", "-q", "-projwin", west, 90, west + 180, -90, relief, f"{folder}/half.tif")
        run_silent("gdalwarp", "-q", f"{folder}/half.tif", store)
    np.testing.assert_array_equal(read(store), RELIEF)


def test_gdalwarp_takes_a_slice(weather, folder):
    name = f'ZARR:"{weather}":/t2m'
    run_silent("gdalwarp", "-q", "-oo", "SELECT=time=2024-02-01", "-te", 0, 50, 10, 55, name, f"{folder}/out.tif")
    np.testing.assert_array_equal(read(f"{folder}/out.tif"), T2M[1, 5:10, 10:20])


def test_gdalwarp_reads_overviews(relief, folder):
    store = f"{folder}/relief.zarr"
    run_silent("gdal_translate", "-q", "-of", "Zarr", "-co", "FORMAT=ZARR_V3", "-co", "ARRAY_NAME=relief", relief, store)
    run_silent("gdaladdo", "-q", "-r", "average", store, 2, 4)
    run_silent("gdalwarp", "-q", "-ts", 270, 135, "-r", "near", store, f"{folder}/out.tif")
    np.testing.assert_array_equal(read(f"{folder}/out.tif"), read(f'ZARR:"{store}":/ovr_4x/relief'))


# --- VRT --------------------------------------------------------------------------------------------------------------


def test_gdalbuildvrt(relief, folder):
    for name, west in (("west", -180), ("east", 0)):
        run_silent("gdal_translate", "-q", "-of", "Zarr", "-projwin", west, 90, west + 180, -90, relief, f"{folder}/{name}.zarr")
    run_silent("gdalbuildvrt", "-q", f"{folder}/all.vrt", f"{folder}/west.zarr", f"{folder}/east.zarr")
    np.testing.assert_array_equal(read(f"{folder}/all.vrt"), RELIEF)


def test_gdalbuildvrt_of_arrays_as_bands(weather, folder):
    names = [f'ZARR:"{weather}":/{array}:time=2024-02-01' for array in ("t2m", "rain")]
    run_silent("gdalbuildvrt", "-q", "-separate", f"{folder}/both.vrt", *names)
    np.testing.assert_array_equal(read(f"{folder}/both.vrt"), np.stack([T2M[1], 2 * T2M[1]]))


def test_vrt_beside_a_store_finds_it_when_both_move(cube, folder):
    run_silent("gdal_translate", "-q", "-of", "VRT", "cube.zarr", "cube.vrt", cwd=folder)
    os.rename(folder, f"{folder}_moved")
    np.testing.assert_array_equal(read(f"{folder}_moved/cube.vrt"), T2M)
    os.rename(f"{folder}_moved", folder)


# --- looking at values ------------------------------------------------------------------------------------------------


def test_gdallocationinfo(cube):
    values = run("gdallocationinfo", "-valonly", "-wgs84", cube, -8.5, 59.5).split()
    assert [float(value) for value in values] == T2M[:, 0, 1].tolist()
    values = run("gdallocationinfo", "-valonly", "-b", 2, cube, 11, 7).split()
    assert [float(value) for value in values] == [T2M[1, 7, 11]]


def test_gdalinfo_counts_values(cube):
    report = json.loads(run("gdalinfo", "-json", "-stats", "-hist", cube, GDAL_PAM_ENABLED="NO"))
    bands = report["bands"]
    assert [band["description"] for band in bands] == TIMES
    assert [band["minimum"] for band in bands] == pytest.approx(np.nanmin(SHOWN, (1, 2)).tolist())
    assert sum(bands[0]["histogram"]["buckets"]) == 599


def test_gdalsrsinfo_and_gdaltindex(cube, folder):
    assert "4326" in run("gdalsrsinfo", "-o", "epsg", cube)
    run("gdaltindex", f"{folder}/index.shp", cube)
    dataset = ogr.Open(f"{folder}/index.shp")
    feature = dataset.GetLayer(0).GetNextFeature()
    assert feature["location"] == cube and feature.GetGeometryRef().GetEnvelope() == (-10, 20, 40, 60)


# --- results in stores ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["slope", "hillshade", "color-relief"])
def test_gdaldem_is_as_to_geotiff(relief, folder, mode):
    colors = []
    if mode == "color-relief":
        colors = [f"{folder}/colors.txt"]
        with open(colors[0], "w", encoding="utf-8") as f:
            f.write("-8000 0 0 128\n0 0 128 255\n0.1 0 128 0\n6000 255 255 255\n")
    run_silent("gdaldem", mode, "-q", relief, *colors, f"{folder}/out.tif")
    run_silent("gdaldem", mode, "-q", "-of", "Zarr", relief, *colors, f"{folder}/out.zarr")
    expected = read(f"{folder}/out.tif")
    assert len(np.unique(expected)) > 15
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), expected)


@has_scripts
def test_gdal_calc(cube, folder):
    first = ["-A", cube, "--A_band=2", "-B", cube, "--B_band=3"]
    run("gdal_calc.py", "--quiet", *first, "--calc=B-A", "--format=Zarr", "--co=FORMAT=ZARR_V3", f"--outfile={folder}/out.zarr")
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), T2M[2] - T2M[1])
    run("gdal_calc.py", "--quiet", "-A", cube, "--allBands=A", "--calc=A*2", "--format=Zarr", f"--outfile={folder}/all.zarr")
    np.testing.assert_array_equal(read(f"{folder}/all.zarr")[1:], 2 * T2M[1:])


@has_scripts
def test_gdal_merge_and_gdal_fillnodata(cube, folder):
    run("gdal_merge.py", "-q", "-of", "Zarr", "-o", f"{folder}/merged.zarr", cube)
    np.testing.assert_array_equal(read(f"{folder}/merged.zarr"), np.where(T2M == NODATA, 0, T2M))
    run("gdal_fillnodata.py", "-q", "-of", "Zarr", "-b", 1, cube, f"{folder}/filled.zarr")
    filled = read(f"{folder}/filled.zarr")
    assert filled[0, 0] != NODATA
    np.testing.assert_array_equal(filled.ravel()[1:], T2M[0].ravel()[1:])


def test_gdal_rasterize_into_a_store(cube, folder):
    shapes = f"{folder}/shapes.csv"
    with open(shapes, "w", encoding="utf-8") as f:
        f.write('id,WKT\n7,"POLYGON ((0 50, 10 50, 10 55, 0 55, 0 50))"\n')
    run("gdal_rasterize", "-q", "-b", 2, "-burn", 7, "-l", "shapes", shapes, cube)  # it warns that CSV has no CRS
    expected = T2M.copy()
    expected[1, 5:10, 10:20] = 7
    np.testing.assert_array_equal(read(cube), expected)


def test_gdal_rasterize_and_gdal_grid_to_stores(folder):
    with open(f"{folder}/points.csv", "w", encoding="utf-8") as f:
        f.write('id,WKT\n7,"POINT (2.5 7.5)"\n9,"POINT (7.5 2.5)"\n')
    options = ["-q", "-of", "Zarr", "-a", "id", "-l", "points"]
    run_silent("gdal_rasterize", *options, "-te", 0, 0, 10, 10, "-tr", 5, 5, "-ot", "Int16", f"{folder}/points.csv", f"{folder}/raster.zarr")
    assert read(f"{folder}/raster.zarr").tolist() == [[7, 0], [0, 9]]
    options[3] = "-zfield"
    extent = ["-txe", 0, 10, "-tye", 0, 10, "-outsize", 2, 2, "-a", "nearest"]
    run_silent("gdal_grid", *options, *extent, f"{folder}/points.csv", f"{folder}/grid.zarr")
    assert sorted(read(f"{folder}/grid.zarr").ravel().tolist())[::3] == [7, 9]


@has_scripts
def test_gdal_edit(cube):
    run("gdal_edit.py", "-a_nodata", -1, "-mo", "source=test", cube)
    dataset = gdal.Open(cube)
    assert dataset.GetRasterBand(1).GetNoDataValue() == -1
    assert dataset.GetMetadataItem("source") == "test"


def test_gdalmanage(cube, folder):
    assert run("gdalmanage", "identify", cube).strip().endswith("Zarr")
    run("gdalmanage", "copy", cube, f"{folder}/copy.zarr")
    np.testing.assert_array_equal(read(f"{folder}/copy.zarr"), T2M)
    run("gdalmanage", "delete", f"{folder}/copy.zarr")
    assert not os.path.exists(f"{folder}/copy.zarr")
    assert descriptions(cube) == TIMES
