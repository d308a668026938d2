# SPDX-License-Identifier: MIT
"""In update mode, objects follow the changes of the dataset."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from stores import open_for_update, open_group
from versions import needs_deletion

EDT = gdal.ExtendedDataType
FORMATS = ["ZARR_V2", "ZARR_V3"]
DATA = np.arange(1, 13, dtype=np.float64).reshape(3, 4)
NUMBER = EDT.Create(gdal.GDT_Float64)


def make_tree(store, zarr_format):
    """Makes a group `g` with coordinates `x`, and `g/sub` with `a`, which has the dimension `x` and one without a
    name."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={zarr_format}"])
    root = dataset.GetRootGroup()
    group = root.CreateGroup("g")
    x = group.CreateDimension("x", None, None, 4)
    y = group.CreateDimension("y", None, None, 3)
    group.CreateMDArray("x", [x], NUMBER).Write(np.arange(4.0))
    group.CreateAttribute("title", [], EDT.CreateString()).Write("old")
    sub = group.CreateGroup("sub")
    array = sub.CreateMDArray("a", [y, x], NUMBER, ["BLOCKSIZE=2,3"])
    array.Write(DATA)
    array.CreateAttribute("title", [], EDT.CreateString()).Write("old")


@pytest.fixture(params=FORMATS)
def tree(store, request):
    make_tree(store, request.param)
    return store


def attributes_of(node):
    return {attribute.GetName(): attribute.Read() for attribute in node.GetAttributes()}


def check_deleted(*uses):
    for use in uses:
        with pytest.raises(RuntimeError, match="it has been deleted"):
            use()


# --- another name ------------------------------------------------------------------------------------------------


@needs_deletion
def test_all_below_a_group_go_on_at_its_new_path(tree):
    dataset, root = open_for_update(tree)
    group, again = root.OpenGroup("g"), root.OpenGroup("g")
    sub = group.OpenGroup("sub")
    array, coordinates = sub.OpenMDArray("a"), group.OpenMDArray("x")
    dimension = array.GetDimensions()[1]
    titles = [node.GetAttribute("title") for node in (group, array)]
    array.Write(-DATA[:1, :1])  # pending, as it is a part of a chunk
    assert group.Rename("h") == gdal.CE_None
    names = [node.GetFullName() for node in (group, again, sub, array, coordinates, dimension, *titles)]
    assert names == ["/h", "/h", "/h/sub", "/h/sub/a", "/h/x", "/h/x", "/h/_GLOBAL_/title", "/h/sub/a/title"]
    assert (group.GetName(), again.GetName(), sub.GetName()) == ("h", "h", "sub")
    expected = DATA.copy()
    expected[0, 0] *= -1
    assert np.array_equal(array.ReadAsArray(), expected)
    assert np.array_equal(dimension.GetIndexingVariable().ReadAsArray(), np.arange(4.0))
    array.Write(-DATA[2:], array_start_idx=[2, 0])
    coordinates.Write(10 + np.arange(4.0))
    for title in titles:
        title.Write("new")
    sub.CreateGroup("more").CreateMDArray("b", array.GetDimensions(), NUMBER).Write(DATA)
    assert sorted(again.GetGroupNames()) == ["sub"] and again.GetMDArrayNames() == ["x"]
    del dataset, root, group, again, sub, array, coordinates, dimension, titles, title
    assert not os.path.exists(f"{tree}/g")
    root = open_group(tree)
    assert root.GetGroupNames() == ["h"]
    expected[2] *= -1
    array = root.OpenMDArrayFromFullname("/h/sub/a")
    assert np.array_equal(array.ReadAsArray(), expected)
    assert np.array_equal(array.GetDimensions()[1].GetIndexingVariable().ReadAsArray(), 10 + np.arange(4.0))
    assert np.array_equal(root.OpenMDArrayFromFullname("/h/sub/more/b").ReadAsArray(), DATA)
    assert attributes_of(root.OpenGroup("h")) == {"title": "new"} == attributes_of(array)


@needs_deletion
def test_array_goes_on_under_its_new_name(tree):
    dataset, root = open_for_update(tree)
    sub = root.OpenGroup("g").OpenGroup("sub")
    array = sub.OpenMDArray("a")
    title = array.GetAttribute("title")
    array.Write(-DATA[:1, :1])
    assert array.Rename("b") == gdal.CE_None
    assert (array.GetName(), array.GetFullName(), title.GetFullName()) == ("b", "/g/sub/b", "/g/sub/b/title")
    assert array.ReadAsArray()[0, 0] == -1
    array.Write(-DATA)
    title.Write("new")
    assert sub.GetMDArrayNames() == ["b"]
    del dataset, root, sub, array, title
    array = open_group(tree).OpenMDArrayFromFullname("/g/sub/b")
    assert np.array_equal(array.ReadAsArray(), -DATA) and attributes_of(array) == {"title": "new"}
    assert not os.path.exists(f"{tree}/g/sub/a")


