# SPDX-License-Identifier: MIT
"""Metadata items keep their text."""

import pytest
from errors import collect_errors
from osgeo import gdal

TEXTS = ["199", "199.0", "1e3", "007", "true", "null", "1.50", "", " a ", "a\nb\n", '{"a": 1}', "[1, 2]", "{1,2}", "{1.50,2}", "{1,x}", "{}", "\u00e9=:", "-0", "+5", "1E+10", "0x10", ".5", "9223372036854775808", "nan"]
NAMES = ["item", "STATISTICS_MINIMUM", "STATISTICS_MEDIAN", "STATISTICS_MEAN", "valid_min"]


@pytest.mark.parametrize("form", ["ZARR_V1", "ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("of_band", [True, False])
@pytest.mark.parametrize("bands", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_items_keep_their_text(store, form, of_band, bands, name):
    if name.startswith("STATISTICS") and not of_band:
        pytest.skip("statistics are those of bands")
    dataset = gdal.GetDriverByName("Zarr").Create(store, 3, 3, bands, gdal.GDT_Int16, [f"FORMAT={form}"])
    dataset = None
    for text in TEXTS:
        dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
        target = dataset.GetRasterBand(bands) if of_band else dataset
        target.SetMetadataItem(name, text)
        assert target.GetMetadataItem(name) == text
        target = dataset = None
        dataset = gdal.Open(store)
        target = dataset.GetRasterBand(bands) if of_band else dataset
        assert target.GetMetadataItem(name) == text
        target = dataset = None


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("of_band", [True, False])
def test_a_copy_keeps_the_texts(store, form, of_band):
    source = gdal.GetDriverByName("MEM").Create("", 3, 3)
    items = {f"k{i}": text for i, text in enumerate(TEXTS)}
    (source.GetRasterBand(1) if of_band else source).SetMetadata(items)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=[f"FORMAT={form}"])
    dataset = gdal.Open(store)
    assert (dataset.GetRasterBand(1) if of_band else dataset).GetMetadata() == items


def test_statistics_keep_their_text(store):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 3, 3, 1, gdal.GDT_Byte)
    dataset.GetRasterBand(1).SetStatistics(1, 199, 2.5, 0.001)
    before = dataset.GetRasterBand(1).GetMetadata()
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetRasterBand(1).GetMetadata() == before
    assert before["STATISTICS_MAXIMUM"] == "199"


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("bands", [1, 2])
def test_statistics_of_a_dataset_change_none_of_its_bands(store, form, bands):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 3, 3, bands, gdal.GDT_Byte, [f"FORMAT={form}"])
    for band in range(bands):
        dataset.GetRasterBand(band + 1).SetStatistics(1, 199, 2.5, 0.001)
    dataset = None
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE)
    for value in ("unknown", "7", None):
        with pytest.raises(RuntimeError, match="STATISTICS_MEAN is no metadata item"):
            dataset.SetMetadataItem("STATISTICS_MEAN", value)
    with collect_errors() as errors:
        dataset.SetMetadata({"STATISTICS_MEAN": "7", "item": "a"})
    assert len(errors) == 1 and "left out: STATISTICS_MEAN" in errors[0][1]
    assert dataset.GetMetadata() == {"item": "a"}
    dataset = None
    dataset = gdal.Open(store)
    assert dataset.GetMetadata() == {"item": "a"}
    assert [dataset.GetRasterBand(i + 1).GetMetadataItem("STATISTICS_MEAN") for i in range(bands)] == ["2.5"] * bands


def test_a_copy_leaves_out_statistics_of_a_dataset(store):
    source = gdal.GetDriverByName("MEM").Create("", 3, 3)
    source.GetRasterBand(1).SetStatistics(1, 199, 2.5, 0.001)
    source.SetMetadata({"STATISTICS_MEAN": "7", "item": "a"})
    with collect_errors() as errors:
        gdal.GetDriverByName("Zarr").CreateCopy(store, source)
    assert len(errors) == 1 and "left out: STATISTICS_MEAN" in errors[0][1]
    dataset = gdal.Open(store)
    assert dataset.GetMetadata() == {"item": "a"}
    assert dataset.GetRasterBand(1).GetMetadataItem("STATISTICS_MEAN") == "2.5"
