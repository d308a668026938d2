# SPDX-License-Identifier: MIT
"""A warning names what one array cannot hold: values that differ between its bands, and masks."""

import os

import numpy as np
import pytest
from osgeo import gdal

from errors import collect_errors
from plugin_in_use import run_program

driver = gdal.GetDriverByName("Zarr")


pytestmark = pytest.mark.usefixtures("side_files")


def source_of(bands=3, gdal_type=gdal.GDT_Float32):
    source = gdal.GetDriverByName("MEM").Create("", 7, 5, bands, gdal_type)
    for band in range(1, bands + 1):
        source.GetRasterBand(band).Fill(band)
    return source


SETTERS = {
    "nodata value": (lambda band, value: band.SetNoDataValue(value), lambda band: band.GetNoDataValue(), None),
    "scale": (lambda band, value: band.SetScale(value), lambda band: band.GetScale(), 1),
    "offset": (lambda band, value: band.SetOffset(value), lambda band: band.GetOffset(), 0),
    "unit": (lambda band, value: band.SetUnitType(f"u{value}"), lambda band: band.GetUnitType(), ""),
}

# The values of bands 1 to 3; None for a band without one.
UNLIKE = [[None, 10, 10], [10, None, None], [10, 20, 10], [10, 10, 20]]


@pytest.mark.parametrize("values", UNLIKE)
@pytest.mark.parametrize("what", SETTERS)
def test_values_that_bands_do_not_have_in_common(store, what, values):
    setter, getter, default = SETTERS[what]
    source = source_of()
    for band, value in enumerate(values, 1):
        if value is not None:
            setter(source.GetRasterBand(band), value)
    with pytest.raises(RuntimeError, match=f"{what} .*in band 1.*SINGLE_ARRAY=NO"):
        driver.CreateCopy(store, source, strict=1)
    assert not os.path.exists(store)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=0)
    assert [level for level, text in errors if what in text] == [gdal.CE_Warning] and len(errors) == 1
    dataset = gdal.Open(store)
    assert all(getter(dataset.GetRasterBand(band)) in (None, default) for band in (1, 2, 3))
    assert dataset.ReadAsArray()[:, 0, 0].tolist() == [1, 2, 3]


@pytest.mark.parametrize("what", SETTERS)
def test_values_that_bands_have_in_common(store, what):
    setter, getter, _ = SETTERS[what]
    source = source_of()
    for band in (1, 2, 3):
        setter(source.GetRasterBand(band), 10)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=1)
    assert errors == []
    dataset = gdal.Open(store)
    assert [getter(dataset.GetRasterBand(band)) for band in (1, 2, 3)] == [getter(source.GetRasterBand(1))] * 3


def test_what_is_left_of_a_source_is_copied(store):
    """Only the values that differ are left out."""
    source = source_of(2, gdal.GDT_Int64)
    source.SetGeoTransform([1, 2, 0, 3, 0, -2])
    source.SetMetadataItem("TITLE", "one")
    source.SetMetadataItem("LINE_OFF", "5", "RPC")
    for band in (1, 2):
        source.GetRasterBand(band).SetNoDataValueAsInt64(2**60 + 1)
        source.GetRasterBand(band).SetScale(band)
        source.GetRasterBand(band).SetDescription(f"band {band}")
        source.GetRasterBand(band).SetMetadataItem("NUMBER", str(band))
        source.GetRasterBand(band).SetColorInterpretation(gdal.GCI_RedBand + band)
    driver.CreateCopy(store, source, strict=0)
    dataset = gdal.Open(store)
    assert dataset.GetGeoTransform() == (1, 2, 0, 3, 0, -2)
    assert dataset.GetMetadataItem("TITLE") == "one" and dataset.GetMetadata("RPC") == {"LINE_OFF": "5"}
    for band in (1, 2):
        copied = dataset.GetRasterBand(band)
        assert copied.GetNoDataValueAsInt64() == 2**60 + 1 and copied.GetScale() in (None, 1)
        assert (copied.GetDescription(), copied.GetMetadata()) == (f"band {band}", {"NUMBER": str(band)})
        assert copied.GetColorInterpretation() == gdal.GCI_RedBand + band


def test_colour_table_of_one_band(store):
    source = source_of(2, gdal.GDT_Byte)
    colors = gdal.ColorTable()
    colors.SetColorEntry(1, (1, 2, 3, 255))
    source.GetRasterBand(2).SetColorTable(colors)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=0)
    assert len(errors) == 1 and "colour table" in errors[0][1]
    assert gdal.Open(store).GetRasterBand(1).GetColorTable() is None


