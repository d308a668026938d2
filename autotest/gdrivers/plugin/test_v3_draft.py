# SPDX-License-Identifier: MIT
"""Stores of the draft of v3, which GDAL 3.4 to 3.7 and zarr-python 2.11 to 2.18 wrote, are read, and never changed."""

import json
import os
import shutil
import zipfile

import numpy as np
import pytest
from errors import collect_errors
from osgeo import gdal
from plugin_in_use import run_program
from stores import write_bytes, write_json

AUTOTEST = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STORES = os.path.join(AUTOTEST, "data", "stores")
RELIEF = np.load(os.path.join(STORES, "expected", "gdal-3.6.2", "draft_relief@relief.npy"))
TRANSFORM = (500000, 10, 0, 5000000, 0, -10)
DOCUMENT = {
    "shape": [2, 3],
    "data_type": "<i2",
    "chunk_grid": {"type": "regular", "chunk_shape": [2, 2], "separator": "/"},
    "chunk_memory_layout": "C",
    "fill_value": 9,
    "extensions": [],
    "attributes": {},
}
ONLY_READ = "the draft of Zarr v3 .* is only read; \"zarrkit migrate\""


@pytest.fixture
def relief(store):
    shutil.copytree(os.path.join(STORES, "gdal-3.6.2", "draft_relief"), store)
    return store


@pytest.fixture
def types(store):
    shutil.copytree(os.path.join(STORES, "gdal-3.6.2", "draft_types"), store)
    return store


def write_draft(store, **members):
    """Writes a store with the array `a`, whose second chunk is missing."""
    url = "https://purl.org/zarr/spec/protocol/core/3.0"
    write_json(f"{store}/zarr.json", {"zarr_format": url, "metadata_key_suffix": ".json", "extensions": []})
    write_json(f"{store}/meta/root/a.array.json", {**DOCUMENT, **members})
    write_bytes(f"{store}/data/root/a/c0/0", np.array([1, 2, 3, 4], "<i2").tobytes())


def list_files(folder):
    """The names and contents of all files."""
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as f:
                files[os.path.join(place, name)] = f.read()
    return files


# --- reading ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["{}", "{}/", "{}/zarr.json", 'ZARR:"{}"', 'ZARR:"{}":/relief', "ZARR:{}:/relief"])
def test_a_store_of_gdal_is_a_raster(relief, form):
    dataset = gdal.Open(form.format(relief))
    band = dataset.GetRasterBand(1)
    assert np.array_equal(band.ReadAsArray(), RELIEF)
    assert dataset.GetGeoTransform() == TRANSFORM
    assert dataset.GetSpatialRef().GetAuthorityCode(None) == "32631"
    assert dataset.GetSpatialRef().GetDataAxisToSRSAxisMapping() == [1, 2]
    assert (band.GetNoDataValue(), band.GetOffset(), band.GetScale()) == (-1, 2, 0.5)


