# SPDX-License-Identifier: MIT
"""Copying and renaming whole stores by the functions of GDAL's drivers."""

import os

import numpy as np
import pytest
from osgeo import gdal

DRIVER = gdal.GetDriverByName("Zarr")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dataset = DRIVER.Create("a.zarr", 20, 10, 1, gdal.GDT_Byte)
    dataset.GetRasterBand(1).Fill(7)
    del dataset
    (tmp_path / "sub").mkdir()
    return tmp_path


def files(path):
    return sorted(os.path.join(root, name) for root, _, names in os.walk(path) for name in names)


@pytest.mark.parametrize("target", ["b.zarr", "./b.zarr", "sub/b.zarr", "absolute"])
def test_a_copy_has_any_name(folder, target):
    target = str(folder / "b.zarr") if target == "absolute" else target
    assert DRIVER.CopyFiles(target, "a.zarr") == gdal.CE_None
    assert (gdal.Open(target).ReadAsArray() == 7).all()
    assert len(files(target)) == len(files("a.zarr"))


def test_a_store_is_renamed_to_a_bare_name():
    assert DRIVER.Rename("b.zarr", "a.zarr") == gdal.CE_None
    assert (gdal.Open("b.zarr").ReadAsArray() == 7).all()
    assert not os.path.exists("a.zarr")


@pytest.mark.parametrize("move", ["CopyFiles", "Rename"])
@pytest.mark.parametrize("target", ["a.zarr/b.zarr", "link/b.zarr", "absolute", "a.zarr/x/../y/b.zarr", "a.zarr"])
def test_a_store_does_not_go_into_itself(folder, move, target):
    os.symlink("a.zarr", "link")
    target = str(folder / "a.zarr/b.zarr") if target == "absolute" else target
    before = files(folder)
    with pytest.raises(RuntimeError, match="the new place lies in the old one"):
        getattr(DRIVER, move)(target, "a.zarr")
    assert files(folder) == before
    assert (gdal.Open("a.zarr").ReadAsArray() == 7).all()


def test_a_name_that_begins_alike_is_another_place():
    assert DRIVER.CopyFiles("a.zarr2.zarr", "a.zarr") == gdal.CE_None
    assert np.array_equal(gdal.Open("a.zarr2.zarr").ReadAsArray(), gdal.Open("a.zarr").ReadAsArray())


def test_a_store_in_memory_does_not_go_into_itself():
    assert DRIVER.CopyFiles("/vsimem/moved/a.zarr", "a.zarr") == gdal.CE_None
    with pytest.raises(RuntimeError, match="the new place lies in the old one"):
        DRIVER.CopyFiles("/vsimem/moved/a.zarr/b.zarr", "/vsimem/moved/a.zarr")
    gdal.RmdirRecursive("/vsimem/moved")


def test_a_failed_move_says_why(folder):
    others = [path for path in ("/dev/shm", "/var/tmp") if os.access(path, os.W_OK)]
    other = next((path for path in others if os.stat(path).st_dev != os.stat(folder).st_dev), None)
    if other is None:
        pytest.skip("needs a second file system in /dev/shm or /var/tmp")
    with pytest.raises(RuntimeError, match="cannot rename a.zarr: the new place is on another file system"):
        DRIVER.Rename(f"{other}/{folder.name}-{os.getpid()}.zarr", "a.zarr")
    assert (gdal.Open("a.zarr").ReadAsArray() == 7).all()


@pytest.mark.parametrize("link_to", ["nowhere", "."])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_failed_copy_leaves_nothing(folder, link_to, is_there):
    os.symlink(link_to, "a.zarr/zz_link")
    before = files("a.zarr")
    if is_there:
        os.mkdir("b.zarr")
    with pytest.raises(RuntimeError, match="cannot copy a.zarr"):
        DRIVER.CopyFiles("b.zarr", "a.zarr")
    assert files("a.zarr") == before
    assert os.listdir("b.zarr") == [] if is_there else not os.path.exists("b.zarr")
