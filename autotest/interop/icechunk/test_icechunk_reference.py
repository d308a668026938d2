# SPDX-License-Identifier: MIT
"""What this driver commits, the reference implementation of Icechunk reads, and the other way round."""

import contextlib
import multiprocessing
import os

import http_server
import numpy as np
import pytest
import reference
from closing import close
from osgeo import gdal

pytestmark = reference.needs_reference

MAIN = {"branch": "main"}


@contextlib.contextmanager
def changing(path, *options, flags=gdal.OF_MULTIDIM_RASTER):
    dataset = gdal.OpenEx(str(path), flags | gdal.OF_UPDATE, open_options=list(options))
    yield dataset
    close(dataset)


def read_by_gdal(path, name):
    dataset = gdal.OpenEx(str(path), gdal.OF_MULTIDIM_RASTER)
    return dataset.GetRootGroup().OpenMDArrayFromFullname("/" + name).ReadAsArray()


def read_by_reference(path, name, version=MAIN):
    array = reference.run(["read", str(path), version, [name]])[0]["arrays"][name]
    return np.array(array["values"]).reshape(array["shape"])


def make_by_gdal(path, shape=(6, 8), options=()):
    options = ["FORMAT=ICECHUNK", "BLOCKSIZE=2,4", "ARRAY_NAME=a", "COMPRESS=NONE", *options]
    values = np.arange(np.prod(shape), dtype="int32").reshape(shape)
    dataset = gdal.GetDriverByName("Zarr").Create(str(path), shape[1], shape[0], 1, gdal.GDT_Int32, options)
    dataset.WriteArray(values)
    dataset = None  # noqa: F841 - closes it
    return values


def make_by_reference(path, version):
    reference.run(["create", str(path), version], ["addArray", str(path), "main", "a", [6, 8], [2, 4], 5, "made"])
    return np.full((6, 8), 5)


def test_a_new_repository_is_read_with_its_history(tmp_path):
    path = tmp_path / "repo"
    values = make_by_gdal(path, options=["COMMIT_MESSAGE=made by GDAL", "COMMIT_AUTHOR=Ada"])
    assert (read_by_reference(path, "a") == values).all()
    names, history = reference.run(["names", str(path)], ["history", str(path), "main"])
    assert names == {"version": 2, "branches": ["main"], "tags": []}
    assert [commit["message"] for commit in history] == ["made by GDAL", "Repository initialized"]
    assert history[0]["metadata"] == {"author": "Ada"} and history[0]["parentId"] == history[1]["id"]


@pytest.mark.parametrize("version", [1, 2])
def test_both_commit_one_after_the_other(tmp_path, version):
    path = tmp_path / "repo"
    expected = make_by_reference(path, version)
    with changing(path, "COMMIT_MESSAGE=of GDAL") as dataset:
        root = dataset.GetRootGroup()
        root.OpenMDArray("a").Write(np.full((2, 8), 7, "int32"), array_start_idx=[2, 0], count=[2, 8])
        root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).Write("both")
        group = root.CreateGroup("g")
        dimension = group.CreateDimension("x", None, None, 300)
        array = group.CreateMDArray("b", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Float64), ["BLOCKSIZE=100"])
        array.Write(np.arange(300.0))
        del array, dimension, group, root
    expected[2:4] = 7
    reference.run(["set", str(path), "main", "a", [[4, 6], [4, 8]], 9, "of the reference"])
    expected[4:, 4:] = 9
    assert (read_by_gdal(path, "a") == expected).all() and (read_by_reference(path, "a") == expected).all()
    assert (read_by_reference(path, "g/b") == np.arange(300)).all() and (read_by_gdal(path, "g/b") == np.arange(300)).all()
    history, read = reference.run(["history", str(path), "main"], ["read", str(path), MAIN, []])
    assert [commit["message"] for commit in history] == ["of the reference", "of GDAL", "made", "Repository initialized"]
    assert read["attributes"] == {"title": "both"}


