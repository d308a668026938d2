# SPDX-License-Identifier: MIT
"""If a store has metadata of v2 and of v3 for the same chunks, changes of only one of them are refused."""

import json

import numpy as np
import pytest
from osgeo import gdal

VALUES = np.arange(12, dtype="i2").reshape(3, 4)


def read_documents(store):
    return {str(p.relative_to(store)): p.read_bytes() for p in store.rglob("*") if p.is_file() and not p.name[0].isdigit()}


@pytest.fixture
def store(tmp_path):
    """A store of v2 with v3's documents beside."""
    store = tmp_path / "both.zarr"
    options = ["BLOCKSIZE=2,2", "ARRAY_NAME=a", "COMPRESS=NONE", "FORMAT=ZARR_V2"]
    dataset = gdal.GetDriverByName("Zarr").Create(str(store), 4, 3, 1, gdal.GDT_Int16, options)
    dataset.WriteArray(VALUES)
    dataset = None
    old = json.loads((store / "a/.zarray").read_text())
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}]
    codecs = [{"name": "numcodecs." + f.pop("id"), "configuration": f} for f in old["filters"] or []] + codecs
    array = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": old["shape"],
        "data_type": "int16",
        "fill_value": old["fill_value"] or 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": old["chunks"]}},
        "chunk_key_encoding": {"name": "v2", "configuration": {"separator": old.get("dimension_separator", ".")}},
        "codecs": codecs,
    }
    (store / "a/zarr.json").write_text(json.dumps(array))
    (store / "zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}}))
    return store


def test_data_can_be_read_and_written(store):
    dataset = gdal.OpenEx(str(store), gdal.OF_RASTER | gdal.OF_UPDATE)
    np.testing.assert_array_equal(dataset.ReadAsArray(), VALUES)
    before = read_documents(store)
    dataset.WriteArray(VALUES * 2)
    dataset = None
    assert read_documents(store) == before
    np.testing.assert_array_equal(gdal.Open(str(store)).ReadAsArray(), VALUES * 2)
    (store / "a/zarr.json").unlink()
    (store / "zarr.json").unlink()
    np.testing.assert_array_equal(gdal.Open(str(store)).ReadAsArray(), VALUES * 2)


def change(store, work):
    """Runs `work` with the array of the store, opened for update, and returns GDAL's messages."""
    messages = []
    gdal.PushErrorHandler(lambda level, number, message: messages.append(message))
    try:
        dataset = gdal.OpenEx(str(store), gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        try:
            work(dataset.GetRootGroup())
        except (RuntimeError, AttributeError) as error:
            messages.append(str(error))
        dataset = None
    finally:
        gdal.PopErrorHandler()
    return "\n".join(messages)


CHANGES = {
    "attribute": lambda group: group.OpenMDArray("a").CreateAttribute("x", [], gdal.ExtendedDataType.CreateString()).Write("y"),
    "group": lambda group: group.CreateGroup("new"),
    "fill value": lambda group: group.OpenMDArray("a").SetNoDataValueDouble(7),
}
if hasattr(gdal.MDArray, "Resize"):
    CHANGES["resize"] = lambda group: group.OpenMDArray("a").Resize([5, 4])
if hasattr(gdal.Group, "DeleteMDArray"):
    CHANGES["delete"] = lambda group: group.DeleteMDArray("a")
if hasattr(gdal.MDArray, "Rename"):
    CHANGES["rename"] = lambda group: group.OpenMDArray("a").Rename("b")


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_refused(store, name):
    before = read_documents(store)
    messages = change(store, CHANGES[name])
    assert read_documents(store) == before
    assert "--delete-old" in messages, messages
    np.testing.assert_array_equal(gdal.Open(str(store)).ReadAsArray(), VALUES)
