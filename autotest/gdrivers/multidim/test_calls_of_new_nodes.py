# SPDX-License-Identifier: MIT
"""What a new node costs, as calls for files (no clock decides), and what other processes see of it, and it of them."""

import json
import os
import shutil
import subprocess
import time

import pytest
from faults import Fault
from forked_faults import COUNT, WarmProcess
from osgeo import gdal
from plugin_in_use import python

CALLS = "open,write,close,rename,link,mkdir,unlink,look,read"
VERSIONS = ["ZARR_V2", "ZARR_V3"]
FLOAT = gdal.ExtendedDataType.Create(gdal.GDT_Float32)
LIST = """
import json, sys
from osgeo import gdal
root = gdal.OpenEx(sys.argv[1], gdal.OF_MULTIDIM_RASTER).GetRootGroup()
print(json.dumps([root.GetMDArrayNames() or [], root.GetGroupNames() or []]))
"""


def make_store(path, version):
    dataset = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], [f"FORMAT={version}"])
    return dataset, dataset.GetRootGroup()


# --- operations of WarmProcess ------------------------------------------------------------------------------------


def warm_up():
    pass


def make_arrays(folder, count):
    dataset, root = make_store(os.path.join(folder, "a.zarr"), os.environ["NODES_FORMAT"])
    x = root.CreateDimension("x", None, None, 10)
    time.sleep(0.05)  # a document that is so new is read again each time
    for i in range(count):
        root.CreateMDArray(f"a{i}", [x], FLOAT)
    del root, x, dataset


def make_groups(folder, count):
    dataset, root = make_store(os.path.join(folder, "a.zarr"), os.environ["NODES_FORMAT"])
    time.sleep(0.05)
    for i in range(count):
        root.CreateGroup(f"g{i}")
    del root, dataset


def make_20_arrays(folder):
    make_arrays(folder, 20)


def make_60_arrays(folder):
    make_arrays(folder, 60)


def make_20_groups(folder):
    make_groups(folder, 20)


def make_60_groups(folder):
    make_groups(folder, 60)


# ------------------------------------------------------------------------------------------------------------------


def count_calls(process, operation, folder):
    folder.mkdir()
    result = process.run(operation, folder, Fault(COUNT, calls=CALLS))
    assert result.error is None and result.crash is None
    return result.calls


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "kind, most", [("arrays", {"ZARR_V2": 20, "ZARR_V3": 12}), ("groups", {"ZARR_V2": 17, "ZARR_V3": 15})]
)
def test_a_new_node_takes_few_calls_however_many_there_are(tmp_path, version, kind, most):
    """With those of the consolidated metadata, for which each document is read when the dataset is closed."""
    with WarmProcess(__name__, {"NODES_FORMAT": version}) as process:
        few = count_calls(process, f"make_20_{kind}", tmp_path / "few")
        many = count_calls(process, f"make_60_{kind}", tmp_path / "many")
    assert (many - few) / 40 <= most[version]


def list_from_outside(path):
    done = subprocess.run(python(LIST, path), capture_output=True, text=True, check=True)
    return [sorted(names) for names in json.loads(done.stdout)]


@pytest.mark.parametrize("version", VERSIONS)
def test_others_see_a_new_node_at_once(store, version):
    dataset, root = make_store(store, version)
    x = root.CreateDimension("x", None, None, 10)
    root.CreateMDArray("a", [x], FLOAT)
    root.CreateGroup("g")
    assert list_from_outside(store) == [["a"], ["g"]]
    root.CreateMDArray("b", [x], FLOAT)
    assert list_from_outside(store) == [["a", "b"], ["g"]]
    del root, x, dataset


@pytest.mark.parametrize("version", VERSIONS)
def test_a_group_that_another_process_replaces_by_an_array_takes_no_nodes(store, version):
    dataset, root = make_store(store, version)
    x = root.CreateDimension("x", None, None, 10)
    group = root.CreateGroup("g")
    time.sleep(0.05)
    group.CreateMDArray("a", [x], FLOAT)
    root.CreateMDArray("b", [x], FLOAT)
    group.CreateMDArray("c", [x], FLOAT)
    shutil.rmtree(os.path.join(store, "g"))
    os.rename(os.path.join(store, "b"), os.path.join(store, "g"))
    with pytest.raises(RuntimeError, match="expected a group to put it into"):
        group.CreateMDArray("d", [x], FLOAT)
    shutil.rmtree(os.path.join(store, "g"))
    with pytest.raises(RuntimeError, match="expected a group to put it into"):
        group.CreateMDArray("e", [x], FLOAT)
    del group, root, x, dataset


@pytest.mark.parametrize("version", VERSIONS)
def test_a_name_that_another_process_has_taken_is_refused(store, version):
    dataset, root = make_store(store, version)
    x = root.CreateDimension("x", None, None, 10)
    root.CreateMDArray("a", [x], FLOAT)
    shutil.copytree(os.path.join(store, "a"), os.path.join(store, "b"))
    with pytest.raises(RuntimeError, match="there is a node already"):
        root.CreateMDArray("b", [x], FLOAT)
    del root, x, dataset
    assert list_from_outside(store) == [["a", "b"], []]