def test_the_log_of_a_commit_tells_what_changed(tmp_path):
    path = tmp_path / "repo"
    make_by_reference(path, 2)
    with changing(path) as dataset:
        root = dataset.GetRootGroup()
        root.OpenMDArray("a").Write(np.full((2, 4), 1, "int32"), array_start_idx=[2, 4], count=[2, 4])
        root.CreateGroup("g")
        root.CreateAttribute("title", [], gdal.ExtendedDataType.CreateString()).Write("x")
        del root
    history = reference.run(["history", str(path), "main"])[0]
    diff = reference.run(["diff", str(path), history[1]["id"], history[0]["id"]])[0]
    assert diff["newGroups"] == ["/g"] and diff["newArrays"] == [] and diff["deletedArrays"] == []
    assert diff["updatedGroups"] == ["/"] and diff["updatedArrays"] == []
    assert diff["updatedChunks"] == {"/a": [[1, 1]]}


def test_branches_and_tags_of_the_reference_are_kept(tmp_path):
    path = tmp_path / "repo"
    make_by_reference(path, 2)
    first = reference.run(["history", str(path), "main"])[0][0]["id"]
    reference.run(["tag", str(path), "t", first], ["branch", str(path), "dev", first])
    with changing(path, "BRANCH=dev") as dataset:
        dataset.GetRootGroup().OpenMDArray("a").Write(np.zeros((6, 8), "int32"))
    assert reference.run(["names", str(path)])[0] == {"version": 2, "branches": ["dev", "main"], "tags": ["t"]}
    assert (read_by_reference(path, "a") == 5).all() and (read_by_reference(path, "a", {"tag": "t"}) == 5).all()
    assert (read_by_reference(path, "a", {"branch": "dev"}) == 0).all()


def test_deleted_chunks_and_a_resized_array(tmp_path):
    path = tmp_path / "repo"
    make_by_reference(path, 2)
    with changing(path) as dataset:
        array = dataset.GetRootGroup().OpenMDArray("a")
        array.Write(np.full((2, 4), -1, "int32"), array_start_idx=[0, 0], count=[2, 4])  # the fill value
        if hasattr(array, "Resize"):
            array.Resize([8, 8])
        del array
    values = read_by_reference(path, "a")
    assert (values == read_by_gdal(path, "a")).all() and (values[:2, :4] == -1).all() and (values[2:6] == 5).all()


def write_rows(path, first, count):
    gdal.UseExceptions()
    for row in range(first, first + count):
        with changing(path, flags=gdal.OF_RASTER) as dataset:
            dataset.GetRasterBand(1).WriteArray(np.full((2, 8), row, "int32"), 0, 2 * row)


