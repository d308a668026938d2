# SPDX-License-Identifier: MIT
"""Copies of netCDF and HDF5 files have the values that the files store, also those that GDAL's drivers misread."""

import json
import os

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal

h5py = pytest.importorskip("h5py", reason="python3-h5py makes the files; it is not installed")
VERSIONS = [2, 3]
pytestmark = [
    pytest.mark.skipif(gdal.GetDriverByName(name) is None, reason=f"GDAL's {name} driver is needed") for name in ("netCDF", "HDF5")
]
TEXT = h5py.string_dtype()


def copy(source, target, version):
    """Returns the warnings. An error fails."""
    with collect_errors() as errors:
        made = gdal.MultiDimTranslate(str(target), str(source), format="Zarr", creationOptions=[f"FORMAT=ZARR_V{version}"])
    assert made
    assert all(level == gdal.CE_Warning for level, _ in errors), errors
    return [text for _, text in errors]


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_attributes(store, name):
    path = os.path.join(store, name, ".zattrs")
    if os.path.exists(path):
        return {key: value for key, value in read_json(path).items() if key != "_ARRAY_DIMENSIONS"}
    path = os.path.join(store, name, "zarr.json")
    return read_json(path)["attributes"] if os.path.exists(path) else {}


def read_fill_value(store, name):
    path = os.path.join(store, name, ".zarray")
    return read_json(path if os.path.exists(path) else os.path.join(store, name, "zarr.json"))["fill_value"]


def open_array(store, name):
    return gdal.OpenEx(str(store), gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray(name)


def make(path, arrays):
    """Writes a file of arrays of one dimension, given by name as their values and attributes."""
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(5.0)
        file["x"].make_scale("x")
        for name, (values, attributes) in arrays.items():
            file[name] = values
            file[name].dims[0].attach_scale(file["x"])
            for key, value in attributes.items():
                file[name].attrs[key] = value
    return path


# --- attributes without a value ---------------------------------------------------------------------------------

EMPTY = {kind: h5py.Empty(kind) for kind in ("i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("extension", ["nc", "h5"])
def test_attributes_without_a_value_become_empty_lists(tmp_path, version, extension):
    """GDAL gives them one element, and leaves what the memory held."""
    source, target = tmp_path / f"a.{extension}", tmp_path / "a.zarr"
    others = {"before": 1, "zero": np.int32(0), "ones": np.int16(-1), "nan": np.float64("nan")}
    make(source, {"a": (np.arange(5), {**others, **EMPTY, "after": 2.5})})
    with h5py.File(source, "a") as file:
        for key, value in EMPTY.items():
            file.attrs[key] = value
        file.attrs["kept"] = 3
        file.create_group("g").attrs["f8"] = EMPTY["f8"]
    assert copy(source, target, version) == []
    empty = dict.fromkeys(EMPTY, [])
    attributes = read_attributes(target, "a")
    assert np.isnan(attributes.pop("nan"))
    assert attributes == {"before": 1, "zero": 0, "ones": -1, **empty, "after": 2.5}
    assert read_attributes(target, "") == {**empty, "kept": 3}
    assert read_attributes(target, "g") == {"f8": []}
