# SPDX-License-Identifier: MIT
"""netCDF's attribute `_Encoding` in copies: readers decode bytes by it, and fail if there is text or numbers."""

import json

import pytest
from errors import collect_errors
from osgeo import gdal
from stores import open_group

TEXT = gdal.ExtendedDataType.CreateString


def make_source(name, data_type, values, encoding="utf-8"):
    dataset = gdal.GetDriverByName("MEM").CreateMultiDimensional("")
    root = dataset.GetRootGroup()
    array = root.CreateMDArray(name, [root.CreateDimension("n", "", "", len(values))], data_type)
    array.Write(values)
    array.CreateAttribute("_Encoding", [], TEXT()).Write(encoding)
    return dataset


def copy(source, target, *options):
    with collect_errors() as errors:
        gdal.MultiDimTranslate(str(target), source, format="Zarr", creationOptions=list(options))
    return [message for _, message in errors]


@pytest.mark.parametrize(
    "form, length, is_kept", [("ZARR_V2", 8, True), ("ZARR_V2", 0, False), ("ZARR_V3", 8, False), ("ZARR_V3", 0, False)]
)
def test_only_bytes_keep_their_encoding(tmp_path, form, length, is_kept):
    source = make_source("city", TEXT(length), ["Zürich", "Bern"])
    assert copy(source, tmp_path / "copy.zarr", f"FORMAT={form}") == []
    array = open_group(str(tmp_path / "copy.zarr")).OpenMDArray("city")
    assert array.Read() == ["Zürich", "Bern"]
    assert [attribute.GetName() for attribute in array.GetAttributes()] == (["_Encoding"] if is_kept else [])


def test_an_encoding_that_is_not_decoded_stays(tmp_path):
    source = make_source("city", TEXT(8), ["Bern"], "koi8-r")
    (warning,) = copy(source, tmp_path / "copy.zarr", "FORMAT=ZARR_V3")
    assert 'this text is in "koi8-r", and its bytes are taken for Latin-1' in warning
    (attribute,) = open_group(str(tmp_path / "copy.zarr")).OpenMDArray("city").GetAttributes()
    assert attribute.Read() == "koi8-r"


def test_numbers_have_no_encoding(tmp_path):
    source = make_source("letters", gdal.ExtendedDataType.Create(gdal.GDT_Byte), b"abc")
    assert copy(source, tmp_path / "copy.zarr") == ["/letters: _Encoding is not copied: the copy is not of text"]
    assert open_group(str(tmp_path / "copy.zarr")).OpenMDArray("letters").GetAttributes() == []


def test_of_a_store_nothing_is_changed(tmp_path):
    source = make_source("letters", gdal.ExtendedDataType.Create(gdal.GDT_Byte), b"abc")
    copy(source, tmp_path / "store.zarr")
    (tmp_path / "store.zarr/.zmetadata").unlink()
    (tmp_path / "store.zarr/letters/.zattrs").write_text(json.dumps({"_ARRAY_DIMENSIONS": ["n"], "_Encoding": "utf-8"}))
    assert copy(str(tmp_path / "store.zarr"), tmp_path / "again.zarr") == []
    assert json.loads((tmp_path / "again.zarr/letters/.zattrs").read_text())["_Encoding"] == "utf-8"
