# SPDX-License-Identifier: MIT
"""Values that are set more than once, taken away again, or cannot be kept."""

import pytest
from osgeo import gdal

DRIVER = gdal.GetDriverByName("Zarr")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "a.zarr")


@pytest.fixture
def warnings():
    found = []
    gdal.PushErrorHandler(lambda level, number, text: found.append(text))
    yield found
    gdal.PopErrorHandler()


SETTERS = {
    "nodata": ("SetNoDataValue", "GetNoDataValue", 5, 6),
    "scale": ("SetScale", "GetScale", 2, 3),
    "offset": ("SetOffset", "GetOffset", 2, 3),
    "unit": ("SetUnitType", "GetUnitType", "m", "km"),
}


@pytest.mark.parametrize("what", SETTERS)
def test_all_bands_get_one_value_after_the_other(path, warnings, what):
    setter, getter, first, second = SETTERS[what]
    dataset = DRIVER.Create(path, 5, 5, 3)
    for value in (first, second):
        for number in (1, 2, 3):
            assert getattr(dataset.GetRasterBand(number), setter)(value) == gdal.CE_None
    del dataset
    assert warnings == []
    dataset = gdal.Open(path)
    assert [getattr(dataset.GetRasterBand(n), getter)() for n in (1, 2, 3)] == [second] * 3


@pytest.mark.parametrize("between", ["nothing", "flush", "open again"])
@pytest.mark.parametrize("what, neutral", [("scale", 1), ("offset", 0), ("unit", "")])
def test_all_bands_lose_a_value_one_after_the_other(path, warnings, what, neutral, between):
    setter, getter, first, _ = SETTERS[what]
    dataset = DRIVER.Create(path, 5, 5, 3)
    for value in (first, neutral):
        for number in (1, 2, 3):
            assert getattr(dataset.GetRasterBand(number), setter)(value) == gdal.CE_None
        if between == "flush":
            dataset.FlushCache()
        if between == "open again":
            del dataset
            dataset = gdal.Open(path, gdal.GA_Update)
    del dataset
    assert warnings == []
    dataset = gdal.Open(path)
    assert all(getattr(dataset.GetRasterBand(n), getter)() in (neutral, None) for n in (1, 2, 3))


def test_a_second_round_that_is_left_open_is_told(path, warnings):
    dataset = DRIVER.Create(path, 5, 5, 2)
    for number, value in ((1, 5), (2, 5), (1, 6)):
        assert dataset.GetRasterBand(number).SetNoDataValue(value) == gdal.CE_None
    del dataset
    assert len(warnings) == 1 and "nodata was set through 1 of 2 bands" in warnings[0]


def test_bands_do_not_get_different_values(path):
    dataset = DRIVER.Create(path, 5, 5, 2)
    dataset.GetRasterBand(1).SetNoDataValue(5)
    with pytest.raises(RuntimeError, match="the array has one for all bands"):
        dataset.GetRasterBand(2).SetNoDataValue(6)


