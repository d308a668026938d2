# SPDX-License-Identifier: MIT
"""Properties of an array: nodata, scale, unit, blocks, structure."""

import base64
import json
import math

import numpy as np
import pytest
from osgeo import gdal
from stores import open_array, write_json, write_v1, write_v2, write_v3

DATA = np.arange(35, dtype="<i2").reshape(5, 7)


def nodata(array):
    return array.GetNoDataValue()


@pytest.mark.parametrize(
    "fill, expected", [(None, None), (0, 0), (-9, -9), (32767, 32767)], ids=["null", "zero", "negative", "large"]
)
def test_nodata_of_v2_is_the_fill_value(store, fill, expected):
    write_v2(store, DATA, fill=fill)
    assert nodata(open_array(store)) == expected


@pytest.mark.parametrize("fill, expected", [(0, None), (-9, -9)])
def test_nodata_of_v3_is_a_fill_value_that_is_not_zero(store, fill, expected):
    write_v3(store, DATA, fill=fill)
    assert nodata(open_array(store)) == expected


@pytest.mark.parametrize("write", [write_v2, write_v3], ids=["v2", "v3"])
def test_nodata_may_be_nan(store, write):
    write(store, np.zeros(3), fill="NaN")
    assert math.isnan(nodata(open_array(store)))


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"_FillValue": -9}, -9),
        ({"_FillValue": [-9]}, -9),
        ({"_FillValue": -9.0}, -9),
        ({"missing_value": -8}, -8),
        ({"_FillValue": -9, "missing_value": -8}, -9),
        ({"_FillValue": 40000, "missing_value": -8}, -8),
        ({"_FillValue": 0.5}, 7),
        ({"_FillValue": "none"}, 7),
        ({"_FillValue": None}, 7),
        ({"_FillValue": "NaN"}, 7),
    ],
)
def test_nodata_of_attributes_goes_first_if_the_type_can_hold_it(store, attributes, expected):
    write_v3(store, DATA, fill=7, attributes=attributes)
    assert nodata(open_array(store)) == expected


@pytest.mark.parametrize("value", [-9999.0, math.nan, 1e20])
def test_nodata_of_floats_as_xarray_writes_it(store, value):
    text = base64.standard_b64encode(np.float64(value).tobytes()).decode()
    write_v3(store, np.zeros(3, "<f4"), attributes={"_FillValue": text})
    got = nodata(open_array(store))
    assert got == np.float32(value) or (math.isnan(got) and math.isnan(value))


def test_nodata_of_64_bits_is_exact(store):
    write_v3(store, np.zeros(3, "<i8"), attributes={"_FillValue": -(2**63) + 1})
    assert open_array(store).GetNoDataValueAsInt64() == -(2**63) + 1
    write_v3(store, np.zeros(3, "<u8"), fill=2**64 - 1)
    assert open_array(store).GetNoDataValueAsUInt64() == 2**64 - 1


def test_attributes_give_scale_offset_and_unit(store):
    write_v3(store, DATA, attributes={"scale_factor": 0.25, "add_offset": [-3], "units": "K", "long_name": "t"})
    array = open_array(store)
    assert (array.GetScale(), array.GetOffset(), array.GetUnit()) == (0.25, -3.0, "K")
    assert [a.GetName() for a in array.GetAttributes()] == ["long_name"]
    assert array.GetUnscaled().ReadAsArray()[0, 4] == 4 * 0.25 - 3


@pytest.mark.parametrize(
    "attributes, unit",
    [
        ({"uom": {"ucum": {"unit": "kg", "version": "2.2"}, "description": "apples"}}, "kg"),
        ({"uom": {"ucum": {"unit": "kg"}}, "units": "g"}, "g"),
        ({"uom": {"ucum": {"unit": None}}}, ""),
        ({"uom": {"ucum": 5}}, ""),
        ({"uom": "kg"}, ""),
    ],
)
def test_the_unit_of_the_convention_uom(store, attributes, unit):
    write_v3(f"{store}/a", np.zeros(2), attributes=attributes)
    assert open_array(f"{store}/a").GetUnit() == unit


def test_scale_offset_and_unit_may_be_absent(store):
    write_v3(store, DATA, attributes={"scale_factor": "two", "units": 1})
    array = open_array(store)
    assert (array.GetScale(), array.GetOffset(), array.GetUnit()) == (None, None, "")
    assert [a.GetName() for a in array.GetAttributes()] == ["scale_factor", "units"]


def test_block_size_is_the_chunk(store):
    write_v3(store, DATA, (2, 3))
    assert open_array(store).GetBlockSize() == [2, 3]


def test_block_size_of_a_rectilinear_grid_is_0_where_edges_differ(store):
    write_v3(store, DATA, edges=[[3, 3], [4, 1, 2]])
    array = open_array(store)
    assert array.GetBlockSize() == [3, 0]
    assert json.loads(array.GetStructuralInfo()["CHUNK_EDGES"]) == [[[3, 2]], [4, 1, 2]]
    assert array.ReadAsArray().tolist() == DATA.tolist()


def test_block_size_of_uneven_shards_is_that_of_their_inner_chunks(store):
    chunks = {(y, x) for y in range(2) for x in range(2)}
    write_v3(store, np.full((600, 500), 7, "<i2"), edges=[[400, 200], [300, 200]], fill=7, skip=chunks)
    document = f"{store}/zarr.json"
    with open(document) as f:
        metadata = json.load(f)
    inner = {"chunk_shape": [100, 100], "codecs": metadata["codecs"], "index_codecs": metadata["codecs"]}
    metadata["codecs"] = [{"name": "sharding_indexed", "configuration": inner}]
    write_json(document, metadata)
    array = open_array(store)
    assert array.GetBlockSize() == [100, 100]
    assert array.ReadAsArray().tolist() == [[7] * 500] * 600
    assert gdal.Open(store).GetRasterBand(1).GetBlockSize() == [100, 100]


def test_structural_info_of_v2_tells_codecs(store):
    write_v2(store, DATA, compressor={"id": "zlib", "level": 3})
    info = open_array(store).GetStructuralInfo()
    assert json.loads(info["COMPRESSOR"]) == {"id": "zlib", "level": 3}
    assert "FILTERS" not in info


def test_structural_info_of_v1_tells_codecs(store):
    write_v1(store, DATA, (2, 3))
    assert json.loads(open_array(store).GetStructuralInfo()["COMPRESSOR"]) == {"id": "zlib", "level": 1}


def test_structural_info_of_v3_tells_codecs(store):
    write_v3(store, DATA, compress=True)
    info = open_array(store).GetStructuralInfo()
    assert [c["name"] for c in json.loads(info["CODECS"])] == ["bytes", "gzip"]
    assert json.loads(info["COMPRESSOR"]) == {"name": "gzip", "configuration": {"level": 1}}
