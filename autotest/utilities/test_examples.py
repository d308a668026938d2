# SPDX-License-Identifier: MIT
"""The examples of the documentation run, and what they print and write is right."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

import numpy as np
import pytest
from http_server import Server
from osgeo import gdal
from plain_reader import read_v3
from plugin_in_use import CHECK
from semaphores import why_no_semaphores

ROOT = pathlib.Path(__file__).parents[2]
DEMO = ROOT / "autotest" / "data" / "demo"
CPP = ROOT / "zarrlib" / "doc" / "examples"
PYTHON = ROOT / "driver" / "doc" / "examples"
BUILT = pathlib.Path(os.environ["GDAL_DRIVER_PATH"]).parent / "autotest" / "examples"
RELIEF = np.load(DEMO / "expected_relief.npy")
SST = np.load(DEMO / "expected_sst.npy")

needs_programs = pytest.mark.skipif(not BUILT.is_dir(), reason="the C++ examples are not built here")
needs_numcodecs = pytest.mark.skipif(importlib.util.find_spec("numcodecs") is None, reason="the Python module numcodecs is not installed")


def run(command, cwd=None):
    return subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)


def run_cpp(name, *arguments):
    done = run([BUILT / name, *arguments])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def run_python(folder, name, *arguments):
    """Runs a copy of an example that first checks for the plugin."""
    (folder / name).write_text(CHECK + (PYTHON / name).read_text(encoding="utf-8"), encoding="utf-8")
    done = run([sys.executable, "-W", "ignore", name, *arguments], cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


# --- all examples -------------------------------------------------------------------------------------------------


EXAMPLES = sorted(path for folder in (CPP, PYTHON) for path in folder.iterdir() if path.suffix in (".cpp", ".h", ".py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_short_and_begin_with_a_description(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 60
    assert re.match(r'// [A-Z]|"""[A-Z]', lines[1])


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.suffix != ".h"], ids=lambda path: path.name)
def test_each_example_has_a_test_here(path):
    assert f'"{path.stem}"' in pathlib.Path(__file__).read_text(encoding="utf-8").replace(".py", "")


@pytest.mark.parametrize("name", ["cloud_read.py", "read_cube.py", "write_and_append.py"])
def test_without_arguments_examples_print_their_description(name):
    done = run([sys.executable, PYTHON / name])
    assert done.returncode == 1 and f"python3 {name} " in done.stderr


# --- the library --------------------------------------------------------------------------------------------------


@needs_programs
@pytest.mark.parametrize("store", ["relief_v1.zarr", "relief_v2.zarr", "relief_v3.zarr", "relief_v3_sharded.zarr"])
def test_read_window(store):
    path = "" if store == "relief_v1.zarr" else "relief"
    *arrays, first, second = run_cpp("read_window", DEMO / store, path, 90, 540, 2, 3)
    np.testing.assert_array_equal([line.split() for line in (first, second)], RELIEF[90:92, 540:543].astype(str))
    assert arrays == [] if path == "" else any(line.startswith("relief [540,1080] ") for line in arrays)


@needs_programs
def test_read_window_reports_errors():
    done = run([BUILT / "read_window", DEMO / "relief_v3.zarr", "relief", 539, 0, 2, 1])
    assert (done.returncode, done.stdout.count("\n")) == (1, 4) and "relief" in done.stderr
    done = run([BUILT / "read_window", DEMO / "relief_v3.zarr", "lat", 0, 0, 1, 1])
    assert (done.returncode, done.stderr) == (1, "lat: this example reads int16\n")


@needs_programs
@needs_numcodecs
def test_write_sharded(tmp_path):
    store = tmp_path / "new.zarr"
    run_cpp("write_sharded", store)
    document, values = read_v3(store / "elevation")
    np.testing.assert_array_equal(values, np.arange(1000 * 1500).reshape(1000, 1500).astype("f4") / 4)
    (sharding,) = document["codecs"]
    assert sharding["configuration"]["chunk_shape"] == [64, 64]
    assert [codec["name"] for codec in sharding["configuration"]["codecs"]] == ["bytes", "zstd"]
    assert document["dimension_names"] == ["y", "x"] and document["attributes"] == {"units": "m"}
    root = json.loads((store / "zarr.json").read_text())
    assert list(root["consolidated_metadata"]["metadata"]) == ["elevation"]
    assert len([path for path in store.rglob("*") if path.is_file()]) == 2 + 6


@needs_programs
def test_write_sharded_refuses_a_store_that_exists(tmp_path):
    (tmp_path / "file").write_text("")
    done = run([BUILT / "write_sharded", tmp_path])
    assert done.returncode == 1 and str(tmp_path) in done.stderr


@needs_programs
def test_custom_store(tmp_path):
    store = tmp_path / "copy.zarr"
    keys = ["zarr.json", "squares/zarr.json", "squares/c/0", "squares/c/1", "squares/c/2"]
    assert run_cpp("custom_store", store) == ["sum: 285", *keys]
    assert sorted(str(path.relative_to(store)) for path in store.rglob("*") if path.is_file()) == sorted(keys)
    np.testing.assert_array_equal(read_v3(store / "squares")[1], np.arange(10) ** 2)


