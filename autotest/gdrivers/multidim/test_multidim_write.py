# SPDX-License-Identifier: MIT
"""Groups, dimensions, arrays and attributes made through the multidimensional API."""

import json
import math
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal, osr
from versions import needs_deletion, needs_resize

EDT = gdal.ExtendedDataType
FORMATS = ["ZARR_V2", "ZARR_V3"]


def create(store, zarr_format="ZARR_V3"):
    """Returns a new dataset and its root group."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, options=[f"FORMAT={zarr_format}"])
    return dataset, dataset.GetRootGroup()


def reopen(store, flags=0):
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | flags)
    return dataset, dataset.GetRootGroup()


def numeric(name):
    return EDT.Create(gdal.GetDataTypeByName(name))


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_groups_dimensions_and_arrays_are_kept(store, zarr_format):
    dataset, root = create(store, zarr_format)
    group = root.CreateGroup("g").CreateGroup("sub")
    y = root.CreateDimension("lat", gdal.DIM_TYPE_HORIZONTAL_Y, "NORTH", 4)
    x = root.CreateDimension("lon", gdal.DIM_TYPE_HORIZONTAL_X, "EAST", 5)
    coordinates = root.CreateMDArray("lon", [x], numeric("Float64"))
    coordinates.Write(np.arange(5.0))
    coordinates.CreateAttribute("standard_name", [], EDT.CreateString()).Write("longitude")
    x.SetIndexingVariable(coordinates)
    array = group.CreateMDArray("a", [y, x], numeric("Int16"), ["BLOCKSIZE=2,3"])
    values = np.arange(20, dtype=np.int16).reshape(4, 5)
    array.Write(values)
    array.SetUnit("K")
    array.SetScale(0.5)
    array.SetOffset(3)
    array.SetNoDataValueDouble(-1)
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    array.SetSpatialRef(srs)
    del dataset, root, group, x, y, coordinates, array
    dataset, root = reopen(store)
    array = root.OpenMDArrayFromFullname("/g/sub/a")
    assert [d.GetName() for d in array.GetDimensions()] == ["lat", "lon"]
    assert array.GetDimensions()[1].GetFullName() == "/lon"
    assert array.GetDimensions()[1].GetType() == gdal.DIM_TYPE_HORIZONTAL_X
    assert array.GetDimensions()[1].GetIndexingVariable().ReadAsArray().tolist() == [0, 1, 2, 3, 4]
    assert np.array_equal(array.ReadAsArray(), values)
    assert (array.GetUnit(), array.GetScale(), array.GetOffset()) == ("K", 0.5, 3)
    assert array.GetNoDataValueAsDouble() == -1
    assert array.GetSpatialRef().GetAuthorityCode(None) == "4326"
    assert array.GetBlockSize() == [2, 3]


ARRAYS = {
    "strings": (EDT.CreateString(), ["", "é", "x" * 1000, "a\nb"]),
    "short_strings": (EDT.CreateString(10), ["", "e", "xyz", "0123456789"]),
    "uint64": (numeric("UInt64"), np.array([2**64 - 1, 0, 1, 2], np.uint64)),
    "complex": (numeric("CFloat64"), np.array([1 + 2j, 0, -1j, 1e300])),
    "floats": (numeric("Float32"), np.array([np.nan, -0.0, np.inf, 1e-45], np.float32)),
}


@pytest.mark.parametrize("zarr_format", FORMATS)
@pytest.mark.parametrize("name", ARRAYS)
def test_each_type_of_array_is_kept(store, zarr_format, name):
    data_type, values = ARRAYS[name]
    dataset, root = create(store, zarr_format)
    dimension = root.CreateDimension("x", None, None, 4)
    root.CreateMDArray("a", [dimension], data_type).Write(values)
    del dataset, root, dimension
    dataset, root = reopen(store)
    array = root.OpenMDArray("a")
    if isinstance(values, list):
        assert array.Read() == values
    else:
        assert array.ReadAsArray().tobytes() == values.tobytes()


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_compounds_are_kept(store, zarr_format):
    numpy_type = np.dtype({"names": ["p", "q"], "formats": ["i2", "f8"], "offsets": [0, 8], "itemsize": 16})
    values = np.zeros(3, numpy_type)
    values["p"], values["q"] = [1, -2, 3], [0.5, np.inf, -0.0]
    components = [
        gdal.EDTComponent.Create("p", 0, numeric("Int16")),
        gdal.EDTComponent.Create("q", 8, numeric("Float64")),
    ]
    dataset, root = create(store, zarr_format)
    dimension = root.CreateDimension("x", None, None, 3)
    root.CreateMDArray("a", [dimension], EDT.CreateCompound("c", 16, components)).Write(values.tobytes())
    del dataset, root, dimension
    dataset, root = reopen(store)
    assert root.OpenMDArray("a")["p"].ReadAsArray().tolist() == [1, -2, 3]
    assert root.OpenMDArray("a")["q"].ReadAsArray().tobytes() == values["q"].tobytes()


ATTRIBUTES = {
    "text": ([], EDT.CreateString(), 'é"\\\n'),
    "integer": ([], numeric("Int32"), -5),
    "float": ([], numeric("Float64"), 1e300),
    "texts": ([2], EDT.CreateString(), ["a", ""]),
    "integers": ([3], numeric("Int32"), (1, -2, 3)),
    "floats": ([2], numeric("Float64"), (0.1, 2.5)),
    "json": ([], EDT.CreateString(0, gdal.GEDTST_JSON), {"a": [1, {"b": None}], "c": True}),
}


@pytest.mark.parametrize("owner", ["root", "group", "array"])
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_attributes_are_kept(store, zarr_format, owner):
    def find(root):
        return {"root": root, "group": root.OpenGroup("g"), "array": root.OpenMDArray("a")}[owner]

    dataset, root = create(store, zarr_format)
    root.CreateGroup("g")
    root.CreateMDArray("a", [], numeric("Byte"))
    holder = find(root)
    for name, (dimensions, data_type, value) in ATTRIBUTES.items():
        text = json.dumps(value) if name == "json" else list(value) if isinstance(value, tuple) else value
        assert holder.CreateAttribute(name, dimensions, data_type).Write(text) == gdal.CE_None
    del dataset, root, holder
    dataset, root = reopen(store, gdal.OF_UPDATE)
    for name, (_, _, value) in ATTRIBUTES.items():
        assert find(root).GetAttribute(name).Read() == value
    find(root).GetAttribute("text").Write("other")
    del dataset, root
    dataset, root = reopen(store)
    assert find(root).GetAttribute("text").Read() == "other"


def test_attributes_of_other_types_are_refused(store):
    dataset, root = create(store)
    with pytest.raises(RuntimeError, match="complex"):
        root.CreateAttribute("a", [2, 2], numeric("CFloat64"))
    with pytest.raises(RuntimeError, match="at most"):
        root.CreateAttribute("a", [2**40, 2**40], numeric("Int32"))
    with pytest.raises(RuntimeError, match="JSON"):
        root.CreateAttribute("a", [], EDT.CreateString(0, gdal.GEDTST_JSON)).Write("{")


@pytest.mark.parametrize("zarr_format", FORMATS)
def test_steps_and_strides_are_written(store, zarr_format):
    dataset, root = create(store, zarr_format)
    y, x = root.CreateDimension("y", None, None, 9), root.CreateDimension("x", None, None, 10)
    array = root.CreateMDArray("a", [y, x], numeric("Int16"), ["BLOCKSIZE=4,3"])
    want = np.zeros((9, 10), np.int16)
    values = np.arange(1, 13, dtype=np.int16).reshape(3, 4)
    array.Write(values, array_start_idx=[1, 9], array_step=[3, -2])
    want[1::3, 9:2:-2] = values
    assert np.array_equal(array.ReadAsArray(), want)
    # The caller's buffer is in column order.
    array.Write(np.asfortranarray(values).tobytes("A"), [0, 0], [3, 4], [1, 1], [1, 3], numeric("Int16"))
    want[:3, :4] = values
    assert np.array_equal(array.ReadAsArray(), want)
    with pytest.raises(RuntimeError):
        array.Write(values, array_start_idx=[0, 7])


@pytest.mark.parametrize("options", [[], ["FORMAT=ZARR_V3"], ["FORMAT=ZARR_V3", "ARRAY:COMPRESS=ZSTD"]])
def test_whole_groups_can_be_copied(store, options):
    memory = gdal.GetDriverByName("MEM").CreateMultiDimensional("m")
    root = memory.GetRootGroup()
    dimensions = []
    for name, kind, size in (("time", "TEMPORAL", 2), ("lat", "HORIZONTAL_Y", 3), ("lon", "HORIZONTAL_X", 4)):
        dimension = root.CreateDimension(name, kind, None, size)
        variable = root.CreateMDArray(name, [dimension], numeric("Float64"))
        variable.Write(np.arange(float(size)))
        dimension.SetIndexingVariable(variable)
        dimensions.append(dimension)
    array = root.CreateMDArray("tas", dimensions, numeric("Int16"))
    values = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    array.Write(values)
    array.SetNoDataValueDouble(-1)
    array.SetUnit("K")
    root.CreateMDArray("names", [dimensions[2]], EDT.CreateString()).Write(["a", "bb", "", "d"])
    root.CreateGroup("g").CreateMDArray("b", [dimensions[1]], numeric("Byte")).Write(np.array([1, 2, 3], np.uint8))
    root.CreateAttribute("title", [], EDT.CreateString()).Write("T")
    gdal.MultiDimTranslate(store, memory, format="Zarr", creationOptions=options)
    copy, _ = reopen(store)
    back = gdal.MultiDimTranslate("", copy, format="MEM")
    for dataset in (copy, back):
        root = dataset.GetRootGroup()
        array = root.OpenMDArray("tas")
        assert np.array_equal(array.ReadAsArray(), values)
        assert (array.GetNoDataValueAsDouble(), array.GetUnit()) == (-1, "K")
        assert array.GetDimensions()[2].GetIndexingVariable().ReadAsArray().tolist() == [0, 1, 2, 3]
        assert root.OpenMDArray("names").Read() == ["a", "bb", "", "d"]
        assert root.OpenGroup("g").OpenMDArray("b").ReadAsArray().tolist() == [1, 2, 3]
        assert root.GetAttribute("title").Read() == "T"


@pytest.mark.parametrize("name", ["", "a/b", "..", "...", "zarr.json", ".zarray", ".zmetadata", "__zmeta__"])
def test_wrong_names_are_refused(store, name):
    dataset, root = create(store)
    with pytest.raises(RuntimeError, match="name"):
        root.CreateGroup(name)
    with pytest.raises(RuntimeError, match="name"):
        root.CreateMDArray(name, [], numeric("Byte"))


@needs_resize
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_an_array_can_be_resized(store, zarr_format):
    dataset, root = create(store, zarr_format)
    dimensions = [root.CreateDimension("t", None, None, 5), root.CreateDimension("x", None, None, 4)]
    array = root.CreateMDArray("a", dimensions, numeric("Int32"), ["BLOCKSIZE=2,3"])
    array.Write(np.arange(20, dtype=np.int32).reshape(5, 4))
    assert array.Resize([7, 4]) == gdal.CE_None
    array.Write(np.full((2, 4), 9, np.int32), array_start_idx=[5, 0])
    want = np.vstack([np.arange(20).reshape(5, 4), np.full((2, 4), 9)])
    assert np.array_equal(array.ReadAsArray(), want)
    assert array.Resize([3, 2]) == gdal.CE_None
    assert array.Resize([5, 4]) == gdal.CE_None
    want = np.zeros((5, 4), np.int32)
    want[:3, :2] = np.arange(20).reshape(5, 4)[:3, :2]
    del dataset, root, dimensions, array
    dataset, root = reopen(store)
    assert np.array_equal(root.OpenMDArray("a").ReadAsArray(), want)


@needs_resize
def test_appending_to_a_rectilinear_axis_rewrites_nothing(store):
    dataset, root = create(store)
    dimensions = [root.CreateDimension("time", "TEMPORAL", None, 59), root.CreateDimension("x", None, None, 4)]
    array = root.CreateMDArray("a", dimensions, numeric("Int32"), ["CHUNK_EDGES=time:31,28"])
    values = np.arange(1, 59 * 4 + 1, dtype=np.int32).reshape(59, 4)
    array.Write(values)
    del dataset, root, dimensions, array
    folder = os.path.join(store, "a", "c")
    before = {name: os.stat(f"{folder}/{name}/0").st_mtime_ns for name in os.listdir(folder)}
    dataset, root = reopen(store, gdal.OF_UPDATE)
    array = root.OpenMDArray("a")
    assert array.Resize([90, 4]) == gdal.CE_None
    array.Write(np.full((31, 4), 7, np.int32), array_start_idx=[59, 0])
    del dataset, root, array
    assert sorted(os.listdir(folder)) == ["0", "1", "2"]
    assert {name: os.stat(f"{folder}/{name}/0").st_mtime_ns for name in before} == before
    with open(os.path.join(store, "a", "zarr.json")) as f:
        assert json.load(f)["chunk_grid"]["configuration"]["chunk_shapes"][0] == [31, 28, 31]
    dataset, root = reopen(store)
    assert np.array_equal(root.OpenMDArray("a").ReadAsArray(), np.vstack([values, np.full((31, 4), 7)]))


@needs_deletion
@pytest.mark.parametrize("zarr_format", FORMATS)
def test_nodes_can_be_renamed_and_deleted(store, zarr_format):
    dataset, root = create(store, zarr_format)
    group = root.CreateGroup("g")
    for name in ("a", "ab", "b"):
        root.CreateMDArray(name, [], numeric("Byte")).Write(np.array(3, np.uint8))
    group.CreateMDArray("c", [], numeric("Byte"))
    root.OpenMDArray("b").CreateAttribute("x", [], EDT.CreateString()).Write("y")
    root.OpenMDArray("b").Rename("renamed")
    group.Rename("h")
    root.DeleteMDArray("a")
    root.OpenMDArray("renamed").DeleteAttribute("x")
    del dataset, root, group
    dataset, root = reopen(store, gdal.OF_UPDATE)
    assert sorted(root.GetMDArrayNames()) == ["ab", "renamed"]
    assert root.OpenMDArray("renamed").ReadAsArray() == 3
    assert root.OpenMDArray("renamed").GetAttributes() == []
    assert root.OpenGroup("h").GetMDArrayNames() == ["c"]
    root.DeleteGroup("h")
    with pytest.raises(RuntimeError, match="expected an array, got none"):
        root.DeleteMDArray("nosuch")
    del dataset, root
    dataset, root = reopen(store)
    assert not root.GetGroupNames()
    assert math.isclose(root.OpenMDArray("ab").ReadAsArray(), 3)


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_stores_of_the_driver_can_be_copied(tmp_path, form):
    """The grid mapping variable is made with the first array that has a CRS, and is then copied as well."""
    first, second = str(tmp_path / "first.zarr"), str(tmp_path / "second.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 30, 20, 2, gdal.GDT_Byte)
    source.SetGeoTransform((0, 10, 0, 200, 0, -10))
    source.SetProjection("EPSG:32631")
    gdal.Translate(first, source, format="Zarr", creationOptions=[f"FORMAT={form}", "ARRAY_NAME=v"])
    with collect_errors() as errors:
        gdal.MultiDimTranslate(second, first, format="Zarr", creationOptions=[f"FORMAT={form}"])
    assert errors == []
    copy = gdal.Open(f'ZARR:"{second}":/v')
    assert copy.GetGeoTransform() == source.GetGeoTransform()
    assert copy.GetSpatialRef().GetAuthorityCode(None) == "32631"


@pytest.mark.parametrize("form", ["ZARR_V2", "ZARR_V3"])
def test_line_of_an_array_with_a_crs_is_copied(tmp_path, form):
    first, second = str(tmp_path / "first.zarr"), str(tmp_path / "second.zarr")
    source = gdal.GetDriverByName("MEM").Create("", 30, 20, 1, gdal.GDT_Byte)
    source.SetGeoTransform((0, 10, 0, 200, 0, -10))
    source.SetProjection("EPSG:32631")
    gdal.Translate(first, source, format="Zarr", creationOptions=[f"FORMAT={form}", "ARRAY_NAME=v"])
    with collect_errors() as errors:
        gdal.MultiDimTranslate(second, first, format="Zarr", arraySpecs=["name=v,view=[3]"])
    # GDAL 3.13 also gives the CRS of the whole array to the copy.
    assert [level for level, _ in errors if level != gdal.CE_Warning] == []
    dataset, root = reopen(second, gdal.OF_UPDATE)
    assert root.OpenMDArray("v").shape == (30,)
    assert root.OpenMDArray("v").SetSpatialRef(source.GetSpatialRef()) == gdal.CE_None


def test_after_a_failed_change_an_existing_store_can_be_changed_further(store):
    dataset, root = create(store)
    old = root.CreateMDArray("old", [root.CreateDimension("x", "", "", 4)], numeric("Int32"))
    old.Write(np.ones(4, "i4"))
    old = root = dataset = None

    dataset, root = reopen(store, gdal.OF_UPDATE)
    with pytest.raises(RuntimeError):
        root.CreateGroup("x" * 256)  # no file system has such names
    old = root.OpenMDArray("old")
    old.Write(np.full(4, 2, "i4"))
    root.CreateMDArray("new", old.GetDimensions(), numeric("Int32")).Write(np.full(4, 3, "i4"))
    old = root = None
    with collect_errors():  # of the group
        dataset = None

    dataset, root = reopen(store)
    assert [root.OpenMDArray(name).ReadAsArray().tolist() for name in ("old", "new")] == [[2] * 4, [3] * 4]
