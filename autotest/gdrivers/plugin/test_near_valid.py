# SPDX-License-Identifier: MIT
"""Metadata that are not quite what the specification says, and that other readers take with one meaning."""

import gzip
import json
import os
import struct

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from stores import write_bytes, write_json, write_v2, write_v2_group, write_v3, write_v3_group

DATA = np.array([[1, 2], [3, 4]])


class Removed:
    """Stands for no member."""

    def __repr__(self):
        return "removed"


REMOVED = Removed()


def change(path, members):
    with open(path) as file:
        document = json.load(file)
    for name, value in members.items():
        if isinstance(value, Removed):
            del document[name]
        else:
            document[name] = value
    write_json(path, document)


def make(store, version, dtype, members):
    """Writes an array of 4 x 2, of which only the first two rows are stored."""
    data = np.vstack([DATA, DATA]).astype(dtype)
    (write_v2 if version == 2 else write_v3)(store, data, [2, 2], skip=[(1, 0)])
    change(f"{store}/{'.zarray' if version == 2 else 'zarr.json'}", members)


def read(store):
    return gdal.Open(store).ReadAsArray()


LOWEST = -1.7976931348623157e308
FILLS = [
    ("<f4", LOWEST, -np.inf),
    ("<f4", 1e39, np.inf),
    ("<f8", "-9999.5", -9999.5),
    ("<f4", "nan", np.nan),
    ("<f4", "-inf", -np.inf),
    ("<f4", "+infinity", np.inf),
    ("<f4", False, 0),
    ("<f4", True, 1),
    ("|b1", 0.0, 0),
    ("|b1", 1.0, 1),
    ("<i2", False, 0),
    ("|u1", True, 1),
    ("<i2", "-5", -5),
    ("<u4", "4294967295", 4294967295),
    ("<c8", [1e39, "nan"], complex(np.inf, np.nan)),
]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(("dtype", "fill", "want"), FILLS, ids=repr)
def test_fill_values(store, version, dtype, fill, want):
    make(store, version, dtype, {"fill_value": fill})
    with collect_errors() as errors:
        values = read(store)
    assert np.array_equal(values[:2], DATA.astype(dtype).astype(values.dtype))
    assert np.array_equal(values[2:], np.full((2, 2), want, values.dtype), equal_nan=True)
    spelled_by_v2 = version == 2 and isinstance(fill, str)  # old versions of GDAL write numbers as text
    assert spelled_by_v2 or any("/fill_value" in text and "taken as" in text for _, text in errors)
    assert len(errors) <= 2


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    ("dtype", "fill"),
    [("|b1", 2), ("|b1", "false"), ("|b1", 0.5), ("<i2", "abc"), ("<i2", 40000), ("<i2", "5 "), ("<i2", 1.5)]
    + [("<f4", "abc"), ("<f4", ""), ("<f4", "0xzz"), ("<f4", [1, 2]), ("<f4", {}), ("<f4", "nan(1)"), ("<i2", "true")],
    ids=repr,
)
def test_fill_values_without_one_meaning_are_refused(store, version, dtype, fill):
    make(store, version, dtype, {"fill_value": fill})
    with pytest.raises(RuntimeError, match="/fill_value"):
        read(store)


V2 = [
    {"zarr_format": 2.0},
    {"zarr_format": "2"},
    {"shape": [4.0, 2.0]},
    {"shape": ["4", 2]},
    {"chunks": [2.0, 2]},
    {"order": "c"},
    {"order": REMOVED},
    {"order": None},
    {"fill_value": REMOVED},
    {"compressor": REMOVED},
    {"dimension_separator": ""},
    {"dtype": "int16"},
    {"dtype": "i2"},
]


@pytest.mark.parametrize("members", V2, ids=repr)
def test_v2_members_with_one_meaning_are_read_with_a_warning(store, members):
    make(store, 2, "<i2", members)
    with collect_errors() as errors:
        values = read(store)
    assert np.array_equal(values[:2], DATA) and not values[2:].any()
    assert len(errors) == 1 and f"/{next(iter(members))}: " in errors[0][1] and "taken as" in errors[0][1]


def test_v2_order_f_may_be_a_small_letter(store):
    make(store, 2, "<i2", {"order": "f"})
    assert np.array_equal(read(store)[:2], DATA.T)


@pytest.mark.parametrize("members", [{"filters": REMOVED}, {"filters": []}, {"dimension_separator": None}], ids=repr)
def test_v2_members_that_say_nothing_are_silent(store, members):
    make(store, 2, "<i2", members)
    with collect_errors() as errors:
        assert np.array_equal(read(store)[:2], DATA)
    assert errors == []


