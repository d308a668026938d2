# SPDX-License-Identifier: MIT
"""Values that are stored under keys of another form than the metadata declare."""

import json
import os
import shutil

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_bytes, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.arange(1, 17, dtype="<u2").reshape(4, 4)
FORMS = {
    "0.0": lambda i, j: f"{i}.{j}",
    "0/0": lambda i, j: f"{i}/{j}",
    "c.0.0": lambda i, j: f"c.{i}.{j}",
    "c/0/0": lambda i, j: f"c/{i}/{j}",
    "C/0/0": lambda i, j: f"C/{i}/{j}",
}


def write_chunks(path, form, skip=()):
    for i in range(2):
        for j in range(2):
            if (i, j) not in skip:
                chunk = DATA[2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
                write_bytes(f"{path}/{FORMS[form](i, j)}", np.ascontiguousarray(chunk).tobytes())


def make(store, declared, stored, skip=()):
    """Writes the array `v`, whose metadata declare keys of one form, with chunks of another one."""
    path = f"{store}/v"
    if declared.startswith("c"):
        write_v3_group(store)
        write_v3(path, DATA, [2, 2])
        shutil.rmtree(f"{path}/c")
        document = f"{path}/zarr.json"
    else:
        write_v2_group(store)
        write_v2(path, DATA, [2, 2])
        for name in ("0.0", "0.1", "1.0", "1.1"):
            os.remove(f"{path}/{name}")
        document = f"{path}/.zarray"
    with open(document) as file:
        metadata = json.load(file)
    if declared == "0/0":
        metadata["dimension_separator"] = "/"
    if declared == "c.0.0":
        metadata["chunk_key_encoding"] = {"name": "default", "configuration": {"separator": "."}}
    with open(document, "w") as file:
        json.dump(metadata, file)
    write_chunks(path, stored, skip)


def open_v(store, *options):
    return gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_RASTER, open_options=list(options))


CASES = [
    ("0.0", "0/0", "/"),
    ("0/0", "0.0", "."),
    ("0.0", "c/0/0", "c/0/0"),
    ("0/0", "c.0.0", "c.0.0"),
    ("c/0/0", "c.0.0", "."),
    ("c.0.0", "c/0/0", "/"),
    ("c/0/0", "C/0/0", "C/0/0"),
    ("c/0/0", "0.0", "0.0"),
    ("c/0/0", "0/0", "0/0"),
]


@pytest.mark.parametrize(("declared", "stored", "option"), CASES)
@pytest.mark.parametrize("skip", [(), [(0, 0)]])
def test_other_keys_are_named_and_read(store, declared, stored, option, skip):
    make(store, declared, stored, skip)
    with collect_errors() as errors:
        dataset = open_v(store)
        assert not dataset.ReadAsArray().any()
        dataset.ReadAsArray()
        dataset = None
    assert len(errors) == 1 and f"DIM_SEPARATOR={option} " in errors[0][1] and "looks as if" in errors[0][1]
    want = DATA.copy()
    for i, j in skip:
        want[2 * i : 2 * i + 2, 2 * j : 2 * j + 2] = 0
    with collect_errors() as errors:
        assert np.array_equal(open_v(store, f"DIM_SEPARATOR={option}").ReadAsArray(), want)
        group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER, open_options=[f"DIM_SEPARATOR={option}"]).GetRootGroup()
        assert np.array_equal(group.OpenMDArray("v").ReadAsArray(), want)
    assert errors == []


@pytest.mark.parametrize("declared", ["0.0", "0/0", "c/0/0", "c.0.0"])
@pytest.mark.parametrize("more", [None, "readme.txt", "0.0.0", "00", "c", "x/0/0"])
def test_sparse_array_gives_no_warning(store, declared, more):
    make(store, declared, declared, [(0, 0), (0, 1), (1, 0), (1, 1)])
    if more:
        write_bytes(f"{store}/v/{more}", b"")
    with collect_errors() as errors:
        assert not open_v(store).ReadAsArray().any()
    assert errors == []


@pytest.mark.parametrize("declared", ["0.0", "c/0/0"])
def test_array_with_its_first_chunks_absent_gives_no_warning(store, declared):
    make(store, declared, declared, [(0, 0), (0, 1)])
    with collect_errors() as errors:
        dataset = open_v(store)
        assert not dataset.ReadAsArray(0, 0, 4, 2).any()
        assert np.array_equal(dataset.ReadAsArray(0, 2, 4, 2), DATA[2:])
    assert errors == []


def test_one_dimension_has_keys_of_one_form(store):
    write_v2_group(store)
    write_v2(f"{store}/x", np.arange(4, dtype="<i2"), [2], skip=[(0,)])
    with collect_errors() as errors:
        array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("x")
        assert array.ReadAsArray([0], [2]).tolist() == [0, 0]
    assert errors == []


def test_other_values_of_the_option_are_refused(store):
    make(store, "0.0", "0.0")
    with pytest.raises(RuntimeError, match=r"DIM_SEPARATOR.*got"):
        open_v(store, "DIM_SEPARATOR=-")


def test_update_writes_where_the_chunks_are(store):
    make(store, "0.0", "0/0")
    options = ["DIM_SEPARATOR=/"]
    dataset = gdal.OpenEx(f'ZARR:"{store}":/v', gdal.OF_RASTER | gdal.OF_UPDATE, open_options=options)
    dataset.GetRasterBand(1).WriteArray(np.full((2, 2), 77, "<u2"))
    dataset.SetMetadataItem("note", "x")
    dataset = None
    assert dataset is None and not os.path.exists(f"{store}/v/0.0")
    with open(f"{store}/v/.zarray") as file:
        assert "dimension_separator" not in json.load(file)
    assert open_v(store, *options).ReadAsArray()[0].tolist() == [77, 77, 3, 4]
