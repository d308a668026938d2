# SPDX-License-Identifier: MIT
"""Several handles, threads and processes write values of one array at the same time: nothing is lost."""

import os
import shutil
import threading
import time

import numpy as np
import pytest
from osgeo import gdal
from writer_team import LAYOUTS, ROUNDS, SIZE, Team, expect_rows, list_files, make_raster


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["rows", "flushed_rows"])
def test_processes_that_write_parts_of_the_same_chunks_lose_nothing(tmp_path, team, layout, kind):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        make_raster(path, LAYOUTS[layout])
        team.run(kind, path)
        expect_rows(path)
        names = [os.path.basename(name) for name in list_files(path)]
        assert not [name for name in names if "lock" in name or "tmp" in name]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nobody_waits_for_a_killed_process(tmp_path, team, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    for round in range(ROUNDS):
        with Team(2) as victims:
            victims.begin("rows_for_ever", path)
            time.sleep(0.02 + 0.01 * (round % 5))
        team.run("rows", path)
        expect_rows(path)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_handles_of_one_process_lose_nothing_of_each_other(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])
    handles = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    for y in range(SIZE):
        handles[y % 2].WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
        if y % 7 == 0:
            handles[y % 3 % 2].FlushCache()
    handles.clear()
    expect_rows(path)


def test_two_handles_in_memory_lose_nothing_of_each_other():
    path = "/vsimem/many-writers.zarr"
    gdal.GetDriverByName("Zarr").Create(path, SIZE, SIZE, 1, gdal.GDT_Byte, ["BLOCKSIZE=128,128"])
    handles = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    for y in range(SIZE):
        handles[y % 2].WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
    handles.clear()
    expect_rows(path)
    gdal.RmdirRecursive(path)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_threads_with_a_handle_each_lose_nothing(tmp_path, layout):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS[layout])

    def write(number):
        dataset = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
        for y in range(number, SIZE, 4):
            dataset.WriteRaster(0, y, SIZE, 1, bytes([1 + y % 100]) * SIZE)
            if y % 16 == number:
                dataset.FlushCache()

    threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect_rows(path)


def test_a_write_with_another_number_of_pixels_keeps_what_others_have_written(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS["v2"])
    first = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    first.ReadAsArray()
    first.WriteRaster(0, 0, 20, 20, bytes(range(100)), buf_xsize=10, buf_ysize=10)
    second = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    second.WriteRaster(20, 0, 20, 20, b"\x07" * 400)
    second = None
    first = None
    values = gdal.OpenEx(path).ReadAsArray()
    assert (values[:20, 20:40] == 7).all()
    np.testing.assert_array_equal(values[:20, :20], np.arange(100).reshape(10, 10).repeat(2, 0).repeat(2, 1))


@pytest.mark.parametrize("shape", [(3, 5), (7, 20), (1, 1), (16, 4)])
def test_a_write_with_another_number_of_pixels_takes_those_that_gdal_takes(tmp_path, shape):
    pixels = np.arange(shape[0] * shape[1], dtype="u1").reshape(shape)
    results = []
    for driver, name in (("Zarr", str(tmp_path / "a.zarr")), ("MEM", "")):
        dataset = gdal.GetDriverByName(driver).Create(name, 30, 20, 2, gdal.GDT_Byte)
        dataset.GetRasterBand(2).WriteRaster(3, 2, 11, 13, pixels.tobytes(), buf_xsize=shape[1], buf_ysize=shape[0])
        results.append(dataset.ReadAsArray())
    np.testing.assert_array_equal(*results)


def test_a_unit_that_is_warped_in_memory_keeps_what_others_write_beside_it(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_raster(path, ["FORMAT=ZARR_V2", "BLOCKSIZE=64,64"])
    with_place = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    with_place.SetGeoTransform((0, 1, 0, SIZE, 0, -1))
    with_place = None
    source = gdal.GetDriverByName("MEM").Create("", SIZE, SIZE, 1, gdal.GDT_Byte)
    source.SetGeoTransform((0, 1, 0, SIZE, 0, -1))
    source.WriteArray(np.arange(SIZE * SIZE, dtype="u2").astype("u1").reshape(SIZE, SIZE) | 1)
    stores = [gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    for i, (x, y) in enumerate((x, y) for y in (0, 64) for x in (0, 64)):
        bounds = (x, SIZE - y - 64, x + 64, SIZE - y)
        unit = gdal.Warp("", source, format="MEM", outputBounds=bounds, width=64, height=64)
        stores[i % 2].WriteRaster(x, y, 64, 64, unit.ReadRaster())
    stores.clear()
    np.testing.assert_array_equal(gdal.OpenEx(path).ReadAsArray(), source.ReadAsArray())


def remove_as_others_may(path):
    """The driver refuses to remove a store that this process has open."""
    gdal.RmdirRecursive(path) if path.startswith("/vsi") else shutil.rmtree(path)



@pytest.mark.parametrize("format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("in_memory", [False, True])
def test_a_handle_of_a_store_that_was_made_anew_stores_nothing(tmp_path, format, in_memory):
    path = "/vsimem/made-anew.zarr" if in_memory else str(tmp_path / "a.zarr")
    driver = gdal.GetDriverByName("Zarr")
    driver.Create(path, 64, 64, 1, gdal.GDT_Int32, [f"FORMAT={format}", "BLOCKSIZE=16,64"])
    old = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    remove_as_others_may(path)
    driver.Create(path, 64, 64, 1, gdal.GDT_Float32, [f"FORMAT={format}", "BLOCKSIZE=64,16"])
    new = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    new.WriteArray(np.full((64, 64), 7, "f4"))
    new = None
    message = r"the array has been replaced since it was opened: expected chunks of \[16,64\], got \[64,16\]"
    with pytest.raises(RuntimeError, match=message):
        old.WriteArray(np.full((8, 64), -5, "i4"))
        old.FlushCache()
    with pytest.raises(RuntimeError, match=message):
        old.WriteArray(np.full((8, 64), -5, "i4"))
    old = None
    assert (gdal.OpenEx(path).ReadAsArray() == 7).all()
    remove_as_others_may(path)


@pytest.mark.parametrize("in_memory", [False, True])
def test_the_first_write_to_an_array_that_was_deleted_fails(tmp_path, in_memory):
    path = "/vsimem/deleted.zarr" if in_memory else str(tmp_path / "a.zarr")
    driver = gdal.GetDriverByName("Zarr")
    driver.Create(path, 64, 64, 1, gdal.GDT_Byte, ["BLOCKSIZE=16,64"])
    old = gdal.OpenEx(path, gdal.OF_RASTER | gdal.OF_UPDATE)
    remove_as_others_may(path)
    with pytest.raises(RuntimeError, match="the array has been removed or renamed since it was opened"):
        old.WriteArray(np.full((8, 64), 5, "u1"))
        old.FlushCache()
    old = None
    assert not gdal.ReadDirRecursive(path)
    driver.Create(path, 64, 64, 1, gdal.GDT_Byte)
    driver.Delete(path)
