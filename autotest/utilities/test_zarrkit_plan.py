# SPDX-License-Identifier: MIT
"""Many processes write an array by the plan of zarrkit, and zarrkit tells what they have left."""

import itertools
import json
import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from plugin_in_use import python

ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")
ROWS, COLUMNS = 700, 900
VALUES = np.arange(1, ROWS * COLUMNS + 1, dtype="i4").reshape(ROWS, COLUMNS)

pytestmark = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")

# Writes units, which are numbered from 1 on by their row and column.
WORKER = f"""
import json, sys
import numpy as np
from osgeo import gdal

gdal.UseExceptions()
store = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
array = store.GetRootGroup().OpenMDArray("a")
for unit in json.loads(sys.argv[2]):
    (y, x), (rows, columns) = unit["start"], unit["count"]
    values = np.add.outer(np.arange(y, y + rows) * {COLUMNS}, np.arange(x + 1, x + columns + 1)).astype("i4")
    array.WriteArray(values, array_start_idx=unit["start"])
del array, store
"""


def zarrkit(*arguments, codes=(0,)):
    done = subprocess.run([ZARRKIT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in codes and not done.stderr, done
    return done.stdout


def plan(store, *arguments):
    return json.loads(zarrkit("plan", store, "--array", "a", "--json", *arguments))


def finish(store, *arguments, code=0):
    (array,) = json.loads(zarrkit("finish", store, "--array", "a", "--json", *arguments, codes=(code,)))["arrays"]
    return array


def write(store, units, processes=3):
    """Writes units by several processes at the same time."""
    shares = [units[i::processes] for i in range(processes)]
    started = [subprocess.Popen(python(WORKER, store, json.dumps(share))) for share in shares]
    assert [process.wait() for process in started] == [0] * processes


def read(store):
    return gdal.Open(f'ZARR:"{store}":/a').ReadAsArray()


def make_store(path, options=(), consolidated="NO"):
    options = ["ARRAY_NAME=a", f"CREATE_CONSOLIDATED_METADATA={consolidated}", *options]
    gdal.GetDriverByName("Zarr").Create(str(path), COLUMNS, ROWS, 1, gdal.GDT_Int32, options)
    return path


KINDS = {
    "v2": (["FORMAT=ZARR_V2", "BLOCKSIZE=128,256"], "chunk", 6 * 4),
    "v3": (["FORMAT=ZARR_V3", "BLOCKSIZE=128,256"], "chunk", 6 * 4),
    "shards": (["FORMAT=ZARR_V3", "BLOCKSIZE=256,256", "SHARD_CHUNK_SHAPE=64,64"], "shard", 3 * 4),
    "rectilinear": (["FORMAT=ZARR_V3", "CHUNK_EDGES=Y:300,17,383;X:[[100,9]]"], "chunk", 3 * 9),
}


@pytest.mark.parametrize("kind", KINDS)
def test_workers_write_the_units_of_a_plan(tmp_path, kind):
    options, unit, count = KINDS[kind]
    store = make_store(tmp_path / "store.zarr", options)
    planned = plan(store)
    assert (planned["array"], planned["shape"], planned["unit"]) == ("/a", [ROWS, COLUMNS], unit)
    units = planned["units"]
    assert len(units) == count
    assert sum(u["count"][0] * u["count"][1] for u in units) == ROWS * COLUMNS
    write(store, units[: count // 2])
    left = finish(store, code=3)
    assert left["missing"] == units[count // 2 :]
    write(store, left["missing"])
    assert finish(store)["missing"] == []
    np.testing.assert_array_equal(read(store), VALUES)
    assert "consolidated metadata" in zarrkit("info", store)
    assert zarrkit("check", store).endswith(" 0 errors\n")


@pytest.mark.parametrize("kind", KINDS)
def test_whole_units_can_be_written_without_reading_back(tmp_path, kind):
    """Their chunks are broken: reading one back would be an error."""
    store = make_store(tmp_path / "store.zarr", KINDS[kind][0])
    write(store, plan(store)["units"])
    files = [path for path in (store / "a").rglob("*") if path.is_file()]
    chunks = [path for path in files if path.name not in (".zarray", ".zattrs", "zarr.json")]
    assert len(chunks) == KINDS[kind][2]
    for chunk in chunks:
        chunk.write_bytes(b"broken")
    units = plan(store, "--region", "50:650,:")["units"]
    whole = [u for u in units if "partial" not in u]
    assert 0 < len(whole) < len(units)
    write(store, whole)
    first, last = whole[0]["start"][0], whole[-1]["start"][0] + whole[-1]["count"][0]
    np.testing.assert_array_equal(
        gdal.Open(f'ZARR:"{store}":/a').ReadAsArray(0, first, COLUMNS, last - first), VALUES[first:last]
    )


def test_a_region(tmp_path):
    store = make_store(tmp_path / "store.zarr", KINDS["v3"][0])
    region = ["--region", "100:-100,256:512"]
    units = plan(store, *region)["units"]
    assert units == [
        {"start": [100, 256], "count": [28, 256], "partial": True},
        {"start": [128, 256], "count": [128, 256]},
        {"start": [256, 256], "count": [128, 256]},
        {"start": [384, 256], "count": [128, 256]},
        {"start": [512, 256], "count": [88, 256], "partial": True},
    ]
    assert finish(store, *region, code=3)["missing"] == units
    write(store, units)
    assert finish(store, *region)["missing"] == []
    wanted = np.zeros_like(VALUES)
    wanted[100:-100, 256:512] = VALUES[100:-100, 256:512]
    np.testing.assert_array_equal(read(store), wanted)


def test_units_of_the_fill_value_are_missing(tmp_path):
    store = make_store(tmp_path / "store.zarr", KINDS["v3"][0])
    gdal.OpenEx(f'ZARR:"{store}":/a', gdal.OF_UPDATE).WriteArray(np.zeros_like(VALUES))
    assert finish(store, code=3)["missing"] == plan(store)["units"]


def test_the_array_of_a_crs_is_not_missing(tmp_path):
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a", "GEOREFERENCING_CONVENTION=CF"]
    dataset = gdal.GetDriverByName("Zarr").Create(str(tmp_path / "s.zarr"), 20, 10, 1, gdal.GDT_Byte, options)
    dataset.SetGeoTransform([0, 1, 0, 0, 0, -1])
    dataset.SetProjection("EPSG:4326")
    dataset.WriteArray(np.ones((10, 20), "u1"))
    del dataset
    assert "spatial_ref" in zarrkit("info", tmp_path / "s.zarr")
    lines = zarrkit("finish", tmp_path / "s.zarr").splitlines()
    assert [line.split()[0] for line in lines] == ["the", "/X:", "/Y:", "/a:"]


def write_metadata(path, shape, chunks):
    grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}]
    array = {"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "int16", "fill_value": 0}
    array |= {"chunk_grid": grid, "codecs": codecs, "chunk_key_encoding": {"name": "default"}}
    (path / "a").mkdir(parents=True)
    (path / "a" / "zarr.json").write_text(json.dumps(array))
    (path / "zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group"}))


def measure(command, store, *options):
    """Runs a command of zarrkit on the array; returns the number of lines that it prints, and its memory in KiB."""
    process = subprocess.Popen([ZARRKIT, command, str(store), "--array", "a", *options], stdout=subprocess.PIPE)
    lines = sum(1 for _ in process.stdout)
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == (3 if command == "finish" else 0)
    return lines, usage.ru_maxrss


@pytest.mark.parametrize("command, options", itertools.product(["plan", "finish"], [[], ["--json"]]))
def test_the_memory_does_not_grow_with_the_units(tmp_path, command, options):
    for name, length in ("few", 10), ("many", 10000):
        write_metadata(tmp_path / name, [length * 256, 25600], [256, 256])
    few_lines, few_memory = measure(command, tmp_path / "few", *options)
    many_lines, many_memory = measure(command, tmp_path / "many", *options)
    assert many_lines - few_lines == 9990 * 100
    assert many_memory - few_memory < 8 << 10
