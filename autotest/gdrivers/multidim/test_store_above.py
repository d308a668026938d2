# SPDX-License-Identifier: MIT
"""The folder of a node, opened by itself: coordinates and the CRS come from the store that it is a part of."""

import pathlib

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import write_v2, write_v2_group, write_v3, write_v3_group

X = np.array([10.0, 20, 30])
Y = np.array([50.0, 40])
CF = {
    "grid_mapping_name": "transverse_mercator",
    "crs_wkt": osr.SpatialReference(osr.GetUserInputAsWKT("EPSG:32631")).ExportToWkt(),
}


def write_below(store, zarr_format):
    """/x, /y and /crs; /group/a, /group/deeper/b."""
    attributes = {"grid_mapping": "crs", "coordinates": "place"}
    if zarr_format == 2:
        for group in ("", "/group", "/group/deeper"):
            write_v2_group(store + group)
        names = "_ARRAY_DIMENSIONS"
        write_v2(f"{store}/x", X, attributes={names: ["x"], "axis": "X"})
        write_v2(f"{store}/y", Y, attributes={names: ["y"], "axis": "Y"})
        write_v2(f"{store}/place", np.zeros((2, 3)), attributes={names: ["y", "x"]})
        write_v2(f"{store}/crs", np.array(0), attributes={names: [], **CF})
        for path in ("group/a", "group/deeper/b"):
            write_v2(f"{store}/{path}", np.zeros((2, 3), "u1"), attributes={names: ["y", "x"], **attributes})
        return
    for group in ("", "/group", "/group/deeper"):
        write_v3_group(store + group)
    write_v3(f"{store}/x", X, names=["x"], attributes={"axis": "X"})
    write_v3(f"{store}/y", Y, names=["y"], attributes={"axis": "Y"})
    write_v3(f"{store}/place", np.zeros((2, 3)), names=["y", "x"])
    write_v3(f"{store}/crs", np.array(0), names=[], attributes=CF)
    for path in ("group/a", "group/deeper/b"):
        write_v3(f"{store}/{path}", np.zeros((2, 3), "u1"), names=["y", "x"], attributes=attributes)


def open_root(name, flags=0):
    with collect_errors() as errors:
        root = gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER | flags).GetRootGroup()
    assert errors == []
    return root


@pytest.mark.parametrize("zarr_format", [2, 3])
@pytest.mark.parametrize("flags", [0, gdal.OF_UPDATE])
@pytest.mark.parametrize(
    "folder, full_name", [("group", "/a"), ("group", "/deeper/b"), ("group/deeper", "/b"), ("group/a", "/a")]
)
def test_coordinates_and_crs_of_the_store_above(store, zarr_format, flags, folder, full_name):
    write_below(store, zarr_format)
    root = open_root(f"{store}/{folder}", flags)
    array = root.OpenMDArrayFromFullname(full_name)
    assert array.GetFullName() == full_name
    y, x = array.GetDimensions()
    assert (y.GetType(), x.GetType()) == ("HORIZONTAL_Y", "HORIZONTAL_X")
    assert x.GetIndexingVariable().ReadAsArray().tolist() == X.tolist()
    assert y.GetIndexingVariable().ReadAsArray().tolist() == Y.tolist()
    assert array.GetSpatialRef().GetAuthorityCode(None) == "32631"
    assert [a.GetName() for a in array.GetCoordinateVariables()] == ["place"]
    assert array.AsClassicDataset(1, 0).GetGeoTransform() == (5, 10, 0, 55, 0, -10)


def test_nearer_coordinates_count(store):
    write_below(store, 3)
    write_v3(f"{store}/group/x", X + 1, names=["x"])
    array = open_root(f"{store}/group").OpenMDArray("a")
    assert array.GetDimensions()[1].GetIndexingVariable().ReadAsArray().tolist() == (X + 1).tolist()


