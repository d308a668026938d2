# SPDX-License-Identifier: MIT
"""Several handles and processes change the metadata of one store at the same time: nothing is lost."""

import contextlib
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from writer_team import LAYOUTS, ROUNDS, make_raster


@pytest.mark.parametrize("version", ["V2", "V3"])
@pytest.mark.parametrize("consolidated", ["YES", "NO"])
def test_processes_that_set_attributes_of_one_array_keep_them_all(tmp_path, team, version, consolidated):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        make_raster(path, [f"FORMAT=ZARR_{version}", f"CREATE_CONSOLIDATED_METADATA={consolidated}"])
        team.run("attributes", path)
        metadata = gdal.OpenEx(path, gdal.OF_RASTER).GetMetadata()
        assert {f"k{i}_{k}": str(i) for i in range(4) for k in range(5)}.items() <= metadata.items()


def list_consolidated(path, version):
    name = "zarr.json" if version == "V3" else ".zmetadata"
    with open(os.path.join(path, name)) as f:
        document = json.load(f)
    listed = document["consolidated_metadata"]["metadata"] if version == "V3" else document["metadata"]
    return {key.split("/")[0] for key in listed}


@pytest.mark.parametrize("version", ["V2", "V3"])
def test_processes_that_add_arrays_list_them_all(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        store = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
        root = store.GetRootGroup()
        root.CreateMDArray("first", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        root = store = None
        team.run("arrays", path)
        wanted = {f"a{i}_{k}" for i in range(4) for k in range(3)} | {"first"}
        assert wanted <= list_consolidated(path, version)
        assert wanted <= set(gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames())


@pytest.mark.parametrize("version", ["V2", "V3"])
def test_processes_that_add_rasters_keep_their_places(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
        team.run("rasters", path)
        assert {f"r{i}" for i in range(4)} <= list_consolidated(path, version)
        for i in range(4):
            raster = gdal.Open(f'ZARR:"{path}":/r{i}')
            assert raster.GetGeoTransform() == (100, 10, 0, 200, 0, -10)
            assert raster.GetSpatialRef().GetAuthorityCode(None) == "32631"
            assert (raster.ReadAsArray() == i + 1).all()


def make_series(path, version, length=8):
    store = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
    root = store.GetRootGroup()
    dimension = root.CreateDimension("x", None, None, length)
    array = root.CreateMDArray("a", [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte), ["BLOCKSIZE=4"])
    array.Write(np.arange(length, dtype="u1"))


def open_series(path, update=False):
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | (gdal.OF_UPDATE if update else 0))
    return dataset, dataset.GetRootGroup().OpenMDArray("a")


needs_resize = pytest.mark.skipif(not hasattr(gdal.MDArray, "Resize"), reason="needs GDAL 3.7 or later")


@needs_resize
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_processes_that_make_an_array_longer_get_the_largest_length(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        make_series(path, version)
        team.run("longer", path)
        values = open_series(path)[1].ReadAsArray()
        assert values.tolist() == [*range(8), 0, 50, 51, 52, 53]


@needs_resize
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_arrays_that_share_a_dimension_become_longer_together(tmp_path, team, version):
    path = str(tmp_path / "a.zarr")
    for _ in range(ROUNDS):
        if os.path.exists(path):
            shutil.rmtree(path)
        store = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT=ZARR_{version}"])
        root = store.GetRootGroup()
        dimension = root.CreateDimension("time", None, None, 8)
        for name in ["time", "series", "another"]:
            root.CreateMDArray(name, [dimension], gdal.ExtendedDataType.Create(gdal.GDT_Byte), ["BLOCKSIZE=4"])
        dimension = root = store = None
        for length in (12, 16):
            team.run("longer_series", path)
            root = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
            lengths = [root.OpenMDArray(name).GetDimensions()[0].GetSize() for name in ["time", "series", "another"]]
            assert lengths == [length] * 3


@needs_resize
@pytest.mark.parametrize("version", ["V2", "V3"])
def test_a_handle_keeps_what_another_one_has_added(tmp_path, version):
    path = str(tmp_path / "a.zarr")
    make_series(path, version)
    old, old_array = open_series(path, update=True)
    new, new_array = open_series(path, update=True)
    new_array.Resize([14])
    new_array.Write(np.full(14, 9, "u1"))
    new_array.CreateAttribute("added", [], gdal.ExtendedDataType.CreateString()).Write("new")
    new.GetRootGroup().CreateGroup("group")
    new_array = new = None

    old_array.SetUnit("m")
    old_array.Write(np.full(7, 5, "u1"), array_start_idx=[1], count=[7])
    old_array.CreateAttribute("also", [], gdal.ExtendedDataType.CreateString()).Write("old")
    old.GetRootGroup().CreateGroup("another")
    old_array = old = None

    dataset, array = open_series(path)
    assert array.ReadAsArray().tolist() == [9] + [5] * 7 + [9] * 6
    assert array.GetUnit() == "m"
    assert array.GetAttribute("added").Read() == "new"
    assert array.GetAttribute("also").Read() == "old"
    assert sorted(dataset.GetRootGroup().GetGroupNames()) == ["another", "group"]


@needs_resize
def test_a_resize_to_a_smaller_length_is_refused_if_the_array_has_changed(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_series(path, "V3")
    old, old_array = open_series(path, update=True)
    new, new_array = open_series(path, update=True)
    new_array.Resize([12])
    new_array = new = None
    with pytest.raises(RuntimeError, match="as when it was opened"):
        old_array.Resize([4])
    old_array.Resize([10])  # is longer than it was: it stays as long as it is
    assert old_array.GetDimensions()[0].GetSize() == 12
    old_array = old = None
    assert open_series(path)[1].ReadAsArray().tolist() == [*range(8), 0, 0, 0, 0]


def test_of_two_handles_that_add_one_name_the_second_is_refused(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_series(path, "V3")
    datasets = [gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE) for _ in range(2)]
    datasets[0].GetRootGroup().CreateGroup("group")
    with pytest.raises(RuntimeError, match="there is a node already|expected nothing"):
        datasets[1].GetRootGroup().CreateGroup("group")


def test_an_array_that_was_deleted_elsewhere_does_not_come_back(tmp_path):
    path = str(tmp_path / "a.zarr")
    make_series(path, "V3")
    old, old_array = open_series(path, update=True)
    old_array.Write(np.zeros(8, "u1"))
    shutil.rmtree(os.path.join(path, "a"))
    with pytest.raises(RuntimeError, match="removed or renamed"):
        old_array.Write(np.ones(8, "u1"))
    with pytest.raises(RuntimeError, match="expected a node, got none"):
        old_array.SetUnit("m")
    old_array = None
    with gdal.quiet_errors() if hasattr(gdal, "quiet_errors") else contextlib.nullcontext():
        old = None
    assert not os.path.exists(os.path.join(path, "a"))


@pytest.fixture
def unwritable_document(tmp_path):
    """A store whose array has a document that nobody may open for writing, not even root."""
    path = str(tmp_path / "a.zarr")
    make_raster(path, LAYOUTS["v2"])
    document = os.path.join(path, "a", ".zarray")
    if not shutil.which("chattr") or subprocess.run(["chattr", "+i", document], capture_output=True).returncode:
        pytest.skip("needs a file system and the right to make a file immutable (chattr +i)")
    yield path
    subprocess.run(["chattr", "-i", document])


def test_a_dataset_warns_if_it_cannot_keep_other_processes_out(unwritable_document):
    messages = []
    gdal.PushErrorHandler(lambda level, number, message: messages.append(message))
    try:
        dataset = gdal.OpenEx(unwritable_document, gdal.OF_RASTER | gdal.OF_UPDATE)
        dataset.WriteRaster(0, 0, 10, 10, b"\x01" * 100)
        dataset.FlushCache()
        dataset.WriteRaster(0, 0, 10, 10, b"\x02" * 100)
        dataset = None
    finally:
        gdal.PopErrorHandler()
    assert len(messages) == 1, messages
    assert "cannot lock" in messages[0] and "may get lost" in messages[0]
    assert (gdal.OpenEx(unwritable_document).ReadAsArray(0, 0, 10, 10) == 2).all()
