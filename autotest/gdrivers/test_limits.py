"""What would take far more memory or time than it is worth is refused, and the message says where it stands."""

import json

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group


def v3_document(store):
    with open(f"{store}/zarr.json") as f:
        return json.load(f)


@pytest.mark.parametrize("dtype", ["|S1073741823", "|V1073741823", "<U268435455", [["a", "|S9"], ["b", "|V16777210"]]])
def test_elements_of_v2_have_at_most_16_mib(store, dtype):
    write_v2(store, np.zeros(1, "u1"), dtype=dtype)
    pointer = "/dtype" if isinstance(dtype, str) else "/dtype/1"
    with pytest.raises(RuntimeError, match=rf"\.zarray: {pointer}: expected elements of at most 16777216 bytes, got"):
        open_array(store)


@pytest.mark.parametrize(
    "data_type, pointer",
    [
        ("r8589934592", "/data_type"),
        ({"name": "null_terminated_bytes", "configuration": {"length_bytes": 1 << 29}}, "/data_type/configuration/length_bytes"),
    ],
)
def test_elements_of_v3_have_at_most_16_mib(store, data_type, pointer):
    write_v3(store, np.zeros((1, 1), "u1"))
    write_json(f"{store}/zarr.json", {**v3_document(store), "data_type": data_type})
    with pytest.raises(RuntimeError, match=rf"zarr\.json: {pointer}: expected elements of at most 16777216 bytes, got"):
        gdal.Open(store)
