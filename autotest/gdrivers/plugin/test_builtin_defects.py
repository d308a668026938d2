# SPDX-License-Identifier: MIT
"""Defects of GDAL's built-in driver (3.13.3) in reading, which this driver must not have."""

import json
import os
import subprocess

import numpy as np
import pytest
from conventions import MULTISCALES_UUID, PROJ_UUID, SPATIAL_UUID
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import python
from sanitizer import skip_with_sanitizer
from stores import (
    consolidate_v3,
    open_array,
    open_group,
    write_bytes,
    write_json,
    write_sharded,
    write_v2,
    write_v3,
    write_v3_group,
)

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder of conftest.py
SPATIAL = {"uuid": SPATIAL_UUID}
PROJ = {"uuid": PROJ_UUID}
MULTISCALES = {"uuid": MULTISCALES_UUID}
RELIEF = (np.arange(64 * 96) % 251).astype("u1").reshape(64, 96)


def run(program, *arguments, **environment):
    """Returns the output of a Python program, which may hang or crash without harm to other tests."""
    command = python("import conftest\nfrom osgeo import gdal\nimport sys\n" + program, *arguments)
    return subprocess.run(
        command, cwd=HERE, env={**os.environ, **environment}, timeout=120, check=True, capture_output=True, text=True
    ).stdout


# B1: a chunk that cannot be decoded is an error, for any number of threads. The built-in driver waits for ever.
@pytest.mark.parametrize("threads", ["1", "2", "8"])
@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_broken_chunks_do_not_hang(store, write, threads):
    write(store, RELIEF, [16, 16], **({"compressor": {"id": "zlib", "level": 1}} if write is write_v2 else {"compress": True}))
    for index in ("0.0", "0.1", "1.1", "3.5") if write is write_v2 else ("c/0/0", "c/0/1", "c/1/1", "c/3/5"):
        write_bytes(f"{store}/{index}", b"broken")
    program = """
for read in (lambda: gdal.Open(sys.argv[1]).ReadAsArray(),
             lambda: gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("test").ReadAsArray()):
    try:
        read()
    except RuntimeError as error:
        print("0.0" in str(error) or "0/0" in str(error))
"""
    assert run(program, store, GDAL_NUM_THREADS=threads) == "True\nTrue\n"


# B2: a read that succeeds reports no error, even if chunks are larger than the rest of GDAL's block cache.
@pytest.mark.parametrize("sharded", [False, True])
def test_reading_through_a_small_block_cache_is_no_error(store, sharded):
    data = np.tile(RELIEF, (32, 16))  # 3 MB in one chunk
    if sharded:
        write_sharded(store, data, data.shape, (1024, 768))
    else:
        write_v3(store, data, compress=True)
    program = """
errors = []
gdal.PushErrorHandler(lambda *error: errors.append(error))
band = (dataset := gdal.Open(sys.argv[1])).GetRasterBand(1)
total = int(band.ReadAsArray(7, 9, 1000, 1001).sum()) + int(dataset.ReadAsArray(buf_xsize=100, buf_ysize=77).sum())
for y in range(0, 2048, 256):
    total += int(band.ReadAsArray(3, y, 1000, 200).sum())
print(total, errors)
"""
    expected = int(data[9:1010, 7:1007].sum()) + sum(int(data[y : y + 200, 3:1003].sum()) for y in range(0, 2048, 256))
    printed = run(program, store, GDAL_CACHEMAX="1000000").split(" ", 1)
    assert printed[1] == "[]\n"
    assert int(printed[0]) > expected


# B3: a zoomed-out read takes the overview, and nothing of the full resolution, not even of its shards.
def test_zoomed_out_read_leaves_shards_alone(tmp_path, server):
    store = str(tmp_path / "a.zarr")
    layout = [{"asset": "full"}, {"asset": "small"}]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": layout}})
    full = np.random.default_rng(1).integers(0, 255, (1024, 1024), "u1")
    write_sharded(f"{store}/full", full, (512, 512), (128, 128))
    write_sharded(f"{store}/small", full[::16, ::16].copy(), (64, 64), (32, 32))
    dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/a.zarr":/full')
    server.log.clear()
    server.sent = 0
    assert np.array_equal(dataset.ReadAsArray(buf_xsize=64, buf_ysize=64), full[::16, ::16])
    assert {path for _, path in server.log if "/c/" in path} == {"/a.zarr/small/c/0/0"}
    assert server.sent < 20000  # of a megabyte


