# SPDX-License-Identifier: MIT
"""The message about bad metadata tells what is wrong, and where."""

import json

import numpy as np
import pytest
from conventions import PROJ_UUID, SPATIAL_UUID
from errors import collect_errors
from osgeo import gdal
from stores import consolidate_v2, open_array, write_json, write_v2, write_v2_group, write_v3

DATA = np.arange(6, dtype="<f4").reshape(2, 3)


def change_v3(store, **members):
    with open(f"{store}/zarr.json") as f:
        document = json.load(f)
    write_json(f"{store}/zarr.json", {**document, **members})


# --- data types -------------------------------------------------------------------------------------------------


def test_an_unknown_data_type_of_v3_is_named(store):
    write_v3(store, DATA)
    change_v3(store, data_type="banana")
    message = rf'{store}/zarr.json: /data_type: expected a known data type, got "banana"'
    with pytest.raises(RuntimeError, match=message):
        gdal.Open(store)
    with pytest.raises(RuntimeError, match=message):
        open_array(store).Read()


@pytest.mark.parametrize("dtype", ["<f16", "|O"])
def test_an_unknown_data_type_of_v2_is_named(store, dtype):
    write_v2(store, DATA, dtype=dtype)
    message = rf"{store}/.zarray: /dtype: expected a known data type, got \"{dtype.replace('|', '.')}\""
    with pytest.raises(RuntimeError, match=message):
        gdal.Open(store)
    with pytest.raises(RuntimeError, match=message):
        open_array(store).Read()


# --- places of errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("member", ["codecs", "index_codecs"])
def test_shards_without_codecs_are_named(store, member):
    write_v3(store, DATA)
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}]
    configuration = {"chunk_shape": [1, 1], "codecs": codecs, "index_codecs": codecs, member: []}
    change_v3(store, codecs=[{"name": "sharding_indexed", "configuration": configuration}])
    with pytest.raises(RuntimeError, match=rf"zarr.json: /codecs/0/configuration/{member}: expected at least"):
        gdal.Open(store)


def test_huge_chunks_are_named(store):
    write_v3(store, DATA)
    grid = {"name": "regular", "configuration": {"chunk_shape": [1 << 40, 1 << 40]}}
    change_v3(store, chunk_grid=grid)
    with pytest.raises(RuntimeError, match=r"zarr.json: /chunk_grid: expected a chunk of at most 2\^47 bytes"):
        gdal.Open(store).ReadAsArray()


def test_an_array_path_that_is_no_key_is_named(store):
    write_v3(f"{store}/a", DATA)
    with pytest.raises(RuntimeError, match=rf"{store}.*a/\.\./a"):
        gdal.Open(f'ZARR:"{store}":/a/../a')


def test_numbers_that_are_too_large_are_infinite(store):
    write_v3(store, DATA)
    with open(f"{store}/zarr.json") as f:
        text = f.read()
    with open(f"{store}/zarr.json", "w") as f:
        f.write(text.replace('"attributes": {}', '"attributes": {"a": 1e400, "b": -1e400, "c": 1e-400}'))
    attributes = {attribute.GetName(): attribute.Read() for attribute in open_array(store).GetAttributes()}
    assert attributes == {"a": np.inf, "b": -np.inf, "c": 0}


# --- coordinate reference systems -------------------------------------------------------------------------------

PROJ = {"zarr_conventions": [{"name": "proj:", "uuid": PROJ_UUID}]}
SPATIAL = {"zarr_conventions": [{"name": "spatial:", "uuid": SPATIAL_UUID}]}


@pytest.mark.parametrize(
    "attributes, pointer",
    [
        ({**PROJ, "proj:code": "nonsense"}, "/attributes/proj:code"),
        ({**PROJ, "proj:wkt2": "nonsense"}, "/attributes/proj:wkt2"),
        ({"_CRS": "nonsense"}, "/attributes/_CRS"),
        ({"_CRS": {"wkt": "nonsense"}}, "/attributes/_CRS/wkt"),
    ],
)
def test_what_is_no_reference_system_is_named(store, attributes, pointer):
    write_v3(store, DATA, attributes=attributes)
    with collect_errors() as errors:
        assert gdal.Open(store).GetSpatialRef() is None
    message = f'{store}/zarr.json: {pointer}: expected a coordinate reference system, got "nonsense"'
    assert (gdal.CE_Warning, message) in errors


def test_what_is_no_dimension_is_named(store):
    write_v3(store, DATA, names=["y", "x"], attributes={**SPATIAL, "spatial:dimensions": ["north", "east"]})
    with collect_errors() as errors:
        assert gdal.Open(store).RasterXSize == 3
    assert any(text.startswith(f"{store}: spatial:dimensions is ignored") for _, text in errors)


@pytest.mark.parametrize("transform", [[0] * 6, [1, 2, 0, 2, 4, 0]])
def test_a_transform_that_cannot_be_inverted_is_ignored(store, transform):
    attributes = {**SPATIAL, "spatial:dimensions": ["y", "x"], "spatial:transform": transform}
    write_v3(store, DATA, names=["y", "x"], attributes=attributes)
    with collect_errors() as errors:
        assert gdal.Open(store).GetGeoTransform(can_return_null=True) is None
    assert any("/attributes/spatial:transform: expected a transform that can be inverted" in text for _, text in errors)


# --- consolidated metadata --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-20],
        lambda text: b"3",
        lambda text: text.replace(b'"zarr_consolidated_format": 1', b'"zarr_consolidated_format": 9'),
        lambda text: text + b"garbage",
        lambda text: text.replace(b'"a/.zarray"', b'"\xff/.zarray"'),
    ],
    ids=["truncated", "number", "format", "garbage", "no UTF-8"],
)
def test_broken_consolidated_metadata_are_warned_of(store, change):
    write_v2_group(store)
    write_v2(f"{store}/a", DATA)
    consolidate_v2(store)
    with open(f"{store}/.zmetadata", "rb") as f:
        text = f.read()
    with open(f"{store}/.zmetadata", "wb") as f:
        f.write(change(text))
    with collect_errors() as errors:
        dataset = gdal.Open(store)
    assert np.array_equal(dataset.ReadAsArray(), DATA)
    assert len(errors) == 1 and errors[0][0] == gdal.CE_Warning
    assert errors[0][1].startswith(f"{store}/.zmetadata: ")
    assert errors[0][1].endswith("; the consolidated metadata are not used")


# --- values -----------------------------------------------------------------------------------------------------


def test_a_fill_value_that_does_not_fit_is_refused(store):
    write_v3(store, DATA.astype("<i2"), fill=40000)
    with pytest.raises(RuntimeError, match=r"/fill_value: expected an integer -32768\.\.32767, got 40000"):
        gdal.Open(store)


def test_a_scale_of_zero_is_refused(store):
    write_v3(store, DATA)
    scaling = {"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 1, "scale": 0, "dtype": "<f4"}}
    change_v3(store, codecs=[scaling, {"name": "bytes", "configuration": {"endian": "little"}}])
    with pytest.raises(RuntimeError, match=r"/codecs/0/configuration/scale: expected a scale that is not 0, got 0"):
        gdal.Open(store)
