# SPDX-License-Identifier: MIT
"""As test_whole_stores.py, for archives, files of references, and stores in memory."""

import json
import os
import shutil
import zipfile

import numpy as np
import pytest
from foreign_files import DATA, make_store, read_tree, write_file
from osgeo import gdal
from store_calls import (
    FAILING,
    NEW,
    REMOVALS,
    create_copy,
    failures_of,
    is_replaced,
    make_new_source,
    rename,
    skip_without_program,
)
from store_states import DRIVER, damage, store_v3


def make_archive(path, *stores, extra=None):
    with zipfile.ZipFile(path, "w") as archive:
        for store in stores:
            for name, (kind, content) in read_tree(store).items():
                prefix = "" if len(stores) == 1 else os.path.basename(store) + "/"
                if kind == "file":
                    archive.writestr(prefix + name, content)
        if extra:
            archive.writestr(extra, "mine")


def archive_of_a_store(tmp_path, path):
    make_store(str(tmp_path / "a"), "ZARR_V3")
    make_archive(path, str(tmp_path / "a"))


def archive_with_a_file(tmp_path, path):
    make_store(str(tmp_path / "a"), "ZARR_V3")
    make_archive(path, str(tmp_path / "a"), extra="notes.txt")


def archive_of_stores(tmp_path, path):
    for name in "ab":
        make_store(str(tmp_path / name), "ZARR_V3")
    make_archive(path, str(tmp_path / "a"), str(tmp_path / "b"))


def archive_of_a_damaged_store(tmp_path, path):
    make_store(str(tmp_path / "a"), "ZARR_V3")
    damage(str(tmp_path / "a" / "zarr.json"))
    make_archive(path, str(tmp_path / "a"))


def references(tmp_path, path):
    document = {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "|u1", "fill_value": 0, "order": "C",
                "filters": None, "compressor": None}  # fmt: skip
    write_file(path, json.dumps({".zgroup": '{"zarr_format": 2}', "a/.zarray": json.dumps(document), "a/0": "ab"}))


def other_json(tmp_path, path):
    write_file(path, '{"a": 1}')


FILES = [archive_of_a_store, archive_with_a_file, archive_of_stores, archive_of_a_damaged_store, references, other_json]


@pytest.mark.parametrize("call", [*REMOVALS, rename, *FAILING], ids=lambda f: f.__name__)
@pytest.mark.parametrize("state", FILES, ids=lambda f: f.__name__)
def test_a_cell_of_the_table_for_files(tmp_path, state, call):
    skip_without_program(call)
    path = str(tmp_path / ("place.json" if "json" in state.__name__ or state is references else "place.zarr.zip"))
    if call is rename:
        path = str(tmp_path / "x" / os.path.basename(path))
        os.mkdir(tmp_path / "x")
    state(tmp_path, path)
    before = read_tree(str(tmp_path))
    failures = call(path) if call is not rename else failures_of(lambda: DRIVER.Rename(path.replace("/x/", "/x/new"), path))
    if call in FAILING or state not in (archive_of_a_store, references):
        if call is rename and state is archive_with_a_file:
            return  # the archive moves with what it holds
        assert failures
        assert read_tree(str(tmp_path)) == before
    else:
        assert failures == [] and not os.path.exists(path)


def test_an_archive_is_replaced(tmp_path):
    path = str(tmp_path / "place.zarr.zip")
    archive_of_a_store(tmp_path, path)
    assert DRIVER.CreateCopy(path, make_new_source())
    assert is_replaced(path)
    assert sorted(os.listdir(tmp_path)) == ["a", "place.zarr.zip"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_store_in_memory_is_replaced_or_comes_back(fails):
    path = "/vsimem/replaced/place.zarr"
    make_store(path, "ZARR_V3")
    failures = create_copy(f'ZARR:"{path}"', ["CHUNK_EDGES=Y:[0]"] if fails else [])
    assert bool(failures) == fails
    np.testing.assert_array_equal(gdal.Open(path).ReadAsArray(), DATA if fails else NEW)
    assert gdal.ReadDir("/vsimem/replaced") == ["place.zarr"]
    assert DRIVER.Delete(path) == gdal.CE_None
    assert gdal.ReadDir("/vsimem/replaced") in ([], None)


@pytest.mark.parametrize("way", [gdal.Translate, gdal.MultiDimTranslate], ids=lambda f: f.__name__)
def test_a_copy_to_the_place_of_its_removed_source_fails(tmp_path, way):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    source = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER if way is gdal.MultiDimTranslate else gdal.OF_RASTER)
    shutil.rmtree(path)
    assert failures_of(lambda: way(path, source, format="Zarr"))
    assert not os.path.exists(path)


def test_a_store_is_made_where_one_was_that_is_still_open(tmp_path):
    path = str(tmp_path / "place.zarr")
    store_v3(path)
    dataset = gdal.Open(path)
    shutil.rmtree(path)
    assert create_copy(path) == []
    assert is_replaced(path)
    del dataset
