# SPDX-License-Identifier: MIT
"""Overviews follow changes that the multidimensional API makes to their array."""

import json
import os
import shutil

import numpy as np
import pytest
from closing import close
from config_options import set_config_option
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_for_update, write_json
from versions import needs_deletion

FORMATS = ["ZARR_V2", "ZARR_V3"]


def make_srs(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


def write_pyramid(store, name="a", value=1, options=("FORMAT=ZARR_V3",), factors=(2, 4), bands=1):
    names = [*options, f"ARRAY_NAME={name}"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 16, 16, bands, gdal.GDT_Byte, names)
    dataset.SetSpatialRef(make_srs(32633))
    dataset.SetGeoTransform((500000, 10, 0, 6000000, 0, -10))
    dataset.GetRasterBand(1).Fill(value)
    if factors:
        dataset.BuildOverviews("AVERAGE", list(factors))


def read_attributes(store):
    for name in ("zarr.json", ".zattrs"):
        if os.path.exists(f"{store}/{name}"):
            with open(f"{store}/{name}") as file:
                document = json.load(file)
            return document.get("attributes", {}) if name == "zarr.json" else document
    return {}


def open_raster(store, name):
    return gdal.Open(f'ZARR:"{store}":/{name}')


def list_levels(store, name):
    """Returns width and largest value of each overview."""
    raster = open_raster(store, name)
    band = raster.GetRasterBand(1)
    levels = [band.GetOverview(i) for i in range(band.GetOverviewCount())]
    return [(level.XSize, level.ReadAsArray().max()) for level in levels]


# --- georeferencing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", FORMATS)
def test_they_get_the_crs(store, version):
    write_pyramid(store, options=[f"FORMAT={version}"])
    dataset, root = open_for_update(store)
    assert root.OpenMDArray("a").SetSpatialRef(make_srs(32634)) == gdal.CE_None
    del dataset, root
    for name in ("a", "ovr_2x/a", "ovr_4x/a"):
        raster = open_raster(store, name)
        assert raster.GetSpatialRef().GetAuthorityCode(None) == "32634"
        assert raster.GetGeoTransform()[:1] + raster.GetGeoTransform()[3:4] == (500000, 6000000)
    attributes = read_attributes(store)
    assert attributes["proj:code"] == "EPSG:32634"
    assert attributes["multiscales"]["layout"][1]["spatial:transform"] == [20, 0, 500000, 0, -20, 6000000]


def test_they_get_the_crs_of_more_slices_than_a_raster_has_bands(store):
    write_pyramid(store, bands=5)
    with set_config_option("GDAL_MAX_BAND_COUNT", "3"):
        dataset, root = open_for_update(store)
        with collect_errors() as errors:
            assert root.OpenMDArray("a").SetSpatialRef(make_srs(32634)) == gdal.CE_None
        assert not errors
        del dataset, root
    for name in ("a", "ovr_2x/a", "ovr_4x/a"):
        assert open_raster(store, name).GetSpatialRef().GetAuthorityCode(None) == "32634"
    assert read_attributes(store)["proj:code"] == "EPSG:32634"


def test_an_array_gets_a_crs_while_it_has_no_slices(store):
    write_pyramid(store, bands=2)
    for name in ("a", "ovr_2x/a", "ovr_4x/a"):
        with open(f"{store}/{name}/zarr.json") as file:
            document = json.load(file)
        write_json(f"{store}/{name}/zarr.json", {**document, "shape": [0, *document["shape"][1:]]})
    dataset, root = open_for_update(store)
    array = root.OpenMDArray("a")
    with collect_errors() as errors:
        assert array.SetSpatialRef(make_srs(32634)) == gdal.CE_None
    assert not errors
    assert array.GetSpatialRef().GetAuthorityCode(None) == "32634"


# --- deletion ----------------------------------------------------------------------------------------------------


@needs_deletion
@pytest.mark.parametrize("version", FORMATS)
def test_they_are_deleted_with_it(store, version):
    write_pyramid(store, options=[f"FORMAT={version}"])
    dataset, root = open_for_update(store)
    assert root.DeleteMDArray("a") == gdal.CE_None
    del dataset, root
    assert not os.path.exists(f"{store}/ovr_2x") and not os.path.exists(f"{store}/ovr_4x")
    assert not {"multiscales", "proj:code", "spatial:bbox"} & set(read_attributes(store))
    options = ["APPEND_SUBDATASET=YES", "ARRAY_NAME=a"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 16, 16, 1, gdal.GDT_Byte, options)
    dataset.GetRasterBand(1).Fill(200)
    del dataset
    assert list_levels(store, "a") == []


@needs_deletion
def test_those_of_other_arrays_stay(store):
    write_pyramid(store)
    write_pyramid(store, "b", 3, ["APPEND_SUBDATASET=YES"], [2])
    dataset, root = open_for_update(store)
    assert root.DeleteMDArray("a") == gdal.CE_None
    del dataset, root
    assert {"a", "b"} & set(os.listdir(f"{store}/ovr_2x")) == {"b"} and not os.path.exists(f"{store}/ovr_4x")
    assert [entry["asset"] for entry in read_attributes(store)["multiscales"]["layout"]] == ["b", "ovr_2x"]
    with collect_errors() as errors:
        assert list_levels(store, "b") == [(8, 3)]
    assert not errors


# --- names -------------------------------------------------------------------------------------------------------


@needs_deletion
@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("has_others", [False, True])
def test_they_are_renamed_with_it(store, version, has_others):
    write_pyramid(store, options=[f"FORMAT={version}"])
    if has_others:
        write_pyramid(store, "c", 3, ["APPEND_SUBDATASET=YES"], [2])
    dataset, root = open_for_update(store)
    array = root.OpenMDArray("a")
    assert array.Rename("b") == gdal.CE_None
    del dataset, root, array
    assert os.path.exists(f"{store}/ovr_2x/b") and not os.path.exists(f"{store}/ovr_2x/a")
    with collect_errors() as errors:
        assert list_levels(store, "b") == [(8, 1), (4, 1)]
        if has_others:
            assert list_levels(store, "c") == [(8, 3)]
    assert not errors


@needs_deletion
def test_an_array_keeps_its_name_if_a_level_cannot_get_the_new_one(store):
    write_pyramid(store, factors=(2,))
    shutil.copytree(f"{store}/ovr_2x/a", f"{store}/ovr_2x/b")
    dataset, root = open_for_update(store)
    with pytest.raises(RuntimeError, match="ovr_2x/b: expected no node"):
        root.OpenMDArray("a").Rename("b")
    del dataset, root
    assert list_levels(store, "a") == [(8, 1)]


@needs_deletion
def test_overviews_in_a_file_are_renamed_with_it(store):
    write_pyramid(store, factors=())
    open_raster(store, "a").BuildOverviews("AVERAGE", [2])
    assert os.path.exists(f"{store}/a/zarr.json.a.ovr")
    dataset, root = open_for_update(store)
    root.OpenMDArray("a").Rename("b")
    del dataset, root
    assert list_levels(store, "b") == [(8, 1)]


@needs_deletion
@pytest.mark.parametrize("version", FORMATS)
def test_a_renamed_dimension_is_renamed_where_groups_and_arrays_name_it(store, version):
    write_pyramid(store, options=[f"FORMAT={version}", "GEOREFERENCING_CONVENTION=SPATIAL_PROJ"])
    before = open_raster(store, "a").GetGeoTransform()
    dataset, root = open_for_update(store)
    root.OpenMDArray("a").GetDimensions()[0].Rename("row")
    del dataset, root
    for node in (store, f"{store}/a"):
        assert read_attributes(node)["spatial:dimensions"] == ["row", "X"]
    assert read_attributes(f"{store}/ovr_2x/a")["spatial:dimensions"] == ["Y", "X"]
    with collect_errors() as errors:
        assert open_raster(store, "a").GetGeoTransform() == before
        assert len(list_levels(store, "a")) == 2
    assert not errors


@needs_deletion
def test_a_group_keeps_the_name_that_another_array_has(store):
    write_pyramid(store)
    dataset, root = open_for_update(store)
    shorter = [root.CreateDimension("Y", None, None, 5), root.CreateDimension("X", None, None, 16)]
    root.CreateMDArray("b", shorter, gdal.ExtendedDataType.Create(gdal.GDT_Byte))
    root.OpenMDArray("a").GetDimensions()[0].Rename("row")
    del dataset, root, shorter
    assert read_attributes(store)["spatial:dimensions"] == ["Y", "X"]


# --- values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("is_raster", [False, True])
def test_they_get_scale_offset_and_unit(store, version, is_raster):
    write_pyramid(store, options=[f"FORMAT={version}"])
    if is_raster:
        dataset = gdal.OpenEx(store, gdal.OF_RASTER | gdal.OF_UPDATE)
        band = dataset.GetRasterBand(1)
        band.SetScale(0.5), band.SetOffset(3), band.SetUnitType("m")
        del band
    else:
        dataset, root = open_for_update(store)
        array = root.OpenMDArray("a")
        array.SetScale(0.5), array.SetOffset(3), array.SetUnit("m")
        del root, array
    del dataset
    for name in ("a", "ovr_2x/a", "ovr_4x/a"):
        raster = open_raster(store, name)
        band = raster.GetRasterBand(1)
        assert (band.GetScale(), band.GetOffset(), band.GetUnitType()) == (0.5, 3, "m")


def set_unsigned(store, said="true"):
    dataset, root = open_for_update(store)
    root.OpenMDArray("a").CreateAttribute("_Unsigned", [], gdal.ExtendedDataType.CreateString()).Write(said)
    del dataset, root


def write_signed(store, version, build=True):
    """The values -1 and 0 alternate along X."""
    dataset = gdal.GetDriverByName("Zarr").Create(store, 16, 16, 1, gdal.GDT_Int16, [f"FORMAT={version}", "ARRAY_NAME=a"])
    dataset.WriteArray(np.tile(np.array([-1, 0], "i2"), (16, 8)))
    if build:
        dataset.BuildOverviews("AVERAGE", [2, 4])


@pytest.mark.parametrize("version", FORMATS)
def test_they_get_the_signedness_and_are_stale(store, version):
    write_signed(store, version)
    set_unsigned(store)
    with collect_errors() as errors:
        assert [size for size, _ in list_levels(store, "a")] == [8, 4]
        assert open_raster(store, "a").GetMetadataItem("OVERVIEWS_STALE") == "0:16,0:16"
    assert not errors
    gdal.OpenEx(store, gdal.OF_UPDATE, open_options=["REFRESH_OVERVIEWS=YES"])
    assert list_levels(store, "a") == [(8, 32768), (4, 32768)]
    assert open_raster(store, "a").GetMetadataItem("OVERVIEWS_STALE") is None


@pytest.mark.parametrize("refresh", ["YES", "NO"])
def test_they_are_not_computed_from_numbers_of_another_type(store, refresh):
    write_signed(store, "ZARR_V3")
    dataset = gdal.OpenEx(store, gdal.OF_UPDATE, open_options=[f"REFRESH_OVERVIEWS={refresh}"])
    set_unsigned(store)
    dataset.SetMetadataItem("item", "read again")
    dataset.FlushCache()
    assert dataset.GetRasterBand(1).GetOverviewCount() == 0  # they have another type than the band that is open
    with pytest.raises(RuntimeError, match="_Unsigned has changed the type of the array since it was opened"):
        dataset.BuildOverviews("AVERAGE", [2, 4])
    messages = []
    with collect_errors() as errors:
        try:
            close(dataset)
        except RuntimeError as error:
            messages.append(str(error))
    messages += [text for _, text in errors]
    assert any("overviews stay stale" in text for text in messages) == (refresh == "YES")
    gdal.OpenEx(store, gdal.OF_UPDATE).BuildOverviews("AVERAGE", [2, 4])
    assert list_levels(store, "a") == [(8, 32768), (4, 32768)]


def test_an_array_that_is_open_with_another_signedness_gets_none(store):
    write_signed(store, "ZARR_V3", build=False)
    dataset, root = open_for_update(store)
    array = root.OpenMDArray("a")
    array.CreateAttribute("_Unsigned", [], gdal.ExtendedDataType.CreateString()).Write("true")
    if hasattr(array, "BuildOverviews"):
        with pytest.raises(RuntimeError, match="open it again"):
            array.BuildOverviews("AVERAGE", [2])
    assert array.ReadAsArray().min() == -1
    del dataset, root, array
    assert list_levels(store, "a") == []
