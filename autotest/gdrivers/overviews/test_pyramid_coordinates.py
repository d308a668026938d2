# SPDX-License-Identifier: MIT
"""The coordinates of pyramids: those in the groups of levels, and those that tell the place of the base."""

import glob
import os

import numpy as np
import pytest
from conventions import SPATIAL
from errors import collect_errors
from osgeo import gdal, osr
from pyramids import FORMATS, HEIGHT, WIDTH, list_place, list_sizes, make_image, open_array, read_attributes
from stores import write_v3, write_v3_group

# --- coordinates of levels -------------------------------------------------------------------------------------------


def create_with_coordinates(store, axes, version="ZARR_V3", dtype=gdal.GDT_Float64):
    """Makes an array `data` with the axes, a list of names and coordinates; the last two are Y and X."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, ["FORMAT=" + version])
    root = dataset.GetRootGroup()
    dimensions = []
    for name, values in axes:
        dimensions.append(root.CreateDimension(name, None, None, len(values)))
        coordinates = root.CreateMDArray(name, dimensions[-1:], gdal.ExtendedDataType.Create(dtype))
        coordinates.WriteArray(np.array(values, {gdal.GDT_Float64: "f8", gdal.GDT_Int16: "i2"}[dtype]))
        dimensions[-1].SetIndexingVariable(coordinates)
    array = root.CreateMDArray("data", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Float32))
    array.Write(np.ones([len(values) for _, values in axes], "f4").tobytes())


def read_numbers(store, path):
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    return root.OpenMDArrayFromFullname(path).ReadAsArray()


@pytest.mark.parametrize("version", FORMATS)
def test_coordinates_of_irregular_axes_are_picked(store, version):
    y, x, time = np.arange(64) ** 1.5, -120 + np.arange(128) * 0.05, [0, 1, 5]
    create_with_coordinates(store, [("time", time), ("Y", y), ("X", x)], version)
    dataset = open_array(store, "data", update=True)
    dataset.BuildOverviews("NEAREST", [2, 3])
    dataset = None
    np.testing.assert_array_equal(read_numbers(store, "/ovr_2x/Y"), y[1::2])
    np.testing.assert_allclose(read_numbers(store, "/ovr_2x/X"), -120 + (np.arange(64) * 2 + 0.5) * 0.05, atol=1e-10)
    np.testing.assert_array_equal(read_numbers(store, "/ovr_2x/time"), time)
    assert len(read_numbers(store, "/ovr_3x/Y")) == 22
    assert list_place(read_attributes(store)) == []
    open_array(store, "data", update=True).BuildOverviews("", [])
    assert not glob.glob(f"{store}/ovr_*")
    np.testing.assert_array_equal(read_numbers(store, "/Y"), y)


@pytest.mark.parametrize("version", FORMATS)
def test_coordinates_have_no_overviews(store, version):
    create_with_coordinates(store, [("Y", range(16)), ("X", range(8))], version)
    open_array(store, "data", update=True).BuildOverviews("NEAREST", [2])
    gdal.ErrorReset()
    assert list_sizes(open_array(store, "X")) == [] and gdal.GetLastErrorMsg() == ""
    assert list_sizes(open_array(store, "data")) == [(4, 8)]


def test_centres_between_integers_are_fractions(store):
    create_with_coordinates(store, [("Y", [0, 1, 4, 9]), ("X", range(8))], dtype=gdal.GDT_Int16)
    open_array(store, "data", update=True).BuildOverviews("NEAREST", [2])
    np.testing.assert_array_equal(read_numbers(store, "/ovr_2x/X"), [0.5, 2.5, 4.5, 6.5])
    np.testing.assert_array_equal(read_numbers(store, "/ovr_2x/Y"), [1, 9])
    assert read_numbers(store, "/ovr_2x/Y").dtype == np.int16


def test_levels_that_are_refreshed_get_new_coordinates(store):
    create_with_coordinates(store, [("Y", [0, 1, 4, 9]), ("X", range(8))])
    open_array(store, "data", update=True).BuildOverviews("NEAREST", [2])
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    dataset.GetRootGroup().OpenMDArray("Y").WriteArray(np.array([0.0, 2, 8, 18]))
    dataset = None
    open_array(store, "data", update=True).BuildOverviews("NEAREST", [2])
    np.testing.assert_array_equal(read_numbers(store, "/ovr_2x/Y"), [2, 18])


def test_coordinates_beside_geozarr_alone(store):
    """The time axis of a raster whose place needs no coordinates."""
    create_with_coordinates(store, [("time", [3, 4, 9]), ("Y", range(16)), ("X", range(8))])
    dataset = open_array(store, "data", update=True)
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(32631)
    dataset.SetSpatialRef(crs)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    level = open_array(store, "ovr_2x/data")
    assert level.GetGeoTransform() == (-0.5, 2, 0, -0.5, 0, 2)
    np.testing.assert_array_equal(read_numbers(store, "/ovr_2x/time"), [3, 4, 9])
    assert read_attributes(store)["spatial:bbox"] == [-0.5, -0.5, 7.5, 15.5]


# --- a place that coordinates tell --------------------------------------------------------------------------------


def write_arrays_with_coordinates(store, names):
    """Arrays as xarray writes them: coordinates along Y and X, and no grid mapping."""
    write_v3_group(store)
    for name, length, unit in (("lat", HEIGHT, "degrees_north"), ("lon", WIDTH, "degrees_east")):
        write_v3(f"{store}/{name}", np.arange(length) * 0.5 + 0.25, [length], names=[name], attributes={"units": unit})
    for name in names:
        write_v3(f"{store}/{name}", make_image()[0], [64, 64], names=["lat", "lon"])


def test_levels_of_arrays_that_coordinates_place_are_alike(store):
    write_arrays_with_coordinates(store, "ab")
    for name in "ab":
        open_array(store, name, update=True).BuildOverviews("NEAREST", [2])
    first, second = (read_attributes(f"{store}/ovr_2x/{name}") for name in "ab")
    assert first == second
    assert first["grid_mapping"] in os.listdir(f"{store}/ovr_2x") and "_CRS" in first


def test_a_pyramid_does_not_let_one_array_move_from_the_coordinates_of_several(store):
    write_arrays_with_coordinates(store, "ab")
    for name in "ab":
        open_array(store, name, update=True).BuildOverviews("NEAREST", [2])
    before = {path: read_attributes(f"{store}/{path}") for path in ("", "a", "ovr_2x/a")}
    dataset = open_array(store, "a", update=True)
    with pytest.raises(RuntimeError, match="other arrays use these coordinates too"):
        dataset.SetGeoTransform((0, 1, 0, 10, 0, -1))
    dataset = None
    assert before == {path: read_attributes(f"{store}/{path}") for path in before}


def test_coordinates_move_with_their_array_and_its_pyramid(store):
    write_arrays_with_coordinates(store, "a")
    open_array(store, "a", update=True).BuildOverviews("NEAREST", [2])
    dataset = open_array(store, "a", update=True)
    assert dataset.SetGeoTransform((0, 1, 0, 10, 0, -1)) == gdal.CE_None
    dataset = None
    assert open_array(store, "a").GetGeoTransform() == (0, 1, 0, 10, 0, -1)
    np.testing.assert_array_equal(gdal.Open(f'ZARR:"{store}":/lat').ReadAsArray().ravel()[:2], [9.5, 8.5])
    level = read_attributes(f"{store}/ovr_2x/a")
    assert "_CRS" in level and level["grid_mapping"] in os.listdir(f"{store}/ovr_2x")


def test_geozarr_and_coordinates_agree(store):
    """An array may have its place in GeoZarr's attributes and in coordinates that other arrays use."""
    write_arrays_with_coordinates(store, "b")
    place = {"zarr_conventions": [SPATIAL], "spatial:dimensions": ["lat", "lon"]}
    place["spatial:transform"] = [0.5, 0, 0, 0, 0.5, 0]
    write_v3(f"{store}/a", make_image()[0], [64, 64], names=["lat", "lon"], attributes=place)
    dataset = open_array(store, "a", update=True)
    assert dataset.GetGeoTransform() == (0, 0.5, 0, 0, 0, 0.5)
    with pytest.raises(RuntimeError, match="other arrays use these coordinates too"):
        dataset.SetGeoTransform((0, 1, 0, 10, 0, -1))