# B4: scanning a sharded array takes no more memory than the limit of the cache, and not twice as much.
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_scanning_shards_takes_bounded_memory(store):
    skip_with_sanitizer("it keeps freed memory")
    data = np.tile(np.arange(1024, dtype="<u2"), (8192, 16))  # 256 MB, in equal shards
    write_sharded(store, data, (1024, 1024), (256, 256))
    program = r"""
import re
def peak():  # of this process since it began, in KB; getrusage counts the parent's, too
    return int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read())[1])
dataset = gdal.Open(sys.argv[1])
dataset.ReadAsArray(0, 0, 500, 500)
before = peak()
total = 0
for y in range(0, 8000, 500):
    for x in range(0, 16000, 500):  # which share chunks with their neighbours
        total += int(dataset.ReadAsArray(x, y, 500, 500)[0, -1])
print(total, peak() - before)
"""
    total, grown = run(program, store, GDAL_CACHEMAX="32").split()
    assert int(total) == 16 * sum(int(data[0, x + 499]) for x in range(0, 16000, 500))
    assert int(grown) < 60 * 1024  # KB, of which the cache has 32


# B6: CF's _FillValue and missing_value are the nodata value; the fill value of v3 only fills absent chunks.
@pytest.mark.parametrize("attribute", ["_FillValue", "missing_value"])
def test_nodata_is_that_of_cf(store, attribute):
    write_v3(store, RELIEF.astype("<f4"), fill=0, attributes={attribute: -9999.0})
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetNoDataValue() == -9999


# B7: dimensions without coordinates cost no request, and no request goes outside of the store.
def test_dimensions_without_coordinates_cost_nothing(tmp_path, server):
    store = str(tmp_path / "deep" / "er" / "a.zarr")
    write_v3_group(store)
    write_v3(f"{store}/v", RELIEF, names=["y.example.org", "x"])
    consolidate_v3(store)
    dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/deep/er/a.zarr":/v')
    assert dataset.RasterXSize == 96
    assert server.log == [("GET", "/deep/er/a.zarr/zarr.json")]


def test_without_consolidated_metadata_only_the_store_is_asked(tmp_path, server):
    store = str(tmp_path / "deep" / "er" / "a.zarr")
    write_v3_group(store)
    write_v3(f"{store}/v", RELIEF, names=["y", "x"])
    write_v3(str(tmp_path / "deep" / "y"), np.arange(64.0), names=["y"])
    dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/deep/er/a.zarr":/v')
    assert dataset.GetGeoTransform(can_return_null=True) is None
    assert all(path.startswith("/deep/er/a.zarr/") for _, path in server.log)
    assert len(server.log) <= 16


# B8: with consolidated metadata, opening requests nothing for the levels of a pyramid.
def test_levels_cost_nothing_at_opening(tmp_path, server):
    store = str(tmp_path / "a.zarr")
    layout = [{"asset": name} for name in ("l0", "l1", "l2", "l3")]
    write_v3_group(store, {"zarr_conventions": [MULTISCALES], "multiscales": {"layout": layout}})
    for i in range(4):
        write_v3_group(f"{store}/l{i}")
        write_v3(f"{store}/l{i}/v", RELIEF[:: 2**i, :: 2**i].copy(), names=["y", "x"])
    consolidate_v3(store)
    dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/a.zarr":/l0/v')
    assert dataset.GetRasterBand(1).GetOverviewCount() == 3
    assert {path for _, path in server.log} == {"/a.zarr/zarr.json"}


# B9: the `fill_value` null that GDAL writes into v3 is read without a warning. It is not a nodata value.
def test_null_as_the_fill_value_of_v3(store):
    write_v3(store, RELIEF, [32, 32], fill=None, skip=[(1, 2)])
    with collect_errors() as errors:
        dataset = gdal.Open(store)
        got = dataset.ReadAsArray()
        assert dataset.GetRasterBand(1).GetNoDataValue() is None
    expected = RELIEF.copy()
    expected[32:, 64:] = 0
    assert np.array_equal(got, expected)
    assert errors == []


# B10: a shard's index may be at its start, also in shards within shards.
@pytest.mark.parametrize("nested", [None, (16, 32)])
@pytest.mark.parametrize("location", ["start", "end"])
def test_index_of_a_shard(store, location, nested):
    write_sharded(store, RELIEF, (32, 64), (8, 16), location=location, nested=nested)
    array = open_array(store)
    assert np.array_equal(array.ReadAsArray(), RELIEF)
    assert np.array_equal(array.ReadAsArray(array_start_idx=[20, 30], count=[25, 50]), RELIEF[20:45, 30:80])


# B11: forms that the specifications allow are accepted.
def change(store, **members):
    with open(f"{store}/zarr.json") as f:
        meta = json.load(f)
    write_json(f"{store}/zarr.json", {**meta, **members})


def test_complex_numbers_of_two_halves(store):
    halves = np.array([[1.5, -2], [0.25, 3]], "<f2")
    write_v3(store, halves)
    change(store, shape=[2], data_type="complex32", fill_value=[0, 0])
    change(store, chunk_grid={"name": "regular", "configuration": {"chunk_shape": [2]}})
    os.rename(f"{store}/c/0/0", f"{store}/value")
    os.rmdir(f"{store}/c/0")
    os.rename(f"{store}/value", f"{store}/c/0")
    assert open_array(store).ReadAsArray().tolist() == [1.5 - 2j, 0.25 + 3j]


