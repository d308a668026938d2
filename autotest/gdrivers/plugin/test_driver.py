# SPDX-License-Identifier: MIT
"""The driver as GDAL and its users see it before any data are read."""

import os
import subprocess
import zipfile

import numpy as np
import pytest
from osgeo import gdal

from stores import open_array, open_group, write_bytes, write_json, write_v1, write_v2, write_v3, write_v3_group

DATA = np.arange(6, dtype="<i2").reshape(2, 3)


def driver():
    return gdal.GetDriverByName("Zarr")


def identify(path):
    """Returns the driver that GDAL chooses by itself."""
    found = gdal.IdentifyDriverEx(path, gdal.OF_MULTIDIM_RASTER)
    return found.ShortName if found else None


# --- registration ---------------------------------------------------------------------------------------------------


def test_plugin_exports_one_symbol():
    plugin = os.path.join(os.environ["GDAL_DRIVER_PATH"], "gdal_Zarr.so")
    symbols = subprocess.run(["nm", "-D", "--defined-only", plugin], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in symbols.splitlines()] == ["GDALRegister_Zarr"]


def test_metadata_list_the_codecs():
    lists = {name: driver().GetMetadataItem(name).split(",") for name in ("COMPRESSORS", "BLOSC_COMPRESSORS", "FILTERS")}
    assert {"blosc", "zlib", "gzip", "lzma", "zstd", "lz4"} <= set(lists["COMPRESSORS"])
    assert {"lz4", "zstd"} <= set(lists["BLOSC_COMPRESSORS"])
    assert {"delta", "shuffle", "quantize", "fixedscaleoffset"} <= set(lists["FILTERS"])


def test_only_one_driver_has_the_name():
    names = [gdal.GetDriver(i).ShortName for i in range(gdal.GetDriverCount())]
    assert names.count("Zarr") == 1


def test_registering_again_keeps_the_driver():
    gdal.AllRegister()
    names = [gdal.GetDriver(i).ShortName for i in range(gdal.GetDriverCount())]
    assert names.count("Zarr") == 1
    assert driver().GetMetadataItem("ZARRLIB_VERSION").startswith("zarrlib ")


@pytest.mark.parametrize(
    "item, value",
    [
        ("DCAP_OPEN", "YES"),
        ("DCAP_RASTER", "YES"),
        ("DCAP_MULTIDIM_RASTER", "YES"),
        ("DCAP_VIRTUALIO", "YES"),
        ("DMD_SUBDATASETS", "YES"),
        ("DMD_LONGNAME", "Zarr"),
        ("DMD_EXTENSIONS", "zarr"),
        ("DMD_CONNECTION_PREFIX", "ZARR:"),
    ],
)
def test_driver_metadata(item, value):
    assert driver().GetMetadataItem(item) == value


def test_open_options_are_declared():
    xml = driver().GetMetadataItem("DMD_OPENOPTIONLIST")
    for name in (
        "USE_CONSOLIDATED_METADATA",
        "CACHE_TILE_PRESENCE",
        "LIST_ALL_ARRAYS",
        "MULTIBAND",
        "DIM_X",
        "DIM_Y",
        "LOAD_EXTRA_DIM_METADATA_DELAY",
        "V1_ORDER",
    ):
        assert f"'{name}'" in xml
    assert "alias='USE_ZMETADATA'" in xml


# --- identification -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_v2, write_v3, write_v1], ids=["v2", "v3", "v1"])
def test_folder_of_an_array_is_identified(store, write):
    write(store, DATA, (2, 3))
    assert identify(store) == "Zarr"
    assert identify(store + "/") == "Zarr"


@pytest.mark.parametrize("document", [".zgroup", ".zmetadata", "__zmeta__"])
def test_folder_with_a_document_of_zarr_is_identified(store, document):
    write_json(f"{store}/{document}", {})
    assert identify(store) == "Zarr"


