# SPDX-License-Identifier: MIT
"""`gdal raster ...`, the program of GDAL 3.11 and later, reads and writes stores."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal
from programs import find_program, run
from weather import SHOWN, T2M, TIMES

if find_program("gdal") is None:
    pytest.skip("`gdal raster` comes with GDAL 3.11 or later: Debian's package gdal-bin", allow_module_level=True)
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")
RELIEF = np.load(f"{DEMO}/expected_relief.npy")


def raster(command, *arguments):
    return run("gdal", "raster", *command.split(), *arguments)


def read(name):
    dataset = gdal.Open(name)
    return dataset.ReadAsArray()


def test_info(cube):
    report = json.loads(raster("info", "-f", "json", "--stats", cube))
    assert report["driverShortName"] == "Zarr" and report["size"] == [30, 20]
    assert [band["description"] for band in report["bands"]] == TIMES
    assert report["bands"][0]["minimum"] == np.nanmin(SHOWN[0])


@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_convert(cube, folder, version):
    raster("convert", "--quiet", "-f", "Zarr", "--co", f"FORMAT={version}", "--co", "COMPRESS=ZSTD", cube, f"{folder}/out.zarr")
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), T2M)
    raster("convert", "--quiet", "--overwrite", "-f", "Zarr", cube, f"{folder}/out.zarr")
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), T2M)


def test_convert_appends(cube, folder):
    raster("convert", "--quiet", "-f", "Zarr", "--co", "ARRAY_NAME=a", cube, f"{folder}/out.zarr")
    raster("convert", "--quiet", "--append", "-f", "Zarr", "--co", "ARRAY_NAME=b", cube, f"{folder}/out.zarr")
    for name in "ab":
        np.testing.assert_array_equal(read(f'ZARR:"{folder}/out.zarr":/{name}'), T2M)


def test_reproject(cube, folder):
    options = ["--quiet", "--dst-crs", "EPSG:3035", "-r", "bilinear"]
    raster("reproject", *options, cube, f"{folder}/out.tif")
    raster("reproject", *options, "-f", "Zarr", cube, f"{folder}/out.zarr")
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), read(f"{folder}/out.tif"))


def test_calc(cube, folder):
    raster("calc", "--quiet", "-f", "Zarr", "-i", f"A={cube}", "--calc", "A[3]-A[2]", f"{folder}/out.zarr")
    np.testing.assert_array_equal(read(f"{folder}/out.zarr"), T2M[2] - T2M[1])


def test_clip_and_select(cube, folder):
    raster("clip", "--quiet", "-f", "Zarr", "--bbox", "0,50,10,55", cube, f"{folder}/clip.zarr")
    np.testing.assert_array_equal(read(f"{folder}/clip.zarr"), T2M[:, 5:10, 10:20])
    raster("select", "--quiet", "-f", "Zarr", "--band", 2, cube, f"{folder}/select.zarr")
    np.testing.assert_array_equal(read(f"{folder}/select.zarr"), T2M[1])


def test_mosaic(relief, folder):
    for name, bounds in (("west", "-180,-90,0,90"), ("east", "0,-90,180,90")):
        raster("clip", "--quiet", "-f", "Zarr", "--bbox", bounds, relief, f"{folder}/{name}.zarr")
    raster("mosaic", "--quiet", "-f", "Zarr", f"{folder}/west.zarr", f"{folder}/east.zarr", f"{folder}/all.zarr")
    np.testing.assert_array_equal(read(f"{folder}/all.zarr"), RELIEF)


def test_a_pipeline(relief, folder):
    steps = ["read", relief, "!", "clip", "--bbox", "0,40,20,60", "!", "hillshade", "!", "write", "-f", "Zarr", f"{folder}/out.zarr"]
    raster("pipeline", "--quiet", *steps)
    shade = read(f"{folder}/out.zarr")
    assert shade.shape == (60, 60) and len(np.unique(shade)) > 15


def test_pixel_info(cube):
    report = json.loads(raster("pixel-info", "-f", "geojson", "--position-crs", "dataset", cube, -8.5, 59.5))
    bands = report["features"][0]["properties"]["bands"]
    assert [band["raw_value"] for band in bands] == T2M[:, 0, 1].tolist()


def test_overviews(relief, folder):
    store = f"{folder}/relief.zarr"
    raster("convert", "--quiet", "-f", "Zarr", "--co", "FORMAT=ZARR_V3", "--co", "ARRAY_NAME=relief", relief, store)
    raster("overview add", "--quiet", "-r", "nearest", "--levels", "2,4", store)
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 2
    assert read(f'ZARR:"{store}":/ovr_4x/relief').shape == (135, 270)
    dataset = None
    raster("overview delete", "--quiet", store)
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetOverviewCount() == 0


def test_edit(cube):
    raster("edit", "--quiet", "--nodata", -1, "--metadata", "source=test", cube)
    dataset = gdal.Open(cube)
    assert dataset.GetRasterBand(1).GetNoDataValue() == -1
    assert dataset.GetMetadataItem("source") == "test"


def test_datasets_are_identified_copied_and_removed(cube, folder):
    report = json.loads(run("gdal", "dataset", "identify", "-f", "json", cube))
    assert report[0]["driver"] == "Zarr"
    run("gdal", "dataset", "copy", cube, f"{folder}/copy.zarr")
    np.testing.assert_array_equal(read(f"{folder}/copy.zarr"), T2M)
    run("gdal", "dataset", "delete", f"{folder}/copy.zarr")
    assert not os.path.exists(f"{folder}/copy.zarr")
