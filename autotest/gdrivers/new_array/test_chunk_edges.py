# SPDX-License-Identifier: MIT
"""CHUNK_EDGES with a plan in place of edges: calendar months, or the blocks of the source."""

import json

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_array, open_group, write_v3, write_v3_group
from versions import needs_deletion


def create_array(store, units, values, edges):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup()
    dimensions = [group.CreateDimension("time", "", "", len(values)), group.CreateDimension("y", "", "", 3)]
    time = group.CreateMDArray("time", dimensions[:1], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
    time.SetUnit(units)
    time.Write(np.array(values, "f8"))
    array = group.CreateMDArray("v", dimensions, gdal.ExtendedDataType.Create(gdal.GDT_Byte), [f"CHUNK_EDGES={edges}"])
    array.Write(np.arange(len(values) * 3, dtype="u1").reshape(-1, 3))


def chunk_shapes(store, array):
    with open(f"{store}/{array}/zarr.json") as f:
        return json.load(f)["chunk_grid"]["configuration"]["chunk_shapes"]


def test_months_are_chunks(tmp_path):
    store = str(tmp_path / "a.zarr")
    create_array(store, "days since 2000-01-30 12:00", range(40), "time:MONTHS")
    assert chunk_shapes(store, "v")[0] == [2, 29, 9]
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER)
    values = dataset.GetRootGroup().OpenMDArray("v").ReadAsArray()
    assert (values.ravel() == np.arange(120)).all()


def test_months_need_times(tmp_path):
    with pytest.raises(RuntimeError, match="CHUNK_EDGES: expected coordinates that are times, for MONTHS, got time"):
        create_array(str(tmp_path / "a.zarr"), "m", range(40), "time:MONTHS")


EDGES = ["CHUNK_EDGES=time:MONTHS"]


def make(store, order, options=(), units="days since 2000-01-30 12:00", edges=EDGES):
    """Makes and writes the arrays in that order. GDAL copies the arrays of a group in the order of their names."""
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup()
    time, y = group.CreateDimension("time", "", "", 40), group.CreateDimension("y", "", "", 3)
    numbers = np.arange(120).reshape(40, 3)
    for name in order:
        if name == "time":
            array = group.CreateMDArray("time", [time], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
            array.SetUnit(units)
            array.Write(np.arange(40, dtype="f8"))
        elif name == "text":
            array = group.CreateMDArray(name, [time], gdal.ExtendedDataType.CreateString(), EDGES)
            array.Write([f"{n}" * 3 for n in range(40)])
        else:
            array = group.CreateMDArray(name, [time, y], gdal.ExtendedDataType.Create(gdal.GDT_Byte), [*edges, *options])
            array.SetUnit("K")
            array.Write(numbers.astype("u1"))


@pytest.mark.parametrize("name", ["a.zarr", "a.zarr.zip"])
@pytest.mark.parametrize("options", [[], ["STORE_EMPTY_CHUNKS=YES"], ["COMPRESS=ZSTD"]])
def test_arrays_may_be_made_before_their_coordinates(tmp_path, name, options):
    store = str(tmp_path / name)
    make(store, ["before", "text", "time", "v"], options)
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetMDArrayNames() == ["before", "text", "time", "v"]
    for array in ("before", "v"):
        opened = root.OpenMDArray(array)
        assert opened.ReadAsArray().ravel().tolist() == list(range(120))
        assert opened.GetUnit() == "K"
        assert opened.GetBlockSize()[0] == 0  # the chunks have different lengths
    assert root.OpenMDArray("text").Read() == [f"{n}" * 3 for n in range(40)]
    if name == "a.zarr":
        assert [chunk_shapes(store, a)[0] for a in ("before", "text", "v")] == [[2, 29, 9]] * 3


def test_coordinates_that_are_no_times_are_told_when_they_are_written(tmp_path):
    store = str(tmp_path / "a.zarr")
    with pytest.raises(RuntimeError, match="CHUNK_EDGES: expected coordinates that are times, for MONTHS, got time"):
        make(store, ["before", "time"], units="m")
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.OpenMDArray("before").ReadAsArray().ravel().tolist() == list(range(120))


def test_coordinates_that_never_come_are_told_at_the_end(tmp_path):
    store = str(tmp_path / "a.zarr")
    gdal.DontUseExceptions()
    try:
        with collect_errors() as errors:
            make(store, ["before"])
    finally:
        gdal.UseExceptions()
    assert [text for _, text in errors] == [
        "before: creation option CHUNK_EDGES: expected coordinates, or a source, that determine its chunks, got none: "
        "its chunks all have one length"
    ]
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.OpenMDArray("before").ReadAsArray().ravel().tolist() == list(range(120))


def test_chunks_that_cannot_be_made_are_told_again_at_the_end(tmp_path):
    """A program may overlook that the coordinates could not be written."""
    gdal.DontUseExceptions()
    try:
        with collect_errors() as errors:
            make(str(tmp_path / "a.zarr"), ["before", "time"], edges=["CHUNK_EDGES=time:MONTHS;y:1,1"])
    finally:
        gdal.UseExceptions()
    assert errors[0][1].startswith("creation option CHUNK_EDGES: y: ")
    assert errors[-1][1].startswith("before: creation option CHUNK_EDGES: expected coordinates")


def test_other_formats_have_no_such_chunks(tmp_path):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(str(tmp_path / "a.zarr"), [], ["FORMAT=ZARR_V2"])
    group = dataset.GetRootGroup()
    time = group.CreateDimension("time", "", "", 40)
    with pytest.raises(RuntimeError, match="CHUNK_EDGES.*ZARR_V3"):
        group.CreateMDArray("v", [time], gdal.ExtendedDataType.Create(gdal.GDT_Byte), EDGES)


def test_blocks_of_the_source_are_chunks(tmp_path):
    source = gdal.GetDriverByName("GTiff").Create(
        str(tmp_path / "a.tif"), 300, 200, 1, options=["TILED=YES", "BLOCKXSIZE=96", "BLOCKYSIZE=80"]
    )
    source.WriteArray(np.arange(60000, dtype="u4").reshape(200, 300).astype("u1"))
    store = str(tmp_path / "a.zarr")
    gdal.Translate(store, source, format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "ARRAY_NAME=a"])
    with open(f"{store}/a/.zarray") as f:
        assert json.load(f)["chunks"] == [80, 96]
    assert (gdal.Open(store).ReadAsArray() == source.ReadAsArray()).all()