@pytest.mark.parametrize(
    "write, document", [(write_v2, ".zarray"), (write_v3, "zarr.json"), (write_v1, "meta")], ids=["v2", "v3", "v1"]
)
def test_metadata_document_stands_for_its_folder(store, write, document):
    write(store, DATA, (2, 3))
    path = f"{store}/{document}"
    assert identify(path) == "Zarr"
    assert open_group(path).GetMDArrayNames() == ["test"]


@pytest.mark.parametrize("content", ["notes", "{}", '{"chunks": 1}'], ids=["text", "empty object", "other object"])
def test_file_called_meta_is_not_enough(store, content):
    write_bytes(f"{store}/meta", content.encode())
    assert identify(store) is None
    assert identify(f"{store}/meta") is None


def test_folder_called_as_a_document_is_not_enough(store):
    os.makedirs(f"{store}/zarr.json")
    assert identify(store) is None


def test_other_files_are_not_identified(tmp_path):
    path = str(tmp_path / "a.json")
    write_json(path, {"shape": [1], "chunks": [1]})
    assert identify(path) is None


def test_zip_file_of_a_store_is_identified_by_its_name(tmp_path, store):
    write_v3(store, DATA)
    path = str(tmp_path / "packed.zarr.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for folder, _, names in os.walk(store):
            for name in names:
                archive.write(os.path.join(folder, name), os.path.relpath(os.path.join(folder, name), store))
    assert identify(path) == "Zarr"
    assert identify("/vsizip/" + path) == "Zarr"
    for name in (path, "/vsizip/" + path, f'ZARR:"{path}"'):
        assert open_array(name).ReadAsArray().tolist() == DATA.tolist()


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["{}", "ZARR:{}", 'ZARR:"{}"', 'ZARR:"{}":/a', "ZARR:{}:/a", "zarr:{}", "{}/", "{}/zarr.json"])
def test_forms_of_a_dataset_name(store, form):
    write_v3_group(store)
    write_v3(f"{store}/a", DATA)
    assert open_group(form.format(store)).GetMDArrayNames() == ["a"]


def test_quoted_name_may_hold_colons_and_quotes(tmp_path):
    path = str(tmp_path / 'a:b"c.zarr')
    write_v3(path, DATA)
    name = 'ZARR:"' + path.replace('"', '\\"') + '"'
    assert open_array(name).ReadAsArray().tolist() == DATA.tolist()


@pytest.mark.parametrize(
    "name, message",
    [
        ("ZARR:", "expected the path of a Zarr store"),
        ('ZARR:"/nowhere.zarr', "a quote is not closed"),
        ('ZARR:"/nowhere.zarr"x', "expected ':'"),
        ('ZARR:"/nowhere.zarr":"/a"x', "unexpected 'x'"),
        ('ZARR:"https://example.com/a.zarr"', 'GDAL reads a URL under a name of its own: ZARR:"/vsicurl/https://example.com/a.zarr"'),
        ("ZARR:http://example.com/a.zarr", "GDAL reads a URL under a name of its own: ZARR:\"/vsicurl/http://"),
        ("ZARR:/nowhere.zarr", "/nowhere.zarr: there is no such file or folder"),
    ],
)
def test_wrong_names_are_explained(name, message):
    with pytest.raises(RuntimeError) as error:
        gdal.OpenEx(name, gdal.OF_MULTIDIM_RASTER)
    assert message in str(error.value)


def test_error_that_quotes_what_is_no_utf8_arrives(store):
    write_bytes(f"{store}/zarr.json", b'{"zarr_format": 3, "node_type": "array", "\xff": 1}')
    with pytest.raises(RuntimeError, match="zarr.json"):
        open_array(store)