@pytest.mark.parametrize("what", SETTERS)
def test_setting_some_bands_is_said_when_the_dataset_is_closed(store, what):
    setter, getter, _ = SETTERS[what]
    dataset = driver.Create(store, 7, 5, 3, gdal.GDT_Float32)
    setter(dataset.GetRasterBand(2), 10)
    expected = getter(dataset.GetRasterBand(2))
    with collect_errors() as errors:
        dataset = None
    assert [level for level, _ in errors] == [gdal.CE_Warning]
    assert "1 of 3 bands (the first is band 2)" in errors[0][1]
    dataset = gdal.Open(store, gdal.GA_Update)
    assert [getter(dataset.GetRasterBand(band)) for band in (1, 2, 3)] == [expected] * 3
    setter(dataset.GetRasterBand(3), 10)
    with collect_errors() as errors:
        dataset = None
    assert errors == []  # all bands were set


@pytest.mark.parametrize("what", SETTERS)
def test_setting_all_bands(store, what):
    dataset = driver.Create(store, 7, 5, 3, gdal.GDT_Float32)
    for band in (1, 2, 3):
        SETTERS[what][0](dataset.GetRasterBand(band), 10)
    with collect_errors() as errors:
        dataset = None
    assert errors == []


# --- masks ----------------------------------------------------------------------------------------------------------


def masked_source(flags):
    source = source_of(1)
    source.CreateMaskBand(flags) if flags else source.GetRasterBand(1).CreateMaskBand(0)
    return source


@pytest.mark.parametrize("options", [[], ["SINGLE_ARRAY=NO"]])
@pytest.mark.parametrize("name", ["test.zarr", "test.zarr.zip"])
@pytest.mark.parametrize("flags", [gdal.GMF_PER_DATASET, 0])
def test_masks_are_not_stored(tmp_path, flags, name, options):
    path = str(tmp_path / name)
    with pytest.raises(RuntimeError, match="mask.*nodata value or an alpha band"):
        driver.CreateCopy(path, masked_source(flags), strict=1, options=options)
    assert os.listdir(tmp_path) == []
    with collect_errors() as errors:
        driver.CreateCopy(path, masked_source(flags), strict=0, options=options)
    assert [level for level, text in errors] == [gdal.CE_Warning] and "mask" in errors[0][1]
    assert os.listdir(tmp_path) == [name]
    assert gdal.Open(path).GetRasterBand(1).GetMaskFlags() == gdal.GMF_ALL_VALID


def test_masks_that_follow_from_values(store):
    source = source_of(2, gdal.GDT_Byte)
    for band in (1, 2):
        source.GetRasterBand(band).SetNoDataValue(1)
    source.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=1)
    assert errors == []
    assert gdal.Open(store).GetRasterBand(1).GetMaskFlags() == gdal.GMF_NODATA
    assert not gdal.Open(store).GetRasterBand(1).GetMaskBand().ReadAsArray().any()


@pytest.mark.parametrize("access", [gdal.GA_ReadOnly, gdal.GA_Update])
def test_masks_cannot_be_made(store, access):
    driver.CreateCopy(store, source_of())
    before = os.listdir(os.path.dirname(store))
    dataset = gdal.Open(store, access)
    for target in (dataset, dataset.GetRasterBand(2)):
        with pytest.raises(RuntimeError, match="CreateMaskBand.. is not supported"):
            target.CreateMaskBand(gdal.GMF_PER_DATASET)
    dataset = None
    assert os.listdir(os.path.dirname(store)) == before


def test_a_file_beside_the_store_is_no_mask(store):
    """GDAL would find it by some of a store's names only."""
    driver.CreateCopy(store, source_of())
    gdal.GetDriverByName("GTiff").Create(store + ".msk", 7, 5, 1).SetMetadataItem("INTERNAL_MASK_FLAGS_1", "2")
    for name in (store, store + "/", store + "/.zgroup", f'ZARR:"{store}":/test'):
        dataset = gdal.Open(name)
        assert dataset.GetRasterBand(1).GetMaskFlags() == gdal.GMF_ALL_VALID
        assert dataset.GetRasterBand(1).GetMaskBand().ReadAsArray().all()
        assert not any(".msk" in file for file in gdal.Open(name).GetFileList())


def test_gdal_translate_with_a_mask(tmp_path):
    gdal.GetDriverByName("GTiff").CreateCopy(str(tmp_path / "in.tif"), source_of())
    command = ["gdal_translate", "-q", "-of", "Zarr", "-b", "1", "-mask", "2"]
    run = run_program(
        [*command, str(tmp_path / "in.tif"), str(tmp_path / "out.zarr")], capture_output=True, text=True, check=True
    )
    assert run.stderr.count("mask") == 1 and "ERROR" not in run.stderr
    assert sorted(os.listdir(tmp_path)) == ["in.tif", "out.zarr"]


# --- types ----------------------------------------------------------------------------------------------------------