@pytest.mark.parametrize(
    "shape, chunks",
    [((400, 600), (20, 30)), ((3, 400, 600), (3, 100, 200)), ((2, 3, 40, 60), (2, 2, 20, 30)), ((40, 600), (1, 600))],
)
def test_chunks_of_a_regular_store_are_kept(store, tmp_path, shape, chunks):
    write_v3_group(store)
    names = ["time", "level", "y", "x"][-len(shape) :]
    write_v3(f"{store}/a", np.arange(np.prod(shape), dtype="<i4").reshape(shape), chunks, names=names)
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, f'ZARR:"{store}":/a', format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "FORMAT=ZARR_V3", "ARRAY_NAME=a"])
    with open(f"{target}/a/zarr.json") as f:
        assert tuple(json.load(f)["chunk_grid"]["configuration"]["chunk_shape"]) == chunks
    with pytest.raises(RuntimeError, match="BLOCKSIZE.*CHUNK_EDGES"):
        gdal.Translate(target + "2", target, format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "BLOCKSIZE=5,5"])


@pytest.mark.parametrize(
    "names, options, chunks",
    [
        (["time", "z", "level", "y", "x"], [], [2, 1, 2, 20, 30]),
        (["time", "z", "a", "y", "x"], [], [1, 20, 30]),  # the array's own name is not free
        (["time", "z", "level", "y", "x"], ["SINGLE_ARRAY=NO"], [20, 30]),
    ],
)
def test_chunks_are_kept_along_the_dimensions_that_stay(store, tmp_path, names, options, chunks):
    write_v3_group(store)
    data = np.arange(2 * 3 * 40 * 60, dtype="<i4").reshape(2, 1, 3, 40, 60)
    write_v3(f"{store}/a", data, (2, 1, 2, 20, 30), names=names)
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, f'ZARR:"{store}":/a', format="Zarr", creationOptions=["FORMAT=ZARR_V3", *options, "CHUNK_EDGES=SOURCE", "ARRAY_NAME=a"])
    array = open_group(target).OpenMDArray(open_group(target).GetMDArrayNames()[0])
    assert list(array.GetBlockSize()) == chunks


def edges_of(store, array):
    return open_array(store, array).GetStructuralInfo().get("CHUNK_EDGES")


def write_uneven(path):
    """A cube whose chunks have uneven edges along all dimensions, and its coordinates."""
    data = np.arange(5 * 6 * 7, dtype="<i2").reshape(5, 6, 7)
    write_v3_group(path)
    write_v3(f"{path}/a", data, edges=[[2, 3], [1, 5], [4, 2, 1]], names=["time", "y", "x"])
    write_v3(f"{path}/time", np.arange(5, dtype="<i4") * 30, edges=[[2, 3]], names=["time"], attributes={"units": "days since 2024-01-01"})
    return data


