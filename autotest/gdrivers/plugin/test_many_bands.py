# SPDX-License-Identifier: MIT
"""An array with more slices than a dataset may have bands opens as its newest slice."""

import json

import numpy as np
import pytest
from errors import collect_errors
from config_options import set_config_option
from osgeo import gdal
from stores import write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group

MOST = 65536
HOURS = 753888


@pytest.fixture(params=["v2", "v3"])
def era5(request, store):
    """Hourly t2m from 1940 on: its metadata, the coordinates of time, and the last chunk."""
    shape, chunk = [HOURS, 721, 1440], [1, 721, 1440]
    names = ["time", "latitude", "longitude"]
    times = np.arange(HOURS, dtype="<i4")
    attributes = {"units": "hours since 1940-01-01", "calendar": "proleptic_gregorian"}
    if request.param == "v2":
        write_v2_group(store)
        write_v2(f"{store}/t2m", np.zeros((1, 1, 1), "<f4"), fill=0, attributes={"_ARRAY_DIMENSIONS": names})
        change_document(f"{store}/t2m/.zarray", shape=shape, chunks=chunk)
        write_v2(f"{store}/time", times, attributes={"_ARRAY_DIMENSIONS": ["time"], **attributes})
        last = f"{store}/t2m/{HOURS - 1}.0.0"
    else:
        write_v3_group(store)
        write_v3(f"{store}/t2m", np.zeros((1, 1, 1), "<f4"), names=names)
        grid = {"name": "regular", "configuration": {"chunk_shape": chunk}}
        change_document(f"{store}/t2m/zarr.json", shape=shape, chunk_grid=grid)
        write_v3(f"{store}/time", times, names=["time"], attributes=attributes)
        last = f"{store}/t2m/c/{HOURS - 1}/0/0"
    write_bytes(last, np.full(chunk, 7, "<f4").tobytes())
    return store


def change_document(path, **members):
    with open(path) as f:
        document = json.load(f)
    write_json(path, {**document, **members})


def open_with_warnings(name, *options):
    with collect_errors() as errors:
        dataset = gdal.OpenEx(name, gdal.OF_RASTER, open_options=list(options))
    assert all(level == gdal.CE_Warning for level, _ in errors)
    return dataset, [text for _, text in errors]


def test_the_newest_slice_opens_with_one_warning(era5):
    dataset, warnings = open_with_warnings(f'ZARR:"{era5}":/t2m')
    assert (dataset.RasterCount, dataset.RasterXSize, dataset.RasterYSize) == (1, 1440, 721)
    assert dataset.ReadAsArray(0, 0, 2, 2).tolist() == [[7, 7], [7, 7]]
    newest = "time=#753887"
    name = f'ZARR:"{era5}":/t2m'
    assert warnings == [
        f"{name}: only the newest slice is shown, {newest}, because 753888 slices are too many for bands; the open "
        f"option SELECT={newest} or the name {name}:{newest} chooses a slice, also by a coordinate, as in "
        f"time=2024-07-01"
    ]
    assert dataset.GetRasterBand(1).GetMetadataItem("DIM_time_ISO8601") == "2025-12-31T23:00:00Z"


def test_the_store_opens_without_the_name_of_the_array(era5):
    dataset, warnings = open_with_warnings(era5)
    assert (dataset.RasterCount, len(warnings)) == (1, 1)


@pytest.mark.parametrize("selection", ["time=2025-12-31T23:00", "time==2025-12-31T23:00", "time=#753887"])
def test_a_slice_is_selected_without_a_warning(era5, selection):
    for name, options in [(f'ZARR:"{era5}":/t2m:{selection}', []), (era5, [f"SELECT={selection}"])]:
        dataset, warnings = open_with_warnings(name, *options)
        assert warnings == []
        assert dataset.ReadAsArray(0, 0, 1, 1)[0, 0] == 7