def test_a_root_that_is_only_implied(tmp_path):
    path = tmp_path / "repo"
    reference.run(["create", str(path), 2], ["addArray", str(path), "main", "a", [4], [2], 5, "made", False])
    with changing(path) as dataset:
        dataset.GetRootGroup().OpenMDArray("a").Write(np.zeros(2, "int32"), array_start_idx=[0], count=[2])
    assert read_by_gdal(path, "a").tolist() == [0, 0, 5, 5]
    with changing(path) as dataset:
        root = dataset.GetRootGroup()
        root.CreateMDArray("b", root.OpenMDArray("a").GetDimensions(), gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        del root
    assert read_by_gdal(path, "b").tolist() == [0] * 4 and read_by_reference(path, "b").tolist() == [0] * 4


def test_four_processes_of_each_lose_no_commit_of_ours(tmp_path):
    """The reference implementation has no locks on local disks, so that commits that it makes between our reading and
    replacing of the repo info file may get lost; those of this driver do not get lost among its own processes."""
    path = tmp_path / "repo"
    make_by_gdal(path, (64, 8))
    context = multiprocessing.get_context("spawn")
    ours = [context.Process(target=write_rows, args=(path, 8 * i, 8)) for i in range(4)]
    for process in ours:
        process.start()
    for process in ours:
        process.join()
        assert process.exitcode == 0
    expected = np.repeat(np.arange(32), 2)
    assert (read_by_reference(path, "a")[:, 0] == expected).all()
    assert len(reference.run(["history", str(path), "main"])[0]) == 34


def test_a_virtual_repository_is_read_by_the_reference(tmp_path):
    """Which asks for the containers that may be read, and whether the file was changed."""
    folder = tmp_path / "some data"
    folder.mkdir()
    values = np.arange(60 * 100, dtype="int16").reshape(60, 100)
    options = ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"]
    dataset = gdal.GetDriverByName("GTiff").Create(str(folder / "a 1%.tif"), 100, 60, 1, gdal.GDT_Int16, options)
    dataset.WriteArray(values)
    dataset = None
    path = str(tmp_path / "a.icechunk")
    gdal.Translate(path, str(folder / "a 1%.tif"), format="Zarr", creationOptions=["FORMAT=ICECHUNK", "VIRTUAL=YES"])
    container = f"file://{tmp_path}/"
    array = reference.run(["read", path, MAIN, ["a"], [container]])[0]["arrays"]["a"]
    assert (np.array(array["values"]).reshape(array["shape"]) == values).all()
    with pytest.raises(AssertionError, match="container|authoriz"):
        reference.run(["read", path, MAIN, ["a"], []])
    later = os.stat(folder / "a 1%.tif").st_mtime + 2
    os.utime(folder / "a 1%.tif", (later, later))
    with pytest.raises(AssertionError, match="has changed"):
        reference.run(["read", path, MAIN, ["a"], [container]])


@pytest.mark.parametrize("version", [1, 2])
def test_a_virtual_repository_of_the_reference_is_read_and_changed(tmp_path, version):
    (tmp_path / "data").mkdir()
    values = np.arange(24, dtype="<i4")
    values.tofile(tmp_path / "data" / "raw.bin")
    path, folder = tmp_path / "repo", f"file://{tmp_path}/data/"
    reference.run(["refer", str(path), folder, ["LocalFileSystem", f"{tmp_path}/data/"], "raw.bin", 6, 4, version])
    assert (read_by_gdal(path, "a") == values).all()
    with changing(path) as dataset:
        dataset.GetRootGroup().OpenMDArray("a").Write(np.full(4, 7, "int32"), array_start_idx=[8], count=[4])
    values[8:12] = 7
    array = reference.run(["read", str(path), MAIN, ["a"], [folder]])[0]["arrays"]["a"]
    assert array["values"] == values.tolist()
    assert (read_by_gdal(path, "a") == values).all()


@pytest.mark.parametrize("version", [1, 2])
def test_a_bucket_is_read_as_its_container_tells(tmp_path, version):
    """Its server needs no credentials, and GDAL has no setting for it."""
    (tmp_path / "bucket").mkdir()
    values = np.arange(24, dtype="<i4")
    values.tofile(tmp_path / "bucket" / "raw.bin")
    with http_server.Server(str(tmp_path)).serve() as server:
        options = {"endpointUrl": server.url, "region": "somewhere", "anonymous": True, "forcePathStyle": True, "allowHttp": True}
        path = str(tmp_path / "repo")
        reference.run(["refer", path, "s3://bucket/", ["S3Compatible", options], "raw.bin", 6, 4, version])
        assert (read_by_gdal(path, "a") == values).all()
        assert {request for _, request in server.log} == {"/bucket/raw.bin"}


def test_files_that_the_reference_finds_damaged_are_not_made(tmp_path):
    """Many arrays, names and commits: the tables of the FlatBuffers get large."""
    path = tmp_path / "repo"
    make_by_gdal(path)
    with changing(path, "COMMIT_MESSAGE=" + "long " * 200) as dataset:
        root = dataset.GetRootGroup()
        dimension = root.CreateDimension("x", None, None, 10)
        for i in range(300):
            array = root.CreateMDArray(f"array{i}-ä", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Int32), ["BLOCKSIZE=1"])
            if i % 50 == 0:
                array.Write(np.arange(10, dtype="int32") + i)
        del array, dimension, root
    assert (read_by_reference(path, "array250-ä") == np.arange(250, 260)).all()
    assert os.path.getsize(path / "repo") < 100_000