def test_uneven_edges_survive_a_copy(store, tmp_path):
    data = write_uneven(store)
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, f'ZARR:"{store}":/a', format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "FORMAT=ZARR_V3", "ARRAY_NAME=a"])
    assert edges_of(target, "a") == edges_of(store, "a")
    assert np.array_equal(open_array(target, "a").ReadAsArray(), data)


@pytest.mark.parametrize(
    "options, array, edges",
    [
        (["SINGLE_ARRAY=NO", "ARRAY_NAME=a"], "a_band2", [[1, 5], [4, 2, 1]]),
        (["ARRAY_NAME=time"], "time", [[2, 3], [1, 5], [4, 2, 1]]),  # the bands are called Band
    ],
)
def test_uneven_edges_are_kept_along_the_dimensions_that_stay(store, tmp_path, options, array, edges):
    write_uneven(store)
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, f'ZARR:"{store}":/a', format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "FORMAT=ZARR_V3", *options])
    assert json.loads(edges_of(target, array)) == edges


def test_uneven_edges_of_a_slice_survive_a_copy(store, tmp_path):
    data = write_uneven(store)
    target = str(tmp_path / "copy.zarr")
    gdal.Translate(target, f'ZARR:"{store}":/a:3', format="Zarr", creationOptions=["CHUNK_EDGES=SOURCE", "FORMAT=ZARR_V3", "ARRAY_NAME=a"])
    assert json.loads(edges_of(target, "a")) == [[1], [1, 5], [4, 2, 1]]
    assert np.array_equal(open_array(target, "a").ReadAsArray(), data[3:4])


def test_uneven_edges_survive_a_multidimensional_copy(store, tmp_path):
    data = write_uneven(store)
    target = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(target, store, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "ARRAY:CHUNK_EDGES=SOURCE"])
    for array in ("a", "time"):
        assert edges_of(target, array) == edges_of(store, array) is not None
    assert np.array_equal(open_array(target, "a").ReadAsArray(), data)


def test_even_blocks_survive_a_multidimensional_copy(store, tmp_path):
    write_v3_group(store)
    write_v3(f"{store}/a", np.ones((9, 9), "u1"), (4, 3))
    target = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(target, store, format="Zarr", creationOptions=["FORMAT=ZARR_V3", "ARRAY:CHUNK_EDGES=SOURCE"])
    assert open_array(target, "a").GetBlockSize() == [4, 3]
    assert edges_of(target, "a") is None


def make_without_a_source(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup()
    dimension = group.CreateDimension("x", "", "", 4)
    group.CreateMDArray("a", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte), ["CHUNK_EDGES=SOURCE"])


def test_an_array_without_a_source_is_told_at_the_end(store):
    gdal.DontUseExceptions()
    try:
        with collect_errors() as errors:
            make_without_a_source(store)
    finally:
        gdal.UseExceptions()
    assert len(errors) == 1
    assert errors[0][1].startswith("a: creation option CHUNK_EDGES: expected coordinates, or a source, that determine its chunks, got none")


@needs_deletion
@pytest.mark.parametrize("is_of_group", [False, True])
def test_plans_follow_a_rename(store, is_of_group):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup().CreateGroup("g")
    time = group.CreateDimension("time", "", "", 40)
    array = group.CreateMDArray("v", [time], gdal.ExtendedDataType.Create(gdal.GDT_Byte), EDGES)
    array.Write(np.arange(40, dtype="u1"))
    group.Rename("h") if is_of_group else array.Rename("w")
    coordinates = group.CreateMDArray("time", [time], gdal.ExtendedDataType.Create(gdal.GDT_Float64))
    coordinates.SetUnit("days since 2000-01-30 12:00")
    coordinates.Write(np.arange(40, dtype="f8"))
    array = coordinates = time = group = None
    dataset.Close()
    path = "h/v" if is_of_group else "g/w"
    assert chunk_shapes(store, path)[0] == [2, 29, 9]
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.OpenMDArrayFromFullname(f"/{path}").ReadAsArray().tolist() == list(range(40))


@needs_deletion
def test_a_deleted_array_has_no_plan(store):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(store, [], ["FORMAT=ZARR_V3"])
    group = dataset.GetRootGroup()
    time = group.CreateDimension("time", "", "", 40)
    group.CreateMDArray("v", [time], gdal.ExtendedDataType.Create(gdal.GDT_Byte), EDGES)
    group.DeleteMDArray("v")
    time = group = None
    assert dataset.Close() == gdal.CE_None