def source_of_types(types, values=None):
    source = gdal.GetDriverByName("MEM").Create("", 7, 5, 0)
    for number, gdal_type in enumerate(types, 1):
        source.AddBand(gdal_type)
        source.GetRasterBand(number).Fill(values[number - 1] if values else number)
    return source


def types_of(dataset):
    return [dataset.GetRasterBand(band).DataType for band in range(1, dataset.RasterCount + 1)]


MIXED = [gdal.GDT_Byte, gdal.GDT_Float32, gdal.GDT_Int16]


@pytest.mark.parametrize(
    "types, common, more",
    [
        (MIXED, gdal.GDT_Float32, ""),
        ([gdal.GDT_Byte, gdal.GDT_Int16], gdal.GDT_Int16, ""),
        ([gdal.GDT_Int32, gdal.GDT_Float32], gdal.GDT_Float64, ""),
        ([gdal.GDT_Byte, gdal.GDT_Int64], gdal.GDT_Int64, ""),
        ([gdal.GDT_Float32, gdal.GDT_Int64], gdal.GDT_Float64, "which rounds large numbers of Int64"),
    ],
)
def test_bands_of_several_types_get_one_that_holds_all(store, types, common, more):
    source = source_of_types(types)
    with pytest.raises(RuntimeError, match=f"become {gdal.GetDataTypeName(common)} .*SINGLE_ARRAY=NO"):
        driver.CreateCopy(store, source, strict=1)
    assert not os.path.exists(store)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=0)
    assert [level for level, text in errors] == [gdal.CE_Warning] and more in errors[0][1]
    dataset = gdal.Open(store)
    assert types_of(dataset) == [common] * len(types)
    assert dataset.ReadAsArray()[:, 0, 0].tolist() == list(range(1, len(types) + 1))


def test_values_that_the_first_type_does_not_hold_are_kept(store):
    driver.CreateCopy(store, source_of_types(MIXED, [1, 2.75, -300]), strict=0)
    assert gdal.Open(store).ReadAsArray()[:, 4, 6].tolist() == [1, 2.75, -300]


@pytest.mark.parametrize("strict", [0, 1])
def test_each_array_has_the_type_of_its_band(store, strict):
    source = source_of_types(MIXED, [1, 2.75, -300])
    for band, nodata in enumerate([255, float("nan"), -32768], 1):
        source.GetRasterBand(band).SetNoDataValue(nodata)
    with collect_errors() as errors:
        copy = driver.CreateCopy(store, source, strict=strict, options=["SINGLE_ARRAY=NO", "ARRAY_NAME=a"])
    assert errors == [] and types_of(copy) == MIXED
    assert [copy.GetRasterBand(band).ReadAsArray()[4, 6] for band in (1, 2, 3)] == [1, 2.75, -300]
    arrays = [gdal.Open(f'ZARR:"{store}":/a_band{band}') for band in (1, 2, 3)]
    assert [types_of(array) for array in arrays] == [[gdal_type] for gdal_type in MIXED]
    assert [array.ReadAsArray()[4, 6] for array in arrays] == [1, 2.75, -300]
    nodata = [array.GetRasterBand(1).GetNoDataValue() for array in arrays]
    assert (nodata[0], nodata[2]) == (255, -32768) and np.isnan(nodata[1])


@pytest.mark.parametrize("nodata, types, expected", [
    (300, [gdal.GDT_Byte, gdal.GDT_Int16], 300),
    (7, [gdal.GDT_Byte, gdal.GDT_Int64], 7),
    (0.1, [gdal.GDT_Float32, gdal.GDT_Int32], float(np.float32(0.1))),
])  # fmt: skip
def test_nodata_is_that_of_the_common_type(store, nodata, types, expected):
    source = source_of_types(types)
    for band in (1, 2):
        source.GetRasterBand(band).SetNoDataValue(nodata)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=0)
    assert not [text for _, text in errors if "nodata" in text]
    assert gdal.Open(store).GetRasterBand(1).GetNoDataValue() == expected


@pytest.mark.parametrize("unfit", [1, 2])
def test_nodata_that_does_not_fit_a_band_leaves_those_of_other_arrays(store, unfit):
    source = source_of(2, gdal.GDT_Byte)
    for band in (1, 2):
        source.GetRasterBand(band).SetNoDataValue(300 if band == unfit else 5)
    with collect_errors() as errors:
        driver.CreateCopy(store, source, strict=0, options=["SINGLE_ARRAY=NO"])
    assert [text for _, text in errors if f"300 of band {unfit} (Byte)" in text] and len(errors) == 1
    dataset = gdal.OpenEx(store, open_options=["ALIKE_ARRAYS_AS_BANDS=YES"])
    nodata = [dataset.GetRasterBand(band).GetNoDataValue() for band in (1, 2)]
    assert nodata == ([None, 5] if unfit == 1 else [5, None])
