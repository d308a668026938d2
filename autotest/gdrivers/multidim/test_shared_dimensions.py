# SPDX-License-Identifier: MIT
"""Arrays of a store share dimensions: a change of one changes all of them."""

import json
import os
import resource

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_for_update, open_group
from versions import needs_resize

EDT = gdal.ExtendedDataType
FORMATS = ["ZARR_V2", "ZARR_V3"]
needs_rename = pytest.mark.skipif(not hasattr(gdal.Dimension, "Rename"), reason="needs GDAL 3.8 or later")
SIZES = {"time": 2, "Y": 3, "X": 4}
DATA = np.arange(1, 25, dtype=np.float64).reshape(2, 3, 4)


def write_store(path, zarr_format):
    """Makes coordinates and `a` in the root group, `b` in a group below, and `time_bnds`, which has another dimension
    too."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    number = EDT.Create(gdal.GDT_Float64)
    dimensions = {name: root.CreateDimension(name, None, None, size) for name, size in SIZES.items()}
    dimensions["nv"] = root.CreateDimension("nv", None, None, 2)
    for name, size in SIZES.items():
        root.CreateMDArray(name, [dimensions[name]], number).Write(np.arange(1.0, size + 1))
    for group, name in ((root, "a"), (root.CreateGroup("g"), "b")):
        group.CreateMDArray(name, [dimensions[d] for d in SIZES], number, ["BLOCKSIZE=1,2,3"]).Write(DATA)
    root.CreateMDArray("time_bnds", [dimensions["time"], dimensions["nv"]], number).Write(DATA[0, :2, :2])


@pytest.fixture(params=FORMATS)
def shared(store, request):
    write_store(store, request.param)
    return store


def shapes(path):
    group = open_group(path)
    paths = ["a", "g/b", "time", "time_bnds", "X", "Y"]
    return {name: group.OpenMDArrayFromFullname(f"/{name}").shape for name in paths}


def sizes_of(group):
    return {d.GetName(): d.GetSize() for d in group.GetDimensions()}


def dimension_names(array):
    return [d.GetName() for d in array.GetDimensions()]


OLD = {"a": (2, 3, 4), "g/b": (2, 3, 4), "time": (2,), "time_bnds": (2, 2), "X": (4,), "Y": (3,)}


# --- lengths -----------------------------------------------------------------------------------------------------


@needs_resize
def test_arrays_get_longer_together(shared):
    dataset, root = open_for_update(shared)
    a, b, time = root.OpenMDArray("a"), root.OpenGroup("g").OpenMDArray("b"), root.OpenMDArray("time")
    held = root.GetDimensions()
    view = a.GetDimensions()[0]
    assert a.Resize([5, 3, 4]) == gdal.CE_None
    assert (a.shape, b.shape, time.shape, view.GetSize()) == ((5, 3, 4), (5, 3, 4), (5,), 5)
    assert {d.GetName(): d.GetSize() for d in held}["time"] == 5
    assert sizes_of(root)["time"] == 5
    time.Write(np.array([3.0, 4.0, 5.0]), array_start_idx=[2])
    b.Write(DATA[:1], array_start_idx=[4, 0, 0])
    del dataset, root, a, b, time, held, view
    assert shapes(shared) == {**OLD, "a": (5, 3, 4), "g/b": (5, 3, 4), "time": (5,), "time_bnds": (5, 2)}
    group = open_group(shared)
    b = group.OpenGroup("g").OpenMDArray("b")
    assert np.array_equal(b.ReadAsArray(), np.concatenate([DATA, np.zeros((2, 3, 4)), DATA[:1]]))
    assert np.array_equal(b.GetDimensions()[0].GetIndexingVariable().ReadAsArray(), np.arange(1.0, 6))
    assert b.GetDimensions()[0].GetFullName() == "/time"


@needs_resize
def test_arrays_get_shorter_together(shared):
    dataset, root = open_for_update(shared)
    assert root.OpenMDArray("a").Resize([1, 2, 4]) == gdal.CE_None
    del dataset, root
    new = {"a": (1, 2, 4), "g/b": (1, 2, 4), "time": (1,), "time_bnds": (1, 2), "Y": (2,)}
    assert shapes(shared) == {**OLD, **new}
    assert np.array_equal(open_group(shared).OpenGroup("g").OpenMDArray("b").ReadAsArray(), DATA[:1, :2])


@needs_resize
def test_a_coordinate_may_be_the_first(shared):
    dataset, root = open_for_update(shared)
    assert root.OpenMDArray("time").Resize([3]) == gdal.CE_None
    del dataset, root
    assert shapes(shared)["g/b"] == (3, 3, 4)


@needs_resize
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_arrays_of_a_new_store_are_resized_together(store, zarr_format):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    x = root.CreateDimension("x", None, None, 2)
    a, b = (root.CreateMDArray(name, [x], EDT.Create(gdal.GDT_Byte)) for name in "ab")
    a.Write(np.array([1, 2], np.uint8))
    b.Resize([3])
    assert (a.shape, x.GetSize(), sizes_of(root)) == ((3,), 3, {"x": 3})
    c = root.CreateMDArray("c", [x], EDT.Create(gdal.GDT_Byte))
    assert c.shape == (3,)
    del dataset, root, x, a, b, c
    assert [open_group(store).OpenMDArray(n).shape for n in "abc"] == [(3,)] * 3
    assert open_group(store).OpenMDArray("a").ReadAsArray().tolist() == [1, 2, 0]


@needs_resize
def test_dimensions_of_other_groups_and_lengths_stay(store):
    write_store(store, "ZARR_V3")
    dataset, root = open_for_update(store)
    number = EDT.Create(gdal.GDT_Float64)
    other = root.CreateGroup("other")
    longer = other.CreateDimension("time", None, None, 7)
    other.CreateMDArray("time", [longer], number)
    other.CreateMDArray("c", [longer], number)
    root.OpenMDArray("a").Resize([4, 3, 4])
    del dataset, root, other, longer
    other = open_group(store).OpenGroup("other")
    assert [other.OpenMDArray(name).shape for name in ("time", "c")] == [(7,), (7,)]


@needs_resize
def test_one_dimension_twice_has_one_length(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store)
    root = dataset.GetRootGroup()
    x = root.CreateDimension("x", None, None, 3)
    square = root.CreateMDArray("square", [x, x], EDT.Create(gdal.GDT_Byte))
    with pytest.raises(RuntimeError, match="/x: expected one length, got 4 and 3"):
        square.Resize([4, 3])
    assert square.shape == (3, 3)
    assert square.Resize([4, 4]) == gdal.CE_None


@needs_resize
def test_nothing_changes_if_one_array_cannot(store):
    """Elements beyond the new end of a chunk have to be reset, which needs its codecs."""
    write_store(store, "ZARR_V2")
    with open(f"{store}/g/b/.zarray") as f:
        document = json.load(f)
    with open(f"{store}/g/b/.zarray", "w") as f:
        json.dump({**document, "compressor": {"id": "imagecodecs_jpeg2k"}}, f)
    dataset, root = open_for_update(store)
    a = root.OpenMDArray("a")
    with pytest.raises(RuntimeError, match="imagecodecs_jpeg2k"):
        a.Resize([1, 3, 4])
    assert a.shape == (2, 3, 4)
    assert np.array_equal(a.ReadAsArray(), DATA)
    del dataset, root, a
    assert shapes(store) == OLD


@needs_resize
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_all_is_as_before_if_one_array_cannot_be_saved(store, zarr_format):
    write_store(store, zarr_format)
    dataset, root = open_for_update(store)
    root.OpenGroup("g").OpenMDArray("b").CreateAttribute("long", [], EDT.CreateString()).Write("x" * 20000)
    if zarr_format == "ZARR_V2":  # attributes have their own document
        with open(f"{store}/g/b/.zarray") as f:
            document = json.load(f)
        with open(f"{store}/g/b/.zarray", "w") as f:
            json.dump({**document, "long": "x" * 20000}, f)
        del dataset, root
        dataset, root = open_for_update(store)
    a = root.OpenMDArray("a")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10000, limits[1]))
    try:
        with pytest.raises(RuntimeError, match=r"(g/b/\S+|\.zmetadata): cannot write"):
            a.Resize([5, 3, 4])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert a.shape == (2, 3, 4)
    assert sizes_of(root)["time"] == 2
    del dataset, root, a
    assert shapes(store) == OLD


# --- names -------------------------------------------------------------------------------------------------------


@needs_rename
def test_arrays_are_renamed_together(shared):
    dataset, root = open_for_update(shared)
    a, b = root.OpenMDArray("a"), root.OpenGroup("g").OpenMDArray("b")
    dimension = a.GetDimensions()[0]
    assert dimension.Rename("t") == gdal.CE_None
    assert (dimension.GetName(), dimension.GetFullName()) == ("t", "/t")
    assert dimension_names(a) == dimension_names(b) == ["t", "Y", "X"]
    assert sorted(sizes_of(root)) == ["X", "Y", "nv", "t"]
    assert dimension.GetIndexingVariable().GetFullName() == "/time"  # arrays keep their names
    root.OpenMDArray("time").Rename("t")
    del dataset, root, a, b, dimension
    root = open_group(shared)
    assert root.GetStructuralInfo()["CONSOLIDATED"] == "YES"
    for path, names in (("a", ["t", "Y", "X"]), ("g/b", ["t", "Y", "X"]), ("t", ["t"]), ("time_bnds", ["t", "nv"])):
        array = root.OpenMDArrayFromFullname(f"/{path}")
        assert dimension_names(array) == names
        assert array.GetDimensions()[0].GetIndexingVariable().ReadAsArray().tolist() == [1, 2]


@needs_rename
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_a_dimension_of_a_new_store_is_renamed(store, zarr_format):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    x = root.CreateDimension("x", None, None, 2)
    a = root.CreateMDArray("a", [x], EDT.Create(gdal.GDT_Byte))
    x.Rename("y")
    b = root.CreateMDArray("b", [x], EDT.Create(gdal.GDT_Byte))
    assert [d.GetName() for d in root.GetDimensions()] == ["y"]
    del dataset, root, x, a, b
    assert [dimension_names(open_group(store).OpenMDArray(n)) for n in "ab"] == [["y"]] * 2


@needs_rename
@pytest.mark.parametrize(("name", "message"), [("Y", "already"), ("", "expected the name"), ("a/b", "expected the name")])
def test_wrong_names_of_dimensions_are_refused(shared, name, message):
    dataset, root = open_for_update(shared)
    a = root.OpenMDArray("a")
    with pytest.raises(RuntimeError, match=message):
        a.GetDimensions()[0].Rename(name)
    assert dimension_names(a) == ["time", "Y", "X"]


@needs_rename
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_dimension_without_a_name_gets_one(store, zarr_format):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    dimensions = [root.CreateDimension(name, None, None, 2) for name in ("y", "x")]
    root.CreateMDArray("a", dimensions, EDT.Create(gdal.GDT_Byte))
    del dataset, root, dimensions
    if zarr_format == "ZARR_V2":
        os.remove(f"{store}/a/.zattrs")
    else:
        with open(f"{store}/a/zarr.json") as f:
            document = json.load(f)
        with open(f"{store}/a/zarr.json", "w") as f:
            json.dump({**document, "dimension_names": [None, None]}, f)
    dataset, root = open_for_update(store)
    dimension = root.OpenMDArray("a").GetDimensions()[1]
    assert dimension.GetFullName() == "dim1"
    dimension.Rename("x")
    assert dimension.GetFullName() == "/x"
    del dataset, root, dimension
    assert dimension_names(open_group(store).OpenMDArray("a")) == ["dim0", "x"]


@needs_rename
def test_a_read_only_dataset_refuses_changes(shared):
    a = open_group(shared).OpenMDArray("a")
    with collect_errors() as errors:
        with pytest.raises(RuntimeError, match="not open in update mode"):
            a.GetDimensions()[0].Rename("t")
    assert len(errors) <= 1
