# SPDX-License-Identifier: MIT
"""Changes of a store are there after reopening, and nothing old contradicts them."""

import json
import math
import os
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal, osr

FORMATS = ["ZARR_V1", "ZARR_V2", "ZARR_V3"]
ALL_CONVENTIONS = "GEOREFERENCING_CONVENTION=GDAL,CF,SPATIAL_PROJ"


def srs_of(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    return srs


def make(store, zarr_format, options=(), bands=1, gdal_type=gdal.GDT_Int16, size=(20, 10)):
    return gdal.GetDriverByName("Zarr").Create(
        store, *size, bands, gdal_type, options=[f"FORMAT={zarr_format}", *options]
    )


def all_text(store):
    """Returns the text of all metadata documents."""
    text = ""
    for folder, _, names in os.walk(store):
        for name in names:
            if name in ("zarr.json", "meta", "attrs") or name.startswith(".z"):
                with open(os.path.join(folder, name)) as f:
                    text += f.read()
    return text


@pytest.mark.parametrize("conventions", [[], [ALL_CONVENTIONS]])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_the_place_is_changed(store, zarr_format, conventions):
    dataset = make(store, zarr_format, conventions)
    dataset.SetGeoTransform([123456, 2, 0, 500, 0, -2])
    dataset.SetSpatialRef(srs_of(32631))
    dataset.GetRasterBand(1).Fill(7)
    dataset = None
    dataset = gdal.Open(store, gdal.GA_Update)
    assert dataset.GetGeoTransform() == (123456, 2, 0, 500, 0, -2)
    dataset.SetGeoTransform([0, 0.5, 0, 10, 0, -0.25])
    dataset.SetSpatialRef(srs_of(3035))
    dataset.SetMetadata({"A": "1"})
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetGeoTransform() == (0, 0.5, 0, 10, 0, -0.25)
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "3035"
    registration = {"AREA_OR_POINT": "Area"} if conventions else {}  # GeoZarr's declares it
    assert dataset.GetMetadata() == {"A": "1", **registration}
    assert (dataset.ReadAsArray() == 7).all()
    text = all_text(store)
    assert "123456" not in text and "32631" not in text and "UTM" not in text
    dataset = gdal.Open(store, gdal.GA_Update)
    dataset.SetSpatialRef(None)
    dataset.SetGeoTransform([0, 0.5, 0.125, 10, 0.125, -0.25])
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetSpatialRef() is None
    assert dataset.GetGeoTransform() == (0, 0.5, 0.125, 10, 0.125, -0.25)
    assert "3035" not in all_text(store)
    assert not os.path.exists(os.path.join(store, "X"))


VALUES = [
    ("Byte", 255),
    ("Int16", -32768),
    ("Int64", -(2**63)),
    ("Int64", 2**63 - 1),
    ("UInt64", 2**64 - 1),
    ("Float32", -3.4028234663852886e38),
    ("Float64", math.nan),
    ("Float64", -math.inf),
    ("Float64", 0.1),
]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("gdal_type, value", VALUES)
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_nodata_is_changed(store, zarr_format, gdal_type, value, late):
    """A value that is set before the data holds for unwritten pixels; a later one does not change any pixels."""
    dataset = make(store, zarr_format, gdal_type=gdal.GetDataTypeByName(gdal_type))
    if late:
        dataset.WriteRaster(3, 2, 2, 2, np.ones(4).tobytes(), buf_type=gdal.GDT_Float64)
        dataset = None
        dataset = gdal.Open(store, gdal.GA_Update)
    dataset.GetRasterBand(1).SetNoDataValue(value)
    if not late:
        dataset.WriteRaster(3, 2, 2, 2, np.ones(4).tobytes(), buf_type=gdal.GDT_Float64)
    dataset = None
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    pixels = band.ReadAsArray()
    np.testing.assert_equal(band.GetNoDataValue(), value)
    np.testing.assert_equal(pixels[0, 0], pixels.dtype.type(0 if late else value))
    assert pixels[2, 3] == 1


@pytest.mark.parametrize("value", [math.nan, 40000, 1.5])
def test_a_nodata_value_that_the_type_cannot_hold(store, value):
    dataset = make(store, "ZARR_V3")
    with pytest.raises(RuntimeError, match="nodata.*Int16"):
        dataset.GetRasterBand(1).SetNoDataValue(value)


def test_nodata_can_be_deleted(store):
    dataset = make(store, "ZARR_V2")
    dataset.GetRasterBand(1).SetNoDataValue(5)
    dataset.GetRasterBand(1).DeleteNoDataValue()
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetNoDataValue() is None


@pytest.mark.parametrize("bands", [1, 3])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_properties_of_bands_are_changed(store, zarr_format, bands):
    make(store, zarr_format, bands=bands, gdal_type=gdal.GDT_Byte)
    dataset = gdal.Open(store, gdal.GA_Update)
    band = dataset.GetRasterBand(bands)
    band.SetScale(0.5)
    band.SetOffset(-3)
    band.SetUnitType("m")
    band.SetColorInterpretation(gdal.GCI_AlphaBand)
    band.SetStatistics(0, 199, 99.5, 57.75)
    band.SetMetadataItem("ITEM", "é")
    band.SetDescription("a band")
    band.SetCategoryNames(["water", "open land"])
    colors = gdal.ColorTable()
    colors.SetColorEntry(0, (0, 0, 255, 255))
    colors.SetColorEntry(1, (1, 2, 3, 4))
    band.SetColorTable(colors)
    dataset = band = None
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(bands)
    assert (band.GetScale(), band.GetOffset(), band.GetUnitType()) == (0.5, -3, "m")
    assert band.GetColorInterpretation() == gdal.GCI_AlphaBand
    assert band.GetStatistics(False, False) == [0, 199, 99.5, 57.75]
    assert (band.GetMetadataItem("ITEM"), band.GetDescription()) == ("é", "a band")
    assert band.GetCategoryNames() == ["water", "open land"]
    assert band.GetColorTable().GetColorEntry(1) == (1, 2, 3, 4)
    assert "STATISTICS_MEAN" not in dataset.GetMetadata()
    if bands > 1:
        assert dataset.GetRasterBand(1).GetMetadataItem("ITEM") is None
        assert dataset.GetRasterBand(1).GetMetadataItem("STATISTICS_MEAN") is None


def test_category_names_are_those_of_cf(store):
    dataset = make(store, "ZARR_V3", ["ARRAY_NAME=a"])
    dataset.GetRasterBand(1).SetCategoryNames(["water", "", "land"])
    dataset = None
    with open(os.path.join(store, "a", "zarr.json")) as f:
        attributes = json.load(f)["attributes"]
    assert (attributes["flag_values"], attributes["flag_meanings"]) == ([0, 2], "water land")
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetCategoryNames() == ["water", "", "land"]


def test_lists_stay_lists(store):
    dataset = make(store, "ZARR_V3", ["ARRAY_NAME=a"])
    dataset.SetMetadata({"valid_range": "{0,100}", "TEXT": "{a}"})
    dataset = None
    with open(os.path.join(store, "a", "zarr.json")) as f:
        assert json.load(f)["attributes"] == {"valid_range": [0, 100], "TEXT": "{a}"}
    assert gdal.Open(store).GetMetadata() == {"valid_range": "{0,100}", "TEXT": "{a}"}


def test_properties_without_a_place_are_refused(store):
    dataset = make(store, "ZARR_V3", bands=2)
    dataset.GetRasterBand(1).SetScale(2)
    with pytest.raises(RuntimeError, match="scale_factor of band 2"):
        dataset.GetRasterBand(2).SetScale(3)
    with pytest.raises(RuntimeError, match="side files"):
        dataset.SetMetadataItem("A", "1", "DOMAIN")
    with pytest.raises(RuntimeError, match="side files"):
        dataset.GetRasterBand(1).SetMetadataItem("A", "1", "DOMAIN")
    with pytest.raises(RuntimeError, match="no metadata item"):
        dataset.SetMetadataItem("scale_factor", "5")
    with pytest.raises(RuntimeError):
        dataset.SetGCPs([gdal.GCP(0, 0, 0, 0, 0)] * 4, srs_of(4326))


# --- data --------------------------------------------------------------------------------------------------------

LAYOUTS = [
    ("ZARR_V1", ["BLOCKSIZE=1,16,16"]),
    ("ZARR_V2", ["BLOCKSIZE=1,16,16"]),
    ("ZARR_V2", ["INTERLEAVE=PIXEL", "BLOCKSIZE=16,16,3"]),
    ("ZARR_V3", ["BLOCKSIZE=3,16,16"]),
    ("ZARR_V3", ["BLOCKSIZE=3,32,32", "SHARD_CHUNK_SHAPE=1,16,16"]),
    ("ZARR_V3", ["CHUNK_EDGES=Y:10,20,20;X:35,35", "BLOCKSIZE=2,1,1"]),
    ("ZARR_V3", ["SINGLE_ARRAY=NO", "ARRAY_NAME=a"]),
]


@pytest.mark.parametrize("zarr_format, options", LAYOUTS)
def test_one_handle_may_write_in_all_ways(store, zarr_format, options):
    """Windows, blocks, all bands at once and the block cache are used in any order. Another handle sees flushed
    data."""
    dataset = make(store, zarr_format, options, bands=3, size=(70, 50))
    separate = "SINGLE_ARRAY=NO" in options
    again = {"open_options": ["ALIKE_ARRAYS_AS_BANDS=YES"]} if separate else {}
    want = np.zeros((3, 50, 70), np.int16)
    rng = np.random.default_rng(3)
    for _ in range(150):
        b, x, y = (int(rng.integers(0, n)) for n in (3, 60, 40))
        w, h = int(rng.integers(1, 71 - x)), int(rng.integers(1, 51 - y))
        band = dataset.GetRasterBand(b + 1)
        step = rng.integers(0, 5)
        if step == 0:
            values = rng.integers(-1000, 1000, (h, w)).astype(np.int16)
            band.WriteArray(values, x, y)
            want[b, y : y + h, x : x + w] = values
        elif step == 1:
            values = rng.integers(-1000, 1000, (3, h, w)).astype(np.int16)
            dataset.WriteRaster(x, y, w, h, values.tobytes())
            want[:, y : y + h, x : x + w] = values
        elif step == 2:
            band.Fill(b)  # through the block cache
            want[b] = b
        elif step == 3:
            assert np.array_equal(band.ReadAsArray(x, y, w, h), want[b, y : y + h, x : x + w])
            assert np.array_equal(dataset.ReadAsArray(x, y, w, h), want[:, y : y + h, x : x + w])
        else:
            dataset.FlushCache()
            assert np.array_equal(gdal.OpenEx(store, **again).ReadAsArray(), want)
    dataset = band = None
    assert np.array_equal(gdal.OpenEx(store, **again).ReadAsArray(), want)


# --- errors ------------------------------------------------------------------------------------------------------
# Closing fails, too, which Python cannot raise.


def mount(folder, *options):
    """Skips the test where that is not allowed."""
    if not shutil.which("mount") or subprocess.run(["mount", *options, folder], capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount file systems")


@pytest.fixture
def small_disk(tmp_path):
    """Mounts a file system of 256 KiB."""
    folder = str(tmp_path / "disk")
    os.mkdir(folder)
    mount(folder, "-t", "tmpfs", "-o", "size=256k", "tmpfs")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("through_cache", [False, True])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_a_full_disk_is_an_error(small_disk, zarr_format, through_cache):
    options = ["COMPRESS=NONE", "BLOCKSIZE=64,64"]
    dataset = make(f"{small_disk}/a.zarr", zarr_format, options, gdal_type=gdal.GDT_Byte, size=(1024, 1024))
    gdal.ErrorReset()
    with pytest.raises(RuntimeError, match="No space left|cannot"):
        if through_cache:
            dataset.GetRasterBand(1).Fill(3)
        else:
            dataset.WriteRaster(0, 0, 1000, 1000, os.urandom(1000 * 1000))
        dataset.FlushCache()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    dataset = None
    gdal.PopErrorHandler()


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_a_file_in_place_of_a_folder_is_an_error(tmp_path, zarr_format):
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="cannot"):
        make(str(tmp_path / "file" / "a.zarr"), zarr_format)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_read_only_folder_is_an_error(store):
    make(store, "ZARR_V3")
    mount(store, "--bind", "-o", "ro", store)
    try:
        dataset = gdal.Open(store, gdal.GA_Update)
        with pytest.raises(RuntimeError, match="Read-only"):
            dataset.GetRasterBand(1).WriteArray(np.ones((10, 20)))
            dataset.FlushCache()
        with pytest.raises(RuntimeError, match="Read-only"):
            dataset.SetMetadataItem("A", "1")
            dataset.FlushCache()
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        dataset = None
        gdal.PopErrorHandler()
    finally:
        subprocess.run(["umount", store], check=True)