@pytest.mark.parametrize("setter", ["SetScale", "SetOffset"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_scale_and_offset_are_finite(path, setter, value):
    dataset = DRIVER.Create(path, 5, 5)
    with pytest.raises(RuntimeError, match="expected a finite number, got"):
        getattr(dataset.GetRasterBand(1), setter)(float(value))
    del dataset
    array = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup().OpenMDArray("a")
    with pytest.raises(RuntimeError, match="expected a finite number, got"):
        getattr(array, setter)(float(value))
    assert (array.GetScale(), array.GetOffset()) == (None, None)


RESERVED = {"scale_factor": "3", "coordinates": "lon lat", "missing_value": "7", "grid_mapping": "crs", "_FillValue": "1"}


def test_items_that_cannot_be_kept_are_named(path, warnings):
    dataset = DRIVER.Create(path, 5, 5)
    assert dataset.SetMetadata({**RESERVED, "A": "1", "valid_min": "0"}) == gdal.CE_None
    assert len(warnings) == 1
    assert all(name in warnings[0] for name in RESERVED) and "valid_min" not in warnings[0]
    assert dataset.GetMetadata() == {"A": "1", "valid_min": "0"}
    del dataset
    assert gdal.Open(path).GetMetadata() == {"A": "1", "valid_min": "0"}


def test_a_copy_names_the_items_that_it_cannot_keep(path, warnings):
    source = gdal.GetDriverByName("MEM").Create("", 5, 5)
    source.SetMetadata({**RESERVED, "A": "1"})
    assert DRIVER.CreateCopy(path, source, strict=1)
    assert len(warnings) == 1 and "left out: " in warnings[0]
    assert gdal.Open(path).GetMetadata() == {"A": "1"}


def test_a_copy_of_a_store_warns_of_nothing(path, warnings):
    dataset = DRIVER.Create(path, 5, 5)
    dataset.SetGeoTransform((10, 1, 0, 50, 0, -1))
    dataset.GetRasterBand(1).SetScale(2)
    dataset.GetRasterBand(1).SetNoDataValue(5)
    dataset.SetMetadata({"A": "1"})
    del dataset
    assert DRIVER.CreateCopy(path + "2.zarr", gdal.Open(path))
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.SetMetadata(dataset.GetMetadata())
    del dataset
    assert warnings == []


@pytest.mark.parametrize("nodata", [1.5, 300, -1])
def test_a_copy_tells_of_nodata_that_the_type_cannot_hold(path, warnings, nodata):
    source = gdal.GetDriverByName("MEM").Create("", 5, 5)
    source.GetRasterBand(1).SetNoDataValue(nodata)
    if source.GetRasterBand(1).GetNoDataValue() != nodata:
        pytest.skip("this GDAL's MEM driver does not keep such a nodata value")
    assert DRIVER.CreateCopy(path, source, strict=0)
    assert len(warnings) == 1 and f"the nodata value {nodata:g} of band 1 (Byte)" in warnings[0]
    assert gdal.Open(path).GetRasterBand(1).GetNoDataValue() is None


def test_a_strict_copy_fails_for_nodata_that_the_type_cannot_hold(path, tmp_path):
    source = gdal.GetDriverByName("MEM").Create("", 5, 5)
    source.GetRasterBand(1).SetNoDataValue(300)
    with pytest.raises(RuntimeError, match="the nodata value 300 of band 1"):
        DRIVER.CreateCopy(path, source, strict=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "nodata"),
    [("Float32", 0.1), ("Float32", float("nan")), ("Float32", -3.4028234663852886e38), ("Int16", -32768), ("CFloat32", 0.1)],
)
def test_nodata_that_fits_is_no_loss(path, warnings, name, nodata):
    source = gdal.GetDriverByName("MEM").Create("", 5, 5, 1, gdal.GetDataTypeByName(name))
    source.GetRasterBand(1).SetNoDataValue(nodata)
    assert DRIVER.CreateCopy(path, source, strict=1)
    assert warnings == []


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("convention", ["GDAL", "CF", "SPATIAL_PROJ", "GDAL,CF,SPATIAL_PROJ"])
def test_a_transform_is_taken_away(path, form, convention):
    options = [f"FORMAT={form}", f"GEOREFERENCING_CONVENTION={convention}"]
    dataset = DRIVER.Create(path, 5, 4, options=options)
    dataset.SetGeoTransform((10, 1, 0, 50, 0, -1))
    del dataset
    assert gdal.Open(path).GetGeoTransform() == (10, 1, 0, 50, 0, -1)
    dataset = gdal.Open(path, gdal.GA_Update)
    assert dataset.SetGeoTransform((0, 1, 0, 0, 0, 1)) == gdal.CE_None
    assert dataset.GetGeoTransform(can_return_null=True) is None
    del dataset
    assert gdal.Open(path).GetGeoTransform(can_return_null=True) is None
    dataset = gdal.Open(path, gdal.GA_Update)
    dataset.SetGeoTransform((20, 2, 0, 60, 0, -2))
    del dataset
    assert gdal.Open(path).GetGeoTransform() == (20, 2, 0, 60, 0, -2)


FROM_ANOTHER = {
    "nodata": ("SetNoDataValue", "GetNoDataValue", 5, 6),
    "scale": ("SetScale", "GetScale", 2, 3),
    "unit": ("SetUnitType", "GetUnitType", "m", "km"),
    "no unit": ("SetUnitType", "GetUnitType", "", "km"),
    "description": ("SetDescription", "GetDescription", "a", "b"),
    "no description": ("SetDescription", "GetDescription", "", "b"),
    "categories": ("SetCategoryNames", "GetCategoryNames", ["a"], ["b", "c"]),
    "no categories": ("SetCategoryNames", "GetCategoryNames", [], ["b", "c"]),
}


@pytest.mark.parametrize("flushes", [True, False])
@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("what", FROM_ANOTHER)
def test_a_value_that_another_dataset_replaced_is_set_again(path, what, form, flushes):
    setter, getter, wanted, between = FROM_ANOTHER[what]
    DRIVER.Create(path, 5, 5, 1, gdal.GDT_Byte, [f"FORMAT={form}"])
    first, second = gdal.Open(path, gdal.GA_Update), gdal.Open(path, gdal.GA_Update)
    getattr(first.GetRasterBand(1), setter)(wanted)
    first.FlushCache()
    getattr(second.GetRasterBand(1), setter)(between)
    second.FlushCache()
    getattr(first.GetRasterBand(1), setter)(wanted)
    if flushes:
        first.FlushCache()
        assert (getattr(first.GetRasterBand(1), getter)() or wanted) == wanted
    del first, second
    dataset = gdal.Open(path)
    assert (getattr(dataset.GetRasterBand(1), getter)() or type(wanted)()) == wanted


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("flushes", [True, False])
def test_nodata_that_another_dataset_set_is_deleted(path, form, flushes):
    DRIVER.Create(path, 5, 5, 1, gdal.GDT_Byte, [f"FORMAT={form}"])
    first, second = gdal.Open(path, gdal.GA_Update), gdal.Open(path, gdal.GA_Update)
    if flushes:
        first.GetRasterBand(1).SetNoDataValue(5)
        first.GetRasterBand(1).DeleteNoDataValue()
        first.FlushCache()
    second.GetRasterBand(1).SetNoDataValue(7)
    del second
    assert first.GetRasterBand(1).DeleteNoDataValue() == gdal.CE_None
    del first
    dataset = gdal.Open(path)
    assert dataset.GetRasterBand(1).GetNoDataValue() is None


def test_an_array_loses_the_unit_that_another_dataset_set(path):
    DRIVER.Create(path, 5, 5)
    first, second = (gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE) for _ in range(2))
    arrays = [dataset.GetRootGroup().OpenMDArray("a") for dataset in (first, second)]
    assert arrays[1].SetUnit("m") == gdal.CE_None
    second.FlushCache()
    assert arrays[0].SetUnit("") == gdal.CE_None
    del arrays, first, second
    dataset = gdal.Open(path)
    assert dataset.GetRasterBand(1).GetUnitType() == ""
