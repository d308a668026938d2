# SPDX-License-Identifier: MIT
"""A dataset says which regions its overviews lack, and computes them again if that is asked for."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from closing import close
from config_options import set_config_option
from osgeo import gdal
from plugin_in_use import python, run_program
from pyramids import FORMATS, HEIGHT, WIDTH, compute_levels, create_store, make_image, read_attributes, read_levels
from stale_pyramids import ITEM, check_like_rebuilt, get_stale, open_update


def make_pyramid(store, method="AVERAGE", factors=(2, 4), bands=1, dtype="u1", format="ZARR_V3", nodata=None, *options):
    data = make_image(bands, dtype)
    dataset = create_store(store, data, *options, format=format, nodata=nodata)
    dataset.BuildOverviews(method, list(factors))
    dataset = None
    return data


# --- what is stale is said ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_a_write_is_said(store, format):
    make_pyramid(store, format=format)
    assert get_stale(store) is None
    dataset = open_update(store)
    assert dataset.GetMetadataItem(ITEM) is None
    dataset.WriteRaster(10, 20, 30, 40, bytes(1200))
    assert dataset.GetMetadataItem(ITEM) == "20:60,10:40"
    dataset = None
    assert get_stale(store) == "20:60,10:40"
    shown = run_program(["gdalinfo", store], capture_output=True, text=True).stdout
    assert "OVERVIEWS_STALE=20:60,10:40" in shown


def test_bands_are_told_apart(store):
    make_pyramid(store, bands=3)
    dataset = open_update(store)
    dataset.GetRasterBand(2).WriteRaster(0, 0, 5, 5, bytes(25))
    dataset = None
    assert get_stale(store) == "1:2,0:5,0:5"


def test_several_writes_are_several_regions_and_never_many(store):
    make_pyramid(store)
    dataset = open_update(store)
    dataset.WriteRaster(0, 0, 5, 5, bytes(25))
    dataset.WriteRaster(100, 100, 5, 5, bytes(25))
    dataset.FlushCache()
    assert dataset.GetMetadataItem(ITEM) == "0:5,0:5; 100:105,100:105"
    for y in range(0, 150, 10):
        for x in range(0, 200, 10):
            dataset.WriteRaster(x, y, 1, 1, b"\1")
    dataset = None
    regions = get_stale(store).split("; ")
    assert 1 < len(regions) <= 16
    covered = np.zeros((HEIGHT, WIDTH), bool)
    for region in regions:
        (y0, y1), (x0, x1) = ([int(n) for n in axis.split(":")] for axis in region.split(","))
        covered[y0:y1, x0:x1] = True
    assert covered[0:150:10, 0:200:10].all() and covered[100:105, 100:105].all() and covered[:5, :5].all()


def test_many_small_writes_change_the_document_few_times(store):
    """Each note is larger than the one before."""
    make_pyramid(store)
    document = f"{store}/a/zarr.json"
    dataset = open_update(store)
    versions = set()
    for y in range(HEIGHT):
        for x in range(0, WIDTH, 20):
            dataset.WriteRaster(x, y, 1, 1, b"\1")
        versions.add(os.stat(document).st_ino)
    dataset = None
    assert len(versions) < 20
    assert get_stale(store) is not None


def test_an_array_without_overviews_is_not_written_to(store):
    create_store(store, make_image()).FlushCache()
    before = open(f"{store}/a/zarr.json").read()
    open_update(store).WriteRaster(0, 0, 5, 5, bytes(25))
    assert open(f"{store}/a/zarr.json").read() == before
    assert get_stale(store) is None


def test_writes_before_the_first_overviews_are_not_stale(store):
    dataset = create_store(store, make_image())
    dataset.WriteRaster(0, 0, 5, 5, bytes(25))
    dataset.BuildOverviews("AVERAGE", [2])
    assert dataset.GetMetadataItem(ITEM) is None
    dataset.WriteRaster(0, 0, 5, 5, bytes(25))
    dataset = None
    assert get_stale(store) == "0:5,0:5"


def test_an_overview_that_is_written_to_is_not_stale(store):
    make_pyramid(store)
    dataset = open_update(store)
    dataset.GetRasterBand(1).GetOverview(0).WriteRaster(0, 0, 5, 5, bytes(25))
    dataset = None
    for path in ("a", "ovr_2x/a", "ovr_4x/a"):
        assert "overviews_stale" not in read_attributes(f"{store}/{path}")


def test_gdaladdo_of_all_levels_makes_them_fresh(store):
    make_pyramid(store)
    open_update(store).WriteRaster(0, 0, 50, 50, bytes(2500))
    assert run_program(["gdaladdo", "-q", "-r", "average", store, "2", "4"]).returncode == 0
    assert get_stale(store) is None
    check_like_rebuilt(store, "AVERAGE", [2, 4])


def test_gdaladdo_of_one_level_leaves_the_others_stale(store):
    make_pyramid(store)
    open_update(store).WriteRaster(0, 0, 50, 50, bytes(2500))
    assert run_program(["gdaladdo", "-q", "-r", "average", store, "2"]).returncode == 0
    assert get_stale(store) == "0:50,0:50 (ovr_4x/a)"
    open_update(store, refresh=True)
    assert get_stale(store) is None
    check_like_rebuilt(store, "AVERAGE", [2, 4])


def test_gdaladdo_of_one_band_leaves_the_others_stale(store):
    make_pyramid(store, bands=2)
    open_update(store).WriteRaster(0, 0, 50, 50, bytes(5000))
    assert run_program(["gdaladdo", "-q", "-r", "average", "-b", "1", store, "2", "4"]).returncode == 0
    assert get_stale(store) == "0:2,0:50,0:50"


def test_removed_overviews_are_not_stale(store):
    make_pyramid(store)
    open_update(store).WriteRaster(0, 0, 50, 50, bytes(2500))
    assert run_program(["gdaladdo", "-q", "-clean", store]).returncode == 0
    assert get_stale(store) is None
    assert "overviews_stale" not in read_attributes(f"{store}/a")


def test_another_nodata_value_makes_all_stale(store):
    make_pyramid(store, nodata=0)
    dataset = open_update(store)
    dataset.GetRasterBand(1).SetNoDataValue(7)
    dataset = None
    assert get_stale(store) == f"0:{HEIGHT},0:{WIDTH}"
    open_update(store, refresh=True)
    check_like_rebuilt(store, "AVERAGE", [2, 4])
    assert gdal.Open(store).GetRasterBand(1).GetOverview(0).GetNoDataValue() == 7


def test_what_is_stale_is_not_copied(store, tmp_path):
    make_pyramid(store)
    open_update(store).WriteRaster(0, 0, 50, 50, bytes(2500))
    for driver, target in (("Zarr", str(tmp_path / "copy.zarr")), ("GTiff", str(tmp_path / "copy.tif"))):
        gdal.GetDriverByName(driver).CreateCopy(target, gdal.Open(store))
        copy = gdal.Open(target)
        assert copy.GetMetadataItem(ITEM) is None and ITEM not in copy.GetMetadata()
    source = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    array = source.GetRootGroup().OpenMDArray("a")
    assert "overviews_stale" not in [attribute.GetName() for attribute in array.GetAttributes()]
    assert array.GetStructuralInfo()[ITEM] == "0:50,0:50"


def test_metadata_that_is_replaced_leaves_it_stale(store):
    make_pyramid(store)
    dataset = open_update(store)
    dataset.WriteRaster(0, 0, 50, 50, bytes(2500))
    dataset.SetMetadata({"title": "x"})
    dataset.SetMetadataItem("more", "y")
    dataset = None
    assert get_stale(store) == "0:50,0:50"
    assert gdal.Open(store).GetMetadataItem("title") == "x"
    open_update(store).SetMetadata({})
    assert get_stale(store) == "0:50,0:50"


def test_what_cannot_be_read_counts_as_all(store):
    make_pyramid(store)
    document = json.load(open(f"{store}/a/zarr.json"))
    document["attributes"]["overviews_stale"] = [{"id": "x", "start": [0], "shape": "no"}]
    json.dump(document, open(f"{store}/a/zarr.json", "w"))
    assert get_stale(store) == f"0:{HEIGHT},0:{WIDTH}"
    open_update(store, refresh=True)
    assert get_stale(store) is None


# --- refreshes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_overviews_are_refreshed_at_the_close(store, format):
    data = make_pyramid(store, format=format)
    dataset = open_update(store, refresh=True)
    data[0, 20:60, 10:40] = 99
    dataset.WriteArray(data)
    dataset = None
    assert get_stale(store) is None
    kept = read_levels(gdal.Open(store))
    for level, expected in zip(kept, compute_levels(data, "AVERAGE", 2)):
        np.testing.assert_array_equal(level, expected)
    check_like_rebuilt(store, "AVERAGE", [2, 4])


def test_what_earlier_processes_left_is_refreshed(store):
    data = make_pyramid(store)
    open_update(store).WriteRaster(0, 0, 50, 50, bytes(2500))
    assert get_stale(store) == "0:50,0:50"
    open_update(store, refresh=True)
    assert get_stale(store) is None
    data[0, :50, :50] = 0
    np.testing.assert_array_equal(read_levels(gdal.Open(store))[1], compute_levels(data, "AVERAGE", 2)[1])


def test_the_configuration_option_is_for_all(store):
    make_pyramid(store)
    with set_config_option("ZARR_REFRESH_OVERVIEWS", "YES"):
        open_update(store).WriteRaster(0, 0, 50, 50, bytes(2500))
        assert get_stale(store) is None
        open_update(store, REFRESH_OVERVIEWS="NO").WriteRaster(0, 0, 50, 50, bytes(2500))
        assert get_stale(store) == "0:50,0:50"
    with set_config_option("ZARR_REFRESH_OVERVIEWS", "PERHAPS"):
        with pytest.raises(RuntimeError, match="REFRESH_OVERVIEWS: expected YES, NO or a unit such as ovr_2x/a 0:256,0:256, got PERHAPS"):
            open_update(store)


def test_the_creation_option(store):
    data = make_image()
    options = ["FORMAT=ZARR_V3", "ARRAY_NAME=a", "REFRESH_OVERVIEWS=YES"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, WIDTH, HEIGHT, 1, gdal.GDT_Byte, options)
    dataset.BuildOverviews("AVERAGE", [2])
    dataset.WriteArray(data)
    dataset = None
    assert get_stale(store) is None
    np.testing.assert_array_equal(read_levels(gdal.Open(store))[0], compute_levels(data, "AVERAGE", 1)[0])


def list_times(store):
    return {os.path.join(folder, name): os.stat(os.path.join(folder, name)).st_mtime_ns for folder, _, names in os.walk(store) for name in names}


def test_only_touched_chunks_of_levels_are_written(store):
    data = make_image()
    dataset = create_store(store, data, "BLOCKSIZE=16,16")
    dataset.BuildOverviews("AVERAGE", [2, 4])
    dataset = None
    before = list_times(store)
    open_update(store, refresh=True).WriteRaster(64, 32, 16, 16, bytes(range(256)))
    after = list_times(store)
    changed = {os.path.relpath(path, store) for path in after if before.get(path) != after[path] and "/c/" in path}
    assert changed == {"a/c/2/4", "ovr_2x/a/c/1/2", "ovr_4x/a/c/0/1"}


@pytest.mark.parametrize("method", "NEAREST AVERAGE RMS GAUSS CUBIC CUBICSPLINE LANCZOS BILINEAR MODE".split())
@pytest.mark.parametrize("nodata", [None, 7])
def test_all_methods_equal_a_rebuild(store, method, nodata):
    make_pyramid(store, method, (2, 4, 8), 2, "f4", nodata=nodata)
    rng = np.random.default_rng(1)
    for x, y, width, height in ((3, 5, 7, 9), (100, 50, 31, 17), (190, 140, 13, 11)):
        dataset = open_update(store, refresh=True)
        dataset.GetRasterBand(2).WriteArray(rng.normal(10, 5, (height, width)).astype("f4"), x, y)
        dataset = None
    assert get_stale(store) is None
    check_like_rebuilt(store, method, [2, 4, 8])


@pytest.mark.parametrize("method, dtype", [("AVERAGE", "c8"), ("AVERAGE_MAGPHASE", "c8"), ("AVERAGE_BIT2GRAYSCALE", "u1")])
def test_what_only_gdal_can_compute_equals_a_rebuild(store, method, dtype):
    make_pyramid(store, method, dtype=dtype)
    dataset = open_update(store, refresh=True)
    dataset.WriteArray(np.full((1, 9, 9), 3, dtype)[0], 10, 10)
    dataset = None
    assert get_stale(store) is None
    check_like_rebuilt(store, method, [2, 4])


def test_levels_from_several_calls_keep_their_methods(store):
    make_pyramid(store, "NEAREST", [4])
    open_update(store).BuildOverviews("AVERAGE", [2])
    data = make_image(seed=3)
    dataset = open_update(store, refresh=True)
    dataset.WriteArray(data)
    dataset = None
    levels = read_levels(gdal.Open(store))
    np.testing.assert_array_equal(levels[0], compute_levels(data, "AVERAGE", 1)[0])
    memory = gdal.GetDriverByName("MEM").Create("", WIDTH, HEIGHT)
    memory.WriteArray(data[0])
    memory.BuildOverviews("NEAREST", [4])
    np.testing.assert_array_equal(levels[1][0], memory.GetRasterBand(1).GetOverview(0).ReadAsArray())


def test_a_slice_refreshes_the_overviews_of_the_array(store):
    make_pyramid(store, bands=3)
    dataset = gdal.OpenEx(f'ZARR:"{store}":/a:1', gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
    dataset.WriteRaster(0, 0, 50, 50, bytes(2500))
    dataset = None
    assert get_stale(store) is None
    check_like_rebuilt(store, "AVERAGE", [2, 4])


@pytest.mark.parametrize("refresh", [True, False])
def test_multidimensional_writes(store, refresh):
    make_pyramid(store, bands=2)
    options = ["REFRESH_OVERVIEWS=YES"] if refresh else []
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE, open_options=options)
    array = dataset.GetRootGroup().OpenMDArray("a")
    array.Write(bytes(2 * 3 * 4), [0, 10, 20], [2, 3, 4])
    array.Write(bytes(4), [1, 100, 100], [1, 2, 2], [1, 10, 10])
    array = dataset = None
    assert get_stale(store) == (None if refresh else "0:2,10:13,20:24; 1:2,100:111,100:111")
    if refresh:
        check_like_rebuilt(store, "AVERAGE", [2, 4])


def test_whole_chunks_only(store):
    make_pyramid(store)
    dataset = open_update(store, refresh=True, PARTIAL_WRITES="ERROR")
    dataset.WriteRaster(48, 32, 48, 32, bytes(48 * 32))
    dataset = None
    assert get_stale(store) is None
    check_like_rebuilt(store, "AVERAGE", [2, 4])


def test_an_array_without_a_group_and_one_without_overviews_are_left_alone(store):
    options = ["FORMAT=ZARR_V3", "REFRESH_OVERVIEWS=YES"]
    gdal.GetDriverByName("Zarr").Create(store, 20, 20, 1, gdal.GDT_Byte, options).WriteArray(np.ones((20, 20), "u1"))
    gdal.OpenEx(store, gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"]).WriteArray(np.zeros((20, 20), "u1"))
    assert not gdal.Open(store).ReadAsArray().any()


# --- faults ---------------------------------------------------------------------------------------------------------


def write_and_close(store, values, *window):
    """Raises errors of the refresh at the close."""
    dataset = open_update(store, refresh=True)
    dataset.WriteRaster(*window, values)
    close(dataset)


def check_fails(match, *arguments):
    messages = []
    gdal.PushErrorHandler(lambda level, number, message: messages.append(message))
    try:
        write_and_close(*arguments)
    except RuntimeError as error:
        messages.append(str(error))
    finally:
        gdal.PopErrorHandler()
    assert any(match in message for message in messages), messages


def test_a_method_that_is_not_known_is_said(store):
    make_pyramid(store)
    document = json.load(open(f"{store}/zarr.json"))
    for level in document["attributes"]["multiscales"]["layout"]:
        level.pop("resampling_method", None)
    document.pop("consolidated_metadata", None)
    json.dump(document, open(f"{store}/zarr.json", "w"))

    message = "overviews stay stale, because they could not be refreshed: the layout does not tell the resampling_method of the overview ovr_2x/a"
    check_fails(message, store, bytes(2500), 0, 0, 50, 50)
    assert get_stale(store) == "0:50,0:50"


def test_a_refresh_that_cannot_be_stored_is_said(store):
    make_pyramid(store)
    target = f"{store}/ovr_2x/a/c/0/0"
    os.remove(target)
    os.makedirs(f"{target}/full")  # no chunk can be put there

    check_fails("ovr_2x/a", store, bytes(range(250)) * 28, 0, 0, 100, 70)
    assert get_stale(store) == "0:70,0:100"
    shutil.rmtree(target)
    open_update(store, refresh=True)
    assert get_stale(store) is None
    check_like_rebuilt(store, "AVERAGE", [2, 4])


KILLED = """
import os, sys
from osgeo import gdal
gdal.UseExceptions()
dataset = gdal.OpenEx(sys.argv[1], gdal.OF_RASTER | gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
for y in range(0, 96, 16):
    dataset.WriteRaster(48, y, 48, 16, bytes([y + 1]) * 48 * 16)
    if sys.argv[2] == "flush":
        dataset.FlushCache()
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("when", ["flush", "write"])
def test_a_process_that_is_killed_leaves_overviews_stale(store, when):
    make_pyramid(store)
    before = gdal.Open(store).ReadAsArray()
    done = subprocess.run(python(KILLED, store, when))
    assert done.returncode == -9
    after = gdal.Open(store).ReadAsArray()
    regions = get_stale(store)
    assert regions is not None
    covered = np.zeros(before.shape, bool)
    for region in regions.split("; "):
        (y0, y1), (x0, x1) = ([int(n) for n in axis.split(":")] for axis in region.split(","))
        covered[y0:y1, x0:x1] = True
    assert covered[before != after].all()
    if when == "flush":
        assert (before != after).any()
    open_update(store, refresh=True)
    assert get_stale(store) is None
    check_like_rebuilt(store, "AVERAGE", [2, 4])


def test_a_region_that_is_written_during_a_refresh_stays_stale(store):
    """The other writer has noted it before, and finds the note gone when it saves."""
    make_pyramid(store)
    writer = open_update(store)
    writer.WriteRaster(0, 0, 10, 10, b"\1" * 100)  # waits in memory
    open_update(store, refresh=True)
    assert get_stale(store) is None
    writer.WriteRaster(2, 2, 3, 3, b"\2" * 9)
    writer = None
    assert get_stale(store) == "0:10,0:10"


# --- other programs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("height", [HEIGHT + 40, HEIGHT - 30])
def test_an_array_that_another_program_resized_gets_fitting_overviews(store, format, height):
    make_pyramid(store, format=format)
    name = "zarr.json" if format == "ZARR_V3" else ".zarray"
    path = f"{store}/a/{name}"
    document = json.load(open(path))
    document["shape"][0] = height
    json.dump(document, open(path, "w"))
    for consolidated in (f"{store}/.zmetadata",):
        if os.path.exists(consolidated):
            os.remove(consolidated)
    if format == "ZARR_V3":
        root = json.load(open(f"{store}/zarr.json"))
        root.pop("consolidated_metadata", None)
        json.dump(root, open(f"{store}/zarr.json", "w"))
    open_update(store, refresh=True)
    assert get_stale(store) is None
    assert gdal.Open(f'ZARR:"{store}":/a').RasterYSize == height
    check_like_rebuilt(store, "AVERAGE", [2, 4])
