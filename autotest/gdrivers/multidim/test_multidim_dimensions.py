# SPDX-License-Identifier: MIT
"""Dimensions: names, types, and the arrays that index them."""

import json

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array, open_group, write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group
from versions import GDAL_VERSION

DATA = np.arange(35, dtype="<i2").reshape(5, 7)


def names(array):
    return [d.GetFullName() for d in array.GetDimensions()]


def indexing(array):
    variables = [d.GetIndexingVariable() for d in array.GetDimensions()]
    return [v.GetFullName() if v else None for v in variables]


def test_v3_names_dimensions(store):
    write_v3_group(store)
    write_v3(f"{store}/v", DATA, names=["y", None])
    assert names(open_array(store)) == ["/y", "dim1"]


def test_xarray_names_dimensions(store):
    write_v2_group(store)
    write_v2(f"{store}/v", DATA, attributes={"_ARRAY_DIMENSIONS": ["lat", "lon"]})
    assert names(open_array(store)) == ["/lat", "/lon"]


@pytest.mark.parametrize("wrong", [["y"], "y", [["y"], ["x"]], None])
def test_wrong_dimension_names_are_ignored(store, wrong):
    write_v2(store, DATA, attributes={"_ARRAY_DIMENSIONS": wrong})
    assert names(open_array(store)) == ["dim0", "dim1"]


@pytest.mark.parametrize("place", ["attribute of 4.9", "attribute of 4.8", "member of .zarray"])
def test_nczarr_names_dimensions(store, place):
    write_v2_group(store)
    write_v2_group(f"{store}/g")
    write_v2(f"{store}/lon", np.arange(7.0))
    references = ["/g/lat", "/lon"]
    attributes = {
        "attribute of 4.9": {"_nczarr_array": {"dimension_references": references}},
        "attribute of 4.8": {"_NCZARR_ARRAY": {"dimrefs": references}},
    }.get(place)
    write_v2(f"{store}/g/v", DATA, attributes=attributes)
    if not attributes:
        meta = json.load(open(f"{store}/g/v/.zarray"))
        write_json(f"{store}/g/v/.zarray", {**meta, "_NCZARR_ARRAY": {"dimrefs": references}})
    array = open_group(store).OpenMDArrayFromFullname("/g/v")
    assert names(array) == ["/g/lat", "/lon"]
    assert indexing(array) == [None, "/lon"]


def test_indexing_variables_are_found_in_the_group_and_above(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3_group(f"{store}/g/h")
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    write_v3(f"{store}/g/y", np.arange(5.0), names=["y"])
    write_v3(f"{store}/g/h/v", DATA, names=["y", "x"])
    array = open_group(store).OpenMDArrayFromFullname("/g/h/v")
    assert indexing(array) == ["/g/y", "/x"]
    assert names(array) == ["/g/y", "/x"]


@pytest.mark.parametrize("data", [np.arange(6.0), np.zeros((7, 1))], ids=["size", "rank"])
def test_array_that_does_not_fit_is_no_indexing_variable(store, data):
    write_v3_group(store)
    write_v3(f"{store}/x", data)
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    assert indexing(open_array(store, "v")) == [None, None]


def test_broken_array_is_no_indexing_variable(store):
    write_v3_group(store)
    write_bytes(f"{store}/x/zarr.json", b"{")
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    assert indexing(open_array(store, "v")) == [None, None]


def test_nothing_above_the_store_is_an_indexing_variable(tmp_path):
    write_v3(str(tmp_path / "x"), np.arange(7.0), names=["x"])
    write_v3_group(str(tmp_path / "s.zarr"))
    write_v3(str(tmp_path / "s.zarr" / "v"), DATA, names=["y", "x"])
    assert indexing(open_array(str(tmp_path / "s.zarr"))) == [None, None]


@pytest.mark.parametrize("name", ["../x", "..", ".", "a/b", "/x", "x" * 300])
def test_dimension_names_are_no_paths(tmp_path, name):
    write_v3(str(tmp_path / "x"), np.arange(7.0))
    write_v3_group(str(tmp_path / "s.zarr"))
    write_v3(str(tmp_path / "s.zarr" / "v"), DATA, names=["y", name])
    assert indexing(open_array(str(tmp_path / "s.zarr"))) == [None, None]


def test_array_may_index_itself(store):
    write_v3_group(store)
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    array = open_array(store)
    for _ in range(50):
        array = array.GetDimensions()[0].GetIndexingVariable()
    assert array.ReadAsArray().tolist() == list(range(7))


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"standard_name": "longitude"}, ("HORIZONTAL_X", "EAST")),
        ({"standard_name": "projection_x_coordinate"}, ("HORIZONTAL_X", "EAST")),
        ({"axis": "X"}, ("HORIZONTAL_X", "EAST")),
        ({"units": "degrees_east"}, ("HORIZONTAL_X", "EAST")),
        ({"standard_name": "latitude"}, ("HORIZONTAL_Y", "NORTH")),
        ({"axis": "Y"}, ("HORIZONTAL_Y", "NORTH")),
        ({"standard_name": "time"}, ("TEMPORAL", "FUTURE")),
        ({"units": "days since 2014-01-01 00:00:0.0"}, ("TEMPORAL", "FUTURE")),
        ({"units": "days"}, ("", "")),
        ({"units": "millibars"}, ("VERTICAL", "")),
        ({"units": "hPa", "positive": "down"}, ("VERTICAL", "DOWN")),
        ({"axis": "Z"}, ("VERTICAL", "")),
        ({"axis": "Z", "positive": "down"}, ("VERTICAL", "DOWN")),
        ({"positive": "up"}, ("VERTICAL", "UP")),
        ({"axis": 1, "standard_name": ["time"]}, ("", "")),
        ({}, ("", "")),
    ],
)
def test_coordinates_give_the_type_of_a_dimension(store, attributes, expected):
    write_v3_group(store)
    write_v3(f"{store}/x", np.arange(7.0), names=["x"], attributes=attributes)
    write_v3(f"{store}/v", DATA, names=["y", "x"])
    dimension = open_array(store, "v").GetDimensions()[1]
    assert (dimension.GetType(), dimension.GetDirection()) == expected


