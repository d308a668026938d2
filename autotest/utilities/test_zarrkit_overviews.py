# SPDX-License-Identifier: MIT
"""zarrkit check finds overviews that lack changes, also of programs that note nothing."""

import json
import os
import shutil

import numpy as np
import pytest
from osgeo import gdal
from stale_pyramids import check_like_rebuilt, get_stale
from zarrkit_program import run_zarrkit

SIZE = 256


def make_pyramid(store, method, format="ZARR_V3", dtype=gdal.GDT_Float32, nodata=None):
    options = [f"FORMAT={format}", "ARRAY_NAME=a", "BLOCKSIZE=64,64", "COMPRESS=NONE"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, SIZE - 3, SIZE, 1, dtype, options)
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    values = np.random.default_rng(1).normal(100, 30, (SIZE, SIZE - 3)).round(2)
    values[:40] = 7
    dataset.WriteArray(values.astype("u1" if dtype == gdal.GDT_Byte else "f4"))
    dataset.BuildOverviews(method, [2, 4])


def check(store):
    found = json.loads(run_zarrkit("check", "--json", store, may_fail=True))
    return [(finding["rule"], finding["key"]) for finding in found["findings"]]


@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("dtype", [gdal.GDT_Byte, gdal.GDT_Float32])
@pytest.mark.parametrize("nodata", [None, 7])
@pytest.mark.parametrize("method", "NEAREST AVERAGE RMS MODE GAUSS BILINEAR CUBIC".split())
def test_fresh_overviews_are_right(tmp_path, format, dtype, nodata, method):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, method, format, dtype, nodata)
    assert check(store) == []


@pytest.mark.parametrize("method", "NEAREST AVERAGE RMS MODE GAUSS BILINEAR".split())
@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
def test_pixels_that_an_alpha_band_hides_are_right(tmp_path, method, format):
    store = str(tmp_path / "a.zarr")
    options = [f"FORMAT={format}", "ARRAY_NAME=a", "BLOCKSIZE=64,64", "COMPRESS=NONE"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, SIZE, SIZE, 4, gdal.GDT_Byte, options)
    dataset.GetRasterBand(4).SetColorInterpretation(gdal.GCI_AlphaBand)
    values = np.random.default_rng(1).integers(50, 90, (4, SIZE, SIZE), "u1")
    values[3, :, SIZE // 3 :] = 0
    dataset.WriteArray(values)
    dataset.BuildOverviews(method, [2, 4])
    dataset = None
    assert check(store) == []
    for folder, _, names in os.walk(f"{store}/ovr_2x/a"):
        for name in names:
            if name[0].isdigit():
                np.full(os.path.getsize(f"{folder}/{name}"), 200, "u1").tofile(f"{folder}/{name}")
    assert ("overviews-differ", "ovr_2x/a") in check(store)


def test_what_the_driver_noted_is_told(tmp_path):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    gdal.OpenEx(store, gdal.OF_UPDATE).WriteRaster(0, 0, 1, 1, bytes(4))
    assert ("overviews-stale", "a") in check(store)
    assert "0:1,0:1" in run_zarrkit("check", store, may_fail=True)


@pytest.mark.parametrize("method", "NEAREST AVERAGE RMS MODE GAUSS BILINEAR".split())
def test_what_another_program_wrote_is_found(tmp_path, method):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, method)
    for folder, _, names in os.walk(f"{store}/a/c"):
        for name in names:
            (np.fromfile(f"{folder}/{name}", "<f4") + 1000).astype("<f4").tofile(f"{folder}/{name}")
    assert check(store) == [("overviews-differ", "ovr_2x/a")]  # the next level still belongs to it


def test_levels_that_groups_hold_for_several_arrays_are_compared(tmp_path):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=b", "APPEND_SUBDATASET=YES", "COMPRESS=NONE"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, SIZE, SIZE, 1, gdal.GDT_Byte, options)
    dataset.WriteArray(np.full((SIZE, SIZE), 9, "u1"))
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    assert check(store) == []
    shutil.rmtree(f"{store}/b/c")
    assert check(store) == [("overviews-differ", "ovr_2x/b")]