def test_codecs_by_their_names_alone_and_with_unknown_settings(store):
    write_v3(store, RELIEF, compress=True)
    change(store, codecs=["bytes", {"name": "gzip", "configuration": {"level": 5, "written_by": "someone"}}])
    assert np.array_equal(open_array(store).ReadAsArray(), RELIEF)


@pytest.mark.parametrize("write", [write_v2, write_v3])
def test_axes_of_length_zero(store, write):
    write(store, np.zeros((0, 5), "<i2"), [4, 5])
    assert [d.GetSize() for d in open_array(store).GetDimensions()] == [0, 5]


def test_rectilinear_grids(store):
    write_v3(store, RELIEF, edges=[[10, 30, 24], [1, 1, 1, 1, 60, 32]])
    assert np.array_equal(open_array(store).ReadAsArray(), RELIEF)


# B12: an array that cannot be read is still listed and described, and the error of a read tells the reason.
@pytest.mark.parametrize(
    "members, reason", [({"codecs": ["bytes", {"name": "novel"}]}, "novel"), ({"data_type": "novel16"}, "novel16")]
)
def test_arrays_that_cannot_be_read_are_listed(store, members, reason):
    write_v3_group(store)
    write_v3(f"{store}/a", RELIEF)
    write_v3(f"{store}/b", RELIEF, names=["y", "x"])
    change(f"{store}/b", **members)
    group = open_group(store)
    assert group.GetMDArrayNames() == ["a", "b"]
    with pytest.raises(RuntimeError, match=reason):
        group.OpenMDArray("b").Read()
    if "codecs" in members:
        assert [d.GetName() for d in group.OpenMDArray("b").GetDimensions()] == ["y", "x"]
        assert len(gdal.Open(store).GetSubDatasets()) == 2


# B14: declared dimensions that do not exist give a message. The built-in driver crashes.
@pytest.mark.parametrize("dimensions", [["lat", "lon"], ["y", "lon"], ["", ""], ["x", "x"], ["y"], [1, 2], "yx", None])
@pytest.mark.parametrize("api", ["gdal.OF_RASTER", "gdal.OF_MULTIDIM_RASTER"])
def test_declared_dimensions_that_are_not_there(store, dimensions, api):
    attributes = {"zarr_conventions": [SPATIAL], "spatial:transform": [10, 0, 100, 0, -10, 200]}
    write_v3(store, RELIEF, names=["y", "x"], attributes={**attributes, "spatial:dimensions": dimensions})
    program = f"""
errors = []
gdal.PushErrorHandler(lambda level, number, text: errors.append(level))
dataset = gdal.OpenEx(sys.argv[1], {api})
if {api} == gdal.OF_RASTER:
    dataset.ReadAsArray()
else:
    array = dataset.GetRootGroup().OpenMDArray("test")
    array.GetSpatialRef()
    array.AsClassicDataset(1, 0).GetGeoTransform()
print(gdal.CE_Warning in errors, gdal.CE_Failure in errors)
"""
    printed = run(program, store)
    assert printed == f"{dimensions is not None} False\n"


# B16: a raster of points keeps its position, with and without coordinate arrays.
@pytest.mark.parametrize("with_coordinates", [False, True])
def test_points_are_not_half_a_pixel_off(store, with_coordinates):
    attributes = {
        "zarr_conventions": [SPATIAL, PROJ],
        "proj:code": "EPSG:32633",
        "spatial:registration": "node",
        "spatial:dimensions": ["Y", "X"],
        "spatial:transform_type": "affine",
        "spatial:transform": [10.0, 0.0, 105.0, 0.0, -10.0, 195.0],
    }
    write_v3_group(store)
    write_v3(f"{store}/v", RELIEF, names=["Y", "X"], attributes=attributes)
    if with_coordinates:
        write_v3(f"{store}/X", 105 + 10.0 * np.arange(96), names=["X"])
        write_v3(f"{store}/Y", 195 - 10.0 * np.arange(64), names=["Y"])
    dataset = gdal.Open(f'ZARR:"{store}":/v')
    assert dataset.GetGeoTransform() == (100, 10, 0, 200, 0, -10)
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point"


# B17: a chunk that spans bands is fetched and decoded once, not once for each band.
def test_bands_of_one_chunk_are_decoded_once(tmp_path, server):
    cube = np.arange(12 * 32 * 32, dtype="<u2").reshape(12, 32, 32)
    write_v3(str(tmp_path / "a.zarr"), cube, [6, 16, 16], compress=True)
    dataset = gdal.Open(f'ZARR:"/vsicurl/{server.url}/a.zarr"')
    for i in range(12):
        assert np.array_equal(dataset.GetRasterBand(i + 1).ReadAsArray(), cube[i])
    fetched = [path for command, path in server.log if command == "GET" and "/c/" in path]
    assert len(fetched) == len(set(fetched)) == 8