def test_dimension_of_dates_is_temporal(store):
    write_v2_group(store)
    write_v2(f"{store}/t", np.arange(5), dtype="<M8[s]", attributes={"_ARRAY_DIMENSIONS": ["t"]})
    write_v2(f"{store}/v", DATA, attributes={"_ARRAY_DIMENSIONS": ["t", "x"]})
    assert open_array(store, "v").GetDimensions()[0].GetType() == "TEMPORAL"


def test_a_group_has_the_dimensions_of_its_arrays(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/x", np.arange(7.0), names=["x"])
    write_v3(f"{store}/a", DATA, names=["y", "x"])
    write_v3(f"{store}/b", DATA, names=["y", None])
    write_v3(f"{store}/g/c", DATA, names=["z", "x"])
    root = open_group(store)
    assert [d.GetFullName() for d in root.GetDimensions()] == ["/y", "/x"]
    assert [d.GetFullName() for d in root.OpenGroup("g").GetDimensions()] == ["/g/z"]


def test_an_array_has_coordinate_variables(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/lat", DATA)
    write_v3(f"{store}/g/lon", DATA)
    write_v3(f"{store}/g/v", DATA, attributes={"coordinates": "lon lat ../up nothing"})
    array = open_group(store).OpenMDArrayFromFullname("/g/v")
    assert [c.GetFullName() for c in array.GetCoordinateVariables()] == ["/g/lon", "/lat"]


@pytest.mark.skipif(GDAL_VERSION < 308, reason="arrays tell their root group since GDAL 3.8")
def test_an_array_knows_its_root_group(store):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/g/v", DATA)
    array = open_group(store).OpenMDArrayFromFullname("/g/v")
    root = getattr(array, "GetRootGroup", None)
    assert root is None or root().GetGroupNames() == ["g"]


def test_arrays_without_names_of_dimensions_are_copied_without_an_error(store, tmp_path):
    source = str(tmp_path / "source.zarr")
    write_v2_group(source)
    write_v2(f"{source}/a", DATA)
    write_v2(f"{source}/b", DATA[:2])
    with collect_errors() as errors:
        assert gdal.MultiDimTranslate(store, source, format="Zarr")
    assert errors == []
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert [root.OpenMDArray(name).ReadAsArray().tolist() for name in "ab"] == [DATA.tolist(), DATA[:2].tolist()]


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_a_group_has_no_dimensions_without_names(store, version):
    write_group, write = (write_v2_group, write_v2) if version == "v2" else (write_v3_group, write_v3)
    write_group(store)
    write(f"{store}/a", DATA)
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert not root.GetDimensions()


def test_coordinates_count_once_and_up_to_64(store):
    names = [f"c{i:02}" for i in range(66)]
    write_v3_group(store)
    write_v3(f"{store}/a", np.zeros((2, 3), "u1"), attributes={"coordinates": " ".join([names[0], *names])})
    for name in names:
        write_v3(f"{store}/{name}", np.zeros((2, 3), "f8"))
    array = open_group(store).OpenMDArray("a")
    assert [coordinates.GetName() for coordinates in array.GetCoordinateVariables()] == names[:64]


def keeps_coordinates_in_views():
    """GDAL does since one of its latest versions."""
    root = gdal.GetDriverByName("MEM").CreateMultiDimensional("").GetRootGroup()
    x = root.CreateDimension("x", None, None, 4)
    coordinates = root.CreateMDArray("x", [x], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
    x.SetIndexingVariable(coordinates)
    return bool(coordinates.GetView("[1:3]").GetDimensions()[0].GetIndexingVariable())


@pytest.mark.skipif(not keeps_coordinates_in_views(), reason="GDAL drops the coordinates of all drivers")
@pytest.mark.parametrize("flag", [0, gdal.OF_UPDATE])
@pytest.mark.parametrize("names", [["x"], None])
def test_views_keep_coordinates(store, flag, names):
    write_v3_group(store)
    write_v3(f"{store}/x", np.arange(7.0) * 2, names=names)
    write_v3(f"{store}/y", np.arange(5.0), names=["y"])
    for name in "ab":
        write_v3(f"{store}/{name}", DATA, names=["y", "x"])
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | flag)
    root = dataset.GetRootGroup()
    arrays = [root.OpenMDArray(name) for name in "aab"]
    for array in arrays:
        view = array.GetView("[::-1,1:7:2]")
        y, x = (dimension.GetIndexingVariable() for dimension in view.GetDimensions())
        assert list(y.ReadAsArray()) == [4, 3, 2, 1, 0]
        assert (list(x.ReadAsArray()) if x else flag) in ([2, 6, 10], gdal.OF_UPDATE)
        if not flag:
            assert view.AsClassicDataset(1, 0).GetGeoTransform() == (0, 4, 0, 4.5, 0, -1)
