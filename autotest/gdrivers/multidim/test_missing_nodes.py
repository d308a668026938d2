# SPDX-License-Identifier: MIT
"""An array or a group that a group does not have: exceptions list what may have been meant, and a search goes on."""

import numpy as np
import pytest
from osgeo import gdal
from stores import write_v3, write_v3_group
from versions import needs_deletion

DATA = np.zeros((4, 6), "u1")


@pytest.fixture
def root(store):
    write_v3_group(store)
    for path in ("t2m", "tp"):
        write_v3(f"{store}/{path}", DATA)
    write_v3_group(f"{store}/north")
    write_v3(f"{store}/north/ice", DATA)
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()


def message_of(function, *arguments):
    with pytest.raises(RuntimeError) as error:
        function(*arguments)
    return str(error.value)


def test_a_missing_array_lists_near_names(root, store):
    expected = f"{store}/t3m: expected an array, got none; nodes that are there: t2m, tp, north"
    assert message_of(root.OpenMDArray, "t3m") == expected
    assert message_of(root.OpenMDArrayFromFullname, "/t3m") == expected
    assert message_of(root.ResolveMDArray, "t3m", "/") == expected


def test_a_missing_array_lists_arrays_of_that_name_elsewhere(root):
    assert "got none; nodes that are there: north/ice, " in message_of(root.OpenMDArray, "ice")


def test_a_missing_group_lists_near_names(root, store):
    expected = f"{store}/nort: expected a group, got none; nodes that are there: north, t2m, tp"
    assert message_of(root.OpenGroup, "nort") == expected
    assert message_of(root.OpenGroupFromFullname, "/nort") == expected


def test_a_node_of_the_other_kind_is_told(root, store):
    assert message_of(root.OpenMDArray, "north") == f"{store}/north: expected an array, got a group"
    assert message_of(root.OpenGroup, "t2m") == f"{store}/t2m: expected a group, got an array"


def test_a_path_is_no_name(root):
    assert 'got "north/ice"; a path is for OpenMDArrayFromFullname' in message_of(root.OpenMDArray, "north/ice")


def test_the_array_of_a_store_without_groups_is_named(tmp_path):
    write_v3(f"{tmp_path}/a.zarr", DATA)
    root = gdal.OpenEx(f"{tmp_path}/a.zarr", gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert message_of(root.OpenMDArray, "b").endswith('/b: the store is an array, whose name is "a"')


def test_a_search_that_goes_on_and_finds_the_array_is_no_error(root):
    assert root.ResolveMDArray("ice", "/").GetFullName() == "/north/ice"
    assert gdal.GetLastErrorType() == gdal.CE_None
    assert root.ResolveMDArray("t2m", "/north").GetFullName() == "/t2m"


def test_nothing_is_printed_and_other_errors_stay(root, capfd):
    gdal.DontUseExceptions()
    try:
        gdal.ErrorReset()
        assert root.OpenMDArray("t3m") is None
        assert "nodes that are there: t2m" in gdal.GetLastErrorMsg()
        assert root.OpenMDArray("tq") is None
        assert "/tq: " in gdal.GetLastErrorMsg()
        assert root.OpenMDArray("tp") is not None
        assert gdal.GetLastErrorMsg() == ""
        assert capfd.readouterr().err == ""
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        gdal.Error(gdal.CE_Failure, 1, "another one")
        gdal.PopErrorHandler()
        assert root.OpenMDArray("t3m") is None and gdal.GetLastErrorMsg() == "another one"
        assert root.OpenMDArray("t2m") is not None and gdal.GetLastErrorMsg() == "another one"
    finally:
        gdal.UseExceptions()


@needs_deletion
def test_removing_what_is_missing_lists_near_names(root, store):
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    root = dataset.GetRootGroup()
    assert "expected an array, got none; nodes that are there: t2m" in message_of(root.DeleteMDArray, "t3m")
    assert "expected a group, got none; nodes that are there: north" in message_of(root.DeleteGroup, "nort")


def test_a_copy_that_has_looked_for_its_arrays_leaves_no_error(tmp_path):
    source = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    root = source.GetRootGroup()
    x = root.CreateDimension("x", None, None, 3)
    for name in ("a", "b"):
        root.CreateMDArray(name, [x], gdal.ExtendedDataType.Create(gdal.GDT_Int16)).Write(np.arange(3, dtype="i2"))
    gdal.ErrorReset()
    copy = gdal.GetDriverByName("Zarr").CreateCopy(f"{tmp_path}/copy.zarr", source)  # with exceptions
    assert copy.GetRootGroup().OpenMDArray("b").ReadAsArray().tolist() == [0, 1, 2]
    assert gdal.GetLastErrorMsg() == ""