# --- open options ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "option",
    [
        "USE_CONSOLIDATED_METADATA=perhaps",
        "USE_ZMETADATA=2",
        "CACHE_TILE_PRESENCE=",
        "LIST_ALL_ARRAYS=none",
        "MULTIBAND=x",
        "LOAD_EXTRA_DIM_METADATA_DELAY=-1",
        "LOAD_EXTRA_DIM_METADATA_DELAY=soon",
        "V1_ORDER=F",
    ],
)
def test_wrong_values_of_open_options_are_errors(store, option):
    write_v3(store, DATA)
    name, value = option.split("=")
    name = "USE_CONSOLIDATED_METADATA" if name == "USE_ZMETADATA" else name
    with pytest.raises(RuntimeError, match=f"open option {name}: expected .*, got {value}"):
        open_group(store, option)


@pytest.mark.parametrize("option", ["LOAD_EXTRA_DIM_METADATA_DELAY=unlimited", "V1_ORDER=as_declared", "MULTIBAND=off"])
def test_values_of_open_options_may_be_in_any_case(store, option):
    write_v3(store, DATA)
    assert open_group(store, option).GetMDArrayNames() == ["test"]


def test_configuration_option_gives_the_default_delay(store):
    write_v3(store, DATA)
    with pytest.raises(RuntimeError, match="LOAD_EXTRA_DIM_METADATA_DELAY: expected a number"):
        gdal.SetConfigOption("GDAL_LOAD_EXTRA_DIM_METADATA_DELAY", "long")
        try:
            open_group(store)
        finally:
            gdal.SetConfigOption("GDAL_LOAD_EXTRA_DIM_METADATA_DELAY", None)


def test_wrong_cache_size_is_an_error(store):
    write_v3(store, DATA)
    gdal.SetConfigOption("ZARR_CACHE_SIZE", "much")
    try:
        with pytest.raises(RuntimeError, match="ZARR_CACHE_SIZE: expected a size"):
            open_group(store)
        gdal.SetConfigOption("ZARR_CACHE_SIZE", "64MB")
        open_group(store)
    finally:
        gdal.SetConfigOption("ZARR_CACHE_SIZE", None)


# --- names with colons ----------------------------------------------------------------------------------------------


def make_colons(tmp_path, *names):
    path = str(tmp_path / "colons.zarr")
    write_v3_group(path)
    for number, name in enumerate(names):
        shape = (2, 2, 3) if name == "a" else (2, 3)
        write_v3(f"{path}/{name}", np.full(shape, number, "u1"))
    return path


def test_subdatasets_quote_names_with_colons(tmp_path):
    store = make_colons(tmp_path, "a", "a:0", "b:c")
    names = [name for name, _ in gdal.Open(f'ZARR:"{store}"').GetSubDatasets()]
    assert names == [f'ZARR:"{store}":/a', f'ZARR:"{store}":"/a:0"', f'ZARR:"{store}":"/b:c"']
    assert [gdal.Open(name).ReadAsArray().flat[0] for name in names[1:]] == [1, 2]


def test_an_index_may_belong_to_the_name_of_an_array(tmp_path):
    store = make_colons(tmp_path, "b:0", "b:0:1", "c:x")
    assert (gdal.Open(f'ZARR:"{store}":/b:0').ReadAsArray() == 0).all()
    assert (gdal.Open(f'ZARR:"{store}":/b:0:1').ReadAsArray() == 1).all()
    assert (gdal.Open(f'ZARR:"{store}":/c:x').ReadAsArray() == 2).all()


def test_a_name_that_may_mean_two_arrays_is_refused(tmp_path):
    store = make_colons(tmp_path, "a", "a:0")
    with pytest.raises(RuntimeError, match='may be the array "/a:0", or a plane of the array "/a"'):
        gdal.Open(f'ZARR:"{store}":/a:0')
    assert (gdal.Open(f'ZARR:"{store}":"/a":0').ReadAsArray() == 0).all()
    assert (gdal.Open(f'ZARR:"{store}":"/a:0"').ReadAsArray() == 1).all()
    assert (gdal.Open(f'ZARR:"{store}":/a:1').ReadAsArray() == 0).all()