@pytest.mark.parametrize("version", FORMATS)
def test_levels_without_a_crs_have_no_grid_mapping(store, version):
    """CF has none without a CRS; the coordinates tell the place."""
    create_with_coordinates(store, [("Y", np.arange(20.0)), ("X", np.arange(30.0))], version)
    dataset = open_array(store, "data", update=True)
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenGroup("ovr_2x")
    assert sorted(root.GetMDArrayNames()) == ["X", "Y", "data"]
    assert gdal.Open(f'ZARR:"{store}":/ovr_2x/data').GetGeoTransform() == (-0.5, 2, 0, -0.5, 0, 2)


@pytest.mark.parametrize("convention, has_mapping", [("GDAL,CF", False), ("CF", True)])
def test_a_transform_without_a_crs_is_told_once(store, convention, has_mapping):
    transform = (1, 2, 0.5, 3, 0.5, -2)
    source = gdal.GetDriverByName("MEM").Create("", 5, 4)
    source.SetGeoTransform(transform)
    options = ["ARRAY_NAME=a", "GEOREFERENCING_CONVENTION=" + convention]
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=options)
    assert gdal.Open(store).GetGeoTransform() == transform
    names = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()
    assert ("spatial_ref" in names) == has_mapping


@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("shared", [False, True])
def test_levels_of_a_base_that_is_rotated_lose_theirs(store, version, shared):
    options = [f"FORMAT={version}", "ARRAY_NAME=a"]
    dataset = gdal.GetDriverByName("Zarr").Create(store, 40, 30, 1, gdal.GDT_Byte, options)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(32632)
    dataset.SetSpatialRef(srs)
    dataset.SetGeoTransform((500000, 10, 0, 4000000, 0, -10))
    dataset.BuildOverviews("NEAREST", [2])
    dataset = None
    if shared:  # by another program's array in the group of the level
        root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE).GetRootGroup()
        group = root.OpenGroup("ovr_2x")
        group.CreateMDArray("other", group.OpenMDArray("a").GetDimensions(), gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        root = group = None
    open_array(store, "a", update=True).SetGeoTransform((700000, 8, 2, 5000000, 2, -8))
    names = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenGroup("ovr_2x").GetMDArrayNames()
    assert ("X" in names, "Y" in names) == (shared, shared)
    if not shared:
        assert open_array(store, "ovr_2x/a").GetGeoTransform() == (700000, 16, 4, 5000000, 4, -16)
    open_array(store, "a", update=True).SetGeoTransform((600000, 10, 0, 4000000, 0, -10))
    assert open_array(store, "ovr_2x/a").GetGeoTransform() == (600000, 20, 0, 4000000, 0, -20)


@pytest.mark.parametrize("version", FORMATS)
def test_coordinates_of_levels_are_not_what_the_layout_describes(store, version):
    """The layout gives the shapes of rasters. Ys are integers in one level, and fractions in the next."""
    create_with_coordinates(store, [("Y", range(64)), ("X", range(35))], version, dtype=gdal.GDT_Int16)
    dataset = open_array(store, "data", update=True)
    dataset.BuildOverviews("AVERAGE", [2, 3, 4])
    dataset = None
    with collect_errors() as errors:
        for path in ("ovr_2x/X", "ovr_2x/Y", "ovr_3x/Y"):
            dataset = open_array(store, path)
            dataset.GetRasterBand(1).GetOverviewCount()
    assert errors == []
