# SPDX-License-Identifier: MIT
"""Bands say what they are: their place along the dimensions besides X and Y is their description."""

import os

import numpy as np
import pytest
from config_options import set_config_option
from osgeo import gdal
from stores import write_json, write_v3, write_v3_group

LEVELS = np.array([0.1, 500, 850], "<f4")
DAYS = np.array([0, 31], "<i4")


def write_cube(store, names=("time", "level", "y", "x"), attributes=None):
    write_v3_group(store)
    shape = [{"time": 2, "level": 3, "member": 2, "y": 4, "x": 5}[name] for name in names]
    write_v3(f"{store}/t", np.zeros(shape, "u1"), names=list(names), attributes=attributes or {})
    write_v3(f"{store}/time", DAYS, names=["time"], attributes={"units": "days since 2024-01-01"})
    write_v3(f"{store}/level", LEVELS, names=["level"], attributes={"units": "hPa", "standard_name": "air_pressure"})
    return f'ZARR:"{store}":/t'


def descriptions(name, **more):
    dataset = gdal.OpenEx(name, gdal.OF_RASTER, **more)
    return [dataset.GetRasterBand(i + 1).GetDescription() for i in range(dataset.RasterCount)]


def test_times_are_in_iso_8601(store):
    assert descriptions(write_cube(store, ("time", "y", "x"))) == ["2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z"]


def test_numbers_have_their_unit_and_no_digits_of_noise(store):
    assert descriptions(write_cube(store, ("level", "y", "x"))) == ["level=0.1 hPa", "level=500 hPa", "level=850 hPa"]


def test_several_dimensions_are_in_order(store):
    got = descriptions(write_cube(store))
    assert got[:2] == ["2024-01-01T00:00:00Z, level=0.1 hPa", "2024-01-01T00:00:00Z, level=500 hPa"]
    assert got[5] == "2024-02-01T00:00:00Z, level=850 hPa"


def test_a_slice_says_which(store):
    assert descriptions(write_cube(store) + ":1:2") == ["2024-02-01T00:00:00Z, level=850 hPa"]


def test_dimensions_without_coordinates_say_nothing(store):
    assert descriptions(write_cube(store, ("member", "y", "x"))) == ["", ""]
    assert descriptions(write_cube(f"{store}2", ("member", "time", "y", "x")))[3] == "2024-02-01T00:00:00Z"


def test_packed_coordinates_are_unpacked(store):
    name = write_cube(store, ("level", "y", "x"))
    write_v3(f"{store}/level", np.array([1, 5000, 8500], "<i2"), names=["level"], attributes={"units": "hPa", "scale_factor": 0.1})
    assert descriptions(name)[:2] == ["level=0.1 hPa", "level=500 hPa"]


def test_a_description_of_its_own_comes_first(store):
    name = write_cube(store, ("time", "y", "x"))
    dataset = gdal.OpenEx(name, gdal.OF_UPDATE)
    dataset.GetRasterBand(2).SetDescription("February")
    dataset = None
    assert descriptions(name) == ["2024-01-01T00:00:00Z", "February"]
    dataset = gdal.OpenEx(name, gdal.OF_UPDATE)
    dataset.GetRasterBand(2).SetDescription("")
    dataset = None
    assert descriptions(name) == ["2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z"]


def test_side_files_do_not_hold_the_store_s_descriptions(store, side_files):
    driver = gdal.GetDriverByName("Zarr")
    dataset = driver.Create(store, 4, 3, 2)
    dataset.GetRasterBand(1).SetDescription("old")
    dataset.GetRasterBand(1).SetMetadataItem("key", "value", "DOMAIN")
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetDescription() == "old"
    dataset.GetRasterBand(1).SetMetadataItem("second", "value", "DOMAIN")
    dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.GetRasterBand(1).SetDescription("new")
    dataset = None
    dataset = gdal.Open(store)
    band = dataset.GetRasterBand(1)
    assert band.GetDescription() == "new" and band.GetMetadata("DOMAIN") == {"key": "value", "second": "value"}


@pytest.mark.parametrize("text", ["updated", ""])
def test_a_description_in_a_side_file_counts_until_an_update_sets_it(store, side_files, text):
    write_v3(store, np.zeros((2, 4, 5), "u1"), names=["t", "y", "x"], attributes={"gdal:bands": [{"description": "stored"}, {}]})
    dataset = gdal.Open(store)
    dataset.GetRasterBand(1).SetDescription("of a reader")
    dataset = None
    assert descriptions(store) == ["of a reader", ""]
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    dataset.GetRasterBand(1).SetDescription(text)
    dataset = None
    assert descriptions(store) == [text, ""]


def test_other_formats_get_them(store, tmp_path):
    name = write_cube(store, ("time", "y", "x"))
    copy = gdal.Translate(str(tmp_path / "copy.tif"), name)
    assert copy.GetRasterBand(2).GetDescription() == "2024-02-01T00:00:00Z"


def test_side_files_do_not_hold_what_coordinates_tell(store):
    name = write_cube(store, ("time", "y", "x"))
    with set_config_option("GDAL_PAM_ENABLED", "YES"):
        dataset = gdal.Open(name)
        dataset.GetRasterBand(1).ComputeStatistics(False)
        dataset = None
    files = [os.path.join(folder, file) for folder, _, files in os.walk(store) for file in files if file.endswith(".aux.xml")]
    assert files
    for file in files:
        with open(file, encoding="utf-8") as f:
            text = f.read()
        assert "STATISTICS_MEAN" in text
        assert "2024-01-01" not in text


@pytest.mark.parametrize("names", [("time", "y", "x"), ("level", "y", "x")])
def test_opening_reads_no_coordinates(store, names):
    name = write_cube(store, names)
    os.remove(f"{store}/{names[0]}/c/0")
    with open(f"{store}/{names[0]}/c/0", "wb") as f:
        f.write(b"short")
    dataset = gdal.Open(name)
    assert dataset.RasterCount > 1  # no error: nothing has asked for them
    with pytest.raises(RuntimeError, match=rf"{names[0]}/c/0"):
        dataset.GetRasterBand(1).GetDescription()


def test_long_texts_of_coordinates_are_cut(store):
    text = "ab" * 510 + "cde\u00e9" + "f" * 5000  # the last character that fits has two bytes, of which one fits
    write_json(f"{store}/zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {}})
    write_v3(f"{store}/a", np.zeros((2, 4, 5), "u1"), names=["name", "y", "x"])
    codecs = [{"name": "vlen-utf8"}]
    grid = {"name": "regular", "configuration": {"chunk_shape": [2]}}
    write_json(
        f"{store}/name/zarr.json",
        {
            "zarr_format": 3,
            "node_type": "array",
            "shape": [2],
            "data_type": "string",
            "chunk_grid": grid,
            "chunk_key_encoding": {"name": "default"},
            "fill_value": text,
            "codecs": codecs,
            "attributes": {"units": "u" * 1024},
            "dimension_names": ["name"],
        },
    )
    dataset = gdal.Open(f'ZARR:"{store}":/a')
    band = dataset.GetRasterBand(2)
    short = "ab" * 510 + "cde..."
    assert band.GetDescription() == short
    assert band.GetMetadata() == {"DIM_name_INDEX": "1", "DIM_name_VALUE": short, "DIM_name_UNIT": "u" * 1024}
