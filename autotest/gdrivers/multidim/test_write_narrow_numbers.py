# SPDX-License-Identifier: MIT
"""Numbers that GDAL shows as wider ones are written as what they are."""

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_json, write_v3

# The bits of 1.5, -2, 0 and 0.5.
FLOATS = {
    "float16": np.array([0x3E00, 0xC000, 0x0000, 0x3800], "<u2"),
    "bfloat16": np.array([0x3FC0, 0xC000, 0x0000, 0x3F00], "<u2"),
    "float8_e4m3": np.array([0x3C, 0xC0, 0x00, 0x30], "u1"),
    "float8_e5m2": np.array([0x3E, 0xC0, 0x00, 0x38], "u1"),
}
VALUES = np.array([1.5, -2, 0, 0.5], "f4")
COMPLEX_VALUES = np.array([1.5 - 2j, 0.5j], "c8")  # of the same bits


def make_array(store, name, count):
    """An array of a data type, without chunks."""
    meta = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [count],
        "data_type": name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [count]}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "fill_value": [0, 0] if name.startswith("complex") else 0,
        "attributes": {},
    }
    write_json(f"{store}/zarr.json", meta)


def write(store, values):
    dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
    group = dataset.GetRootGroup()
    array = group.OpenMDArray(group.GetMDArrayNames()[0])
    type_of_buffer = gdal.ExtendedDataType.Create(gdal.GDT_CFloat32 if values.dtype.kind == "c" else gdal.GDT_Float32)
    array.Write(values.tobytes(), buffer_datatype=type_of_buffer)
    del array, group, dataset


def stored(store, dtype):
    with open(f"{store}/c/0", "rb") as f:
        return np.frombuffer(f.read(), dtype).tolist()


@pytest.mark.parametrize("name", FLOATS)
def test_floats(store, name):
    bits = FLOATS[name]
    make_array(store, name, 4)
    write(store, VALUES)
    assert stored(store, bits.dtype) == bits.tolist()


@pytest.mark.parametrize("name", FLOATS)
def test_complex_floats(store, name):
    bits = FLOATS[name]
    make_array(store, f"complex_{name}", 2)
    write(store, COMPLEX_VALUES)
    assert stored(store, bits.dtype) == bits.tolist()


def test_many_floats_at_once(store):
    """More than are converted in one piece."""
    values = (np.arange(5000) % 2048).astype("f4")
    write_v3(store, np.zeros(5000, "<f2"), (5000,))
    write(store, values)
    assert stored(store, "<f2") == values.tolist()


def test_numbers_other_than_0_are_true(store):
    write_v3(store, np.zeros(4, "?"), (4,))
    write(store, np.array([1, 200, 0, 2], "f4"))
    assert stored(store, "u1") == [1, 1, 0, 1]
    assert open_array(store).ReadAsArray().tolist() == [1, 1, 0, 1]
