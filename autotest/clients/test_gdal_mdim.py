# SPDX-License-Identifier: MIT
"""GDAL's programs for multidimensional arrays: gdalmdiminfo, gdalmdimtranslate, and since GDAL 3.11 `gdal mdim`."""

import json
import os

import numpy as np
import pytest
from osgeo import gdal
from programs import absent, find_program, run, run_silent
from stores import write_v2, write_v3, write_v3_group
from weather import NODATA, RAIN, T2M, write_weather

HAS_OLD = find_program("gdalmdimtranslate") is not None
HAS_NEW = find_program("gdal") is not None
DEMO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "demo")
COPIES = [
    pytest.param("old", marks=pytest.mark.skipif(not HAS_OLD, reason=absent("gdalmdimtranslate", "gdal-bin"))),
    pytest.param("new", marks=pytest.mark.skipif(not HAS_NEW, reason="`gdal mdim` comes with GDAL 3.11 or later: Debian's package gdal-bin")),
]

needs_new = COPIES[1].marks[0]
has_netcdf = pytest.mark.skipif(gdal.GetDriverByName("netCDF") is None, reason="GDAL has no netCDF driver here")


def copy(program, source, target, *options, array=None, form="Zarr"):
    """Copies arrays. Neither program may warn."""
    listed = [item for option in options for item in ("-co" if program == "old" else "--co", option)]
    if program == "old":
        chosen = ["-array", array] if array else []
        run_silent("gdalmdimtranslate", "-q", "-of", form, *listed, *chosen, source, target)
    else:
        chosen = ["--array", array] if array else []
        run_silent("gdal", "mdim", "convert", "--quiet", "-f", form, *listed, *chosen, source, target)


def open_arrays(name):
    dataset = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER)
    group = dataset.GetRootGroup()
    return {array: group.OpenMDArray(array) for array in group.GetMDArrayNames()}


def chunks_of(store, array):
    with open(f"{store}/{array}/zarr.json", encoding="utf-8") as f:
        grid = json.load(f)["chunk_grid"]
    return grid["name"], grid["configuration"].get("chunk_shapes") or grid["configuration"]["chunk_shape"]