def test_the_program_of_the_main_page_compiles():
    page = (CPP / "README.md").read_text(encoding="utf-8")
    assert len(page.split()) <= 400
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("no compiler")
    (program,) = re.findall(r"^```cpp\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", ROOT, "-x", "c++", "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# --- the driver ---------------------------------------------------------------------------------------------------


def load(name):
    """Imports an example as a module, without leaving byte code next to it."""
    module = types.ModuleType(name)
    exec(compile((PYTHON / f"{name}.py").read_text(encoding="utf-8"), name, "exec"), module.__dict__)
    return module


def test_read_cube(tmp_path):
    store = DEMO / "sea_surface_temperature_v3_rectilinear.zarr"
    expected = SST[7, 35:55, 65:90]  # latitudes -19 to 19, longitudes 151 to 199
    (line,) = run_python(tmp_path, "read_cube.py", store, "sst", "0001-08-15", 150, -20, 200, 20)
    assert line == "(20, 25) float32 " + str(np.nanmean(expected))
    np.testing.assert_array_equal(load("read_cube").read_window(str(store), "sst", "0001-08-15", 150, -20, 200, 20), expected)


@needs_numcodecs
def test_write_and_append(tmp_path):
    for day, number in ("2024-02-29", 2.5), ("2024-03-01", 4):
        assert run_python(tmp_path, "write_and_append.py", "rain.zarr", day, number) == []
    document, rain = read_v3(tmp_path / "rain.zarr" / "rain")
    np.testing.assert_array_equal(np.unique(rain[0]), [2.5])
    np.testing.assert_array_equal(np.unique(rain[1]), [4])
    np.testing.assert_array_equal(np.unique(rain[2:]), [-1])
    assert document["dimension_names"] == ["time", "lat", "lon"]
    assert len(list((tmp_path / "rain.zarr" / "rain" / "c").iterdir())) == 2
    units, time = read_v3(tmp_path / "rain.zarr" / "time")
    np.testing.assert_array_equal(time[:3], [59, 60, np.nan])
    assert units["attributes"]["units"] == "days since 2024-01-01"
    day = gdal.Open(f'ZARR:"{tmp_path}/rain.zarr":/rain:time=2024-03-01')
    assert day.GetGeoTransform() == (-180, 1, 0, 90, 0, -1)
    assert day.GetSpatialRef().GetAuthorityCode(None) == "4326"


@pytest.mark.skipif(not hasattr(gdal.MDArray, "Resize"), reason="GDAL before 3.7 has no Resize in Python")
def test_write_and_append_lengthens_a_full_cube(tmp_path):
    example = load("write_and_append")
    example.DAYS = 1
    store = str(tmp_path / "rain.zarr")
    example.create(store)
    for number in 1, 2:
        example.append(store, f"2024-01-0{number}", np.full((example.ROWS, example.COLUMNS), number, "f4"))
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.OpenMDArray("time").ReadAsArray().tolist() == [0, 1]
    assert root.OpenMDArray("rain").ReadAsArray()[:, 0, 0].tolist() == [1, 2]


@pytest.mark.parametrize("store", ["relief_v3.zarr", "relief_v3_sharded.zarr"])
def test_cloud_read(tmp_path, store):
    with Server(str(DEMO)).serve() as server:
        arguments = [f"ZARR:/vsicurl/{server.url}/{store}", 420, 10, 60, 60]
        opened, window, values = run_python(tmp_path, "cloud_read.py", *arguments)
        sent = len(server.log)
    expected = RELIEF[10:70, 420:480]
    assert values == f"(60, 60) int16 {expected.min()} {expected.max()}"
    costs = [re.fullmatch(r"(\w+): (\d+) requests, (\d+) round trips, (\d+) bytes", line) for line in (opened, window)]
    assert [cost[1] for cost in costs] == ["open", "window"]
    assert sum(int(cost[2]) for cost in costs) == sent
    assert all(0 < int(cost[3]) <= int(cost[2]) for cost in costs)


@needs_numcodecs
@pytest.mark.skipif(why_no_semaphores() != "", reason=why_no_semaphores())
def test_parallel_write_dask(tmp_path, monkeypatch):
    if importlib.util.find_spec("distributed") is None or importlib.util.find_spec("distributed.client") is None:
        pytest.skip("Dask is not installed for this Python: bash cmake/deps.sh distributed")
    tools = BUILT.parents[1] / "zarrlib" / "tools"
    if not (tools / "zarrkit").exists():
        pytest.skip("zarrkit is not built here")
    monkeypatch.setenv("PATH", str(tools) + os.pathsep + os.environ["PATH"])
    run_python(tmp_path, "parallel_write_dask.py", "waves.zarr")
    expected = np.add.outer(np.sin(np.arange(1500) / 50), np.cos(np.arange(2000) / 80)).astype("f4")
    np.testing.assert_array_equal(read_v3(tmp_path / "waves.zarr" / "waves")[1], expected)
    dataset = gdal.Open(f'ZARR:"{tmp_path}/waves.zarr":/waves')
    means = expected.reshape(750, 2, 1000, 2).mean((1, 3))
    np.testing.assert_allclose(dataset.GetRasterBand(1).GetOverview(0).ReadAsArray(), means, atol=1e-6)
    means = means.reshape(375, 2, 500, 2).mean((1, 3))
    np.testing.assert_allclose(dataset.GetRasterBand(1).GetOverview(1).ReadAsArray(), means, atol=1e-6)
    assert dataset.GetMetadataItem("OVERVIEWS_STALE") is None