V2_REFUSED = [
    {"zarr_format": 2.5},
    {"zarr_format": "two"},
    {"zarr_format": True},
    {"shape": [4.5, 2]},
    {"shape": ["4.0", 2]},
    {"shape": [-4.0, 2]},
    {"chunks": 4},
    {"chunks": REMOVED},
    {"order": "X"},
    {"order": 1},
    {"dtype": "int"},
    {"dtype": "f"},
    {"dtype": "i3"},
    {"compressor": "zlib"},
    {"filters": {}},
    {"dimension_separator": "-"},
]


@pytest.mark.parametrize("members", V2_REFUSED, ids=repr)
def test_v2_members_with_several_meanings_are_refused(store, members):
    make(store, 2, "<i2", members)
    with pytest.raises(RuntimeError, match=next(iter(members))):
        read(store)


def test_one_dimension_may_be_a_number(store):
    write_v2_group(store)
    write_v2(f"{store}/x", np.arange(4, dtype="<i2"), [2])
    change(f"{store}/x/.zarray", {"shape": 4, "chunks": 2})
    with collect_errors() as errors:
        array = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("x")
        assert array.ReadAsArray().tolist() == [0, 1, 2, 3]
    assert len(errors) == 2


def regular(chunk_shape):
    return {"name": "regular", "configuration": {"chunk_shape": chunk_shape}}


V3 = [
    ({"zarr_format": 3.0}, "/zarr_format"),
    ({"zarr_format": "3"}, "/zarr_format"),
    ({"shape": [4.0, 2.0]}, "/shape"),
    ({"chunk_grid": regular([2.0, 2.0])}, "/chunk_grid/configuration/chunk_shape"),
]


@pytest.mark.parametrize(("members", "pointer"), V3, ids=repr)
def test_v3_members_with_one_meaning_are_read_with_a_warning(store, members, pointer):
    make(store, 3, "<i2", members)
    with collect_errors() as errors:
        assert np.array_equal(read(store)[:2], DATA)
    assert len(errors) == 1 and f"{pointer}: expected" in errors[0][1]


@pytest.mark.parametrize("members", [{"attributes": None}, {"storage_transformers": None}, {"dimension_names": None}])
def test_v3_members_that_say_nothing_are_silent(store, members):
    make(store, 3, "<i2", members)
    with collect_errors() as errors:
        assert np.array_equal(read(store)[:2], DATA)
    assert errors == []


@pytest.mark.parametrize(
    "members",
    [{"node_type": REMOVED}, {"data_type": "<i2"}, {"fill_value": REMOVED}, {"attributes": []}, {"zarr_format": 3.5}]
    + [{"codecs": None}, {"chunk_key_encoding": REMOVED}, {"dimension_names": "yx"}, {"shape": [4.5, 2]}],
    ids=repr,
)
def test_v3_members_with_several_meanings_are_refused(store, members):
    make(store, 3, "<i2", members)
    with pytest.raises(RuntimeError, match=next(iter(members))):
        read(store)


@pytest.mark.parametrize("version", [2, 3])
def test_groups_may_write_their_format_as_text(store, version):
    (write_v2_group if version == 2 else write_v3_group)(store)
    change(f"{store}/{'.zgroup' if version == 2 else 'zarr.json'}", {"zarr_format": str(version)})
    (write_v2 if version == 2 else write_v3)(f"{store}/a", DATA.astype("<i2"))
    with collect_errors() as errors:
        group = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
        assert group.OpenMDArray("a").ReadAsArray().tolist() == DATA.tolist()
    assert len(errors) == 1 and "/zarr_format" in errors[0][1]


# --- attributes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "{", '{"title": "x', "[]", '"text"', "\0\0"], ids=repr)
@pytest.mark.parametrize("path", ["", "a/"])
@pytest.mark.parametrize("how", ["array", "store", "multidim"])
def test_attributes_that_cannot_be_read_are_left_out(store, text, path, how):
    write_v2_group(store)
    write_v2(f"{store}/a", DATA.astype("<i2"))
    write_bytes(f"{store}/{path}.zattrs", text.encode())
    with collect_errors() as errors:
        if how == "multidim":
            values = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("a").ReadAsArray()
        else:
            values = read(f'ZARR:"{store}":/a' if how == "array" else store)
    assert np.array_equal(values, DATA)
    assert len(errors) == 1 and f"{path}.zattrs: " in errors[0][1]


@pytest.mark.parametrize("path", ["", "a/"])
@pytest.mark.parametrize("text", ["{", "[]"])
def test_attributes_that_cannot_be_read_are_not_replaced(store, path, text):
    write_v2_group(store)
    write_v2(f"{store}/a", DATA.astype("<i2"))
    write_bytes(f"{store}/{path}.zattrs", text.encode())
    with pytest.raises(RuntimeError):
        dataset = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER | gdal.OF_UPDATE)
        node = dataset.GetRootGroup() if path == "" else dataset.GetRootGroup().OpenMDArray("a")
        attribute = node.CreateAttribute("x", [], gdal.ExtendedDataType.Create(gdal.GDT_Byte))
        attribute.Write(1)
        del attribute, node
        dataset.FlushCache()
    with open(f"{store}/{path}.zattrs") as file:
        assert file.read() == text