def test_a_folder_without_a_store_above(store):
    write_v3(f"{store}/a", np.zeros((2, 3), "u1"), names=["y", "x"])
    array = open_root(f"{store}/a").OpenMDArray("a")
    assert [d.GetIndexingVariable() for d in array.GetDimensions()] == [None, None]
    assert array.GetSpatialRef() is None


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("folder", ["g", "g/h", "g/h/a"])
def test_consolidated_metadata_of_the_store_above_follow_changes(store, zarr_format, folder):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, options=[f"FORMAT={zarr_format}"])
    group = dataset.GetRootGroup().CreateGroup("g").CreateGroup("h")
    integer = gdal.ExtendedDataType.Create(gdal.GDT_Int32)
    group.CreateMDArray("a", [group.CreateDimension("x", "", "", 3)], integer)
    group = dataset = None

    dataset = gdal.OpenEx(f"{store}/{folder}", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    group = dataset.GetRootGroup()
    group = group.OpenGroup("h") if folder == "g" else group
    array = group.OpenMDArray("a")
    array.SetUnit("km")
    array.SetNoDataValueDouble(1)
    if folder != "g/h/a":
        group.CreateMDArray("b", array.GetDimensions(), integer)
    array = group = dataset = None

    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER, open_options=["USE_CONSOLIDATED_METADATA=YES"])
    group = dataset.GetRootGroup().OpenGroup("g").OpenGroup("h")
    assert group.GetMDArrayNames() == (["a"] if folder == "g/h/a" else ["a", "b"])
    array = group.OpenMDArray("a")
    assert (array.GetUnit(), array.GetNoDataValueAsDouble()) == ("km", 1)


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_consolidated_metadata_of_the_store_above_change_only_with_nodes(store, zarr_format):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, options=[f"FORMAT={zarr_format}"])
    group = dataset.GetRootGroup().CreateGroup("g")
    byte = gdal.ExtendedDataType.Create(gdal.GDT_Byte)
    x = group.CreateDimension("x", "", "", 3)
    for name in "ab":
        group.CreateMDArray(name, [x], byte).SetUnit("m")
    x = group = dataset = None
    path = pathlib.Path(store, ".zmetadata" if zarr_format == "ZARR_V2" else "zarr.json")
    marked = path.read_text().replace('"m"', '"km"')
    path.write_text(marked)

    dataset = gdal.OpenEx(f"{store}/g", gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    array = dataset.GetRootGroup().OpenMDArray("a")
    for value in (1, 2):
        array.Write(np.full(3, value, "u1"))
        dataset.FlushCache()
    assert path.read_text() == marked
    array.SetUnit("")
    dataset.FlushCache()
    array = dataset = None
    text = path.read_text()
    assert text.count('"m"') + text.count('"km"') == 1  # that of the other array


def list_arrays(store, group):
    with collect_errors() as errors:
        dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER, open_options=["USE_CONSOLIDATED_METADATA=YES"])
        group = dataset.GetRootGroup().OpenGroupFromFullname("/" + group)
    assert errors == []
    return set(group.GetMDArrayNames() or [])


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_consolidated_metadata_of_the_store_above_list_arrays_that_are_added(store, zarr_format):
    driver = gdal.GetDriverByName("Zarr")
    driver.CreateMultiDimensional(store, options=[f"FORMAT={zarr_format}"]).GetRootGroup().CreateGroup("g")
    source = gdal.GetDriverByName("MEM").Create("", 6, 5)
    driver.CreateCopy(f"{store}/g", source, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=copied"])
    driver.Create(f"{store}/g", 8, 7, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=created"])
    dataset = gdal.OpenEx(f'ZARR:"{store}/g":/created', gdal.OF_UPDATE)
    dataset.SetGeoTransform((10, 1, 0, 20, 0, -1))
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    assert list_arrays(store, "g") >= {"copied", "created", "created_X", "created_Y"}
    inner = gdal.OpenEx(f"{store}/g", gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert list_arrays(store, "g") == set(inner.GetMDArrayNames())


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
@pytest.mark.parametrize("folder", ["g/new", "g/plain/new", "g/new.zarr"])
def test_consolidated_metadata_of_the_store_above_list_stores_that_are_made_in_it(store, zarr_format, folder):
    driver = gdal.GetDriverByName("Zarr")
    options = [f"FORMAT={zarr_format}"]
    driver.CreateMultiDimensional(store, options=options).GetRootGroup().CreateGroup("g")
    pathlib.Path(store, "g/plain").mkdir()
    folder, dot, end = folder.partition(".")
    end = dot + end

    def name(number):
        return f"{store}/{folder}{number}{end}"

    other = f"{store}.other"
    driver.CreateMultiDimensional(other, options=options)
    driver.Create(name(1), 6, 5, options=options + ["ARRAY_NAME=a"])
    driver.CreateCopy(name(2), gdal.GetDriverByName("MEM").Create("", 6, 5), options=options + ["ARRAY_NAME=a"])
    with collect_errors() as errors:
        dataset = driver.CreateMultiDimensional(name(3), options=options)
        dataset.GetRootGroup().CreateMDArray("a", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        dataset = None
        driver.CreateMultiDimensional(name(4), options=options)
        driver.CopyFiles(name(5), other)
    assert errors == []
    for number in "123":
        assert list_arrays(store, f"{folder}{number}{end}") == {"a"}
    for number in "45":
        assert list_arrays(store, f"{folder}{number}{end}") == set()
    with collect_errors() as errors:
        driver.Rename(name(6), other)
        for number in "125":
            driver.Delete(name(number))
    assert errors == []
    text = pathlib.Path(store, ".zmetadata" if zarr_format == "ZARR_V2" else "zarr.json").read_text()
    assert [n for n in "123456" if f"{folder}{n}{end}" in text] == ["3", "4", "6"]


@pytest.mark.parametrize("zarr_format", ["ZARR_V2", "ZARR_V3"])
def test_a_folder_that_is_only_called_like_a_store_is_not_told(tmp_path, zarr_format):
    folder = tmp_path / "plain.zarr"
    folder.mkdir()
    driver = gdal.GetDriverByName("Zarr")
    with collect_errors() as errors:
        driver.Create(f"{folder}/new", 6, 5, options=[f"FORMAT={zarr_format}"])
        driver.Delete(f"{folder}/new")
    assert errors == []
    assert list(folder.iterdir()) == []


def test_a_store_of_another_format_is_not_listed(tmp_path):
    driver = gdal.GetDriverByName("Zarr")
    store = str(tmp_path / "above.zarr")
    driver.CreateMultiDimensional(store, options=["FORMAT=ZARR_V2"]).GetRootGroup().CreateGroup("g")
    before = pathlib.Path(store, ".zmetadata").read_text()
    driver.Create(f"{store}/g/new", 6, 5, options=["FORMAT=ZARR_V3"])
    assert pathlib.Path(store, ".zmetadata").read_text() == before
    driver.Delete(f"{store}/g/new")
    assert pathlib.Path(store, ".zmetadata").read_text() == before
