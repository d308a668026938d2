# SPDX-License-Identifier: MIT
"""Side files are named after arrays and folders, and stay those of their array when it is renamed or moved."""

import os
import shutil
import subprocess

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_for_update, write_bytes, write_v1, write_v2, write_v3, write_v3_group
from versions import needs_deletion

DATA = np.arange(64 * 48, dtype="<i2").reshape(64, 48)
ZARRKIT = os.path.join(os.path.dirname(os.environ["GDAL_DRIVER_PATH"]), "zarrlib", "tools", "zarrkit")
needs_zarrkit = pytest.mark.skipif(not os.path.exists(ZARRKIT), reason="zarrkit is not built here")

pytestmark = pytest.mark.usefixtures("side_files")


def describe(name):
    dataset = gdal.Open(name)
    overviews = dataset.GetRasterBand(1).GetOverviewCount()
    return dataset.GetGCPCount(), dataset.GetMetadata("RPC"), dataset.GetMetadata("MINE"), overviews


def add_side_files(name):
    dataset = gdal.OpenEx(name, gdal.OF_UPDATE)
    dataset.SetMetadataItem("LINE_OFF", "5", "RPC")
    dataset.SetMetadataItem("item", "value", "MINE")
    dataset.SetGCPs([gdal.GCP(1, 2, 3, 4, 5)], "")
    dataset = None
    gdal.Open(name).BuildOverviews("NEAREST", [2])
    return describe(name)


FULL = (1, {"LINE_OFF": "5"}, {"item": "value"}, 1)


def rename(old, new):
    gdal.GetDriverByName("Zarr").Rename(new, old)


def copy_files(old, new):
    gdal.GetDriverByName("Zarr").CopyFiles(new, old)


@pytest.mark.parametrize("write", [write_v1, write_v2, write_v3])
@pytest.mark.parametrize("move", [rename, copy_files])
def test_overviews_without_a_note_of_their_name_follow_too(store, tmp_path, write, move):
    write(store, DATA, (16, 16))
    gdal.Open(store).BuildOverviews("NEAREST", [2])
    (note,) = [name for name in os.listdir(store) if name.endswith(".aux.xml")]
    os.remove(os.path.join(store, note))
    assert describe(store)[3] == 1
    moved = str(tmp_path / "moved.zarr")
    move(store, moved)
    assert describe(moved)[3] == 1
    (overviews,) = [name for name in os.listdir(moved) if name.endswith(".ovr")]
    assert overviews.endswith(".moved.ovr")


@pytest.mark.parametrize("move", [rename, copy_files])
@pytest.mark.parametrize("has_note", [True, False])
def test_overviews_are_found_after_every_other_move_too(store, tmp_path, move, has_note):
    write_v3(store, DATA, (16, 16))
    gdal.Open(store).BuildOverviews("NEAREST", [2])
    if not has_note:
        os.remove(os.path.join(store, "zarr.json.aux.xml"))
    (tmp_path / "folder").mkdir()
    same_name, other_name = str(tmp_path / "folder" / os.path.basename(store)), str(tmp_path / "other.zarr")
    with collect_errors() as errors:
        move(store, same_name)
        assert describe(same_name)[3] == 1
        move(same_name, other_name)
        assert describe(other_name)[3] == 1
        if has_note:
            shutil.move(other_name, f"{store}3.zarr")
            assert describe(f"{store}3.zarr")[3] == 1
    assert errors == []


@pytest.mark.parametrize("write", [write_v1, write_v2, write_v3])
@pytest.mark.parametrize("move", [shutil.move, shutil.copytree, rename, copy_files])
def test_they_follow_an_array_that_is_a_store(store, write, move):
    write(store, DATA, (16, 16))
    assert add_side_files(store) == FULL
    other = f"{store}2.zarr"
    move(store, other)
    assert describe(other) == FULL
    dataset = gdal.OpenEx(other, gdal.OF_UPDATE)
    dataset.SetMetadataItem("item", "new", "MINE")
    dataset = None
    gdal.Open(other).BuildOverviews("NEAREST", [2, 4])
    move(other, f"{store}3.zarr")
    assert describe(f"{store}3.zarr") == (1, {"LINE_OFF": "5"}, {"item": "new"}, 2)


def test_they_follow_the_folder_of_an_array(store):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA, (16, 16))
    assert add_side_files(f'ZARR:"{store}":/a') == FULL
    shutil.move(f"{store}/a", f"{store}/b")
    assert describe(f'ZARR:"{store}":/b') == FULL


@needs_deletion
@pytest.mark.parametrize("name", ["a", "g/a"])
def test_they_follow_a_renamed_node(store, name):
    write_v3_group(store)
    write_v3_group(f"{store}/g")
    write_v3(f"{store}/{name}", DATA, (16, 16))
    assert add_side_files(f'ZARR:"{store}":/{name}') == FULL
    dataset, root = open_for_update(store)
    (root.OpenMDArray("a") if name == "a" else root.OpenGroup("g")).Rename("new")
    del dataset, root
    assert describe(f'ZARR:"{store}":/{name.replace(name[0], "new", 1)}') == FULL


def test_a_slice_has_its_own(store):
    write_v3_group(store)
    write_v3(f"{store}/a", np.stack([DATA, DATA]), (1, 16, 16))
    gdal.Open(f'ZARR:"{store}":/a:1').SetMetadataItem("item", "value", "MINE")
    shutil.move(f"{store}/a", f"{store}/b")
    items = [gdal.Open(f'ZARR:"{store}":/b{part}').GetMetadata("MINE") for part in ("", ":0", ":1")]
    assert items == [{}, {}, {"item": "value"}]


def test_an_array_s_own_name_comes_first(store):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA, (16, 16))
    gdal.Open(f'ZARR:"{store}":/a').SetMetadataItem("item", "old", "MINE")
    path = f"{store}/a/zarr.json.aux.xml"
    with open(path) as f:
        text = f.read()
    part = text[text.index(">") + 1 : text.rindex("</PAMDataset>")]
    both = part + part.replace("view of /a", "view of /b").replace("old", "new")
    write_bytes(path, f"<PAMDataset>{both}</PAMDataset>".encode())
    items = []
    for old, new in (("a", "b"), ("b", "c")):
        shutil.move(f"{store}/{old}", f"{store}/{new}")
        items.append(gdal.Open(f'ZARR:"{store}":/{new}').GetMetadata("MINE"))
    assert items == [{"item": "new"}, {}]


@needs_zarrkit
@pytest.mark.parametrize("write, version", [(write_v1, 2), (write_v1, 3), (write_v2, 3)])
def test_they_follow_a_migration(store, write, version):
    write(store, DATA, (16, 16))
    assert add_side_files(store) == FULL

    def list_side_files():
        return sorted(name for name in os.listdir(store) if name.endswith((".aux.xml", ".ovr")))

    before = list_side_files()
    migrate = [ZARRKIT, "migrate", store, "--to", f"v{version}"]
    subprocess.run(migrate, check=True, capture_output=True)
    assert describe(store) == FULL and len(list_side_files()) == 2 * len(before)
    undone = subprocess.run([ZARRKIT, "migrate", store, "--undo"], check=True, capture_output=True, text=True).stdout
    assert undone.count(".aux.xml") == 1 and describe(store) == FULL and list_side_files() == before
    subprocess.run([*migrate, "--delete-old"], check=True, capture_output=True)
    document = "zarr.json" if version == 3 else ".zarray"
    assert describe(store) == FULL
    assert len(list_side_files()) == len(before) and all(name.startswith(document) for name in list_side_files())