def test_what_a_stopped_process_left_is_told_and_goes(tmp_path):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    shutil.copytree(f"{store}/ovr_4x", f"{store}/ovr_8x")
    group = {"zarr_format": 3, "node_type": "group", "attributes": {"unfinished_overviews": ["a"]}}
    with open(f"{store}/ovr_8x/zarr.json", "w") as f:
        json.dump(group, f)
    assert ("overviews-unfinished", "ovr_8x") in check(store)
    gdal.OpenEx(store, gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2])
    assert os.path.exists(f"{store}/ovr_4x") and not os.path.exists(f"{store}/ovr_8x")
    assert check(store) == []


# --- plan and finish ------------------------------------------------------------------------------------------------


def open_unit(store, unit):
    """Computes a unit, as a worker does."""
    gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE, open_options=[f"REFRESH_OVERVIEWS={unit}", "PARTIAL_WRITES=ERROR"]).FlushCache()


def test_units_are_those_that_lack_changes(tmp_path):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    assert run_zarrkit("plan", store, "--array", "a", "--overviews") == ""
    gdal.OpenEx(store, gdal.OF_UPDATE).WriteRaster(0, 0, 1, 1, bytes(4))
    assert run_zarrkit("plan", store, "--array", "a", "--overviews").splitlines() == ["ovr_2x/a 0:64,0:64", "ovr_4x/a 0:64,0:64"]
    plan = json.loads(run_zarrkit("plan", store, "--array", "a", "--overviews", "--json"))
    assert [level["overview"] for level in plan["levels"]] == ["ovr_2x/a", "ovr_4x/a"]
    assert plan["levels"][0]["units"] == [{"start": [0, 0], "count": [64, 64]}]


@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("method", ["NEAREST", "AVERAGE", "CUBIC"])
def test_units_in_any_order_make_the_levels_of_one_process(tmp_path, method, sharded):
    store = str(tmp_path / "a.zarr")
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a", "BLOCKSIZE=64,64", *(["SHARD_CHUNK_SHAPE=32,32"] if sharded else [])]
    dataset = gdal.GetDriverByName("Zarr").Create(store, SIZE - 3, SIZE, 1, gdal.GDT_Float32, options)
    dataset.BuildOverviews(method, [2, 4])
    values = np.random.default_rng(1).normal(100, 30, (SIZE, SIZE - 3)).astype("f4")
    dataset.WriteArray(values)
    dataset = None
    units = run_zarrkit("plan", store, "--array", "a", "--overviews").splitlines()
    assert len(units) == 5
    for unit in sorted(units, key=lambda unit: (unit.split()[0], -units.index(unit))):
        open_unit(store, unit)
    check_like_rebuilt(store, method, [2, 4])
    assert get_stale(store) is not None  # the units say nothing of each other
    run_zarrkit("finish", store, "--array", "a", "--overviews")
    assert get_stale(store) is None
    assert run_zarrkit("plan", store, "--array", "a", "--overviews") == ""


@pytest.mark.parametrize("unit", ["ovr_8x/a 0:64,0:64", "ovr_2x/a 0:64", "ovr_2x/a 0:64,0:999", "ovr_2x/a 9:9,0:9", "a 0:9,0:9"])
def test_a_wrong_unit_is_refused(tmp_path, unit):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    with pytest.raises(RuntimeError, match="expected YES, NO or a unit that zarrkit plan --overviews prints now, got " + unit):
        open_unit(store, unit)


def test_another_word_is_no_value_of_the_option(tmp_path):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    with pytest.raises(RuntimeError, match="REFRESH_OVERVIEWS: expected YES, NO or a unit such as ovr_2x/a 0:256,0:256, got MAYBE"):
        open_unit(store, "MAYBE")


def test_overviews_of_another_shape_have_no_plan(tmp_path):
    store = str(tmp_path / "a.zarr")
    make_pyramid(store, "AVERAGE")
    document = json.load(open(f"{store}/a/zarr.json"))
    document["shape"][0] += 10
    json.dump(document, open(f"{store}/a/zarr.json", "w"))
    assert "this overview has the shape [128,127]" in run_zarrkit("plan", store, "--array", "a", "--overviews", may_fail=True)