@needs_deletion
def test_dimension_without_a_name_follows_its_array(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    dimension = dataset.GetRootGroup().CreateDimension("x", None, None, 3)
    dataset.GetRootGroup().CreateMDArray("a", [dimension], NUMBER)
    del dataset, dimension
    with open(f"{store}/a/zarr.json") as f:
        document = json.load(f)
    del document["dimension_names"]
    with open(f"{store}/a/zarr.json", "w") as f:
        json.dump(document, f)
    with open(f"{store}/zarr.json") as f:
        document = json.load(f)
    document.pop("consolidated_metadata", None)
    with open(f"{store}/zarr.json", "w") as f:
        json.dump(document, f)
    dataset, root = open_for_update(store)
    array = root.OpenMDArray("a")
    dimension = array.GetDimensions()[0]
    assert dimension.GetFullName() == "dim0"
    array.Rename("b")
    assert dimension.GetFullName() == "dim0"
    array.Resize([5])
    assert dimension.GetSize() == 5


@needs_deletion
@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_a_dimension_is_renamed_before_there_are_arrays(store, form):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], [f"FORMAT={form}"])
    root = dataset.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, 3)
    dimension.Rename("z")
    assert [d.GetFullName() for d in root.GetDimensions()] == ["/z"] == [dimension.GetFullName()]
    root.CreateMDArray("a", [dimension], NUMBER)
    del dataset, root, dimension
    assert [d.GetFullName() for d in open_group(store).GetDimensions()] == ["/z"]


@needs_deletion
def test_coordinates_follow_their_dimension(tree):
    dataset, root = open_for_update(tree)
    group = root.OpenGroup("g")
    dimension = group.OpenGroup("sub").OpenMDArray("a").GetDimensions()[1]
    group.OpenMDArray("x").Rename("east")
    dimension.Rename("east")
    assert dimension.GetFullName() == "/g/east"
    assert dimension.GetIndexingVariable().GetFullName() == "/g/east"
    group.Rename("h")
    assert dimension.GetIndexingVariable().GetFullName() == "/h/east"