def expand(runs, length):
    """The edge lengths of chunks along an axis. [edge, count] stands for several, one number for all."""
    if isinstance(runs, int):
        return [runs] * -(-length // runs)
    return [edge for run in runs for edge in ([run[0]] * run[1] if isinstance(run, list) else [run])]


# --- copies -----------------------------------------------------------------------------------------------------------


@needs_new
@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_a_copy_over_a_store_replaces_it(tmp_path, version):
    """The program removes the folder between its two questions to the driver."""
    for name in ["old", "new"]:
        write_v3_group(f"{tmp_path}/{name}.zarr")
        write_v3(f"{tmp_path}/{name}.zarr/{name}", np.arange(6, dtype="i4"), names=["x"])
    target = f"{tmp_path}/old.zarr"
    run_silent("gdal", "mdim", "convert", "--quiet", "--overwrite", "-f", "Zarr", "--co", f"FORMAT={version}", f"{tmp_path}/new.zarr", target)
    assert list(open_arrays(target)) == ["new"]
    assert sorted(os.listdir(tmp_path)) == ["new.zarr", "old.zarr"]


@pytest.mark.parametrize("program", COPIES)
@pytest.mark.parametrize("version", ["ZARR_V2", "ZARR_V3"])
def test_copy_a_store(weather, folder, program, version):
    copy(program, weather, f"{folder}/copy.zarr", f"FORMAT={version}")
    arrays = open_arrays(f"{folder}/copy.zarr")
    assert {"lat", "lon", "rain", "t2m", "time"} <= set(arrays)
    np.testing.assert_array_equal(arrays["t2m"].ReadAsArray(), T2M)
    np.testing.assert_array_equal(arrays["rain"].ReadAsArray(), RAIN)
    assert [dimension.GetName() for dimension in arrays["t2m"].GetDimensions()] == ["time", "lat", "lon"]
    assert (arrays["t2m"].GetUnit(), arrays["t2m"].GetNoDataValueAsDouble()) == ("K", NODATA)
    assert arrays["time"].GetUnit() == "days since 2024-01-01"


@pytest.mark.parametrize("program", COPIES)
def test_copy_keeps_the_edges_of_chunks(temperatures, folder, program):
    copy(program, temperatures, f"{folder}/copy.zarr", "FORMAT=ZARR_V3", "ARRAY:CHUNK_EDGES=SOURCE")
    expected_name, expected = chunks_of(temperatures, "sst")
    name, edges = chunks_of(f"{folder}/copy.zarr", "sst")
    assert name == expected_name == "rectilinear"
    for axis, length in enumerate((12, 90, 180)):
        assert expand(edges[axis], length) == expand(expected[axis], length)
    arrays = open_arrays(f"{folder}/copy.zarr")
    np.testing.assert_array_equal(arrays["sst"].ReadAsArray(), np.load(f"{DEMO}/expected_sst.npy"))


@pytest.mark.skipif(gdal.VersionInfo() < "3070000", reason="gdalmdimtranslate of GDAL 3.6 ignores views, also those of netCDF")
@pytest.mark.parametrize("program", COPIES)
def test_copy_a_part(weather, folder, program):
    """Every other time of a window, in an array of that name."""
    copy(program, weather, f"{folder}/part.zarr", array="name=t2m,view=[::2,5:10,10:20]")
    arrays = open_arrays(f"{folder}/part.zarr")
    np.testing.assert_array_equal(arrays["t2m"].ReadAsArray(), T2M[::2, 5:10, 10:20])


@has_netcdf
@pytest.mark.parametrize("program", COPIES)
@pytest.mark.parametrize(("dtype", "fill"), [("<i2", 9), ("u1", 9), ("<f4", 9), ("<f4", -9999.0), ("<f8", 9), ("<f8", 0.5)])
@pytest.mark.parametrize("version", [2, 3])
def test_a_fill_value_is_copied_to_netcdf(folder, program, version, dtype, fill):
    """netCDF refuses a `_FillValue` of another data type than that of the array, and JSON's numbers are Int32 or Float64."""
    write = write_v2 if version == 2 else write_v3
    values = np.arange(35).reshape(5, 7).astype(dtype)
    write(f"{folder}/test.zarr/a", values, attributes={"_FillValue": fill, "_ARRAY_DIMENSIONS": ["y", "x"]})
    copy(program, f"{folder}/test.zarr/a", f"{folder}/copy.nc", form="netCDF")
    array = open_arrays(f"{folder}/copy.nc")["a"]
    assert array.GetNoDataValueAsDouble() == fill
    np.testing.assert_array_equal(array.ReadAsArray(), values)


@has_netcdf
@pytest.mark.parametrize("program", COPIES)
def test_to_netcdf_and_back(weather, folder, program):
    copy(program, weather, f"{folder}/copy.nc", form="netCDF")
    copy(program, f"{folder}/copy.nc", f"{folder}/back.zarr", "FORMAT=ZARR_V3")
    arrays = open_arrays(f"{folder}/back.zarr")
    np.testing.assert_array_equal(arrays["t2m"].ReadAsArray(), T2M)
    dataset = gdal.Open(f'ZARR:"{folder}/back.zarr":/t2m')
    assert dataset.GetRasterBand(2).GetDescription() == "2024-02-01T00:00:00Z"
    assert dataset.GetGeoTransform() == (-10, 1, 0, 60, 0, -1)


# --- reports ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", COPIES)
def test_report(weather, program):
    command = ["gdalmdiminfo"] if program == "old" else ["gdal", "mdim", "info", "-f", "json"]
    report = json.loads(run(*command, weather))
    assert report["driver"] == "Zarr"
    assert sorted(report["arrays"]) == ["lat", "lon", "rain", "t2m", "time"]
    assert report["arrays"]["t2m"]["dimension_size"] == list(T2M.shape)
    assert report["arrays"]["t2m"]["nodata_value"] == NODATA


@needs_new
def test_mosaic(folder):
    """The western and the eastern half of a cube. GDAL 3.13 crashes where coordinates fall, also of netCDF."""
    halves = {"west": slice(0, 15), "east": slice(15, 30)}
    parts = [write_weather(f"{folder}/{name}.zarr", ["t2m"], columns) for name, columns in halves.items()]
    run("gdal", "mdim", "mosaic", "--quiet", "--array", "/t2m", "-f", "Zarr", *parts, f"{folder}/all.zarr")
    arrays = open_arrays(f"{folder}/all.zarr")
    np.testing.assert_array_equal(arrays["t2m"].ReadAsArray(), T2M)
    assert arrays["lon"].ReadAsArray().tolist() == [column - 9.5 for column in range(30)]