# --- consolidated metadata -----------------------------------------------------------------------------------------


def consolidate(store, make_key, **members):
    documents = {}
    for key in (".zgroup", "a/.zarray"):
        with open(f"{store}/{key}") as file:
            documents[make_key(key)] = json.load(file)
    write_json(f"{store}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": documents, **members})


def make_consolidated(store, make_key=lambda key: key, **members):
    write_v2_group(store)
    write_v2(f"{store}/a", DATA.astype("<i2"))
    consolidate(store, make_key, **members)


def list_arrays(store):
    return gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames()


@pytest.mark.parametrize("prefix", ["/", "//"])
def test_consolidated_keys_may_begin_with_a_slash(store, prefix):
    make_consolidated(store, lambda key: prefix + key)
    with collect_errors() as errors:
        assert list_arrays(store) == ["a"]
        assert np.array_equal(read(f'ZARR:"{store}":/a'), DATA)
    assert len(errors) == 2 and all('begins with "/"' in text for _, text in errors)


@pytest.mark.parametrize("value", ["1", 1.0])
def test_consolidated_format_may_be_text(store, value):
    make_consolidated(store, zarr_consolidated_format=value)
    with collect_errors() as errors:
        assert list_arrays(store) == ["a"]
    assert len(errors) == 1 and "/zarr_consolidated_format: expected 1" in errors[0][1]


@pytest.mark.parametrize("make_key", [lambda key: key.replace("/", "\\").replace(".z", "z"), lambda key: "../" + key])
def test_consolidated_metadata_without_a_usable_key_are_left(store, make_key):
    make_consolidated(store, make_key)
    with collect_errors() as errors:
        assert list_arrays(store) == ["a"]
    assert len(errors) == 1 and "expected keys of documents" in errors[0][1]


@pytest.mark.parametrize("value", [2, "2", None])
def test_other_consolidated_formats_are_left(store, value):
    make_consolidated(store, zarr_consolidated_format=value)
    with collect_errors() as errors:
        assert list_arrays(store) == ["a"]
    assert len(errors) == 1 and "not used" in errors[0][1]


# --- shards --------------------------------------------------------------------------------------------------------

CRC_TABLE = []
for i in range(256):
    c = i
    for _ in range(8):
        c = (c >> 1) ^ (0x82F63B78 if c & 1 else 0)
    CRC_TABLE.append(c)


def crc32c(data):
    c = 0xFFFFFFFF
    for byte in data:
        c = CRC_TABLE[(c ^ byte) & 255] ^ (c >> 8)
    return c ^ 0xFFFFFFFF


def write_shards(store, codecs, encode, **members):
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [2, 2],
        "data_type": "int16",
        "chunk_grid": regular([2, 2]),
        "chunk_key_encoding": {"name": "default"},
        "fill_value": 0,
        "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 2], "codecs": codecs}}],
        "dimension_names": None,
        **members,
    }
    write_json(f"{store}/zarr.json", {name: value for name, value in document.items() if not isinstance(value, Removed)})
    parts = [encode(struct.pack("<2h", *row)) for row in DATA.tolist()]
    index = struct.pack("<4Q", 0, len(parts[0]), len(parts[0]), len(parts[1]))
    write_bytes(f"{store}/c/0/0", b"".join(parts) + index + struct.pack("<I", crc32c(index)))


GZIP = {"name": "gzip", "configuration": {"level": 5}}


@pytest.mark.parametrize(("codecs", "encode"), [([GZIP], gzip.compress), ([], bytes)], ids=["gzip", "none"])
def test_shards_without_the_codec_bytes_are_read(store, codecs, encode):
    write_shards(store, codecs, encode)
    with collect_errors() as errors:
        assert np.array_equal(read(store), DATA)
    assert len(errors) == 2 and '"bytes" is assumed' in errors[0][1] and "index_codecs" in errors[1][1]


def test_shards_of_an_unknown_writer_are_refused(store):
    write_shards(store, [GZIP], gzip.compress, dimension_names=REMOVED)
    with pytest.raises(RuntimeError, match="array-to-bytes"):
        read(store)


def test_copies_have_what_the_specification_says(store, tmp_path):
    make(store, 3, "<f4", {"fill_value": "nan", "zarr_format": 3.0})
    target = str(tmp_path / "copy.zarr")
    gdal.MultiDimTranslate(target, store, format="Zarr", creationOptions=["FORMAT=ZARR_V3"])
    with collect_errors() as errors:
        gdal.OpenEx(target, gdal.OF_MULTIDIM_RASTER).GetRootGroup().OpenMDArray("test").ReadAsArray()
    assert errors == []
    assert os.path.exists(f"{target}/zarr.json")
