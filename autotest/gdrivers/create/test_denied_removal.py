# SPDX-License-Identifier: MIT
"""A store is removed whole, or stays whole if the process may not remove a part of it."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest
from foreign_files import DATA, FORMATS, make_store, read_tree
from osgeo import gdal
from permissions import NOBODY, as_ordinary_user, let_others_pass
from plugin_in_use import python
from versions import GDAL_VERSION

IS_ROOT = os.geteuid() == 0
DELETE = """
import sys
from osgeo import gdal
gdal.UseExceptions()
gdal.GetDriverByName("Zarr").Delete(sys.argv[1])
"""


@pytest.fixture
def folder():
    path = tempfile.mkdtemp()  # pytest's own folders are closed to other users
    if IS_ROOT:
        let_others_pass(pathlib.Path(path))
    os.chmod(path, 0o777)
    yield path
    for root, _, _ in os.walk(path):
        os.chmod(root, 0o777)
    shutil.rmtree(path)


def delete(store):
    """As a user whom permissions hold for."""
    return subprocess.run(python(DELETE, store), capture_output=True, text=True, **as_ordinary_user())


@pytest.mark.parametrize("form", FORMATS)
def test_a_store_with_a_folder_that_takes_no_changes_stays_whole(folder, form):
    store = os.path.join(folder, "a.zarr")
    make_store(store, form, options=["DIM_SEPARATOR=/"] if form == "ZARR_V2" else [])
    for root, folders, files in os.walk(store):
        for name in [".", *files]:
            if IS_ROOT:
                os.chown(os.path.join(root, name), NOBODY, NOBODY)
    denied = os.path.join(store, "data", "0" if form == "ZARR_V2" else "c/0")
    before = sorted(read_tree(store))
    os.chmod(denied, 0o555)
    result = delete(store)
    assert result.returncode != 0 and "takes no changes" in result.stderr, result.stderr
    assert sorted(read_tree(store)) == before
    assert (gdal.Open(f'ZARR:"{store}":/data').ReadAsArray() == DATA).all()
    os.chmod(denied, 0o755)
    result = delete(store)
    assert result.returncode == 0, result.stderr
    assert not os.path.exists(store)


REPLACE = """
import sys
from osgeo import gdal
gdal.UseExceptions()
gdal.GetDriverByName("Zarr").Create(sys.argv[1], 4, 4)
"""


@pytest.mark.skipif(GDAL_VERSION < 313, reason="GDAL replaces folders since 3.13")
def test_a_replacement_in_a_folder_that_takes_no_changes_names_the_reason(folder):
    store = os.path.join(folder, "a.zarr")
    make_store(store, FORMATS[0])
    before = sorted(read_tree(store))
    if IS_ROOT:
        for root, _, files in os.walk(store):
            for name in [".", *files]:
                os.chown(os.path.join(root, name), NOBODY, NOBODY)
    os.chmod(folder, 0o555)
    result = subprocess.run(python(REPLACE, store), capture_output=True, text=True, **as_ordinary_user())
    os.chmod(folder, 0o755)
    assert result.returncode != 0 and "Permission denied" in result.stderr, result.stderr
    assert sorted(read_tree(store)) == before