@needs_deletion
def test_dimensions_that_no_array_has_yet_follow(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup().CreateGroup("g")
    held = group.CreateDimension("x", None, None, 3)
    group.Rename("h")
    assert [d.GetFullName() for d in group.GetDimensions()] == ["/h/x"] == [held.GetFullName()]
    group.CreateMDArray("a", [held], NUMBER)
    del dataset, group, held
    assert [d.GetFullName() for d in open_group(store).OpenGroup("h").GetDimensions()] == ["/h/x"]


@needs_deletion
def test_empty_chunks_are_still_stored_under_another_name(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    root = dataset.GetRootGroup()
    array = root.CreateMDArray("a", [root.CreateDimension("x", None, None, 3)], NUMBER, ["STORE_EMPTY_CHUNKS=YES"])
    array.Rename("b")
    array.Write(np.zeros(3))
    del dataset, root, array
    assert os.path.isfile(f"{store}/b/c/0")


# --- deletion ----------------------------------------------------------------------------------------------------


def uses_of_an_array(array, title):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    return [
        array.ReadAsArray,
        lambda: array.Write(DATA),
        lambda: array.GetAttribute("title"),
        array.GetAttributes,
        lambda: array.CreateAttribute("new", [], EDT.CreateString()),
        lambda: array.DeleteAttribute("title"),
        lambda: array.SetUnit("m"),
        lambda: array.SetScale(2.0),
        lambda: array.SetNoDataValueDouble(9.0),
        lambda: array.SetSpatialRef(srs),
        array.GetSpatialRef,
        lambda: array.Resize([6, 8]),
        lambda: array.Rename("b"),
        title.Read,
        lambda: title.Write("new"),
        lambda: title.Rename("other"),
    ]


@needs_deletion
def test_deleted_array_is_of_no_use(tree):
    dataset, root = open_for_update(tree)
    sub = root.OpenGroup("g").OpenGroup("sub")
    array = sub.OpenMDArray("a")
    title = array.GetAttribute("title")
    dimensions = array.GetDimensions()
    array.Write(-DATA[:1, :1])  # pending, to be dropped
    assert sub.DeleteMDArray("a") == gdal.CE_None
    check_deleted(*uses_of_an_array(array, title))
    assert not os.path.exists(f"{tree}/g/sub/a") or os.listdir(f"{tree}/g/sub/a") == []
    fresh = sub.CreateMDArray("a", dimensions, NUMBER)
    check_deleted(*uses_of_an_array(array, title))
    assert not fresh.ReadAsArray().any() and attributes_of(fresh) == {}
    del dataset, root, sub, array, title, dimensions, fresh
    array = open_group(tree).OpenMDArrayFromFullname("/g/sub/a")
    assert not array.ReadAsArray().any() and attributes_of(array) == {}


@needs_deletion
def test_what_was_below_a_deleted_group_is_of_no_use(tree):
    dataset, root = open_for_update(tree)
    group = root.OpenGroup("g")
    sub = group.OpenGroup("sub")
    array = sub.OpenMDArray("a")
    title, of_group = array.GetAttribute("title"), group.GetAttribute("title")
    dimension = array.GetDimensions()[1]
    array.Write(-DATA[:1, :1])
    assert root.DeleteGroup("g") == gdal.CE_None
    check_deleted(*uses_of_an_array(array, title))
    check_deleted(of_group.Read, lambda: of_group.Write("new"), lambda: dimension.Rename("z"))
    for node in (group, sub):
        check_deleted(
            node.GetMDArrayNames,
            node.GetGroupNames,
            node.GetDimensions,
            node.GetAttributes,
            lambda: node.OpenMDArray("a"),
            lambda: node.OpenGroup("sub"),
            lambda: node.CreateGroup("new"),
            lambda: node.CreateDimension("new", None, None, 3),
            lambda: node.CreateMDArray("new", [], NUMBER),
            lambda: node.CreateAttribute("new", [], EDT.CreateString()),
            lambda: node.DeleteAttribute("title"),
            lambda: node.DeleteMDArray("a"),
            lambda: node.DeleteGroup("sub"),
            lambda: node.Rename("new"),
        )
    del dataset, root, group, sub, array, title, of_group, dimension, node
    assert open_group(tree).GetGroupNames() == []
    assert not os.path.exists(f"{tree}/g") or os.listdir(f"{tree}/g") == []


@needs_deletion
def test_dimension_outlives_its_coordinates(tree):
    dataset, root = open_for_update(tree)
    group = root.OpenGroup("g")
    dimension = group.OpenGroup("sub").OpenMDArray("a").GetDimensions()[1]
    group.DeleteMDArray("x")
    assert dimension.GetIndexingVariable() is None
    group.CreateMDArray("x", [dimension], NUMBER).Write(5 + np.arange(4.0))
    assert np.array_equal(dimension.GetIndexingVariable().ReadAsArray(), 5 + np.arange(4.0))


@needs_deletion
@pytest.mark.parametrize("of_group", [True, False])
def test_deleted_attribute_does_not_come_back(tree, of_group):
    dataset, root = open_for_update(tree)
    node = root.OpenGroup("g") if of_group else root.OpenMDArrayFromFullname("/g/sub/a")
    title, again = node.GetAttribute("title"), node.GetAttribute("title")
    assert node.DeleteAttribute("title") == gdal.CE_None
    for attribute in (title, again):
        check_deleted(attribute.Read, lambda: attribute.Write("new"), lambda: attribute.Rename("other"))
    assert attributes_of(node) == {}
    node.CreateAttribute("title", [], EDT.CreateString()).Write("another")
    check_deleted(title.Read, lambda: again.Write("new"))
    assert attributes_of(node) == {"title": "another"}


def test_band_of_a_removed_overview_is_of_no_use(store):
    dataset = gdal.GetDriverByName("Zarr").Create(store, 64, 64, 1, gdal.GDT_Byte, ["ARRAY_NAME=a"])
    dataset.GetRasterBand(1).Fill(7)
    dataset.BuildOverviews("NEAREST", [2])
    overview = dataset.GetRasterBand(1).GetOverview(0)
    assert (overview.ReadAsArray() == 7).all()
    dataset.BuildOverviews("NONE", [])
    check_deleted(lambda: overview.ReadRaster(buf_type=gdal.GDT_Int16))
    dataset.BuildOverviews("NEAREST", [2])
    assert dataset.GetRasterBand(1).GetOverviewCount() == 1
    assert (dataset.GetRasterBand(1).GetOverview(0).ReadAsArray() == 7).all()


# --- attributes --------------------------------------------------------------------------------------------------


@needs_deletion
@pytest.mark.parametrize("of_group", [True, False])
def test_attribute_gets_another_name(tree, of_group):
    def node_of(root):
        return root.OpenGroup("g") if of_group else root.OpenMDArrayFromFullname("/g/sub/a")

    dataset, root = open_for_update(tree)
    node = node_of(root)
    node.CreateAttribute("last", [], EDT.Create(gdal.GDT_Int32)).Write(3)
    title, again = node.GetAttribute("title"), node.GetAttribute("title")
    with pytest.raises(RuntimeError, match="already"):
        title.Rename("last")
    assert title.GetName() == "title"
    assert title.Rename("name") == gdal.CE_None
    for attribute in (title, again):
        place = "/g/_GLOBAL_" if of_group else "/g/sub/a"
        assert (attribute.GetName(), attribute.GetFullName()) == ("name", f"{place}/name")
    assert again.Write("new") == gdal.CE_None
    assert attributes_of(node) == {"name": "new", "last": 3}
    del dataset, root, node, title, again, attribute
    assert attributes_of(node_of(open_group(tree))) == {"name": "new", "last": 3}


@needs_deletion
def test_attribute_of_a_dataset_for_reading_keeps_its_name(tree):
    title = open_group(tree).OpenGroup("g").GetAttribute("title")
    with pytest.raises(RuntimeError, match="not open in update mode"):
        title.Rename("name")
    assert title.GetName() == "title"


NEW = [
    (EDT.CreateString(), [], ""),
    (EDT.Create(gdal.GDT_Int32), [], 0),
    (EDT.Create(gdal.GDT_Float64), [2], [0, 0]),
    (EDT.CreateString(), [2], ["", ""]),
]


def create_all(node):
    return [node.CreateAttribute(f"a{i}", shape, form) for i, (form, shape, _) in enumerate(NEW)]


def check_all(node):
    found = {attribute.GetName(): attribute.Read() for attribute in node.GetAttributes()}
    assert {name: np.asarray(value).tolist() for name, value in found.items() if name != "title"} == {
        f"a{i}": value for i, (_, _, value) in enumerate(NEW)
    }


@pytest.mark.parametrize("path", ["g", "g/sub/a"])
@pytest.mark.parametrize("held", [True, False])
def test_attribute_that_is_not_written_is_stored(tree, path, held):
    dataset, root = open_for_update(tree)
    node = root.OpenGroup("g") if path == "g" else root.OpenMDArrayFromFullname(f"/{path}")
    created = create_all(node)
    if not held:
        created = None
    dataset.FlushCache()
    reopened = open_group(tree, "USE_CONSOLIDATED_METADATA=NO")
    check_all(reopened.OpenGroup("g") if path == "g" else reopened.OpenMDArrayFromFullname(f"/{path}"))
    del dataset, root, node, created
    reopened = open_group(tree)
    check_all(reopened.OpenGroup("g") if path == "g" else reopened.OpenMDArrayFromFullname(f"/{path}"))


@pytest.mark.parametrize("path", ["g", "g/sub/a"])
def test_attribute_that_is_not_written_is_there(tree, path):
    dataset, root = open_for_update(tree)
    node = root.OpenGroup("g") if path == "g" else root.OpenMDArrayFromFullname(f"/{path}")
    created = create_all(node)
    assert node.GetAttribute("a0").Read() == ""
    with pytest.raises(RuntimeError, match="already"):
        node.CreateAttribute("a1", [], EDT.CreateString())
    check_all(node)
    created[0].Write("now")
    assert node.GetAttribute("a0").Read() == "now"


@pytest.mark.parametrize("path", ["g", "g/sub/a"])
def test_json_that_is_not_written_is_null(tree, path):
    dataset, root = open_for_update(tree)
    node = root.OpenGroup("g") if path == "g" else root.OpenMDArrayFromFullname(f"/{path}")
    with collect_errors() as errors:
        created = node.CreateAttribute("a", [], EDT.CreateString(0, gdal.GEDTST_JSON))
        del created
    assert errors == [] and node.GetAttribute("a").ReadAsString() == ""


def test_attribute_is_stored_once_where_it_is_written(store):
    """Each save of an attribute replaces a document."""
    make_tree(store, "ZARR_V3")
    dataset, root = open_for_update(store)
    group = root.OpenGroup("g")
    attribute = group.CreateAttribute("a", [], EDT.CreateString())
    with open(f"{store}/g/zarr.json") as f:
        assert "a" not in json.load(f)["attributes"]
    attribute.Write("x")
    dataset.FlushCache()
    with open(f"{store}/g/zarr.json") as f:
        assert json.load(f)["attributes"]["a"] == "x"