def test_groups_and_arrays_are_listed(types):
    root = gdal.OpenEx(types, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetStructuralInfo()["ZARR_FORMAT"] == "3 (draft)"
    assert root.GetAttribute("title").Read() == "all types"
    assert root.GetGroupNames() == ["sub"]
    assert root.GetMDArrayNames() == ["byte", "int32", "scalar", "uint64"]
    deep = root.OpenGroup("sub").OpenGroup("deep")
    assert deep.GetMDArrayNames() == ["float64", "int64", "uint16"]
    array = deep.OpenMDArray("uint16")
    assert array.GetAttribute("number").Read() == 2
    assert array.GetNoDataValueAsDouble() == 9
    assert json.loads(array.GetStructuralInfo()["COMPRESSOR"])["configuration"] == {"level": 6}
    assert root.OpenMDArray("scalar").Read() == np.array(5, "<i2").tobytes()


def test_subdatasets(types):
    dataset = gdal.Open(types)
    names = [name for name, _ in dataset.GetSubDatasets()]
    assert f'ZARR:"{types}":/sub/deep/float64' in names
    assert all(gdal.Open(name) for name in names)


@pytest.mark.parametrize("program", ["gdalinfo", "gdalmdiminfo"])
def test_programs_open_a_store(relief, program):
    done = run_program([program, relief], capture_output=True, text=True)
    assert done.returncode == 0 and "relief" in done.stdout, done.stderr
    assert done.stderr == ""


def test_a_store_in_an_archive(relief, tmp_path):
    archive = str(tmp_path / "relief.zip")
    with zipfile.ZipFile(archive, "w") as out:
        for file, content in list_files(relief).items():
            out.writestr("inner.zarr/" + os.path.relpath(file, relief), content)
    for name in (f"/vsizip/{archive}/inner.zarr", f'ZARR:"/vsizip/{archive}/inner.zarr":/relief'):
        assert np.array_equal(gdal.Open(name).ReadAsArray(), RELIEF)
    group = gdal.OpenEx(f"/vsizip/{archive}/inner.zarr", gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert group.GetMDArrayNames() == ["X", "Y", "relief"]


def test_a_store_on_a_server(relief, server):
    name = f"/vsicurl/{server.url}/{os.path.basename(relief)}"
    assert np.array_equal(gdal.Open(f'ZARR:"{name}":/relief').ReadAsArray(), RELIEF)


def test_a_missing_chunk_has_the_fill_value(store):
    write_draft(store)
    assert gdal.Open(store).ReadAsArray().tolist() == [[1, 2, 9], [3, 4, 9]]


def test_a_group_without_a_document(store):
    write_draft(store)
    shutil.move(f"{store}/meta/root/a.array.json", f"{store}/a.array.json")
    os.makedirs(f"{store}/meta/root/g/h")
    os.makedirs(f"{store}/data/root/g/h")
    shutil.move(f"{store}/a.array.json", f"{store}/meta/root/g/h/a.array.json")
    shutil.move(f"{store}/data/root/a", f"{store}/data/root/g/h/a")
    root = gdal.OpenEx(store, gdal.OF_MULTIDIM_RASTER).GetRootGroup()
    assert root.GetGroupNames() == ["g"]
    assert root.OpenMDArrayFromFullname("/g/h/a").ReadAsArray().tolist() == [[1, 2, 9], [3, 4, 9]]


def test_the_fallback_of_an_unknown_data_type(store):
    write_draft(store, data_type={"type": "day_of_year", "extension": "https://a.b/c", "fallback": "<i2"})
    assert gdal.Open(store).ReadAsArray().tolist() == [[1, 2, 9], [3, 4, 9]]
    write_draft(store, data_type={"type": "day_of_year", "extension": "https://a.b/c", "fallback": None})
    with pytest.raises(RuntimeError, match='a.array.json: /data_type: expected a known data type, got "day_of_year"'):
        gdal.Open(store)


# --- malformed stores ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "members, message",
    [
        ({"shape": None}, "/shape: expected a list of integers, got null"),
        ({"data_type": "int16"}, '/data_type: expected .*, got "int16"'),
        ({"chunk_grid": {"type": "hex"}}, '/chunk_grid/type: expected "regular", got "hex"'),
        ({"compressor": {"codec": "gzip"}}, '/compressor/codec: expected "https://.*", got "gzip"'),
        ({"chunk_memory_layout": "Z"}, '/chunk_memory_layout: expected "C" or "F", got "Z"'),
        ({"extensions": [{"extension": "x"}]}, "/extensions/0: an extension that is not known"),
        ({"storage_transformers": [{"extension": "x", "type": "y"}]}, "/storage_transformers: "),
    ],
)
def test_malformed_metadata_are_named(store, members, message):
    write_draft(store, **members)
    with pytest.raises(RuntimeError, match=f"{store}/meta/root/a.array.json: {message}"):
        gdal.Open(store)


@pytest.mark.parametrize(
    "member, value, message",
    [
        ("zarr_format", "https://a.b/4", '/zarr_format: expected 3, or "https://.*", got "https://a.b/4"'),
        ("metadata_key_suffix", ".cbor", '/metadata_key_suffix: expected ".json", got ".cbor"'),
        ("extensions", 5, "/extensions: expected a list, got 5"),
    ],
)
def test_a_malformed_entry_point_is_named(store, member, value, message):
    write_draft(store)
    with open(f"{store}/zarr.json") as f:
        entry_point = json.load(f)
    write_json(f"{store}/zarr.json", {**entry_point, member: value})
    files = list_files(store)
    with pytest.raises(RuntimeError, match=f"{store}/zarr.json: {message}"):
        gdal.Open(store)
    with pytest.raises(RuntimeError):
        gdal.GetDriverByName("Zarr").Delete(store)
    assert list_files(store) == files


def test_a_cut_chunk_is_named(relief):
    with open(f"{relief}/data/root/relief/c1/1", "r+b") as f:
        f.truncate(20)
    with pytest.raises(RuntimeError, match=f"{relief}/data/root/relief/c1/1: numcodecs.gzip"):
        gdal.Open(relief).ReadAsArray()


# --- changes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [gdal.OF_RASTER, gdal.OF_MULTIDIM_RASTER])
def test_opening_for_update_is_refused(relief, flags):
    files = list_files(relief)
    for name in (relief, f'ZARR:"{relief}":/relief'):
        with pytest.raises(RuntimeError, match=ONLY_READ):
            gdal.OpenEx(name, flags | gdal.OF_UPDATE)
    assert list_files(relief) == files


def append(store):
    source = gdal.GetDriverByName("MEM").Create("", 3, 2)
    gdal.GetDriverByName("Zarr").CreateCopy(store, source, options=["APPEND_SUBDATASET=YES", "ARRAY_NAME=b"])


@pytest.mark.parametrize(
    "change",
    [
        append,
        lambda store: gdal.GetDriverByName("Zarr").Delete(store),
        lambda store: gdal.GetDriverByName("Zarr").Rename(store + "2", store),
        lambda store: gdal.GetDriverByName("Zarr").CreateMultiDimensional(store),
        lambda store: gdal.GetDriverByName("Zarr").Create(store, 3, 2),
    ],
    ids=["append", "delete", "rename", "create multidimensional", "create"],
)
def test_a_store_is_not_changed(relief, change):
    files = list_files(relief)
    with pytest.raises(RuntimeError), collect_errors():
        change(relief)
    assert list_files(relief) == files


def test_delete_says_why_not(relief):
    with pytest.raises(RuntimeError, match=ONLY_READ):
        gdal.GetDriverByName("Zarr").Delete(relief)


def test_a_copy_is_a_store_of_v3(relief, tmp_path):
    copy = str(tmp_path / "copy.zarr")
    gdal.GetDriverByName("Zarr").CreateCopy(copy, gdal.Open(relief), options=["FORMAT=ZARR_V3"])
    dataset = gdal.Open(copy)
    assert np.array_equal(dataset.ReadAsArray(), RELIEF)
    assert dataset.GetGeoTransform() == TRANSFORM


def test_statistics_stand_beside_the_document(relief, side_files):
    files = list_files(relief)
    dataset = gdal.Open(relief)
    assert dataset.GetRasterBand(1).ComputeStatistics(False)[0] == RELIEF[RELIEF != -1].min()
    del dataset
    new = list_files(relief)
    assert {name: new[name] for name in files} == files
    assert set(new) - set(files) == {f"{relief}/meta/root/relief.array.json.aux.xml"}
    assert gdal.OpenEx(relief, gdal.OF_MULTIDIM_RASTER).GetRootGroup().GetMDArrayNames() == ["X", "Y", "relief"]