def test_a_change_needs_a_selection(era5):
    with pytest.raises(RuntimeError, match="expected 1 to 65536 bands, got 753888; choose a slice with the open option SELECT"):
        gdal.OpenEx(f'ZARR:"{era5}":/t2m', gdal.OF_UPDATE)
    dataset = gdal.OpenEx(f'ZARR:"{era5}":/t2m:time=2025-12-31T23:00', gdal.OF_UPDATE)
    dataset.GetRasterBand(1).WriteArray(np.full((721, 1440), 8, "<f4"))
    dataset = None
    assert gdal.Open(f'ZARR:"{era5}":/t2m:{HOURS - 1}').ReadAsArray(0, 0, 1, 1)[0, 0] == 8


@pytest.mark.parametrize(
    "shape, selection, bands, newest",
    [
        ((MOST, 2, 1, 1), "b=#1", MOST, None),
        ((MOST + 1, 2, 1, 1), "b=#1", 1, "a=#65536"),
        ((400, 400, 2, 1, 1), "c=#0", 1, "a=#399,b=#399"),
        ((400, 400, 2, 1, 1), "b=#0", 800, None),
        ((1 << 40, 1 << 40, 2, 1, 1), "c=#0", 1, f"a=#{(1 << 40) - 1},b=#{(1 << 40) - 1}"),
    ],
)
def test_a_selection_may_leave_few_enough_bands(store, shape, selection, bands, newest):
    write_v3(store, np.zeros((1,) * len(shape), "u1"), names=[*"abcdefg"[: len(shape) - 2], "y", "x"])
    change_document(f"{store}/zarr.json", shape=list(shape))
    dataset, warnings = open_with_warnings(store, f"SELECT={selection}")
    assert dataset.RasterCount == bands
    assert len(warnings) == (newest is not None)
    if newest:
        assert f"newest slice is shown, {newest}, because" in warnings[0]


def test_gdal_tells_how_many_bands_there_may_be(store):
    write_v3(store, np.arange(5, dtype="u1").reshape(5, 1, 1))
    with set_config_option("GDAL_MAX_BAND_COUNT", "5"):
        assert gdal.Open(store).RasterCount == 5
    with set_config_option("GDAL_MAX_BAND_COUNT", "4"):
        dataset, warnings = open_with_warnings(store)
        assert (dataset.RasterCount, len(warnings)) == (1, 1)
        with pytest.raises(RuntimeError, match="expected 1 to 4 bands, got 5"):
            gdal.OpenEx(store, gdal.OF_UPDATE)
        with pytest.raises(RuntimeError, match="at most 4 in an array, got 5"):
            gdal.GetDriverByName("Zarr").Create(f"{store}.new", 1, 1, 5, options=["SINGLE_ARRAY=YES"])


def test_more_bands_can_be_allowed(store):
    write_v3(store, np.zeros((1, 1, 1), "u1"))
    change_document(f"{store}/zarr.json", shape=[MOST + 1, 1, 1])
    with set_config_option("GDAL_MAX_BAND_COUNT", str(MOST + 1)):
        dataset, warnings = open_with_warnings(store)
    assert (dataset.RasterCount, warnings) == (MOST + 1, [])


def test_a_dimension_of_length_zero_has_no_newest_slice(store):
    write_v3(store, np.zeros((1, 1, 1, 1), "u1"))
    change_document(f"{store}/zarr.json", shape=[1 << 20, 0, 1, 1])
    with pytest.raises(RuntimeError, match="expected 1 to 65536 bands, got 0"):
        gdal.Open(store)


def test_slices_have_no_metadata_of_their_own(era5):
    dataset = gdal.OpenEx(f'ZARR:"{era5}":/t2m:time=#0', gdal.OF_UPDATE)
    band = dataset.GetRasterBand(1)
    message = "an array of more than 65536 slices has no metadata of single ones"
    with pytest.raises(RuntimeError, match=message):
        band.SetDescription("first")
    with pytest.raises(RuntimeError, match=message):
        band.SetColorInterpretation(gdal.GCI_GrayIndex)
    dataset.SetMetadataItem("item", "value")


@pytest.mark.parametrize("multiband", ["YES", "NO"])
def test_the_newest_slice_opens_with_multiband(era5, multiband):
    dataset, warnings = open_with_warnings(f'ZARR:"{era5}":/t2m', f"MULTIBAND={multiband}")
    assert dataset.ReadAsArray(0, 0, 1, 1) == 7
    assert len(warnings) == 1
